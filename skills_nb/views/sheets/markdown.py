"""The Markdown that skills are written in, as blocks: paragraphs, lists, tables, code.

Room: laws (views). It knows the constructs that the library uses; what it does not know stays
readable as a paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from skills_nb.views.sheets import blocks as b

_FENCE = re.compile(r"\s*(?:>\s*)*(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}(?=[^`]*$)|~{3,})(.*)$")
"""Backticks or tildes, also in a list or a quotation: what runs is shown as code."""
_ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+(.*)$")
_NUMBERED = re.compile(r"^\s*\d+[.)]\s")
_RULE = re.compile(r"^\s*\|?[\s:|-]+\|[\s:|-]*$")
_CELLS = re.compile(r"(?<!\\)\|")


def blocks_of(text: str) -> tuple[b.Block, ...]:
    """Return the blocks of a section's Markdown."""
    return tuple(_block(group) for group in _groups(text.strip("\n").split("\n")))


def _groups(lines: list[str]) -> Iterator[list[str]]:
    """Yield runs of lines that belong together: a fence, or lines without an empty one."""
    group: list[str] = []
    fence = ""
    for line in lines:
        mark = _FENCE.match(line)
        if fence:
            group.append(line)
            if mark and mark[1].startswith(fence) and not mark[2].strip():
                yield group
                group, fence = [], ""
        elif mark:
            if group:
                yield group
            group, fence = [line], mark[1]
        elif line.strip():
            group.append(line)
        elif group:
            yield group
            group = []
    if group:
        yield group


def _block(lines: list[str]) -> b.Block:
    fence = _FENCE.match(lines[0])
    if fence:
        end = _FENCE.match(lines[-1]) if len(lines) > 1 else None
        is_closed = end is not None and end[1].startswith(fence[1]) and not end[2].strip()
        return b.Code("\n".join(lines[1 : -1 if is_closed else None]))
    if len(lines) > 1 and "|" in lines[0] and _RULE.match(lines[1]):
        return _table(lines)
    if _ITEM.match(lines[0]):
        return b.Bullets(tuple(_items(lines)), is_numbered=bool(_NUMBERED.match(lines[0])))
    if lines[0].startswith("#"):
        heading = lines[0].lstrip("#").strip()
        rest = " ".join(lines[1:])
        return b.Paragraph(f"**{heading}** {rest}".strip())
    return b.Paragraph(" ".join(line.strip() for line in lines))


def _items(lines: list[str]) -> Iterator[str]:
    item = ""
    for line in lines:
        found = _ITEM.match(line)
        if found and item:
            yield item
        item = found[1] if found else f"{item} {line.strip()}"
    yield item


def _table(lines: list[str]) -> b.Table:
    columns = _cells(lines[0])
    rows = [_cells(line) for line in lines[2:]]
    fitted = tuple((*row, *[""] * len(columns))[: len(columns)] for row in rows)
    return b.Table(columns, fitted, "", most_in_text=len(rows), is_prose=True)


def _cells(line: str) -> tuple[str, ...]:
    inner = line.strip().removeprefix("|").removesuffix("|")
    return tuple(part.strip().replace("\\|", "|").replace("`", "") for part in _CELLS.split(inner))
