"""A thread as a card: where it is, what waits for whom, what it made.

Room: laws (views). Everything shown comes from the state; nothing of it changes from one run of
the same thread to the next, so ids that were drawn at random are left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from skills_nb.views import account
from skills_nb.views import blocks as b
from skills_nb.views.chain import (
    ChainProgress,
    chain_blocks,
    chain_progress,
    planned_in,
    runs_of,
)
from skills_nb.views.guided import GuidedPlan, guided_blocks, guided_plan
from skills_nb.views.impact import with_tree
from skills_nb.views.pause import PausePanel, pause_blocks, pause_panel
from skills_nb.views.plan import DryRunPlan, dry_run_plan, plan_blocks
from skills_nb.views.steps import step_lines
from skills_nb.views.words import cell, plural, sentence, spoken

if TYPE_CHECKING:
    from skills_nb.model.skills import Playbook
    from skills_nb.model.state import (
        AbortState,
        Pause,
        PlaybookRun,
        StatementRecord,
        ThreadState,
    )

_DRAWN = re.compile(r"thr_[0-9a-f]{12}")
"""An id that the id source drew; a name that a person gave looks otherwise."""
_MOST_SAMPLES = 2
_MOST_ROWS = 50


@dataclass(frozen=True, slots=True)
class Sample:
    """Rows that a step found, for the decision at its checkpoint."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    row_count: int
    shared: tuple[tuple[str, str], ...] = ()
    """Columns that have the same value in every row, said once."""


_BY_HAND = "To be run by you, in a terminal; nothing here runs it"


@dataclass(frozen=True, slots=True)
class ThreadCard:
    """A thread."""

    title: str
    name: str
    """The name that a person gave it; empty for a drawn id."""
    status: str
    tone: b.Tone
    badge: str = ""
    is_production: bool = False
    chain: ChainProgress | None = None
    """How far its chain is, where it goes through one."""
    steps: tuple[b.StepLine, ...] = ()
    inputs: tuple[tuple[str, str], ...] = ()
    pause: PausePanel | None = None
    plan: DryRunPlan | None = None
    plan_as_tree: bool = False
    """Whether the plan's objects are shown by database and schema."""
    guided: GuidedPlan | None = None
    """The plan that is proposed, or was refused."""
    samples: tuple[Sample, ...] = ()
    created: tuple[tuple[str, str, str], ...] = ()
    """(step, type, name) of what stands."""
    cleanup: tuple[tuple[str, str, str, str], ...] = ()
    """(step, type, name, SQL that takes it back)."""
    shows_cleanup: bool = False
    """Whether somebody asked to see the SQL before deciding."""
    commands: tuple[str, ...] = ()
    """What the person runs in a terminal at this step, before answering."""
    failed_sql: str = ""
    """The statement that the account refused."""
    outcome: str = ""
    """How it ended."""
    caution: str = ""
    """Why a dry run should have come first; empty where nothing says so."""
    preview: str = ""
    """The command that makes that dry run."""
    running: str = ""
    """What is being done right now."""
    is_moved: bool = False
    """Whether a later cell shows how it goes on."""
    has_buttons: bool = False
    """Whether controls beneath it carry the options."""


def thread_card(
    state: ThreadState,
    playbook: Playbook | None,
    pause: Pause | None,
    running: str | None = None,
    commands: tuple[str, ...] = (),
) -> ThreadCard:
    """Return the card of a thread.

    Args:
        state: the thread.
        playbook: the playbook it is in, if any.
        pause: what it waits for, if anything.
        running: what is being done right now, if anything; the pause is not shown then.
        commands: command lines of the step that waits, for its person to run.
    """
    name = "" if _DRAWN.fullmatch(state.thread_id) else state.thread_id
    run, context = state.run, account.context_of(state)
    waiting = None if running else pause
    panel = pause_panel(waiting, thread=name) if waiting else None
    is_dry = run is not None and run.mode == "dry_run"
    return ThreadCard(
        title=_title(state, playbook),
        name=name,
        status=_status(state, panel, running, is_dry=is_dry),
        tone=_tone(state, panel),
        badge=account.badge(context) if context else "",
        is_production=account.is_production(context) if context else False,
        chain=chain_progress(state, playbook),
        steps=step_lines(state, playbook, waiting, is_running=bool(running)),
        inputs=_inputs(run),
        pause=panel,
        plan=_plan(state, waiting),
        guided=guided_plan(state.guided_plan, waiting),
        samples=_samples(run, playbook, waiting),
        created=_created(state) if state.is_over else (),
        cleanup=_cleanup(state.abort, waiting),
        shows_cleanup=state.abort is not None and state.abort.detailed,
        commands=commands if waiting else (),
        failed_sql=_failed_sql(state, waiting),
        outcome=_outcome(state),
        running=running or "",
    )


