"""Where objects are named, their names weigh nothing, whatever they are called."""

import pytest

from skills_nb.routing import resolve

NAMES = (
    "CLINIC.RAW.STAFF",
    "AGENTS.MODELS.PIPELINE",
    '"secure data"."share it"."masking policy"',
    "COSTS.BUDGET.TASKS",
)
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


def test_names_alone_say_nothing_of_what_is_wanted(library):
    assert resolve("CLINIC.RAW.STAFF", library).mode == "clarify"


def test_what_was_dropped_is_lost_and_what_is_to_be_dropped_is_not(library):
    assert resolve("I dropped the table CLINIC.HR.STAFF", library).targets == (
        "playbooks/recover-lost-data",
    )
    assert resolve("drop the table CLINIC.HR.STAFF", library).targets == ("primitives/tables",)
