"""The support table is true: what it denies answers 0A000, what it promises does not."""

from typing import Any

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.tools import support
from skills_nb.errors import SqlError

TABLE = support.table()
CREATES = {
    "CREATE AGGREGATION POLICY": "create aggregation policy x as () returns "
    "aggregation_constraint -> no_aggregation_constraint()",
    "CREATE PROJECTION POLICY": "create projection policy x as () returns projection_constraint "
    "-> projection_constraint(allow => true)",
    "CREATE JOIN POLICY": "create join policy x as () returns join_constraint -> "
    "join_constraint(join_required => true)",
    "CREATE PRIVACY POLICY": "create privacy policy x as () returns privacy_budget -> "
    "no_privacy_policy()",
    "CREATE DATABASE ROLE": "create database role d.x",
    "CREATE SHARE": "create share x",
    "CREATE DATA METRIC FUNCTION": "create data metric function x(t table(a int)) returns number "
    "as 'select 1'",
}


def _state(account: Account, sql: str) -> str | None:
    session = account.session("ADMIN")
    session.execute("create or replace database d")
    try:
        session.execute(sql)
    except SqlError as refused:
        return refused.sqlstate
    return None


def _named(word: str) -> list[dict[str, Any]]:
    return [entry for entry in TABLE if entry["statement"].startswith(word)]


def test_entries_have_the_four_fields_once_each() -> None:
    assert {tuple(entry) for entry in TABLE} == {("statement", "supported", "note", "docs")}
    names = [entry["statement"] for entry in TABLE]
    assert names == sorted(set(names))
    assert all(entry["docs"].startswith("https://docs.snowflake.com/") for entry in TABLE)


@pytest.mark.parametrize(
    "entry",
    [e for e in _named("SHOW ") if e["statement"] != "SHOW GRANTS"],
    ids=lambda e: e["statement"],
)
def test_show_is_as_promised(account: Account, entry: dict[str, Any]) -> None:
    state = _state(account, entry["statement"])
    assert (state != "0A000") is entry["supported"]


@pytest.mark.parametrize("entry", _named("DESCRIBE "), ids=lambda e: e["statement"])
def test_describe_is_as_promised(account: Account, entry: dict[str, Any]) -> None:
    with_arguments = entry["statement"].endswith(("FUNCTION", "PROCEDURE"))
    name = "nothing()" if with_arguments else "nothing"
    state = _state(account, f"{entry['statement']} {name}")
    assert (state != "0A000") is entry["supported"]


@pytest.mark.parametrize(
    "entry", [e for e in _named("CREATE ") if not e["supported"]], ids=lambda e: e["statement"]
)
def test_a_create_that_is_denied_answers_unsupported(
    account: Account, entry: dict[str, Any]
) -> None:
    assert _state(account, CREATES[entry["statement"]]) == "0A000"


@pytest.mark.parametrize(
    "entry",
    [e for e in _named("SELECT … FROM ") if "TABLE(" not in e["statement"]],
    ids=lambda e: e["statement"],
)
def test_a_system_view_is_there(account: Account, entry: dict[str, Any]) -> None:
    name = entry["statement"].removeprefix("SELECT … FROM ")
    prefix = "snowflake." if name.startswith("ACCOUNT_USAGE") else "d."
    assert _state(account, f"select * from {prefix}{name}") is None
