"""What can be clicked under cards that are no thread."""

import pytest

from skills_nb.model import events as ev
from skills_nb.notebook import panels
from skills_nb.views.threads.timeline import PAGE


@pytest.fixture(autouse=True)
def _with_buttons(shell):
    shell._skills_nb_magics.settings.ui = "widgets"


@pytest.fixture
def opened(monkeypatch):
    """Every panel that was opened, oldest first."""
    found = []
    real = panels.Panel.open

    def remember(self, parts):
        found.append((self, parts))
        real(self, parts)

    monkeypatch.setattr(panels.Panel, "open", remember)
    return found


def buttons(panel):
    return {button.description: button for button in panel._buttons}


def parts_of(widget):
    """The widget and all that is in it."""
    yield widget
    for child in getattr(widget, "children", ()):
        yield from parts_of(child)


def named(parts, description):
    every = (inner for part in parts for inner in parts_of(part))
    return next(one for one in every if getattr(one, "description", None) == description)


def test_a_route_is_previewed_by_a_click_and_shown_in_the_same_cell(skill, opened, screen, door):
    skill("route secure my data")
    ((panel, _),) = opened

    assert list(buttons(panel))[:2] == ["Preview", "Run step by step"]
    assert screen.texts[1].startswith("[buttons: Preview, Run step by step, ")
    buttons(panel)["Preview"].click()
    (thread,) = door._cells
    assert door.app.wiring.conductor.load(thread).goal == "playbooks/secure-sensitive-data"
    assert "QUESTION" in screen.texts[2]
    assert not buttons(panel)["Preview"].disabled


def test_an_alternative_is_read_by_a_click(skill, opened, screen):
    skill("route secure my data")
    ((panel, _),) = opened
    name = next(name for name in buttons(panel) if name.startswith("primitives/"))
    buttons(panel)[name].click()

    assert screen.texts[2].startswith(f"{name} — ") or name in screen.texts[2]


def test_a_chain_is_begun_by_its_whole_goal(skill, opened, door):
    skill("route Get CRM exports into tables, mask what is personal, build a dashboard")
    buttons(opened[0][0])["Run step by step"].click()
    (thread,) = door._cells
    state = door.app.wiring.conductor.load(thread)

    assert state.goal == "Get CRM exports into tables, mask what is personal, build a dashboard"
    assert len(state.chain.phases) == 3


@pytest.mark.parametrize("home", ["at_review"], indirect=True)
def test_threads_are_opened_from_their_list(skill, opened, screen, door):
    skill("threads")
    ((panel, parts),) = opened
    assert named(parts, "Thread").options == (
        ("t · paused at step 5 · playbooks/secure-sensitive-data", "t"),
    )
    buttons(panel)["History"].click()
    assert "Thread t — paused" in screen.texts[2]
    buttons(panel)["Open"].click()
    assert "waits for you: REVIEW" in screen.texts[-2]
    assert list(door._cells) == ["t"]


def test_no_threads_no_buttons(skill, opened, screen):
    skill("threads")
    assert opened == []
    assert len(screen.outputs) == 1


@pytest.mark.parametrize("home", ["at_review"], indirect=True)
def test_a_timeline_is_filtered_in_its_own_card(skill, opened, screen):
    skill("show t")
    ((_, parts),) = opened
    whole = screen.texts[0]
    named(parts, "Show").value = "steps"
    assert "step completed" in screen.texts[0]
    assert "environment probed" not in screen.texts[0]
    named(parts, "with the words").value = "no such word"
    assert "0 events: steps with “no such word”" in screen.texts[0]
    named(parts, "Show").value = "everything"
    named(parts, "with the words").value = ""
    assert screen.texts[0] == whole


@pytest.fixture
def long(door):
    """A history of three pages."""
    store = door.app.wiring.store
    seq = len(store.load("t"))
    events = [
        ev.EnvironmentProbed(query=f"SELECT {n}", result={"row_count": n}).stamped(
            seq=seq + n, event_id=f"e{n}", timestamp="2026-01-01T00:00:00Z"
        )
        for n in range(1, 2 * PAGE + 1)
    ]
    store.append("t", seq, events)
    return seq + 2 * PAGE


@pytest.mark.parametrize("home", ["at_review"], indirect=True)
def test_a_long_history_opens_at_its_end_and_is_turned_page_by_page(skill, opened, screen, long):
    skill("show t")
    ((_, parts),) = opened
    page, earlier, later = (named(parts, name) for name in ("Page", "Earlier", "Later"))
    assert f"Events {2 * PAGE + 1} to {long} of {long}" in screen.texts[0]
    assert (page.value, earlier.disabled, later.disabled) == (3, False, True)
    earlier.click()
    assert f"Events {PAGE + 1} to {2 * PAGE} of {long}" in screen.texts[0]
    page.value = 1
    assert f"Events 1 to {PAGE} of {long}" in screen.texts[0]
    assert (earlier.disabled, later.disabled) == (True, False)


@pytest.mark.parametrize("home", ["at_review"], indirect=True)
def test_the_filter_looks_at_every_page(skill, opened, screen, long):
    skill("show t")
    ((_, parts),) = opened
    updates = screen.updates
    named(parts, "with the words").value = "sensitive live"
    assert f"1 event: everything with “sensitive live”, of {long} events" in screen.texts[0]
    assert screen.updates == updates + 1
    assert named(parts, "Page").max == 1
    named(parts, "with the words").value = ""
    assert named(parts, "Page").value == 3
    assert f"Events {2 * PAGE + 1} to {long} of {long}" in screen.texts[0]


def test_the_graph_is_filtered_in_its_own_card(skill, opened, screen):
    skill("graph")
    ((_, parts),) = opened
    named(parts, "Domain").value = "data-security"
    assert ", domain data-security: " in screen.texts[0].splitlines()[0]
    named(parts, "with the words").value = "mask"
    assert ", domain data-security with “mask”: " in screen.texts[0].splitlines()[0]
    named(parts, "Domain").value = ""
    named(parts, "with the words").value = ""
    assert screen.texts[0].splitlines()[0].endswith(" domains")


def test_a_skill_that_is_not_there_is_said_under_the_buttons(skill, opened, screen):
    skill("library")
    ((panel, _),) = opened
    buttons(panel)["Read it"].click()

    assert "there is no skill" in panel._said.value
    assert 'role="alert"' in panel._said.value
    assert not buttons(panel)["Read it"].disabled


def test_a_skill_is_read_from_the_graph(skill, opened, screen):
    skill("graph")
    ((panel, parts),) = opened
    named(parts, "Skill").value = "primitives/streams"
    buttons(panel)["Read it"].click()

    assert "primitives/streams" in screen.texts[-1]


def test_unloading_the_extension_takes_the_widgets_away(skill, opened, door):
    skill("route secure my data")
    door.reset()

    assert opened[0][0]._box is None
