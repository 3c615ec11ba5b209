"""What a terminal folds, unfolded: the SQL, or everything.

Room: laws (views).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from skills_nb.views.sheets import blocks as b

How = Literal["", "sql", "all"]
"""What is unfolded: nothing, what holds SQL, or all that is folded or cut."""


def unfold_blocks(blocks: Sequence[b.Block], how: How) -> tuple[b.Block, ...]:
    """Return the blocks with what was asked for in the open, in the text form too."""
    return tuple(_unfolded(block, how) for block in blocks) if how else tuple(blocks)


def _unfolded(block: b.Block, how: How) -> b.Block:
    if isinstance(block, b.Table) and how == "all":
        return replace(block, most_in_text=len(block.rows))
    if not isinstance(block, b.Fold):
        return block
    is_asked = how == "all" or _holds_sql(block)
    inner = unfold_blocks(block.blocks, how)
    return replace(
        block,
        blocks=inner,
        is_open=block.is_open or is_asked,
        in_text=block.in_text or is_asked,
    )


def _holds_sql(block: b.Block) -> bool:
    if isinstance(block, b.Fold):
        return any(map(_holds_sql, block.blocks))
    return isinstance(block, b.Code)
