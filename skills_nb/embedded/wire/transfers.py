"""Transfers: files of stages, put and fetched by clients that know a cloud's storage alone.

Room: embedded. The answer to PUT or GET names an address of this account's own, and a key that
opens one stage's folder; what comes there is what such a client sends to its cloud's storage.

See https://cloud.google.com/storage/docs/xml-api/overview
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from skills_nb.embedded import errors
from skills_nb.embedded.session.transfer_doors import TransferDoors
from skills_nb.embedded.storage.files import files

PREFIX = "/transfers/"
_ONLY_NEW = "x-goog-if-generation-match"
_MISSING, _NOT_ALLOWED, _THERE_ALREADY = 404, 403, 412
_DONE: Mapping[str, Any] = {"success": True, "content": b""}


def answered(
    doors: TransferDoors, method: str, path: str, headers: Mapping[str, str], body: Any
) -> Mapping[str, Any]:
    """Answer one request for a file: its bytes, nothing, or the status that says why not.

    Raises:
        SqlError: the file would be outside of its stage (1008), or cannot be written.
    """
    name, _, file = path.removeprefix(PREFIX).partition("/")
    scheme, _, key = headers.get("Authorization", "").partition(" ")
    door = doors.opened(name, key) if scheme == "Bearer" else None
    if door is None or (method == "PUT" and not door.is_for_writing):
        return _refused(_NOT_ALLOWED)
    place = files.within(door.folder, unquote(file))
    if method == "PUT":
        if headers.get(_ONLY_NEW) == "0" and place.exists():
            return _refused(_THERE_ALREADY)
        files.write(door.folder, place.relative_to(door.folder).as_posix(), body["content"])
        return _DONE
    if not place.is_file() or (method == "GET" and door.is_for_writing):
        return _refused(_MISSING)
    size = place.stat().st_size
    return {**_DONE, "content": place.read_bytes() if method == "GET" else b"", "length": size}


def _refused(status: int) -> Mapping[str, Any]:
    return {"success": False, "content": b"", "status": status}


def addressed(answer: dict[str, Any], headers: Mapping[str, str]) -> dict[str, Any]:
    """Write where files go as an address of the host that was asked.

    Raises:
        SqlError: nobody serves the account, so that there is no such address (0A000).
    """
    info = (answer.get("data") or {}).get("stageInfo") or {}
    if "endPoint" not in info:
        return answer
    if not headers.get("Host"):
        raise errors.unsupported("PUT and GET of this client without a served account")
    told = {**info, "endPoint": f"http://{headers['Host']}{PREFIX.rstrip('/')}"}
    return {**answer, "data": {**answer["data"], "stageInfo": told}}
