"""A statement that failed inside has done a part: that is named, never called nothing."""

from __future__ import annotations

import pytest

from tests.harm.judge import verdict
from tests.harm.workplace import Workplace, agreed_playbook_of

_ITEMS = "SHOP.OPS.ITEMS"
_HALF = f"""CREATE PROCEDURE SHOP.OPS."half it"() RETURNS INT LANGUAGE SQL AS
'BEGIN DELETE FROM {_ITEMS} WHERE ID = 1; DROP TABLE SHOP.OPS.NEVER; RETURN 1; END'"""
_FAILING = {
    "a block": f"""EXECUTE IMMEDIATE $$BEGIN INSERT INTO {_ITEMS} VALUES (9, 'x', 1);
    DROP TABLE SHOP.OPS.NEVER; END$$""",
    "a block that makes and deletes": """EXECUTE IMMEDIATE $$BEGIN
    CREATE TABLE SHOP.OPS."b t" (A INT); DELETE FROM SHOP."My Sales"."orders" WHERE "id" = 1;
    SELECT 1 / 0; END$$""",
    "a procedure": 'CALL SHOP.OPS."half it"()',
}


@pytest.mark.parametrize("what", _FAILING)
@pytest.mark.parametrize("as_playbook", [False, True])
def test_what_failed_inside_is_named_and_never_called_nothing(what, as_playbook, tmp_path):
    work = Workplace(tmp_path, _HALF)
    steps = [_FAILING[what]]
    if as_playbook:
        work.begin(agreed_playbook_of(steps))
    else:
        work.propose(steps)
    work.finish()
    work.clean()
    assert verdict(work) == []
    assert work.said().status == "partial"


@pytest.mark.parametrize("stage", ['SHOP.OPS."in box"', "SHOP.OPS.%ONLY_OURS"])
def test_files_that_a_load_removed_are_named(stage, tmp_path):
    made = 'CREATE STAGE SHOP.OPS."in box";' if "box" in stage else ""
    unload = f"COPY INTO @{stage}/a.csv FROM (SELECT 9) FILE_FORMAT = (TYPE = CSV) SINGLE = TRUE"
    work = Workplace(tmp_path, f"{made} {unload}")
    load = f"COPY INTO SHOP.OPS.ONLY_OURS FROM @{stage} FILE_FORMAT = (TYPE = CSV) PURGE = TRUE"
    work.begin(agreed_playbook_of([load]))
    work.finish()
    work.clean()
    assert verdict(work) == []
    assert f"@{stage} the files that were loaded from it were removed" in work.said().named


def test_a_call_of_what_is_not_there_has_done_nothing(tmp_path):
    work = Workplace(tmp_path)
    work.propose(["CALL SHOP.OPS.NEVER_WAS()"])
    work.finish()
    work.clean()
    assert verdict(work) == []
    assert (work.said().status, work.said().named) == ("nothing_to_clean", ())


_ENDINGS = {
    "ROLLBACK": (),
    "COMMIT": (", which is not taken back statement by statement",),
    'CREATE TABLE SHOP.OPS."n w" (A INT); ROLLBACK': (
        ", which is not taken back statement by statement",
    ),
    "SELECT 1": (" that the thread has not ended",),
}


@pytest.mark.slow
@pytest.mark.parametrize("ending", _ENDINGS)
@pytest.mark.parametrize("begins", ["BEGIN", "BEGIN TRANSACTION", "START TRANSACTION NAME t1"])
def test_what_was_done_in_a_transaction_is_never_laid_at_anothers_door(begins, ending, tmp_path):
    work = Workplace(tmp_path)
    work.begin(agreed_playbook_of([f"{begins}; DELETE FROM {_ITEMS} WHERE ID = 1; {ending}"]))
    work.finish()
    work.clean()
    assert verdict(work) == []
    told = [line for line in work.said().named if line.startswith("SHOP.OPS.ITEMS ")]
    assert told == [f"SHOP.OPS.ITEMS it was changed in a transaction{e}" for e in _ENDINGS[ending]]
