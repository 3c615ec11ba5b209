"""All threads of a home, newest first.

Room: laws (views).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from skills_nb.views.sheets import blocks as b
from skills_nb.views.sheets.phrasing import plural


@dataclass(frozen=True, slots=True)
class ThreadRow:
    """One thread."""

    name: str
    """The thread's id."""
    goal: str
    """The person's words."""
    playbook: str
    """What it goes through; empty where nothing is chosen yet."""
    status: str
    """Where it stands, in words, with the step that it is at."""
    waits_at: str
    """The pause, where one is open."""


@dataclass(frozen=True, slots=True)
class ThreadList:
    """Threads, newest first."""

    rows: tuple[ThreadRow, ...]
    """Newest first."""
    notices: tuple[str, ...] = ()
    """What is wrong with their record."""


def thread_list(
    documents: Iterable[Mapping[str, Any]], notices: tuple[str, ...] = ()
) -> ThreadList:
    """Return the list of threads, given in the shape of `threads --json`, and what is wrong."""
    return ThreadList(tuple(_row(document) for document in documents), notices)


def _row(document: Mapping[str, Any]) -> ThreadRow:
    pause = document.get("pause") or {}
    step = document.get("step")
    status = str(document["status"])
    return ThreadRow(
        name=str(document["thread_id"]),
        goal=str(document.get("goal") or ""),
        playbook=str(document.get("playbook") or ""),
        status=f"{status} at step {step}" if step and status != "completed" else status,
        waits_at=f"{pause['at']} ({pause['kind'].replace('_', ' ')})" if pause else "",
    )


def lay_out_threads(view: ThreadList) -> b.Sheet:
    """Return the blocks of the list."""
    notices = b.warnings(view.notices)
    if not view.rows:
        first = b.Command("Start one:", 'run "secure my data" --dry-run')
        return b.Sheet("No threads yet", blocks=(*notices, first))
    rows = tuple((r.name, r.status, r.waits_at, r.playbook, r.goal) for r in view.rows)
    columns = ("Thread", "Status", "Waits at", "Playbook", "Goal")
    table = b.Table(columns, rows, "Newest first", most_in_text=50)
    again = b.Command("Go on with one:", f"resume {view.rows[0].name}")
    return b.Sheet(plural(len(rows), "thread"), blocks=(*notices, table, again))
