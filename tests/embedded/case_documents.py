"""Case documents: Snowflake statements in, rows or an error out, as Markdown.

A document begins with its topic, the manual's pages and the entries of the support table that it
covers; every `##` is one case:

    # Topic
    Manual: https://docs.snowflake.com/en/…
    Covers: CREATE PROJECTION POLICY, SHOW PROJECTION POLICIES

    ## A sentence that says the behaviour
    ```sql
    create …;
    select …;
    ```
    | A | B |
    |---|---|
    | 1 | NULL |

The last statement's answer is compared. Cells are text as Snowflake prints it: `NULL`, `true`,
`2024-01-31 10:11:12.000`, JSON without its layout; `\\n` and `\\|` stand for a line break and a
bar, `…` for any text. Instead of a table a case may have an `error` block: number, state in
parentheses, text; its line breaks are not compared. `Columns: "name", "owner"` compares these
columns alone; `Deviates: why` tells that a real account answers something else.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

CASES = Path(__file__).parent / "cases"
ANY = "…"
_BLOCK = re.compile(r"^```(sql|error)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_FIELD = re.compile(r"^(Manual|Covers|Columns|Deviates): *(.+)$", re.MULTILINE)
_BARS = re.compile(r"(?<!\\)\|")
_SEMI_STRUCTURED = (5, 9, 10)
"""The connector's numbers for VARIANT, OBJECT and ARRAY."""


@dataclass(frozen=True)
class Case:
    """One behaviour: statements, and what the last of them answers."""

    document: str
    """The document's name, without `.md`."""
    title: str
    sql: str
    header: tuple[str, ...] | None
    """Expected column names; None where an error is expected."""
    rows: tuple[tuple[str, ...], ...]
    error: str | None
    columns: tuple[str, ...] | None
    """The only columns to compare; None for all."""
    deviates: str | None

    @property
    def id(self) -> str:
        """Name the case in pytest's output."""
        return f"{self.document}: {self.title}"


@dataclass(frozen=True)
class Document:
    """One document with its cases."""

    path: Path
    manual: tuple[str, ...]
    covers: tuple[str, ...]
    cases: tuple[Case, ...]


def read(path: Path) -> Document:
    """Read one document; a malformed one is an assertion that says where."""
    head, *sections = re.split(r"^## +", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    fields = _fields(head)
    assert head.startswith("# "), f"{path.name}: no topic"
    assert fields.get("Manual"), f"{path.name}: no page of the manual"
    assert sections, f"{path.name}: no cases"
    covers = tuple(part.strip() for line in fields.get("Covers", ()) for part in line.split(", "))
    cases = tuple(_case(path.stem, section) for section in sections)
    return Document(path, tuple(fields["Manual"]), covers, cases)


def documents() -> tuple[Document, ...]:
    """Read all documents, by name."""
    return tuple(read(path) for path in sorted(CASES.glob("*.md")))


def _fields(text: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in _FIELD.findall(text):
        found.setdefault(name, []).append(value.strip())
    return found


def _case(document: str, section: str) -> Case:
    title, _, rest = section.partition("\n")
    blocks = dict(_BLOCK.findall(rest))
    outside = _BLOCK.sub("", rest)
    lines = [_cells(line) for line in outside.splitlines() if line.startswith("|")]
    where = f"{document}: {title}"
    assert "sql" in blocks, f"{where}: no statements"
    assert ("error" in blocks) != bool(lines), f"{where}: a table or an error, one of the two"
    fields = _fields(outside)
    columns = fields.get("Columns")
    return Case(
        document=document,
        title=title.strip(),
        sql=blocks["sql"],
        header=tuple(lines[0]) if lines else None,
        rows=tuple(tuple(cells) for cells in lines[2:]),
        error=on_one_line(blocks["error"]) if "error" in blocks else None,
        columns=tuple(re.findall(r'"([^"]+)"', columns[0])) if columns else None,
        deviates=fields.get("Deviates", [None])[0],
    )


def _cells(line: str) -> list[str]:
    parts = _BARS.split(line.strip())[1:-1]
    return [part.strip().replace("\\|", "|") for part in parts]


# ---- what an answer looks like


def on_one_line(text: str) -> str:
    """Write an error on one line: where it breaks its lines is nobody's business."""
    return " ".join(text.split())


def shown(value: Any, type_code: int) -> str:
    """Write one value of a cursor as Snowflake prints it."""
    if value is None:
        return "NULL"
    if type_code in _SEMI_STRUCTURED:
        return _json(value)
    return _WRITERS.get(type(value), str)(value).replace("\n", "\\n")


def _json(text: str) -> str:
    try:
        return json.dumps(json.loads(text), separators=(",", ":"), ensure_ascii=False)
    except ValueError:
        return text.replace("\n", "\\n")


def _boolean(value: bool) -> str:
    return "true" if value else "false"


def _float(value: float) -> str:
    return repr(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def _timestamp(value: datetime) -> str:
    text = value.isoformat(" ", "milliseconds")[:23]
    offset = value.utcoffset()
    return text if offset is None else f"{text} {_offset(offset)}"


def _offset(value: timedelta) -> str:
    minutes = int(value.total_seconds() // 60)
    sign = "-" if minutes < 0 else "+"
    return f"{sign}{abs(minutes) // 60:02d}{abs(minutes) % 60:02d}"


_WRITERS: dict[type, Any] = {
    bool: _boolean,
    float: _float,
    datetime: _timestamp,
    date: date.isoformat,
    time: lambda value: value.isoformat("seconds"),
    bytes: lambda value: value.hex().upper(),
    bytearray: lambda value: value.hex().upper(),
}


def fits(found: str, wanted: str) -> bool:
    """Tell whether a text is the expected one, `…` standing for anything."""
    if found == wanted or _json(wanted) == found:
        return True
    if ANY not in wanted:
        return False
    pattern = ".*".join(re.escape(part) for part in wanted.split(ANY))
    return re.fullmatch(pattern, found, re.DOTALL) is not None


def settled(
    case: Case, names: list[str], rows: list[list[str]]
) -> tuple[list[list[str]], list[list[str]]]:
    """Return found and expected as tables to compare with `==`, what fits made equal."""
    keep = [names.index(name) for name in case.columns] if case.columns else range(len(names))
    found = [[line[i] for i in keep] for line in [names, *rows]]
    wanted = [list(line) for line in [case.header or (), *case.rows]]
    for line, expected in zip(found, wanted, strict=False):
        for i, cell in enumerate(expected[: len(line)]):
            if fits(line[i], cell):
                line[i] = cell
    return found, wanted
