"""What a goal says and nothing meets is told by the route, on the thread and on its card."""

import pytest

from skills_nb.views import render_text

GOAL = "mask pii and paint the house, but don't touch ORDERS"


def events(app, type_):
    told = app.invoke(["show", "w"]).document["events"]
    return [event for event in told if event["type"] == type_]


def text_of(reply):
    return " ".join(render_text(reply.view).split())


def test_a_route_tells_what_it_leaves_out(app):
    found = app.invoke(["route", GOAL]).document
    assert (found["not_covered"], found["limits"]) == (["paint the house"], ["don't touch ORDERS"])


@pytest.mark.slow
def test_a_thread_and_its_card_tell_it_before_anything_is_approved(app):
    reply = app.invoke(["run", GOAL, "--thread", "w", "--input", "target_scope=PROD.CUSTOMER_DATA"])
    (routed,) = events(app, "routed")
    assert (routed["not_covered"], routed["limits"]) == (
        ["paint the house"],
        ["don't touch ORDERS"],
    )
    said = text_of(reply)
    assert "NOT COVERED" in said
    assert "paint the house. Say it as a goal of its own." in said
    assert "don't touch ORDERS. Nothing enforces it" in said
