"""Semantic views over tables that are nobody's demo: again, changed, and beside others' work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from tests.library.messy.test_every_playbook import Mess, changes
from tests.library.messy.wishes import COMPLETED, Wish

SALES = """
CREATE DATABASE "Trade House"; CREATE SCHEMA "Trade House"."My Sales";
CREATE TABLE "Trade House"."My Sales"."orders" (
  "id" INT, "customer id" INT, "Amount €" NUMBER(10, 2), "is.gift" BOOLEAN);
INSERT INTO "Trade House"."My Sales"."orders" VALUES
  (1, 1, 10, TRUE), (2, 1, 20, FALSE), (3, 2, 5, TRUE), (4, 9, 1, TRUE);
CREATE TABLE "Trade House"."My Sales"."customers" ("id" INT, "country" STRING, "doc" VARIANT);
INSERT INTO "Trade House"."My Sales"."customers"
  SELECT 1, 'DE', NULL UNION ALL SELECT 2, 'FR', NULL;
GRANT USAGE, CREATE SCHEMA ON DATABASE "Trade House" TO ROLE SYSADMIN;
GRANT USAGE ON DATABASE "Trade House" TO ROLE CLERK;
GRANT USAGE ON SCHEMA "Trade House"."My Sales" TO ROLE SYSADMIN;
GRANT SELECT ON ALL TABLES IN SCHEMA "Trade House"."My Sales" TO ROLE SYSADMIN;
"""
ASKED = {
    "target_scope": '"Trade House"."My Sales"',
    "semantic_view": '"Trade House"."Model"."sales"',
    "modeler_role": "SYSADMIN",
    "primary_keys": '{"orders": "id", "customers": "id"}',
    "relationships": '{"orders": {"customer id": "customers"}}',
    "metrics": '{"REVENUE": {"table": "orders", "aggregate": "SUM", "column": "Amount €"}}',
    "questions": '{"Revenue per country?": {"metric": ["orders", "REVENUE"], '
    '"by": ["customers", "country"]}}',
    "reader_role": "CLERK",
}
BUYERS = (
    '{"REVENUE": {"table": "orders", "aggregate": "SUM", "column": "Amount €"}, '
    '"BUYERS": {"table": "orders", "aggregate": "COUNT_DISTINCT", "column": "customer id"}}'
)


@contextmanager
def desk(home: Path, setup: str = "") -> Iterator[Mess]:
    work = Mess(home, SALES + setup)
    try:
        work.begun = work.look()
        yield work
    finally:
        work.close()


def ask(work: Mess, thread: str, *, reads_s: float = 0, **changed: str) -> list[str]:
    """Run to the end or a stop, reading each pause for a while; return what was shown at each."""
    shown = []
    inputs = {k: v for k, v in {**ASKED, **changed}.items() if v}
    work.ask(Wish("build-semantic-view", inputs), thread)
    for _ in range(20):
        if work.reply is None or work.reply.pause is None:
            break
        shown.append(work.reply.pause.present)
        sleep(reads_s)
        if not work.go_on():
            break
    return shown


def rows(work: Mess, sql: str) -> list[tuple[Any, ...]]:
    session = work.account.session("ADMIN", "ACCOUNTADMIN", warehouse="COMPUTE_WH")
    found = session.execute(sql)
    session.close()
    return [tuple(row) for row in found.rows]


@pytest.mark.slow
def test_quoted_names_become_a_view_whose_questions_are_answered_and_again_nothing(
    tmp_path: Path,
) -> None:
    with desk(tmp_path) as work:
        shown = ask(work, "first")
        assert (work.ended, work.skipped) == (COMPLETED, ())
        assert len(shown) <= 5
        assert "Rows that refer to nothing: 1" in " ".join(shown)
        kinds = rows(
            work,
            'DESCRIBE SEMANTIC VIEW "Trade House"."Model"."sales" ->> SELECT DISTINCT'
            ' "object_kind", "object_name" FROM $1'
            " WHERE \"object_kind\" <> 'TABLE' ORDER BY ALL",
        )
        assert kinds == [
            ("AI_VERIFIED_QUERY", "QUESTION_1"),
            ("DIMENSION", "country"),
            ("DIMENSION", "customer id"),
            ("DIMENSION", "id"),
            ("DIMENSION", "is.gift"),
            ("FACT", "Amount €"),
            ("METRIC", "REVENUE"),
            ("RELATIONSHIP", "orders_customer id_TO_customers"),
        ]
        before = work.look()
        shown = ask(work, "second")
        assert "0 parts differ from what is wanted: none." in " ".join(shown)
        assert (work.ended, changes(before, work.look())) == (COMPLETED, [])


@pytest.mark.slow
def test_another_metric_is_shown_as_a_difference_and_stops_unless_it_may_be_set_aside(
    tmp_path: Path,
) -> None:
    with desk(tmp_path) as work:
        ask(work, "first")
        before = work.look()
        shown = ask(work, "second", metrics=BUYERS)
        assert "METRIC orders.BUYERS EXPRESSION: nothing -> " in " ".join(shown)
        assert "exists and differs" in work.ended
        assert changes(before, work.look()) == []
        shown = ask(work, "third", reads_s=1.1, metrics=BUYERS, if_different="set-aside")
        assert len(shown) == 5
        assert (work.ended, work.skipped) == (COMPLETED, ())
        asked = 'SELECT * FROM SEMANTIC_VIEW("Trade House"."Model"."sales" METRICS "orders".BUYERS)'
        assert [int(count) for (count,) in rows(work, asked)] == [3]
        held = "SHOW GRANTS TO ROLE CLERK ->> SELECT COUNT(*) FROM $1 WHERE \"name\" LIKE '%sales%'"
        assert rows(work, held) == [(4,)]  # on the view set aside, too


@pytest.mark.slow
def test_a_view_set_aside_is_put_back_by_cleanup(tmp_path: Path) -> None:
    with desk(tmp_path) as work:
        ask(work, "first")
        before = work.look()
        work.ask(
            Wish("build-semantic-view", {**ASKED, "metrics": BUYERS, "if_different": "set-aside"}),
            "second",
        )
        for _ in range(4):
            work.go_on()
        work.clean()
        assert changes(before, work.look()) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changed", "setup", "why"),
    [
        ({"primary_keys": '{"orders": "ID"}'}, "", "Known: customers.id"),
        ({"semantic_view": "SALES"}, "", "DATABASE.SCHEMA.NAME"),
        (
            {"semantic_view": '"Trade House"."My Sales"."orders"'},
            "",
            "is a BASE TABLE of ACCOUNTADMIN",
        ),
        ({"modeler_role": "KEEPER"}, "", "KEEPER lacks CREATE SCHEMA on database"),
        ({"modeler_role": "KEEPER"}, "", "does not exist, or your roles may not see it"),
        (
            {"modeler_role": "KEEPER"},
            'CREATE ROLE OTHERS; GRANT OWNERSHIP ON DATABASE "Trade House" TO ROLE OTHERS'
            " COPY CURRENT GRANTS;",
            "OTHERS can grant it",
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


WEAK = """
CREATE ROLE WEAK; GRANT ROLE WEAK TO USER ADMIN; GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE WEAK;
CREATE SCHEMA "Trade House"."Model"; GRANT USAGE ON DATABASE "Trade House" TO ROLE WEAK;
GRANT USAGE ON ALL SCHEMAS IN DATABASE "Trade House" TO ROLE WEAK;
GRANT SELECT ON ALL TABLES IN SCHEMA "Trade House"."My Sales" TO ROLE WEAK;
GRANT CREATE SEMANTIC VIEW ON SCHEMA "Trade House"."Model" TO ROLE WEAK;
"""


THROUGH = """
REVOKE CREATE SEMANTIC VIEW ON SCHEMA "Trade House"."Model" FROM ROLE WEAK;
CREATE DATABASE ROLE "Trade House".MODELERS;
GRANT CREATE SEMANTIC VIEW ON SCHEMA "Trade House"."Model"
  TO DATABASE ROLE "Trade House".MODELERS;
