"""The tutorials on a named connection over HTTP, with a line that breaks.

Each is played twice, once undisturbed and once with every kind of fault. Both leave the same
story on their threads; no statement ran twice, and no event is missing.
"""

from __future__ import annotations

import pytest

from skills_nb.commands import App
from tests.runtime.faulty import FAULTS
from tests.runtime.tutorials import FOLDER, Played, open_intents

_AT_HOME = "10-your-own-data.ipynb"
"""Its loads wait for a word on any account but the embedded one, and name a database there."""
TUTORIALS = sorted(path.name for path in FOLDER.glob("*.ipynb") if path.name != _AT_HOME)


@pytest.fixture(scope="module")
def seeded(tmp_path_factory):
    home = tmp_path_factory.mktemp("seeded") / "home"
    app = App(home)
    app.invoke(["connect"])
    app.close()
    return home


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")  # a cell prints a file
@pytest.mark.parametrize("name", TUTORIALS)
def test_a_tutorial_ends_as_it_would_whatever_happens_to_the_line(name, seeded, tmp_path):
    played = {}
    for broken in (False, True):
        folder = tmp_path / str(broken)
        folder.mkdir()
        with pytest.MonkeyPatch.context() as patch:
            played[broken] = Played(name, seeded, folder, patch, broken=broken)
    calm, rough = played[False], played[True]
    assert rough.story() == calm.story()
    assert rough.statements() == calm.statements()
    for run in (calm, rough):
        assert {tag: times for tag, times in run.tags().items() if times > 1} == {}
        for events in run.events.values():
            assert open_intents(events) == []
            assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert {fault for fault, _ in calm.met} == set()
    if calm.statements():
        assert {fault for fault, _ in rough.met} == set(FAULTS)
