"""Documents: JSON as people type it, XML, addresses of hosts and pages.

Room: embedded. Pure.
"""

from __future__ import annotations

import ipaddress
import json
import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit
from xml.etree import ElementTree

from sqlglot import exp

from skills_nb.embedded.errors.python_refusals import RefusalError
from skills_nb.embedded.translator.python_functions import well_known_text
from skills_nb.embedded.translator.python_functions.calls import Call, Named
from skills_nb.embedded.translator.python_functions.json_values import (
    canonical,
    canonical_text,
    exactly,
    read,
    written,
)

_TOKEN = re.compile(
    r"\s+|(?P<text>\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')|(?P<mark>[{}\[\]:,])"
    r"|(?P<word>[^\s{}\[\]:,\"']+)",
    re.S,
)
_WORDS = {"true": True, "false": False, "null": None, "undefined": None}


def _loose_json(text: str | None, safe: bool = False, keeps_last: bool = False) -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/parse_json.

    Keys may lack quotes, texts may have single ones, a comma may come last in an object, and an
    element that is left out of an array is an undefined one.
    """
    if text is None:
        return None
    try:
        return canonical_text(text, _once_each)
    except ValueError:
        # Loose, or wrong: then this tells where.
        pass
    try:
        return _Loose(text, keeps_last=keeps_last).document()
    except RefusalError:
        if safe:
            return None
        raise


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key is said twice")
    return found


class _Loose:
    def __init__(self, text: str, *, keeps_last: bool) -> None:
        self.keeps_last = keeps_last
        self.tokens: list[tuple[str, str, int]] = []
        place = 0
        while place < len(text):
            found = _TOKEN.match(text, place)
            if found is None:
                raise _malformed(text[place], place)
            if found.lastgroup:
                self.tokens.append((found.lastgroup, found[0], place))
            place = found.end()
        self.tokens.append(("end", "", place))
        self.index = 0

    def document(self) -> str | None:
        if len(self.tokens) == 1:
            return None
        value = self.value()
        self.expect("end", "")
        return canonical(value)

    def accept(self, mark: str) -> bool:
        if self.tokens[self.index][:2] != ("mark", mark):
            return False
        self.index += 1
        return True

    def expect(self, kind: str, text: str) -> None:
        if self.tokens[self.index][:2] != (kind, text):
            raise _malformed(*self.tokens[self.index][1:])
        self.index += 1

    def value(self) -> Any:
        if self.accept("{"):
            return self.object()
        if self.accept("["):
            return self.array()
        kind, text, place = self.tokens[self.index]
        self.index += 1
        if kind == "text":
            return _unquoted(text)
        if kind == "word" and text.lower() in _WORDS:
            return _WORDS[text.lower()]
        try:
            return exactly(text, _once_each)
        except ValueError as error:
            raise _malformed(text, place) from error

    def object(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while not self.accept("}"):
            kind, text, place = self.tokens[self.index]
            if kind not in ("text", "word"):
                raise _malformed(text, place)
            self.index += 1
            self.expect("mark", ":")
            key = _unquoted(text) if kind == "text" else text
            if key in found and not self.keeps_last:
                what = f'duplicate object attribute "{key}", pos {place + len(text)}'
                raise RefusalError(100069, "22P02", f"Error parsing JSON: {what}")
            found[key] = self.value()
            if not self.accept(","):
                self.expect("mark", "}")
                break
        return found

    def array(self) -> list[Any]:
        found: list[Any] = []
        if self.accept("]"):
            return found
        while True:
            found.append(None if self.is_at(",", "]") else self.value())
            if not self.accept(","):
                self.expect("mark", "]")
                return found

    def is_at(self, *marks: str) -> bool:
        """Tell whether one of the marks comes next, so that an element is left out."""
        kind, text, _ = self.tokens[self.index]
        return kind == "mark" and text in marks


def _unquoted(text: str) -> str:
    if text[0] == '"':
        made: str = json.loads(text, strict=False)
        return made
    inner = text[1:-1].replace("\\'", "'").replace('"', '\\"')
    made = json.loads(f'"{inner}"', strict=False)
    return made


def _malformed(text: str, place: int) -> RefusalError:
    what = f'unknown keyword "{text}"' if text else "incomplete JSON value"
    return RefusalError(100069, "22P02", f"Error parsing JSON: {what}, pos {place + 1}")


def _xml(text: str | None, safe: bool = False) -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/parse_xml."""
    if text is None:
        return None
    try:
        if "<!DOCTYPE" in text:
            raise ElementTree.ParseError("a document type is not allowed")
        return written(_element(ElementTree.fromstring(text)))  # noqa: S314 - no entities without one
    except ElementTree.ParseError as error:
        if safe:
            return None
        raise RefusalError(100100, "22P02", f"Error parsing XML: {error}") from error


def _element(node: ElementTree.Element) -> dict[str, Any]:
    """An element is its tag under `@`, each attribute under `@name`, its content under `$`."""
    parts: list[Any] = [node.text.strip()] if node.text and node.text.strip() else []
    for child in node:
        parts.append(_element(child))
        if child.tail and child.tail.strip():
            parts.append(child.tail.strip())
    content: Any = parts[0] if len(parts) == 1 else parts or ""
    found = {f"@{name}": _scalar(value) for name, value in node.attrib.items()}
    return {"@": node.tag, **found, "$": _scalar(content) if isinstance(content, str) else content}


