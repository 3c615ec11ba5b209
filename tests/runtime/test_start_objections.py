"""What keeps a playbook from starting."""

from dataclasses import replace
from pathlib import Path

import pytest

from skills_nb.engine.respond import Answer
from skills_nb.model.diagnostics import Span
from skills_nb.model.routers import Domain
from skills_nb.model.skills import Primitive
from skills_nb.ports import Ports
from skills_nb.reading import open_library
from skills_nb.runtime.conductor import Conductor
from tests.builders import CONTEXT, checkpoint, library, playbook, step
from tests.fakes import CountingIds, FakeAccount, FakeClock, FakeHuman, MemoryThreadStore

BASE = Path(__file__).parent.parent / "lint" / "base"


def primitive(name, reviewed):
    span = Span(f"primitives/{name}/skill.md")
    return Primitive(name, "data-security", name, "", span, last_reviewed=reviewed)


def conductor_of(lib):
    store = MemoryThreadStore()
    ports = Ports(
        session=FakeAccount(CONTEXT),
        store=store,
        clock=FakeClock(),
        ids=CountingIds(),
        human=FakeHuman(present=False),
        router=lambda words, lib: pytest.fail("routed"),
    )
    return Conductor(lib, ports), store


def begun(lib, ref):
    conductor, store = conductor_of(lib)
    conductor.start(ref, {}, thread_id="t")
    return conductor, store, conductor.advance("t")


def types(store):
    return [event.type for event in store.load("t")]


def book(*depends_on):
    only = step("1", checkpoint=checkpoint())
    return playbook(only, depends_on=depends_on)


@pytest.mark.parametrize("reviewed", ["2025-07-05", "2026-03-01", None, "in May"])
def test_a_recent_or_undated_review_is_no_objection(reviewed):
    lib = library(book("tags"), primitives={"tags": primitive("tags", reviewed)})
    _, store, state = begun(lib, "playbooks/toy")
    assert state.pause.kind == "checkpoint"
    assert "staleness_warning" not in types(store)


def test_a_stale_primitive_asks_before_step_one_and_once():
    facts = {"tags": primitive("tags", "2025-07-04"), "roles": primitive("roles", "2025-01-01")}
    conductor, store, state = begun(library(book("tags", "roles"), primitives=facts), "toy")
    assert (state.run, state.pause.kind) == (None, "staleness_warning")
    warning = store.load("t")[-1]
    assert (warning.primitive, warning.last_reviewed, warning.days_stale) == (
        "roles",
        "2025-01-01",
        365,
    )
    assert warning.message.endswith("Also older: tags.")
    assert [option.id for option in state.pause.options] == ["proceed", "check_docs", "abort"]
    conductor.answer("t", Answer("check_docs"))
    assert conductor.advance("t").pause.kind == "staleness_warning"
    conductor.answer("t", Answer("proceed"))
    assert conductor.advance("t").pause.kind == "checkpoint"
    assert types(store).count("staleness_warning") == 1


def test_a_primitive_that_is_not_there_ends_the_thread():
    _, store, state = begun(library(book("gone")), "playbooks/toy")
    assert (state.status, types(store)[-1]) == ("failed", "validation_error")
    assert store.load("t")[-1].message == "'playbooks/toy' builds on 'gone', which is not there"


def test_domains_that_wait_for_each_other_end_the_thread():
    sound = library(playbook(step("1", checkpoint=checkpoint())))
    domains = {
        "a": Domain("a", "routers/a", produces=("tables",), requires=("roles",)),
        "b": Domain("b", "routers/b", produces=("roles",), requires=("tables",)),
    }
    _, store, state = begun(replace(sound, meta=replace(sound.meta, domains=domains)), "toy")
    event = store.load("t")[-1]
    assert (state.status, event.type, event.check) == ("failed", "validation_error", "domain_cycle")
    assert event.message == (
        "the domains a, b wait for each other: 'a' needs 'roles' of 'b'; 'b' needs 'tables' of 'a'"
    )


def test_an_invalid_playbook_ends_the_thread_with_place_and_repair(tmp_path):
    import shutil

    root = Path(shutil.copytree(BASE, tmp_path / "library"))
    file = root / "playbooks" / "protect-columns" / "playbook.md"
    file.write_text(file.read_text().replace("## Steps", "## Steps\n\n### Step x\n\nSo what?"))
    _, store, state = begun(open_library(root), "playbooks/protect-columns")
    event = store.load("t")[-1]
    assert (state.status, event.type, event.check) == ("failed", "validation_error", "SK014")
    assert event.message.startswith("playbooks/protect-columns/playbook.md:")
    assert event.resolution


def test_a_sound_library_has_no_objection():
    _, store, _ = begun(open_library(BASE), "playbooks/protect-columns")
    assert "playbook_started" in types(store)
    assert "validation_error" not in types(store)
