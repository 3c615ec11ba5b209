"""Rows of staged files: bytes in, parsed rows out.

Room: embedded. Pure. A row that cannot be cut is a row with an error, so that a load may go on.
"""

from __future__ import annotations

import codecs
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.errors import files as wrong
from skills_nb.embedded.storage.files.compression import opened
from skills_nb.embedded.storage.files.formats import Format

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "b": "\b", "f": "\f"}


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a row cannot be loaded."""

    message: str
    """What is wrong, without file and line."""
    code: int
    """Snowflake's number."""
    sqlstate: str = "22000"
    """Five characters."""
    column: str | None = None
    """Name or place of the column; None where it is no column's."""


@dataclass(frozen=True, slots=True)
class ParsedRow:
    """One row of a file."""

    line: int
    """Line where it begins, from 1; the number of the document in a Parquet file."""
    values: tuple[Any, ...]
    """Texts of a CSV row, or one document."""
    trouble: Trouble | None = None
    """Why it does not fit; None where it does."""
    raw: str = ""
    """The row as it is in the file, for messages; empty where it is not text."""


def rows_of(body: bytes, name: str, form: Format) -> Iterator[ParsedRow]:
    """Read a file.

    Raises:
        SqlError: the file as a whole is not of this format.
    """
    if form.type == "PARQUET":
        return _parquet(body, name, form)
    plain = opened(body, name, form.compression)
    text = _decoded(plain, name, form)
    return _csv(text, form) if form.type == "CSV" else _json(text, form)


def _decoded(body: bytes, name: str, form: Format) -> str:
    try:
        encoding = codecs.lookup(form.encoding).name
    except LookupError:
        raise errors.unsupported(f"ENCODING = {form.encoding}") from None
    if form.skip_byte_order_mark and body.startswith(codecs.BOM_UTF8):
        body = body[3:]
    lenient = form.replace_invalid_characters or form.ignore_utf8_errors
    try:
        return body.decode(encoding, "replace" if lenient else "strict")
    except UnicodeDecodeError as error:
        raise wrong.broken_file(name, f"Invalid UTF8 detected in the file: {error.reason}") from (
            error
        )


# ---- CSV


def _csv(text: str, form: Format) -> Iterator[ParsedRow]:
    """Cut fields with one regular expression, record by record."""
    field = _field(form)
    position, line = 0, 1
    for _ in range(form.skip_header):
        position, line = _next_record(text, position, line, form)
    while position < len(text):
        start, values, trouble = position, [], None
        while trouble is None:
            found = field.match(text, position)
            if found is None:
                trouble = _stray(text, position, form)
                position = _record_end(text, position, form)
                break
            values.append(_value(found, form))
            position = found.end()
            if not form.field_delimiter or _end(found) != form.field_delimiter:
                break
        raw = text[start:position]
        if not (form.skip_blank_lines and not raw.strip()):
            yield ParsedRow(line, tuple(values), trouble, raw.rstrip("\r\n"))
        line += max(raw.count("\n"), 1)


def header_of(text_rows: Iterator[ParsedRow]) -> tuple[str, ...]:
    """Return the names in a file's first record."""
    first = next(text_rows, None)
    return tuple(str(v or "") for v in first.values) if first else ()


def _next_record(text: str, position: int, line: int, form: Format) -> tuple[int, int]:
    end = _record_end(text, position, form)
    return end, line + 1


def _record_end(text: str, position: int, form: Format) -> int:
    found = re.compile(_record(form)).search(text, position)
    return found.end() if found else len(text)


def _record(form: Format) -> str:
    if form.record_delimiter in ("", "\n"):
        return r"\r\n|\n|\r"
    return re.escape(form.record_delimiter)


def _field(form: Format) -> re.Pattern[str]:
    ends = [_record(form)]
    if form.field_delimiter:
        ends.insert(0, re.escape(form.field_delimiter))
    end = f"(?P<end>{'|'.join(ends)}|\\Z)"
    escape = re.escape(form.escape_unenclosed) if form.escape_unenclosed else ""
    step = f"(?:{escape}.|(?!{'|'.join(ends)}).)" if escape else f"(?:(?!{'|'.join(ends)}).)"
    plain = f"(?P<plain>{step}*)"
    if not form.enclosed_by:
        return re.compile(plain + end, re.S)
    quote = re.escape(form.enclosed_by)
    inner = f"(?:{quote}{quote}|[^{quote}])*"
    if form.escape:
        # An escape is one alternative's alone: two would double the ways with each escape.
        inner = f"(?:{re.escape(form.escape)}.|{quote}{quote}|[^{quote}{re.escape(form.escape)}])*"
    space = r"[ \t]*" if form.trim_space else ""
    return re.compile(
        f"(?:{space}{quote}(?P<quoted>{inner}){quote}{space}{end}|(?!{space}{quote}){plain}"
        f"{end.replace('end', 'end2')})",
        re.S,
    )


def _end(found: re.Match[str]) -> str:
    groups = found.groupdict()
    return str(groups.get("end") or groups.get("end2") or "")


def _value(found: re.Match[str], form: Format) -> str | None:
    return _Field(found, form).value()


class _Field:
    """One field as it stands in the file."""

    def __init__(self, found: re.Match[str], form: Format) -> None:
        self.quoted = found.groupdict().get("quoted")
        self.plain = found["plain"]
        self.form = form

    def value(self) -> str | None:
        form = self.form
        text = self.quoted if self.quoted is not None else self.plain or ""
        if form.trim_space and self.quoted is None:
            text = text.strip()
        if text in form.null_if:
            return None
        if self.quoted is not None:
            doubled = form.enclosed_by * 2
            text = text.replace(doubled, form.enclosed_by)
            return _unescaped(text, form.escape)
        if not text and form.empty_field_as_null:
            return None
        return _unescaped(text, form.escape or form.escape_unenclosed)


