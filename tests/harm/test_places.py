"""A playbook that moves its session: what its short names mean is shown, sent and taken back."""

from __future__ import annotations

import pytest

from tests.harm.fingerprint import difference
from tests.harm.judge import verdict
from tests.harm.workplace import Workplace, agreed_playbook_of, playbook_of

_REVIEW = 'checkpoint:\n  severity: review\n  present: "Done."\n'
_PLACES = """
CREATE SCHEMA SHOP.EAST; CREATE SCHEMA SHOP.WEST; CREATE TABLE SHOP.PUBLIC.T (A INT);
CREATE TABLE SHOP.EAST.T (A INT); INSERT INTO SHOP.EAST.T VALUES (1), (2);
CREATE TABLE SHOP.WEST.T (A INT); INSERT INTO SHOP.WEST.T VALUES (8), (9);
CREATE TABLE SHOP.PUBLIC.NEU (A INT); INSERT INTO SHOP.PUBLIC.T VALUES (3)
"""
_MOVING = {
    "creates in two": [
        "USE DATABASE SHOP; USE SCHEMA EAST; CREATE TABLE NEU (A INT)",
        "USE SCHEMA WEST; CREATE TABLE NEU (A INT); INSERT INTO NEU VALUES (1)",
    ],
    "deletes in two": [
        "USE SCHEMA SHOP.EAST; DELETE FROM T WHERE A = 1",
        "USE SCHEMA WEST; DELETE FROM T WHERE A = 9",
    ],
    "drops and replaces": [
        "USE SCHEMA SHOP.EAST; DROP TABLE T",
        "USE SCHEMA WEST; CREATE OR REPLACE TABLE T (B INT)",
    ],
    "makes a schema": [
        "USE DATABASE SHOP",
        'CREATE SCHEMA "new one"; CREATE TABLE T (A INT)',
        "INSERT INTO T VALUES (5)",
        "DROP TABLE T",
    ],
    "makes a database": [
        'CREATE DATABASE "d b"',
        "CREATE TABLE T (A INT); CREATE SCHEMA S; CREATE VIEW V AS SELECT * FROM PUBLIC.T",
    ],
    "swaps": ["USE SCHEMA SHOP.EAST; ALTER TABLE T SWAP WITH WEST.T"],
    "renames": [
        "USE SCHEMA SHOP.EAST; ALTER TABLE T RENAME TO T2; ALTER TABLE T2 ADD COLUMN B INT"
    ],
    "in a block": [
        "USE SCHEMA SHOP.EAST; EXECUTE IMMEDIATE $$BEGIN DELETE FROM T WHERE A = 2; END$$"
    ],
}


@pytest.mark.slow
@pytest.mark.parametrize("how", _MOVING)
def test_what_is_done_where_a_playbook_went_is_taken_back_there_or_named(how, tmp_path):
    work = Workplace(tmp_path, _PLACES)
    work.begin(agreed_playbook_of(_MOVING[how]))
    work.finish()
    assert work.events("playbook_completed")
    work.clean()
    assert verdict(work) == []


def test_short_names_are_shown_sent_and_taken_back_in_full(tmp_path):
    work = Workplace(tmp_path, _PLACES)
    steps = ["USE SCHEMA SHOP.EAST; CREATE TABLE NEU (A INT)", "INSERT INTO NEU VALUES (1)"]
    work.begin(agreed_playbook_of(steps))
    shown = [
        one.sql for step in work.events("checkpoint_reached")[0].foreseen for one in step.statements
    ]
    assert shown == ["USE SCHEMA SHOP.EAST", "CREATE TABLE SHOP.EAST.NEU (A INT)"]
    work.finish()
    sent = [event.sql for event in work.events("statement_started")]
    assert sent == [*shown, "INSERT INTO SHOP.EAST.NEU VALUES (1)"]
    work.clean()
    assert work.said().proposed == ("DROP TABLE IF EXISTS SHOP.EAST.NEU RESTRICT",)


def test_a_declared_cleanup_means_what_its_step_meant(tmp_path):
    work = Workplace(tmp_path, _PLACES)
    said = f'compensation:\n  - "DROP TABLE NEU"\n{_REVIEW}'
    work.begin(
        playbook_of(
            ["USE SCHEMA SHOP.EAST; CREATE TABLE NEU (A INT)", "USE SCHEMA SHOP.PUBLIC"], said
        )
    )
    work.finish()
    work.clean()
    assert difference(work.begun, work.look()) == []
    assert verdict(work) == []


@pytest.mark.slow
def test_a_short_name_that_means_nothing_anywhere_is_never_sent(tmp_path):
    work = Workplace(tmp_path, _PLACES)
    work.begin(playbook_of(["CREATE TABLE NEU (A INT)", "USE SCHEMA SHOP.EAST"], _REVIEW))
    assert [event.sql for event in work.events("statement_started")] == []
    assert "no current database" in work.events("error_escalated")[0].error
    assert difference(work.begun, work.look()) == []
