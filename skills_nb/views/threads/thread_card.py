"""A thread as a card: where it is, what waits for whom, what it made.

Room: laws (views). Everything shown comes from the state; nothing of it changes from one run of
the same thread to the next, so ids that were drawn at random are left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from skills_nb.ports import SeenRows
from skills_nb.views import account
from skills_nb.views.not_covered import not_covered_notices
from skills_nb.views.sheets import blocks as b
from skills_nb.views.sheets.phrasing import cell, in_words, sentence
from skills_nb.views.sheets.unfolding import How, unfold_blocks
from skills_nb.views.threads.chain_progress import ChainProgress, chain_blocks, chain_progress
from skills_nb.views.threads.cleanup_view import (
    CleanupView,
    aftermath,
    cleanup_blocks,
    cleanup_view,
)
from skills_nb.views.threads.decisions import (
    ENDINGS,
    ending_word,
    past_fold,
    verdict_of,
)
from skills_nb.views.threads.dry_run_impact import with_tree
from skills_nb.views.threads.dry_run_plan import DryRunPlan, dry_run_plan, plan_blocks
from skills_nb.views.threads.guided_plan import GuidedPlan, guided_blocks, guided_plan
from skills_nb.views.threads.next_steps import NextStep, next_blocks, next_steps
from skills_nb.views.threads.object_diff import Row, diff_blocks, rows_of_changes
from skills_nb.views.threads.pause_panel import PausePanel, pause_blocks, pause_panel
from skills_nb.views.threads.pictures import NO_PICTURES, Pictures, picture_blocks, pictures_of
from skills_nb.views.threads.refused_statements import refused_sql
from skills_nb.views.threads.row_samples import Sample, sample_blocks, samples_of
from skills_nb.views.threads.seen_rows_view import seen_blocks
from skills_nb.views.threads.step_lines import step_lines
from skills_nb.views.threads.thread_runs import context_of, planned_steps, runs_of

if TYPE_CHECKING:
    from skills_nb.model.ahead import Ahead
    from skills_nb.model.net_changes import NetChange
    from skills_nb.model.skills import Playbook
    from skills_nb.model.state import (
        Pause,
        PlaybookRun,
        ThreadState,
    )

_DRAWN = re.compile(r"thr_[0-9a-f]{12}")
"""An id that the id source drew; a name that a person gave looks otherwise."""


_BY_HAND = "To be run by you, in a terminal; nothing here runs it"


@dataclass(frozen=True, slots=True)
class ThreadCard:
    """A thread."""

    title: str
    """What it is about."""
    name: str
    """The name that a person gave it; empty for a drawn id."""
    status: str
    """Where it stands, in words."""
    tone: b.Tone
    """That of the status."""
    badge: str = ""
    """The account that it works on; empty where it has none yet."""
    is_production: bool = False
    """Whether people depend on that account."""
    chain: ChainProgress | None = None
    """How far its chain is, where it goes through one."""
    steps: tuple[b.StepLine, ...] = ()
    """Those of its playbook or plan, each with how far it is."""
    inputs: tuple[tuple[str, str], ...] = ()
    """(name, value), as text."""
    pause: PausePanel | None = None
    """What waits for an answer; None where nothing does."""
    plan: DryRunPlan | None = None
    """What its dry run found; None for a real run."""
    pictures: Pictures = NO_PICTURES
    """What it draws of a plan, or of what was done."""
    seen: tuple[SeenRows, ...] = ()
    """Rows as roles would see them; only a door that keeps nothing of what it shows adds them."""
    plan_as_tree: bool = False
    """Whether the plan's objects are shown by database and schema."""
    guided: GuidedPlan | None = None
    """The plan that is proposed, or was refused."""
    again: str = ""
    """What the last change of an input brought about, while it is gone through."""
    changes: tuple[tuple[str, str], ...] = ()
    """(inputs, what a change of them would bring about), where they may be changed."""
    passed: tuple[tuple[str, str], ...] = ()
    """(step, text) of the checkpoints that went on by themselves since a person last answered."""
    warnings: tuple[str, ...] = ()
    """What the probes warn of, where the pause does not say it."""
    not_covered: tuple[str, ...] = ()
    """Wishes that nothing of the thread meets."""
    limits: tuple[str, ...] = ()
    """What must not be done, as its person said."""
    samples: tuple[Sample, ...] = ()
    """Rows that steps found, for the decision at the pause."""
    objects: tuple[Row, ...] = ()
    """What a finished thread came to: (what happened, type, name, how)."""
    cleanup: CleanupView | None = None
    """What would be taken back, or what a cleanup left as it is."""
    ahead: tuple[NextStep, ...] = ()
    """The steps that an approval lets through, with the SQL that they send."""
    unfolds: How = ""
    """What is shown that a terminal folds."""
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
    past: tuple[b.Fold, ...] = ()
    """What was decided in this cell before, each with what it was decided on, oldest first."""
    is_moved: bool = False
    """Whether a later cell shows how it goes on."""
    has_buttons: bool = False
    """Whether controls beneath it carry the options."""

    @property
    def is_over(self) -> bool:
        """Return whether nothing of the thread is left to do."""
        return self.status.endswith(ENDINGS)