def _unescaped(text: str, escape: str) -> str:
    if not escape or escape not in text:
        return text
    return re.sub(f"{re.escape(escape)}(.)", lambda m: _ESCAPES.get(m[1], m[1]), text, flags=re.S)


def _stray(text: str, position: int, form: Format) -> Trouble:
    rest = text[position + 1 :]
    closing = rest.find(form.enclosed_by)
    if closing < 0:
        return Trouble("Found EOF while expecting a closing quote", 100077)
    after = rest[closing + 1 : closing + 2]
    return Trouble(
        f"Found character '{after}' instead of field delimiter '{form.field_delimiter}'", 100016
    )


# ---- JSON


def _json(text: str, form: Format) -> Iterator[ParsedRow]:
    twice: list[str] = []
    decoder = json.JSONDecoder(
        parse_float=Decimal, object_pairs_hook=lambda pairs: _object(pairs, twice)
    )
    position = _blank_end(text, 0)
    while position < len(text):
        line = text.count("\n", 0, position) + 1
        try:
            found, position = decoder.raw_decode(text, position)
        except json.JSONDecodeError as error:
            said = f"Error parsing JSON: {error.msg.lower()}"
            yield ParsedRow(line, (), Trouble(said, 100069, "22P02"), text[position:][:200])
            position = _blank_end(text, _line_end(text, position))
            continue
        if twice and not form.allow_duplicate:
            said = f'Error parsing JSON: duplicate object attribute "{twice[0]}"'
            yield ParsedRow(line, (), Trouble(said, 100069, "22P02"))
            twice.clear()
            position = _blank_end(text, position)
            continue
        documents = found if form.strip_outer_array and isinstance(found, list) else [found]
        for document in documents:
            yield ParsedRow(line, (_stripped(document, form),))
        position = _blank_end(text, position)


def _object(pairs: list[tuple[str, Any]], twice: list[str]) -> dict[str, Any]:
    """Make an object, of whose names the last ones count, and note names that come twice."""
    made = dict(pairs)
    if len(made) < len(pairs):
        listed = [name for name, _ in pairs]
        twice.append(next(name for name in listed if listed.count(name) > 1))
    return made


def _blank_end(text: str, position: int) -> int:
    found = re.compile(r"[\s,]*").match(text, position)
    return found.end() if found else position


def _line_end(text: str, position: int) -> int:
    end = text.find("\n", position)
    return len(text) if end < 0 else end + 1


def _stripped(document: Any, form: Format) -> Any:
    if not form.strip_null_values:
        return document
    if isinstance(document, dict):
        return {k: _stripped(v, form) for k, v in document.items() if v is not None}
    if isinstance(document, list):
        return [_stripped(v, form) for v in document if v is not None]
    return document


# ---- Parquet


def _parquet(body: bytes, name: str, form: Format) -> Iterator[ParsedRow]:
    table = parquet_table(body, name)
    try:
        listed = table.to_pylist()
    except ValueError as error:  # a moment that Python's own type cannot hold
        raise errors.unsupported("nanoseconds below a microsecond") from error
    for number, row in enumerate(listed, start=1):
        exact = {name: _all_digits(value) for name, value in row.items()}
        yield ParsedRow(number, (_readable(exact, form),))


def _all_digits(value: Any) -> Any:
    """Keep the digits that DuckDB rounds in a document, and those that it writes as 1e-9."""
    if not isinstance(value, Decimal):
        return value
    is_exact = len(value.as_tuple().digits) <= _EXACT_DIGITS and "E" not in str(value)
    return value if is_exact else format(value, "f")


_EXACT_DIGITS = 15
"""That every number of 64 bits keeps."""


def parquet_table(body: bytes, name: str) -> Any:
    """Read a Parquet file as an Arrow table.

    Raises:
        SqlError: the file is no Parquet file (100069).
    """
    import pyarrow  # type: ignore[import-untyped]
    from pyarrow import parquet

    try:
        return parquet.read_table(io.BytesIO(opened(body, name, "AUTO")))
    except (pyarrow.ArrowException, OSError) as error:
        said = f"Error parsing the parquet file: {str(error).splitlines()[0]}"
        raise wrong.broken_file(name, said) from error


def _readable(value: Any, form: Format) -> Any:
    match value:
        case dict():
            return {k: _readable(v, form) for k, v in value.items()}
        case list() | tuple():
            return [_readable(v, form) for v in value]
        case bytes():
            return value.decode("utf-8", "replace") if form.binary_as_text else value.hex().upper()
        case datetime():
            return value.isoformat(" ")
        case date() | time():
            return value.isoformat()
        case _:
            return value


def document_text(value: Any) -> str:
    """Write a document as JSON, its keys in order; decimals keep their digits."""
    match value:
        case dict():
            named = sorted((str(k), v) for k, v in value.items())
            pairs = (f"{json.dumps(k, ensure_ascii=False)}:{document_text(v)}" for k, v in named)
            return "{" + ",".join(pairs) + "}"
        case list():
            return "[" + ",".join(document_text(v) for v in value) + "]"
        case Decimal():
            return str(value)
        case _:
            return json.dumps(value, ensure_ascii=False, default=str)