def _title(state: ThreadState, playbook: Playbook | None) -> str:
    """Return what the thread is for: a chain is for more than the playbook that it is in."""
    if playbook is None or state.chain is not None:
        return sentence(state.goal)
    return playbook.title


def _status(
    state: ThreadState, panel: PausePanel | None, running: str | None, *, is_dry: bool
) -> str:
    if running:
        word = "running"
    elif panel is not None:
        word = "waiting for you"
    elif state.is_over:
        word = "done" if state.status == "completed" else "failed"
    else:
        word = "stopped; it can go on"
    return f"dry run, {word}" if is_dry else word


def _tone(state: ThreadState, panel: PausePanel | None) -> b.Tone:
    if panel is not None:
        return panel.tone
    if state.status == "failed":
        return "critical"
    return "ok" if state.status == "completed" else "info"


def _inputs(run: PlaybookRun | None) -> tuple[tuple[str, str], ...]:
    given = run.inputs if run is not None else {}
    return tuple((spoken(k), cell(v)) for k, v in given.items() if v is not None)


def _plan(state: ThreadState, pause: Pause | None) -> DryRunPlan | None:
    if state.run is None or pause is None or pause.kind != "dry_run_summary":
        return None
    return dry_run_plan(planned_in(state), state.run.summary)


def _samples(
    run: PlaybookRun | None, playbook: Playbook | None, pause: Pause | None
) -> tuple[Sample, ...]:
    """Return the rows found since the last checkpoint, the longest list first."""
    if run is None or playbook is None or pause is None or pause.kind != "checkpoint":
        return ()
    found: list[Sample] = []
    ids = [step.id for step in playbook.steps]
    here = ids.index(pause.step) if pause.step in ids else -1
    for step in reversed(playbook.steps[: here + 1]):
        if step.id != pause.step and step.checkpoint is not None:
            break
        for name, value in run.step(step.id).result.items():
            if (sample := _sample(name, value)) is not None:
                found.append(sample)
    return tuple(sorted(found, key=lambda sample: -sample.row_count)[:_MOST_SAMPLES])


def _sample(name: str, value: Any) -> Sample | None:
    is_rows = isinstance(value, list | tuple) and all(_is_flat(row) for row in value)
    if not is_rows or not value:
        return None
    shared = _shared(value)
    columns = tuple(str(column) for column in value[0] if column not in shared)
    rows = tuple(tuple(cell(row.get(c)) for c in columns) for row in value[:_MOST_ROWS])
    return Sample(spoken(name), columns, rows, len(value), tuple(shared.items()))


