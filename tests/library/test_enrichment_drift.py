"""Enrichment on tables that are nobody's demo: again, with other wishes, beside others' work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from skills_nb.embedded.types.values import AiCall
from tests.library.messy.test_every_playbook import Mess, changes
from tests.library.messy.wishes import COMPLETED, Wish

TICKETS = """
CREATE DATABASE "Help desk"; CREATE SCHEMA "Help desk"."in";
CREATE TABLE "Help desk"."in"."tickets" ("ticket no" INT, "what they say" STRING, "by hand" STRING);
INSERT INTO "Help desk"."in"."tickets" VALUES
  (1, 'good tent', 'tent'), (2, 'bad lamp', 'lamp'), (2, 'bad', 'lamp'), (3, '', NULL),
  (NULL, 'lost', NULL);
GRANT USAGE ON DATABASE "Help desk" TO ROLE SYSADMIN;
GRANT USAGE ON SCHEMA "Help desk"."in" TO ROLE SYSADMIN;
GRANT SELECT ON ALL TABLES IN SCHEMA "Help desk"."in" TO ROLE SYSADMIN;
GRANT CREATE SCHEMA ON DATABASE "Help desk" TO ROLE SYSADMIN;
"""
ASKED = {
    "source_table": '"Help desk"."in"."tickets"',
    "key_column": '"ticket no"',
    "text_column": '"what they say"',
    "human_label_column": '"by hand"',
    "categories": '{"tent": "about tents", "lamp": "about lamps"}',
    "output_table": '"Help desk"."out"."said"',
    "analyst_role": "SYSADMIN",
    "sample_size": "20",
}
SKIPPED = ("error:12",)
"""This account keeps no credits of AI functions."""


def _answer(call: AiCall) -> Any:
    text = str(call.arguments[0])
    match call.function:
        case "AI_CLASSIFY":
            return {"labels": ["tent" if "tent" in text else "lamp"]}
        case "AI_SENTIMENT":
            return {"categories": [{"sentiment": "positive" if "good" in text else "negative"}]}
        case _:
            return 3


@contextmanager
def desk(home: Path, setup: str = "", *, has_ai: bool = True) -> Iterator[Mess]:
    work = Mess(home, TICKETS + setup)
    try:
        if has_ai:
            work.account.answer_ai(_answer)
        work.begun = work.look()
        yield work
    finally:
        work.close()


def ask(work: Mess, thread: str, **changed: str) -> list[str]:
    """Run to the end or a stop; return what was shown at each pause."""
    shown = []
    inputs = {k: v for k, v in {**ASKED, **changed}.items() if v}
    work.ask(Wish("enrich-text-with-ai", inputs), thread)
    for _ in range(20):
        if work.reply is None or work.reply.pause is None:
            break
        shown.append(work.reply.pause.present)
        if not work.go_on():
            break
    return shown


def said(work: Mess) -> list[tuple[Any, ...]]:
    session = work.account.session("ADMIN", "ACCOUNTADMIN", warehouse="COMPUTE_WH")
    found = session.execute(
        'SELECT "ticket no", AI_CATEGORY, AI_SENTIMENT FROM "Help desk"."out"."said_VIEW"'
        " WHERE AI_CATEGORY IS NOT NULL ORDER BY 1, 2"
    )
    session.close()
    return sorted(set(map(tuple, found.rows)))


@pytest.mark.slow
def test_quoted_names_are_enriched_once_and_a_second_run_changes_nothing(tmp_path: Path) -> None:
    with desk(tmp_path) as work:
        shown = ask(work, "first")
        assert (work.ended, work.skipped) == (COMPLETED, SKIPPED)
        assert len(shown) <= 6
        assert said(work) == [(1, "tent", None), (2, "lamp", None)]
        before = work.look()
        ask(work, "second")
        assert (work.ended, changes(before, work.look())) == (COMPLETED, [])


@pytest.mark.slow
def test_another_request_is_told_before_its_rows_are_replaced(tmp_path: Path) -> None:
    with desk(tmp_path) as work:
        ask(work, "first")
        shown = ask(work, "second", sentiment="true")
        assert "2 of them with results of a different request" in " ".join(shown)
        assert work.ended == COMPLETED
        assert said(work) == [(1, "tent", "positive"), (2, "lamp", "negative")]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changed", "setup", "why"),
    [
        ({"text_column": "what_they_say"}, "", "has no column WHAT_THEY_SAY; it has ticket no"),
        ({"source_table": '"Help desk"."in".TICKETS'}, "", "does not exist"),
        (
            {"output_table": '"Help desk"."in"."kept"'},
            'CREATE TABLE "Help desk"."in"."kept" (NOTE STRING);',
            "this playbook did not make it",
        ),
        (
            {"output_table": '"Help desk"."in"."kept"'},
            'CREATE VIEW "Help desk"."in"."kept_VIEW" AS SELECT 1 AS ONE;',
            "a view can only be replaced",
        ),
        ({"analyst_role": "KEEPER"}, "", "KEEPER lacks CREATE SCHEMA on DATABASE"),
        (
            {"analyst_role": "KEEPER"},
            'GRANT CREATE SCHEMA ON DATABASE "Help desk" TO ROLE KEEPER;',
            "Schema 'Help desk.in' does not exist or not authorized",
        ),
        (
            {"source_table": '"Help desk"."in"."no texts yet"'},
            'CREATE TABLE "Help desk"."in"."no texts yet" LIKE "Help desk"."in"."tickets";'
            'INSERT INTO "Help desk"."in"."no texts yet" ("ticket no") VALUES (1);',
            "so there is nothing to enrich",
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
def test_an_account_without_ai_functions_is_told_before_anything_changes(tmp_path: Path) -> None:
    with desk(tmp_path, has_ai=False) as work:
        ask(work, "first")
        assert "This account has no AI functions" in work.ended
        assert changes(work.begun, work.look()) == []


@pytest.mark.slow
def test_results_that_were_replaced_are_put_back_by_cleanup(tmp_path: Path) -> None:
    with desk(tmp_path) as work:
        ask(work, "first")
        before = work.look()
        work.ask(Wish("enrich-text-with-ai", {**ASKED, "sentiment": "true"}), "second")
        while "Read these 2 texts" not in work.ended:
            assert work.go_on()
        work.clean()
        assert changes(before, work.look()) == []


@pytest.mark.slow
@pytest.mark.parametrize("pauses", range(6))
def test_aborted_at_any_pause_everything_is_taken_back(pauses: int, tmp_path: Path) -> None:
    with desk(tmp_path) as work:
        work.ask(Wish("enrich-text-with-ai", ASKED), "first")
        for _ in range(pauses):
            work.go_on()
        work.clean()
        assert changes(work.begun, work.look()) == []


POOR = """
CREATE ROLE "the readers"; CREATE ROLE WRITER; GRANT ROLE WRITER TO USER ADMIN;
CREATE ROLE BUILDER; CREATE SCHEMA "Help desk"."made";
GRANT USAGE ON DATABASE "Help desk" TO ROLE "the readers";
GRANT USAGE ON ALL SCHEMAS IN DATABASE "Help desk" TO ROLE "the readers";
GRANT SELECT ON ALL TABLES IN SCHEMA "Help desk"."in" TO ROLE "the readers";
GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE WRITER;
GRANT ROLE "the readers" TO ROLE WRITER; GRANT ROLE BUILDER TO ROLE WRITER;
REVOKE USE AI FUNCTIONS ON ACCOUNT FROM ROLE PUBLIC;
"""
MAKERS = """
CREATE DATABASE ROLE "Help desk".MAKERS; GRANT DATABASE ROLE "Help desk".MAKERS TO ROLE BUILDER;
"""
MISSING = {
    '"Help desk"."made"."said"': (
        'WRITER lacks CREATE TABLE, CREATE VIEW on SCHEMA "Help desk"."made". Its owner,'
        " ACCOUNTADMIN, runs GRANT CREATE TABLE, CREATE VIEW ON"
        ' SCHEMA "Help desk"."made" TO ROLE WRITER',
        'GRANT CREATE TABLE, CREATE VIEW ON SCHEMA "Help desk"."made" TO ROLE BUILDER',
    ),
    '"Help desk"."out"."said"': (
        'WRITER lacks CREATE SCHEMA on DATABASE "Help desk"',
        'GRANT CREATE SCHEMA ON DATABASE "Help desk" TO ROLE BUILDER',
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("holder", ["ROLE BUILDER", 'DATABASE ROLE "Help desk".MAKERS'])
@pytest.mark.parametrize("place", MISSING)
def test_missing_privileges_are_told_before_the_first_step_and_their_grants_are_enough(
    place: str, holder: str, tmp_path: Path
) -> None:
    with desk(tmp_path, POOR + MAKERS) as work:
        told, grant = MISSING[place]
        asked = {"analyst_role": "WRITER", "output_table": place}
        ask(work, "first", **asked)
        assert told in work.ended
        assert "ACCOUNTADMIN runs GRANT USE AI FUNCTIONS ON ACCOUNT TO ROLE WRITER" in work.ended
        assert (work.events("step_started"), changes(work.begun, work.look())) == ([], [])
        work.run(grant.replace("ROLE BUILDER", holder))
        ask(work, "second", **asked)
        assert ("lacks CREATE" in work.ended, "USE AI FUNCTIONS" in work.ended) == (False, True)
        work.run('GRANT USE AI FUNCTIONS ON ACCOUNT TO ROLE "the readers"')
        ask(work, "third", **asked)
        assert (work.ended, work.skipped) == (COMPLETED, SKIPPED)
