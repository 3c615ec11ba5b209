"""The worker: loads handlers, gives them rows, and tells what they return or raise.

Room: embedded. Whatever a handler does to this module, it does to its own process alone.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from . import values
from .handler_files import HandlerFiles
from .pipes import Pipe

_SOON_S = 0.5
_PART_BYTES = 4 << 20
_LONGEST = 20_000
Opener = Callable[[Any], AbstractContextManager[Any]]


class Wire:
    """Snowflake's door as the handler's session sees it: each request goes over the pipe."""

    def __init__(self, pipe: Pipe) -> None:
        """Ask over this pipe."""
        self._pipe = pipe
        self.files = HandlerFiles(pipe)

    def handle(
        self, method: str, url: str, headers: Mapping[str, str], body: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Send one request; return its answer."""
        self.files.leave()
        told = json.dumps([method, url, dict(headers), body], default=str)
        self._pipe.send({"said": "asks"}, told.encode("utf-8", "surrogatepass"))
        _, answer = self._pipe.receive()
        document: Mapping[str, Any] = json.loads(answer)
        self.files.prepare(document)
        return document


class Handlers:
    """The handlers of one owner, for one caller."""

    def __init__(self, pipe: Pipe, opener: Opener | None) -> None:
        """Work over this pipe; `opener` opens the sessions of procedures."""
        self._pipe = pipe
        self._opener = opener
        self._loaded: dict[int, tuple[Mapping[str, Any], Callable[..., Any]]] = {}

    def serve(self) -> None:
        """Do what is asked until the pipe is closed."""
        todo = {"load": self._load, "rows": self._rows, "call": self._call, "read": self._read}
        while True:
            try:
                header, body = self._pipe.receive()
            except EOFError:
                return
            try:
                todo[header["do"]](header, body)
            except BaseException as error:  # noqa: BLE001 - the handler's own, whatever it is
                self._pipe.send(_failed(error))

    def _read(self, _header: Mapping[str, Any], body: bytes) -> None:
        compile(body.decode(), "<handler>", "exec", dont_inherit=True)
        self._pipe.send({"said": "done"})

    def _load(self, header: Mapping[str, Any], body: bytes) -> None:
        name = header["name"]
        place: dict[str, Any] = {"__name__": name}
        exec(compile(body.decode(), f"<{name}>", "exec", dont_inherit=True), place)  # noqa: S102 - its very task
        self._loaded[header["number"]] = (header, place[header["handler"]])
        self._pipe.send({"said": "done"})

    def _rows(self, header: Mapping[str, Any], body: bytes) -> None:
        about, handler = self._loaded[header["number"]]
        readers = [values.reader(tuple(kind)) for kind in about["takes"]]
        kind, is_strict = tuple(about["returns"]), about["strict"]
        is_plain = not any(readers)
        found: list[str | None] = []
        size, since = 0, time.monotonic()
        for row in json.loads(body, parse_float=str):
            if is_strict and None in row:
                found.append(None)
                continue
            if not is_plain:
                row = [values.read(v, r) for v, r in zip(row, readers, strict=True)]
            text = values.written(kind, handler(*row))
            found.append(text)
            size += len(text or "")
            if size > _PART_BYTES or time.monotonic() - since > _SOON_S:
                self._tell("part", found)
                found, size, since = [], 0, time.monotonic()
        self._tell("rows", found)

    def _tell(self, said: str, found: Sequence[str | None]) -> None:
        self._pipe.send({"said": said}, json.dumps(found).encode())

    def _call(self, header: Mapping[str, Any], body: bytes) -> None:
        about, handler = self._loaded[header["number"]]
        kinds = [tuple(kind) for kind in about["takes"]]
        given = json.loads(body, parse_float=str)
        read = [values.read(v, values.reader(k)) for v, k in zip(given, kinds, strict=True)]
        assert self._opener is not None
        wire = Wire(self._pipe)
        with self._opener(wire) as session:
            try:
                told = _returned(about["returns"], handler(session, *read))
            finally:
                wire.files.leave()
        self._pipe.send({"said": "returned"}, json.dumps(told).encode())


def _returned(kind: Sequence[Any] | None, value: Any) -> tuple[str, Any]:
    """Write what a procedure returned: a document or a text as its type says, else as it is."""
    if kind is not None and kind[0] in (*values.DOCUMENTS, "TEXT"):
        return "plain", values.written((kind[0], kind[1]), value)
    return values.tagged(value)


def _failed(error: BaseException) -> Mapping[str, Any]:
    try:
        text = str(error)
    except BaseException:  # noqa: BLE001 - a handler's own exception need not have a text
        text = ""
    return {"said": "failed", "kind": type(error).__name__[:200], "text": text[:_LONGEST]}
