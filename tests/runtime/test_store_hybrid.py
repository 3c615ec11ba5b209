"""The store on Snowflake: the conformance suite on a real account, its statements here.

Hybrid tables are not part of the embedded account. So the suite runs where
`SKILLS_NB_TEST_CONNECTION` names an account that has them. Here the store's statements run on
standard tables of the embedded account, which enforce no key: what rests on keys is left to a real
account, and said so.
"""

from __future__ import annotations

from contextlib import closing

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.wire import EmbeddedWire
from skills_nb.errors import ConflictError, SqlError, StoreError, ThreadError
from skills_nb.runtime import mounted_connection
from skills_nb.runtime.stores.hybrid import HybridThreadStore
from skills_nb.runtime.stores.hybrid_tables import NAMES, SCHEMA_VERSION
from tests.runtime.real_account import named, own_database
from tests.runtime.store_contract import ThreadStoreContract, noted, stamped

_NO_HYBRIDS = ("Unsupported feature", "READ_LATEST_WRITES", "HYBRID")
_EMPTIED = ("SKILLS_EVENT", "SKILLS_THREAD", "SKILLS_MARK", "SKILLS_LEASE")


class HybridContract(ThreadStoreContract):
    """The suite over one schema, emptied for every store."""

    store_type: type[HybridThreadStore] = HybridThreadStore

    @pytest.fixture(autouse=True)
    def _schema(self, place):
        self.address, self.opens = place
        self.opened: list[HybridThreadStore] = []
        yield
        for store in self.opened:
            store.close()

    def open(self):
        store = self.another(None)
        for name in _EMPTIED:
            store._line.change(f"DELETE FROM {store._sql.table(name)}")
        return store

    def another(self, store):
        made = self.store_type(self.address, opens=self.opens)
        self.opened.append(made)
        return made


@pytest.fixture(scope="module")
def real_schema(tmp_path_factory):
    """A schema of an account that has hybrid tables, dropped afterwards."""
    with (
        named("account", tmp_path_factory.mktemp("none")) as name,
        own_database(name) as (_, database),
    ):
        address = f"snowflake://{name}/{database}/PUBLIC"
        try:
            HybridThreadStore(address).close()
        except StoreError as problem:
            if not any(word in problem.message for word in _NO_HYBRIDS):
                raise
            pytest.skip(f"this account has no hybrid tables: {problem.message}")
        yield address, None


class TestOnARealAccount(HybridContract):
    @pytest.fixture
    def place(self, real_schema):
        return real_schema


class OnStandardTables(HybridThreadStore):
    """The store's statements on tables that the embedded account has."""

    def _make_tables(self):
        for statement in self._sql.creates():
            self._line.ask(statement.replace("HYBRID TABLE", "TABLE"))
        ((version,),) = self._line.ask(self._sql.versions)
        if version != SCHEMA_VERSION:
            self._upgrade(is_new=version is None)


@pytest.fixture(scope="module")
def account():
    with closing(Account.open()) as opened:
        connection = mounted_connection.connect(
            EmbeddedWire(opened), user="ADMIN", role="ACCOUNTADMIN"
        )
        connection.cursor().execute("CREATE DATABASE TEAM")
        connection.close()
        yield opened


@pytest.fixture(scope="module")
def opens(account):
    wire = EmbeddedWire(account)
    options = {"role": "ACCOUNTADMIN", "warehouse": "COMPUTE_WH", "paramstyle": "qmark"}
    return lambda: mounted_connection.connect(wire, user="ADMIN", **options)


_NEED_KEYS = {
    "test_a_statement_has_one_intent",
    "test_a_statement_has_one_outcome",
    "test_an_intent_belongs_to_one_thread",
    "test_any_run_of_appends_behaves_like_a_list",
    "test_racing_writers_lose_nothing_and_write_nothing_twice",
}


