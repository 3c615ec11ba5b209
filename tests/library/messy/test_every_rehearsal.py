"""Rehearsed and run on the messy account, a playbook foresees what it meets and asks seldom.

No hint says that an error is not known, and a calm run asks five times at most.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from skills_nb.commands.wiring import shipped_library
from skills_nb.engine.error_diagnosis import UNKNOWN
from tests.library.messy.test_every_playbook import changes, mess
from tests.library.messy.wishes import COMPLETED, WISHES

_MOST_PAUSES = 5
_REFUSED = ("deploy-registered-model", "enrich-text-with-ai", "run-benchmark-evaluation")
"""Playbooks that stop on the messy account."""
_OF = {wish.playbook: name for name, wish in reversed(WISHES.items()) if wish.ends == COMPLETED}
"""The first wish of each playbook that it grants."""


def test_each_playbook_is_rehearsed_or_named() -> None:
    shipped = {path.name for path in (shipped_library() / "playbooks").iterdir()}
    assert {*_OF, *_REFUSED} == shipped


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.parametrize("name", _OF.values(), ids=list(_OF))
def test_nothing_unknown_is_met_and_a_calm_run_asks_five_times(name: str, tmp_path: Path) -> None:
    wish = WISHES[name]
    told = [word for key, value in wish.inputs.items() for word in ("--input", f"{key}={value}")]
    with mess(wish, tmp_path) as work:
        work.thread = "rehearsal"
        work.invoke("run", f"playbooks/{wish.playbook}", "--dry-run", *told)
        assert changes(work.begun, work.look()) == []
        work.ask(wish, "live")
        pauses = 0
        while work.go_on():
            pauses += 1
        assert (work.ended, pauses <= _MOST_PAUSES) == (COMPLETED, True)
        events = [repr(e) for thread in ("rehearsal", "live") for e in work.store.load(thread)]
        assert [event for event in events if UNKNOWN.hint in event] == []
