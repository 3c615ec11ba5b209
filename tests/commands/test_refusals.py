"""What cannot be done is one clear line, and nothing is executed."""

import pytest

from skills_nb.commands import App
from skills_nb.errors import PendingError, SkillsError, ThreadError, UsageError
from tests.commands.flow import approve, begin


def statements(app, thread="job"):
    events = app.invoke(["show", thread]).document["events"]
    return [event for event in events if event["type"] == "statement_started"]


@pytest.mark.parametrize(
    "scope", ['PROD"; DROP DATABASE PROD; --', "PROD; DROP SCHEMA X", "PROD.A.B.C", "''", "*"]
)
def test_a_hostile_scope_is_refused_and_nothing_is_started(app, scope):
    words = ["run", "playbooks/secure-sensitive-data", "--thread", "bad"]
    with pytest.raises(UsageError, match="input 'target_scope' cannot be"):
        app.invoke([*words, "--input", f"target_scope={scope}"])
    assert app.invoke(["threads"]).document == []


@pytest.mark.parametrize("half", ["\udcff", "x\ud800"])
def test_a_word_that_is_no_text_is_refused_whatever_it_is_for(app, half):
    for words in (
        ["status", half],
        ["resume", half],
        ["plan", half],
        ["run", "x", "--thread", half],
    ):
        with pytest.raises(UsageError, match="is not text"):
            app.invoke(words)
    assert app.invoke(["threads"]).document == []


def test_an_unknown_playbook_is_refused_with_the_nearest(app):
    with pytest.raises(UsageError, match="there is no playbook") as refused:
        app.invoke(["run", "playbooks/secure-sensitive-dat"])
    assert "secure-sensitive-data" in refused.value.hint


def test_a_wrong_option_names_the_right_ones(app):
    begin(app)
    with pytest.raises(UsageError, match="'dance' is not an option") as refused:
        app.invoke(["respond", "dance"])
    assert "approve" in refused.value.hint


@pytest.mark.slow
def test_a_critical_checkpoint_without_its_phrase_says_which(app):
    reply = begin(app)
    while reply.pause.severity != "critical":
        reply = approve(app, reply)
    with pytest.raises(UsageError, match="needs its phrase typed") as refused:
        app.invoke(["approve"])
    assert reply.pause.phrase in refused.value.hint


@pytest.mark.slow
def test_a_second_kernel_that_answers_the_same_checkpoint_is_told_so(app, home):
    reply = begin(app)
    approve(app, reply)
    with pytest.raises(ThreadError, match="is answered already"):
        app.invoke(["respond", "approve", "--at", reply.pause.at])


@pytest.mark.slow
def test_require_stops_at_an_open_checkpoint_with_the_command_that_answers_it(app):
    reply = begin(app)
    with pytest.raises(PendingError, match="is paused at") as refused:
        app.invoke(["require", "job"])
    assert refused.value.hint == f"respond approve --at {reply.pause.at} --thread job"


@pytest.mark.slow
def test_require_says_of_a_thread_that_was_stopped_that_it_was(app):
    begin(app)
    app.invoke(["abort", "--thread", "job"])
    with pytest.raises(PendingError, match=r"^thread 'job' was stopped before its end$") as refused:
        app.invoke(["require", "job"])
    assert refused.value.hint == "show job"


def test_sql_only_reads(app):
    with pytest.raises(UsageError, match="may change the account"):
        app.invoke(["sql", "DROP TABLE PROD.CUSTOMER_DATA.CUSTOMERS"])


@pytest.mark.slow
def test_a_thread_of_that_name_with_another_goal_is_refused(app):
    begin(app)
    with pytest.raises(UsageError, match="exists with another goal"):
        app.invoke(["run", "playbooks/audit-data-access", "--thread", "job"])


@pytest.mark.slow
def test_running_the_same_command_again_executes_nothing_twice(app):
    first = begin(app)
    before = statements(app)
    assert begin(app).pause.at == first.pause.at
    assert statements(app) == before


def test_an_unknown_command_names_the_nearest(app):
    with pytest.raises(UsageError, match="unknown command 'rout'") as refused:
        app.invoke(["rout", "x"])
    assert "route" in refused.value.hint


def test_without_a_thread_there_is_nothing_to_resume(tmp_path):
    empty = App(tmp_path)
    with pytest.raises(SkillsError, match="no thread here yet"):
        empty.invoke(["resume"])
    empty.close()
