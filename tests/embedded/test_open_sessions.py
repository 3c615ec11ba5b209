"""What a session may do ends with its user and the user's roles, whoever takes them away."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import quote

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.embedded.wire import EmbeddedWire
from skills_nb.errors import SqlError
from skills_nb.runtime import mounted_connection

DISABLED, GONE, HIDDEN = 390101, 390111, 2003
READ = 'select a from home.s."My Table"'
BEFORE = """
create database home
create schema home.s
create table home.s."My Table" (a int)
insert into home.s."My Table" values (1)
create role "low r"
create role other
create role beneath
grant role beneath to role "low r"
create user eve default_role = "low r" default_secondary_roles = () default_warehouse = COMPUTE_WH
grant role "low r" to user eve
grant role other to user eve
grant usage on warehouse compute_wh to role public
grant usage on database home to role beneath
grant usage on schema home.s to role beneath
grant select, insert on table home.s."My Table" to role beneath
"""


@pytest.fixture
def boss(account: Account) -> AccountSession:
    session = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
    for statement in BEFORE.strip().splitlines():
        session.execute(statement)
    return session


@pytest.fixture
def eve(account: Account, boss: AccountSession) -> AccountSession:
    session = account.session("EVE")
    assert session.execute(READ).rows == ((1,),)
    return session


def errno(session: AccountSession, sql: str) -> int | None:
    with pytest.raises(SqlError) as refused:
        session.execute(sql)
    return refused.value.errno


def value(session: AccountSession, sql: str) -> object:
    return session.execute(sql).rows[0][0]


@pytest.mark.parametrize(
    "taken",
    [
        'revoke role "low r" from user eve',
        'revoke role beneath from role "low r"',
        'drop role "low r"',
        "drop role beneath",
    ],
)
def test_a_role_that_is_taken_away_opens_nothing_from_the_next_statement_on(
    boss: AccountSession, eve: AccountSession, taken: str
) -> None:
    eve.execute("begin")
    boss.execute(taken)
    assert errno(eve, READ) == HIDDEN
    assert errno(eve, 'insert into home.s."My Table" values (2)') == HIDDEN
    assert errno(eve, f"create temporary table home.s.t as {READ}") == HIDDEN
    assert eve.execute("rollback").rows
    assert value(boss, 'select count(*) from home.s."My Table"') == 1


def test_who_loses_the_primary_role_works_as_public_until_it_is_given_back(
    boss: AccountSession, eve: AccountSession
) -> None:
    boss.execute('revoke role "low r" from user eve')
    assert value(eve, "select current_role()") == "PUBLIC"
    assert value(eve, "select is_role_in_session('beneath')") is False
    assert errno(eve, 'use role "low r"') == 3013
    boss.execute('grant role "low r" to user eve')
    assert value(eve, "select current_role()") == "low r"
    assert value(eve, READ) == 1


def test_a_new_role_of_the_name_of_a_dropped_one_is_another(
    boss: AccountSession, eve: AccountSession
) -> None:
    boss.execute('drop role "low r"')
    boss.execute('create role "low r"')
    boss.execute('grant role beneath to role "low r"')
    assert errno(eve, READ) == HIDDEN


def test_secondary_roles_count_while_they_are_held(
    boss: AccountSession, eve: AccountSession
) -> None:
    eve.execute("use role other")
    assert errno(eve, READ) == HIDDEN
    eve.execute("use secondary roles all")
    assert value(eve, READ) == 1
    boss.execute('revoke role "low r" from user eve')
    assert errno(eve, READ) == HIDDEN


def test_nobody_drops_the_role_that_the_session_works_as(boss: AccountSession) -> None:
    boss.execute("create role mine")
    boss.execute("grant role mine to user admin")
    boss.execute("grant ownership on role mine to role mine")
    boss.execute("use role mine")
    with pytest.raises(SqlError, match="Cannot drop role MINE as it is the current primary role"):
        boss.execute("drop role mine")
    boss.execute("use role accountadmin")
    boss.execute("grant role mine to role accountadmin")
    assert boss.execute("drop role mine").rows


@pytest.mark.parametrize(
    ("taken", "number"),
    [("alter user eve set disabled = true", DISABLED), ("drop user eve", GONE)],
)
def test_a_user_who_is_disabled_or_dropped_sends_nothing_more(
    account: Account, boss: AccountSession, eve: AccountSession, taken: str, number: int
) -> None:
    eve.execute("begin")
    eve.execute('insert into home.s."My Table" values (2)')
    boss.execute(taken)
    for statement in (
        READ,
        "select 1",
        "commit",
        "use role public",
        "show roles",
        "explain select 1",
    ):
        assert errno(eve, statement) == number, statement
    with pytest.raises(SqlError):
        eve.execute(READ, describe_only=True)
    with pytest.raises(SqlError):
        account.session("EVE")
    assert value(boss, 'select count(*) from home.s."My Table"') == 1
    eve.close()


def test_a_user_who_may_come_back_goes_on(boss: AccountSession, eve: AccountSession) -> None:
    boss.execute("alter user eve set disabled = true")
    assert errno(eve, READ) == DISABLED
    boss.execute("alter user eve unset disabled")
    assert value(eve, READ) == 1


def test_a_new_user_of_the_name_of_a_dropped_one_is_another(
    account: Account, boss: AccountSession, eve: AccountSession
) -> None:
    query_id = eve.execute(READ).query_id
    boss.execute("drop user eve")
    boss.execute("create user eve default_role = 'low r' default_warehouse = COMPUTE_WH")
    boss.execute('grant role "low r" to user eve')
    assert errno(eve, READ) == GONE
    again = account.session("EVE", "low r")
    assert errno(again, f"select * from table(result_scan('{query_id}'))") == 709


def test_a_user_with_another_name_goes_on(boss: AccountSession, eve: AccountSession) -> None:
    query_id = eve.execute(READ).query_id
    boss.execute('alter user eve rename to "Eve 2"')
    assert value(eve, "select current_user()") == "Eve 2"
    assert value(eve, READ) == 1
    assert value(eve, f"select * from table(result_scan('{query_id}'))") == 1


def test_who_disables_oneself_is_through_with_that_statement(
    account: Account, boss: AccountSession
) -> None:
    boss.execute("grant role accountadmin to user eve")
    eve = account.session("EVE", "ACCOUNTADMIN", "COMPUTE_WH")
    eve.execute("alter user eve set disabled = true")
    assert errno(eve, "alter user eve set disabled = false") == DISABLED


def test_a_running_statement_of_a_user_who_is_disabled_ends(
    account: Account, boss: AccountSession
) -> None:
    boss.execute("grant role accountadmin to user eve")
    eve, ended = account.session("EVE", "ACCOUNTADMIN", "COMPUTE_WH"), []

    def work() -> None:
        try:
            eve.execute(
                "select sum(a.seq * b.seq) from (select seq4() seq from table(generator("
                "rowcount => 1000000))) a, (select seq4() seq from table(generator("
                "rowcount => 1000000))) b"
            )
        except SqlError as error:
            ended.append(error.errno)

    thread = threading.Thread(target=work)
    thread.start()
    while not account.working:
        time.sleep(0.01)
    boss.execute("alter user eve set disabled = true")
    thread.join(30)
    assert ended == [604]


# ---- on the wire


@pytest.fixture
def connect(account: Account, boss: AccountSession) -> Iterator[Callable[..., Any]]:
    wire = EmbeddedWire(account)
    opened: list[Any] = []

    def make(user: str, role: str = "low r") -> Any:
        opened.append(
            mounted_connection.connect(wire, user=user, role=f'"{role}"', warehouse="COMPUTE_WH")
        )
        return opened[-1]

    yield make
    for connection in opened:
        connection.close()


@pytest.mark.parametrize("taken", ["alter user eve set disabled = true", "drop user eve"])
def test_a_token_of_a_user_who_is_disabled_or_dropped_opens_nothing(
    boss: AccountSession, connect: Callable[..., Any], taken: str
) -> None:
    from snowflake.connector.errors import DatabaseError

    connection = connect("EVE")
    cursor = connection.cursor()
    cursor.execute_async(READ)
    kept = cursor.sfqid
    assert connection.cursor().execute(READ).fetchall() == [(1,)]
    boss.execute(taken)
    with pytest.raises(DatabaseError):
        connection.cursor().execute(READ)
    with pytest.raises(DatabaseError):
        connection.cursor().get_results_from_sfqid(kept)
    with pytest.raises(DatabaseError):
        connect("EVE")


def asking(wire: EmbeddedWire, user: str, role: str) -> Callable[..., Mapping[str, Any]]:
    """Log in and return what sends a request with the token."""
    url = f"http://x/session/v1/login-request?roleName={quote(role)}&warehouse=COMPUTE_WH"
    begun = wire.handle("POST", url, {}, {"data": {"LOGIN_NAME": user}})
    headers = {"Authorization": f'Snowflake Token="{begun["data"]["token"]}"'}

    def ask(path: str, **body: Any) -> Mapping[str, Any]:
        return wire.handle("POST", f"http://x{path}", headers, body)

    return ask


def test_what_became_of_others_statements_is_told_to_nobody(
    account: Account, boss: AccountSession
) -> None:
    wire = EmbeddedWire(account)
    admin, eve = asking(wire, "ADMIN", "ACCOUNTADMIN"), asking(wire, "EVE", '"low r"')
    good = admin("/queries/v1/query-request", sqlText="select 'hushed'")["data"]["queryId"]
    bad = admin("/queries/v1/query-request", sqlText="select * from home.s.hushed")["data"][
        "queryId"
    ]
    assert admin(f"/queries/{good}/result")["success"]
    assert "HUSHED" in str(admin(f"/queries/{bad}/result"))
    assert "HUSHED" in str(admin(f"/monitoring/queries/{bad}"))

    def told(path: str, query_id: str) -> str:
        return str(eve(path.format(query_id))).replace(query_id, "ID")

    for path in ("/queries/{}/result", "/queries/{}", "/monitoring/queries/{}"):
        assert told(path, good) == told(path, bad) == told(path, "none"), path


def test_a_user_who_may_send_nothing_more_is_refused_by_every_route(
    account: Account, boss: AccountSession
) -> None:
    wire = EmbeddedWire(account)
    eve = asking(wire, "EVE", '"low r"')
    made = eve("/queries/v1/query-request", sqlText=READ)["data"]["queryId"]
    boss.execute("alter user eve set disabled = true")
    codes = {
        path: str(eve(path, sqlText="select 1")["code"])
        for path in (
            "/queries/v1/query-request",
            "/queries/v1/abort-request",
            "/session/token-request",
            "/session/heartbeat",
            "/session",
            f"/queries/{made}/result",
            f"/monitoring/queries/{made}",
        )
    }
    assert codes == dict.fromkeys(codes, str(DISABLED))
    assert eve("/session/logout-request")["success"]
