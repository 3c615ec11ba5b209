"""Markdown text to sections, fences, tables and prose, each with its line.

Room: reading. Blocks only: the inline pass of the parser is off, what stands in a paragraph stays
Markdown. The parser is imported with the first body, never when a library is opened.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from skills_nb.model.diagnostics import Diagnostic, Span
from skills_nb.model.documents import Allowance, Fence, Prose, Row, Section, Table
from skills_nb.reading.hiding_html import hiding_html

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_ALLOW = re.compile(
    r"(?<!`)<!--\s*lint:\s*allow\s+(SK\d{3})(?:\s+because\s+(.{0,400}?))?\s*-->", re.DOTALL
)
"""One that stands in a code span is shown, not given."""
_CLOSING = re.compile(r"[\s>]*(`{3,}|~{3,})\s*$")


@dataclass(frozen=True, slots=True)
class Body:
    """The blocks of one Markdown text."""

    sections: tuple[Section, ...] = ()
    """All levels, in file order."""
    fences: tuple[Fence, ...] = ()
    """In file order."""
    tables: tuple[Table, ...] = ()
    """In file order."""
    prose: tuple[Prose, ...] = ()
    """In file order."""
    allowances: tuple[Allowance, ...] = ()
    """In file order."""
    problems: tuple[Diagnostic, ...] = ()
    """Fences that are never closed, and the like."""


@dataclass(slots=True)
class _Collector:
    path: str
    lines: list[str]
    offset: int
    """Number of the line before the body's first."""
    headings: list[tuple[int, int, str]] = field(default_factory=list)
    fences: list[Fence] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    prose: list[Prose] = field(default_factory=list)
    problems: list[Diagnostic] = field(default_factory=list)


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.disable(["inline", "text_join"])
    return parser


def parse_markdown(text: str, path: str, first_line: int = 1) -> Body:
    """Return the blocks of a body whose first line is line `first_line` of its file."""
    collector = _Collector(path, text.split("\n"), first_line - 1)
    tokens = _parser().parse(text)
    _walk(collector, tokens)
    _mark_hidden(collector)
    return Body(
        sections=tuple(_sections(collector)),
        fences=tuple(collector.fences),
        tables=tuple(collector.tables),
        prose=tuple(collector.prose),
        allowances=tuple(_allowances(text, first_line)),
        problems=tuple(collector.problems),
    )


def _walk(collector: _Collector, tokens: Sequence[Token]) -> None:
    position, depth = 0, 0
    while position < len(tokens):
        token = tokens[position]
        if token.type == "heading_open" and token.level == 0:
            _add_heading(collector, token, tokens[position + 1])
        elif token.type == "fence":
            _add_fence(collector, token)
        elif token.type == "table_open":
            position = _add_table(collector, tokens, position)
        elif token.type == "inline" and tokens[position - 1].type == "paragraph_open":
            line = _lines_of(token)[0] + 1 + collector.offset
            collector.prose.append(Prose(token.content, line, depth > 0))
        depth += _list_change(token.type)
        position += 1


def _mark_hidden(collector: _Collector) -> None:
    """Note on the fences which of them a page may hide."""
    first = collector.offset + 1
    places = ((fence.line - first, fence.end - first + 1) for fence in collector.fences)
    hidden = hiding_html(collector.lines, places)
    if hidden:
        collector.fences = [
            replace(fence, within=hidden.get(fence.line - first, "")) for fence in collector.fences
        ]


def _list_change(kind: str) -> int:
    if kind in ("bullet_list_open", "ordered_list_open"):
        return 1
    return -1 if kind in ("bullet_list_close", "ordered_list_close") else 0


def _lines_of(token: Any) -> tuple[int, int]:
    """Return the first line and the one after the last, 0-based."""
    first, end = token.map or (0, 0)
    return first, end


def _add_heading(collector: _Collector, token: Token, inline: Token) -> None:
    line = _lines_of(token)[0] + 1 + collector.offset
    collector.headings.append((line, int(token.tag[1]), inline.content.strip()))


def _add_fence(collector: _Collector, token: Token) -> None:
    first, end = _lines_of(token)
    info = token.info.strip().split()
    opening = collector.lines[first]
    fence = Fence(
        language=info[0].lower() if info else "",
        text=token.content,
        line=first + 1 + collector.offset,
        end=end + collector.offset,
        column=_code_column(collector.lines, first, token.content),
        closed=_is_closed(collector.lines, first, end, token.markup),
    )
    collector.fences.append(fence)
    if not fence.closed:
        column = opening.find(token.markup) + 1
        collector.problems.append(
            Diagnostic(
                "SK013",
                Span(collector.path, fence.line, max(column, 1)),
                f"code block '{opening.strip()}' is never closed",
                f"Add a line '{token.markup}' after the code.",
            )
        )


def _is_closed(lines: list[str], first: int, end: int, markup: str) -> bool:
    if end - first < 2 or end > len(lines):
        return False
    closing = _CLOSING.match(lines[end - 1])
    return closing is not None and closing[1].startswith(markup)


def _code_column(lines: list[str], first: int, content: str) -> int:
    """Return the column at which code lines begin, from the first line of code that has text."""
    for number, code in enumerate(content.split("\n"), first + 1):
        if code.strip() and number < len(lines):
            found = lines[number].find(code)
            return found + 1 if found >= 0 else 1
    return 1


def _add_table(collector: _Collector, tokens: Sequence[Token], position: int) -> int:
    rows: list[Row] = []
    cells: list[str] = []
    line = 0
    while tokens[position].type != "table_close":
        token = tokens[position]
        if token.type == "tr_open":
            cells, line = [], _lines_of(token)[0] + 1 + collector.offset
        elif token.type == "inline":
            cells.append(token.content.strip())
        elif token.type == "tr_close":
            rows.append(Row(tuple(cells), line))
        position += 1
    if rows:
        collector.tables.append(Table(rows[0].cells, tuple(rows[1:]), rows[0].line))
    return position


def _sections(collector: _Collector) -> list[Section]:
    last = len(collector.lines) + collector.offset
    if collector.lines and not collector.lines[-1]:
        last -= 1
    sections = []
    for number, (line, level, title) in enumerate(collector.headings):
        end = max(_end_of(collector.headings, number, level, last), line)
        text = "\n".join(collector.lines[line - collector.offset : end - collector.offset])
        sections.append(Section(title, level, line, end, text.strip("\n")))
    return sections


def _end_of(headings: list[tuple[int, int, str]], number: int, level: int, last: int) -> int:
    for position in range(number + 1, len(headings)):
        if headings[position][1] <= level:
            return headings[position][0] - 1
    return last


def _allowances(text: str, first_line: int) -> list[Allowance]:
    if "lint:" not in text:
        return []
    return [
        Allowance(
            found[1],
            " ".join((found[2] or "").split()),
            text.count("\n", 0, found.start()) + first_line,
        )
        for found in _ALLOW.finditer(text)
    ]
