"""Names are taken for what they stand for in a sentence: a source, a destination, a role spared."""

import pytest

from skills_nb.engine.inputs.wording.named_roles import (
    AFFECTED,
    EXCEPTED,
    OWN_ROLES,
    is_foreign_default,
    roles_at,
    roles_told,
)
from skills_nb.engine.inputs.wording.said_directions import (
    DESTINATION,
    SOURCE,
    named_at,
    places_named,
)
from skills_nb.engine.inputs.wording.said_texts import texts_said, with_privileges
from skills_nb.model.events import AccountContext
from skills_nb.model.skills import InputSpec

NEW, GUESTS = "HOTEL.STAGING.NEW_GUESTS", "HOTEL.CORE.GUESTS"


@pytest.mark.parametrize(
    "goal",
    [
        f"upsert {NEW} into {GUESTS}",
        f"merge the rows of {NEW} into {GUESTS}",
        f"keep history of changes from {NEW} in {GUESTS}",
        f"take the changes in {NEW} into table {GUESTS}",
        f"into {GUESTS} go the changes from {NEW}",
        f"update {GUESTS} from {NEW}",
    ],
)
def test_rows_come_from_one_table_and_go_to_the_other(goal):
    found = next(named_at(goal, SOURCE)), next(named_at(goal, DESTINATION), GUESTS)
    assert found == (NEW, GUESTS)


@pytest.mark.parametrize("goal", [f"deduplicate {GUESTS}", f"merge into {GUESTS}", "merge things"])
def test_who_names_one_table_alone_has_not_said_where_rows_come_from(goal):
    assert list(named_at(goal, SOURCE)) == []


def test_a_table_that_nothing_goes_to_is_no_destination():
    assert list(named_at(f"deduplicate {GUESTS}", DESTINATION)) == []


def test_quoted_names_have_directions_too():
    goal = 'upsert "my db"."in"."new rows" into "my db"."core"."guests"'
    assert next(named_at(goal, SOURCE)) == '"my db"."in"."new rows"'
    assert next(named_at(goal, DESTINATION)) == '"my db"."core"."guests"'


ROLES = ["ACCOUNTADMIN", "BILLING", "DESK", '"night shift"', "PUBLIC"]


@pytest.mark.parametrize(
    ("goal", "spared", "affected"),
    [
        ("mask the passport numbers for DESK", (), ("DESK",)),
        ("hide it from everyone but BILLING", ("BILLING",), ()),
        ("hide it from everyone except BILLING and DESK", ("BILLING", "DESK"), ()),
        ("DESK must not see it, only BILLING", ("BILLING",), ("DESK",)),
        ('hide it from "night shift"', (), ('"night shift"',)),
        ("the desk is public", (), ()),
        ("mask HOTEL.DESK.GUESTS", (), ()),
    ],
)
def test_a_role_is_spared_or_meant(goal, spared, affected):
    assert roles_at(goal, EXCEPTED, ROLES) == spared
    assert roles_at(goal, AFFECTED, ROLES) == affected


CONTEXT = AccountContext(available_roles=("ACCOUNTADMIN", "BILLING", "DESK"))


def role_input(**fields):
    return InputSpec(name="viewer", type="role", description="Who looks", **fields)


def test_a_role_of_another_input_is_not_meant_again():
    spec = role_input(infer_from=(AFFECTED,))
    assert roles_told("let DESK and BILLING look", spec, ROLES) == ("DESK", "BILLING")
    assert roles_told("let DESK and BILLING look", spec, ROLES, {"DESK"}) == ("BILLING",)
    assert roles_told("let DESK look", role_input(), ROLES) == ()


def test_a_default_that_the_user_has_not_is_a_demos():
    demo = role_input(choices=(OWN_ROLES,), default="ANALYST", has_default=True)
    own = role_input(choices=(OWN_ROLES,), default="DESK", has_default=True)
    assert is_foreign_default(demo, CONTEXT)
    assert not is_foreign_default(own, CONTEXT)
    assert not is_foreign_default(role_input(), CONTEXT)


PLACES = ["HOTEL", "HOTEL.CORE", "HOTEL.PUBLIC", '"old books"', '"old books"."a"']


@pytest.mark.parametrize(
    ("goal", "named"),
    [
        ("a masked clone of HOTEL", ("HOTEL",)),
        ("a masked clone of hotel", ("HOTEL",)),
        ("clean up CORE in HOTEL", ("HOTEL.CORE",)),
        ("make the public part open", ()),
        ("clean up PUBLIC", ("HOTEL.PUBLIC",)),
        ("read HOTEL.CORE.GUESTS", ()),
        ("hotels are nice", ()),
    ],
)
def test_a_place_is_named_by_one_word(goal, named):
    assert places_named(goal, PLACES) == named


@pytest.mark.parametrize(
    ("words", "privilege"),
    [
        ("DESK cannot read it", "select"),
        ("why can't DESK upload files", "write-stage"),
        ("DESK wants to append rows", "insert"),
        ("DESK may not create a view there", "create-view"),
    ],
)
def test_what_somebody_wants_to_do_says_the_privilege(words, privilege):
    assert with_privileges(words).endswith(f"; {privilege}")


def test_words_that_say_no_doing_stay_as_they_are():
    assert with_privileges("what is wrong with DESK") == "what is wrong with DESK"


@pytest.mark.parametrize(
    ("goal", "name", "said"),
    [
        ("only from 203.0.113.0/24", "network", ["203.0.113.0/24"]),
        ("only from 203.0.113.7.", "network", ["203.0.113.7"]),
        ("version 1.2.3.4.5", "network", []),
        (
            "query 01B2c3d4-0000-1234-0000-0123456789ab is slow",
            "query_id",
            ["01B2c3d4-0000-1234-0000-0123456789ab"],
        ),
        ("query 01b2c3d4 is slow", "query_id", []),
    ],
)
def test_addresses_and_query_ids_are_read(goal, name, said):
    assert list(texts_said(goal, name)) == said
