"""The session port on a named connection: on the loopback mount, and on a real account.

Both run the same tests through the connector's own `connections.toml`; see `real_account`.
"""

from __future__ import annotations

import time

import pytest

from skills_nb.errors import SqlError
from tests.runtime.real_account import WHERE, named, own_database


@pytest.fixture(scope="module", params=WHERE)
def place(request, tmp_path_factory):
    home = tmp_path_factory.mktemp("served") / "home"
    with named(request.param, home) as name, own_database(name) as (session, database):
        session.execute(f"CREATE SCHEMA {database}.S", role=None, tag="setup")
        yield session, f"{database}.S"


@pytest.fixture
def session(place):
    return place[0]


@pytest.fixture
def table(place):
    session, schema = place
    session.execute(
        f"CREATE OR REPLACE TABLE {schema}.T (A INT, B NUMBER(10,2))", role=None, tag="t"
    )
    session.execute(f"INSERT INTO {schema}.T VALUES (1, 2.5), (2, NULL)", role=None, tag="t")
    return f"{schema}.T"


def tag(name):
    """Return a tag that no earlier run has used."""
    return f"contract:{time.time_ns()}:{name}"


def test_the_session_says_where_and_as_whom_it_works(session):
    told = session.context()
    assert told.account_locator
    assert told.current_user
    assert told.current_role in told.available_roles
    assert list(told.available_roles) == sorted(told.available_roles)


def test_no_secondary_role_helps(session):
    ((told,),) = session.query("SELECT CURRENT_SECONDARY_ROLES()").rows
    assert '"roles":""' in told.replace(" ", "")


def test_rows_come_exact_and_json_safe(session, table):
    found = session.query(f"SELECT A, B FROM {table} ORDER BY A")
    assert (found.columns, found.rows) == (("A", "B"), ((1, "2.50"), (2, None)))
    assert found.query_id


def test_a_limit_cuts_rows_and_not_their_count(session, table):
    found = session.query(f"SELECT A FROM {table} ORDER BY A", limit=1)
    assert (found.rows, found.row_count) == (((1,),), 2)


def test_rows_are_counted_only_where_rows_changed(session, table):
    changed = session.execute(f"UPDATE {table} SET B = 0", role=None, tag=tag("update"))
    made = session.execute(f"CREATE OR REPLACE TABLE {table}2 (A INT)", role=None, tag=tag("ddl"))
    assert (changed.row_count, made.row_count) == (2, None)
    assert changed.query_id != made.query_id


def test_a_refusal_has_the_accounts_number_state_and_bare_words(session, table):
    with pytest.raises(SqlError) as caught:
        session.execute(f"DROP TABLE {table}_NOT_THERE", role=None, tag=tag("refused"))
    problem = caught.value
    assert (problem.errno, problem.sqlstate) == (2003, "42S02")
    assert problem.message.startswith("SQL compilation error:")
    assert problem.query_id


def test_a_role_is_borrowed_and_given_back(session):
    told = session.context()
    other = next(role for role in told.available_roles if role != told.current_role)
    assert session.query("SELECT CURRENT_ROLE()", role=other).rows == ((other,),)
    assert session.context().current_role == told.current_role


def test_a_role_that_is_not_held_is_refused_and_nothing_is_sent(session, table):
    with pytest.raises(SqlError):
        session.execute(f"DROP TABLE {table}", role="SKILLS_NB_NO_SUCH_ROLE", tag=tag("role"))
    assert session.query(f"SELECT COUNT(*) FROM {table}").rows == ((2,),)


def test_a_statement_is_found_by_its_tag_alone(session, table):
    mark = tag("found")
    sent = session.execute(f"DELETE FROM {table} WHERE A = 1", role=None, tag=mark)
    fate = session.fate(mark)
    assert (fate.status, fate.query_id, fate.row_count) == ("succeeded", sent.query_id, 1)
    assert session.query(f"SELECT COUNT(*) FROM {table}").rows == ((1,),)


def test_a_refused_statement_is_found_with_its_number(session, table):
    mark = tag("failed")
    with pytest.raises(SqlError):
        session.execute(f"DROP TABLE {table}_NOT_THERE", role=None, tag=mark)
    fate = session.fate(mark)
    assert (fate.status, fate.errno) == ("failed", 2003)


def test_a_statement_that_was_never_sent_is_absent(session):
    assert session.fate(tag("never")).status == "absent"


def test_a_submitted_statement_has_its_id_and_then_its_outcome(session, table):
    mark = tag("submitted")
    query_id = session.submit(f"INSERT INTO {table} VALUES (3, 1)", role=None, tag=mark)
    outcome = session.outcome(query_id)
    assert (outcome.query_id, outcome.row_count) == (query_id, 1)
    assert session.fate(mark, query_id=query_id).status == "succeeded"
