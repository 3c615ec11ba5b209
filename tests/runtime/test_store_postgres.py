"""The shared store meets the same contract, on a PostgreSQL server of the tests' own."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import create_engine, event, text
from sqlalchemy.exc import DBAPIError

from skills_nb.errors import ConflictError, StoreError, ThreadError
from skills_nb.runtime.stores.postgres import SharedThreadStore
from tests.runtime.store_contract import ThreadStoreContract, noted, stamped

try:
    import pwd
except ImportError:
    pytest.skip("needs POSIX: a server of another user, on a Unix socket", allow_module_level=True)

_PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))


class Server:
    """A PostgreSQL server on a socket in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.bin = _PROGRAMS[-1].parent
        self.folder = folder
        # The server refuses to run as root, so the tests of a container give it its own user.
        self.user = "postgres" if os.geteuid() == 0 else None
        if self.user:
            shutil.chown(folder, self.user)
        self._run("initdb", "-D", folder / "data", "-U", "skills", "--auth=trust", "-N")

    def start(self) -> None:
        options = f"-k {self.folder} -c listen_addresses='' -c max_connections=200"
        log = self.folder / "log"
        self._run(
            "pg_ctl", "-D", self.folder / "data", "-o", options, "-l", log, "-w", "-t", 180, "start"
        )

    def stop(self) -> None:
        self._run("pg_ctl", "-D", self.folder / "data", "-m", "immediate", "-w", "-t", 180, "stop")

    def url(self) -> str:
        return f"postgresql+psycopg://skills@/postgres?host={self.folder}"

    def _run(self, program: str, *arguments: object) -> None:
        done = subprocess.run(
            [self.bin / program, *map(str, arguments)],
            user=self.user,
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            timeout=200,
        )
        assert done.returncode == 0, done.stderr


@contextmanager
def closing_engine(url: str):
    engine = create_engine(url)
    try:
        with engine.connect() as connection:
            yield connection
    finally:
        engine.dispose()


def _why_not() -> str | None:
    if not _PROGRAMS:
        return "no PostgreSQL server is installed"
    if os.geteuid() == 0 and "postgres" not in {entry.pw_name for entry in pwd.getpwall()}:
        return "PostgreSQL refuses to run as root, and there is no user 'postgres'"
    return None


def _folder() -> Path:
    """Make a folder with a short path, as sockets need it, in memory where there is room."""
    memory = Path("/dev/shm")
    has_room = memory.is_dir() and shutil.disk_usage(memory).free > 2**30
    return Path(tempfile.mkdtemp(prefix="pg", dir=memory if has_room else None))


def _need_a_server():
    """Skip where there is no PostgreSQL; CI installs it, so there its absence is a failure."""
    if reason := _why_not():
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)


@pytest.fixture(scope="module")
def server():
    _need_a_server()
    pytest.importorskip("psycopg", reason="the driver psycopg is not installed")
    folder = _folder()
    started = Server(folder)
    started.start()
    yield started
    started.stop()
    shutil.rmtree(folder)


@pytest.fixture
def url(server):
    """Return the server's database without any table."""
    with closing_engine(server.url()) as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
        connection.commit()
    return server.url()


class TestSharedThreadStore(ThreadStoreContract):
    @pytest.fixture(autouse=True)
    def _database(self, server, url):
        self.url = url
        self.opened: list[SharedThreadStore] = []
        yield
        for store in self.opened:
            store.close()

    def open(self):
        store = self._keep()
        # Laws open dozens of stores: emptying the tables is cheaper than making them anew.
        with closing_engine(self.url) as connection:
            connection.execute(text("SET LOCAL session_replication_role = replica"))
            for table in ("skills_event", "skills_thread", "skills_lease"):
                connection.execute(text(f"DELETE FROM {table}"))
            connection.commit()
        return store

    def another(self, store):
        return self._keep()

    def _keep(self) -> SharedThreadStore:
        store = SharedThreadStore(self.url)
        self.opened.append(store)
        return store


@pytest.fixture
def store(url):
    with closing(SharedThreadStore(url)) as opened:
        opened.append("thr_1", 0, stamped([noted(1)]))
        yield opened


