"""What a thread made and changed, all its steps together, as its card tells it.

Room: laws (views). What came and went on the way is nobody's, and is not told.
"""

from __future__ import annotations

from skills_nb.model.modified_objects import merge_objects
from skills_nb.model.state import StepState, ThreadState
from skills_nb.sql.objects.losses import Losses, standing_of
from skills_nb.views.sheets.phrasing import in_words, without_facet
from skills_nb.views.threads.row_changes import rows_in_words
from skills_nb.views.threads.thread_runs import runs_of


def made_by(state: ThreadState) -> tuple[tuple[str, str, str], ...]:
    """Return what the thread made and did not take back."""
    steps = _steps_of(state)
    losses = Losses(state)
    return tuple(
        (before + step.id, in_words(made.type), without_facet(made.fqn or made.name))
        for before, step in steps
        for made in standing_of(losses, step.created, step.started_seq)
    )


def changed_by(state: ThreadState) -> tuple[tuple[str, str, str, str], ...]:
    """Return whose rows the thread changed, of each table what all steps together did.

    What the thread made and dropped again is not among them, nor a table that a statement was sent
    to and that has the same rows as before.
    """
    losses = Losses(state)
    steps = _steps_of(state)
    made = {o.fqn or o.name: (o, s.started_seq) for _, s in steps for o in s.created}
    gone = {name for name, (one, since) in made.items() if losses.is_gone(one, since)}
    written = [(p + s.id, m) for p, s in steps for m in s.modified if m.fqn not in gone]
    last = {m.fqn: step for step, m in written}
    return tuple(
        (last[m.fqn], in_words(m.type), m.fqn, rows_in_words(m.rows, m.rows_are, m.of, m.how))
        for m in merge_objects(m for _, m in written)
        if (m.rows, m.rows_are) != (0, "exact")
    )


def _steps_of(state: ThreadState) -> list[tuple[str, StepState]]:
    """Return the steps of all that the thread went through, each with what stands before its id."""
    return [(p, step) for p, run in runs_of(state) for step in run.steps.values()]
