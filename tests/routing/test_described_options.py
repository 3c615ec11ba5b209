"""Routers that say of their options only what they are."""

from dataclasses import replace

import pytest

from skills_nb.model.routers import RouteOption, RouteParameter
from skills_nb.routing.described_options import options_of
from skills_nb.routing.resolve import resolve
from tests.builders import library as made_of
from tests.builders import playbook


def book(name, title, description):
    return replace(playbook(name=name), title=title, description=description)


def described(*options):
    """A library of two playbooks, whose router has these options."""
    base = made_of(
        book("secure-sensitive-data", "Secure data", "Discover, protect and\nmonitor people"),
        book("hide-columns", "Mask", "Mask the values of columns"),
    )
    (router,) = base.routers.values()
    asked = RouteParameter("user_goal", "", options)
    digest = "".join(option.id[0] for option in options).ljust(64, "d")
    routers = {router.name: replace(router, parameters=(asked,))}
    return replace(base, digest=digest, routers=routers)


GOALS = (
    RouteOption("end-to-end", "Discover, protect, and monitor — full workflow"),
    RouteOption("mask", "Hide column values from unauthorized users"),
)


@pytest.mark.parametrize(
    ("intent", "target"),
    [
        ("protect and monitor my data", "playbooks/secure-sensitive-data"),
        ("the full workflow to discover and protect", "playbooks/secure-sensitive-data"),
        ("hide column values", "playbooks/hide-columns"),
        ("hide them from users who are unauthorized", "playbooks/hide-columns"),
    ],
)
def test_descriptions_alone_lead_to_the_skill_that_they_describe(intent, target):
    assert resolve(intent, described(*GOALS)).targets == (target,)


def test_what_no_description_speaks_of_is_asked_about():
    assert resolve("do the laundry", described(*GOALS)).mode == "clarify"


def test_an_option_of_the_name_of_a_skill_means_it_whatever_it_says():
    lib = described(RouteOption("hide-columns", "Discover, protect and monitor"))
    (router,) = lib.routers.values()
    assert [(one.id, one.target) for one in options_of(router, lib)] == [
        ("hide-columns", "playbooks/hide-columns"),
        ("secure-sensitive-data", "playbooks/secure-sensitive-data"),
    ]


def test_skills_that_no_option_describes_speak_for_themselves():
    lib = described(RouteOption("zzz", "Something else altogether"))
    assert resolve("monitor people", lib).targets == ("playbooks/secure-sensitive-data",)


def test_options_that_name_their_targets_are_taken_at_their_word(library):
    for router in library.routers.values():
        told = [option for asked in router.parameters for option in asked.options]
        assert list(options_of(router, library)) == told


@pytest.mark.slow
def test_a_whole_library_without_targets_still_routes(library, intents):
    def bare(router):
        parameters = tuple(
            replace(
                asked,
                options=tuple(RouteOption(one.id, one.description) for one in asked.options),
            )
            for asked in router.parameters
        )
        return replace(router, parameters=parameters)

    routers = {name: bare(router) for name, router in library.routers.items()}
    lib = replace(library, digest="b" * 64, routers=routers)
    some = intents[::10]
    same = [resolve(one, lib).targets == resolve(one, library).targets for one in some]
    assert sum(same) >= len(some) // 3
