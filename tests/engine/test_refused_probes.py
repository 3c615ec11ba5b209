"""A refused probe is told in words: what is out of reach for which role, and who can grant it."""

import pytest

from skills_nb.engine.probes.declared_probes import judge_probes, roles_of
from skills_nb.engine.probes.refusals import missing_column_in_words, refusal_in_words
from skills_nb.model.effects import EVERY_ROLE
from skills_nb.model.events import StatementError
from skills_nb.model.skills import ProbeCheck, ProbeSpec
from skills_nb.model.state import Fact
from tests.builders import playbook


def refused(text: str, errno: int | None, role: str = "night shift") -> str:
    return refusal_in_words(StatementError(errno=errno, text=text), role)


def test_an_object_out_of_reach_is_named_with_the_grant_that_opens_it():
    said = refused("Database 'My Shop' does not exist or not authorized.", 2003)
    assert said == (
        'Database "My Shop" does not exist, or role "night shift" may not see it. Lower-case names '
        "go in double quotes; if the name is right, its owner or SECURITYADMIN can run GRANT USAGE "
        'ON DATABASE "My Shop" TO ROLE "night shift".'
    )


def test_dots_within_a_name_are_not_taken_for_those_between_parts():
    said = refused("Database 'north.sea' does not exist or not authorized.", 2003, "CLERK")
    assert 'GRANT USAGE ON DATABASE "north.sea" TO ROLE CLERK' in said
    unclear = refused("Schema 'north.sea.tides' does not exist or not authorized.", 2003, "CLERK")
    assert unclear.startswith("Schema 'north.sea.tides' does not exist, or role CLERK may not see")
    assert unclear.endswith("its owner or SECURITYADMIN can grant access to it.")


@pytest.mark.parametrize(
    "name", ["Database 'SNOWFLAKE'", "Schema 'SNOWFLAKE.ACCOUNT_USAGE'", "Object 'SNOWFLAKE.A.B'"]
)
def test_the_usage_history_is_opened_by_another_grant(name):
    said = refused(f"{name} does not exist or not authorized.", 2003, "CLERK")
    assert "closed to role CLERK" in said
    assert "ACCOUNTADMIN can run GRANT IMPORTED PRIVILEGES ON DATABASE SNOWFLAKE" in said


def test_where_the_kind_is_not_told_no_privilege_is_guessed():
    said = refused("Object 'A.B.C' does not exist or not authorized.", 2003, "")
    assert said.startswith("Object A.B.C does not exist, or the session's role may not see it")
    assert said.endswith("its owner or SECURITYADMIN can grant access to it.")


def test_a_name_with_an_apostrophe_is_told_in_full():
    name = '"My Shop"."it\'s old"."in box"'
    said = refused(f"Stage '{name}' does not exist or not authorized.", 2003, "CLERK")
    assert said.startswith(f"Stage {name} does not exist, or role CLERK may not see it.")
    assert f"GRANT READ ON STAGE {name} TO ROLE CLERK" in said


def test_what_names_nothing_keeps_the_words_of_the_account():
    said = refused("Object does not exist, or operation cannot be performed.", 2043)
    assert said.endswith("002043: Object does not exist, or operation cannot be performed.")


def test_a_column_that_is_not_there_is_named_with_the_probe_that_reads_it():
    told = "error line 1 at position 0\ninvalid identifier '\"a b\"'"
    error = StatementError(errno=904, text=told)
    assert missing_column_in_words(error, "columns_of_changes") == (
        "Column \"a b\", which probe 'columns_of_changes' reads, does not exist there. "
        "Lower-case names go in double quotes."
    )
    other = StatementError(errno=100038, text="Numeric value 'x' is not recognized")
    assert missing_column_in_words(other, "columns_of_changes") == ""


def test_a_missing_privilege_is_told_and_another_error_is_not_explained_away():
    assert refused("Insufficient privileges to operate on schema 'A'", 3001).startswith(
        'A privilege is missing for role "night shift": 003001'
    )
    assert refused("Numeric value 'x' is not recognized", 100038) == ""


VAGUE = StatementError(errno=2043, text="Object does not exist, or operation cannot be performed.")
NAMED = StatementError(errno=2003, text="Database 'SHOP' does not exist or not authorized.")


@pytest.mark.parametrize(
    ("refusal", "finding", "told"),
    [
        (VAGUE, 0, ["There is no shop."]),
        (VAGUE, 1, [refusal_in_words(VAGUE, "CLERK")]),
        (NAMED, 0, ["There is no shop.", refusal_in_words(NAMED, "CLERK")]),
    ],
)
def test_a_refusal_that_names_nothing_is_left_out_where_another_probe_says_why(
    refusal, finding, told
):
    check = ProbeCheck(condition="result = 0", action="block", message="There is no shop.")
    book = playbook(
        probes=(
            ProbeSpec(id="shop", query="SELECT 0 AS FOUND", validate=(check,)),
            ProbeSpec(id="shelf", query="SHOW TABLES IN SCHEMA SHOP.S"),
        )
    )
    found = {
        "shop": fact(columns=["FOUND"], rows=[[finding]], row_count=1),
        "shelf": fact(error={"errno": refusal.errno, "text": refusal.text}),
    }
    judged = judge_probes(book, found, {}, "CLERK")
    assert (judged.warnings, judged.blocked) == (told, True)


@pytest.mark.parametrize(("may_be_missing", "told"), [(True, []), (False, ["said"])])
def test_what_may_be_missing_is_neither_told_nor_a_hindrance(may_be_missing, told):
    probe = ProbeSpec(id="mail", query="DESCRIBE INTEGRATION M", may_be_missing=may_be_missing)
    found = {"mail": fact(error={"errno": NAMED.errno, "text": NAMED.text})}
    judged = judge_probes(playbook(probes=(probe,)), found, {}, "CLERK")
    said = [refusal_in_words(NAMED, "CLERK")] if told else []
    assert (judged.warnings, judged.blocked) == (said, bool(told))


def test_what_may_be_missing_is_told_where_the_account_refuses_something_else():
    probe = ProbeSpec(id="mail", query="DESCRIBE INTEGRATION M", may_be_missing=True)
    refusal = {"errno": 3001, "text": "Insufficient privileges to operate on integration 'M'"}
    judged = judge_probes(playbook(probes=(probe,)), {"mail": fact(error=refusal)}, {}, "CLERK")
    assert judged.blocked


def fact(**result: object) -> Fact:
    return Fact(seq=1, query="SELECT 1", role=None, result=result)


def test_a_probe_is_asked_as_the_role_that_it_names():
    probes = (
        ProbeSpec(id="own", query="SELECT 1"),
        ProbeSpec(id="as", query="SELECT 1", role="{admin_role}"),
        ProbeSpec(id="all", query="SELECT 1", every_role=True),
    )
    told = roles_of(playbook(probes=probes), {"admin_role": '"night shift"'})
    assert told == {"own": None, "as": '"night shift"', "all": EVERY_ROLE}


def test_a_view_of_the_usage_history_is_opened_by_the_smallest_grant():
    view = "SNOWFLAKE.ACCOUNT_USAGE.QUERY_HISTORY"
    said = refused(f"Object '{view}' does not exist or not authorized.", 2003)
    assert said.startswith(
        'The view SNOWFLAKE.ACCOUNT_USAGE.QUERY_HISTORY is closed to role "night shift". '
        'ACCOUNTADMIN can run GRANT DATABASE ROLE SNOWFLAKE.GOVERNANCE_VIEWER TO ROLE "night shift"'
    )
