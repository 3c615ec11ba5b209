"""Threads are compacted when it is time, and never before their archive is safe."""

from dataclasses import replace

import pytest

from skills_nb.engine.compaction import fold_view, view
from skills_nb.engine.decide import decide
from skills_nb.errors import SqlError, StoreError, ThreadError, UsageError
from skills_nb.model import events as ev
from skills_nb.ports import Ports
from skills_nb.runtime.archive import Archive
from skills_nb.runtime.compactor import Compactor
from skills_nb.runtime.conductor import Conductor
from tests.builders import checkpoint, playbook, step
from tests.engine.driving import Drive


class CompactingDrive(Drive):
    """A drive whose conductors compact every so often."""

    def __init__(self, folder, every, **fields):
        steps = [step(str(n), f"CREATE ROLE R{n}", checkpoint=checkpoint()) for n in (1, 2, 3)]
        super().__init__(playbook(*steps), **fields)
        self.archive, self.every = Archive(folder), every

    @property
    def conductor(self):
        ports = Ports(self.account, self.store, self.clock, self.ids, self.human, self.router)
        return Conductor(
            self.library, ports, compactor=Compactor(self.library, self.archive, self.every)
        )


def finish(drive):
    drive.run()
    for _ in range(3):
        drive.respond("approve")
    return drive.store.load("t")


def without_summaries(events):
    return [event.type for event in events if not isinstance(event, ev.PhaseSummary)]


def test_a_thread_is_compacted_after_so_many_events_and_does_the_same(tmp_path):
    plain = finish(CompactingDrive(tmp_path / "a", 1000))
    drive = CompactingDrive(tmp_path / "b", 8)
    events = finish(drive)
    assert without_summaries(events) == [event.type for event in plain]
    summaries = [event for event in events if isinstance(event, ev.PhaseSummary)]
    # Eight events are often full in the midst of a step, or of the looks behind a statement.
    assert [one.steps_completed for one in summaries] == [[], ["1"], ["1", "2"]]


def test_the_archives_together_are_the_whole_thread(tmp_path):
    drive = CompactingDrive(tmp_path, 8)
    events = finish(drive)
    kept = []
    for event in events:
        if isinstance(event, ev.PhaseSummary):
            kept += drive.archive.read(event.archive_reference)
    assert kept == list(events[: kept[-1].seq])


def test_the_end_of_a_domain_phase_is_a_time_to_compact(tmp_path):
    drive = CompactingDrive(tmp_path, 1000)
    drive.run()
    conductor = drive.conductor
    state = conductor.load("t")
    compactor = conductor._compactor
    assert not compactor.is_due(state)
    compactor.note("t", [ev.PhaseCompleted(domain="d", seq=state.seq)])
    assert compactor.is_due(state)
    compactor.note("t", [ev.PhaseSummary(phase=1, domain="d", seq=state.seq)])
    assert not compactor.is_due(state)


def test_a_thread_is_compacted_on_request_also_at_a_pause_and_after_its_end(tmp_path):
    drive = CompactingDrive(tmp_path, 1000)
    drive.run()
    before = drive.pause
    state = drive.conductor.compact("t")
    assert (drive.types[-1], drive.pause) == ("phase_summary", before)
    left = fold_view(view(drive.store.load("t"), "t"), "t")
    assert decide(left, drive.library) == decide(state, drive.library)
    for _ in range(3):
        drive.respond("approve")
    assert drive.conductor.compact("t").status == "completed"


def test_an_open_statement_is_waited_for(tmp_path):
    drive = CompactingDrive(tmp_path, 1000)
    drive.account.is_blind = True
    drive.account.failures["CREATE ROLE R1"] = [SqlError("gone", errno=250001)]
    assert drive.run().pause.at == "error:1"
    with pytest.raises(ThreadError, match="outcome is not known yet"):
        drive.conductor.compact("t")


def test_without_an_archive_there_is_no_compaction(tmp_path):
    drive = CompactingDrive(tmp_path, 1000)
    drive.run()
    bare = Conductor(drive.library, replace(drive.conductor._ports))
    with pytest.raises(UsageError, match="no archive"):
        bare.compact("t")


def test_an_archive_that_cannot_be_written_changes_no_thread(tmp_path):
    (tmp_path / "archive").write_text("a file stands here")
    drive = CompactingDrive(tmp_path / "archive", 1000)
    drive.run()
    before = drive.store.load("t")
    with pytest.raises(StoreError, match="the thread is whole in the store"):
        drive.conductor.compact("t")
    assert drive.store.load("t") == before


def test_a_thread_whose_rest_would_go_on_otherwise_is_left_whole(tmp_path, monkeypatch):
    plain = finish(CompactingDrive(tmp_path / "a", 1000))
    drive = CompactingDrive(tmp_path / "b", 8)
    monkeypatch.setattr(Compactor, "goes_on_alike", lambda self, state, events: False)
    assert [event.type for event in finish(drive)] == [event.type for event in plain]
    with pytest.raises(ThreadError, match="does not go on as the whole does"):
        drive.conductor.compact("t")
