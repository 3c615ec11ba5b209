"""A refused probe is told in words: what is out of reach for which role, and who can grant it."""

import pytest

from skills_nb.engine.probes.refusals import refusal_in_words
from skills_nb.model.events import StatementError


def refused(text: str, errno: int | None, role: str = "night shift") -> str:
    return refusal_in_words(StatementError(errno=errno, text=text), role)


def test_an_object_out_of_reach_is_named_with_the_grant_that_opens_it():
    said = refused("Database 'My Shop' does not exist or not authorized.", 2003)
    assert said == (
        'Database "My Shop" does not exist, or role "night shift" may not see it. Lower-case names '
        "go in double quotes; if the name is right, its owner or SECURITYADMIN can run GRANT USAGE "
        'ON DATABASE "My Shop" TO ROLE "night shift".'
    )


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


def test_a_missing_privilege_is_told_and_another_error_is_not_explained_away():
    assert refused("Insufficient privileges to operate on schema 'A'", 3001).startswith(
        'A privilege is missing for role "night shift": 003001'
    )
    assert refused("Numeric value 'x' is not recognized", 100038) == ""
