"""A wish to load a file that lies here is a load, which waits for its approval."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.library.own_accounts import own_account

pytestmark = pytest.mark.slow
HOLDS = "CREATE DATABASE BAR; CREATE SCHEMA BAR.S; CREATE TABLE BAR.S.KEGS (CODE STRING, SIZE INT)"


@pytest.fixture
def account(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("small kegs.csv").write_text("code,size\n001,20\n002,30\n", encoding="utf-8")
    with own_account(tmp_path / "home", HOLDS) as opened:
        yield opened


@pytest.mark.parametrize(
    ("goal", "does", "sql"),
    [
        ("load small kegs.csv", "Make", "CREATE TABLE MY_DATA.PUBLIC.SMALL_KEGS"),
        (
            "please import the file 'small kegs.csv' into BAR.S.NEW",
            "Make",
            "CREATE TABLE BAR.S.NEW",
        ),
        ("upload small kegs.csv to the kegs table", "Add to KEGS", "COPY INTO BAR.S.KEGS"),
    ],
)
def test_a_file_that_lies_here_is_loaded_once_the_plan_is_approved(account, goal, does, sql):
    reply = account.app.invoke(["run", goal])
    assert reply.pause is not None
    assert reply.pause.at == "plan"
    account.thread = reply.thread_id
    (step,) = account.events("plan_proposed")[-1].steps
    assert step.action.startswith(does)
    assert sql in step.sql
    assert account.sent() == []
    for _ in range(2):
        reply = account.app.invoke(["respond", "approve", "--thread", account.thread])
    assert reply.document["status"] == "completed"
    assert any(one.startswith("COPY INTO") for one in account.sent())


def test_a_file_that_is_not_here_may_lie_on_a_stage(account):
    reply = account.app.invoke(["run", "load other.csv into kegs"])
    assert reply.pause is not None
    assert reply.pause.at == "input:stage"