def _shared(rows: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return the columns that say the same in every row, where there are rows to compare."""
    if len(rows) < 2:
        return {}
    values = {column: {cell(row.get(column)) for row in rows} for column in rows[0]}
    same = {column: found.pop() for column, found in values.items() if len(found) == 1}
    return {} if len(same) == len(values) else same


def _is_flat(row: Any) -> bool:
    return isinstance(row, Mapping) and not any(
        isinstance(member, Mapping | list | tuple) for member in row.values()
    )


def _created(state: ThreadState) -> tuple[tuple[str, str, str], ...]:
    """Return what the thread made and did not take back."""
    steps = [(p, step) for p, run in runs_of(state) for step in run.steps.values()]
    made = [(p + s.id, spoken(m.type), m.fqn or m.name) for p, s in steps for m in s.created]
    undone = [r.sql for r in state.statements if r.kind == "compensation" and _is_done(r)]
    return tuple(
        row for row in made if not any(sql.rstrip("; ").endswith(row[2]) for sql in undone)
    )


def _is_done(record: StatementRecord) -> bool:
    return record.status == "completed"


def _cleanup(
    abort: AbortState | None, pause: Pause | None
) -> tuple[tuple[str, str, str, str], ...]:
    if abort is None or pause is None or pause.kind != "cleanup_proposed":
        return ()
    return tuple((o.created_in_step, spoken(o.type), o.name, o.compensation) for o in abort.orphans)


def _failed_sql(state: ThreadState, pause: Pause | None) -> str:
    """Return the newest statement or query that the account refused."""
    if pause is None or pause.kind != "error_escalated":
        return ""
    refused = [(s.seq, s.sql) for s in state.statements[-1:] if s.status in ("failed", "open")]
    refused += [(f.seq, f.query) for f in state.facts[-1:] if f.error is not None]
    return max(refused)[1] if refused else ""


def _outcome(state: ThreadState) -> str:
    if not state.is_over:
        return ""
    said = state.summary if state.status == "completed" else sentence(state.failure)
    after = _aftermath(state)
    return f"{said.rstrip('.')}. {after}" if after else said


def _aftermath(state: ThreadState) -> str:
    """Return what became of the work of a thread that was cleaned up or has failed."""
    undone = [record for record in state.statements if record.kind == "compensation"]
    if undone:
        is_whole = all(record.status == "completed" for record in undone)
        left = "Everything it did was taken back."
        return left if is_whole else "Not everything it did could be taken back."
    if state.status == "completed":
        return ""
    changed = any(r.kind != "read" and r.status == "completed" for r in state.statements)
    return "What it did was kept." if changed else "It had changed nothing."


# ---- laying out


def lay_out_thread(view: ThreadCard) -> b.Sheet:
    """Return the blocks of a thread."""
    status = f"{view.name}, {view.status}" if view.name else view.status
    phases = chain_blocks(view.chain) if view.chain else ()
    steps = (b.Steps(view.steps),) if view.steps else ()
    return b.Sheet(
        view.title,
        status,
        view.tone,
        view.badge,
        view.is_production,
        (*phases, *steps, *_body(view)),
    )


def _body(view: ThreadCard) -> list[b.Block]:
    if view.is_moved:
        return [b.Paragraph("It goes on in a later cell.", is_muted=True)]
    if view.running:
        return [b.Running(view.running, _named("resume", view))]
    return [*_findings(view), *_ending(view), *_waiting(view)]


def _findings(view: ThreadCard) -> list[b.Block]:
    blocks = _planned(view.plan, as_tree=view.plan_as_tree) if view.plan else []
    blocks += guided_blocks(view.guided) if view.guided else []
    for position, sample in enumerate(view.samples):
        caption = f"{sentence(sample.name)}: {plural(sample.row_count, 'row')}"
        table = b.Table(sample.columns, sample.rows, caption, _sample_note(sample))
        blocks.append(table if position == 0 else b.Fold(caption, (table,)))
    if view.cleanup:
        rows = tuple(row[:3] for row in view.cleanup)
        sql = b.Code("\n".join(f"{row[3]};" for row in view.cleanup))
        blocks.append(b.Table(("Step", "Type", "Object"), rows, "What would be taken back"))
        shown = view.shows_cleanup
        blocks.append(b.Fold("The SQL that takes it back", (sql,), is_open=shown, in_text=shown))
    if view.failed_sql:
        blocks.append(b.Code(view.failed_sql, "The statement that was refused"))
    return blocks


def _planned(plan: DryRunPlan, *, as_tree: bool) -> list[b.Block]:
    if not as_tree:
        return plan_blocks(plan)
    return with_tree(plan_blocks(replace(plan, objects=())), plan)


def _sample_note(sample: Sample) -> str:
    hidden = sample.row_count - len(sample.rows)
    same = ", ".join(f"{name} {value}" for name, value in sample.shared)
    notes = (f"{hidden} more" if hidden else "", f"In every row: {same}" if same else "")
    return ". ".join(note for note in notes if note)


def _ending(view: ThreadCard) -> list[b.Block]:
    blocks: list[b.Block] = []
    if view.pause is not None:
        return blocks
    if view.outcome:
        word = "DONE" if view.tone == "ok" else "ENDED"
        blocks.append(b.Notice(view.tone, word, view.outcome))
    if view.created:
        table = b.Table(("Step", "Type", "Object"), view.created, "Created", most_in_text=30)
        blocks.append(table)
    return blocks


def _waiting(view: ThreadCard) -> list[b.Block]:
    if view.pause is not None:
        shown: list[b.Block] = [b.Code(text, _BY_HAND) for text in view.commands]
        if view.caution:
            lead = f"{sentence(view.caution)}. See first what would happen:"
            shown.append(b.Command(lead, view.preview))
        return [*shown, *pause_blocks(view.pause, with_choices=not view.has_buttons)]
    if view.status.endswith(("done", "failed")):
        return [b.Command("Everything is on record:", _named("show", view))]
    return [b.Command("Go on with:", _named("resume", view))]


def _named(verb: str, view: ThreadCard) -> str:
    return f"{verb} {view.name}".rstrip()
