"""Words: statements about files, as typed values.

Room: embedded. Pure. They have a syntax of their own (unquoted locations and URLs), which neither
of the two parsers reads.

See https://docs.snowflake.com/en/sql-reference/commands-file
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from skills_nb.embedded import errors
from skills_nb.embedded.parser import stage_locations
from skills_nb.embedded.parser.bindings import constant
from skills_nb.embedded.parser.stage_locations import Location
from skills_nb.embedded.session.bound_values import Bindings
from skills_nb.embedded.session.bound_values import read as read_value
from skills_nb.sql.governance.ast import Name, Properties
from skills_nb.sql.governance.clauses import read_properties
from skills_nb.sql.governance.reader import Reader
from skills_nb.sql.tokens import TokenKind, literal, scan, unescape

_HEAD = re.compile(r"\s*(PUT|GET|LIST|LS|REMOVE|RM|COPY\s+INTO)\b", re.I)
_URL = re.compile(r"\s*(?:'((?:[^'\\]|''|\\.)*)'|(\S+))", re.S)
_BOUND_NAME = re.compile(r"\bIDENTIFIER\s*\(\s*\?", re.I)


@dataclass(frozen=True, slots=True)
class Put:
    """`PUT file://… @stage`."""

    source: str
    """Path on the client, perhaps with wildcards."""
    location: Location
    """Where the files go."""
    options: Properties
    """What stands behind the location, upper-cased keys."""


@dataclass(frozen=True, slots=True)
class Get:
    """`GET @stage file://…`."""

    location: Location
    """Where the files are."""
    target: str
    """Folder on the client."""
    options: Properties
    """What stands behind the folder, upper-cased keys."""


@dataclass(frozen=True, slots=True)
class ListFiles:
    """`LIST @stage`."""

    location: Location
    """The stage and the prefix of what is listed."""
    pattern: str | None
    """Regular expression over whole names; None for all."""


@dataclass(frozen=True, slots=True)
class RemoveFiles:
    """`REMOVE @stage`."""

    location: Location
    """The stage and the prefix of what goes."""
    pattern: str | None
    """Regular expression over whole names; None for all."""


@dataclass(frozen=True, slots=True)
class Load:
    """`COPY INTO table FROM …`."""

    table: Name
    columns: tuple[str, ...]
    """Stored names; empty for all."""
    location: Location | None
    """None where a query says it."""
    query: str | None
    """Source text of the SELECT in the parentheses; None where a location stands there."""
    options: Properties
    """FILE_FORMAT, ON_ERROR and their kin; upper-cased keys."""


@dataclass(frozen=True, slots=True)
class Unload:
    """`COPY INTO @stage FROM …`."""

    location: Location
    """Where the files go, and how their names begin."""
    query: str
    """`SELECT * FROM table` where a table was named."""
    options: Properties
    """FILE_FORMAT, HEADER and their kin; upper-cased keys."""


FileStatement = Put | Get | ListFiles | RemoveFiles | Load | Unload


def filled(text: str, bindings: Bindings) -> str:
    """Write bound values in the place of `?`; lists stay for the reader of an INSERT."""
    if not bindings or "?" not in text:
        return text
    out: list[str] = []
    number = 0
    for token in scan(text):
        if token.kind is TokenKind.SYMBOL and token.text == "?":
            number += 1
            out.append(_constant(number, bindings))
        else:
            out.append(token.text)
    return "".join(out)


def _constant(number: int, bindings: Bindings) -> str:
    bound = bindings.get(str(number))
    if bound is None:
        raise errors.unbound(str(number))
    if isinstance(bound.value, list):
        # No such statement takes a list: it is left for whoever reads the statement.
        return "?"
    if bound.kind == "TEXT" and bound.value is not None:
        return literal(read_value(bound.kind, bound.value))
    return constant(bound.kind, bound.value).sql("snowflake")


def binds_name(text: str) -> bool:
    """Tell whether a bound value names an object, so that parsers need it."""
    return _BOUND_NAME.search(text) is not None


def read(text: str, variables: Mapping[str, str]) -> FileStatement | None:
    """Read a statement about files; None for any other.

    Raises:
        SqlError: it begins as one and cannot be read (1003).
    """
    head = _HEAD.match(text)
    if head is None:
        return None
    rest = text[head.end() :].rstrip().rstrip(";")
    match head[1].upper().split()[0]:
        case "PUT":
            return _put(rest, variables)
        case "GET":
            return _get(rest, variables)
        case "LIST" | "LS":
            return ListFiles(*_listed(rest, variables))
        case "REMOVE" | "RM":
            return RemoveFiles(*_listed(rest, variables))
        case _:
            return _copy(rest, variables)


def _url(text: str) -> tuple[str, str]:
    found = _URL.match(text)
    written = "" if found is None else unescape(found[1]) if found[1] is not None else found[2]
    if found is None or not written.lower().startswith("file://"):
        raise errors.syntax(f"syntax error: a file:// URL is expected, unexpected '{written}'.")
    return unquote(written[len("file://") :]), text[found.end() :]


def _options(text: str, variables: Mapping[str, str], *allowed: str) -> Properties:
    reader = Reader(text, variables)
    found = read_properties(reader)
    reader.finish()
    for key in found:
        if key not in allowed:
            raise errors.invalid_property(f"invalid property '{key}'")
    return found


def _put(text: str, variables: Mapping[str, str]) -> Put:
    source, rest = _url(text)
    location, rest = stage_locations.take(rest)
    known = ("PARALLEL", "AUTO_COMPRESS", "SOURCE_COMPRESSION", "OVERWRITE")
    return Put(source, location, _options(rest, variables, *known))


def _get(text: str, variables: Mapping[str, str]) -> Get:
    location, rest = stage_locations.take(text)
    target, rest = _url(rest)
    return Get(location, target, _options(rest, variables, "PARALLEL", "PATTERN"))


def _listed(text: str, variables: Mapping[str, str]) -> tuple[Location, str | None]:
    location, rest = stage_locations.take(text)
    pattern = _options(rest, variables, "PATTERN").get("PATTERN")
    return location, str(pattern) if pattern is not None else None


# ---- COPY INTO


def _copy(text: str, variables: Mapping[str, str]) -> Load | Unload:
    if re.match(r"\s*'?@", text):
        return _unload(text, variables)
    if re.match(r"\s*'", text):
        raise errors.unsupported("COPY INTO an external location")
    reader = Reader(text, variables)
    table = reader.name()
    columns = reader.columns() if reader.at("(") else ()
    reader.expect("FROM")
    location, query, reader = _source(reader, variables)
    return Load(table, columns, location, query, _copied(reader))


def _source(
    reader: Reader, variables: Mapping[str, str]
) -> tuple[Location | None, str | None, Reader]:
    if reader.at("("):
        return None, reader.bracket(), reader
    location, rest = stage_locations.take(reader.sql[reader.token.start :])
    return location, None, Reader(rest, variables)


def _unload(text: str, variables: Mapping[str, str]) -> Unload:
    location, rest = stage_locations.take(text)
    reader = Reader(rest, variables)
    reader.expect("FROM")
    if reader.at("("):
        query = reader.bracket()
    else:
        start = reader.token.start
        reader.name()
        query = f"SELECT * FROM {rest[start : reader.token.start]}"
    if reader.at("PARTITION BY"):
        raise errors.unsupported("COPY INTO <location> PARTITION BY")
    return Unload(location, query, _copied(reader))


def _copied(reader: Reader) -> Properties:
    found = read_properties(reader)
    reader.finish()
    return found
