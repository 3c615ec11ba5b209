"""A thread that lost events is shown with a notice, and goes on when a person has said so."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from skills_nb.commands import App
from skills_nb.errors import StoreError, UsageError
from skills_nb.views import render_text
from tests.commands.flow import begin

DONE, FAILED = 0, 4


def in_one_line(view):
    """What is shown, wherever its lines are broken: they are as long as a test's folders."""
    return " ".join(render_text(view).split())


@pytest.fixture
def shortened(app, home):
    """The main job, of which the last event was taken; and how many there were."""
    begin(app)
    count = len(app.invoke(["show", "job"]).document["events"])
    app.close()
    with closing(sqlite3.connect(home / "threads.db")) as other:
        other.execute("DROP TRIGGER event_stays")
        other.execute("DELETE FROM event WHERE seq = ?", (count,))
        other.execute("UPDATE thread SET head = ?", (count - 1,))
        other.commit()
    again = App(home)
    yield again, count
    again.close()


@pytest.mark.slow
def test_a_shortened_thread_is_shown_with_a_notice_and_goes_on_when_accepted(shortened):
    app, count = shortened
    told = f"thread 'job' ends at event {count - 1} instead of {count}: 1 event is missing"
    for verb in (["status", "job"], ["show", "job"], ["threads"]):
        text = in_one_line(app.invoke(verb).view)
        assert told in text
        assert "threads accept job" in text
    assert told in app.invoke(["status", "job"]).document["warnings"][0]
    with pytest.raises(StoreError, match=f"{told}; nothing was done") as said:
        app.invoke(["resume", "job"])
    assert said.value.hint.endswith("go on with what is here: threads accept job")
    verified = app.invoke(["threads", "verify"])
    assert (verified.status, verified.document["ok"]) == (FAILED, False)
    accepted = app.invoke(["threads", "accept", "job"])
    assert accepted.document == {"thread_id": "job", "events": count - 1}
    whole = app.invoke(["threads", "verify"])
    assert (whole.status, whole.document) == (DONE, {"ok": True, "threads": 1, "wrong": []})
    assert "warnings" not in app.invoke(["status", "job"]).document
    app.invoke(["resume", "job"])
    assert len(app.invoke(["show", "job"]).document["events"]) >= count


@pytest.mark.slow
def test_a_thread_that_lacks_nothing_cannot_be_accepted_and_a_vanished_one_is_told(app, home):
    begin(app)
    with pytest.raises(UsageError, match="thread 'job' lacks nothing that was acknowledged"):
        app.invoke(["threads", "accept", "job"])
    with pytest.raises(UsageError, match="no thread 'other'"):
        app.invoke(["status", "other"])
    with closing(sqlite3.connect(home / "threads.db")) as other:
        other.execute("DROP TRIGGER event_stays")
        other.execute("DELETE FROM event")
        other.execute("DELETE FROM thread")
        other.commit()
    again = App(home)
    with pytest.raises(StoreError, match=r"thread 'job' ends at event 0 instead of \d+"):
        again.invoke(["status", "job"])
    assert "thread 'job' ends at event 0" in in_one_line(again.invoke(["threads"]).view)
    assert again.invoke(["threads", "accept", "job"]).document["events"] == 0
    with pytest.raises(UsageError, match="no thread 'job'"):
        again.invoke(["status", "job"])
    again.close()


@pytest.mark.slow
def test_one_damaged_thread_does_not_hide_the_others(app, home):
    begin(app)
    store = app.wiring.store
    store.append("copy", 0, store.load("job")[:1])
    app.close()
    with closing(sqlite3.connect(home / "threads.db")) as other:
        other.execute("DROP TRIGGER event_keeps")
        other.execute(
            "UPDATE event SET actor = 'human:eve' WHERE seq = 1 AND tid = "
            "(SELECT tid FROM thread WHERE thread_id = 'copy')"
        )
        other.commit()
    again = App(home)
    listed = again.invoke(["threads"])
    assert [row["thread_id"] for row in listed.document] == ["job"]
    assert "thread 'copy': event 1 is not what was written" in in_one_line(listed.view)
    again.close()
