"""Where the statements of a playbook stand: which database and schema short names in them mean.

Room: laws. Rules of this file:
- What a step's short names mean follows from where its playbook began and from what the steps
  before it say (USE, CREATE SCHEMA), never from what somebody does to the session meanwhile.
- Where a playbook moves its session, they are written in full before anything is shown or sent, so
  that what is approved, sent and taken back is the same object. A playbook that stays where it
  began is kept there, and says what its author wrote.
Source: Snowflake manual, "Object name resolution".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from skills_nb.errors import UsageError
from skills_nb.model.skills import Playbook, Step
from skills_nb.model.state import PlaybookRun, StatementRecord, ThreadState
from skills_nb.sql.objects.object_refs import Place
from skills_nb.sql.qualifying import StatementInFull, in_full, place_behind
from skills_nb.sql.tokens import leading_tokens

_MOVING = frozenset({"USE", "CREATE", "DROP"})
_NOWHERE = Place(None, None)
_WORD = re.compile(r"\w+")
_USED = re.compile(r"\bUSE\b(?!\s+(?:ROLE|SECONDARY|WAREHOUSE)\b)", re.IGNORECASE)
_CALLED = re.compile(r"\b(?:CALL|EXECUTE)\b", re.IGNORECASE)
_CALLED_BEFORE = re.compile(r"\b(?:CALL|EXECUTE)\b.*;\s*\S", re.IGNORECASE | re.DOTALL)


def where_now(run: PlaybookRun | None) -> Place:
    """Return where the statements of a run have brought its session by now."""
    if run is None:
        return _NOWHERE
    return Place(*list(run.moves.values())[-1]) if run.moves else where_begun(run)


def where_begun(run: PlaybookRun | None) -> Place:
    """Return where a run began."""
    context = run.context if run is not None else None
    return Place(context.current_database, context.current_schema) if context else _NOWHERE


def where_of(state: ThreadState, record: StatementRecord) -> Place:
    """Return where the session stood when a recorded statement was sent."""
    return where_begun(state.run_of(record)) if record.place is None else Place(*record.place)


def place_in(run: PlaybookRun | None) -> tuple[str | None, str | None] | None:
    """Return what a record keeps of where it was sent; None where that is where its run began."""
    if run is None or not run.moves:
        return None
    place = where_now(run)
    return (place.database, place.schema)


def moved_by(run: PlaybookRun, record: StatementRecord) -> PlaybookRun:
    """Return the run behind a statement that succeeded, which may have moved its session."""
    if leading_tokens(record.sql, 1)[0].word not in _MOVING:
        return run
    before = where_now(run)
    behind = place_behind(record.sql, before)
    if behind == before:
        return run
    others = {step: place for step, place in run.moves.items() if step != record.step}
    return replace(run, moves={**others, record.step: (behind.database, behind.schema)})


def where_before(run: PlaybookRun, playbook: Playbook, step: str) -> Place:
    """Return where a step begins: where the steps that stand before it in the playbook lead."""
    ids = [one.id for one in playbook.steps]
    for earlier in reversed(ids[: ids.index(step)] if step in ids else ids):
        if moves := list(_moves_at(run, earlier, ids)):
            return moves[-1]
    return where_begun(run)


def _moves_at(run: PlaybookRun, step: str, ids: list[str]) -> Iterator[Place]:
    """Yield where a step and the sub-steps that a person added to it have led, oldest first."""
    for moved, place in run.moves.items():
        is_by_hand = moved not in ids and moved.removeprefix(step).isalpha() and moved > step
        if moved == step or (is_by_hand and moved.startswith(step)):
            yield Place(*place)


@dataclass(frozen=True, slots=True)
class StepStart:
    """Where a step begins."""

    place: Place
    """The current database and schema there."""
    stands: bool
    """Whether its session surely stands there when it does."""


def start_of(run: PlaybookRun, playbook: Playbook, step: str) -> StepStart | None:
    """Return where a step begins; None where names are sent as they are written.

    A plan was proposed in full, and a playbook that stays where it began is kept there. A statement
    that moves the session counts wherever it stands, since steps are done again; what is called
    counts for what comes behind it.
    """
    if playbook.is_plan:
        return None
    ids = [one.id for one in playbook.steps]
    before = playbook.steps[: ids.index(step)] if step in ids else playbook.steps
    is_moved = bool(run.moves) or any(map(may_move, _texts(playbook.steps)))
    is_moved = is_moved or any(map(_CALLED.search, _texts(before)))
    mine = [one for one in playbook.steps if one.id == step]
    if not is_moved and not any(map(_CALLED_BEFORE.search, _texts(mine))):
        return None
    return StepStart(where_before(run, playbook, step), stands=not is_moved)


def _texts(steps: Iterable[Step]) -> Iterator[str]:
    return (block.text for step in steps for block in step.sql)


@lru_cache(maxsize=512)
def may_move(sql: str) -> bool:
    """Return whether a template may hold a statement that moves its session; in doubt it may."""
    words = set(_WORD.findall(sql.upper()))
    is_container = bool(words & {"DATABASE", "SCHEMA"}) and bool(words & {"CREATE", "DROP"})
    return is_container or _USED.search(sql) is not None


def written_in_full(text: str, start: StepStart, step: str) -> tuple[StatementInFull, ...]:
    """Return the statements of a step's text with their names in full.

    Raises:
        UsageError: a name is short, and there is no current schema to look it up in.
    """
    found = in_full(text, start.place, stands=start.stands)
    for one in found:
        if one.lacking and not one.reads:
            raise _homeless(step, one)
    return found


def _homeless(step: str, one: StatementInFull) -> UsageError:
    lacking = "schema" if one.place.database else "database"
    return UsageError(
        f"step {step} names {one.lacking[0]}, and the session has no current {lacking} "
        "to look it up in",
        hint=f"write it as DATABASE.SCHEMA.{one.lacking[0]}, or begin the step with USE SCHEMA",
    )
