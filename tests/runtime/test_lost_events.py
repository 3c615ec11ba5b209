"""A history that was shortened or changed outside of the store is noticed, and nothing goes on."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skills_nb.errors import SkillsError, StoreError
from skills_nb.model.events import ThreadStarted
from skills_nb.runtime.stores.digest_chain import End
from skills_nb.runtime.stores.sqlite import SqliteThreadStore
from skills_nb.runtime.stores.thread_ends import ThreadEnds
from tests.runtime.store_contract import noted, stamped

EVENTS = stamped(
    [ThreadStarted(goal="protect"), noted("x" * 300), noted("y" * 20_000), noted("é"), noted(5)]
)
HINT = (
    "restore the store from a backup; or look in the account at what the missing events may have "
    "done, and go on with what is here: threads accept thr_1"
)


def written(folder: Path) -> SqliteThreadStore:
    """Return a store with the events, each in a commit of its own."""
    store = SqliteThreadStore(folder)
    for event in EVENTS:
        store.append("thr_1", event.seq - 1, [event])
    return store


def crashed(folder: Path, copy: Path) -> Path:
    """Return a copy of the files as a killed process leaves them: the log is not merged."""
    with closing(written(folder)):
        shutil.copytree(folder, copy)
    (copy / "threads.db-shm").unlink(missing_ok=True)
    return copy


@pytest.fixture
def store(tmp_path):
    opened = written(tmp_path / "store")
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def wreck(tmp_path_factory):
    return crashed(tmp_path_factory.mktemp("wreck") / "a", tmp_path_factory.mktemp("wreck") / "b")


def by_hand(store: SqliteThreadStore, *statements: str) -> None:
    with closing(sqlite3.connect(store.path)) as other:
        for trigger in ("event_keeps", "event_stays", "blob_keeps", "blob_stays"):
            other.execute(f"DROP TRIGGER {trigger}")
        for sql in statements:
            other.execute(sql)
        other.commit()


def all_or_told(folder: Path) -> bool:
    """Open a damaged store; return whether all is there, and fail where less is, untold."""
    try:
        with closing(SqliteThreadStore(folder)) as store:
            loaded, lost = store.load("thr_1"), store.shortfalls()
    except SkillsError:
        return False
    if loaded == tuple(EVENTS):
        return not lost
    assert loaded == tuple(EVENTS[: len(loaded)]), "an event was changed"
    assert [(one.acknowledged, one.found) for one in lost] == [(5, len(loaded))]
    return False


def damaged(wreck: Path, folder: Path, name: str, content: bytes) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(wreck, folder)
    (folder / name).write_bytes(content)
    return folder


# --- the log


def test_a_whole_log_of_a_killed_process_is_read_whole(wreck, tmp_path):
    shutil.copytree(wreck, tmp_path / "copy")
    assert all_or_told(tmp_path / "copy")
    assert not list((tmp_path / "copy").glob("*.damaged-*"))


def test_a_bit_that_changed_in_the_last_frames_is_told_with_what_is_missing(wreck, tmp_path):
    log = bytearray((wreck / "threads.db-wal").read_bytes())
    log[-100] ^= 1
    folder = damaged(wreck, tmp_path / "copy", "threads.db-wal", bytes(log))
    with closing(SqliteThreadStore(folder)) as store:
        assert store.load("thr_1") == tuple(EVENTS[:4])
        (lost,) = store.shortfalls("thr_1")
        told = f"{store.path}: thread 'thr_1' ends at event 4 instead of 5: 1 event is missing"
        assert (lost.text, lost.hint) == (told, HINT)
        assert store.verify() == (told,)


def test_the_damaged_log_is_kept_aside_once(wreck, tmp_path):
    log = bytearray((wreck / "threads.db-wal").read_bytes())
    log[-100] ^= 1
    folder = damaged(wreck, tmp_path / "copy", "threads.db-wal", bytes(log))
    for _ in range(2):
        SqliteThreadStore(folder).close()
    (kept,) = folder.glob("threads.db-wal.damaged-*")
    assert kept.read_bytes() == bytes(log)
    assert len(list(folder.glob("threads.db.damaged-*"))) == 1


@pytest.mark.slow
def test_a_log_that_ends_after_any_of_its_frames_is_read_whole_or_told(wreck, tmp_path):
    log = (wreck / "threads.db-wal").read_bytes()
    frames = range(0, len(log), 4096 + 24)
    whole = [
        all_or_told(damaged(wreck, tmp_path / "copy", "threads.db-wal", log[: 32 + frame]))
        for frame in (-32, *frames)
    ]
    assert whole[-1] is False or len(log) == 32 + frames[-1]
    assert any(whole) is (len(log) == 32 + frames[-1])


@pytest.mark.slow
@settings(max_examples=250, deadline=None)
@given(data=st.data())
def test_a_bit_that_changed_anywhere_is_harmless_or_told(wreck, tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("flip")
    name = data.draw(st.sampled_from(["threads.db-wal", "threads.db"]))
    content = bytearray((wreck / name).read_bytes())
    place = data.draw(st.integers(0, min(200, len(content) - 1)) | st.integers(0, len(content) - 1))
    content[place] ^= 1 << data.draw(st.integers(0, 7))
    all_or_told(damaged(wreck, folder / "copy", name, bytes(content)))
    shutil.rmtree(folder)


@pytest.mark.slow
@settings(max_examples=250, deadline=None)
@given(data=st.data())
def test_a_bit_that_changed_in_the_merged_database_is_harmless_or_told(
    merged, tmp_path_factory, data
):
    folder = tmp_path_factory.mktemp("flip")
    content = bytearray((merged / "threads.db").read_bytes())
    # Rows and headers of pages; free space in between is harmless.
    used = [n for n, byte in enumerate(content) if byte]
    content[data.draw(st.sampled_from(used))] ^= 1 << data.draw(st.integers(0, 7))
    all_or_told(damaged(merged, folder / "copy", "threads.db", bytes(content)))
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def merged(tmp_path_factory):
    folder = tmp_path_factory.mktemp("merged") / "a"
    written(folder).close()
    return folder


def test_an_emptied_database_is_not_made_a_new_one(merged, tmp_path):
    folder = damaged(merged, tmp_path / "copy", "threads.db", b"")
    with pytest.raises(StoreError) as said:
        SqliteThreadStore(folder)
    assert said.value.message == (
        f"{folder}/threads.db: holds nothing, although events of 1 thread were acknowledged (thr_1)"
    )
    assert said.value.hint == (
        f"restore it from a backup; or, to begin anew, move the folder {folder}/ends away"
    )
    (folder / "ends").rename(tmp_path / "away")
    with closing(SqliteThreadStore(folder)) as store:
        assert store.append("thr_1", 0, EVENTS) == 5


# --- rows


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("UPDATE event SET body = replace(body, 'xxx', 'xxz') WHERE seq = 2", "event 2 is not"),
        ("UPDATE event SET at = '2026-02-22T10:00:00.000009Z' WHERE seq = 2", "event 2 is not"),
        ("UPDATE event SET actor = 'human:eve' WHERE seq = 1", "event 1 is not"),
        ("UPDATE event SET digest = NULL WHERE seq = 3", "event 3 is not"),
        ("UPDATE event SET seq = seq + 100 WHERE seq > 3", "event 4 is missing"),
        ("DELETE FROM event WHERE seq = 4", "event 4 is missing"),
    ],
)
def test_an_event_that_is_not_what_was_written_is_told(store, sql, message):
    by_hand(store, sql)
    with pytest.raises(StoreError, match=f"thread 'thr_1': {message}"):
        store.load("thr_1")
    assert any(message in line for line in store.verify())


def test_events_that_changed_places_are_told(store):
    swap = [f"UPDATE event SET seq = {new} WHERE seq = {old}" for old, new in [(4, 9), (5, 4)]]
    by_hand(store, *swap, "UPDATE event SET seq = 5 WHERE seq = 9")
    with pytest.raises(StoreError, match="event 4 is not what was written, or not in its place"):
        store.load("thr_1")


def test_events_of_another_thread_are_told(store):
    store.append("thr_2", 0, stamped([noted("theirs")]))
    by_hand(
        store,
        "UPDATE thread SET thread_id = 'thr_x' WHERE tid = 1",
        "UPDATE thread SET thread_id = 'thr_1' WHERE tid = 2",
    )
    with pytest.raises(StoreError, match="thread 'thr_1': event 1 is not what was written"):
        store.load("thr_1")


@pytest.mark.parametrize(
    ("statements", "found"),
    [
        (["DELETE FROM event WHERE seq = 5"], 4),
        (["DELETE FROM event WHERE seq > 2", "UPDATE thread SET head = 2"], 2),
        (["DELETE FROM event"], 0),
        (["DELETE FROM event", "DELETE FROM thread"], 0),
    ],
)
def test_events_taken_from_the_end_are_told_and_the_thread_does_not_go_on(store, statements, found):
    by_hand(store, *statements)
    assert store.load("thr_1") == tuple(EVENTS[:found])
    (lost,) = store.shortfalls()
    assert (lost.thread_id, lost.acknowledged, lost.found) == ("thr_1", 5, found)
    refused = pytest.raises(
        StoreError, match=r"ends at event \d instead of 5: .*; nothing was done"
    )
    with refused, store.hold("thr_1"):
        pass
    for expected in (found, 5):
        with pytest.raises(StoreError, match=r"instead of 5: .*; nothing was appended") as said:
            store.append("thr_1", expected, stamped([noted("late")], expected))
        assert said.value.hint == HINT
    assert store.load("thr_1") == tuple(EVENTS[:found])


@pytest.mark.parametrize("found", [0, 2, 4])
def test_a_person_who_was_told_goes_on_with_what_is_there(store, found):
    by_hand(store, f"DELETE FROM event WHERE seq > {found}")
    store.accept("thr_1")
    assert (store.shortfalls(), store.verify()) == ((), ())
    with store.hold("thr_1"):
        assert store.append("thr_1", found, stamped([noted("on")], found)) == found + 1
    with closing(SqliteThreadStore(store.directory)) as again:
        assert again.load("thr_1") == (*EVENTS[:found], *stamped([noted("on")], found))
        assert again.verify() == ()


def test_what_is_damaged_cannot_be_accepted(store):
    by_hand(store, "UPDATE event SET actor = 'human:eve' WHERE seq = 1")
    with pytest.raises(StoreError, match="event 1 is not what was written"):
        store.accept("thr_1")


def test_an_older_copy_of_the_database_is_told_and_another_history_of_that_length_too(tmp_path):
    with closing(written(tmp_path / "store")) as store:
        store.backup(tmp_path / "backup.db")
        store.append("thr_1", 5, stamped([noted("sixth")], 5))
    shutil.copy(tmp_path / "backup.db", tmp_path / "store" / "threads.db")
    with closing(SqliteThreadStore(tmp_path / "store")) as restored:
        (lost,) = restored.shortfalls()
        assert (lost.acknowledged, lost.found) == (6, 5)
    # On a copy that knows of nothing, history goes another way.
    (tmp_path / "other").mkdir()
    shutil.copy(tmp_path / "backup.db", tmp_path / "other" / "threads.db")
    with closing(SqliteThreadStore(tmp_path / "other")) as other:
        assert other.shortfalls() == ()
        other.append("thr_1", 5, stamped([noted("another sixth")], 5))
    shutil.copy(tmp_path / "other" / "threads.db", tmp_path / "store" / "threads.db")
    with closing(SqliteThreadStore(tmp_path / "store")) as store:
        (lost,) = store.shortfalls()
        assert lost.text == (
            f"{store.path}: thread 'thr_1': event 6 is not the one that was acknowledged: "
            "the store was replaced or changed"
        )
        with pytest.raises(StoreError, match="the store was replaced or changed; nothing was"):
            store.append("thr_1", 6, stamped([noted("seventh")], 6))
        store.accept("thr_1")
        assert store.append("thr_1", 6, stamped([noted("seventh")], 6)) == 7


# --- the ends


def test_a_store_copied_without_its_ends_raises_no_alarm_and_knows_them_again(store):
    store.close()
    shutil.rmtree(store.directory / "ends")
    with closing(SqliteThreadStore(store.directory)) as again:
        assert (again.load("thr_1"), again.verify()) == (tuple(EVENTS), ())
        again.append("thr_1", 5, stamped([noted("on")], 5))
    with closing(SqliteThreadStore(store.directory)) as again:
        by_hand(again, "DELETE FROM event WHERE seq = 6", "UPDATE thread SET head = 5")
        assert [one.found for one in again.shortfalls()] == [5]


@pytest.mark.parametrize("content", [b"", b"\0" * 87, b"x", b"9" * 87, b"\xff" * 200])
def test_an_end_that_cannot_be_read_claims_nothing_and_is_told_by_verify(store, content):
    store.close()
    end = store.directory / "ends" / "thr_1"
    end.write_bytes(content)
    with closing(SqliteThreadStore(store.directory)) as again:
        assert again.shortfalls() == ()
        told = (f"{end}: cannot be read, so the end of that thread was not checked",)
        assert again.verify() == (told if content else ())
        again.append("thr_1", 5, stamped([noted("on")], 5))
        assert again.verify() == ()


@given(st.integers(0, 86), st.integers(0, 7))
def test_no_changed_bit_makes_an_end_claim_something_else(tmp_path_factory, place, bit):
    folder = tmp_path_factory.getbasetemp()
    ends = ThreadEnds(folder)
    ends.note("thr_end", End(7, "ab" * 32))
    ends.flush()
    content = bytearray((folder / "thr_end").read_bytes())
    assert (len(content), ends.of("thr_end")) == (87, End(7, "ab" * 32))
    content[place] ^= 1 << bit
    (folder / "thr_end").write_bytes(content)
    assert ends.of("thr_end") is None


def test_an_end_under_another_threads_name_claims_nothing(store):
    store.close()
    ends = store.directory / "ends"
    shutil.copy(ends / "thr_1", ends / "thr_2")
    with closing(SqliteThreadStore(store.directory)) as again:
        assert again.shortfalls() == ()


def test_an_end_that_lags_after_a_crash_is_moved_on(store):
    older = ThreadEnds(store.directory / "ends")
    with closing(sqlite3.connect(store.path)) as other:
        ((digest,),) = other.execute("SELECT digest FROM event WHERE seq = 3")
    older.note("thr_1", End(3, digest))
    assert store.shortfalls() == ()
    store.append("thr_1", 5, stamped([noted("on")], 5))
    assert older.of("thr_1").seq == 6


def test_two_stores_on_one_folder_raise_no_alarm(store):
    with closing(SqliteThreadStore(store.directory)) as other:
        for number in range(5, 25):
            writer, reader = (store, other) if number % 2 else (other, store)
            writer.append("thr_1", number, stamped([noted(number)], number))
            assert reader.shortfalls() == ()
            assert len(reader.load("thr_1", 3)) == number - 2


# --- stores of before


_BEFORE = """
DROP TRIGGER event_keeps; DROP TRIGGER event_stays;
ALTER TABLE event DROP COLUMN digest;
CREATE TRIGGER event_keeps BEFORE UPDATE ON event
  BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
CREATE TRIGGER event_stays BEFORE DELETE ON event
  BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
PRAGMA user_version = 1;
"""


def test_the_chain_of_an_older_releases_thread_begins_where_it_begins(store):
    store.close()
    shutil.rmtree(store.directory / "ends")
    with closing(sqlite3.connect(store.path)) as other:
        other.executescript(_BEFORE)
    with closing(SqliteThreadStore(store.directory)) as today:
        assert (today.load("thr_1"), today.verify()) == (tuple(EVENTS), ())
        today.append("thr_1", 5, stamped([noted(6), noted(7)], 5))
        assert len(today.load("thr_1")) == 7
        by_hand(today, "UPDATE event SET actor = 'human:eve' WHERE seq = 7")
        with pytest.raises(StoreError, match="event 7 is not what was written"):
            today.load("thr_1")
        with pytest.raises(StoreError, match="event 7 is not what was written"):
            today.load("thr_1", after=6)
