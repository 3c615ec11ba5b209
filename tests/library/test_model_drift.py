"""Models over tables that are nobody's demo: again, with another schedule, beside others' work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from skills_nb.embedded.types.values import AiCall
from tests.library.messy.test_every_playbook import Mess, changes
from tests.library.messy.wishes import COMPLETED, Wish

LAB = """
CREATE DATABASE "Lab"; CREATE SCHEMA "Lab"."ml models"; CREATE SCHEMA "Lab"."out";
CREATE TABLE "Lab"."ml models"."clients" ("client no" INT, "Tenure" INT, "fee €" FLOAT);
INSERT INTO "Lab"."ml models"."clients" VALUES (1, 3, 9), (2, 30, 12), (3, 12, 20), (NULL, 1, 1);
CREATE STAGE "Lab"."ml models".S;
CREATE MODEL "Lab"."ml models"."churn" WITH VERSION V1 FROM @"Lab"."ml models".S/one;
ALTER MODEL "Lab"."ml models"."churn" ADD VERSION V2 FROM @"Lab"."ml models".S/two;
GRANT OWNERSHIP ON MODEL "Lab"."ml models"."churn" TO ROLE SYSADMIN;
GRANT OWNERSHIP ON TABLE "Lab"."ml models"."clients" TO ROLE SYSADMIN;
GRANT OWNERSHIP ON SCHEMA "Lab"."out" TO ROLE SYSADMIN;
GRANT USAGE ON DATABASE "Lab" TO ROLE SYSADMIN;
GRANT USAGE ON SCHEMA "Lab"."ml models" TO ROLE SYSADMIN;
GRANT EXECUTE TASK ON ACCOUNT TO ROLE SYSADMIN;
"""
ASKED = {
    "model": '"Lab"."ml models"."churn"',
    "model_version": "v2",
    "engineer_role": "SYSADMIN",
    "input_table": '"Lab"."ml models"."clients"',
    "key_column": '"client no"',
    "feature_columns": '"Tenure","fee €"',
    "prediction_table": '"Lab"."out"."scores"',
    "reader_role": "CLERK",
    "monitored": "false",
}


def _answer(call: AiCall) -> Any:
    return {"output_feature_0": 0.9 if call.arguments[3] < 10 else 0.1}


@contextmanager
def lab(home: Path, setup: str = "", *, has_models: bool = True) -> Iterator[Mess]:
    work = Mess(home, LAB + setup)
    try:
        if has_models:
            work.account.answer_ai(_answer)
        work.begun = work.look()
        yield work
    finally:
        work.close()


def ask(work: Mess, thread: str, **changed: str) -> list[str]:
    """Run to the end or a stop; return what was shown at each pause."""
    shown = []
    work.ask(Wish("deploy-registered-model", {**ASKED, **changed}), thread)
    for _ in range(20):
        if work.reply is None or work.reply.pause is None:
            break
        shown.append(work.reply.pause.present)
        if not work.go_on():
            break
    return shown


def rows(work: Mess, sql: str) -> list[tuple[Any, ...]]:
    session = work.account.session("ADMIN", "ACCOUNTADMIN", warehouse="COMPUTE_WH")
    found = session.execute(sql)
    session.close()
    return [tuple(row) for row in found.rows]


TASKS = 'SHOW TASKS IN ACCOUNT ->> SELECT "name", "state", "schedule" FROM $1'


@pytest.mark.slow
def test_quoted_names_are_scored_once_and_a_second_run_changes_nothing(tmp_path: Path) -> None:
    with lab(tmp_path) as work:
        shown = ask(work, "first")
        assert (work.ended, work.skipped) == (COMPLETED, ())
        assert len(shown) <= 5
        assert "1 with a key that is missing or not unique" in " ".join(shown)
        assert rows(work, 'SELECT "client no" FROM "Lab"."out"."scores" ORDER BY 1') == [
            (1,),
            (2,),
            (3,),
        ]
        assert rows(work, TASKS) == [("scores_V2_SCORE", "started", "USING CRON 0 5 * * * UTC")]
        before = work.look()
        shown = ask(work, "second")
        assert (work.ended, changes(before, work.look())) == (COMPLETED, [])
        assert "scoring tasks of this version that are started: 1" in shown[-1]
        assert "which are scored next: 0." in " ".join(shown)
        sent = [e.sql for e in work.events("statement_started") if e.kind != "read"]
        assert [sql for sql in sent if not sql.startswith("USE ")] == []


@pytest.mark.slow
def test_another_schedule_is_shown_and_the_task_follows_it(tmp_path: Path) -> None:
    with lab(tmp_path) as work:
        ask(work, "first")
        shown = ask(work, "second", schedule="weekly")
        assert "started, USING CRON 0 5 * * * UTC" in shown[0]
        assert work.ended == COMPLETED
        assert rows(work, TASKS) == [("scores_V2_SCORE", "started", "USING CRON 0 5 * * 1 UTC")]


@pytest.mark.slow
def test_another_warehouse_is_shown_and_the_task_follows_it(tmp_path: Path) -> None:
    setup = 'CREATE WAREHOUSE "night wh"; GRANT USAGE ON WAREHOUSE "night wh" TO ROLE SYSADMIN;'
    asked = 'SHOW TASKS IN ACCOUNT ->> SELECT "warehouse", "state" FROM $1'
    with lab(tmp_path, setup) as work:
        first = ask(work, "first")
        assert "Scoring task of this version: none yet." in first[0]
        shown = ask(work, "second", scoring_warehouse='"night wh"')
        assert "UTC on COMPUTE_WH: Scores " in shown[0]
        assert rows(work, asked) == [("night wh", "started")]
        before = work.look()
        ask(work, "third", scoring_warehouse='"night wh"')
        assert (work.ended, changes(before, work.look())) == (COMPLETED, [])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changed", "setup", "why"),
    [
        ({"key_column": "client_no"}, "", "has no column CLIENT_NO; it has client no, Tenure"),
        ({"feature_columns": "TENURE"}, "", "lacks some of TENURE; it has client no, Tenure"),
        ({"model_version": "V9"}, "", "has the versions V1, V2"),
        ({"prediction_table": '"Lab"."nowhere"."x"'}, "", "the schema of"),
        (
            {"prediction_table": '"Lab"."out"."mine"'},
            'CREATE TABLE "Lab"."out"."mine" (NOTE STRING);',
            "has the name of a table that this playbook would create",
        ),
        (
            {},
            'CREATE TASK "Lab"."out"."scores_V2_SCORE" WAREHOUSE = COMPUTE_WH AS SELECT 1;',
            "was not made by this playbook",
        ),
    ],
)
def test_what_cannot_be_done_stops_it_before_anything_changes(
    changed: dict[str, str], setup: str, why: str, tmp_path: Path
) -> None:
    with lab(tmp_path, setup) as work:
        ask(work, "first", **changed)
        assert why in work.ended
        assert changes(work.begun, work.look()) == []


@pytest.mark.slow
def test_an_account_that_cannot_call_models_is_told_before_anything_changes(
    tmp_path: Path,
) -> None:
    with lab(tmp_path, has_models=False) as work:
        ask(work, "first")
        assert "This account cannot call models" in work.ended
        assert changes(work.begun, work.look()) == []


@pytest.mark.slow
@pytest.mark.parametrize("pauses", range(5))
def test_aborted_at_any_pause_everything_is_taken_back(pauses: int, tmp_path: Path) -> None:
    with lab(tmp_path) as work:
        work.ask(Wish("deploy-registered-model", ASKED), "first")
        for _ in range(pauses):
            work.go_on()
        work.clean()
        assert changes(work.begun, work.look()) == []
