"""What an intent is answered with."""

from dataclasses import replace

import pytest

from skills_nb.model.diagnostics import Span
from skills_nb.model.library import IndexEntry
from skills_nb.model.routers import RouteOption, RouteParameter, Router
from skills_nb.model.routes import ClarifyOption
from skills_nb.routing import resolve


@pytest.mark.parametrize(
    ("intent", "mode", "target"),
    [
        ("secure my data", "playbook", "playbooks/secure-sensitive-data"),
        ("Mask the email column of CUSTOMERS", "guided", "primitives/masking-policies"),
        ("what is the syntax of a masking policy?", "reference", "primitives/masking-policies"),
        ("why did our bill go up last week", "playbook", "playbooks/investigate-cost-spike"),
        ("what's the syntax for masking?", "reference", "primitives/masking-policies"),
        ("the score of a task: how is it weighted", "reference", "primitives/benchmark-scoring"),
    ],
)
def test_an_intent_leads_to_one_target_in_the_mode_of_its_manner(library, intent, mode, target):
    route = resolve(intent, library)
    assert (route.mode, route.targets, route.modes) == (mode, (target,), (mode,))
    assert route.options == ()
    assert route.confidence > library.meta.confidence_threshold


def test_an_answer_says_why_in_the_words_of_the_intent(library):
    route = resolve("Mask the emial column of CUSTOMERS, not the rows", library)
    assert route.why[0].startswith("'primitives/masking-policies' because of: ")
    assert "It asks for something to be done that no playbook covers" in route.why[1]
    assert "'emial' was read as 'email'." in route.why
    assert "Not meant: rows." in route.why


def test_a_name_tells_by_its_parts_what_it_names(library):
    route = resolve("resize WH_BI to large", library)
    assert route.targets == ("primitives/warehouses",)
    assert "'wh_bi' was read as 'wh bi'." in route.why


def test_a_misspelt_parameter_is_recognised(library):
    route = resolve("default of FIELD_OPTIONALY_ENCLOSED_BY", library)
    assert (route.mode, route.targets) == ("reference", ("primitives/file-formats",))
    assert "'field_optionaly_enclosed_by' was read as 'field_optionally_enclosed_by'." in route.why


def test_a_word_that_is_right_is_not_taken_for_another(library):
    assert resolve("refactor everything", library).mode == "clarify"


def test_alternatives_stand_below_the_answer_in_confidence(library):
    route = resolve("mask the email column", library)
    confidences = [route.confidence, *(other.confidence for other in route.alternatives)]
    assert confidences == sorted(confidences, reverse=True)
    assert route.alternatives[0].description != ""


def test_a_vague_intent_is_answered_with_options_and_ways_out(library):
    route = resolve("update the policy", library)
    assert (route.mode, route.domains, route.targets) == ("clarify", (), ())
    assert route.options[-2:] == (
        ClarifyOption("none-of-these", "None of these: say the goal in other words"),
        ClarifyOption("abort", "Stop here; nothing has been changed"),
    )
    assert [option.target for option in route.options[:-2]] == [
        other.target for other in route.alternatives[:3]
    ]
    assert len(route.options) > 2


@pytest.mark.parametrize("intent", ["", "   ", "?!", "the of and", "😀😀", "\x00", "zzqx wvvk"])
def test_words_that_mean_nothing_are_answered_with_a_question(library, intent):
    route = resolve(intent, library)
    assert route.mode == "clarify"
    assert [option.id for option in route.options[-2:]] == ["none-of-these", "abort"]


def test_a_question_is_asked_when_two_targets_fit_equally_well(library):
    twins = [
        RouteOption(
            name, "Prune the orchard", keywords=("prune orchard",), target=f"primitives/{name}"
        )
        for name in ("oak", "elm")
    ]
    asked = (RouteParameter("goal", "", tuple(twins)),)
    router = Router("estate", "estate", "Estate", "", Span("x"), asked)
    index = {each.target: IndexEntry("primitives", each.id, "estate") for each in twins}
    estate = replace(library, digest="twins", routers={"estate": router}, index=index)
    route = resolve("prune the orchard", estate)
    assert route.mode == "clarify"
    assert route.why == ("'primitives/oak' and 'primitives/elm' fit about equally well.",)
    assert [option.target for option in route.options[:2]] == ["primitives/oak", "primitives/elm"]


def test_a_chain_has_one_target_and_mode_per_domain_in_order(library):
    route = resolve(
        "Build a Streamlit dashboard, load the CSV files from S3 and mask the email column", library
    )
    assert route.mode == "chain"
    assert route.domains == ("data-integration", "data-security", "app-development")
    assert len(route.targets) == len(route.modes) == 3
    assert route.why[0].startswith("There are 3 wishes in different domains.")


def test_a_target_that_is_not_in_the_index_is_never_the_answer(library):
    index = {ref: each for ref, each in library.index.items() if "masking" not in ref}
    smaller = replace(library, index=index, digest="without masking")
    route = resolve("mask the email column", smaller)
    offered = [*route.targets, *(option.target for option in route.options)]
    assert "primitives/masking-policies" not in offered


def test_the_thresholds_of_the_meta_router_decide_when_to_ask(library):
    strict = replace(library, meta=replace(library.meta, confidence_threshold=1.01))
    assert resolve("mask the email column", strict).mode == "clarify"
    assert resolve("mask the email column", library).mode == "guided"


def test_a_library_without_routers_asks(library):
    empty = replace(library, routers={}, index={}, digest="nothing")
    assert resolve("mask the email column", empty).mode == "clarify"