class TestStatementsOnStandardTables(HybridContract):
    store_type = OnStandardTables

    @pytest.fixture
    def place(self, request, opens):
        if request.node.originalname in _NEED_KEYS:
            pytest.skip("standard tables enforce no key: only a real account can tell")
        return "snowflake://embedded/TEAM/PUBLIC", opens


@pytest.fixture
def store(opens):
    with closing(OnStandardTables("snowflake://embedded/TEAM/PUBLIC", opens=opens)) as opened:
        for name in _EMPTIED:
            opened._line.change(f"DELETE FROM {opened._sql.table(name)}")
        opened.append("thr_1", 0, stamped([noted(1)]))
        yield opened


def test_a_head_that_moved_since_it_was_read_is_a_conflict(store):
    store.append("thr_1", 1, stamped([noted(2)], 1))
    with pytest.raises(ConflictError, match="'thr_1' is at event 2, not 1"):
        store.append("thr_1", 1, stamped([noted("late")], 1))
    assert len(store.load("thr_1")) == 2


def test_a_holder_whose_lease_was_taken_cannot_append_any_more(store):
    with store.hold("thr_1"):
        store._line.change(f"UPDATE {store._sql.table('SKILLS_LEASE')} SET EPOCH = 7")
        with pytest.raises(ConflictError, match=r"taken over by another process \(epoch 7, not 1"):
            store.append("thr_1", 1, stamped([noted("late")], 1))
    assert len(store.load("thr_1")) == 1


def test_a_live_holders_thread_is_refused_and_a_dead_ones_is_taken(store):
    taken = store._leases._rows.take("thr_2", "process 1 on elsewhere/0", 60)
    assert taken == (1, False)
    with (
        pytest.raises(ThreadError, match=r"is held by process 1 on elsewhere$"),
        store.hold("thr_2"),
    ):
        pass
    assert store._leases._rows.renew("thr_2", 1, -1)
    with store.hold("thr_2") as was_left:
        assert was_left is True
    assert not store._leases._rows.renew("thr_2", 1, 60)


def test_what_is_refused_inside_an_append_leaves_nothing(store, monkeypatch):
    def refused(*_):
        raise SqlError("no", errno=2003)

    monkeypatch.setattr(store, "_add", refused)
    with pytest.raises(StoreError, match=r"append to thread 'thr_1': no; nothing was appended$"):
        store.append("thr_1", 1, stamped([noted(2)], 1))
    assert [head.seq for head in store.heads()] == [1]


def test_a_missing_event_is_told(store):
    store.append("thr_1", 1, stamped([noted(2)], 1))
    store._line.change(f"DELETE FROM {store._sql.table('SKILLS_EVENT')} WHERE SEQ = 1")
    with pytest.raises(StoreError, match="thread 'thr_1': event 1 is missing"):
        store.load("thr_1")


def test_a_line_that_is_gone_is_opened_again(store):
    store._line._connection.close()
    with pytest.raises(StoreError, match="cannot read thread 'thr_1'"):
        store.load("thr_1")
    assert len(store.load("thr_1")) == 1


@pytest.mark.parametrize("happens", ["before", "after"])
def test_a_commit_whose_answer_was_lost_is_looked_up(store, happens):
    ran = store._line._ran

    def cut(sql, values):
        if sql == "COMMIT":
            store._line._ran = ran
            if happens == "after":
                ran(sql, values)
            store._line._connection.close()
            raise SqlError("the line broke", errno=250001)
        return ran(sql, values)

    store._line._ran = cut
    if happens == "after":
        assert store.append("thr_1", 1, stamped([noted(2)], 1)) == 2
    else:
        with pytest.raises(StoreError, match="the line broke; nothing was appended"):
            store.append("thr_1", 1, stamped([noted(2)], 1))
    assert len(store.load("thr_1")) == (2 if happens == "after" else 1)


