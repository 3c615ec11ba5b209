"""Files of stages on their way to a handler and back: PUT and GET of a procedure's session.

Room: embedded. A handler cannot reach the folders of stages. What a statement that was allowed
names is handed over the pipe instead, and nothing else.

See https://docs.snowflake.com/en/sql-reference/sql/put
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from skills_nb.embedded.confined.worker_pipes import BrokenPipeEndError
from skills_nb.embedded.storage.files import files
from skills_nb.errors import SqlError


@dataclass(frozen=True, slots=True)
class Transfer:
    """What a PUT or GET lets a handler's session move."""

    command: str
    """`UPLOAD` or `DOWNLOAD`."""
    folder: Path
    """Where the files are, or will be."""
    names: frozenset[str]
    """The files that may be fetched."""


@dataclass(slots=True)
class Transfers:
    """The transfers of one call."""

    _allowed: list[Transfer] = field(default_factory=list)

    def noted(self, answer: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return an answer as a handler may see it: a number in place of a stage's folder."""
        data = answer.get("data")
        if not isinstance(data, dict) or data.get("command") not in ("UPLOAD", "DOWNLOAD"):
            return answer
        info = data["stageInfo"]
        is_upload = data["command"] == "UPLOAD"
        folder = Path(info["location"])
        names = frozenset(() if is_upload else data["src_locations"])
        self._allowed.append(Transfer(data["command"], folder, names))
        told = {**info, "location": str(len(self._allowed))}
        return {**answer, "data": {**data, "stageInfo": told}}

    def put(self, about: Any, content: bytes) -> None:
        """Take a file into a stage.

        Raises:
            BrokenPipeEndError: nobody allowed that.
        """
        transfer, name = self._asked(about, "UPLOAD")
        if Path(name).name != name or name in ("", ".", ".."):
            raise BrokenPipeEndError
        try:
            files.write(transfer.folder, name, content)
        except SqlError as error:
            raise BrokenPipeEndError from error

    def get(self, about: Any) -> bytes:
        """Return a file of a stage.

        Raises:
            BrokenPipeEndError: nobody allowed that.
        """
        transfer, name = self._asked(about, "DOWNLOAD")
        if name not in transfer.names:
            raise BrokenPipeEndError
        return files.within(transfer.folder, name).read_bytes()

    def _asked(self, about: Any, command: str) -> tuple[Transfer, str]:
        match about:
            case [int(number), str(name)] if 0 < number <= len(self._allowed):
                transfer = self._allowed[number - 1]
                if transfer.command == command:
                    return transfer, name
        raise BrokenPipeEndError
