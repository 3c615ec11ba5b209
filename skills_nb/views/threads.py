"""All threads of a home, newest first.

Room: laws (views).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from skills_nb.views import blocks as b
from skills_nb.views.words import plural


@dataclass(frozen=True, slots=True)
class ThreadRow:
    """One thread."""

    name: str
    goal: str
    playbook: str
    status: str
    waits_at: str
    """The pause, where one is open."""


@dataclass(frozen=True, slots=True)
class ThreadList:
    """Threads, newest first."""

    rows: tuple[ThreadRow, ...]


def thread_list(documents: Iterable[Mapping[str, Any]]) -> ThreadList:
    """Return the list of threads, given in the shape of `threads --json`."""
    return ThreadList(tuple(_row(document) for document in documents))


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
    if not view.rows:
        first = b.Command("Start one:", 'run "secure my data" --dry-run')
        return b.Sheet("No threads yet", blocks=(first,))
    rows = tuple((r.name, r.status, r.waits_at, r.playbook, r.goal) for r in view.rows)
    columns = ("Thread", "Status", "Waits at", "Playbook", "Goal")
    table = b.Table(columns, rows, "Newest first", most_in_text=50)
    again = b.Command("Go on with one:", f"resume {view.rows[0].name}")
    return b.Sheet(plural(len(rows), "thread"), blocks=(table, again))
