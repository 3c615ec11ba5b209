"""No wish is dropped silently: each clause is a target's matter, or is told as not covered."""

import pytest

from skills_nb.routing.resolve import resolve

LEFT_OUT = [
    (
        "mask the emails in CUSTOMERS, load the csv files from S3, and bake a cake",
        ("playbooks/load-files-from-stage", "primitives/masking-policies"),
        ("bake a cake",),
    ),
    ("mask pii and paint the house", ("playbooks/secure-sensitive-data",), ("paint the house",)),
    (
        "mask pii; then book a flight to Paris",
        ("playbooks/secure-sensitive-data",),
        ("book a flight to Paris",),
    ),
    ("mask emails, sharing", ("primitives/masking-policies",), ("sharing",)),
    (
        "load files, masking, resource monitors",
        ("primitives/copy-into-table", "primitives/resource-monitors"),
        ("masking",),
    ),
    (
        "mask emails and also tag the columns and audit who read them",
        ("primitives/tag-based-masking",),
        ("audit who read them",),
    ),
    (
        "create a stream on orders and delete old rows",
        ("primitives/streams",),
        ("delete old rows",),
    ),
    (
        "set up a resource monitor and order pizza",
        ("primitives/resource-monitors",),
        ("order pizza",),
    ),
]


@pytest.mark.parametrize(("intent", "targets", "left"), LEFT_OUT)
def test_what_no_target_knows_of_is_told(library, intent, targets, left):
    route = resolve(intent, library)
    assert (route.targets, route.not_covered, route.limits) == (targets, left, ())


LIMITED = [
    ("mask pii but don't touch ORDERS", ("don't touch ORDERS",)),
    ("Don't touch ORDERS, mask the emails", ("Don't touch ORDERS",)),
    ("secure my data and never drop anything", ("never drop anything",)),
    ("share ORDERS with a partner without exposing emails", ("without exposing emails",)),
    (
        "mask pii, but do not share anything with partners",
        ("do not share anything with partners",),
    ),
    (
        "share the sales table without copying it and, please, never email anybody",
        ("without copying it", "never email anybody"),
    ),
]


@pytest.mark.parametrize(("intent", "limits"), LIMITED)
def test_what_must_not_be_done_is_a_limit_and_no_phase(library, intent, limits):
    route = resolve(intent, library)
    assert (len(route.targets), route.not_covered, route.limits) == (1, (), limits)


@pytest.mark.parametrize(
    "intent",
    [
        "secure my data",
        "thanks, mask pii please",
        "load data from s3 and mask pii and share it with the partner",
        "load csv, mask pii, share with partner, build a dashboard",
        "what is the difference between a stream and a task?",
        "no share goes out until row filters per region are on",
    ],
)
def test_nothing_is_told_where_nothing_is_left_out(library, intent):
    route = resolve(intent, library)
    assert (route.not_covered, route.limits) == ((), ())


def test_an_option_of_a_question_says_what_choosing_it_leaves_out(library):
    route = resolve("it is slow and paint the house", library)
    told = {option.target: option.not_covered for option in route.options if option.target}
    assert route.mode == "clarify"
    assert all(left == ("paint the house",) for left in told.values())


def test_few_routes_of_plain_intents_leave_anything_out(library, intents):
    told = [route for each in intents if (route := resolve(each, library)).not_covered]
    assert len(told) <= len(intents) // 50
