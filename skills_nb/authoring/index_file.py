"""The skill index, rewritten from the files with its order and comments kept.

Room: authoring. Rows that agree with their files stay as they are, letter by letter; others are
written anew in place, new ones come last in their section, sorted. Writing twice is writing once.
Spec: Architecture > Discovery; Skill constraint 8.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from skills_nb.authoring.index_rows import LINKS, IndexRow, Rows
from skills_nb.authoring.workspace import INDEX
from skills_nb.errors import LibraryError
from skills_nb.model.documents import Data
from skills_nb.reading.yaml_data import parse_yaml

MAX_WIDTH = 100
"""Longer lists stand one item a line."""
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_/-]*\Z")
_WORDS = frozenset({"true", "false", "yes", "no", "on", "off", "null"})


@dataclass(frozen=True, slots=True)
class _Chunk:
    """Lines of the file that belong to one key."""

    key: str
    lead: tuple[str, ...]
    """Comments and blank lines right above it."""
    lines: tuple[str, ...]

    @property
    def comments(self) -> tuple[str, ...]:
        """Return the lines that are comments alone."""
        return tuple(line for line in self.lines if line.lstrip().startswith("#"))


def rewrite_index(text: str, rows: Rows, aliases: Mapping[str, str]) -> str:
    """Return the index's text with a row for every file and none without one.

    Raises:
        LibraryError: the present text is not an index that can be read.
    """
    data = _parsed(text)
    lines = tuple(text.rstrip("\n").split("\n"))
    written: list[str] = []
    for chunk in _chunks(lines, data, ()):
        written += chunk.lead
        if chunk.key in rows:
            written += _section(chunk, data, rows[chunk.key], aliases)
        else:
            written += chunk.lines
    for kind, wanted in rows.items():
        if wanted and kind not in data.value:
            written += ["", f"{kind}:", *_new_rows(kind, wanted)]
    return "\n".join(written).strip("\n") + "\n"


def _parsed(text: str) -> Data:
    data, problems = parse_yaml(text, INDEX)
    if problems or data is None or not isinstance(data.value, dict) or not data.value:
        raise LibraryError(
            f"{INDEX} cannot be read without doubt, so it is not rewritten",
            diagnostics=problems,
            hint="Repair it first: `lint` shows where.",
        )
    return data


def _chunks(lines: tuple[str, ...], data: Data, path: tuple[str, ...]) -> Iterator[_Chunk]:
    """Yield what belongs to each key of the mapping at `path`, `lines` being the whole file."""
    value: Any = data.value
    for key in path:
        value = value[key]
    keys = sorted(value, key=lambda key: data.key_place(*path, key).line)
    begins = [data.key_place(*path, key).line - 1 for key in keys]
    ends = [_lead_begin(lines, begin) for begin in begins[1:]] + [len(lines)]
    above = data.key_place(*path).line if path else 0
    for key, begin, end in zip(keys, begins, ends, strict=True):
        lead = max(_lead_begin(lines, begin), above)
        yield _Chunk(key, lines[lead if path else above : begin], lines[begin:end])
        above = end


def _lead_begin(lines: tuple[str, ...], begin: int) -> int:
    """Return where the comments and blank lines above a line begin."""
    while begin > 0 and (not lines[begin - 1].strip() or lines[begin - 1].lstrip()[0] == "#"):
        begin -= 1
    return begin


def _section(
    chunk: _Chunk, data: Data, wanted: Mapping[str, IndexRow], aliases: Mapping[str, str]
) -> list[str]:
    kind = chunk.key
    found = data.value[kind]
    table: Mapping[str, Any] = found if isinstance(found, dict) else {}
    new = _new_rows(kind, {name: row for name, row in wanted.items() if name not in table})
    if _is_block(data, kind, table):
        # Lines of the section keep their numbers, so that places in the file still hold.
        lines = ("",) * (data.key_place(kind).line - 1) + chunk.lines
        inner = _chunks(lines, data, (kind,))
        body = [line for row in inner for line in _row_lines(row, kind, table, wanted, aliases)]
        return [chunk.lines[0], *body, *new] if body or new else [f"{kind}: {{}}"]
    body = [line for name in table for line in _kept_row(kind, name, table, wanted, aliases)]
    if [*body, *new]:
        return [f"{kind}:", *chunk.comments, *body, *new]
    return list(chunk.lines) if not table else [f"{kind}: {{}}", *chunk.comments]


def _is_block(data: Data, kind: str, table: Mapping[str, Any]) -> bool:
    """Return whether every row of the section begins on a line of its own."""
    lines = [data.key_place(kind), *(data.key_place(kind, name) for name in table)]
    return len(table) > 0 and len({place.line for place in lines}) == len(lines)


def _row_lines(
    row: _Chunk,
    kind: str,
    table: Mapping[str, Any],
    wanted: Mapping[str, IndexRow],
    aliases: Mapping[str, str],
) -> list[str]:
    if row.key not in wanted:
        return []
    if _agrees(table[row.key], wanted[row.key], kind, aliases):
        return [*row.lead, *row.lines]
    links = _merged(table[row.key], wanted[row.key], kind)
    indent = row.lines[0][: len(row.lines[0]) - len(row.lines[0].lstrip())]
    is_flow = not any(line.lstrip().startswith("- ") for line in row.lines)
    return [*row.lead, *row.comments, *_written(kind, row.key, links, indent, is_flow=is_flow)]


def _kept_row(
    kind: str,
    name: str,
    table: Mapping[str, Any],
    wanted: Mapping[str, IndexRow],
    aliases: Mapping[str, str],
) -> list[str]:
    """Return a row that stood in a one-line section, on lines of its own."""
    if name not in wanted:
        return []
    row = wanted[name]
    if not row.is_readable:
        row = IndexRow(*_said(table[name], kind, aliases))
    return _written(kind, name, _merged(table[name], row, kind), "  ", is_flow=True)


def _agrees(value: Any, row: IndexRow, kind: str, aliases: Mapping[str, str]) -> bool:
    if not row.is_readable:
        return True
    raw = value.get("domain") if isinstance(value, dict) else None
    _, links = _said(value, kind, aliases)
    return raw == row.domain and set(links) == set(row.links)


def _said(value: Any, kind: str, aliases: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
    fields = value if isinstance(value, dict) else {}
    domain = str(fields.get("domain") or "")
    links = fields.get(LINKS.get(kind, ""))
    texts = tuple(each for each in links if isinstance(each, str)) if links else ()
    return aliases.get(domain, domain), texts


def _merged(value: Any, row: IndexRow, kind: str) -> IndexRow:
    """Return the row with its links in the order in which the index had them, new ones last."""
    _, listed = _said(value, kind, {})
    kept = [name for name in listed if name in row.links]
    return IndexRow(row.domain, tuple(dict.fromkeys([*kept, *row.links])))


def _new_rows(kind: str, wanted: Mapping[str, IndexRow]) -> list[str]:
    return [
        line
        for name in sorted(wanted)
        if wanted[name].is_readable
        for line in _written(kind, name, wanted[name], "  ", is_flow=kind != "routers")
    ]


def _written(kind: str, name: str, row: IndexRow, indent: str, *, is_flow: bool) -> list[str]:
    inner = indent + "  "
    lines = [f"{indent}{scalar(name)}:"]
    if row.domain:
        lines.append(f"{inner}domain: {scalar(row.domain)}")
    link = LINKS.get(kind)
    if link is not None:
        flow = f"{inner}{link}: [{', '.join(map(scalar, row.links))}]"
        if row.links and (not is_flow or len(flow) > MAX_WIDTH):
            lines += [f"{inner}{link}:", *(f"{inner}  - {scalar(each)}" for each in row.links)]
        else:
            lines.append(flow)
    return lines if len(lines) > 1 else [f"{indent}{scalar(name)}: {{}}"]


def scalar(text: str) -> str:
    """Return text as YAML reads it back, in quotes where it needs them."""
    if _PLAIN.match(text) and text.lower() not in _WORDS:
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
