"""Blocks as plain text: aligned, no wider than asked, readable in any terminal.

Room: laws (views).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import assert_never

from skills_nb.views.sheets import blocks as b
from skills_nb.views.sheets.text_width import cut, pad, width, wrap, wrap_name
from skills_nb.views.sheets.visible_sheet import make_visible

_GAP = "  "
_NARROWEST = 6
"""Columns that a table's column keeps when space is short."""


def to_text(sheet: b.Sheet, columns: int, prompt: str) -> str:
    """Return the sheet as lines.

    Args:
        sheet: what to show.
        columns: the widest line.
        prompt: what commands are typed after: `%skill` or `skills-nb`.
    """
    sheet = make_visible(sheet)
    lines = list(_head(sheet, columns))
    last: b.Block | None = None
    for block in sheet.blocks:
        if lines and not _belongs(last, block):
            lines.append("")
        lines.extend(_block(block, columns, prompt))
        last = block
    return "\n".join(line.rstrip() for line in lines)


def _belongs(last: b.Block | None, block: b.Block) -> bool:
    """Return whether a block follows its predecessor without an empty line."""
    if isinstance(block, b.Fold):
        return isinstance(last, b.Fold) and not block.in_text
    return type(last) is type(block) and isinstance(block, b.Command | b.Notice)


def _head(sheet: b.Sheet, columns: int) -> Iterator[str]:
    if sheet.title:
        yield from wrap(f"{sheet.title} — {sheet.status}" if sheet.status else sheet.title, columns)
    if sheet.badge:
        yield from wrap(
            f"!! PRODUCTION !! {sheet.badge}" if sheet.is_loud else sheet.badge, columns
        )


def _block(block: b.Block, columns: int, prompt: str) -> Iterator[str]:
    match block:
        case b.Notice():
            yield from _hanging(f"{b.SIGNS[block.tone]} {block.word}", block.text, columns)
        case b.Paragraph():
            yield from wrap(block.text.replace("**", ""), columns)
        case b.Bullets():
            yield from _bullets(block, columns)
        case b.Facts():
            yield from _pairs(block.pairs, columns)
        case b.Steps():
            yield from _steps(block, columns)
        case b.Progress():
            yield f"{'■' * block.done}{'□' * (block.total - block.done)} {block.text}"
        case b.Table():
            yield from _table(block, columns)
        case b.Log():
            yield from _table(_log_table(block), columns)
        case b.Code():
            yield from [block.caption] if block.caption else []
            yield from (f"    {line}" for line in _lines_of(block.text))
        case b.Picture():
            yield from _lines_of(block.text)
        case b.Verbatim():
            yield from _lines_of(block.text)
        case b.Choices():
            yield from _pairs(tuple((c.id, c.description) for c in block.items), columns)
        case b.Command():
            yield f"{block.lead} {prompt} {block.words}"
        case b.Running():
            again = f", {prompt} {block.resume} goes on" if block.resume else ""
            yield f"▸ {block.what}; interrupt stops it{again}"
        case b.Fold():
            yield from _fold(block, columns, prompt)
        case _:
            assert_never(block)


def _lines_of(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []


def _hanging(head: str, text: str, columns: int) -> Iterator[str]:
    indent = width(head) + 2
    for position, line in enumerate(wrap(text, columns - indent)):
        yield (head + _GAP if position == 0 else " " * indent) + line


def _bullets(block: b.Bullets, columns: int) -> Iterator[str]:
    for number, item in enumerate(block.items, start=1):
        head = f"  {number}." if block.is_numbered else "  -"
        yield from _hanging(head, item.replace("**", ""), columns)


def _pairs(pairs: tuple[tuple[str, str], ...], columns: int) -> Iterator[str]:
    first = min(max((width(name) for name, _ in pairs), default=0), columns // 3)
    for name, text in pairs:
        if not text:
            yield f"  {name}"
        elif width(name) > first:
            yield f"  {name}"
            yield from (" " * (first + 4) + line for line in wrap(text, columns - first - 4))
        else:
            yield from _hanging("  " + pad(name, first), text, columns)


def _steps(block: b.Steps, columns: int) -> Iterator[str]:
    numbers = max((width(line.number) for line in block.lines), default=0)
    titles = max((width(line.title) for line in block.lines), default=0)
    room = columns - numbers - 7
    titles = min(titles, max(room * 5 // 10, 20))
    for line in block.lines:
        status = f"{line.status} · {line.detail}" if line.detail else line.status
        head = f"  {line.sign} {' ' * (numbers - width(line.number))}{line.number} "
        yield from _beside(head, wrap(line.title, titles), titles, status, columns)


def _beside(head: str, title: list[str], size: int, text: str, columns: int) -> Iterator[str]:
    """Yield a title of one or more lines, and a text beside it."""
    left = width(head)
    lines = wrap(text, columns - left - size - 2)
    for position, (one, other) in enumerate(zip_longest(title, lines, fillvalue="")):
        lead = head if position == 0 else " " * left
        yield f"{lead}{pad(one, size)}{_GAP}{other}"


def _table(block: b.Table, columns: int) -> Iterator[str]:
    yield from wrap(block.caption, columns) if block.caption else []
    shown = block.rows[: block.most_in_text]
    widths = _shrunk(_natural(block.columns, shown), columns - 2 - 2 * len(block.columns))
    yield from (f"  {line}" for line in _lines(block.columns, widths, is_prose=False))
    yield "  " + _GAP.join("─" * size for size in widths)
    for row in shown:
        yield from (f"  {line}" for line in _lines(row, widths, is_prose=block.is_prose))
    hidden = len(block.rows) - len(shown)
    if hidden:
        yield f"  … {hidden} more"
    if block.note:
        yield from (f"  {line}" for line in wrap(block.note, columns - 2))


def _log_table(block: b.Log) -> b.Table:
    rows = tuple((n.number, n.what, n.who, _log_detail(n)) for n in block.lines)
    return b.Table(("#", "Event", "By", "What"), rows, block.caption, most_in_text=len(rows))


def _log_detail(line: b.LogLine) -> str:
    return " · ".join(part for part in (line.note, line.detail) if part)


def _natural(columns: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> list[int]:
    return [
        max(width(name), *(width(row[at]) for row in rows), 1) if rows else max(width(name), 1)
        for at, name in enumerate(columns)
    ]


def _shrunk(widths: list[int], room: int) -> list[int]:
    """Return widths that fit: the widest column gives first."""
    sizes = list(widths)
    while sizes and sum(sizes) > room and max(sizes) > _NARROWEST:
        sizes[sizes.index(max(sizes))] -= 1
    return sizes


def _lines(cells: tuple[str, ...], widths: list[int], *, is_prose: bool) -> Iterator[str]:
    fitted = wrap if is_prose else wrap_name
    wrapped = [fitted(text, size) for text, size in zip(cells, widths, strict=True)]
    for line in zip_longest(*wrapped, fillvalue=""):
        # A sign of two columns does not fit into one: what is wider still is cut.
        pairs = zip(line, widths, strict=True)
        yield _GAP.join(pad(cut(text, size), size) for text, size in pairs)


def _fold(block: b.Fold, columns: int, prompt: str) -> Iterator[str]:
    if not block.in_text:
        shows = f" ({prompt} {block.command} shows it)" if block.command else ""
        yield from _hanging("  ▸", f"{block.summary}{shows}", columns)
        return
    yield block.summary
    yield "─" * min(width(block.summary), columns)
    for position, inner in enumerate(block.blocks):
        if position:
            yield ""
        yield from _block(inner, columns, prompt)
