"""Who only describes or explains a query changes nothing and learns the columns of its run."""

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.duck_sql import DuckSql
from skills_nb.embedded.rewriter.query import QueryRewriter
from skills_nb.embedded.types.values import Column
from skills_nb.errors import SqlError
from skills_nb.sql.statements import split
from tests.embedded.case_documents import Document, documents

SELECTING = ("SELECT", "WITH", "VALUES", "(")
EXPLAINED = ("EXPLAIN", "EXPLAIN USING TEXT", "EXPLAIN USING JSON")
_TABLES = duck_sql.of(
    "SELECT schema_name, table_name FROM duckdb_tables() "
    "WHERE NOT temporary AND table_name <> 'query_history' ORDER BY ALL"
)
_SEQUENCES = duck_sql.of("SELECT * FROM duckdb_sequences() ORDER BY ALL")


def standing(account: Account, session: AccountSession) -> dict[str, Any]:
    """Take down all that may change: the catalog, rows, sequences, files and the session."""
    return {
        "catalog": dict(account.fingerprint()),
        "rows": {place: _rows(session, place) for place in _all(session, _TABLES)},
        "sequences": _all(session, _SEQUENCES),
        "files": sorted(str(p) for p in account.files.root().rglob("*") if p.is_file()),
        "session": (
            session.frame,
            dict(session.parameters),
            dict(session.offsets),
            session.in_transaction,
            len(session.sent),
        ),
    }


def _all(session: AccountSession, asked: DuckSql) -> list[tuple[Any, ...]]:
    return session.cursor.execute(asked).fetchall()


def _rows(session: AccountSession, place: tuple[str, str]) -> list[tuple[Any, ...]]:
    asked = duck_sql.of(
        "SELECT count(*), bit_xor(hash(t)) FROM {table} AS t", table=duck_sql.place(place)
    )
    return _all(session, asked)


def attempted(session: AccountSession, sql: str, **how: Any) -> tuple[Column, ...] | SqlError:
    """Return the columns that a statement answers with, or its refusal."""
    try:
        return session.execute(sql, **how).columns
    except SqlError as refused:
        return refused


def is_selecting(sql: str) -> bool:
    return sql.lstrip().upper().startswith(SELECTING) and "AS PROCEDURE" not in sql.upper()


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.parametrize("document", documents(), ids=lambda document: document.path.stem)
def test_describing_and_explaining_leave_everything_as_it_was(document: Document) -> None:
    wrong: list[str] = []
    for case in document.cases:
        with Account.open() as account:
            session = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
            session.execute("create database cases")
            for statement in split(case.sql):
                wrong += (
                    f"{case.title}: {said}" for said in _broken(account, session, statement.text)
                )
    assert wrong == []


def _broken(account: Account, session: AccountSession, sql: str) -> Iterator[str]:
    """Describe a statement, explain it if it is a query, and run it; yield what did not hold."""
    before = standing(account, session)
    described = attempted(session, sql, describe_only=True)
    yield from _differences("described", before, standing(account, session), sql)
    if not is_selecting(sql):
        attempted(session, sql)
        return
    for explained in EXPLAINED:
        attempted(session, f"{explained} {sql}")
    yield from _differences("explained", before, standing(account, session), sql)
    answered = attempted(session, sql)
    if not isinstance(answered, SqlError) and described != answered:
        yield f"{sql}\n  described as {described}\n  run as {answered}"


def _differences(how: str, before: dict[str, Any], after: dict[str, Any], sql: str) -> list[str]:
    return [f"{how} changes {what}: {sql}" for what in before if before[what] != after[what]]


# ---- what runs when the query itself runs

