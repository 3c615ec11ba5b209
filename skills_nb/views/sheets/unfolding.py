"""What a terminal folds, unfolded: the SQL, or everything.

Room: laws (views).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

from skills_nb.views.sheets import blocks as b

How = Literal["", "sql", "all"]
"""What is unfolded: nothing, what holds SQL, or all that is folded or cut."""


def unfold_blocks(blocks: Sequence[b.Block], how: How) -> tuple[b.Block, ...]:
    """Return the blocks with what was asked for in the open, in the text form too."""
    if not how:
        return tuple(blocks)
    return tuple(one for block in blocks for one in _unfolded(block, how))


def _unfolded(block: b.Block, how: How) -> Iterator[b.Block]:
    if isinstance(block, b.Table) and how == "all":
        yield replace(block, most_in_text=len(block.rows), is_prose=True)
    elif isinstance(block, b.Log):
        yield from _log_in_full(block)
    elif isinstance(block, b.Fold):
        is_asked = how == "all" or _holds_sql(block)
        yield replace(
            block,
            blocks=unfold_blocks(block.blocks, how),
            is_open=block.is_open or is_asked,
            in_text=block.in_text or is_asked,
        )
    else:
        yield block


def _log_in_full(log: b.Log) -> Iterator[b.Block]:
    """Yield every event with the whole of its SQL, which a table has no room for."""
    for line in log.lines:
        told = (line.number, line.what, line.who and f"by {line.who}", line.note, line.detail)
        yield b.Paragraph(" · ".join(part for part in told if part))
        if line.code:
            yield b.Code(line.code)


def _holds_sql(block: b.Block) -> bool:
    if isinstance(block, b.Fold):
        return any(map(_holds_sql, block.blocks))
    return isinstance(block, b.Code)
