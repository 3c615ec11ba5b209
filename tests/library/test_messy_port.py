"""A port whose tables belong to several, on which others work: what playbooks say of it is so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from skills_nb.embedded.types.values import AiCall
from tests.library.own_accounts import COMPLETED, OwnAccount, own_account
from tests.library.test_other_sessions import go_on_behind

pytestmark = pytest.mark.slow
KAI = '"Häfen.Süd"."Kai 3"'
OUT = '"Häfen.Süd"."aus"'
CALLS = f'{KAI}."an.läufe"'
TIDES = f'{KAI}."pegel"'
MODEL = f'{KAI}."ver spätung"'
PORT = f"""
CREATE ROLE CUSTOMS; GRANT ROLE CUSTOMS TO USER ADMIN; CREATE ROLE PILOT;
GRANT ROLE PILOT TO USER ADMIN; GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE PILOT;
CREATE WAREHOUSE "tug wh" WAREHOUSE_SIZE = XSMALL AUTO_SUSPEND = 60;
CREATE DATABASE "Häfen.Süd"; CREATE SCHEMA {KAI}; CREATE SCHEMA {OUT};
CREATE TABLE {CALLS} ("nr" INT, "note" STRING, "t" FLOAT, "from" STRING);
INSERT INTO {CALLS} VALUES (1, 'ebb', 1, 'a'), (2, 'flow', 2, 'b'), (3, 'calm', 3, 'b');
CREATE TABLE {TIDES} ("nr" INT, "ort" STRING); INSERT INTO {TIDES} VALUES (1, 'A'), (2, 'A');
CREATE AGGREGATION POLICY {KAI}.GROUPS AS () RETURNS AGGREGATION_CONSTRAINT ->
  AGGREGATION_CONSTRAINT(MIN_GROUP_SIZE => 2);
