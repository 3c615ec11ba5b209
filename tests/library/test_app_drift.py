"""Apps over tables that are nobody's demo: again, with another tag, beside others' work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from skills_nb.views import render_text
from tests.library.messy.test_every_playbook import Mess, changes
from tests.library.messy.wishes import COMPLETED, Wish

TRADE = """
CREATE ROLE APP_OWNER; GRANT ROLE APP_OWNER TO ROLE SYSADMIN; GRANT ROLE APP_OWNER TO USER ADMIN;
CREATE DATABASE "Trade House"; CREATE SCHEMA "Trade House"."My Sales"; CREATE DATABASE WEB;
CREATE TABLE "Trade House"."My Sales"."orders" ("id" INT, "Amount €" NUMBER(10, 2));
CREATE VIEW "Trade House"."My Sales"."good orders" AS
  SELECT "id" FROM "Trade House"."My Sales"."orders";
GRANT CREATE COMPUTE POOL, BIND SERVICE ENDPOINT ON ACCOUNT TO ROLE APP_OWNER;
GRANT USAGE, CREATE SCHEMA ON DATABASE WEB TO ROLE APP_OWNER;
GRANT USAGE ON WAREHOUSE LITTLE TO ROLE APP_OWNER;
"""
ASKED = {
    "target_scope": '"Trade House"."My Sales"',
    "app_schema": "WEB.APPS",
    "app_role": "APP_OWNER",
    "data_admin_role": "SECURITYADMIN",
    "viewer_role": "CLERK",
    "app_warehouse": "LITTLE",
}
SKIPPED = ("error:11",)
"""This account runs no containers, so nobody can wait for one."""


@contextmanager
def desk(home: Path, setup: str = "") -> Iterator[Mess]:
    work = Mess(home, TRADE + setup)
    try:
        work.begun = work.look()
        yield work
    finally:
        work.close()


def ask(work: Mess, thread: str, **changed: str) -> list[str]:
    """Run to the end or a stop; return what was shown at each pause."""
    shown = []
    work.ask(Wish("build-react-app", {**ASKED, **changed}), thread)
    for _ in range(20):
        if work.reply is None or work.reply.pause is None:
            break
        shown.append(work.reply.pause.present)
        if not work.go_on():
            break
    return shown


def rows(work: Mess, sql: str, role: str = "ACCOUNTADMIN") -> list[tuple[Any, ...]]:
    session = work.account.session("ADMIN", role, warehouse="COMPUTE_WH")
    session.execute("USE SECONDARY ROLES NONE")
    found = session.execute(sql)
    session.close()
    return [tuple(row) for row in found.rows]


def sent(work: Mess) -> list[str]:
    return [e.sql for e in work.events("statement_started") if e.kind != "read"]


SERVICE = (
    "DESCRIBE SERVICE WEB.APPS.DATA_APP ->> SELECT "
    "REGEXP_SUBSTR(\"spec\", 'images/([^ \\n]+)', 1, 1, 'e'), \"auto_suspend_secs\" FROM $1"
)


@pytest.mark.slow
def test_without_an_image_it_ends_prepared_and_not_running_and_again_changes_nothing(
    tmp_path: Path,
) -> None:
    with desk(tmp_path) as work:
        shown = ask(work, "first")
        assert (work.ended, work.skipped) == (COMPLETED, SKIPPED)
        assert len(shown) <= 5
        assert "with the tag 1: 0" in " ".join(shown)
        assert "PREPARED, NOT RUNNING" in shown[-1]
        assert rows(work, SERVICE) == [("data_app:1", 0)]
        read = 'SELECT COUNT(*) FROM "Trade House"."My Sales"."good orders"'
        assert rows(work, read, "APP_OWNER") == [(0,)]
        before = work.look()
        assert work.reply is not None
        told = render_text(work.reply.view)
        assert ("PREPARED, NOT RUNNING  " in told, "DONE" in told) == (True, False)
        assert "grant SELECT to ROLE APP_OWNER" in told
        ask(work, "second")
        assert (work.ended, changes(before, work.look())) == (COMPLETED, [])
        assert "What it changed" not in render_text(work.reply.view)
        assert [
            sql for sql in sent(work) if not sql.startswith(("USE ", "SELECT SYSTEM$WAIT"))
        ] == []


@pytest.mark.slow
def test_another_tag_is_shown_and_the_service_follows_it(tmp_path: Path) -> None:
    with desk(tmp_path) as work:
        ask(work, "first")
        shown = ask(work, "second", image_tag="2")
        assert "data_app:1" in " ".join(shown)
        assert "replace what service WEB.APPS.DATA_APP runs" in " ".join(shown)
        assert "not known here" not in " ".join(shown)
        assert work.ended == COMPLETED
        assert rows(work, SERVICE) == [("data_app:2", 0)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changed", "setup", "why"),
    [
        ({"app_warehouse": "LITTEL"}, "", "There is no warehouse LITTEL"),
        ({"viewer_role": "clerks"}, "", "There is no role CLERKS for viewer_role"),
        ({"app_schema": '"my apps"'}, "", "choose names that need no quotes"),
        ({"app_role": "CLERK"}, "", "CLERK lacks BIND SERVICE ENDPOINT"),
        (
            {},
            "REVOKE CREATE COMPUTE POOL ON ACCOUNT FROM ROLE APP_OWNER",
            "there is no pool APP_POOL that this session can see",
        ),
        (
            {},
            "REVOKE CREATE SCHEMA ON DATABASE WEB FROM ROLE APP_OWNER",
            "APP_OWNER lacks CREATE SCHEMA, which creating WEB.APPS takes",
        ),
        (
            {},
            "REVOKE CREATE SCHEMA ON DATABASE WEB FROM ROLE APP_OWNER;"
            "CREATE ROLE DOCKERS; GRANT ROLE DOCKERS TO ROLE APP_OWNER;",
            "The owner of the database, ACCOUNTADMIN, grants it",
        ),
        (
            {},
            "REVOKE USAGE ON WAREHOUSE LITTLE FROM ROLE APP_OWNER",
            "APP_OWNER lacks USAGE on warehouse LITTLE",
        ),
        ({"target_scope": '"Trade House"."MY SALES"'}, "", "There is no table or view in"),
        (
            {},
            "CREATE SCHEMA WEB.APPS; CREATE IMAGE REPOSITORY WEB.APPS.IMAGES;"
            "GRANT USAGE ON SCHEMA WEB.APPS TO ROLE APP_OWNER;",
            "belongs to ACCOUNTADMIN",
        ),
        (
            {},
            "CREATE SCHEMA WEB.APPS; CREATE COMPUTE POOL OTHER_POOL MIN_NODES = 1 MAX_NODES = 1"
            " INSTANCE_FAMILY = CPU_X64_XS INITIALLY_SUSPENDED = TRUE;"
            "CREATE SERVICE WEB.APPS.DATA_APP IN COMPUTE POOL OTHER_POOL"
            " FROM SPECIFICATION 'spec:\n  containers:\n  - name: x\n    image: /a/b/c/d:1\n';",
            "of ACCOUNTADMIN runs on OTHER_POOL",
        ),
    ],
)
def test_what_cannot_be_done_stops_it_before_anything_changes(
    changed: dict[str, str], setup: str, why: str, tmp_path: Path
) -> None:
    with desk(tmp_path, setup) as work:
        ask(work, "first", **changed)
        assert why in work.ended
        assert changes(work.begun, work.look()) == []


@pytest.mark.slow
@pytest.mark.parametrize("pauses", range(5))
def test_aborted_at_any_pause_everything_is_taken_back(pauses: int, tmp_path: Path) -> None:
    with desk(tmp_path) as work:
        work.ask(Wish("build-react-app", ASKED), "first")
        for _ in range(pauses):
            work.go_on()
        work.clean()
        assert changes(work.begun, work.look()) == []
