"""The statements that an approval lets through, whole.

Room: laws (views). Before a critical checkpoint, and where they are few, nothing is folded; a fold
says how many statements it holds and what shows them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from skills_nb.views.sheets import blocks as b
from skills_nb.views.sheets.phrasing import plural, sentence
from skills_nb.visible import visible, visible_lines

if TYPE_CHECKING:
    from skills_nb.model.ahead import Ahead

_FEW_LINES = 24
"""So many lines of SQL stand in the open at any checkpoint."""


@dataclass(frozen=True, slots=True)
class NextStep:
    """A step that comes with the approval."""

    step: str
    """Its id."""
    title: str
    """What the step does."""
    statements: tuple[str, ...]
    """Their SQL; the role that sends one stands above it."""
    is_open: bool = False
    """Whether what it sends rests on what a step before it finds."""


def next_steps(found: Sequence[Ahead]) -> tuple[NextStep, ...]:
    """Return the steps that come with an approval."""
    return tuple(
        NextStep(one.step, one.title, _statements(one.statements), one.is_open) for one in found
    )


def _statements(sent: Sequence[tuple[str | None, str]]) -> tuple[str, ...]:
    texts: list[str] = []
    before: str | None = None
    for role, sql in sent:
        closed = f"{sql.strip().rstrip(';')};"
        texts.append(f"-- as {visible(role)}\n{closed}" if role and role != before else closed)
        before = role
    return tuple(texts)


def next_blocks(steps: Sequence[NextStep], *, is_whole: bool) -> list[b.Block]:
    """Return the blocks of what comes with an approval.

    Args:
        steps: what comes.
        is_whole: whether nothing may be folded, as before what is critical.
    """
    lines = sum(text.count("\n") + 2 for step in steps for text in step.statements)
    in_open = is_whole or lines <= _FEW_LINES
    blocks = [_block(step, in_open=in_open) for step in steps if not step.is_open]
    unknown = [step.step for step in steps if step.is_open]
    if not unknown:
        return [*blocks]
    # What nobody could see is asked about again, after a phrase: see `approved_statements`.
    then = f" You see {'it' if len(unknown) == 1 else 'them'} before anything is changed."
    return [*blocks, b.Paragraph(_said(unknown) + (then if is_whole else ""))]


def _said(unknown: Sequence[str]) -> str:
    if len(unknown) == 1:
        return f"What step {unknown[0]} sends rests on what the steps before it find."
    named = f"{', '.join(unknown[:-1])} and {unknown[-1]}"
    return f"What steps {named} send rests on what the steps before them find."


def script_ahead(steps: Sequence[NextStep]) -> str:
    """Return what an approval lets through as one script, each step under its title.

    Of a step whose statements are not known yet, the script says so.
    """
    parts = []
    for step in steps:
        title = visible(" ".join(step.title.split()))
        head = f"-- Step {step.step}: {title}"
        told = ("-- rests on what the steps before it find",) if step.is_open else step.statements
        parts.append("\n\n".join((head, *map(visible_lines, told))))
    return "\n\n".join(parts) + "\n" if parts else ""


def _block(step: NextStep, *, in_open: bool) -> b.Block:
    title = f"Then step {step.step}, {sentence(step.title).rstrip('.')}"
    count = plural(len(step.statements), "statement")
    sql = b.Code("\n\n".join(step.statements), is_sql=True)
    return b.Fold(f"{title}: {count}", (sql,), in_open, in_open, command="status --sql")
