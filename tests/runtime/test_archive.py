"""Archives hold what they say, or nobody believes them."""

import hashlib

import pytest

from skills_nb.errors import StoreError, UsageError
from skills_nb.model import events as ev
from skills_nb.runtime.archive import Archive
from tests.modes import has_mode

EVENTS = (
    ev.ThreadStarted(goal="é 'quoted'\nand a line more", seq=1, id="a", timestamp="t"),
    ev.InputGathered(name="n", value={"a": [1, None, "x"]}, seq=2, id="b", timestamp="t"),
)


def test_a_stretch_comes_back_from_its_reference(tmp_path):
    archive = Archive(tmp_path / "archive")
    reference = archive.write("thr_1", 2, EVENTS)
    path = tmp_path / "archive" / "thr_1_phase2_1-2.jsonl"
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert reference == f"archive/thr_1_phase2_1-2.jsonl#sha256={digest}"
    assert archive.read(reference) == EVENTS
    assert len(path.read_text().splitlines()) == 2
    assert has_mode(path, 0o600)
    assert has_mode(path.parent, 0o700)


def test_writing_a_stretch_again_changes_nothing(tmp_path):
    archive = Archive(tmp_path / "archive")
    assert archive.write("thr_1", 1, EVENTS) == archive.write("thr_1", 1, EVENTS)
    kept = [path.name for path in (tmp_path / "archive").iterdir() if path.name[0] != "."]
    assert kept == ["thr_1_phase1_1-2.jsonl"]


def test_a_changed_archive_is_not_believed(tmp_path):
    archive = Archive(tmp_path / "archive")
    reference = archive.write("thr_1", 1, EVENTS)
    path = tmp_path / "archive" / "thr_1_phase1_1-2.jsonl"
    path.write_bytes(path.read_bytes().replace(b"quoted", b"quoteD"))
    with pytest.raises(StoreError, match="its checksum is not the one"):
        archive.read(reference)


def test_a_missing_archive_says_so(tmp_path):
    archive = Archive(tmp_path / "archive")
    reference = archive.write("thr_1", 1, EVENTS)
    (tmp_path / "archive" / "thr_1_phase1_1-2.jsonl").unlink()
    with pytest.raises(StoreError, match="cannot read the archive"):
        archive.read(reference)


def test_a_folder_that_cannot_be_made_leaves_the_thread_to_the_store(tmp_path):
    (tmp_path / "archive").write_text("a file stands here")
    with pytest.raises(StoreError, match="the thread is whole in the store"):
        Archive(tmp_path / "archive").write("thr_1", 1, EVENTS)


def test_a_thread_id_that_leads_elsewhere_is_refused(tmp_path):
    with pytest.raises(UsageError, match="is not a thread id"):
        Archive(tmp_path / "archive").write("../thr_1", 1, EVENTS)
