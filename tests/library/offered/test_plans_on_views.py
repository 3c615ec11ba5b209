"""Plans that set policies and tags do so on views too, and are taken back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.library.offered.jobs import Job
from tests.library.offered.test_every_offered_plan import HOLDS, answer
from tests.library.own_accounts import COMPLETED, own_account

pytestmark = pytest.mark.slow

VIEW = 'CLINIC."lab work"."lab list"'
_MADE = f'CREATE VIEW {VIEW} AS SELECT "test id", "Result" FROM CLINIC."lab work"."blood tests";'
_SEES_ALL = {"clear_role": "RESEARCHER"}
_TAG = 'CREATE TAG CLINIC."lab work"."kind";'
_HELD = (
    "SELECT COUNT(*) FROM TABLE(CLINIC.INFORMATION_SCHEMA.POLICY_REFERENCES("
    f"REF_ENTITY_NAME => '{VIEW}', REF_ENTITY_DOMAIN => 'VIEW'))"
)
_TAGS = (
    "SELECT COUNT(*) FROM TABLE(CLINIC.INFORMATION_SCHEMA.TAG_REFERENCES_ALL_COLUMNS("
    f"'{VIEW}', 'TABLE'))"
)
_MASK = (
    "CREATE MASKING POLICY CLINIC.RAW.HIDE AS (val STRING) RETURNS STRING -> '***';"
    f'ALTER VIEW {VIEW} MODIFY COLUMN "Result" SET MASKING POLICY CLINIC.RAW.HIDE;'
)
_FILTER = (
    "CREATE ROW ACCESS POLICY CLINIC.RAW.OWN_ROWS AS (val STRING) RETURNS BOOLEAN -> FALSE;"
    f'ALTER VIEW {VIEW} ADD ROW ACCESS POLICY CLINIC.RAW.OWN_ROWS ON ("Result");'
)
_KEPT_BACK = (
    "CREATE PROJECTION POLICY CLINIC.RAW.KEPT AS () RETURNS PROJECTION_CONSTRAINT ->"
    " PROJECTION_CONSTRAINT(ALLOW => FALSE);"
    f'ALTER VIEW {VIEW} MODIFY COLUMN "Result" SET PROJECTION POLICY CLINIC.RAW.KEPT;'
)
_GROUPED = (
    "CREATE AGGREGATION POLICY CLINIC.RAW.GROUPS AS () RETURNS AGGREGATION_CONSTRAINT ->"
    " AGGREGATION_CONSTRAINT(MIN_GROUP_SIZE => 5);"
    f"ALTER VIEW {VIEW} SET AGGREGATION POLICY CLINIC.RAW.GROUPS;"
)
_TAGGED = (
    _TAG + f'ALTER VIEW {VIEW} MODIFY COLUMN "Result" SET TAG CLINIC."lab work"."kind" = \'x\';'
)

JOBS = {
    "mask": (Job(f'mask "Result" of {VIEW}', _SEES_ALL), _HELD, 1),
    "unmask": (Job(f'unmask "Result" in {VIEW}', setup=_MASK), _HELD, 0),
    "filter": (
        Job(
            f'role NURSE may only see rows of {VIEW} by "Result"',
            {"values": "ok, bad", **_SEES_ALL},
        ),
        _HELD,
        1,
    ),
    "filter no more": (Job(f"remove the row access policy from {VIEW}", setup=_FILTER), _HELD, 0),
    "keep back": (Job(f'set a projection policy on "test id" of {VIEW}', _SEES_ALL), _HELD, 1),
    "give again": (
        Job(f'remove the projection policy from "Result" in {VIEW}', setup=_KEPT_BACK),
        _HELD,
        0,
    ),
    "group": (Job(f"set a minimum group size of 3 on {VIEW}", _SEES_ALL), _HELD, 1),
    "group no more": (Job(f"remove the aggregation policy from {VIEW}", setup=_GROUPED), _HELD, 0),
    "tag": (Job(f'tag the "Result" of {VIEW}', {"value": "high"}, setup=_TAG), _TAGS, 1),
    "untag": (Job(f'remove the tag from "Result" in {VIEW}', setup=_TAGGED), _TAGS, 0),
}


@pytest.mark.parametrize("named", JOBS)
def test_it_is_done_on_a_view_and_taken_back(named: str, tmp_path: Path) -> None:
    job, asked, wanted = JOBS[named]
    with own_account(tmp_path, HOLDS + _MADE) as account:
        account.run(job.setup)
        before = account.look()
        account.thread = "job"
        account.invoke("run", job.says)
        answer(account, job)
        assert account.ended == COMPLETED
        altered = [sql for sql in account.sent() if sql.startswith("ALTER")]
        assert [sql.split()[1] for sql in altered] == ["VIEW"]
        assert [list(row.values()) for row in account.rows(asked)] == [[wanted]]
        account.clean()
        assert account.changes(before) == []


def test_the_policies_of_a_view_are_shown(tmp_path: Path) -> None:
    with own_account(tmp_path, HOLDS + _MADE + _MASK) as account:
        account.thread = "job"
        account.invoke("run", f"which policies are on {VIEW}")
        (shown,) = account.events("plan_proposed")[-1].steps
        assert "REF_ENTITY_DOMAIN => 'VIEW'" in shown.sql
        assert [row["POLICY_NAME"] for row in account.rows(shown.sql)] == ["HIDE"]
