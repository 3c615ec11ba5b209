"""Everything that happened on a thread, one line an event.

Room: laws (views). The clock is left out, so that the same thread is the same text; `show --yaml`
has it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

from skills_nb.views import account
from skills_nb.views.sheets import blocks as b
from skills_nb.views.sheets.phrasing import cell, in_words, plural, sentence, without_facet
from skills_nb.views.threads.cleanup_view import aftermath
from skills_nb.views.threads.row_changes import changed_line
from skills_nb.views.threads.thread_runs import context_of

if TYPE_CHECKING:
    from skills_nb.model.events import Event
    from skills_nb.model.state import ThreadState

_LONGEST = 160
_GAPS = re.compile("[ \t\r\n]+")
"""What sets lines of SQL apart; other blanks are shown for what they are."""
PAGE = 500
"""Events that a page of a long timeline holds; a front end draws so many in no time."""


@dataclass(frozen=True, slots=True)
class TimelineRow:
    """One event."""

    seq: int
    """The event's number on the thread."""
    what: str
    """Its type as words."""
    detail: str
    """What happened."""
    who: str
    """Empty for the engine."""
    sql: str = ""
    """The whole statement that it sent, or query that it asked."""
    query_id: str = ""
    """Under which the account's query history has it."""


Kind = Literal["everything", "decisions", "statements", "steps", "trouble"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""What a timeline can be narrowed to."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """A thread's events, oldest first."""

    thread: str
    """Its id."""
    status: str
    """Where the thread stands, in words."""
    goal: str
    """The person's words."""
    rows: tuple[TimelineRow, ...]
    """Oldest first."""
    narrowed: str = ""
    """What it was narrowed to, in words; empty where every event is here."""
    with_ids: bool = True
    """Whether query ids are shown: the account draws them, so that no two runs share one."""
    part: str = ""
    """Which of the events are here, in words; empty where none are on other pages."""
    badge: str = ""
    """The account that the thread works on."""
    is_production: bool = False
    """Whether people depend on the account."""
    notices: tuple[str, ...] = ()
    """What is wrong with the record itself."""


def timeline(
    state: ThreadState, events: Iterable[Event], notices: tuple[str, ...] = ()
) -> Timeline:
    """Return the timeline of a thread, and what is wrong with its record."""
    found = {record.seq: record.query_id for record in state.statements}
    context = context_of(state)
    return Timeline(
        state.thread_id,
        state.status,
        state.goal,
        tuple(_row(event, found) for event in events),
        badge=account.badge(context) if context else "",
        is_production=account.is_production(context) if context else False,
        notices=notices,
    )


def _row(event: Event, query_ids: Mapping[int, str]) -> TimelineRow:
    who = "" if event.actor == "engine" else event.actor.removeprefix("human:")
    detail = _shortened(_detail(event))
    sql = str(getattr(event, "sql", "") or getattr(event, "query", "") or "").strip()
    query_id = getattr(event, "query_id", "") or query_ids.get(event.seq, "")
    return TimelineRow(event.seq, in_words(event.type), detail, who, sql, query_id)


_OF_KIND: Mapping[Kind, tuple[str, ...]] = {
    "everything": ("",),
    "decisions": ("human response", "input gathered", "plan ", "rerouted", "model answered"),
    "statements": ("statement ", "environment probed"),
    "steps": ("step ", "phase ", "checkpoint ", "playbook "),
    "trouble": (
        *("step failed", "statement failed", "statement lost", "error ", "plan rejected"),
        *("thread aborted", "thread taken", "validation ", "staleness ", "cleanup "),
    ),
}
"""How the words of an event's type begin, by kind."""


def narrow_timeline(view: Timeline, kind: Kind, words: str = "") -> Timeline:
    """Return the timeline with the events of a kind that hold every one of the words.

    Args:
        view: the whole timeline.
        kind: which events.
        words: what has to stand in them, in any case and order, their SQL included.
    """
    asked = words.casefold().split()
    if kind == "everything" and not asked:
        return view
    rows = tuple(row for row in view.rows if _is_of(row, kind) and _holds(row, asked))
    said = f"{kind} with “{' '.join(words.split())}”" if asked else kind
    return replace(view, rows=rows, narrowed=f"{said}, of {plural(len(view.rows), 'event')}")


def pages_of(view: Timeline) -> int:
    """Return how many pages a timeline has; one where it is empty."""
    return max(1, -(-len(view.rows) // PAGE))


def page_of(view: Timeline, number: int) -> Timeline:
    """Return one page of a timeline; a short one is its own page.

    Args:
        view: the timeline, be it narrowed or not.
        number: of the page, from 1; one that is not there counts as the nearest.
    """
    count = pages_of(view)
    if count == 1:
        return view
    first = (min(max(number, 1), count) - 1) * PAGE
    rows = view.rows[first : first + PAGE]
    part = f"events {first + 1} to {first + len(rows)} of {len(view.rows)}"
    return replace(view, rows=rows, part=part)


def _is_of(row: TimelineRow, kind: Kind) -> bool:
    is_refused = kind == "trouble" and row.detail.startswith("refused: ")
    return is_refused or row.what.startswith(_OF_KIND[kind])


def _holds(row: TimelineRow, words: list[str]) -> bool:
    text = f"{row.seq} {row.what} {row.who} {row.detail} {row.sql} {row.query_id}".casefold()
    return all(word in text for word in words)


def _shortened(text: str) -> str:
    line = _GAPS.sub(" ", text).strip(" ")
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"


def _detail(event: Any) -> str:
    tell = _DETAILS.get(event.type)
    return tell(event) if tell is not None else ""


def _named(*names: str) -> Callable[[Any], str]:
    """Return a teller that joins the values of some fields, as far as they are set."""

    def tell(event: Any) -> str:
        values = [getattr(event, name) for name in names]
        return ": ".join(_said(value) for value in values if value not in (None, "", [], {}))

    return tell


def _said(value: Any) -> str:
    return ", ".join(cell(v) for v in value) if isinstance(value, list | tuple) else cell(value)


def _step(*names: str) -> Callable[[Any], str]:
    rest = _named(*names)

    def tell(event: Any) -> str:
        step = getattr(event, "step", None) or getattr(event, "after_step", None)
        return " · ".join(part for part in (f"step {step}" if step else "", rest(event)) if part)

    return tell


def _found(event: Any) -> str:
    error = event.result.get("error")
    if isinstance(error, Mapping):
        return f"refused: {error.get('text')} ← {event.query}"
    return f"{plural(int(event.result.get('row_count', 0)), 'row')} ← {event.query}"


def _gathered(event: Any) -> str:
    """Tell an input; of a whole plan only what it is for."""
    if isinstance(event.value, Mapping) and isinstance(event.value.get("steps"), list):
        steps = plural(len(event.value["steps"]), "step")
        return f"{in_words(event.name)}: {event.value.get('goal')}, {steps}"
    return _named("name", "value")(event)


def _made(event: Any) -> str:
    made = ", ".join(
        f"{in_words(o.type)} {without_facet(o.fqn or o.name)}" for o in event.created_objects
    )
    parts = [f"step {event.step}", f"created {made}" if made else ""]
    parts += [f"changed {changed_line(one)}" for one in event.modified_objects]
    return " · ".join(part for part in parts if part)


def _planned(event: Any) -> str:
    parts = [f"step {event.step}", event.action]
    parts += [f"would change {changed_line(one)}" for one in event.would_modify]
    return " · ".join(part for part in parts if part)


def _probed(event: Any) -> str:
    if event.redoing is not None:
        return str(event.redoing.said)
    warned = f"warning: {' '.join(event.warnings)}" if event.warnings else ""
    blocked = "blocked" * event.blocked
    return " · ".join(p for p in (plural(len(event.results), "probe"), blocked, warned) if p)


def _ran(event: Any) -> str:
    rows = "" if event.row_count is None else plural(event.row_count, "row")
    return ", ".join(p for p in (rows, "found in the query history" * event.recovered) if p)


def _impact(event: Any) -> str:
    parts = (
        ("create", event.would_create),
        ("change", event.would_modify),
        ("drop", event.would_drop),
    )
    return "; ".join(
        f"would {verb} {len(found.get('objects') or [])}" for verb, found in parts if found
    )


_DETAILS: Mapping[str, Callable[[Any], str]] = {
    "thread_started": _named("goal"),
    "routed": _named("target", "mode"),
    "routing_ambiguous": lambda e: plural(len(e.top_candidates), "candidate"),
    "rerouted": _named("from_", "to", "reason"),
    "chain_started": _named("domains"),
    "phase_started": _named("domain"),
    "phase_completed": _named("domain"),
    "context_mapped": lambda e: plural(len(e.mappings), "mapping"),
    "playbook_started": _named("playbook", "mode"),
    "input_gathered": _gathered,
    "environment_probed": _found,
    "probes_executed": _probed,
    "probe_checkpoint": _named("warnings"),
    "step_started": _step("primitive"),
    "step_completed": _made,
    "step_failed": _step("error"),
    "step_skipped": _step("reason"),
    "step_planned": _planned,
    "checkpoint_reached": _step("severity", "present"),
    "human_response": _named("at", "choice", "comment"),
    "error_escalated": _step("error"),
    "dry_run_summary": _impact,
    "plan_proposed": lambda e: f"{e.goal}: {plural(len(e.steps), 'step')}",
    "plan_rejected": _named("reason", "message"),
    "plan_approved": lambda e: "with changes" if e.modifications else "",
    "staleness_warning": _named("primitive", "message"),
    "validation_error": _named("check", "message"),
    "cleanup_proposed": lambda e: plural(len(e.compensation_actions), "statement"),
    "cleanup_executed": aftermath,
    "playbook_completed": _named("playbook", "summary"),
    "phase_summary": _named("domain", "status"),
    "thread_completed": _named("summary"),
    "thread_aborted": _named("reason", "cleanup_status"),
    "statement_started": _step("sql"),
    "statement_submitted": lambda e: "",
    "statement_completed": _ran,
    "statement_failed": lambda e: e.error.text,
    "statement_lost": lambda e: "it did not run; it may be sent again",
    "thread_taken_over": lambda e: f"epoch {e.epoch}",
    "model_answered": _named("joint", "answer"),
}
"""How each event type tells its story; `tests/views` holds this and the union together."""


def lay_out_timeline(view: Timeline) -> b.Sheet:
    """Return the blocks of a timeline."""
    lines = tuple(_line(row, with_ids=view.with_ids) for row in view.rows)
    count = sentence(view.part) or plural(len(lines), "event")
    about = f": {view.narrowed}" if view.narrowed else f" for the goal “{view.goal}”"
    caption = f"{count}{about}, oldest first"
    return b.Sheet(
        f"Thread {view.thread}",
        view.status,
        badge=view.badge,
        is_loud=view.is_production,
        blocks=(*b.warnings(view.notices), b.Log(lines, caption)),
    )


def _line(row: TimelineRow, *, with_ids: bool) -> b.LogLine:
    note = f"query {row.query_id}" if row.query_id and with_ids else ""
    return b.LogLine(str(row.seq), row.what, row.who, row.detail, row.sql, note)
