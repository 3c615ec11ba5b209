"""Files that a handler's session moves to and from stages: in its scratch folder until they go.

Room: embedded. The connector moves files between folders; those of stages are the account's, so
that a folder of the worker stands for one while a statement is at work.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from . import scratch
from .pipes import Pipe


class HandlerFiles:
    """The folders that stand for stages."""

    def __init__(self, pipe: Pipe) -> None:
        """Move files over this pipe."""
        self._pipe = pipe
        self._leaving: list[tuple[int, str]] = []

    def prepare(self, document: Mapping[str, Any]) -> None:
        """Put a folder here in an answer that moves files, with what is to be fetched in it."""
        data = document.get("data")
        if not isinstance(data, dict) or data.get("command") not in ("UPLOAD", "DOWNLOAD"):
            return
        info = data["stageInfo"]
        number = int(info["location"])
        folder = info["location"] = os.path.abspath(f"stage-{number}")
        os.makedirs(folder, exist_ok=True)
        if data["command"] == "UPLOAD":
            self._leaving.append((number, folder))
            return
        for name in data["src_locations"]:
            self._pipe.send({"said": "gets", "about": [number, name]})
            self._write(folder, name, self._pipe.receive()[1])

    def _write(self, folder: str, name: str, content: bytes) -> None:
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as held:
            held.write(content)

    def leave(self) -> None:
        """Send what was put into stages."""
        leaving, self._leaving = self._leaving, []
        for number, folder in leaving:
            for name in sorted(os.listdir(folder)):
                path = os.path.join(folder, name)
                with open(path, "rb") as held:
                    self._pipe.send({"said": "puts", "about": [number, name]}, held.read())
                self._pipe.receive()
            scratch.remove(folder)
