"""Bodies: the JSON document that a request carries, within bounds.

Room: work (runtime, loopback). Pure: bytes in, a document out, or a refusal. No more than the bound
is ever unpacked; what comes out has the shape that a connector sends, so that whoever answers meets
no list where a name should be.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Iterator, Mapping
from typing import Any, Never

from skills_nb.runtime.loopback.protocol import LOGIN, QUERY, RENEWAL
from skills_nb.runtime.loopback.request_head import RefusedError

MOST_BYTES = 64 << 20
"""Largest body, packed or not.

A statement's text is at most a megabyte; of bound values a connector sends up to 65,280 with a
statement and takes more of them to a stage, which leaves a kilobyte for each.
"""
MOST_LOGIN_BYTES = 64 << 10
"""Largest body of a login, packed or not: it is read before anybody proved anything.

A connector sends about two thousand bytes, and a token rarely has more than ten thousand.
"""
MOST_FILE_BYTES = 1 << 30
"""Largest file that is put on a stage: it is held in memory as a whole."""
_MOST_DEPTH = 64
_GZIP = 31
_SHAPES: Mapping[str, Mapping[str, type | tuple[type, ...]]] = {
    LOGIN: {"data": dict},
    QUERY: {
        "sqlText": str,
        "parameters": (dict, type(None)),
        "bindings": (dict, type(None)),
        "asyncExec": (bool, type(None)),
        "describeOnly": (bool, type(None)),
    },
    RENEWAL: {"oldSessionToken": str},
}
_LOGIN_SHAPE: Mapping[str, type | tuple[type, ...]] = {
    "LOGIN_NAME": str,
    "PASSWORD": (str, type(None)),
    "TOKEN": (str, type(None)),
    "AUTHENTICATOR": (str, type(None)),
    "SESSION_PARAMETERS": (dict, type(None)),
    "CLIENT_APP_ID": (str, type(None)),
    "CLIENT_APP_VERSION": (str, type(None)),
}
_SCALAR = (str, int, float, bool, type(None))


def document(path: str, raw: bytes, encoding: str, most: int) -> Mapping[str, Any]:
    """Return the document in a body that came over the line.

    Raises:
        RefusedError: it is too large, no JSON object, or not what a connector sends to this path.
    """
    try:
        found = _parsed(_unpacked(raw, encoding, most)) if raw else {}
    except (ValueError, RecursionError, zlib.error) as problem:
        raise RefusedError(400, "the body is no JSON document") from problem
    if not isinstance(found, dict) or not _has_shape(path, found):
        raise RefusedError(400, "the body is not what a connector sends here")
    return found


def _unpacked(raw: bytes, encoding: str, most: int) -> bytes:
    if encoding.lower() in ("", "identity"):
        return raw
    if encoding.lower() != "gzip":
        raise RefusedError(415, "a body is packed with gzip, or not at all")
    unpacker = zlib.decompressobj(wbits=_GZIP)
    unpacked = unpacker.decompress(raw, most)
    if unpacker.eof and not unpacker.unused_data:
        return unpacked
    if len(unpacked) >= most:
        raise RefusedError(413, "the body is too large")
    raise ValueError("the packed body has no proper end")


def _parsed(raw: bytes) -> Any:
    text = raw.decode("utf-8")
    found = json.loads(text, parse_constant=_refused_number, parse_float=_finite)
    # Only where an escape could spell half a character, or nesting could be too deep, is it worth
    # to look at every value.
    if "\\u" in text or text.count("[") + text.count("{") > _MOST_DEPTH:
        for value, depth in _every(found):
            if depth > _MOST_DEPTH:
                raise ValueError("the values are nested too deep")
            if isinstance(value, str):
                value.encode("utf-8")
    return found


def _every(found: Any) -> Iterator[tuple[Any, int]]:
    """Yield every name and value with its depth."""
    waiting = [(found, 0)]
    while waiting:
        value, depth = waiting.pop()
        yield value, depth
        if isinstance(value, dict):
            waiting.extend((each, depth + 1) for pair in value.items() for each in pair)
        elif isinstance(value, list):
            waiting.extend((each, depth + 1) for each in value)


def _refused_number(name: str) -> Never:
    raise ValueError(f"{name} is no JSON")


def _finite(text: str) -> float:
    if math.isinf(number := float(text)):
        raise ValueError("the number is too large")
    return number


def _has_shape(path: str, found: Mapping[str, Any]) -> bool:
    if not _fits(found, _SHAPES.get(path, {})):
        return False
    if path == LOGIN:
        data = found.get("data") or {}
        return _fits(data, _LOGIN_SHAPE) and _is_flat(data.get("SESSION_PARAMETERS"))
    return path != QUERY or _is_flat(found.get("parameters"))


def _fits(found: Mapping[str, Any], shape: Mapping[str, type | tuple[type, ...]]) -> bool:
    return all(isinstance(found[name], kind) for name, kind in shape.items() if name in found)


def _is_flat(found: Mapping[str, Any] | None) -> bool:
    return all(isinstance(value, _SCALAR) for value in (found or {}).values())
