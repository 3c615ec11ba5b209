"""A rehearsal of each playbook on the messy account tells what the run then does, in plain words.

Nothing is told in the words for an error that nobody foresaw, and a calm run asks five times at
most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from skills_nb.commands.wiring import shipped_library
from skills_nb.embedded.catalog.difference import difference_of
from skills_nb.engine.error_diagnosis import UNKNOWN
from skills_nb.model.events import DryRunSummary
from skills_nb.runtime.rehearsal.estimates import computes
from tests.library.messy.test_every_playbook import Mess, changes, mess
from tests.library.messy.wishes import COMPLETED, WISHES, Wish

_MOST_PAUSES = 5
_FREE = "none: statements on the catalog alone need no warehouse"
_OF = {
    wish.playbook: name
    for name, wish in reversed(WISHES.items())
    if wish.ends == COMPLETED and not wish.skipped
} | {"clone-environment": "copy of quoted names"}
"""The first wish of each playbook that it grants."""
_SAID = (("would_create", "created"), ("would_modify", "modified"), ("would_drop", "dropped"))


def test_each_playbook_is_rehearsed() -> None:
    shipped = {path.name for path in (shipped_library() / "playbooks").iterdir()}
    assert set(_OF) == shipped


@pytest.mark.slow
@pytest.mark.parametrize("name", _OF.values(), ids=list(_OF))
def test_a_rehearsal_tells_what_the_run_does_and_a_calm_run_asks_five_times(
    name: str, tmp_path: Path
) -> None:
    wish = WISHES[name]
    with mess(wish, tmp_path) as work:
        summary = _rehearsed(work, wish)
        assert changes(work.begun, work.look()) == []
        before = work.account.catalog.copy()
        work.ask(wish, "live")
        pauses = 0
        while work.go_on():
            pauses += 1
        assert (work.ended, pauses - len(work.skipped) <= _MOST_PAUSES) == (COMPLETED, True)
        assert _unforeseen(work, "rehearsal", "live") == []
        assert _computing(work, "live") <= _computing(work, "rehearsal"), summary.estimated_compute
        assert (summary.estimated_compute == _FREE) is not _uses_warehouse(work, "rehearsal")
        done = difference_of(before, work.account.catalog)
        for said, did in _SAID:
            _is_foretold(getattr(summary, said), getattr(done, did))


def _rehearsed(work: Mess, wish: Wish) -> DryRunSummary:
    work.thread = "rehearsal"
    told = [word for key, value in wish.inputs.items() for word in ("--input", f"{key}={value}")]
    work.invoke("run", f"playbooks/{wish.playbook}", "--dry-run", *told)
    while not work.events("dry_run_summary") and work.go_on():
        pass
    (summary,) = work.events("dry_run_summary")
    return summary


def _unforeseen(work: Mess, *threads: str) -> list[str]:
    events = (repr(event) for thread in threads for event in work.store.load(thread))
    return [event for event in events if UNKNOWN.hint in event]


def _computing(work: Mess, thread: str) -> set[str]:
    """Return the steps that a warehouse works for: those that were planned, or those that ran."""
    work.thread = thread
    planned = {e.step for e in work.events("step_planned") if any(map(computes, e.would_execute))}
    ran = {e.step for e in work.events("statement_started") if computes(e.sql)}
    return planned | ran


def _uses_warehouse(work: Mess, thread: str) -> bool:
    return bool(_computing(work, thread)) or "the probes" in repr(work.store.load(thread))


def _is_foretold(told: Mapping[str, Any], done: Iterable[Mapping[str, object]]) -> None:
    """Hold that what was foretold is what was done, or was said to be a guess."""
    listed = [one for one in told.get("objects", []) if not _is_about_rows(one)]
    if any(one.get("predicted") for one in listed):
        return
    assert Counter((o["type"], o["fqn"]) for o in listed) == Counter(
        (o["type"], o["fqn"]) for o in done
    )


def _is_about_rows(one: Mapping[str, Any]) -> bool:
    """Tell whether only the rows of an object were told to change, which no catalog knows."""
    return "rows" in one and not one.get("changes")
