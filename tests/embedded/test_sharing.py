"""What an account tells other processes: its catalog, and sessions that can go on elsewhere."""

from typing import Any

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.tools.sharing import (
    ASKS_STATE,
    CATALOG,
    SCRIPT,
    SharedAccountWire,
    twin,
)
from skills_nb.runtime.loopback import protocol

from .conftest import SETUP, rows, statements

LOGIN = "http://x/session/v1/login-request"
QUERY = "http://x/queries/v1/query-request"


class Client:
    """A session on a wire, driven request by request."""

    def __init__(self, wire: SharedAccountWire, where: str = "") -> None:
        self.wire = wire
        answer = wire.handle("POST", LOGIN + where, {ASKS_STATE: "y"}, login())
        self.told = answer["data"]["session"]
        self.headers = {"Authorization": f'Snowflake Token="{answer["data"]["token"]}"'}

    def ask(self, sql: str, wire: SharedAccountWire | None = None) -> dict[str, Any]:
        headers = {**self.headers, ASKS_STATE: "y"}
        answer = dict((wire or self.wire).handle("POST", QUERY, headers, {"sqlText": sql}))
        self.told = answer["data"].get("session", self.told)
        return answer

    def move(self, wire: SharedAccountWire) -> dict[str, Any]:
        url = f"http://x{self.told['resume']}"
        return dict(wire.handle("POST", url, {}, self.told["state"]))


def login(user: str = "ADMIN") -> dict[str, Any]:
    return {"data": {"LOGIN_NAME": user, "PASSWORD": "x"}}


@pytest.fixture
def wire(account: Account) -> SharedAccountWire:
    session = account.session("ADMIN")
    for statement in statements(SETUP):
        session.execute(statement)
    return SharedAccountWire(account)


@pytest.fixture
def elsewhere(account: Account, wire: SharedAccountWire) -> SharedAccountWire:
    """Another holder of the same account, which knows none of its sessions."""
    return SharedAccountWire(account)


def test_client_and_account_mean_the_same_header() -> None:
    assert protocol.ASKS_STATE == ASKS_STATE


def test_a_session_goes_on_elsewhere_as_it_was(
    wire: SharedAccountWire, elsewhere: SharedAccountWire
) -> None:
    client = Client(wire, "?databaseName=shop&schemaName=sales")
    for sql in (
        "use role analyst",
        "use secondary roles none",
        "set limit_of = 2",
        "alter session set query_tag = 'mine'",
    ):
        assert client.ask(sql)["success"]
    assert client.ask("select 1", elsewhere)["code"] == "390111"
    assert client.move(elsewhere) == {
        "success": True,
        "code": None,
        "message": None,
        "data": {"lost": []},
    }
    asked = "select current_role(), current_schema(), $limit_of, ssn from people where id = 1"
    assert client.ask(asked, elsewhere)["data"]["rowset"] == [["ANALYST", "SALES", "2", "***"]]
    shown = client.ask("show parameters like 'QUERY_TAG' in session", elsewhere)
    assert shown["data"]["rowset"][0][1] == "mine"


def test_a_session_that_is_there_goes_on_untouched(wire: SharedAccountWire) -> None:
    client = Client(wire)
    client.ask("use role analyst")
    state = client.told["state"]
    client.ask("use role accountadmin")
    answer = wire.handle("POST", f"http://x{client.told['resume']}", {}, state)
    assert answer["data"] == {"lost": []}
    assert client.ask("select current_role()")["data"]["rowset"] == [["ACCOUNTADMIN"]]


@pytest.mark.parametrize(
    ("sql", "lost"),
    [
        ("begin", ["open transaction"]),
        ("create temporary table shop.sales.mine (a int)", ["temporary objects"]),
        ("select 1", []),
    ],
)
def test_what_cannot_come_along_is_named(
    wire: SharedAccountWire, elsewhere: SharedAccountWire, sql: str, lost: list[str]
) -> None:
    client = Client(wire)
    assert client.ask(sql)["success"]
    assert client.move(elsewhere)["data"] == {"lost": lost}


def test_a_role_that_was_taken_away_is_not_kept_by_moving(
    wire: SharedAccountWire, elsewhere: SharedAccountWire
) -> None:
    client = Client(wire)
    client.ask("use role steward")
    wire.account.session("ADMIN").execute("revoke role steward from role analyst")
    answer = client.move(elsewhere)
    assert (answer["success"], answer["code"]) == (False, "390111")
    assert client.ask("select 1", elsewhere)["code"] == "390111"


def test_a_user_who_was_disabled_does_not_come_back(
    wire: SharedAccountWire, elsewhere: SharedAccountWire
) -> None:
    admin = wire.account.session("ADMIN")
    admin.execute("create user eve")
    answer = wire.handle("POST", LOGIN, {ASKS_STATE: "y"}, login("EVE"))
    told = answer["data"]["session"]
    admin.execute("alter user eve set disabled = true")
    moved = elsewhere.handle("POST", f"http://x{told['resume']}", {}, told["state"])
    assert (moved["success"], moved["code"]) == (False, "390101")


def test_state_is_told_only_to_those_who_ask(wire: SharedAccountWire) -> None:
    answer = wire.handle("POST", LOGIN, {}, login())
    assert "session" not in answer["data"]


def test_the_twin_has_the_catalog_and_no_rows(wire: SharedAccountWire) -> None:
    answer = wire.handle("GET", f"http://x{CATALOG}", {}, {})
    with twin(answer["data"]["records"]) as made:
        assert made.fingerprint() == wire.account.fingerprint()
        session = made.session("ADMIN", None, None, "SHOP", "SALES")
        assert rows(session, "select * from people") == []
        session.execute("drop table people")
    admin = wire.account.session("ADMIN", None, None, "SHOP", "SALES")
    assert rows(admin, "select count(*) from people") == [(3,)]


def test_the_script_is_given_or_refused(wire: SharedAccountWire) -> None:
    answer = wire.handle("GET", f"http://x{SCRIPT}", {}, {})
    assert "CREATE TABLE SHOP.SALES.PEOPLE" in answer["data"]["script"]
    admin = wire.account.session("ADMIN", None, None, "SHOP", "SALES")
    admin.execute("create view v as select * from people")
    admin.execute("drop table people")
    answer = wire.handle("GET", f"http://x{SCRIPT}", {}, {})
    assert answer["success"] is False


def test_closing_undoes_what_was_not_committed(tmp_path: Any) -> None:
    wire = SharedAccountWire.open(tmp_path)
    client = Client(wire)
    for sql in ("create database d", "create table d.public.t (a int)", "begin"):
        assert client.ask(sql)["success"]
    assert client.ask("insert into d.public.t values (1)")["success"]
    wire.close()
    with Account.open(tmp_path) as account:
        assert rows(account.session("ADMIN"), "select * from d.public.t") == []
