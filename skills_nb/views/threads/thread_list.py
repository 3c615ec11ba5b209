"""All threads of a home, newest first.

Room: laws (views).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from skills_nb.views.sheets import blocks as b
from skills_nb.views.sheets.phrasing import plural

THREADS_A_PAGE = 50


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
    is_over: bool = False
    """Whether nothing of it is left to do."""


@dataclass(frozen=True, slots=True)
class ThreadList:
    """Threads, newest first."""

    rows: tuple[ThreadRow, ...]
    """Newest first."""
    notices: tuple[str, ...] = ()
    """What is wrong with their record."""
    total: int = 0
    """How many there are, on all pages."""
    page: int | None = None
    """Which page this is, from 1; None: all threads are here."""


def thread_list(
    documents: Iterable[Mapping[str, Any]],
    notices: tuple[str, ...] = (),
    *,
    page: int | None = None,
    total: int | None = None,
) -> ThreadList:
    """Return a list of threads.

    Args:
        documents: in the shape of `threads --json`.
        notices: what is wrong with their record.
        page: which page they are, from 1; None: all threads are here.
        total: how many there are on all pages; None: these.
    """
    rows = tuple(_row(document) for document in documents)
    return ThreadList(rows, notices, len(rows) if total is None else total, page)


def _row(document: Mapping[str, Any]) -> ThreadRow:
    pause = document.get("pause") or {}
    step = document.get("step")
    status = str(document["status"])
    is_over = status in ("completed", "failed")
    if document.get("stopped"):
        status = "stopped"
    return ThreadRow(
        name=str(document["thread_id"]),
        goal=str(document.get("goal") or ""),
        playbook=str(document.get("playbook") or ""),
        status=f"{status} at step {step}" if step and status != "completed" else status,
        is_over=is_over,
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
    left = [row.name for row in view.rows if not row.is_over]
    again = b.Command("Look at one:", f"show {view.rows[0].name}")
    if left:
        again = b.Command("Go on with one:", f"resume {left[0]}")
    older = _older(view)
    return b.Sheet(plural(view.total, "thread"), blocks=(*notices, table, *older, again))


def _older(view: ThreadList) -> tuple[b.Block, ...]:
    """Return how to see what is not on this page."""
    if view.page is None or len(view.rows) == view.total:
        return ()
    last = -(-view.total // THREADS_A_PAGE)
    if view.page == last:
        return ()
    said = f"Page {view.page} of {last}. Older ones:"
    return (b.Command(said, f"threads --page {view.page + 1}"),)