SETUP = (
    "create database shop",
    "create table t (a int, k varchar)",
    "insert into t values (1, 'x'), (2, 'y')",
    "create sequence numbers",
    "create stream changes on table t append_only = true",
    'create procedure "Adds One"(n int) returns table(n int, w varchar) language sql as $$ '
    "begin insert into t values (:n, 'z'); let r resultset := (select a, k from t); "
    "return table(r); end $$",
    'create procedure "Adds One"(w varchar) returns table(only_word varchar) language sql as $$ '
    "begin insert into t values (0, :w); let r resultset := (select k from t); "
    "return table(r); end $$",
)
ACTING = (
    """select * from table("Adds One"(3))""",
    """select n + 1 as m from table("Adds One"(3)) where w = 'x'""",
    """select * from table("Adds One"('q'))""",
    """select * from (select * from table("Adds One"(n => 3))) pivot(sum(n) for w in ('x', 'y'))""",
    """with c as (select * from table("Adds One"(3))) select count(*) as n from c""",
    """select (select max(n) from table("Adds One"(3))) as m""",
    """select a from t union all select n from table("Adds One"(3))""",
    "select system$classify('t') as c",
    "select parse_json(system$classify('t', {'auto_tag': true})):classification_result as c",
    "select system$wait(3600) as w",
    "select iff(true, system$cancel_all_queries(1), '') as w",
    "select extract_semantic_categories('t') as c",
    "select numbers.nextval as n",
    "select n.nextval as v from table(getnextval(numbers)) n",
    "execute immediate 'select * from table(\"Adds One\"(3))'",
    """select a from t ->> select * from table("Adds One"(3)), $1""",
)


@pytest.fixture
def session(account: Account) -> AccountSession:
    opened = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
    for statement in SETUP:
        opened.execute(statement)
    return opened


@pytest.mark.parametrize("sql", ACTING)
def test_what_a_query_does_is_not_done_for_its_description(
    account: Account, session: AccountSession, sql: str
) -> None:
    before = standing(account, session)
    described = attempted(session, sql, describe_only=True)
    assert not isinstance(described, SqlError)
    for explained in EXPLAINED:
        attempted(session, f"{explained} {sql}")
    assert _differences("looking", before, standing(account, session), sql) == []
    if "3600" not in sql:
        assert attempted(session, sql) == described


REFUSED = """\
create view v as {}
create secure view v as {}
create materialized view v as {}
create dynamic table d target_lag = '1 minute' warehouse = compute_wh as {}
create row access policy r as (a int) returns boolean -> exists ({})
create masking policy m as (a int) returns int -> (select count(*) from ({}) s)
alter table t add column c int default (select count(*) from ({}) s)"""


@pytest.mark.parametrize("definition", REFUSED.splitlines())
@pytest.mark.parametrize("sql", [ACTING[0], ACTING[2], ACTING[7], ACTING[9]])
def test_a_definition_that_would_run_something_is_refused_and_runs_nothing(
    account: Account, session: AccountSession, definition: str, sql: str
) -> None:
    before = standing(account, session)
    refused = attempted(session, definition.format(sql))
    assert isinstance(refused, SqlError)
    assert refused.sqlstate in ("0A000", "42601", "22000")
    after = standing(account, session)
    assert _differences("defining", before, after, definition) == []


def test_a_function_that_reads_a_procedure_is_refused_where_it_is_made(
    account: Account, session: AccountSession
) -> None:
    before = standing(account, session)
    refused = attempted(
        session,
        "create function f() returns table(n int, w varchar) as "
        """'select * from table("Adds One"(3))'""",
    )
    assert isinstance(refused, SqlError)
    assert "procedures in FROM inside of views, functions and policies" in refused.message
    assert _differences("making", before, standing(account, session), "f") == []


def test_a_view_over_a_pivot_of_any_is_refused_as_it_could_not_be_read(
    session: AccountSession,
) -> None:
    refused = attempted(
        session, "create view v as select * from t pivot(sum(a) for k in (any order by k))"
    )
    assert isinstance(refused, SqlError)
    assert refused.sqlstate == "0A000"


