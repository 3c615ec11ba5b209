"""What a disk, a folder or another program does to a store is told, and harms nothing."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from skills_nb.errors import StoreError
from skills_nb.model.events import ThreadStarted
from skills_nb.runtime.stores import sqlite_schema
from skills_nb.runtime.stores.file_errors import explain_file_errors
from skills_nb.runtime.stores.sqlite import SqliteThreadStore
from tests.modes import has_mode
from tests.runtime.store_contract import noted, stamped

EVENTS = stamped([ThreadStarted(goal="protect"), noted(1), noted("x" * 20_000)])


@pytest.fixture
def store(tmp_path):
    opened = SqliteThreadStore(tmp_path / ".skills")
    opened.append("thr_1", 0, EVENTS)
    yield opened
    opened.close()


def test_a_file_in_the_folders_place_is_told(tmp_path):
    (tmp_path / ".skills").write_text("not a folder")
    with pytest.raises(StoreError) as said:
        SqliteThreadStore(tmp_path / ".skills")
    assert said.value.message == (
        f"{tmp_path}/.skills: cannot open the thread store: a file stands where the folder should "
        "be (File exists); nothing was changed"
    )
    assert said.value.hint.startswith("move that file away")
    assert (tmp_path / ".skills").read_text() == "not a folder"


def test_a_damaged_file_is_told_and_left_as_it_is(store):
    store.close()
    damage = os.urandom(4096) * 2
    store.path.write_bytes(damage)
    with pytest.raises(StoreError, match="the database is damaged") as said:
        SqliteThreadStore(store.directory)
    assert "the database is damaged (file is not a database)" in said.value.message
    assert "restore it from a backup" in said.value.hint
    assert store.path.read_bytes() == damage


def test_a_damaged_page_is_told_when_the_thread_is_read_and_by_verify(store):
    store.append("thr_1", 3, stamped([noted("y" * 4000) for _ in range(50)], 3))
    store.close()
    with store.path.open("r+b") as file:
        size = store.path.stat().st_size
        for page in range(8, size // 4096):
            file.seek(page * 4096)
            file.write(b"\xff" * 512)
    with closing(SqliteThreadStore(store.directory)) as again:
        with pytest.raises(StoreError, match="cannot read thread 'thr_1': the database is damaged"):
            again.load("thr_1")
        assert again.verify() == ("database disk image is malformed",)


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        (
            "UPDATE event SET type = 'human_response' WHERE seq = 2",
            "thread 'thr_1': event 2 of type 'human_response' is damaged: human_response.choice",
        ),
        ("UPDATE event SET body = '{}' WHERE seq = 2", "thread 'thr_1': an event is not JSON"),
        ("UPDATE event SET type = 'no\"pe' WHERE seq = 2", "thread 'thr_1': an event is not JSON"),
        ("DELETE FROM event WHERE seq = 2", "thread 'thr_1': event 2 is missing"),
        ("DELETE FROM event WHERE seq = 1", "thread 'thr_1': event 1 is missing"),
        ("UPDATE blob SET body = '{}'", "the large body [0-9a-f]{64} is missing or changed"),
        ("DELETE FROM blob", "the large body [0-9a-f]{64} is missing or changed"),
        (
            "UPDATE event SET body = CAST(x'227b22ff22' AS TEXT) WHERE seq = 2",
            "the database is damaged",
        ),
    ],
)
def test_content_that_somebody_changed_is_told(store, sql, message):
    with closing(sqlite3.connect(store.path)) as other:
        for trigger in ("event_keeps", "event_stays", "blob_keeps", "blob_stays"):
            other.execute(f"DROP TRIGGER {trigger}")
        other.execute("PRAGMA ignore_check_constraints = ON")
        other.execute(sql)
        other.commit()
    with pytest.raises(StoreError, match=message) as said:
        store.load("thr_1")
    assert str(store.path) in said.value.message
    assert "restore it from a backup" in said.value.hint


def test_a_head_without_its_event_is_found_by_verify(store):
    assert store.verify() == ()
    with closing(sqlite3.connect(store.path)) as other:
        other.execute("UPDATE thread SET head = 9")
        other.commit()
    assert store.verify() == ("thread 'thr_1' should end at event 9, has 3 up to 3",)


def test_an_append_where_head_and_events_contradict_each_other_is_refused(store):
    with closing(sqlite3.connect(store.path)) as other:
        other.execute("UPDATE thread SET head = 1")
        other.commit()
    with pytest.raises(StoreError, match=r"the database is damaged .*; nothing was appended"):
        store.append("thr_1", 1, stamped([noted("late")], 1))
    assert store.load("thr_1") == tuple(EVENTS)


def test_an_old_sqlite_is_refused(monkeypatch, tmp_path):
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 37, 2))
    with pytest.raises(StoreError, match="is too old for thread stores"):
        SqliteThreadStore(tmp_path)


def test_a_closed_store_cannot_be_verified(store):
    store.close()
    with pytest.raises(StoreError, match="cannot verify the store: the store is closed"):
        store.verify()


def test_a_newer_releases_file_is_refused_and_left_as_it_is(store):
    store.close()
    with closing(sqlite3.connect(store.path)) as newer:
        newer.execute(f"PRAGMA user_version = {sqlite_schema.SCHEMA_VERSION + 1}")
    before = store.path.read_bytes()
    with pytest.raises(
        StoreError, match=r"newer release \(schema 3; this release reads 2\)"
    ) as said:
        SqliteThreadStore(store.directory)
    assert said.value.hint.startswith("upgrade skills-nb")
    assert store.path.read_bytes() == before


def test_another_programs_database_is_refused(tmp_path):
    with closing(sqlite3.connect(tmp_path / "threads.db")) as other:
        other.execute("CREATE TABLE recipes(name)")
    before = (tmp_path / "threads.db").read_bytes()
    with pytest.raises(StoreError, match="is a database, but not one of threads"):
        SqliteThreadStore(tmp_path)
    assert (tmp_path / "threads.db").read_bytes() == before


def test_a_locked_database_is_told(store):
    store._database.execute("PRAGMA busy_timeout = 50")
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="another program keeps the database locked"):
            store.append("thr_1", 3, stamped([noted(4)], 3))
        other.execute("ROLLBACK")
    assert store.append("thr_1", 3, stamped([noted(4)], 3)) == 4


_FULL_DISK = """
import resource, sys
from pathlib import Path
from skills_nb.errors import StoreError
from skills_nb.runtime.stores.sqlite import SqliteThreadStore
from tests.modes import has_mode
from tests.runtime.store_contract import noted, stamped