@pytest.mark.parametrize(
    "sql",
    ["UPDATE skills_event SET v = 2", "DELETE FROM skills_event", "TRUNCATE skills_event"],
)
def test_events_cannot_be_changed_or_deleted_even_by_sql(store, url, sql):
    with closing_engine(url) as connection, pytest.raises(DBAPIError, match="append-only"):
        connection.execute(text(sql))
    assert store.load("thr_1") == tuple(stamped([noted(1)]))


def test_a_newer_releases_tables_are_refused(store, url):
    with closing_engine(url) as connection:
        connection.execute(text("UPDATE skills_store SET version = 3"))
        connection.commit()
    with pytest.raises(StoreError, match=r"newer release \(schema 3; this release reads 2\)"):
        SharedThreadStore(url)


def test_a_missing_event_is_told(store, url):
    store.append("thr_1", 1, stamped([noted(2)], 1))
    with closing_engine(url) as connection:
        connection.execute(text("ALTER TABLE skills_event DISABLE TRIGGER ALL"))
        connection.execute(text("DELETE FROM skills_event WHERE seq = 1"))
        connection.commit()
    with pytest.raises(StoreError, match="thread 'thr_1': event 1 is missing"):
        store.load("thr_1")


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("not a url", "is not a database URL"),
        ("sqlite:///x.db", "'sqlite' is not supported"),
        ("snowflake://me:secret@account/db", "'snowflake' is not supported"),
        (
            "postgresql+asyncpg://me:secret@h/db",
            "driver of 'postgresql.asyncpg' is not inst",
        ),
    ],
)
def test_only_postgresql_is_a_shared_store(url, message):
    with pytest.raises(StoreError, match=message) as said:
        SharedThreadStore(url)
    assert "secret" not in said.value.message


def test_a_server_that_is_not_there_is_told_without_the_password(tmp_path):
    with pytest.raises(StoreError, match="cannot open the thread store: ") as said:
        SharedThreadStore(f"postgresql+psycopg://me:secret@/db?host={tmp_path}")
    assert "me:***@" in said.value.message
    assert "secret" not in said.value.message


@pytest.mark.slow
def test_a_server_without_fsync_is_refused():
    _need_a_server()
    folder = _folder()
    careless = Server(folder)
    with (folder / "data" / "postgresql.conf").open("a") as settings:
        settings.write("fsync = off\n")
    careless.start()
    try:
        with pytest.raises(StoreError, match="runs with fsync off"):
            SharedThreadStore(careless.url())
    finally:
        careless.stop()
        shutil.rmtree(folder)


# --- leases

_HOLDER = """
import sys, time
from skills_nb.runtime.stores.postgres import SharedThreadStore

store = SharedThreadStore(sys.argv[1], lease_s=float(sys.argv[2]))
with store.hold("thr_1") as was_left:
    print(was_left, flush=True)
    if sys.argv[3] == "stay":
        time.sleep(60)
store.close()
"""