def test_the_values_of_a_described_pivot_are_read_and_nothing_is_done_for_them(
    account: Account, session: AccountSession
) -> None:
    pivot = "select * from {} pivot(sum(a) for k in (any order by k))"
    before = standing(account, session)
    plain = attempted(session, pivot.format("t"), describe_only=True)
    drawn = attempted(
        session, pivot.format("(select numbers.nextval as a, k from t)"), describe_only=True
    )
    called = attempted(
        session,
        pivot.format('(select n as a, w as k from table("Adds One"(3)))'),
        describe_only=True,
    )
    assert not isinstance(plain, SqlError)
    assert [column.name for column in plain] == ["'x'", "'y'"]
    assert [isinstance(one, SqlError) for one in (drawn, called)] == [True, True]
    assert _differences("described", before, standing(account, session), "pivot") == []


def test_a_described_change_of_a_text_that_is_run_or_chained_changes_nothing(
    account: Account, session: AccountSession
) -> None:
    before = standing(account, session)
    for sql in (
        "execute immediate 'drop table t'",
        "drop table t ->> show tables",
        "insert into t values (1, 'n') ->> select * from $1",
        "begin drop table t; end",
        "with p as procedure() returns int language sql as $$ begin drop table t; end $$ call p()",
        "create table made using template (select array_agg(object_construct(*)) from t)",
        "create table made as select numbers.nextval as n",
    ):
        attempted(session, sql, describe_only=True)
        assert _differences("described", before, standing(account, session), sql) == []


def test_describing_wakes_no_warehouse_and_needs_none(session: AccountSession) -> None:
    session.execute("alter warehouse compute_wh suspend")
    described = attempted(session, "select a from t", describe_only=True)
    assert session.execute("show warehouses").rows[0][1] == "SUSPENDED"
    assert attempted(session, "select a from t") == described
    assert session.execute("show warehouses").rows[0][1] == "STARTED"


def test_a_described_stream_is_first_read_by_the_query_that_reads_it(
    account: Account, session: AccountSession
) -> None:
    session.execute("begin")
    before = standing(account, session)
    attempted(session, "select * from changes", describe_only=True)
    attempted(session, "explain select * from changes")
    assert _differences("described", before, standing(account, session), "changes") == []
    session.execute("select * from changes")
    assert len(session.offsets) == 1


def test_a_procedure_in_from_runs_once_for_each_query_that_runs(session: AccountSession) -> None:
    for sql in (ACTING[0], f"create table copied as {ACTING[0]}", f"insert into t {ACTING[0]}"):
        session.execute("delete from t")
        session.execute(sql)
        assert session.execute("select count(*) from t where k = 'z'").rows[0][0] == (
            2 if sql.startswith("insert") else 1
        )


def test_an_update_reads_a_procedure_once(session: AccountSession) -> None:
    session.execute(
        "update t set k = s.w || '!' from table(\"Adds One\"(3)) s where t.a = s.n and s.n = 1"
    )
    assert session.execute("select a, k from t order by a").rows == (
        (1, "x!"),
        (2, "y"),
        (3, "z"),
    )


def test_the_rewrite_runs_nothing(session: AccountSession, monkeypatch: pytest.MonkeyPatch) -> None:
    """Statements of the session and changes of rows are left to what the rewrite hands over."""
    rewriting = [0]

    def govern(work: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(work)
        def counted(*given: Any) -> Any:
            rewriting[0] += 1
            try:
                return work(*given)
            finally:
                rewriting[0] -= 1

        return counted

    def outside(work: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(work)
        def checked(*given: Any, **named: Any) -> Any:
            assert rewriting[0] == 0
            return work(*given, **named)

        return checked

    monkeypatch.setattr(QueryRewriter, "govern", govern(QueryRewriter.govern))
    for name in ("execute", "nested", "run", "as_query"):
        monkeypatch.setattr(AccountSession, name, outside(getattr(AccountSession, name)))
    for sql in ACTING:
        if "3600" not in sql:
            assert not isinstance(attempted(session, sql), SqlError)
    many = "select * from table(result_scan(last_query_id()))"
    session.execute("select seq4() as n, 'x' as w from table(generator(rowcount => 3000))")
    assert len(session.execute(many).rows) == 3000
    assert len(session.execute("select * from information_schema.columns").rows) > 0
