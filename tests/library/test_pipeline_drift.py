"""Pipelines on tables that are nobody's demo: rows arrive once, drift is shown, others' work stays.

The dynamic tables are refreshed and the tasks run by hand, as the account would by its clock.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from skills_nb.commands.home import connections
from tests.library.own_accounts import COMPLETED, OwnAccount, own_account

HARBOUR = """
CREATE ROLE CLERK; GRANT ROLE CLERK TO USER ADMIN; CREATE ROLE OTHERS;
CREATE WAREHOUSE "night wh" WAREHOUSE_SIZE = XSMALL; CREATE DATABASE "My Port";
CREATE SCHEMA "My Port"."arri vals"; CREATE SCHEMA "My Port"."out";
CREATE TABLE "My Port"."arri vals"."ships" (
  "no" INT, "Größe" STRING, "doc" VARIANT, "seen" TIMESTAMP_NTZ);
INSERT INTO "My Port"."arri vals"."ships"
  SELECT 1, 'S', PARSE_JSON('{"flag": "DE"}'), '2026-01-01'
  UNION ALL SELECT 1, 'S+', PARSE_JSON('{"flag": "DE"}'), '2026-01-02'
  UNION ALL SELECT 2, 'M', NULL, '2026-01-02' UNION ALL SELECT NULL, 'lost', NULL, '2026-01-02';
CREATE TABLE "My Port"."arri vals"."log.book" ("said" STRING, "doc" VARIANT);
INSERT INTO "My Port"."arri vals"."log.book"
  SELECT 'hi', PARSE_JSON('[1]') UNION ALL SELECT 'hi', PARSE_JSON('[1]')
  UNION ALL SELECT NULL, NULL UNION ALL SELECT 'ho', NULL;