store = SqliteThreadStore(Path(sys.argv[1]))
head = store.load("thr_1")[-1].seq
limit = store.path.with_name("threads.db-wal").stat().st_size + 40_000
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
try:
    while True:
        head = store.append("thr_1", head, stamped([noted("z" * 9_000)], head))
except StoreError as problem:
    print(problem.message)
    print(problem.hint)
assert store.load("thr_1")[-1].seq == head, "an acknowledged event is gone"
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
store.append("thr_1", head, stamped([noted("after")], head))
print(head + 1)
store.close()
"""


@pytest.mark.posix("limits of a process")
def test_a_disk_that_takes_no_more_loses_nothing_and_works_again_afterwards(store):
    printed = _python(_FULL_DISK, store.directory)
    message, hint, head = printed.splitlines()
    assert message.startswith(f"{store.path}: cannot append to thread 'thr_1': the disk refused")
    assert message.endswith("; nothing was appended")
    assert hint == (
        "see whether the disk is full, over its quota or failing, then run the command again"
    )
    loaded = store.load("thr_1")
    assert loaded[:3] == tuple(EVENTS)
    assert [event.seq for event in loaded] == list(range(1, int(head) + 1))
    assert loaded[-1].value == "after"
    assert store.verify() == ()


def test_a_database_that_may_not_grow_is_a_full_disk(store):
    (pages,) = store._database.execute("PRAGMA page_count").fetchone()
    store._database.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreError, match=r"the disk is full .*; nothing was appended") as said:
        store.append("thr_1", 3, stamped([noted("z" * 100_000)], 3))
    assert said.value.hint.startswith("free space")
    assert store.load("thr_1") == tuple(EVENTS)
    store._database.execute("PRAGMA max_page_count = 1000000")
    assert store.append("thr_1", 3, stamped([noted("z" * 100_000)], 3)) == 4


_READ_ONLY = """
import os, sys
from pathlib import Path
from skills_nb.errors import StoreError
from skills_nb.runtime.stores.sqlite import SqliteThreadStore
from tests.modes import has_mode

if os.geteuid() == 0:
    os.setegid(65534)
    os.seteuid(65534)
try:
    SqliteThreadStore(Path(sys.argv[1]))
except StoreError as problem:
    print(problem.message)
    print(problem.hint)
