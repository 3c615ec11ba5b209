"""What is there no more of what a thread made: taken back, dropped, renamed, gone with its schema.

Room: sql. It is told by the thread's own statements; what others did is not known here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from skills_nb.model.events import CreatedObject
from skills_nb.model.state import PlaybookRun, ThreadState
from skills_nb.sql.identifiers import render_name
from skills_nb.sql.objects.changes import changes_of
from skills_nb.sql.objects.object_refs import Change

_CONTAINERS = frozenset({"database", "schema"})
_LIKE_TABLES = ("table", "view")
"""Ends of types that share their names: whatever drops one, the name is free."""


@dataclass(frozen=True, slots=True)
class _Turn:
    """From a statement on, something is there, or is not."""

    seq: int
    type: str
    fqn: str
    is_there: bool
    with_all_in_it: bool = False


class Losses:
    """What the statements of a thread leave of what it made."""

    def __init__(self, state: ThreadState) -> None:
        """Read the statements that succeeded, oldest first; a loop's are read once."""
        self._turns = tuple(_turns_in(state))

    def is_gone(self, made: CreatedObject, since: int) -> bool:
        """Return whether an object is there no more.

        Args:
            made: the object.
            since: the event after which it was made.
        """
        fqn = made.fqn or made.name
        is_there = True
        for turn in self._turns:
            if turn.seq <= since:
                continue
            if turn.fqn == fqn and _is_same(turn.type, made.type):
                is_there = turn.is_there
            elif turn.with_all_in_it and fqn.startswith(f"{turn.fqn}."):
                is_there = False
        return not is_there


def standing_of(
    losses: Losses, made: Iterable[CreatedObject], since: int
) -> tuple[CreatedObject, ...]:
    """Return the objects of a step that are still there.

    Args:
        losses: of the thread.
        made: what the step made.
        since: the event with which the step began.
    """
    return tuple(one for one in made if not losses.is_gone(one, since))


def _turns_in(state: ThreadState) -> Iterator[_Turn]:
    for record in state.statements:
        if record.status != "completed" or record.kind == "read":
            continue
        for change in _read_once(record.sql, *_where(state.run_of(record))):
            yield from _turns_of(change, record.seq)


@lru_cache(maxsize=4096)
def _read_once(sql: str, database: str | None, schema: str | None) -> tuple[Change, ...]:
    # A card is drawn after every event; each statement is parsed once.
    return changes_of(sql, database, schema)


def _where(run: PlaybookRun | None) -> tuple[str | None, str | None]:
    context = run.context if run is not None else None
    return (context.current_database, context.current_schema) if context else (None, None)


def _turns_of(change: Change, seq: int) -> Iterator[_Turn]:
    target, detail = change.target, change.detail or {}
    if target.facet or target.type == "column":
        return
    holds = target.type in _CONTAINERS
    if change.action == "create":
        yield _Turn(seq, target.type, target.fqn, True, holds and change.replaces)
    elif change.action == "drop":
        yield _Turn(seq, target.type, target.fqn, False, holds)
    elif change.action == "alter" and detail.get("action") == "rename":
        yield _Turn(seq, target.type, target.fqn, False, holds)
        yield _Turn(seq, target.type, _renamed(target.name, detail["to"]), True)


def _renamed(name: tuple[str, ...], to: str) -> str:
    """Return the full new name: a short one stays in its place."""
    return to if "." in to else ".".join(filter(None, (render_name(name[:-1]), to)))


def _is_same(one: str, other: str) -> bool:
    return one == other or (one.endswith(_LIKE_TABLES) and other.endswith(_LIKE_TABLES))
