"""Others change what a playbook only read, once it has made something: it is told at its pause."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.library.own_accounts import COMPLETED, OwnAccount, own_account
from tests.library.test_other_sessions import go_on_behind
from tests.library.test_pipeline_drift import ASKED, HARBOUR, PIPELINE, PLACE
from tests.library.test_protection_drift import CLINIC, PROTECT, WARD
from tests.library.test_protection_drift import ROLES as VIEWERS
from tests.library.test_sharing_drift import MILL, SALES, SHARING
from tests.library.test_sharing_drift import WANTED as SHARED

pytestmark = pytest.mark.slow
PATIENTS = f'{WARD}."patients"'
MASK = f"CREATE MASKING POLICY {WARD}.\"own\" AS (V STRING) RETURNS STRING -> '*';"
FILTER = f'CREATE ROW ACCESS POLICY {WARD}."few" AS (V INT) RETURNS BOOLEAN -> V > 0;'
DONE_TO_PATIENTS = {
    "masked": (
        f'{MASK} ALTER TABLE {PATIENTS} MODIFY COLUMN "phone" SET MASKING POLICY {WARD}."own"',
        "masking policy own of column phone is on it now",
    ),
    "filtered": (
        f'{FILTER} ALTER TABLE {PATIENTS} ADD ROW ACCESS POLICY {WARD}."few" ON ("id")',
        "row access policy few is on it now",
    ),
    "renamed": (
        f'ALTER TABLE {PATIENTS} RENAME COLUMN "phone" TO "tel"',
        "it no longer has column phone, and it has the new column tel",
    ),
    "replaced": (
        f'CREATE OR REPLACE TABLE {PATIENTS} ("id" INT, "e-mail" STRING)',
        "another one has that name now, and it no longer has columns phone, remarks, file and",
    ),
    "dropped": (f"DROP TABLE {PATIENTS}", "it is not there any more"),
    "given away": (
        f"GRANT OWNERSHIP ON TABLE {PATIENTS} TO ROLE DOCTORS COPY CURRENT GRANTS",
        "it belongs to DOCTORS now",
    ),
}


@pytest.fixture
def clinic(tmp_path: Path) -> Iterator[OwnAccount]:
    """Wait where the policies are made and the masks are not set."""
    with own_account(tmp_path, CLINIC) as account:
        account.ask(PROTECT, target_scope=WARD, **VIEWERS)
        account.answer()
        assert account.ended.startswith("2 masking policies are in GOVERNANCE")
        yield account


@pytest.mark.parametrize("how", DONE_TO_PATIENTS)
def test_what_others_did_to_a_table_is_told_before_it_is_changed(
    how: str, clinic: OwnAccount
) -> None:
    script, words = DONE_TO_PATIENTS[how]
    sent = clinic.sent()
    shown = go_on_behind(clinic, script)
    lead = "Since the last answer, others have changed what the steps ahead read or change:"
    assert shown.startswith(f"{lead} {PATIENTS}: {words}")
    assert clinic.sent() == sent


@pytest.mark.parametrize(
    "script",
    [
        f'INSERT INTO {PATIENTS} ("id") VALUES (99)',
        f'ALTER TABLE {PATIENTS} ADD COLUMN "fax" STRING',
        f'CREATE TABLE {WARD}."more" ("id" INT)',
        f"GRANT SELECT ON TABLE {PATIENTS} TO ROLE PUBLIC",
    ],
)
def test_what_harms_no_statement_ahead_is_not_told(script: str, clinic: OwnAccount) -> None:
    assert "Since the last answer" not in go_on_behind(clinic, script)
    assert clinic.finish()[-1] == COMPLETED


def test_it_is_told_once_and_what_the_person_decides_is_done(clinic: OwnAccount) -> None:
    shown = go_on_behind(clinic, f"COMMENT ON TABLE {PATIENTS} IS 'theirs'")
    assert f"{PATIENTS}: another session changed its comment" in shown
    assert clinic.finish()[-1] == COMPLETED


def test_a_source_of_a_shared_view_that_lost_its_mask_is_told_before_a_consumer_comes(
    tmp_path: Path,
) -> None:
    mask = f"""CREATE MASKING POLICY "Mill"."the books".M AS (V STRING) RETURNS STRING -> '*';
    ALTER TABLE {SALES} MODIFY COLUMN "e-mail" SET MASKING POLICY "Mill"."the books".M;"""
    with own_account(tmp_path, MILL + mask) as mill:
        mill.ask(SHARING, **SHARED)
        mill.answer()
        sent = mill.sent()
        unmask = f'ALTER TABLE {SALES} MODIFY COLUMN "e-mail" UNSET MASKING POLICY'
        shown = go_on_behind(mill, unmask)
        assert "masking policy M of column e-mail is no longer on it" in shown
        assert mill.sent() == sent


def test_nothing_of_its_own_is_called_the_work_of_others(tmp_path: Path) -> None:
    with own_account(tmp_path, HARBOUR) as port:
        shown = port.run_to_its_end(PIPELINE, **ASKED)
        assert shown[-1] == COMPLETED
        assert not any("Since the last answer" in one for one in shown)
        assert port.rows(f'SELECT COUNT(*) AS N FROM {PLACE}."ships"')
