"""A development copy replaces nobody's work, and what it says of its policies was looked at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from skills_nb.commands.home import connections
from skills_nb.views import render_text
from tests.library.messy.test_every_playbook import Mess, changes
from tests.library.messy.wishes import Wish

pytestmark = pytest.mark.slow
ACCOUNT = """
CREATE ROLE "the devs"; GRANT ROLE "the devs" TO ROLE ACCOUNTADMIN;
CREATE ROLE CLERK; GRANT ROLE CLERK TO USER ADMIN; GRANT ROLE "the devs" TO USER ADMIN;
GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE "the devs";
GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE CLERK;
CREATE DATABASE "My Shop"; CREATE SCHEMA "My Shop"."s";
CREATE TABLE "My Shop"."s"."people" ("id" INT, "e-mail" STRING);
INSERT INTO "My Shop"."s"."people" VALUES (1, 'ann@example.com'), (2, 'ben@example.com');
CREATE MASKING POLICY "My Shop"."s"."hide" AS (V STRING) RETURNS STRING ->
  IFF(CURRENT_ROLE() = 'ACCOUNTADMIN', V, '***');
ALTER TABLE "My Shop"."s"."people" MODIFY COLUMN "e-mail" SET MASKING POLICY "My Shop"."s"."hide";
CREATE TASK "My Shop"."s"."nightly" WAREHOUSE = COMPUTE_WH SCHEDULE = '1 hour' AS SELECT 1;
ALTER TASK "My Shop"."s"."nightly" RESUME;
"""
INPUTS = {"source": '"My Shop"', "copy_name": '"My dev"', "developer_role": '"the devs"'}


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Mess]:
    work = Mess(tmp_path, company=ACCOUNT)
    yield work
    work.close()


def clone(shop: Mess, thread: str, **inputs: str) -> str:
    shop.ask(Wish("clone-environment", INPUTS | inputs), thread)
    shop.finish()
    return shop.ended


def test_the_policies_are_told_as_the_two_roles_see_them(shop: Mess) -> None:
    shop.ask(Wish("clone-environment", INPUTS), "first")
    said = []
    while shop.reply is not None and shop.reply.pause is not None:
        said.append(shop.reply.pause.present)
        shop.go_on()
    assert "on the source: 1. Columns with a masking policy: 1 of 2;" in said[1]
    assert "Started tasks: 0 of 1" in said[1]
    assert "owner and developers see different values in 1, the same in 0: none" in said[2]


def test_again_changes_nothing_and_more_rights_are_added(shop: Mess) -> None:
    assert clone(shop, "first") == "completed"
    before = shop.look()
    assert (clone(shop, "second"), changes(before, shop.look())) == ("completed", [])
    assert clone(shop, "third", developers_may="write") == "completed"
    people = 'TABLE: "My dev"."s"."people"'
    added = {line for line in changes(before, shop.look()) if line.startswith(people)}
    assert added == {
        f"{people}: grant {right} to ROLE the devs is new: option=False"
        for right in ("DELETE", "INSERT", "TRUNCATE", "UPDATE")
    }
    shop.ask(Wish("clone-environment", INPUTS), "fourth")
    shop.go_on()
    assert '"the devs" holds what it needs to read the copy. It may also' in shop.ended
    assert "change rows of 1 table of the copy: that stays" in shop.ended


def test_a_refresh_keeps_the_former_copy_with_the_work_in_it(shop: Mess) -> None:
    clone(shop, "first")
    shop.run('CREATE TABLE "My dev"."s"."work of mine" ("n" INT)')
    assert clone(shop, "second", refresh="replace") == "completed"
    assert shop.reply is not None
    said = render_text(shop.reply.view).partition("What it changed")[2]
    assert '+ created  database  "My dev"\n' in said
    assert '~ changed  database  "My dev"  renamed to "My dev_OLD"' in said
    assert "_NEW" not in said
    things = {fact.thing for fact in shop.look()}
    assert 'TABLE: "My dev_OLD"."s"."work of mine"' in things
    assert 'TABLE: "My dev"."s"."people"' in things
    assert 'TABLE: "My dev"."s"."work of mine"' not in things
    before = shop.look()
    said = clone(shop, "third", refresh="replace")
    assert said.startswith('"My dev_OLD" has a name that the refresh needs')
    assert (
        'let role ACCOUNTADMIN, which owns it, run DROP DATABASE "My dev_OLD", then retry' in said
    )
    assert changes(before, shop.look()) == []
    shop.run('DROP DATABASE "My dev_OLD"')
    shop.answer("retry")
    shop.finish()
    assert shop.ended == "completed"


def test_somebody_elses_database_under_the_name_is_left_alone(shop: Mess) -> None:
    shop.run('CREATE DATABASE "My dev"')
    before = shop.look()
    assert "already exists and is not a copy" in clone(shop, "first", refresh="replace")
    assert changes(before, shop.look()) == []


def test_a_copy_that_was_not_wanted_after_all_is_dropped(shop: Mess) -> None:
    assert clone(shop, "first", keep="no") == "completed"
    assert changes(shop.begun, shop.look()) == []


def test_a_role_that_may_not_create_is_told_so_first(
    shop: Mess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "EMBEDDED_ROLE", "CLERK")
    shop.run('GRANT USAGE ON DATABASE "My Shop" TO ROLE CLERK')
    assert "lacks CREATE DATABASE ON ACCOUNT" in clone(shop, "first")
    assert not shop.events("statement_started")


def test_what_belongs_to_others_is_told_before_a_copy_is_made_of_it(
    shop: Mess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "EMBEDDED_ROLE", "CLERK")
    shop.run(
        'GRANT OWNERSHIP ON DATABASE "My Shop" TO ROLE CLERK;'
        'GRANT OWNERSHIP ON ALL SCHEMAS IN DATABASE "My Shop" TO ROLE CLERK COPY CURRENT GRANTS;'
        'GRANT SELECT ON TABLE "My Shop"."s"."people" TO ROLE CLERK;'
        "GRANT CREATE DATABASE ON ACCOUNT TO ROLE CLERK"
    )
    said = clone(shop, "first", owner_role="CLERK")
    assert "nothing on what belongs to others: s.people (ACCOUNTADMIN). SECURITYADMIN can" in said
    assert not shop.events("statement_started")
    shop.run(
        'GRANT OWNERSHIP ON TABLE "My Shop"."s"."people" TO ROLE CLERK COPY CURRENT GRANTS;'
        "GRANT APPLY MASKING POLICY ON ACCOUNT TO ROLE CLERK"
    )
    assert clone(shop, "second", owner_role="CLERK") == "completed"


def test_a_free_name_is_proposed_for_the_copy_and_another_is_taken(shop: Mess) -> None:
    shop.run('CREATE DATABASE "My Shop_DEV"')
    wanted = {"source": INPUTS["source"], "developer_role": INPUTS["developer_role"]}
    shop.ask(Wish("clone-environment", wanted), "first")
    assert shop.reply is not None
    assert shop.reply.pause is not None
    offered = [option.id for option in shop.reply.pause.options]
    assert offered == ['"My Shop_dev_2"', "other", "abort", "different-approach"]
    shop.invoke("respond", "other", "--set", 'copy_name="My own"')
    assert shop.reply.pause.present.startswith('"My Shop": 1 table')


_UNSEEN = """
CREATE TABLE "My Shop"."s"."pay" ("id" INT); CREATE ROLE PAYROLL; GRANT ROLE PAYROLL TO USER ADMIN;
GRANT OWNERSHIP ON TABLE "My Shop"."s"."pay" TO ROLE PAYROLL;
GRANT OWNERSHIP ON TABLE "My Shop"."s"."people" TO ROLE CLERK COPY CURRENT GRANTS;
GRANT OWNERSHIP ON ALL SCHEMAS IN DATABASE "My Shop" TO ROLE CLERK COPY CURRENT GRANTS;
GRANT OWNERSHIP ON DATABASE "My Shop" TO ROLE CLERK COPY CURRENT GRANTS;
GRANT CREATE DATABASE ON ACCOUNT TO ROLE CLERK
"""


def test_what_the_role_does_not_even_see_stops_it_before_anything_is_copied(
    shop: Mess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "EMBEDDED_ROLE", "CLERK")
    shop.run(_UNSEEN)
    before = shop.look()
    wanted = {"one": ('"My Shop"', '"My dev"'), "two": ('"My Shop"."s"', '"My Shop"."d"')}
    for thread, (source, copy) in wanted.items():
        said = clone(shop, thread, source=source, copy_name=copy, owner_role="CLERK")
        assert 'may grant "the devs" nothing on what belongs to others: s.pay (PAYROLL).' in said
    assert not shop.events("statement_started")
    assert changes(before, shop.look()) == []
    # What belongs to a role below its own is its to grant, however far below.
    shop.run(
        "CREATE ROLE MIDDLE; GRANT ROLE MIDDLE TO ROLE CLERK; GRANT ROLE PAYROLL TO ROLE MIDDLE"
    )
    assert clone(shop, "now", owner_role="CLERK") == "completed"
    assert 'TABLE: "My dev"."s"."pay"' in {fact.thing for fact in shop.look()}


def test_stopped_at_any_pause_the_copy_goes_unless_somebody_worked_in_it(shop: Mess) -> None:
    shop.ask(Wish("clone-environment", INPUTS | {"developers_may": "write"}), "first")
    while shop.reply is not None and shop.reply.pause is not None and shop.reply.pause.at != "13":
        shop.go_on()
    shop.clean()
    assert changes(shop.begun, shop.look()) == []
    shop.ask(Wish("clone-environment", INPUTS), "second")
    while shop.reply is not None and shop.reply.pause is not None and shop.reply.pause.at != "13":
        shop.go_on()
    shop.run("""INSERT INTO "My dev"."s"."people" VALUES (3, 'cay@example.com')""")
    shop.clean()
    assert 'TABLE: "My dev"."s"."people"' in {fact.thing for fact in shop.look()}
    told = {one.fqn: one.why for e in shop.events("cleanup_executed") for one in e.left_alone}
    assert "have changed since, most recently s.people" in told['"My dev"']


def test_a_copy_that_is_discarded_is_granted_to_nobody(shop: Mess) -> None:
    before = shop.look()
    shop.ask(Wish("clone-environment", INPUTS | {"keep": "no"}), "first")
    shop.go_on()
    assert "Next, the new copy is dropped, and nothing is granted." in shop.ended
    assert "is granted what" not in shop.ended
    shop.finish()
    assert (shop.ended, changes(before, shop.look())) == ("completed", [])