GRANT DATABASE ROLE "Trade House".MODELERS TO ROLE WEAK;
"""


@pytest.mark.slow
def test_a_right_through_a_database_role_is_enough(tmp_path: Path) -> None:
    with desk(tmp_path, WEAK + THROUGH) as work:
        ask(work, "first", modeler_role="WEAK", reader_role="")
        assert (work.ended, work.skipped) == (COMPLETED, ())


@pytest.mark.slow
def test_a_role_that_may_grant_nothing_grants_its_view_and_says_who_grants_the_rest(
    tmp_path: Path,
) -> None:
    asked = {"modeler_role": "WEAK", "reader_role": '"night shift"'}
    with desk(tmp_path, WEAK) as work:
        shown = ask(work, "first", **asked)
        (warning,) = work.events("probes_executed")[-1].warnings
        assert "ACCOUNTADMIN, who owns the database, or SECURITYADMIN can grant it" in warning
        assert (work.ended, work.skipped, len(shown)) == (COMPLETED, (), 4)
        assert rows(work, f"SHOW GRANTS ON SEMANTIC VIEW {ASKED['semantic_view']}") != []
        (told,) = [e.present for e in work.events("checkpoint_reached") if e.after_step == "11b"]
        assert (
            "What only others can grant: USAGE on database Trade House, which ACCOUNTADMIN can"
            in told
        )
        assert "USAGE on schema Model, which ACCOUNTADMIN can grant" in told
        before = work.look()
        shown = ask(work, "second", **asked)
        assert "0 parts differ" in shown[2]
        assert len(shown) == 4
        assert (work.ended, changes(before, work.look())) == (COMPLETED, [])


@pytest.mark.slow
@pytest.mark.parametrize("pauses", range(5))
def test_aborted_at_any_pause_everything_is_taken_back(pauses: int, tmp_path: Path) -> None:
    with desk(tmp_path) as work:
        work.ask(Wish("build-semantic-view", ASKED), "first")
        for _ in range(pauses):
            work.go_on()
        work.clean()
        assert changes(work.begun, work.look()) == []


APOSTROPHES = """
CREATE ROLE "Jo's team"; CREATE SCHEMA "Trade House"."Mo ""d"" el";
CREATE TABLE "Trade House"."My Sales"."o'orders" ("id" INT, "buyer's id" INT, "fee" INT);
INSERT INTO "Trade House"."My Sales"."o'orders" VALUES (1, 1, 5), (2, 2, 7);
"""


@pytest.mark.slow
def test_names_with_apostrophes_and_quotes_are_proven_and_compared_like_others(
    tmp_path: Path,
) -> None:
    asked = {
        "semantic_view": '"Trade House"."Mo ""d"" el"."it\'s"',
        "modeler_role": "ACCOUNTADMIN",
        "primary_keys": '{"o\'orders": "id", "customers": "id"}',
        "relationships": '{"o\'orders": {"buyer\'s id": "customers"}}',
        "metrics": '{"FEES": {"table": "o\'orders", "aggregate": "SUM", "column": "fee"}}',
        "questions": "",
        "reader_role": '"Jo\'s team"',
    }
    with desk(tmp_path, APOSTROPHES) as work:
        ask(work, "first", **asked)
        assert (work.ended, work.skipped) == (COMPLETED, ())
        before = work.look()
        shown = ask(work, "second", **asked)
        assert "0 parts differ" in " ".join(shown)
        assert (work.ended, changes(before, work.look())) == (COMPLETED, [])


@pytest.mark.slow
def test_a_view_of_somebody_else_is_not_set_aside(tmp_path: Path) -> None:
    theirs = """
    CREATE ROLE OTHERS; CREATE SCHEMA "Trade House"."Model";
    GRANT ALL ON SCHEMA "Trade House"."Model" TO ROLE SYSADMIN;
    CREATE SEMANTIC VIEW "Trade House"."Model"."sales" TABLES (
      "orders" AS "Trade House"."My Sales"."orders" PRIMARY KEY ("id"))
      METRICS ("orders"."N" AS COUNT("orders"."id"));
    GRANT SELECT ON SEMANTIC VIEW "Trade House"."Model"."sales" TO ROLE SYSADMIN;
    GRANT OWNERSHIP ON SEMANTIC VIEW "Trade House"."Model"."sales" TO ROLE OTHERS
      COPY CURRENT GRANTS;
    """
    with desk(tmp_path, theirs) as work:
        ask(work, "first", if_different="set-aside")
        assert "belongs to OTHERS, and only its owner can rename it" in work.ended
        assert changes(work.begun, work.look()) == []