def test_an_account_without_hybrid_tables_is_refused_in_one_line(opens):
    with pytest.raises(StoreError, match="cannot open the thread store: ") as caught:
        HybridThreadStore("snowflake://embedded/TEAM/PUBLIC", opens=opens)
    assert "Unsupported feature" in caught.value.message
    assert "\n" not in caught.value.message


@pytest.mark.parametrize(
    "address",
    [
        "snowflake://me:secret@account/db",
        "snowflake://name",
        "snowflake://name/DB",
        "snowflake://name/DB/S; DROP",
    ],
)
def test_an_address_that_is_none_is_refused_and_not_repeated(address):
    with pytest.raises(StoreError) as caught:
        HybridThreadStore(address)
    assert "secret" not in caught.value.message
    assert "connections.toml" in (caught.value.hint or "")


def test_the_tables_are_hybrid_and_have_keys(store):
    made = store._sql.creates()
    assert [text.split(" (")[0].rpartition(".")[2] for text in made] == list(NAMES)
    assert all(t.startswith("CREATE HYBRID TABLE") and "PRIMARY KEY" in t for t in made)


@pytest.mark.parametrize("found", [0, 1])
def test_events_taken_from_the_end_are_told_and_the_thread_goes_on_when_accepted(store, found):
    name = f"thr_short_{found}"
    store.append(name, 0, stamped([noted(1), noted(2)]))
    assert store.shortfalls(name) == ()
    events = store._sql.table("SKILLS_EVENT")
    store._line.change(f"DELETE FROM {events} WHERE THREAD_ID = ? AND SEQ > ?", (name, found))
    assert [(one.thread_id, one.found) for one in store.shortfalls()] == [(name, found)]
    with pytest.raises(StoreError, match=r"instead of 2: .* missing; nothing was done"):
        store.hold(name).__enter__()
    store.accept(name)
    assert (store.shortfalls(), store.verify()) == ((), ())
    assert store.append(name, found, stamped([noted("on")], found)) == found + 1


@pytest.mark.parametrize(
    "by_hand",
    [
        "UPDATE {events} SET DOCUMENT = REPLACE(DOCUMENT, '2', '3') WHERE SEQ = 2",
        "UPDATE {events} SET DIGEST = NULL WHERE SEQ = 2",
        "UPDATE {events} SET DIGEST = REVERSE(DIGEST) WHERE SEQ = 1",
    ],
)
def test_an_event_that_was_changed_is_told(store, by_hand):
    store.append("thr_1", 1, stamped([noted(2), noted(3)], 1))
    assert (store.shortfalls(), store.verify()) == ((), ())
    store._line.change(by_hand.format(events=store._sql.table("SKILLS_EVENT")))
    with pytest.raises(StoreError, match=r"event \d is not what was written"):
        store.load("thr_1")
    assert len(store.verify()) == 1


def test_another_history_of_the_same_length_is_told(store):
    store.append("thr_1", 1, stamped([noted(2)], 1))
    store._line.change(
        f"UPDATE {store._sql.table('SKILLS_EVENT')} SET DIGEST = REVERSE(DIGEST) WHERE SEQ = 2"
    )
    assert [one.thread_id for one in store.shortfalls("thr_1")] == ["thr_1"]
    with pytest.raises(StoreError, match="nothing was done"):
        store.hold("thr_1").__enter__()


def test_a_store_of_before_goes_on_and_its_chain_begins(store, opens):
    for name in ("SKILLS_EVENT", "SKILLS_THREAD"):
        store._line.ask(f"ALTER TABLE {store._sql.table(name)} DROP COLUMN DIGEST")
    store._line.change(f"UPDATE {store._sql.table('SKILLS_STORE')} SET VERSION = 1")
    with closing(OnStandardTables("snowflake://embedded/TEAM/PUBLIC", opens=opens)) as today:
        assert (len(today.load("thr_1")), today.verify()) == (1, ())
        today.append("thr_1", 1, stamped([noted(2), noted(3)], 1))
        assert (len(today.load("thr_1", 2)), today.verify()) == (1, ())
