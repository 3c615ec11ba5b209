"""What programs that drive a thread are told: the shape of a reply, and what a slip is answered."""

import pytest

from skills_nb.errors import UsageError

PLAN = """
goal: A table of mine
steps:
- {step: 1, action: Make it, primitive: tables, sql: "CREATE TABLE PROD.PUBLIC.MINE (N INT)"}
- {step: 2, action: Fill it, primitive: tables, sql: "INSERT INTO PROD.PUBLIC.MINE VALUES (1), (2)"}
"""


@pytest.mark.slow
def test_a_reply_tells_what_was_made_changed_and_kept(app):
    app.invoke(["plan", "--thread", "mine"], cell=PLAN)
    for _ in range(3):
        reply = app.invoke(["respond", "approve", "--thread", "mine", "--json"])
    document = reply.document
    assert {name: document[name] for name in ("thread_id", "status", "pause", "exit")} == {
        "thread_id": "mine",
        "status": "completed",
        "pause": None,
        "exit": 0,
    }
    assert document["created"] == [{"type": "table", "fqn": "PROD.PUBLIC.MINE"}]
    assert document["modified"][0]["fqn"] == "PROD.PUBLIC.MINE"
    assert (document["modified"][0]["rows"], document["modified"][0]["rows_are"]) == (2, "exact")
    assert document["not_restored"] == []


def test_a_thread_is_named_alike_by_every_command(app):
    for command in ("status", "resume", "require", "cleanup", "compact", "show"):
        with pytest.raises(UsageError, match="no thread 'nobody'"):
            app.invoke([command, "--thread", "nobody"])
        with pytest.raises(UsageError, match="no thread 'nobody'"):
            app.invoke([command, "nobody"])


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["run", "clone A.B.C --dryrun"], "did you mean --dry-run?"),
        (["run", "clone A.B.C --dry-run now"], "put it behind the words"),
        (["route", "mask it --wy"], "did you mean --why?"),
    ],
)
def test_an_option_among_the_words_of_a_goal_starts_nothing(app, words, hint):
    with pytest.raises(UsageError, match="stands among the words") as refused:
        app.invoke(words)
    assert refused.value.hint == hint
    assert app.invoke(["threads"]).document == []


def test_dashes_between_words_are_no_option(app):
    assert app.invoke(["route", "secure my data -- all of it"]).document["targets"]


def test_a_thread_that_somebody_stopped_is_listed_as_stopped(app):
    app.invoke(["plan", "--thread", "mine"], cell=PLAN)
    app.invoke(["respond", "abort", "--thread", "mine"])
    listed = app.invoke(["threads"])
    assert [(row["status"], row["stopped"]) for row in listed.document] == [("failed", True)]
    assert [row.status for row in listed.view.rows] == ["stopped"]
