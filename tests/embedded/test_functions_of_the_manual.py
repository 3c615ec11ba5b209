"""Functions of the manual's list, each with a normal case, one with NULL and one with a wrong type.

What is expected stands in a table beside this file; `!` is the number of a refusal.

See https://docs.snowflake.com/en/sql-reference/functions-all
"""

import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.errors import SqlError

pytestmark = pytest.mark.slow
TABLE = Path(__file__).with_name("functions_of_the_manual.txt")


def groups() -> list[list[tuple[str, str]]]:
    """Read the table: a group of three lines a function."""
    blocks = TABLE.read_text(encoding="utf-8").strip().split("\n\n")
    cut = [[line.rpartition(" => ") for line in one.split("\n")] for one in blocks]
    return [[(call, result) for call, _, result in group] for group in cut]


@pytest.fixture(scope="module")
def session() -> Iterator[AccountSession]:
    with Account.open() as account:
        yield account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")


def answer(session: AccountSession, call: str) -> object:
    """Return the value, or the refusal."""
    try:
        ((value,),) = session.execute(f"select {call}").rows
    except SqlError as refused:
        return refused
    return value


def is_expected(found: object, wanted: str) -> bool:
    if isinstance(found, SqlError):
        return wanted == f"!{found.errno}"
    if isinstance(found, float):
        return math.isclose(found, float(wanted), rel_tol=1e-9, abs_tol=1e-12)
    return wanted == repr(found)


@pytest.mark.parametrize("group", groups(), ids=lambda group: group[0][0].partition("(")[0])
def test_a_function_answers_as_its_page_says(
    session: AccountSession, group: list[tuple[str, str]]
) -> None:
    wrong = [
        (call, wanted, found)
        for call, wanted in group
        if not is_expected(found := answer(session, call), wanted)
    ]
    assert wrong == []


def test_the_table_is_one_of_many_functions() -> None:
    named = {group[0][0].partition("(")[0] for group in groups()}
    assert len(named) >= 150
    assert all(len(group) == 3 for group in groups())