ALTER TABLE {TIDES} SET AGGREGATION POLICY {KAI}.GROUPS;
CREATE TABLE {KAI}."leer" ("nr" INT, "ort" STRING);
CREATE TABLE {KAI}."zoll" ("nr" INT, "ort" STRING);
GRANT OWNERSHIP ON TABLE {KAI}."zoll" TO ROLE CUSTOMS;
CREATE STAGE {KAI}."kiste";
CREATE MODEL {MODEL} WITH VERSION V1 FROM @{KAI}."kiste"/one;
ALTER MODEL {MODEL} ADD VERSION "v.2" FROM @{KAI}."kiste"/two;
"""
TEXTS = {
    "source_table": CALLS,
    "key_column": '"nr"',
    "text_column": '"note"',
    "output_table": f'{OUT}."texte"',
    "analyst_role": "ACCOUNTADMIN",
    "sentiment": "true",
    "sample_size": "1",
}
TUNING = {
    "statement": f'SELECT "from", COUNT(*) FROM {CALLS} GROUP BY 1',
    "remedy": "cluster",
    "trial_schema": OUT,
    "trial_table": CALLS,
    "key_columns": '"from"',
    "runs": "1",
    "apply": "yes",
}
SCORES = {
    "model": MODEL,
    "model_version": '"v.2"',
    "engineer_role": "ACCOUNTADMIN",
    "input_table": CALLS,
    "key_column": '"nr"',
    "feature_columns": '"t"',
    "prediction_table": f'{OUT}."scores"',
    "scoring_warehouse": '"tug wh"',
    "monitored": "false",
}
BOARD = {
    "target_scope": KAI,
    "chosen_tables": '"an.läufe"',
    "builder_role": "ACCOUNTADMIN",
    "viewer_role": "CUSTOMS",
    "app_warehouse": '"tug wh"',
    "app_schema": OUT,
}
MOVE = {
    "target_database": '"Häfen.Süd"',
    "migration_role": "ACCOUNTADMIN",
    "wave_schema": "Kai 3",
    "stage": f'{KAI}."kiste"',
    "file_type": "CSV",
    "reader_role": "PILOT",
    "table_pattern": "%l%",
    "cut_over": "now",
}
AHEAD = "others have changed what the steps ahead read or change:"


def _answer(call: AiCall) -> Any:
    if call.function == "AI_SENTIMENT":
        return {"categories": [{"sentiment": "neutral"}]}
    return 3 if call.function.startswith("AI_") else {"output_feature_0": 0.5}


@pytest.fixture
def port(tmp_path: Path) -> Iterator[OwnAccount]:
    with own_account(tmp_path, PORT) as account:
        account.account.answer_ai(_answer)
        yield account


def wait_at(port: OwnAccount, words: str) -> None:
    """Go on until the thread waits where this is shown."""
    while words not in port.ended:
        assert port.pause is not None, port.ended
        port.answer()


def upload(port: OwnAccount, place: str, text: str) -> None:
    folder, _, name = place.rpartition("/")
    (port.home / name).write_text(text)
    put = f"PUT 'file://{port.home / name}' @{KAI}.\"kiste\"/{folder}"
    port.run(f"{put} AUTO_COMPRESS = FALSE OVERWRITE = TRUE")


def test_texts_that_others_add_behind_the_price_are_counted_before_they_are_paid_for(
    port: OwnAccount,
) -> None:
    port.ask("enrich-text-with-ai", **TEXTS)
    wait_at(port, "With your confirmation, the 2 remaining texts")
    more = "SELECT 100 + SEQ4(), 'x', 0, 'c' FROM TABLE(GENERATOR(ROWCOUNT => 50))"
    assert "Still to enrich: 52 texts." in go_on_behind(port, f"INSERT INTO {CALLS} {more}")
    port.answer()
    assert "the 52 remaining texts are sent to the functions, for about" in port.ended


def test_a_text_column_that_others_rename_is_told_before_the_rest_is_paid_for(
    port: OwnAccount,
) -> None:
    port.ask("enrich-text-with-ai", **TEXTS)
    wait_at(port, "With your confirmation")
    sent = port.sent()
    shown = go_on_behind(port, f'ALTER TABLE {CALLS} RENAME COLUMN "note" TO "remark"')
    assert "has other columns than before, or is gone" in shown
    assert port.sent() == sent


def test_a_key_column_that_others_rename_is_told_where_a_step_ahead_was_open(
    port: OwnAccount,
) -> None:
    port.ask("tune-slow-query", **TUNING)
    wait_at(port, "The same is applied to")
    shown = go_on_behind(port, f'ALTER TABLE {CALLS} RENAME COLUMN "from" TO "whence"')
    assert f"{AHEAD} {CALLS}: it no longer has column from" in shown


def test_a_clustering_key_of_others_is_not_replaced_unseen(port: OwnAccount) -> None:
    port.ask("tune-slow-query", **TUNING)
    wait_at(port, "The same is applied to")
    shown = go_on_behind(port, f'ALTER TABLE {CALLS} CLUSTER BY ("nr")')
    assert f"{AHEAD} {CALLS}: another session changed its clustering key" in shown


def test_a_table_whose_rows_a_policy_withholds_is_not_copied_for_sorting(port: OwnAccount) -> None:
    before = port.look()
    told = {**TUNING, "trial_table": TIDES, "key_columns": '"ort"'}
    told["statement"] = f'SELECT "ort", AVG("nr") FROM {TIDES} GROUP BY 1'
    shown = port.run_to_its_end("tune-slow-query", **told)
    assert "has aggregation or projection policies, which may refuse" in " ".join(shown)
    assert (shown[-1], port.changes(before)) == (COMPLETED, [])


def test_a_version_in_double_quotes_goes_live_once(port: OwnAccount) -> None:
    shown = port.run_to_its_end("deploy-registered-model", **SCORES)
    assert 'the first gives {"output_feature_0":0.5}' in " ".join(shown)
    assert f"the default of {MODEL} is v.2;" in " ".join(shown)
    assert shown[-1] == COMPLETED
    before = port.look()
    assert port.run_to_its_end("deploy-registered-model", **SCORES)[-1] == COMPLETED
    assert (port.sent(), port.changes(before)) == ([], [])


def test_a_model_of_others_is_told_before_rows_are_scored(port: OwnAccount) -> None:
    port.run(f"GRANT OWNERSHIP ON MODEL {MODEL} TO ROLE CUSTOMS COPY CURRENT GRANTS")
    shown = port.run_to_its_end("deploy-registered-model", **SCORES)
    assert f'{MODEL} belongs to CUSTOMS, and only its owner makes "v.2" the default.' in shown[-1]
    assert port.sent() == []


def test_protected_rows_are_copied_beside_predictions_only_when_a_person_means_it(
    port: OwnAccount,
) -> None:
    port.run(
        f"CREATE MASKING POLICY {KAI}.HIDE AS (V STRING) RETURNS STRING -> '#';"
        f'ALTER TABLE {CALLS} MODIFY COLUMN "note" SET MASKING POLICY {KAI}.HIDE'
    )
    port.ask("deploy-registered-model", **SCORES)
    assert f"{CALLS} is protected (masking policy)." in port.ended
    assert port.sent() == []


def test_a_warehouse_that_is_gone_is_told_by_the_app_and_the_task(port: OwnAccount) -> None:
    port.ask("build-streamlit-app", **BOARD)
    assert "per value of the first column: nr of an.läufe." in port.ended
    wait_at(port, "The queries of the app ran as")
    assert 'WITHOUT ITS WAREHOUSE: "tug wh" is gone' in go_on_behind(
        port, 'DROP WAREHOUSE "tug wh"'
    )
    port.run('CREATE WAREHOUSE "tug wh" WAREHOUSE_SIZE = XSMALL')
    port.ask("deploy-registered-model", **SCORES)
    wait_at(port, "With your confirmation")
    shown = go_on_behind(port, 'DROP WAREHOUSE "tug wh"')
    assert '"tug wh" is gone, or ACCOUNTADMIN has no USAGE on it' in shown


def test_a_view_replaced_behind_the_list_of_an_app_is_shown_again(port: OwnAccount) -> None:
    port.run(f'CREATE VIEW {KAI}."sicht" AS SELECT "nr", "note" FROM {CALLS}')
    port.ask("build-streamlit-app", **BOARD | {"chosen_tables": '"sicht"'})
    assert "first column: nr of sicht." in port.ended
    replaced = f'CREATE OR REPLACE VIEW {KAI}."sicht" AS SELECT "ort", "nr" FROM {KAI}."leer"'
    assert "first column: ort of sicht." in go_on_behind(port, replaced)
    assert port.sent() == []


def test_a_wave_loads_and_opens_only_tables_that_it_may(port: OwnAccount) -> None:
    for table in ("leer", "zoll"):
        upload(port, f"{table}/1.csv", "nr,ort\n1,A\n")
    shown = " ".join(port.run_to_its_end("migrate-database", **MOVE))
    assert "lacks INSERT or SELECT on them, which their owners grant: zoll." in shown
    assert "SELECT on: leer. Tables that no wave has loaded stay as they are." in shown
    assert port.ended == COMPLETED
    told = 'SHOW GRANTS TO ROLE PILOT ->> SELECT "name" FROM $1 WHERE "privilege" = \'SELECT\''
    assert [row["name"] for row in port.rows(told) if "Kai" in row["name"]] == [f'{KAI}."leer"']


def test_files_outside_of_an_account_that_reaches_none_are_said_to_be_out_of_reach(
    port: OwnAccount,
) -> None:
    port.run(
        "CREATE STORAGE INTEGRATION SI TYPE = EXTERNAL_STAGE STORAGE_PROVIDER = 'S3'"
        " ENABLED = TRUE STORAGE_AWS_ROLE_ARN = 'arn:aws:iam::1:role/x'"
        " STORAGE_ALLOWED_LOCATIONS = ('s3://dock/');"
        f"CREATE STAGE {KAI}.OUTSIDE URL = 's3://dock/in/' STORAGE_INTEGRATION = SI"
    )
    before = port.look()
    shown = port.run_to_its_end("migrate-database", **MOVE | {"stage": f"{KAI}.OUTSIDE"})
    assert "This account cannot reach files outside of it." in shown[-1]
    port.clean()
    assert port.changes(before) == []


def test_a_database_role_of_others_opens_no_table_for_the_loading_role(port: OwnAccount) -> None:
    upload(port, "1.csv", "nr,ort\n1,A\n")
    port.run(
        'CREATE DATABASE ROLE "Häfen.Süd".READER;'
        'GRANT USAGE ON DATABASE "Häfen.Süd" TO ROLE PILOT;'
        f'GRANT SELECT ON {KAI}."leer" TO DATABASE ROLE "Häfen.Süd".READER;'
        f"GRANT USAGE, CREATE FILE FORMAT ON SCHEMA {KAI} TO ROLE PILOT;"
        f'GRANT INSERT ON {KAI}."leer" TO ROLE PILOT;'
        f'GRANT READ ON STAGE {KAI}."kiste" TO ROLE PILOT'
    )
    told = {"target_table": f'{KAI}."leer"', "stage": f'{KAI}."kiste"', "loader_role": "PILOT"}
    shown = port.run_to_its_end("load-files-from-stage", **told)
    assert f'PILOT lacks SELECT on {KAI}."leer"' in shown[-1]
    port.run('GRANT DATABASE ROLE "Häfen.Süd".READER TO ROLE PILOT')
    assert port.run_to_its_end("load-files-from-stage", **told)[-1] == COMPLETED