def thread_card(
    state: ThreadState,
    playbook: Playbook | None,
    pause: Pause | None,
    running: str | None = None,
    commands: tuple[str, ...] = (),
    ahead: Sequence[Ahead] = (),
    changes: tuple[tuple[str, str], ...] = (),
    came_to: Sequence[NetChange] = (),
    foretold: Mapping[str, Any] | None = None,
) -> ThreadCard:
    """Return the card of a thread.

    Args:
        state: the thread.
        playbook: the playbook it is in, if any.
        pause: what it waits for, if anything.
        running: what is being done right now, if anything; the pause is not shown then.
        commands: command lines of the step that waits, for its person to run.
        ahead: the steps that an approval lets through.
        changes: (inputs, what a change of them would bring about).
        came_to: what is not as it was before the thread.
        foretold: what the dry run before recorded of the plan, beside its objects.
    """
    name = "" if _DRAWN.fullmatch(state.thread_id) else state.thread_id
    run, context = state.run, context_of(state)
    waiting = None if running else pause
    panel = pause_panel(waiting, thread=name) if waiting else None
    is_dry = run is not None and run.mode == "dry_run"
    over = state.is_over
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
        pictures=pictures_of(state, waiting, foretold),
        guided=guided_plan(state.guided_plan, waiting),
        again=_again(run, waiting),
        changes=changes if panel and any(c.id == "modify" for c in panel.options) else (),
        passed=state.passed,
        warnings=_warnings(state, waiting),
        samples=samples_of(run, playbook, waiting),
        objects=rows_of_changes(came_to, _created(state), _changed(state)) if over else (),
        cleanup=cleanup_view(state, waiting),
        ahead=next_steps(ahead) if waiting else (),
        commands=commands if waiting else (),
        failed_sql=refused_sql(state, waiting),
        outcome=_outcome(state),
        not_covered=state.not_covered,
        limits=() if state.is_over else state.limits,
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
        word = ending_word(state)
    else:
        word = "stopped; it can go on"
    return f"dry run, {word}" if is_dry else word


def _tone(state: ThreadState, panel: PausePanel | None) -> b.Tone:
    if panel is not None:
        return panel.tone
    if state.status == "failed":
        return "plain" if state.was_stopped else "critical"
    is_done = state.status == "completed" and verdict_of(state.summary) is None
    return "ok" if is_done else "info"


def _inputs(run: PlaybookRun | None) -> tuple[tuple[str, str], ...]:
    given = run.inputs if run is not None else {}
    return tuple((in_words(k), cell(v)) for k, v in given.items() if v is not None)


def _plan(state: ThreadState, pause: Pause | None) -> DryRunPlan | None:
    if state.run is None or pause is None or pause.kind != "dry_run_summary":
        return None
    return dry_run_plan(planned_steps(state), state.run.summary)


def _again(run: PlaybookRun | None, pause: Pause | None) -> str:
    """Return what a change brought about; a cleanup that comes first says so itself."""
    if run is None or run.redoing is None or run.completed:
        return ""
    is_told = pause is not None and pause.kind in ("cleanup_proposed", "plan_proposed")
    return "" if is_told else run.redoing.said


def _warnings(state: ThreadState, pause: Pause | None) -> tuple[str, ...]:
    """Return what the probes warned of in all that the thread went through, each once.

    Once a run has changed something, it may no longer hold: it is told as of the start.
    """
    told = pause.warnings if pause is not None else ()
    past = {r.run_seq for r in state.statements if r.kind != "read" and r.status == "completed"}
    runs = [(run.started_seq in past, text) for _, run in runs_of(state) for text in run.warned]
    found = {text: f"At the start: {text}" if is_past else text for is_past, text in runs}
    return tuple(shown for text, shown in found.items() if text not in told)


def _created(state: ThreadState) -> tuple[tuple[str, str, str], ...]:
    from skills_nb.views.threads.net_effects import made_by

    return made_by(state)


def _changed(state: ThreadState) -> tuple[tuple[str, str, str, str], ...]:
    from skills_nb.views.threads.net_effects import changed_by

    return changed_by(state)


def _outcome(state: ThreadState) -> str:
    if not state.is_over:
        return ""
    said = state.summary if state.status == "completed" else sentence(state.failure)
    after = _aftermath(state)
    return f"{said.rstrip('.')}. {after}" if after else said


