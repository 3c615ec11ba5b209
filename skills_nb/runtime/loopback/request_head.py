"""Heads: what stands before the body of an HTTP request, read once and strictly.

Room: work (runtime, loopback). Pure: bytes in, one frozen `Head` out, or a refusal with its status.
Whatever two readers could read differently is refused: another form of the target than a plain
path, encoded or empty or dotted segments, a header that is given twice, a line that is folded or
ends in anything but CRLF. Everybody after this module asks the `Head`, and nothing else.
Source: RFC 9112, sections 2 to 6.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, unquote, urlencode

from skills_nb.runtime.loopback.protocol import MONITORING, TRANSFERS

MOST_BYTES = 32 << 10
"""Largest head; a connector sends about one thousand."""
_MOST_HEADERS = 64
_MOST_TARGET = 8 << 10
_MOST_FIELDS = 64
_REQUEST_LINE = re.compile(r"([A-Z]{1,16}) ([\x21-\x7e]+) HTTP/([0-9]\.[0-9])")
_HEADER = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\x00-\x08\x0a-\x1f\x7f]*)")
_PATH = re.compile(r"(?:/[A-Za-z0-9_-]+)+/?")
_FILE_PATH = re.compile(r"(?:/(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})+)+")
"""A file's path, whose names are what its owner calls them."""
_LENGTH = re.compile(r"-?[0-9]{1,18}")


class RefusedError(Exception):
    """A request is refused; the line is cut after the answer."""

    def __init__(self, status: int, document: Mapping[str, Any] | str) -> None:
        """Answer with this status and this document, or with a document that says this."""
        super().__init__(status, document)
        self.status = status
        self.document = {"message": document} if isinstance(document, str) else document


@dataclass(frozen=True, slots=True)
class Head:
    """A request without its body."""

    method: str
    """GET or POST; for a file also HEAD and PUT."""
    path: str
    """Plain segments, without a slash at the end; a file's are as they came, encoded."""
    asked: tuple[tuple[str, str], ...]
    """The query's names and values, decoded, in their order."""
    headers: Mapping[str, str]
    """By lower-case name; none was given twice."""
    length: int
    """Bytes of the body, as they come over the line."""
    is_last: bool
    """Whether the client wants the line cut after the answer."""

    def field(self, name: str) -> str:
        """Return a value of the query; empty where it has none."""
        return next((value for known, value in self.asked if known == name), "")

    @property
    def target(self) -> str:
        """Return path and query, written anew from what was read."""
        return f"{self.path}?{urlencode(self.asked)}" if self.asked else self.path


def read(raw: bytes) -> Head:
    """Read a head, which ends before its empty line.

    Raises:
        RefusedError: it is not a plain HTTP/1.1 or HTTP/1.0 request.
    """
    first, *lines = raw.decode("latin-1").split("\r\n")
    method, target, version = _request_line(first)
    headers = _headers(lines)
    path, asked = _target(target)
    if method in ("HEAD", "PUT") and not path.startswith(TRANSFERS):
        raise RefusedError(405, "this address takes GET and POST")
    length = _length(headers)
    if method in ("GET", "HEAD") and length:
        raise RefusedError(400, f"a {method} has no body")
    return Head(method, path, asked, headers, length, _is_last(headers, version))


def _request_line(line: str) -> tuple[str, str, str]:
    found = _REQUEST_LINE.fullmatch(line)
    if found is None:
        raise RefusedError(400, "the first line is no HTTP request")
    method, target, version = found.groups()
    if version not in ("1.0", "1.1"):
        raise RefusedError(505, "this address speaks HTTP/1.1")
    if method not in ("GET", "POST", "HEAD", "PUT"):
        raise RefusedError(405, "this address takes GET and POST")
    return method, target, version


def _headers(lines: list[str]) -> Mapping[str, str]:
    if len(lines) > _MOST_HEADERS:
        raise RefusedError(431, "the request has too many headers")
    headers: dict[str, str] = {}
    for line in lines:
        found = _HEADER.fullmatch(line)
        if found is None:
            raise RefusedError(400, "a header cannot be read")
        name = found[1].lower()
        if name in headers:
            raise RefusedError(400, f"the header {name} is given twice")
        headers[name] = found[2].strip(" \t")
    return headers


def _target(target: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    if len(target) > _MOST_TARGET:
        raise RefusedError(414, "the address is too long")
    path, _, query = target.partition("?")
    if path.startswith(f"{MONITORING}/"):
        # The connector's fifth version writes this slash twice.
        path = MONITORING + path.removeprefix(f"{MONITORING}/")
    is_plain = _is_file(path) if path.startswith(TRANSFERS) else _PATH.fullmatch(path)
    if not is_plain or "#" in query:
        raise RefusedError(400, "the address is no plain path")
    try:
        asked = parse_qsl(query, errors="strict", max_num_fields=_MOST_FIELDS)
    except ValueError as problem:
        raise RefusedError(400, "what stands after the address's '?' cannot be read") from problem
    return path.rstrip("/"), tuple(asked)


def _is_file(path: str) -> bool:
    """Tell whether a path names a file plainly: nothing in it leads up, or hides a separator."""
    names = [unquote(part, errors="replace") for part in path.split("/")[1:]]
    leads_up = any(name in (".", "..") for name in names)
    hides = any(char in "/\\\0\ufffd" for name in names for char in name)
    return not leads_up and not hides and _FILE_PATH.fullmatch(path) is not None


def _is_last(headers: Mapping[str, str], version: str) -> bool:
    wishes = {wish.strip().lower() for wish in headers.get("connection", "").split(",")}
    return "close" in wishes if version == "1.1" else "keep-alive" not in wishes


def _length(headers: Mapping[str, str]) -> int:
    if "transfer-encoding" in headers:
        raise RefusedError(400, "a body needs its length, not a Transfer-Encoding")
    given = headers.get("content-length", "0")
    if not _LENGTH.fullmatch(given):
        raise RefusedError(400, "the Content-Length is no number of bytes")
    if int(given) < 0:
        raise RefusedError(413, "the Content-Length is negative")
    return int(given)
