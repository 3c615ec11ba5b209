"""A dry run is suggested beside a real run where the words ask for one."""

import pytest

from skills_nb.views import render_text
from tests.commands.flow import SCOPE, begin


def run(app, goal, *more):
    return app.invoke(["run", goal, "--input", f"target_scope={SCOPE}", "--thread", "job", *more])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("goal", "why"),
    [
        ("mask the sensitive data of the production tables", "it touches production data"),
        ("maybe mask the sensitive data", "the request sounds unsure"),
    ],
)
def test_a_real_run_suggests_the_dry_run_that_its_words_ask_for(app, goal, why):
    reply = run(app, goal)
    assert reply.document["suggest_dry_run"] == why
    command = f"run '{goal}' --dry-run --input target_scope={SCOPE}"
    assert command in " ".join(render_text(reply.view, width=300).split())


def test_plain_words_and_dry_runs_are_left_alone(app):
    assert "suggest_dry_run" not in begin(app).document
    words = ["run", "maybe mask the sensitive data", "--dry-run", "--thread", "other"]
    assert "suggest_dry_run" not in app.invoke(words).document
