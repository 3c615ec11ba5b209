"""People come under MFA and services under keys; who would be locked out is named and stays."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from skills_nb.commands.home import connections
from tests.library.own_accounts import COMPLETED, OwnAccount, own_account

pytestmark = pytest.mark.slow
ACCOUNT = """
CREATE ROLE CLERK; GRANT ROLE CLERK TO USER ADMIN; CREATE ROLE OTHERS;
CREATE DATABASE GOV;
CREATE USER JOB TYPE = LEGACY_SERVICE PASSWORD = 'Long-enough-1!';
CREATE USER LOADER TYPE = SERVICE;
CREATE USER "night run";
CREATE USER "bob b" PASSWORD = 'Long-enough-1!' EMAIL = 'bob@example.com';
CREATE USER EVE TYPE = PERSON PASSWORD = 'Long-enough-1!';
CREATE USER GHOST TYPE = PERSON;
CREATE USER GONE DISABLED = TRUE;
CREATE USER SPARE PASSWORD = 'Long-enough-1!'; GRANT ROLE ACCOUNTADMIN TO USER SPARE;
"""
KEYS = {name: f"MIIB{letter * 388}" for name, letter in (("JOB", "A"), ("LOADER", "B"))}
TOLD = {"policy_schema": "GOV.AUTH", "break_glass": "ADMIN, SPARE"}
EVERYTHING = {
    "public_keys": str(KEYS).replace("'", '"'),
    "switch_services": "all-with-key",
    "account_level": "yes",
    "people": '"night run"',
}


NO_LEFTOVERS = """DROP USER GHOST; DROP USER "night run";
ALTER USER ADMIN SET PASSWORD = 'Long-enough-1!'"""


@pytest.fixture
def gov(tmp_path: Path) -> Iterator[OwnAccount]:
    with own_account(tmp_path, ACCOUNT) as account:
        yield account


def modernize(gov: OwnAccount, **more: str) -> list[str]:
    return gov.run_to_its_end("modernize-authentication", **(TOLD | more))


def types(gov: OwnAccount) -> dict[str, str]:
    return {row["name"]: row["type"] for row in gov.rows("SHOW USERS")}


def on(gov: OwnAccount, policy: str) -> list[str]:
    found = gov.rows(
        "SELECT REF_ENTITY_NAME FROM TABLE(GOV.INFORMATION_SCHEMA.POLICY_REFERENCES("
        f"POLICY_NAME => 'GOV.AUTH.{policy}')) ORDER BY 1"
    )
    return [row["REF_ENTITY_NAME"] for row in found]


def test_who_would_be_locked_out_stays_and_a_second_run_changes_what_is_wished_anew(
    gov: OwnAccount,
) -> None:
    before = types(gov)
    shown = modernize(gov)
    assert shown[-1] == COMPLETED
    for told in ("JOB has no key", "LOADER has no key", "GHOST has no password"):
        assert told in shown[1]
    assert "SPARE (break-glass)" in shown[0]
    assert "GONE (disabled)" in shown[0]
    assert "night run (type NULL)" in shown[0].partition("Unclear")[2]
    assert on(gov, "PEOPLE_WITH_MFA") == ["EVE", "bob b"]
    assert types(gov) == before | {"bob b": "PERSON"}
    _the_same_again_sends_nothing_and_a_changed_wish_is_shown_and_met(gov)


def _the_same_again_sends_nothing_and_a_changed_wish_is_shown_and_met(gov: OwnAccount) -> None:
    before = gov.look()
    again = modernize(gov)
    assert (again[-1], gov.sent(), gov.changes(before)) == (COMPLETED, [], [])
    changed = modernize(gov, mfa_for="all-logins")
    assert "MFA now REQUIRED_PASSWORD_ONLY, wanted REQUIRED;" in changed[1]
    assert [sql.partition(" SET")[0] for sql in gov.sent()] == [
        "ALTER AUTHENTICATION POLICY GOV.AUTH.PEOPLE_WITH_MFA"
    ]
    modernize(gov, mfa_for="all-logins")
    assert gov.sent() == []


def test_a_service_that_was_not_seen_to_use_its_key_keeps_its_password(gov: OwnAccount) -> None:
    first = modernize(gov, public_keys=EVERYTHING["public_keys"])[1]
    assert "Keys to register: JOB (first key), LOADER (first key)" in first
    assert "JOB not seen to log in by key or token yet" in first
    assert types(gov)["JOB"] == "LEGACY_SERVICE"
    assert on(gov, "SERVICE_LOGINS") == ["LOADER"]
    assert "LOADER (second key)" in modernize(gov, public_keys=_key("C"))[1]
    gov.ask("modernize-authentication", **TOLD, public_keys=_key("D"))
    assert "LOADER has two other keys" in gov.finish(1)[1]


def _key(letter: str) -> str:
    return f'{{"LOADER": "MIIB{letter * 388}"}}'


def test_services_then_people_then_the_account_and_the_break_glass_stays_out(
    gov: OwnAccount,
) -> None:
    gov.run(
        "ALTER USER GHOST SET DISABLED = TRUE; ALTER USER \"night run\" SET PASSWORD = 'Long-1!x'"
    )
    shown = modernize(gov, **EVERYTHING, passwords="unset")
    assert (shown[-1], len(shown)) == (COMPLETED, 5)
    assert "exempted by BREAK_GLASS: ADMIN, SPARE." in shown[1]
    changed = {sql.split()[2] for sql in gov.sent() if sql.startswith("ALTER USER")}
    assert f"Users that change: {len(changed)}." in shown[1].replace('"', "")
    assert "Exempted by BREAK_GLASS: ADMIN, SPARE." in shown[-2]
    assert "ADMIN 1, SPARE 0" in shown[2]
    told = [sql for sql in gov.sent() if sql.startswith("ALTER")]
    first = [
        next(n for n, sql in enumerate(told) if word in sql)
        for word in ("JOB", "EVE", "SPARE", "ACCOUNT SET")
    ]
    assert first == sorted(first)
    assert on(gov, "SERVICE_LOGINS") == ["JOB", "LOADER"]
    assert on(gov, "BREAK_GLASS") == ["ADMIN", "SPARE"]
    assert on(gov, "PEOPLE_WITH_MFA") == ["EMBEDDED", "EVE", "bob b", "night run"]
    assert types(gov)["JOB"] == "SERVICE"
    users = {row["name"]: row["has_password"] for row in gov.rows("SHOW USERS")}
    assert (users["JOB"], users["EVE"]) == ("false", "true")
    assert modernize(gov, **EVERYTHING, passwords="unset")[-1] == COMPLETED
    assert gov.sent() == []


def test_the_account_waits_for_those_who_are_left(gov: OwnAccount) -> None:
    shown = modernize(gov, **EVERYTHING)
    assert "not set, as it could lock out GHOST, night run" in shown[-2]
    assert "EMBEDDED" not in on(gov, "PEOPLE_WITH_MFA")
    assert "PEOPLE_WITH_MFA there: not set, as it could lock out GHOST, night run" in shown[1]
    assert "exempted by BREAK_GLASS: none." in shown[1]
    assert [sql for sql in gov.sent() if "BREAK_GLASS" in sql] == []


def test_the_account_waits_for_a_break_glass_login(gov: OwnAccount) -> None:
    gov.run(NO_LEFTOVERS)
    told = EVERYTHING | {"people": "ADMIN", "break_glass": "SPARE"}
    assert "no break-glass administrator was seen to log in" in modernize(gov, **told)[-2]
    assert [sql for sql in gov.sent() if "BREAK_GLASS" in sql] == []
    assert "EMBEDDED" not in on(gov, "PEOPLE_WITH_MFA")
    assert (
        "PEOPLE_WITH_MFA on the account: is set"
        in modernize(gov, **told, break_glass_tried="yes")[2]
    )
    assert "EMBEDDED" in on(gov, "PEOPLE_WITH_MFA")


def test_another_policy_is_kept_or_replaced_as_wished(gov: OwnAccount) -> None:
    gov.run(
        "CREATE SCHEMA GOV.OLD; CREATE AUTHENTICATION POLICY GOV.OLD.P;"
        "ALTER USER EVE SET AUTHENTICATION POLICY GOV.OLD.P"
    )
    assert "chose to keep: EVE (GOV.OLD.P)" in modernize(gov)[1]
    assert on(gov, "PEOPLE_WITH_MFA") == ["bob b"]
    modernize(gov, other_policies="replace")
    assert on(gov, "PEOPLE_WITH_MFA") == ["EVE", "bob b"]


def test_logins_tell_people_from_services(gov: OwnAccount) -> None:
    for user, client in (("night run", "SNOWFLAKE_UI"), ("EVE", "PythonConnector")):
        came_in(gov, user, client)
    shown = modernize(gov)
    assert (
        "night run (type NULL, Snowsight 1)"
        in shown[0].partition("People:")[2].partition("Unclear")[0]
    )
    assert "EVE (type PERSON, password, programs 1)" in shown[0].partition("Unclear")[2]


def came_in(gov: OwnAccount, user: str, client: str) -> None:
    """Write a login of a user into the history."""
    moment = gov.account.clock()
    gov.account.store.append_login((moment, user, 1, client, "1.0", None, None))


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"break_glass": "NOBODY_HERE"}, "There is no user NOBODY_HERE"),
        ({"break_glass": "GONE"}, "GONE is disabled"),
        ({"people": "EVE", "services": "EVE"}, "named in two lists: EVE"),
        ({"policy_schema": "AUTH"}, "DATABASE.SCHEMA"),
        ({"public_keys": '{"JOB": "MIIB"}'}, "are not whole RSA keys: JOB"),
        ({"public_keys": f'{{"JOB": "MIIE{"A" * 1600}"}}'}, "treat it as leaked"),
    ],
)
def test_it_stops_before_anything_changes(gov: OwnAccount, told: dict[str, str], said: str) -> None:
    before = gov.look()
    assert said in modernize(gov, **told)[-1]
    assert (gov.sent(), gov.changes(before)) == ([], [])


def test_a_policy_of_others_under_its_name_stops_it(gov: OwnAccount) -> None:
    gov.run("CREATE SCHEMA GOV.AUTH; CREATE AUTHENTICATION POLICY GOV.AUTH.BREAK_GLASS")
    assert "BREAK_GLASS of ACCOUNTADMIN" in modernize(gov)[-1]
    assert gov.sent() == []


def test_a_role_that_sees_no_users_is_told_which_does(
    gov: OwnAccount, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "EMBEDDED_ROLE", "CLERK")
    gov.run("GRANT USAGE ON DATABASE GOV TO ROLE CLERK")
    assert "Their owners: ACCOUNTADMIN." in modernize(gov)[-1]
    assert gov.sent() == []


def test_aborted_at_any_pause_cleanup_puts_the_logins_back(gov: OwnAccount) -> None:
    gov.run(NO_LEFTOVERS)
    told = TOLD | EVERYTHING | {"people": "EVE"}
    left = [remains for _, remains in gov.aborted_at_each_pause("modernize-authentication", **told)]
    assert left == [[]] * 4


def test_what_others_do_to_a_user_at_the_list_costs_no_phrase_for_what_was_typed_already(
    gov: OwnAccount,
) -> None:
    gov.ask("modernize-authentication", **(TOLD | EVERYTHING | {"account_level": "no"}))
    gov.finish(1)
    assert gov.pause is not None
    assert (gov.pause.at, gov.pause.phrase is None) == ("7", False)
    gov.run("ALTER USER JOB SET DISABLED = TRUE")
    asked: list[tuple[str, str | None]] = []
    gov.answer()
    while (pause := gov.pause) is not None:
        asked.append((pause.at, pause.phrase))
        gov.answer()
    assert gov.ended == COMPLETED
    assert asked == [("2#2", None), ("7#2", None), ("19", None)]
    assert on(gov, "SERVICE_LOGINS") == ["LOADER"]


def test_what_others_bring_in_at_the_list_costs_a_phrase_of_its_own(gov: OwnAccount) -> None:
    gov.ask("modernize-authentication", **(TOLD | EVERYTHING | {"account_level": "no"}))
    gov.finish(1)
    gov.run("CREATE USER LATE TYPE = PERSON PASSWORD = 'Long-enough-1!'")
    gov.answer()
    while gov.pause is not None and gov.pause.at != "7#2":
        gov.answer()
    assert gov.pause is not None
    assert gov.pause.phrase == "change how user LATE guards the account"
