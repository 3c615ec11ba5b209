"""A cleanup: what would be taken back, with its SQL in full, what stays, and what became of it.

Room: laws (views). Nothing is said to be taken back that was not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from skills_nb.views.sheets import blocks as b
from skills_nb.views.sheets.phrasing import in_words, plural, sentence

if TYPE_CHECKING:
    from skills_nb.model.events import CleanupExecuted, Untouched
    from skills_nb.model.state import Pause, ThreadState


@dataclass(frozen=True, slots=True)
class CleanupView:
    """What a cleanup is about, or what became of it."""

    rows: tuple[tuple[str, str, str], ...] = ()
    """(step, type, name) of what would be taken back."""
    sql: str = ""
    """Every statement that would run, in order."""
    stays: tuple[tuple[str, str], ...] = ()
    """(name, why) of what is left as it is."""


def cleanup_view(state: ThreadState, pause: Pause | None) -> CleanupView | None:
    """Return what waits to be taken back or, once that was done, what was left; None: neither."""
    abort = state.abort
    if abort is not None and pause is not None and pause.kind == "cleanup_proposed":
        return CleanupView(
            tuple((o.created_in_step, in_words(o.type), o.name) for o in abort.orphans),
            "\n".join(f"{o.compensation.rstrip('; ')};" for o in abort.orphans),
            _stays((*abort.left_alone, *abort.not_restorable)),
        )
    done = state.aftermath
    if done is None:
        return None
    stays = _stays((*done.left_alone, *done.not_restorable))
    return CleanupView(stays=stays) if stays else None


def _stays(found: Sequence[Untouched]) -> tuple[tuple[str, str], ...]:
    return tuple((one.fqn, sentence(one.why)) for one in found)


def cleanup_blocks(view: CleanupView) -> list[b.Block]:
    """Return the blocks of a cleanup."""
    blocks: list[b.Block] = []
    if view.rows:
        columns, said = ("Step", "Type", "Object"), "What would be taken back"
        blocks.append(b.Table(columns, view.rows, said, most_in_text=len(view.rows), is_prose=True))
        # Nothing is dropped that nobody saw: this is never folded.
        sql = b.Code(view.sql, is_sql=True)
        blocks.append(b.Fold("The SQL that takes it back", (sql,), is_open=True, in_text=True))
    if view.stays:
        said, count = "What stays as it is", len(view.stays)
        stays = b.Table(("Object", "Why"), view.stays, said, most_in_text=count, is_prose=True)
        blocks.append(stays)
    return blocks


def aftermath(done: CleanupExecuted) -> str:
    """Return in a sentence or two what a cleanup did, and what it did not."""
    told = [f"Taken back with {plural(len(done.cleaned), 'statement')}."] if done.cleaned else []
    if done.failed:
        told.append(f"Cleanup stopped: the account refused {done.failed[0]}.")
    kept = len(done.left_alone) + len(done.not_restorable)
    if kept:
        verb = "stays as it is" if kept == 1 else "stay as they are"
        told.append(f"{plural(kept, 'object')} {verb}.")
    if not told:
        return "There was nothing to take back."
    if not done.failed and not kept:
        return f"What it did was taken back, with {plural(len(done.cleaned), 'statement')}."
    return " ".join(told)