def _aftermath(state: ThreadState) -> str:
    """Return what became of the work of a thread that was cleaned up or has failed."""
    if state.aftermath is not None:
        return aftermath(state.aftermath)
    if state.status == "completed":
        return ""
    changed = any(r.kind != "read" and r.status == "completed" for r in state.statements)
    return "What it did was kept." if changed else "It had changed nothing."


# ---- laying out


def lay_out_thread(view: ThreadCard) -> b.Sheet:
    """Return the blocks of a thread."""
    status = f"{view.name}, {view.status}" if view.name else view.status
    phases = chain_blocks(view.chain) if view.chain else ()
    steps = (b.Steps(view.steps),) if view.steps and not view.is_moved else ()
    return b.Sheet(
        view.title,
        status,
        view.tone,
        view.badge,
        view.is_production,
        (*phases, *steps, *view.past, *unfold_blocks(_body(view), view.unfolds)),
    )


def as_past(view: ThreadCard, line: str) -> b.Fold:
    """Return what the card of a pause showed, folded beneath what was decided."""
    return past_fold(line, _body(replace(view, has_buttons=True)))


def moved_card(view: ThreadCard, past: tuple[b.Fold, ...]) -> ThreadCard:
    """Return the card of a cell whose thread goes on in a later one: what it showed stays."""
    status = "dry run, answered" if view.status.startswith("dry run") else "answered"
    return replace(view, status=status, tone="plain", pause=None, past=past, is_moved=True)


def _body(view: ThreadCard) -> list[b.Block]:
    if view.is_moved:
        return [b.Paragraph("It goes on in a later cell.", is_muted=True)]
    if view.running:
        return [b.Running(view.running, _named("resume", view))]
    left = not_covered_notices(view.not_covered, view.limits)
    return [*_findings(view), *_told(view), *_ending(view), *left, *_waiting(view)]


def _told(view: ThreadCard) -> list[b.Block]:
    """Return what a person has to have seen although nothing waited for it."""
    passed = [b.Notice("info", "INFO", _by_itself(step, text)) for step, text in view.passed]
    return [*passed, *b.warnings(view.warnings)]


def _by_itself(step: str, text: str) -> str:
    return f"Checkpoint after step {step}, which went on by itself\n{text}".rstrip()


def _findings(view: ThreadCard) -> list[b.Block]:
    blocks: list[b.Block] = [b.Notice("info", "AGAIN", view.again)] if view.again else []
    blocks += _planned(view.plan, as_tree=view.plan_as_tree) if view.plan else []
    blocks += picture_blocks(view.pictures) if view.pause is not None else []
    is_told = view.pause is not None and bool(view.pictures.access)
    blocks += seen_blocks(view.seen, is_told=is_told)
    blocks += guided_blocks(view.guided) if view.guided else []
    blocks += sample_blocks(view.samples)
    if view.cleanup is not None:
        blocks += cleanup_blocks(view.cleanup)
    if view.failed_sql:
        blocks.append(b.Code(view.failed_sql, "The statement that was refused", is_sql=True))
    return blocks


def _planned(plan: DryRunPlan, *, as_tree: bool) -> list[b.Block]:
    if not as_tree:
        return plan_blocks(plan)
    return with_tree(plan_blocks(replace(plan, objects=())), plan)


def _ending(view: ThreadCard) -> list[b.Block]:
    blocks: list[b.Block] = []
    if view.pause is not None:
        return blocks
    if view.outcome:
        word = {"ok": "DONE", "plain": "STOPPED"}.get(view.tone, "ENDED")
        word, text = verdict_of(view.outcome) or (word, view.outcome)
        blocks.append(b.Notice(view.tone, word, text))
    blocks += diff_blocks(view.objects, "What it changed", "Did")
    return [*blocks, *picture_blocks(view.pictures)]


def _waiting(view: ThreadCard) -> list[b.Block]:
    if view.pause is not None:
        shown: list[b.Block] = [b.Code(text, _BY_HAND) for text in view.commands]
        if view.caution:
            lead = f"{sentence(view.caution)}. See first what would happen:"
            shown.append(b.Command(lead, view.preview))
        is_critical = view.pause.tone == "critical"
        shown = [*next_blocks(view.ahead, is_whole=is_critical), *shown]
        if view.changes:
            table = b.Table(("Input", "What follows from a change of it"), view.changes, "Inputs")
            shown.append(b.Fold("What a change of an input does again", (table,)))
        return [*shown, *pause_blocks(view.pause, with_choices=not view.has_buttons)]
    if view.is_over:
        return [b.Command("Everything is on record:", _named("show", view))]
    return [b.Command("Go on with:", _named("resume", view))]


def _named(verb: str, view: ThreadCard) -> str:
    return f"{verb} {view.name}".rstrip()
