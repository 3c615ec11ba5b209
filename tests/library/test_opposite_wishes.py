"""A grant is on the kind of what is read; what is taken away or left out is never given or done."""

from __future__ import annotations

import pytest

from tests.library.asked_wishes import account_that_holds, say, shown
from tests.library.own_accounts import COMPLETED, OwnAccount

pytestmark = pytest.mark.slow

account = account_that_holds("""
CREATE DATABASE "Ski School"; CREATE SCHEMA "Ski School"."desk"; CREATE ROLE COACH;
CREATE TABLE "Ski School"."desk"."lessons" (LESSON INT, PUPILS INT);
CREATE DYNAMIC TABLE "Ski School"."desk"."busy lessons" TARGET_LAG = '1 day' WAREHOUSE = COMPUTE_WH
  AS SELECT LESSON, PUPILS FROM "Ski School"."desk"."lessons" WHERE PUPILS > 5;
CREATE VIEW "Ski School"."desk"."quiet lessons" AS
  SELECT LESSON FROM "Ski School"."desk"."lessons" WHERE PUPILS < 6;
CREATE TABLE "Ski School"."desk"."Busy Lessons" (LESSON INT);
CREATE TASK "Ski School"."desk".NIGHTLY WAREHOUSE = COMPUTE_WH SCHEDULE = '60 MINUTE' AS SELECT 1
""")


@pytest.mark.parametrize(
    ("name", "kind"),
    {
        "lessons": "TABLE",
        "busy lessons": "DYNAMIC TABLE",
        "Busy Lessons": "TABLE",
        "quiet lessons": "VIEW",
    }.items(),
)
def test_reading_is_granted_and_taken_away(account: OwnAccount, name: str, kind: str) -> None:
    fqn = f'"Ski School"."desk"."{name}"'
    say(account, f"grant COACH read access to {fqn}")
    account.finish()
    assert account.ended == COMPLETED
    assert f"GRANT SELECT ON {kind} {fqn} TO ROLE COACH" in account.sent()
    assert _readers(account, kind, fqn) == ["COACH"]
    say(account, f"revoke read access to {fqn} from COACH")
    account.finish()
    assert account.ended == COMPLETED
    assert f"REVOKE SELECT ON {kind} {fqn} FROM ROLE COACH" in account.sent()
    assert _readers(account, kind, fqn) == []


def _readers(account: OwnAccount, kind: str, fqn: str) -> list[str]:
    grants = account.rows(f"SHOW GRANTS ON {kind} {fqn}")
    return [row["grantee_name"] for row in grants if row["privilege"] == "SELECT"]


@pytest.mark.parametrize(
    "goal",
    [
        "revoke read access to lessons from COACH",
        "take COACH's read access to lessons away",
        "COACH should no longer read lessons",
        "withdraw COACH's right to read lessons",
        "remove the grant on lessons from COACH",
        "stop COACH from reading lessons",
        "revoke write access to lessons from COACH",
    ],
)
def test_what_takes_away_never_gives(account: OwnAccount, goal: str) -> None:
    assert "GRANT SELECT ON" not in shown(account, goal)
    assert account.sent() == []


@pytest.mark.parametrize(
    ("goal", "harm"),
    [
        ("mask all columns but PUPILS in lessons", "MASKING POLICY"),
        ("suspend all tasks but NIGHTLY", "SUSPEND"),
        ("suspend every task but NIGHTLY", "SUSPEND"),
        ("create a copy of lessons without PUPILS", "CLONE"),
        ("grant COACH read access to everything but lessons", "GRANT SELECT ON"),
    ],
)
def test_what_is_left_out_is_not_what_is_done(account: OwnAccount, goal: str, harm: str) -> None:
    assert harm not in shown(account, goal)
