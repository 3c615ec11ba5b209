"""What an account on disk remembers, whenever its process dies."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.errors import SkillsError

from .conftest import SETUP, rows, statements

CHILD = """
import sys
from pathlib import Path
from skills_nb.embedded.engine.account import Account
account = Account.open(Path(sys.argv[1]))
session = account.session("ADMIN")
session.execute("create database d")
session.execute("create table d.public.log (n int)")
print("ready", flush=True)
n = 0
while True:
    n += 1
    session.execute(f"insert into d.public.log values ({n})", query_tag=f"n{n}")
    if n % 5 == 0:
        session.execute(f"create table d.public.t{n} (a int)")
        session.execute("begin")
        session.execute("insert into d.public.log values (-1)")
        session.execute("rollback")
    print(n, flush=True)
"""


def test_everything_is_there_after_reopening(tmp_path: Path) -> None:
    with Account.open(tmp_path) as account:
        session = account.session("ADMIN")
        for statement in statements(SETUP):
            session.execute(statement)
        before = account.fingerprint()
    with Account.open(tmp_path) as account:
        assert account.fingerprint() == before
        analyst = account.session("ADMIN", "ANALYST", "COMPUTE_WH", "SHOP", "SALES")
        assert rows(analyst, "select name, ssn from people order by id limit 1") == [("Ann", "***")]
        admin = account.session("ADMIN")
        history = "select count(*) from snowflake.account_usage.query_history"
        assert rows(admin, history)[0][0] == len(statements(SETUP)) + 1


def test_a_second_process_is_told_who_has_the_account(tmp_path: Path) -> None:
    with (
        Account.open(tmp_path),
        pytest.raises(SkillsError, match=f"in use by process {os.getpid()}"),
    ):
        Account.open(tmp_path)
    Account.open(tmp_path).close()


def test_a_damaged_file_says_so(tmp_path: Path) -> None:
    (tmp_path / "account.duckdb").write_bytes(b"this is no database" * 100)
    with pytest.raises(SkillsError, match="cannot be opened"):
        Account.open(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("after_s", [0.15, 0.4])
def test_sigkill_leaves_data_catalog_and_history_in_agreement(
    tmp_path: Path, after_s: float
) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    time.sleep(after_s)
    child.send_signal(signal.SIGKILL)
    acknowledged = [int(line) for line in child.stdout.read().split()]
    child.wait()
    child.stdout.close()
    with Account.open(tmp_path) as account:
        session = account.session("ADMIN", database="D")
        stored = sorted(n for (n,) in rows(session, "select n from d.public.log"))
        tags = (
            "select substr(query_tag, 2)::int from snowflake.account_usage.query_history "
            "where query_tag like 'n%' and execution_status = 'SUCCESS'"
        )
        assert sorted(n for (n,) in rows(session, tags)) == stored
        assert set(acknowledged) <= set(stored)
        assert stored == list(range(1, len(stored) + 1))
        for (name,) in rows(session, 'show tables in schema d.public ->> select "name" from $1'):
            session.execute(f"select * from d.public.{name}")
        made = len(rows(session, "show tables like 't%' in schema d.public"))
        assert made in (len(stored) // 5, (len(stored) - 1) // 5)


def test_the_shadow_has_the_catalog_and_no_rows(tmp_path: Path) -> None:
    with Account.open(tmp_path) as account:
        session = account.session("ADMIN")
        for statement in statements(SETUP):
            session.execute(statement)
        with account.snapshot_without_rows() as shadow:
            assert shadow.fingerprint() == account.fingerprint()
            twin = shadow.session("ADMIN", None, None, "SHOP", "SALES")
            assert rows(twin, "select * from people") == []
            twin.execute("drop table people")
            twin.execute("create table other (a int)")
        assert len(rows(session, "select * from people")) == 3


def test_a_shadow_makes_the_tables_that_a_statement_touches(tmp_path: Path) -> None:
    with Account.open(tmp_path) as account:
        session = account.session("ADMIN")
        for statement in statements(SETUP):
            session.execute(statement)
        session.execute("create table shop.sales.idle (a int)")
        session.execute("create table shop.sales.wide (a int)")
        with account.snapshot_without_rows() as shadow:
            twin = shadow.session("ADMIN", None, "COMPUTE_WH", "SHOP", "SALES")
            assert [row[7] for row in rows(twin, "show tables in schema shop.sales")] == [0, 0, 0]
            assert len(shadow.unmade) == 3
            assert rows(twin, "select id from people") == []
            assert len(shadow.unmade) == 2
            twin.execute("begin")
            twin.execute("insert into people select 1, 'x', 'y', 'z'")
            twin.execute("alter table wide add column b int")
            assert rows(twin, "select * from wide") == []
            assert rows(twin, "select id from people") == [(1,)]
            with pytest.raises(SkillsError):
                twin.execute("select * from nowhere")
            assert shadow.unmade == set()


def test_a_failed_statement_changes_nothing(tmp_path: Path) -> None:
    with Account.open(tmp_path) as account:
        session = account.session("ADMIN")
        session.execute("create database d")
        before = account.fingerprint()
        with pytest.raises(SkillsError):
            session.execute("create table t as select 1 / 0 as x")
        assert account.fingerprint() == before


def test_a_failure_inside_a_transaction_keeps_what_came_before() -> None:
    with Account.open() as account:
        session = account.session("ADMIN")
        session.execute("create database d")
        session.execute("create table t (a int)")
        session.execute("begin")
        session.execute("insert into t values (1)")
        with pytest.raises(SkillsError):
            session.execute("insert into t values ('x')")
        session.execute("insert into t values (2)")
        session.execute("commit")
        assert rows(session, "select a from t order by a") == [(1,), (2,)]


def test_ddl_commits_an_open_transaction() -> None:
    with Account.open() as account:
        session = account.session("ADMIN")
        session.execute("create database d")
        session.execute("create table t (a int)")
        session.execute("begin")
        session.execute("insert into t values (1)")
        session.execute("create table u (a int)")
        session.execute("rollback")
        assert rows(session, "select a from t") == [(1,)]


def test_another_session_does_not_see_what_is_not_committed() -> None:
    with Account.open() as account:
        session = account.session("ADMIN")
        session.execute("create database d")
        session.execute("create table t (a int)")
        other = account.session("ADMIN", None, None, "D", "PUBLIC")
        session.execute("begin")
        session.execute("insert into t values (1)")
        assert rows(other, "select * from t") == []
        session.execute("commit")
        assert rows(other, "select * from t") == [(1,)]
