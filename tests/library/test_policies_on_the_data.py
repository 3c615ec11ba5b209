"""Policies on the very tables that a playbook reads: told before anything, and never got around."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.library.own_accounts import OwnAccount, own_account

pytestmark = pytest.mark.slow
KAI = '"Häfen.Süd"."Kai 3"'
PORT = f"""
CREATE DATABASE "Häfen.Süd"; CREATE SCHEMA {KAI}; CREATE SCHEMA "Häfen.Süd"."aus";
CREATE TABLE {KAI}."lotsen" ("nr" INT, "name" STRING);
INSERT INTO {KAI}."lotsen" VALUES (1, 'Ann'), (2, 'Bo'), (3, 'Cy');
CREATE TABLE {KAI}."pegel" ("nr" INT, "ort" STRING);
INSERT INTO {KAI}."pegel" VALUES (1, 'A'), (2, 'A'), (3, 'B');
CREATE MASKING POLICY {KAI}.HIDE AS (V STRING) RETURNS STRING -> '#';
ALTER TABLE {KAI}."lotsen" MODIFY COLUMN "name" SET MASKING POLICY {KAI}.HIDE;
CREATE AGGREGATION POLICY {KAI}.GROUPS AS () RETURNS AGGREGATION_CONSTRAINT ->
  AGGREGATION_CONSTRAINT(MIN_GROUP_SIZE => 2);
ALTER TABLE {KAI}."pegel" SET AGGREGATION POLICY {KAI}.GROUPS;
CREATE SCHEMA "Häfen.Süd"."alt";
CREATE TABLE "Häfen.Süd"."alt"."pegel" ("nr" INT, "ort" STRING);
"""
PIPELINE = {"engineer_role": "ACCOUNTADMIN", "output_schema": '"aus"'}
TEXTS = {
    "key_column": '"nr"',
    "output_table": '"Häfen.Süd"."aus"."texte"',
    "analyst_role": "ACCOUNTADMIN",
    "sentiment": "true",
}
VALIDATION = {
    "source_scope": '"Häfen.Süd"."alt"',
    "validator_role": "ACCOUNTADMIN",
    "report_schema": '"aus"',
}
APP = {
    "builder_role": "ACCOUNTADMIN",
    "viewer_role": "ACCOUNTADMIN",
    "app_warehouse": "COMPUTE_WH",
    "app_schema": '"aus"',
}
WITHHELD = "An aggregation policy keeps the role that runs the step from reading this"


@pytest.fixture
def port(tmp_path: Path) -> Iterator[OwnAccount]:
    with own_account(tmp_path, PORT) as account:
        yield account


def test_a_copy_of_protected_rows_is_made_only_when_a_person_means_it(port: OwnAccount) -> None:
    before = port.look()
    port.ask("build-streaming-pipeline", **PIPELINE, target_scope=f'{KAI}."lotsen"')
    assert "Policies protect Kai 3.lotsen." in port.ended
    assert "none of these policies protects the copies" in port.ended
    port.clean()
    assert (port.sent(), port.changes(before)) == ([], [])


def test_a_pipeline_over_tables_without_policies_does_not_ask(port: OwnAccount) -> None:
    port.ask("build-streaming-pipeline", **PIPELINE, target_scope='"Häfen.Süd"."alt"')
    assert port.ended.startswith("From 1 table of")


def test_results_about_protected_texts_are_stored_only_when_a_person_means_it(
    port: OwnAccount,
) -> None:
    told = {"source_table": f'{KAI}."lotsen"', "text_column": '"name"'}
    port.ask("enrich-text-with-ai", **TEXTS, **told)
    assert f'{KAI}."lotsen" is protected (masking policy).' in port.ended


@pytest.mark.parametrize(
    ("playbook", "inputs"),
    [
        ("build-streaming-pipeline", {**PIPELINE, "target_scope": f'{KAI}."pegel"'}),
        (
            "enrich-text-with-ai",
            {**TEXTS, "source_table": f'{KAI}."pegel"', "text_column": '"ort"'},
        ),
    ],
)
def test_groups_that_hide_their_rows_are_not_copied_as_one_row(
    playbook: str, inputs: dict[str, str], port: OwnAccount
) -> None:
    before = port.look()
    assert WITHHELD in port.run_to_its_end(playbook, **inputs)[-1]
    assert (port.sent(), port.changes(before)) == ([], [])


def test_a_comparison_names_what_a_policy_withholds_from_it(port: OwnAccount) -> None:
    before = port.look()
    port.ask("validate-migrated-data", **VALIDATION, target_scope=f'{KAI}."pegel"')
    assert "what an aggregation or projection policy withholds cannot be compared" in port.ended
    assert WITHHELD in port.finish()[-1]
    port.clean()
    assert port.changes(before) == []


def test_an_app_tells_that_it_cannot_show_rows_one_by_one(port: OwnAccount) -> None:
    before = port.look()
    shown = port.run_to_its_end("build-streamlit-app", **APP, target_scope=KAI)
    assert "Aggregation or projection policies lie on pegel." in shown[0]
    assert "Policies on it: 2; aggregation and projection policies among them" in shown[1]
    assert "cannot show every row or column: 1." in shown[1]
    assert WITHHELD in shown[-1]
    port.clean()
    assert port.changes(before) == []


def test_a_comparison_of_one_table_does_not_ask_about_policies_on_others(port: OwnAccount) -> None:
    port.run(
        f'CREATE TABLE {KAI}."leer" ("nr" INT); CREATE TABLE "Häfen.Süd"."alt"."leer" ("nr" INT)'
    )
    port.ask("validate-migrated-data", **VALIDATION, target_scope=f'{KAI}."leer"')
    assert "Tables on both sides: 1." in port.ended