@contextmanager
def _holding(url: str, lease_s: float, then: str):
    child = subprocess.Popen(
        [sys.executable, "-c", _HOLDER, url, str(lease_s), then],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    try:
        yield child
    finally:
        child.kill()
        child.wait()
        child.stdout.close()


def test_a_thread_that_a_live_process_holds_is_refused_with_its_number(store, url):
    with _holding(url, 1.5, "stay") as other:
        assert other.stdout.readline() == "False\n"
        time.sleep(2)  # longer than the lease: the other process renews it
        refused = pytest.raises(ThreadError, match=f"'thr_1' is held by process {other.pid} on ")
        with refused, store.hold("thr_1"):
            pass
        with store.hold("thr_2") as was_left:
            assert was_left is False


def test_a_dead_holders_thread_is_free_when_its_lease_has_run_out_and_the_next_is_told(store, url):
    with _holding(url, 1.5, "stay") as other:
        other.stdout.readline()
        other.send_signal(signal.SIGKILL)
        other.wait()
    with pytest.raises(ThreadError), store.hold("thr_1"):
        pass
    time.sleep(1.6)
    with store.hold("thr_1") as first, store.hold("thr_1") as second:
        assert (first, second) == (True, False)
    with store.hold("thr_1") as third:
        assert third is False


def test_a_holder_that_ends_cleanly_leaves_no_mark(store, url):
    with _holding(url, 30, "leave") as other:
        assert other.stdout.read() == "False\n"
    with store.hold("thr_1") as was_left:
        assert was_left is False


def test_a_holder_that_was_taken_for_dead_cannot_append_any_more(store, url):
    with closing(SharedThreadStore(url, lease_s=30)) as slow, slow.hold("thr_1"):
        with closing_engine(url) as connection:
            # Its clock stands still, as a suspended machine's does.
            connection.execute(text("UPDATE skills_lease SET expires_at = now() - interval '1 s'"))
            connection.commit()
        with _holding(url, 30, "leave") as other:
            assert other.stdout.read() == "True\n"
        with pytest.raises(ConflictError, match=r"taken over by another process \(epoch 2, not 1"):
            slow.append("thr_1", 1, stamped([noted("late")], 1))
    assert store.load("thr_1") == tuple(stamped([noted(1)]))


@pytest.mark.slow
def test_a_lease_outlives_a_restart_of_the_server(server, url):
    with closing(SharedThreadStore(url, lease_s=1.5)) as patient, patient.hold("thr_1"):
        server.stop()
        time.sleep(0.5)  # a sign of life fails
        server.start()
        time.sleep(1.0)
        with _holding(url, 1.5, "leave") as other:
            assert other.wait(20) != 0
        assert patient.append("thr_1", 0, stamped([noted(1)])) == 1


def test_a_lost_lease_is_given_up_and_the_new_holders_is_left_alone(store, url):
    with closing(SharedThreadStore(url, lease_s=0.3)) as slow, slow.hold("thr_1"):
        with closing_engine(url) as connection:
            connection.execute(text("UPDATE skills_lease SET epoch = 7, holder = 'x'"))
            connection.commit()
        time.sleep(0.3)
    with closing_engine(url) as connection:
        found = connection.execute(text("SELECT epoch, holder, is_released FROM skills_lease"))
        assert found.one() == (7, "x", False)


def test_an_append_under_the_own_lease_goes_through(store):
    with store.hold("thr_1"):
        assert store.append("thr_1", 1, stamped([noted(2)], 1)) == 2


# --- crashes

_WRITER = """
import sys
from skills_nb.errors import StoreError
from skills_nb.runtime.stores.postgres import SharedThreadStore
from tests.runtime.store_contract import noted, stamped

store = SharedThreadStore(sys.argv[1])
head = 1
while True:
    head = store.append("thr_1", head, stamped([noted(head)], head))
    print(head, flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize("victim", ["writer", "server"])
def test_a_killed_writer_or_server_loses_no_acknowledged_event(server, store, url, victim):
    child = subprocess.Popen(
        [sys.executable, "-c", _WRITER, url],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    first = [child.stdout.readline() for _ in range(5)]
    if victim == "writer":
        child.send_signal(signal.SIGKILL)
    else:
        server.stop()  # without a checkpoint, as after a power cut
        server.start()
    rest = child.stdout.read()
    child.wait()
    acknowledged = [int(line) for line in ("".join(first) + rest).splitlines()]
    child.stdout.close()
    found = [event.seq for event in store.load("thr_1")]
    assert found[: len(acknowledged) + 1] == [1, *acknowledged]
    assert len(found) - len(acknowledged) - 1 in (0, 1)


def test_a_connection_that_broke_before_the_append_is_replaced(server, store, url):
    with closing_engine(server.url()) as connection:
        connection.execute(
            text(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE pid <> pg_backend_pid() AND usename = 'skills'"
            )
        )
    assert store.append("thr_1", 1, stamped([noted(2)], 1)) == 2
    assert len(store.load("thr_1")) == 2


@contextmanager
def _at_the_next_commit(store: SharedThreadStore, happens):
    def hook(connection):
        if waiting:
            waiting.pop()(connection.connection.dbapi_connection)

    waiting = [happens]
    event.listen(store._engine, "commit", hook)
    yield
    assert waiting == []


def _commit_and_hang_up(driver) -> None:
    driver.commit()
    driver.close()


def test_a_commit_whose_answer_was_lost_is_found_to_have_taken_place(store):
    with _at_the_next_commit(store, _commit_and_hang_up):
        assert store.append("thr_1", 1, stamped([noted(2)], 1)) == 2
    assert store.load("thr_1") == tuple(stamped([noted(1), noted(2)]))


def test_a_commit_that_did_not_take_place_is_told(store):
    with (
        _at_the_next_commit(store, lambda driver: driver.close()),
        pytest.raises(StoreError, match=r"append to thread 'thr_1': .*; nothing was appended$"),
    ):
        store.append("thr_1", 1, stamped([noted(2)], 1))
    assert store.load("thr_1") == tuple(stamped([noted(1)]))
    assert store.append("thr_1", 1, stamped([noted(2)], 1)) == 2


def test_a_commit_that_nobody_can_tell_of_is_told_as_such(server, store):
    with (
        _at_the_next_commit(store, lambda _driver: server.stop()),
        pytest.raises(StoreError, match=r"is not known: reload the thread$"),
    ):
        store.append("thr_1", 1, stamped([noted(2)], 1))
    server.start()
    assert store.load("thr_1") == tuple(stamped([noted(1)]))


def _by_hand(url: str, *statements: str) -> None:
    with closing_engine(url) as connection:
        connection.execute(text("ALTER TABLE skills_event DISABLE TRIGGER ALL"))
        for sql in statements:
            connection.execute(text(sql))
        connection.execute(text("ALTER TABLE skills_event ENABLE TRIGGER ALL"))
        connection.commit()


@pytest.mark.parametrize(
    "statements",
    [
        ["DELETE FROM skills_event WHERE seq = 2"],
        ["DELETE FROM skills_event WHERE seq = 2", "UPDATE skills_thread SET head = 1"],
    ],
)
def test_events_taken_from_the_end_are_told_and_the_thread_goes_on_when_accepted(
    store, url, statements
):
    store.append("thr_1", 1, stamped([noted(2)], 1))
    assert (store.shortfalls(), store.verify()) == ((), ())
    _by_hand(url, *statements)
    assert [one.found for one in store.shortfalls("thr_1")] == [1]
    assert len(store.verify()) == 1
    with pytest.raises(StoreError, match=r"thread 'thr_1'.*; nothing was appended"):
        store.append("thr_1", 1, stamped([noted("late")], 1))
    with pytest.raises(StoreError, match=r"thread 'thr_1'.*; nothing was done"):
        store.hold("thr_1").__enter__()
    store.accept("thr_1")
    assert store.append("thr_1", 1, stamped([noted("on")], 1)) == 2
    assert store.verify() == ()


def test_an_event_that_was_changed_is_told(store, url):
    store.append("thr_1", 1, stamped([noted(2)], 1))
    _by_hand(url, "UPDATE skills_event SET document = replace(document::text, '2', '3')::json")
    for after in (0, 1):
        with pytest.raises(StoreError, match=r"event \d is not what was written"):
            store.load("thr_1", after)


def test_a_store_of_before_goes_on_and_its_older_processes_are_refused(store, url):
    _by_hand(
        url,
        "DROP TRIGGER skills_event_is_chained ON skills_event",
        "ALTER TABLE skills_event DROP COLUMN digest",
        "ALTER TABLE skills_thread DROP COLUMN digest",
        "UPDATE skills_store SET version = 1",
    )
    with closing(SharedThreadStore(url)) as today:
        assert (today.load("thr_1"), today.verify()) == (tuple(stamped([noted(1)])), ())
        today.append("thr_1", 1, stamped([noted(2), noted(3)], 1))
        assert (len(today.load("thr_1")), len(today.load("thr_1", 2)), today.verify()) == (3, 1, ())
    older = "INSERT INTO skills_event SELECT tid, 9, type, v, NULL, document FROM skills_event"
    with closing_engine(url) as connection, pytest.raises(DBAPIError, match="upgrade skills-nb"):
        connection.execute(text(f"{older} WHERE seq = 1"))
