"""Verbs that look: lint, explain, show --context, compact, threads --import, debug."""

import json

import pytest

from skills_nb.errors import ThreadError, UsageError
from tests.commands.flow import approve, begin


@pytest.mark.slow
def test_the_shipped_library_has_no_error(app):
    reply = app.invoke(["lint"])
    errors = [d for d in reply.document["diagnostics"] if d["severity"] == "error"]
    assert (errors, reply.status) == ([], 0)


def test_a_broken_library_is_exit_status_1_with_places(app, tmp_path):
    (tmp_path / "router.md").write_text("# no front matter\n")
    (tmp_path / "skill-index.yaml").write_text('version: "1.0"\nentry: router.md\n')
    reply = app.invoke(["lint", str(tmp_path)])
    assert reply.status == 1
    first = reply.document["diagnostics"][0]
    assert set(first) == {"path", "line", "column", "code", "severity", "message", "hint"}


def test_an_unknown_selection_is_refused(app):
    with pytest.raises(UsageError):
        app.invoke(["lint", "--select", "XX9"])


def test_explain_shows_a_rule_or_a_skill(app):
    assert app.invoke(["explain", "SK422"]).document["page"].startswith("# SK422")
    assert (
        app.invoke(["explain", "primitives/masking-policies"]).document["ref"].endswith("policies")
    )


def test_the_context_of_a_thread_keeps_its_budget(app):
    begin(app)
    told = app.invoke(["show", "job", "--context"]).document
    assert "waits for an answer" in told["text"]
    assert told["tokens"] <= 4000


def test_a_compacted_thread_goes_on_to_the_same_pause(app):
    before = begin(app).pause
    assert app.invoke(["compact", "job"]).pause == before
    events = app.invoke(["show", "job"]).document["events"]
    assert events[-1]["type"] == "phase_summary"


@pytest.mark.slow
def test_a_thread_in_yaml_comes_in_as_a_new_one(app, tmp_path):
    reply = begin(app)
    approve(app, reply)
    source = tmp_path / "thread.yaml"
    from skills_nb.views import render_text

    source.write_text(render_text(app.invoke(["show", "job", "--yaml"]).view))
    copy = app.invoke(["threads", "--import", str(source)])
    assert copy.thread_id != "job"
    assert copy.document["status"] == "paused"


@pytest.mark.slow
def test_a_sub_step_by_hand_is_tracked_and_taken_back_like_any_other(app):
    begin(app)
    sql = "CREATE ROLE REVIEWER"
    assert app.invoke(["step", "5b", "--thread", "job"], cell=sql).pause.at == "5"
    events = app.invoke(["show", "job"]).document["events"]
    assert [e["sql"] for e in events if e["type"] == "statement_started"] == [sql]
    app.invoke(["abort", "--thread", "job"])
    actions = app.invoke(["show", "job"]).document["events"][-1]["compensation_actions"]
    assert actions == ["DROP ROLE IF EXISTS REVIEWER"]


@pytest.mark.slow
def test_a_sub_step_that_fails_leaves_the_thread_where_it_was(app):
    before = begin(app).pause
    with pytest.raises(ThreadError, match="sub-step 5b failed"):
        app.invoke(["step", "5b", "CREATE TABLE PROD.NOWHERE.T (A INT)"])
    assert app.invoke(["status", "job"]).pause == before


def test_debug_shows_the_last_error(app):
    with pytest.raises(UsageError, match="nothing has gone wrong here yet"):
        app.invoke(["debug"])
    with pytest.raises(UsageError):
        app.invoke(["run", "playbooks/nope"])
    assert "there is no playbook" in json.dumps(app.invoke(["debug"]).document)
