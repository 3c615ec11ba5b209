"""The SQLite store meets the contract, and keeps its file private, whole and bounded."""

from __future__ import annotations

import itertools
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from skills_nb.errors import ConflictError, StoreError
from skills_nb.model.events import ThreadStarted
from skills_nb.runtime.stores import store_places
from skills_nb.runtime.stores.sqlite import SqliteThreadStore
from tests.modes import has_mode
from tests.runtime.store_contract import ThreadStoreContract, noted, stamped

EVENTS = stamped([ThreadStarted(goal="protect"), noted(1), noted("x" * 20_000)])


class TestSqliteThreadStore(ThreadStoreContract):
    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path):
        self.folders = (tmp_path / str(number) for number in itertools.count())
        self.opened: list[SqliteThreadStore] = []
        yield
        for store in self.opened:
            store.close()

    def open(self):
        return self._keep(next(self.folders))

    def another(self, store):
        return self._keep(store.directory)

    def _keep(self, directory: Path) -> SqliteThreadStore:
        store = SqliteThreadStore(directory)
        self.opened.append(store)
        return store


@pytest.fixture
def store(tmp_path):
    opened = SqliteThreadStore(tmp_path / ".skills")
    opened.append("thr_1", 0, EVENTS)
    yield opened
    opened.close()


# --- the file


def test_threads_outlive_the_process_that_wrote_them(store):
    store.close()
    with closing(SqliteThreadStore(store.directory)) as again:
        assert again.load("thr_1") == tuple(EVENTS)
        assert [head.goal for head in again.heads()] == ["protect"]


def test_closing_twice_is_one_closing_and_a_closed_store_says_so(store):
    store.close()
    store.close()
    with pytest.raises(
        StoreError, match=r"cannot read thread 'thr_1': the store is closed"
    ) as said:
        store.load("thr_1")
    assert said.value.hint == "open the store again"


@pytest.mark.posix("modes that close a file")
def test_only_the_owner_may_read_any_of_it(store):
    with store.hold("thr_1"):
        found = {
            str(path.relative_to(store.directory.parent)): stat.S_IMODE(path.stat().st_mode)
            for path in [store.directory, *store.directory.rglob("*")]
        }
    assert found == {
        ".skills": 0o700,
        ".skills/.gitignore": 0o600,
        ".skills/ends": 0o700,
        ".skills/ends/.gitignore": 0o600,
        ".skills/ends/thr_1": 0o600,
        ".skills/held": 0o700,
        ".skills/held/.gitignore": 0o600,
        ".skills/held/thr_1.lock": 0o600,
        ".skills/threads.db": 0o600,
        ".skills/threads.db-shm": 0o600,
        ".skills/threads.db-wal": 0o600,
        ".skills/threads.lock": 0o600,
    }
    assert (store.directory / ".gitignore").read_text() == "*\n"


def test_a_folder_that_others_could_enter_is_closed_to_them(tmp_path):
    (tmp_path / "open").mkdir(mode=0o755)
    (tmp_path / "open" / "threads.db").touch(mode=0o644)
    with closing(SqliteThreadStore(tmp_path / "open")):
        assert has_mode(tmp_path / "open", 0o700)
        assert has_mode(tmp_path / "open" / "threads.db", 0o600)


def test_an_ignore_file_of_the_readers_own_is_kept(tmp_path):
    (tmp_path / ".gitignore").write_text("mine\n")
    with closing(SqliteThreadStore(tmp_path)):
        assert (tmp_path / ".gitignore").read_text() == "mine\n"


def test_every_append_is_flushed_and_no_checkpoint_runs_by_itself(store):
    settings = ("journal_mode", "synchronous", "wal_autocheckpoint", "foreign_keys")
    found = [store._database.execute(f"PRAGMA {setting}").fetchone()[0] for setting in settings]
    assert found == ["wal", 2, 0, 1]


def test_a_long_thread_does_not_let_the_log_grow_without_end(store):
    for seq in range(3, 1000):
        store.append("thr_1", seq, stamped([noted(seq)], seq))
    log = store.path.with_name("threads.db-wal").stat().st_size
    assert log < 8 * 1024 * 1024
    assert store.verify() == ()


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE event SET at = ''",
        "DELETE FROM event",
        "UPDATE blob SET body = '{}'",
        "DELETE FROM blob",
    ],
)
def test_events_cannot_be_changed_or_deleted_even_by_sql(store, sql):
    refused = pytest.raises(sqlite3.IntegrityError, match="events are append-only")
    with closing(sqlite3.connect(store.path)) as other, refused:
        other.execute(sql)
    assert store.load("thr_1") == tuple(EVENTS)


def test_large_bodies_are_kept_once(store):
    store.append("thr_2", 0, EVENTS)
    with closing(sqlite3.connect(store.path)) as other:
        assert other.execute("SELECT count(*) FROM blob").fetchone() == (1,)
        ((largest,),) = other.execute("SELECT max(length(body)) FROM event")
    assert largest < 400
    assert store.load("thr_2") == tuple(EVENTS)


# --- backup


def test_a_backup_taken_under_writers_is_a_whole_store(store, tmp_path):
    store.backup(tmp_path / "copy.db")
    store.append("thr_1", 3, stamped([noted("later")], 3))
    assert has_mode(tmp_path / "copy.db", 0o600)
    (tmp_path / "restored").mkdir()
    (tmp_path / "copy.db").rename(tmp_path / "restored" / "threads.db")
    with closing(SqliteThreadStore(tmp_path / "restored")) as restored:
        assert restored.load("thr_1") == tuple(EVENTS)
        assert restored.verify() == ()
        assert restored.append("thr_1", 3, stamped([noted("on")], 3)) == 4


def test_a_backup_replaces_an_older_one_and_leaves_nothing_beside_it(store, tmp_path):
    folder = tmp_path / "copies"
    folder.mkdir()
    store.backup(folder / "copy.db")
    store.append("thr_1", 3, stamped([noted("later")], 3))
    store.backup(folder / "copy.db")
    assert [path.name for path in folder.iterdir()] == ["copy.db"]
    with closing(sqlite3.connect(folder / "copy.db")) as copy:
        assert copy.execute("SELECT head FROM thread").fetchone() == (4,)


def test_a_backup_that_cannot_be_written_says_where(store, tmp_path):
    target = tmp_path / "absent" / "copy.db"
    with pytest.raises(StoreError, match=f"^{target}: cannot write the backup: .*is unharmed"):
        store.backup(target)
    assert store.load("thr_1") == tuple(EVENTS)


def test_a_store_on_a_network_file_system_is_kept_in_the_users_data_folder(tmp_path, monkeypatch):
    wanted = tmp_path / "share" / ".skills"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(
        store_places, "filesystem_type", lambda path: "nfs4" if "share" in path.parts else "ext4"
    )
    with closing(SqliteThreadStore(wanted)) as store:
        assert store.directory.parent == tmp_path / "data" / "skills_nb"
        assert store.notice == (
            f"{wanted} is on a network file system (nfs4), where threads are not safe; "
            f"they are kept in {store.directory}"
        )
        store.append("thr_1", 0, EVENTS)
    with closing(SqliteThreadStore(wanted)) as again:
        assert again.load("thr_1") == tuple(EVENTS)
    assert not wanted.exists()


def test_two_stores_conflict_instead_of_waiting_for_each_other(store):
    with closing(SqliteThreadStore(store.directory)) as other:
        assert other.append("thr_1", 3, stamped([noted("theirs")], 3)) == 4
        with pytest.raises(ConflictError):
            store.append("thr_1", 3, stamped([noted("mine")], 3))
