"""Well-known text of places, read as GeoJSON.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/data-types-geospatial
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

_TOKEN = re.compile(r"\s*([A-Za-z]+|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[(),])")
_WHOLE = re.compile(r"[-+]?\d+")
_LEAST_OF_A_LINE = 2
_LEAST_OF_A_RING = 4


class _UnreadError(Exception):
    """The text is no well-known text."""


def geojson(text: str) -> dict[str, Any] | None:
    """Read a text as GeoJSON; None where it is no well-known text of two dimensions."""
    try:
        reader = _Reader(_tokens(text))
        found = reader.shape()
        return None if reader.tokens else found
    except (_UnreadError, RecursionError):
        return None


def _tokens(text: str) -> list[str]:
    """Cut a text; the first token comes last."""
    found: list[str] = []
    at = 0
    while at < len(text.rstrip()):
        token = _TOKEN.match(text, at)
        if token is None:
            raise _UnreadError
        found.append(token[1])
        at = token.end()
    return found[::-1]


class _Reader:
    """Takes one token after the other, and raises `_UnreadError` at the first that cannot be."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        """What is left, the next one last."""

    def shape(self) -> dict[str, Any]:
        word = self._next().upper()
        if word == "GEOMETRYCOLLECTION":
            return {"type": "GeometryCollection", "geometries": self._listed(self.shape)}
        kinds: dict[str, tuple[str, Callable[[], Any]]] = {
            "POINT": ("Point", self._bare_position),
            "LINESTRING": ("LineString", self._line),
            "POLYGON": ("Polygon", self._polygon),
            "MULTIPOINT": ("MultiPoint", self._points),
            "MULTILINESTRING": ("MultiLineString", lambda: self._listed(self._line)),
            "MULTIPOLYGON": ("MultiPolygon", lambda: self._listed(self._polygon)),
        }
        if word not in kinds:
            raise _UnreadError
        kind, read = kinds[word]
        return {"type": kind, "coordinates": read()}

    def _next(self) -> str:
        if not self.tokens:
            raise _UnreadError
        return self.tokens.pop()

    def _take(self, token: str) -> None:
        if self._next() != token:
            raise _UnreadError

    def _listed(self, read: Callable[[], Any]) -> list[Any]:
        self._take("(")
        found = [read()]
        while (after := self._next()) == ",":
            found.append(read())
        if after != ")":
            raise _UnreadError
        return found

    def _number(self) -> int | float:
        token = self._next()
        try:
            return int(token) if _WHOLE.fullmatch(token) else float(token)
        except ValueError as problem:
            raise _UnreadError from problem

    def _position(self) -> list[int | float]:
        return [self._number(), self._number()]

    def _bare_position(self) -> list[int | float]:
        self._take("(")
        found = self._position()
        self._take(")")
        return found

    def _points(self) -> list[Any]:
        """Read a list of points, each of which may stand in parentheses."""
        inner = self.tokens[-2:-1] == ["("]
        return self._listed(self._bare_position if inner else self._position)

    def _line(self) -> list[Any]:
        found = self._listed(self._position)
        if len(found) < _LEAST_OF_A_LINE:
            raise _UnreadError
        return found

    def _ring(self) -> list[Any]:
        found = self._listed(self._position)
        if len(found) < _LEAST_OF_A_RING or found[0] != found[-1]:
            raise _UnreadError
        return found

    def _polygon(self) -> list[Any]:
        return self._listed(self._ring)