"""


@pytest.mark.posix("modes that close a folder")
@pytest.mark.parametrize("place", ["folder", "parent"])
def test_a_folder_that_may_not_be_written_is_told(tmp_path_factory, place):
    parent = tmp_path_factory.mktemp("readonly")
    # The way to it must be open to the user that the child becomes.
    for folder in (parent, *parent.parents[:2]):
        folder.chmod(0o755)
    directory = parent / ".skills"
    if place == "folder":
        directory.mkdir()
        directory.chmod(0o555)
    parent.chmod(0o555)
    message, hint = _python(_READ_ONLY, directory).splitlines()
    assert message.startswith(f"{directory}: cannot open the thread store: it cannot be written")
    assert hint.startswith("give this user write access")
    parent.chmod(0o755)


def _python(program: str, *arguments: object) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_setting_that_does_not_take_is_refused():
    with pytest.raises(StoreError, match="keeps journal_mode at 'memory' instead of 'wal'"):
        sqlite_schema.connect(Path(":memory:"))


def linked(place, target):
    place.parent.mkdir(parents=True, exist_ok=True)
    if place.is_dir():
        shutil.rmtree(place)
    place.unlink(missing_ok=True)
    place.symlink_to(target)


@pytest.mark.parametrize("name", ["threads.db", "threads.lock", ".gitignore", "ends/.gitignore"])
def test_a_link_in_the_place_of_a_file_is_told_and_not_followed(tmp_path, name):
    precious = tmp_path / "precious"
    precious.write_text("mine")
    precious.chmod(0o644)
    SqliteThreadStore(tmp_path / "store").close()
    linked(tmp_path / "store" / name, precious)
    if name.endswith(".gitignore"):
        precious.unlink()
    with pytest.raises(StoreError, match="a link or something else stands where a file"):
        SqliteThreadStore(tmp_path / "store")
    if name.endswith(".gitignore"):
        assert not precious.exists()
    else:
        assert precious.read_text() == "mine"
        assert has_mode(precious, 0o644)


@pytest.mark.parametrize("name", ["held", "ends"])
def test_a_link_in_the_place_of_a_folder_is_told_and_closes_nobodys_folder(tmp_path, name):
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o755)
    SqliteThreadStore(tmp_path / "store").close()
    linked(tmp_path / "store" / name, shared)
    with pytest.raises(StoreError, match="a link or something else"):
        SqliteThreadStore(tmp_path / "store")
    assert [*shared.iterdir()] == []
    assert has_mode(shared, 0o755)


def test_to_hold_a_thread_empties_no_file_that_a_link_leads_to(tmp_path):
    precious = tmp_path / "precious"
    precious.write_text("mine")
    with closing(SqliteThreadStore(tmp_path / "store")) as store:
        linked(tmp_path / "store" / "held" / "thr_1.lock", precious)
        with pytest.raises(StoreError, match="a link or something"), store.hold("thr_1"):
            pass
        assert precious.read_text() == "mine"
        with store.hold("thr_2") as was_left:
            assert was_left is False


@pytest.mark.posix("pipes with a name, devices as files")
@pytest.mark.parametrize(
    "make", [lambda path: os.mkfifo(path), lambda path: path.symlink_to("/dev/zero")]
)
def test_an_end_that_is_no_file_claims_nothing(tmp_path, make):
    with closing(SqliteThreadStore(tmp_path / "store")) as store:
        make(tmp_path / "store" / "ends" / "thr_1")
        store.append("thr_1", 0, [stamped([noted("x")])[0]])
        assert store.shortfalls() == ()
        assert len(store.load("thr_1")) == 1


def test_a_store_behind_a_link_is_used(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "store").symlink_to(tmp_path / "elsewhere")
    with closing(SqliteThreadStore(tmp_path / "store")) as store:
        store.append("thr_1", 0, [stamped([noted("x")])[0]])
    assert (tmp_path / "elsewhere" / "threads.db").is_file()


def test_a_thread_without_a_name_is_damage(tmp_path):
    with closing(SqliteThreadStore(tmp_path / "store")) as store:
        store.append("thr_1", 0, [stamped([noted("x")])[0]])
        with closing(sqlite3.connect(store.path)) as other:
            other.execute("PRAGMA writable_schema = 1")
            changed = "replace(sql, 'thread_id TEXT NOT NULL', 'thread_id TEXT')"
            other.execute(f"UPDATE sqlite_schema SET sql = {changed} WHERE name = 'thread'")
            other.commit()
        with closing(sqlite3.connect(store.path)) as other:
            other.execute("UPDATE thread SET thread_id = NULL")
            other.commit()
        with pytest.raises(StoreError, match="the database is damaged"):
            store.shortfalls()


def test_a_store_that_was_deleted_while_it_was_open_is_said_to_be_gone(tmp_path):
    problem = sqlite3.OperationalError("disk I/O error")
    problem.sqlite_errorcode = sqlite3.SQLITE_IOERR
    with pytest.raises(StoreError) as gone, explain_file_errors(tmp_path / "gone.db", "read"):
        raise problem
    (tmp_path / "there.db").touch()
    with pytest.raises(StoreError) as broken, explain_file_errors(tmp_path / "there.db", "read"):
        raise problem

    assert "it was deleted or moved while it was in use" in gone.value.message
    assert "the disk refused to read or write" in broken.value.message
