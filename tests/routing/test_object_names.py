"""Where objects are named, their names weigh nothing, whatever they are called."""

import pytest

from skills_nb.routing import resolve

NAMES = (
    "CLINIC.RAW.STAFF",
    "AGENTS.MODELS.PIPELINE",
    '"secure data"."share it"."masking policy"',
    "COSTS.BUDGET.TASKS",
    "HR.CORE.AGENT",
    "ML.CORTEX.SEARCH",
    "STREAMLIT.APP.PATIENTS",
    "GIT.REPO.TABLEAU",
    "clinic.raw.staff",
)
NEUTRAL = "ZZQ.YYX.XXW"
WISHES = {
    "drop table {}": "primitives/tables",
    "undrop {}": "playbooks/recover-lost-data",
    "clone {}": "primitives/time-travel-and-cloning",
    "unload {}": "primitives/unloading-data",
    "deduplicate {}": "primitives/tables",
    "how many rows are in {}": "primitives/querying-data",
    "mask the e-mail column of {}": "primitives/masking-policies",
    "grant SELECT on {} to role NURSE": "primitives/roles-and-grants",
}


@pytest.mark.parametrize("wish", WISHES)
@pytest.mark.parametrize("name", NAMES)
def test_a_wish_leads_to_the_same_target_whatever_the_table_is_called(library, wish, name):
    assert resolve(wish.format(name), library).targets == (WISHES[wish],)


MORE_WISHES = (
    "who can read {}",
    "why can role {role} not read {}",
    "revenue per day from {}",
    "create a dynamic table on {}",
    "load the file data.csv into {}",
    "make a stream on table {}",
    "show the first rows of {}",
    "explain why my query on {} is slow",
    "share {} with our partner",
    "tag {} as confidential, then give role {role} read access",
)


@pytest.mark.parametrize("wish", [*WISHES, *MORE_WISHES])
@pytest.mark.parametrize(("name", "role"), [*zip(NAMES, ("RAW", "AGENT", "COST") * 3, strict=True)])
def test_a_name_changes_neither_the_route_nor_its_reasons(library, wish, name, role):
    told = resolve(wish.format(name, role=role), library)
    plain = resolve(wish.format(NEUTRAL, role="ZZR"), library)
    assert (told.mode, told.targets, told.why) == (plain.mode, plain.targets, plain.why)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_no_reason(library, name):
    said = resolve(f"clone the table {name}", library).why[0]
    assert not {part.strip('"').lower() for part in name.split(".")} & set(
        said.partition("because of: ")[2].rstrip(".").replace(" + ", ", ").split(", ")
    )


def test_a_person_is_named_by_an_e_mail_address(library):
    for wish in ("delete everything about ann@x.org", "please forget ann.lee+1@mail.x.org"):
        assert resolve(wish, library).targets == ("playbooks/erase-a-person",)


def test_names_alone_say_nothing_of_what_is_wanted(library):
    assert resolve("CLINIC.RAW.STAFF", library).mode == "clarify"


def test_what_was_dropped_is_lost_and_what_is_to_be_dropped_is_not(library):
    assert resolve("I dropped the table CLINIC.HR.STAFF", library).targets == (
        "playbooks/recover-lost-data",
    )
    assert resolve("drop the table CLINIC.HR.STAFF", library).targets == ("primitives/tables",)
