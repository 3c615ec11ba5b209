"""Shares on an account that has some already: columns stay hidden, and nothing is taken over."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from skills_nb.commands.home import connections
from tests.library.own_accounts import COMPLETED, OwnAccount, own_account

MILL = """
CREATE DATABASE "Mill"; CREATE SCHEMA "Mill"."the books"; CREATE DATABASE OTHER_DB;
CREATE TABLE "Mill"."the books"."sales" ("id" INT, "buyer" STRING, "e-mail" STRING, "Größe" INT);
INSERT INTO "Mill"."the books"."sales" VALUES
  (1, 'north', 'a@b.de', 3), (2, 'north', 'c@d.de', 4), (3, 'south', 'e@f.de', 5);
CREATE ROLE WEAK; GRANT ROLE WEAK TO USER ADMIN;
CREATE ROLE OWNS; GRANT ROLE OWNS TO USER ADMIN;
CREATE ROLE OWNED; GRANT OWNERSHIP ON ROLE OWNED TO ROLE OWNS;
CREATE SHARE ELSEWHERE; GRANT USAGE ON DATABASE OTHER_DB TO SHARE ELSEWHERE;
"""
SHARING = "share-data-with-consumers"
SALES = '"Mill"."the books"."sales"'
WANTED = {
    "target_scope": SALES,
    "share_name": "partners",
    "share_schema": '"for partners"',
    "consumer_account": "NORTH.MAIN",
}
VIEW = '"Mill"."for partners"."sales"'


@pytest.fixture
def mill(tmp_path: Path) -> Iterator[OwnAccount]:
    with own_account(tmp_path, MILL) as account:
        yield account


def shown_columns(mill: OwnAccount) -> list[str]:
    return list(mill.rows(f"SELECT * FROM {VIEW}")[0])


def stopped(mill: OwnAccount, **inputs: str) -> str:
    """Return why a run stopped, which changed nothing."""
    before = mill.look()
    shown = mill.run_to_its_end(SHARING, **{**WANTED, **inputs})
    assert shown[-1] != COMPLETED
    assert mill.changes(before) == []
    return shown[-1]


@pytest.mark.slow
def test_the_same_again_sends_nothing_and_more_hidden_columns_are_hidden(mill: OwnAccount) -> None:
    shown = mill.run_to_its_end(SHARING, **WANTED, hidden_columns='"e-mail"')
    assert "1 new, 0 already as wanted. Views that change: none. Columns left out: 1." in shown[0]
    assert 'are visible in "for partners": 0.' in shown[1]
    assert "NORTH.MAIN can read it, once you confirm," in shown[1]
    assert shown_columns(mill) == ["id", "buyer", "Größe"]
    before = mill.look()
    again = mill.run_to_its_end(SHARING, **WANTED, hidden_columns='"e-mail"')
    assert "Share partners already exists (owner ACCOUNTADMIN, shared with NORTH.MAIN;" in again[0]
    assert "0 new, 1 already as wanted. Views that change: none." in again[1]
    assert "NORTH.MAIN is in the share already, and reads it." in again[2]
    assert (again[-1], mill.sent(), mill.changes(before)) == (COMPLETED, [], [])
    more = mill.run_to_its_end(SHARING, **WANTED, hidden_columns='"e-mail","buyer"')
    changing = "sales (now shows id, buyer, Größe of all rows; then id, Größe of all rows)"
    assert f"Views that change: {changing}. Columns left out: 2." in more[1]
    assert shown_columns(mill) == ["id", "Größe"]
    held = mill.rows("SHOW GRANTS TO SHARE PARTNERS")
    assert ("SELECT", VIEW) in {(row["privilege"], row["name"]) for row in held}


@pytest.mark.slow
def test_what_a_consumer_is_entitled_to_is_told_and_a_filter_that_goes_is_a_change(
    mill: OwnAccount,
) -> None:
    rows = {"row_filter_column": '"buyer"', "consumer_locator": "xy12345"}
    shown = mill.run_to_its_end(SHARING, **WANTED, **rows, row_filter_value="north")
    told = "The views have not been checked as the consumer. It is entitled to the values: north."
    assert told in shown[2]
    before = mill.look()
    again = mill.run_to_its_end(SHARING, **WANTED, **rows, row_filter_value="north")
    assert (again[-1], mill.changes(before)) == (COMPLETED, [])
    assert not any("MERGE" in sql for sql in mill.sent())
    more = mill.run_to_its_end(SHARING, **WANTED, **rows, row_filter_value="south")
    assert "It is entitled to the values: north, south." in more[3]
    other = mill.run_to_its_end(SHARING, **WANTED)
    every = "id, buyer, e-mail, Größe of"
    assert f"sales (now shows {every} rows by buyer; then {every} all rows)" in other[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("inputs", "reason"),
    [
        ({"hidden_columns": "EMAIL"}, "has a column EMAIL; there are: Größe, buyer, e-mail, id"),
        ({"row_filter_column": "BUYER", "row_filter_value": "a", "consumer_locator": "x"}, "BUYER"),
        ({"target_scope": '"Mill"."the books"."Sales"'}, "There is no table"),
        ({"provider_role": "WEAK"}, "Role WEAK lacks CREATE SHARE"),
        ({"provider_role": "OWNS"}, "Role OWNS lacks CREATE SHARE"),
        ({"share_name": "ELSEWHERE"}, "Share ELSEWHERE is for database OTHER_DB"),
        ({"consumer_account": "MAIN"}, "Give consumer_account as ORGANISATION.ACCOUNT"),
        (
            {"consumer_kind": "reader-account", "reader_admin": "a", "reader_password": "Aa1!aaaa"},
            "Unsupported feature 'SHOW MANAGED ACCOUNTS'",
        ),
    ],
)
def test_what_cannot_work_stops_it(mill: OwnAccount, inputs: dict[str, str], reason: str) -> None:
    assert reason in stopped(mill, **inputs)


LEAST = """
GRANT CREATE SHARE ON ACCOUNT TO ROLE WEAK; GRANT MANAGE SHARE TARGET ON ACCOUNT TO ROLE OWNED;
GRANT ROLE OWNED TO ROLE WEAK; GRANT OWNERSHIP ON DATABASE "Mill" TO ROLE WEAK;
GRANT OWNERSHIP ON SCHEMA "Mill"."the books" TO ROLE WEAK;
GRANT OWNERSHIP ON ALL TABLES IN SCHEMA "Mill"."the books" TO ROLE WEAK;
GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE WEAK;
"""


@pytest.mark.slow
def test_a_role_with_no_more_than_it_needs_shares_and_again_sends_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "EMBEDDED_ROLE", "WEAK")
    with own_account(tmp_path, MILL + LEAST) as mill:
        told = WANTED | {"provider_role": "WEAK", "consumer_account": "NORTH.ACCOUNT"}
        assert mill.run_to_its_end(SHARING, **told)[-1] == COMPLETED
        again = mill.run_to_its_end(SHARING, **told)
        assert (again[-1], mill.sent()) == (COMPLETED, [])
        # A share of somebody else cannot be seen; its name is refused before anything is changed.
        assert "choose another share_name" in stopped(mill, **told | {"share_name": "ELSEWHERE"})
        mill.run("REVOKE MANAGE SHARE TARGET ON ACCOUNT FROM ROLE OWNED")
        why = stopped(mill, **told)
        assert "Role WEAK lacks MANAGE SHARE TARGET. ACCOUNTADMIN can run GRANT" in why
        assert "CREATE SHARE." not in why


@pytest.mark.slow
def test_what_others_made_under_the_names_stops_it(mill: OwnAccount) -> None:
    mill.run(f'CREATE SCHEMA "Mill"."for partners"; CREATE SECURE VIEW {VIEW} AS SELECT 1 AS A')
    assert "Mill.for partners.sales (view, owner ACCOUNTADMIN)" in stopped(mill)
    mill.run('CREATE TABLE "Mill".PUBLIC.SHARE_ENTITLEMENTS (A INT)')
    rows = {"row_filter_column": '"id"', "row_filter_value": "1", "consumer_locator": "x"}
    assert "it has A" in stopped(mill, share_schema="PUBLIC", **rows)


@pytest.mark.slow
def test_aborted_at_each_pause_nothing_remains(mill: OwnAccount) -> None:
    rows = {"row_filter_column": '"id"', "row_filter_value": "1", "consumer_locator": "x"}
    found = list(mill.aborted_at_each_pause(SHARING, **WANTED, **rows))
    assert [remains for _, remains in found[:-1]] == [[]] * (len(found) - 1)


@pytest.mark.slow
def test_a_changed_view_that_is_aborted_shows_what_it_showed(mill: OwnAccount) -> None:
    mill.run_to_its_end(SHARING, **WANTED, hidden_columns='"e-mail"')
    found = list(mill.aborted_at_each_pause(SHARING, **WANTED, hidden_columns='"buyer"'))
    assert [remains for _, remains in found[:-1]] == [[]] * (len(found) - 1)


@pytest.mark.slow
def test_a_table_that_the_role_cannot_read_is_known_before_anything_is_made(
    mill: OwnAccount,
) -> None:
    mill.run(
        'CREATE ROLE "others"; CREATE TABLE "Mill"."the books"."theirs" ("nr" INT, "iban" STRING);'
        'GRANT OWNERSHIP ON TABLE "Mill"."the books"."theirs" TO ROLE "others"'
    )
    said = stopped(mill, target_scope='"Mill"."the books"')
    assert "Mill.the books.theirs' does not exist or not authorized" in said
    assert "Nothing was changed yet: have its owner grant SELECT on that table" in said
    hidden = {"target_scope": '"Mill"."the books"', "hidden_columns": '"nr","iban"'}
    assert mill.run_to_its_end(SHARING, **WANTED | hidden)[-1] == COMPLETED