CREATE TABLE "My Port"."arri vals"."empty" ("id" INT PRIMARY KEY, "x" STRING);
GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE CLERK;
"""
PIPELINE = "build-streaming-pipeline"
PLACE = '"My Port"."arri vals"'
OUT = '"My Port"."out"'
ASKED = {
    "target_scope": PLACE,
    "output_schema": OUT,
    "version_column": '"seen"',
    "keys": '{"ships": "no"}',
}
TASKS = {**ASKED, "style": "streams-and-tasks"}


@pytest.fixture
def port(tmp_path: Path) -> Iterator[OwnAccount]:
    with own_account(tmp_path, HARBOUR) as account:
        yield account


def ships(port: OwnAccount) -> list[tuple[int, str]]:
    found = port.rows(f'SELECT "no", "Größe" AS SIZE FROM {OUT}."ships_CLEAN" ORDER BY 1')
    return [(row["no"], row["SIZE"]) for row in found]


def log(port: OwnAccount) -> list[str]:
    found = port.rows(f'SELECT "said" AS S FROM {OUT}."log.book_CLEAN" ORDER BY 1 NULLS LAST')
    return [row["S"] for row in found]


def refresh(port: OwnAccount, style: str) -> None:
    for table in ("ships", "log.book"):
        port.run(
            f'ALTER DYNAMIC TABLE {OUT}."{table}_CLEAN" REFRESH'
            if style == "dynamic-tables"
            else f'EXECUTE TASK {OUT}."{table}_LOAD"'
        )


@pytest.mark.slow
@pytest.mark.parametrize("style", ["dynamic-tables", "streams-and-tasks"])
def test_each_key_arrives_once_and_follows_updates_and_deletes(
    port: OwnAccount, style: str
) -> None:
    shown = port.run_to_its_end(PIPELINE, **ASKED, style=style)
    assert shown[-1] == COMPLETED
    assert len(shown) == 3
    assert "come 5 rows, one per key. Left out because their key holds no value: 1 row." in shown[0]
    assert "Tables without a key: log.book" in shown[0]
    assert "5 rows to carry over, the clean tables 5. Keys found more" in shown[-2]
    assert "more than once: 0. Tables whose numbers differ: 0" in shown[-2]
    assert (ships(port), log(port)) == ([(1, "S+"), (2, "M")], ["hi", "ho", None])
    port.run(
        f"INSERT INTO {PLACE}.\"ships\" SELECT 2, 'late', NULL, '2025-01-01'"
        " UNION ALL SELECT 3, 'L', NULL, '2026-02-01';"
        f'INSERT INTO {PLACE}."log.book" SELECT * FROM {PLACE}."log.book"'
    )
    refresh(port, style)
    assert (ships(port), log(port)) == ([(1, "S+"), (2, "M"), (3, "L")], ["hi", "ho", None])
    port.run(
        f"INSERT INTO {PLACE}.\"ships\" SELECT 3, 'L', NULL, '2026-02-01';"
        f'UPDATE {PLACE}."ships" SET "Größe" = \'XL\' WHERE "no" = 2 AND "Größe" = \'M\';'
        f'DELETE FROM {PLACE}."ships" WHERE "Größe" = \'S+\';'
        f'DELETE FROM {PLACE}."log.book" WHERE "said" = \'hi\''
    )
    refresh(port, style)
    assert (ships(port), log(port)) == ([(1, "S"), (2, "XL"), (3, "L")], ["ho", None])
    port.run(f'DELETE FROM {PLACE}."ships" WHERE "no" = 1')
    refresh(port, style)
    assert ships(port) == [(2, "XL"), (3, "L")]


@pytest.mark.slow
@pytest.mark.parametrize("asked", [ASKED | {"time_column": '"seen"'}, TASKS], ids=["dt", "tasks"])
def test_again_sends_nothing_and_the_account_stays_as_it_is(
    port: OwnAccount, asked: dict[str, str]
) -> None:
    port.run_to_its_end(PIPELINE, **asked)
    before = port.look()
    again = port.run_to_its_end(PIPELINE, **asked)
    assert "To create: nothing. To change: nothing." in again[0]
    assert (port.sent(), port.changes(before), again[-1]) == ([], [], COMPLETED)


def lags(port: OwnAccount) -> dict[str, tuple[str, str]]:
    found = port.rows(f"SHOW DYNAMIC TABLES IN SCHEMA {OUT}")
    return {row["name"]: (row["target_lag"], row["warehouse"]) for row in found}


@pytest.mark.slow
def test_the_middle_follows_downstream_and_lag_and_warehouse_converge(port: OwnAccount) -> None:
    timed = ASKED | {"time_column": '"seen"'}
    port.run_to_its_end(PIPELINE, **timed)
    assert lags(port) == {
        "ships_CLEAN": ("DOWNSTREAM", "COMPUTE_WH"),
        "ships_DAILY": ("1 hour", "COMPUTE_WH"),
        "log.book_CLEAN": ("1 hour", "COMPUTE_WH"),
        "empty_CLEAN": ("1 hour", "COMPUTE_WH"),
    }
    before = port.look()
    port.run(f'ALTER DYNAMIC TABLE {OUT}."empty_CLEAN" SUSPEND')
    changed = timed | {"freshness": "5 minutes", "pipeline_warehouse": '"night wh"'}
    shown = port.run_to_its_end(PIPELINE, **changed)
    assert "ships_DAILY (1 hour -> 5 minutes, COMPUTE_WH -> night wh)" in shown[0]
    assert "ships_CLEAN (COMPUTE_WH -> night wh)" in shown[0]
    assert "suspended -> started" in shown[0]
    assert lags(port)["ships_DAILY"] == ("5 minutes", "night wh")
    assert lags(port)["ships_CLEAN"] == ("DOWNSTREAM", "night wh")
    assert port.run_to_its_end(PIPELINE, **changed)
    assert port.sent() == []
    port.run_to_its_end(PIPELINE, **timed)
    assert port.changes(before) == []


@pytest.mark.slow
@pytest.mark.parametrize("style", ["dynamic-tables", "streams-and-tasks"])
def test_another_key_is_another_query_which_is_shown_and_then_holds(
    port: OwnAccount, style: str
) -> None:
    port.run_to_its_end(PIPELINE, **ASKED, style=style)
    port.run(f'GRANT SELECT ON TABLE {OUT}."log.book_CLEAN" TO ROLE OTHERS')
    before = port.look()
    keyed = {**ASKED, "style": style, "keys": '{"ships": "no", "log.book": ["said"]}'}
    name = "log.book_CLEAN" if style == "dynamic-tables" else "log.book_LOAD"
    port.ask(PIPELINE, **keyed)
    assert f"To change: {name} (another query)." in port.ended
    port.finish(1)
    port.clean()
    assert port.changes(before) == []
    assert port.run_to_its_end(PIPELINE, **keyed)[-1] == COMPLETED
    held = port.rows("SHOW GRANTS TO ROLE OTHERS")
    assert [row["privilege"] for row in held] == ["SELECT"]
    port.run_to_its_end(PIPELINE, **keyed)
    assert port.sent() == []


@pytest.mark.slow
def test_a_task_that_somebody_changed_is_shown_and_brought_back(port: OwnAccount) -> None:
    port.run_to_its_end(PIPELINE, **TASKS)
    port.run(
        f'ALTER TASK {OUT}."ships_LOAD" SUSPEND;'
        f'ALTER TASK {OUT}."ships_LOAD" MODIFY AS DELETE FROM {OUT}."ships_CLEAN"'
    )
    shown = port.run_to_its_end(PIPELINE, **TASKS)
    assert "To change: ships_LOAD (another query, suspended -> started)." in shown[0]
    port.run_to_its_end(PIPELINE, **TASKS)
    assert port.sent() == []
    assert ships(port) == [(1, "S+"), (2, "M")]


REFUSED = {
    "a table of others": (
        {},
        f'CREATE TABLE {OUT}."ships_CLEAN" (NOTE STRING);',
        "ships_CLEAN (table of ACCOUNTADMIN)",
    ),
    "a stream of others": (
        {"style": "streams-and-tasks"},
        f'CREATE STREAM {OUT}."ships_CHANGES" ON TABLE {PLACE}."ships";',
        "ships_CHANGES (stream of ACCOUNTADMIN)",
    ),
    "a view of others": (
        {},
        f"CREATE VIEW {OUT}.PIPELINE_REFRESHES AS SELECT 1 AS ONE;",
        "PIPELINE_REFRESHES (view of ACCOUNTADMIN)",
    ),
    "a misspelt key": (
        {"keys": '{"log.book": "SAID"}'},
        "",
        "columns that do not exist: log.book.SAID",
    ),
    "a misspelt version": ({"version_column": "SEEN"}, "", "has a column SEEN"),
    "no such warehouse": ({"pipeline_warehouse": "NIGHT_WH"}, "", "NIGHT_WH does not exist"),
    "a role of others": ({"engineer_role": "OTHERS"}, "", "not granted to user ADMIN"),
    "an empty schema": ({"target_scope": OUT}, "", "There is no table in"),
    "a role that may not create": (
        {"engineer_role": "CLERK"},
        f'GRANT USAGE ON DATABASE "My Port" TO ROLE CLERK;GRANT USAGE ON SCHEMA {PLACE} TO ROLE'
        f" CLERK;GRANT SELECT ON ALL TABLES IN SCHEMA {PLACE} TO ROLE CLERK;"
        f"GRANT USAGE ON SCHEMA {OUT} TO ROLE CLERK;",
        "Grant CREATE DYNAMIC TABLE on schema",
    ),
    "a role that may not run tasks": (
        {"engineer_role": "CLERK", "style": "streams-and-tasks"},
        "",
        "CLERK lacks EXECUTE TASK",
    ),
    "a role that may not read": (
        {"engineer_role": "CLERK"},
        'GRANT USAGE, CREATE SCHEMA ON DATABASE "My Port" TO ROLE CLERK;',
        "grants SELECT on all tables",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_done_stops_it_before_anything_changes(port: OwnAccount, name: str) -> None:
    changed, setup, why = REFUSED[name]
    port.run(setup)
    before = port.look()
    shown = port.run_to_its_end(PIPELINE, **ASKED | changed)
    assert why in shown[-1]
    assert "not known here" not in shown[-1]
    assert port.changes(before) == []


def _owned_by(role: str) -> str:
    return f"""
    GRANT OWNERSHIP ON DATABASE "My Port" TO ROLE {role};
    GRANT OWNERSHIP ON ALL SCHEMAS IN DATABASE "My Port" TO ROLE {role};
    GRANT OWNERSHIP ON ALL TABLES IN SCHEMA {PLACE} TO ROLE {role};
    """


@pytest.mark.slow
def test_a_role_that_inherits_another_is_asked_for_what_both_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "EMBEDDED_ROLE", "CLERK")
    owned = f"""
    GRANT ROLE OTHERS TO ROLE CLERK; GRANT USAGE ON WAREHOUSE "night wh" TO ROLE CLERK;
    {_owned_by("CLERK")}
    """
    with own_account(tmp_path, HARBOUR + owned) as port:
        before = port.look()
        shown = port.run_to_its_end(PIPELINE, **TASKS, engineer_role="CLERK")
        assert "CLERK lacks EXECUTE TASK on the account" in shown[-1]
        assert port.changes(before) == []
        port.run("GRANT EXECUTE TASK ON ACCOUNT TO ROLE OTHERS")
        assert port.run_to_its_end(PIPELINE, **TASKS, engineer_role="CLERK")[-1] == COMPLETED


@pytest.mark.slow
def test_the_owner_compares_queries_that_the_session_cannot_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "EMBEDDED_ROLE", "CLERK")
    reads = f"""
    CREATE ROLE KEEPER; GRANT ROLE KEEPER TO USER ADMIN;
    GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE KEEPER;
    {_owned_by("KEEPER")}
    GRANT USAGE ON DATABASE "My Port" TO ROLE CLERK;
    GRANT USAGE ON ALL SCHEMAS IN DATABASE "My Port" TO ROLE CLERK;
    GRANT SELECT ON ALL TABLES IN DATABASE "My Port" TO ROLE CLERK;
    GRANT SELECT ON FUTURE DYNAMIC TABLES IN DATABASE "My Port" TO ROLE CLERK;
    GRANT SELECT ON FUTURE VIEWS IN DATABASE "My Port" TO ROLE CLERK;
    """
    with own_account(tmp_path, HARBOUR + reads) as port:
        asked = ASKED | {"engineer_role": "KEEPER"}
        assert port.run_to_its_end(PIPELINE, **asked)[-1] == COMPLETED
        again = port.run_to_its_end(PIPELINE, **asked)
        assert "To create: nothing. To change: nothing." in again[0]
        assert (len(again), port.sent()) == (3, [])
        shown = port.rows(f"SHOW DYNAMIC TABLES IN SCHEMA {OUT}", role="CLERK")
        assert {row["text"] for row in shown} == {""}
        port.run(f"GRANT MONITOR ON ALL DYNAMIC TABLES IN SCHEMA {OUT} TO ROLE CLERK")
        shown = port.rows(f"SHOW DYNAMIC TABLES IN SCHEMA {OUT}", role="CLERK")
        assert all("SELECT" in row["text"] for row in shown)


@pytest.mark.slow
def test_a_missing_right_is_told_before_anything_starts(port: OwnAccount) -> None:
    port.ask(PIPELINE, **ASKED, engineer_role="CLERK")
    assert port.pause is not None
    assert port.pause.kind == "probe_checkpoint"
    assert 'CLERK has no CREATE DYNAMIC TABLE on "My Port"."out"' in port.ended


@pytest.mark.slow
def test_tables_without_a_key_can_be_left_out(port: OwnAccount) -> None:
    port.ask(PIPELINE, **ASKED)
    port.answer("leave-out")
    assert "To create: PIPELINE_REFRESHES, empty_CLEAN, ships_CLEAN." in port.ended
    assert port.finish()[-1] == COMPLETED
    assert set(lags(port)) == {"ships_CLEAN", "empty_CLEAN"}


@pytest.mark.slow
@pytest.mark.parametrize("asked", [ASKED, TASKS], ids=["dt", "tasks"])
def test_aborted_at_each_pause_nothing_remains(port: OwnAccount, asked: dict[str, str]) -> None:
    found = list(port.aborted_at_each_pause(PIPELINE, **asked))
    assert [remains for _, remains in found] == [[], []]
