"""Files of text as people have them: in what encoding, with what between the fields.

Room: commands (loads).
"""

from __future__ import annotations

import codecs
import csv
import io
from typing import TYPE_CHECKING

from skills_nb.commands.loads.tabled import Rejected, Tabled
from skills_nb.errors import UsageError

if TYPE_CHECKING:
    import _csv

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DELIMITERS = (",", ";", "\t", "|")
_SAMPLED_ROWS = 200
_LONGEST_FIELD = 2**31 - 1


def decoded(body: bytes, source: str) -> tuple[str, str]:
    """Return a file's text, and what a person should know of its encoding.

    Raises:
        UsageError: it is no text.
    """
    for mark, encoding in _MARKS:
        if body.startswith(mark):
            said = "" if encoding == "utf-8" else f"It was read as {encoding.upper()[:6]}."
            return _as(body[len(mark) :], encoding, source), said
    if len(body) > 1 and body[:2000].count(0) > len(body[:2000]) // 4:
        encoding = "utf-16-be" if body[0] == 0 else "utf-16-le"
        return _as(body, encoding, source), "It was read as UTF-16."
    if b"\0" in body:
        raise UsageError(f"{source} is no text file", hint="CSV, Parquet and JSON can be loaded")
    try:
        return body.decode("utf-8"), ""
    except UnicodeDecodeError:
        # Every byte is a character of it, so this cannot fail; whether it is right, eyes must say.
        said = "It is not UTF-8 and was read as Windows-1252 (Latin-1): look at its accents below."
        return body.decode("cp1252", "replace"), said


def _as(body: bytes, encoding: str, source: str) -> str:
    try:
        return body.decode(encoding)
    except UnicodeDecodeError as problem:
        raise UsageError(f"{source} cannot be read as {encoding.upper()}: {problem}") from problem


def read_delimited(body: bytes, source: str, *, has_header: bool = True) -> Tabled:
    """Read a CSV file, whatever stands between its fields.

    Raises:
        UsageError: it is no text, it is empty, or a quote is not closed.
    """
    text, said = decoded(body, source)
    if not text.strip():
        raise UsageError(f"{source} is empty", hint="nothing was created")
    mark = _delimiter(text)
    csv.field_size_limit(_LONGEST_FIELD)
    reader = _reader(text, mark)
    try:
        lines = [line for line in reader if line]
    except csv.Error as problem:
        raise UsageError(
            f"{source} cannot be read as CSV: near line {reader.line_num}, {problem}",
            hint="look for a quotation mark that is opened there and not closed",
        ) from problem
    notes = [said] if said else []
    if mark != ",":
        notes.append(f"Its fields are separated by {_CALLED[mark]}.")
    if has_header and _is_data(lines[0]):
        has_header = False
        notes.append("Its first line holds numbers only and was taken for data, not for names.")
    width = len(lines[0])
    names = tuple(lines[0]) if has_header else tuple(f"C{n}" for n in range(1, width + 1))
    return _tabled(source, names, lines[1:] if has_header else lines, tuple(notes))


_CALLED = {";": "semicolons", "\t": "tabs", "|": "bars"}


def _reader(text: str, mark: str) -> _csv.Reader:
    return csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)


def _tabled(
    source: str, names: tuple[str, ...], lines: list[list[str]], notes: tuple[str, ...]
) -> Tabled:
    rows, numbers, rejected = [], [], []
    for number, line in enumerate(lines, start=1):
        if len(line) == len(names):
            rows.append(tuple(value if value != "" else None for value in line))
            numbers.append(number)
            continue
        shown = ",".join(line)
        why = f"it has {len(line)} fields, and there are {len(names)} columns"
        rejected.append(Rejected(number, "", shown, why))
    return Tabled(source, names, tuple(rows), tuple(numbers), True, tuple(rejected), notes)


def _delimiter(text: str) -> str:
    """Return the sign by which most of the first lines fall into equally many fields."""

    def score(mark: str) -> tuple[int, int]:
        widths: list[int] = []
        try:
            for line in _reader(text[:200_000], mark):
                widths.append(len(line))
                if len(widths) == _SAMPLED_ROWS:
                    break
        except csv.Error:
            pass
        if not widths or widths[0] < 2:
            return (0, 0)
        return (sum(width == widths[0] for width in widths), widths[0])

    best = max(_DELIMITERS, key=score)
    return best if score(best) > (0, 0) else ","


def _is_data(line: list[str]) -> bool:
    """Tell whether a first line is numbers throughout, as no names are."""
    return all(_is_number(value) for value in line)


def _is_number(value: str) -> bool:
    try:
        float(value.strip().replace(",", "."))
    except ValueError:
        return False
    return "." in value or "," in value or not 1900 <= float(value) <= 2100  # years are names