def _scalar(text: str) -> Any:
    try:
        return json.loads(text) if re.fullmatch(r"-?\d+(\.\d+)?|true|false", text) else text
    except ValueError:
        return text


def _xml_get(held: str | None, tag: str | None, instance: int = 0) -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/xmlget."""
    found = read(held)
    if not isinstance(found, dict) or tag is None:
        return None
    content = found.get("$")
    children = content if isinstance(content, list) else [content]
    named = [c for c in children if isinstance(c, dict) and c.get("@") == tag]
    return written(named[int(instance)]) if 0 <= instance < len(named) else None


def _xml_fault(text: str | None) -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/check_xml."""
    try:
        _xml(text)
    except RefusalError as refused:
        return str(refused).partition("] ")[2]
    return None


def _ip(text: str | None, kind: str = "INET", permissive: int = 0) -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/parse_ip."""
    if text is None:
        return None
    try:
        found = ipaddress.ip_interface(text)
    except ValueError as error:
        if permissive:
            return written({"error": f"parse error on IP {text}"})
        raise RefusalError(100146, "22023", f"Error parsing IP: {text}") from error
    host, _, length = text.partition("/")
    made: dict[str, Any] = {
        "family": found.version,
        "host": host,
        "ip_fields": _fields(int(found.ip), found.version),
        "ip_type": kind.lower(),
        "netmask_prefix_length": int(length) if length else None,
        "snowflake$type": "ip_address",
    }
    if found.version == 4:
        made["ipv4"] = int(found.ip)
        ends = ("ipv4_range_start", "ipv4_range_end")
        bounds = (int(found.network.network_address), int(found.network.broadcast_address))
    else:
        made["hex_ipv6"] = f"{int(found.ip):032X}"
        ends = ("hex_ipv6_range_start", "hex_ipv6_range_end")
        return written({**made, **dict(zip(ends, _hex_bounds(found), strict=True))})
    return written({**made, **dict(zip(ends, bounds, strict=True))} if length else made)


def _hex_bounds(found: ipaddress.IPv4Interface | ipaddress.IPv6Interface) -> tuple[str, str]:
    network = found.network
    return f"{int(network.network_address):032X}", f"{int(network.broadcast_address):032X}"


def _fields(value: int, version: int) -> list[int]:
    if version == 4:
        return [value, 0, 0, 0]
    return [(value >> shift) & 0xFFFFFFFF for shift in (96, 64, 32, 0)]


def _url(text: str | None, permissive: int = 0) -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/parse_url."""
    if text is None:
        return None
    found = urlsplit(text)
    if not found.scheme:
        if permissive:
            return written({"error": "scheme not specified"})
        raise RefusalError(100139, "22023", f"Error parsing URL: scheme not specified: {text}")
    parameters = dict(parse_qsl(found.query, keep_blank_values=True))
    return written(
        {
            "fragment": found.fragment or None,
            "host": found.netloc.rpartition("@")[2].partition(":")[0] or None,
            "parameters": parameters or None,
            "path": found.path.lstrip("/") or None,
            "port": str(found.port) if found.port else None,
            "query": found.query or None,
            "scheme": found.scheme,
        }
    )


_SHAPES = frozenset(
    {
        "Point",
        "LineString",
        "Polygon",
        "MultiPoint",
        "MultiLineString",
        "MultiPolygon",
        "GeometryCollection",
        "Feature",
        "FeatureCollection",
    }
)
_PARTS = ("coordinates", "geometries", "geometry", "features")
_EXTENDED = re.compile(
    r"\s*SRID\s*=\s*\d+\s*;\s*(MULTI)?(POINT|LINESTRING|POLYGON|GEOMETRYCOLLECTION)\b", re.I
)


def _geography(text: str | None, safe: bool = False) -> str | None:
    """Take GeoJSON, as a document or as its text, or well-known text.

    See https://docs.snowflake.com/en/sql-reference/functions/to_geography
    """
    if text is None:
        return None
    found = _parsed(text)
    found = _parsed(found) if isinstance(found, str) else found
    if isinstance(found, str):
        found = well_known_text.geojson(found) or found
    if found is None or _is_geojson(found):
        return written(found)
    if safe:
        return None
    said = found if isinstance(found, str) else text
    if _EXTENDED.match(said):
        raise RefusalError(
            2, "0A000", "SQL compilation error:\nUnsupported feature 'geography in EWKT'."
        )
    raise RefusalError(
        100217,
        "P0000",
        f"Error parsing Geo input: {said[:50]}. Did not recognize valid GeoJSON, (E)WKT or (E)WKB.",
    )


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


def _is_geojson(found: Any) -> bool:
    if not isinstance(found, dict) or found.get("type") not in _SHAPES:
        return False
    return any(isinstance(found.get(part), (list, dict)) for part in _PARTS)


CALLS: Mapping[Named, Call] = {
    exp.CheckXml: Call(_xml_fault, "this", "VARCHAR"),
    exp.ParseIp: Call(_ip, "this type permissive"),
    exp.ParseUrl: Call(_url, "this permissive"),
    exp.XMLGet: Call(_xml_get, "*this expression instance"),
    "PARSE_XML": Call(_xml, "0"),
}
"""Functions of SQL, by name or by the class that sqlglot has for them."""
FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "geography": _geography,
    "json": _loose_json,
}
"""What other translations call."""
