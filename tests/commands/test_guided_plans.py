"""Plans that people write: read, refused, run on a real account, and written down again."""

from pathlib import Path

import pytest
import yaml

from skills_nb.commands import App
from skills_nb.commands.verbs.guided_plans import read_plan, to_yaml
from skills_nb.errors import UsageError

STREAM = "PROD.CUSTOMER_DATA.CUSTOMERS_CHANGES"
PLAN = f"""
goal: Follow the changes of the customers
steps:
  - step: 1
    action: Make a stream
    primitive: streams
    sql: CREATE STREAM IF NOT EXISTS {STREAM} ON TABLE PROD.CUSTOMER_DATA.CUSTOMERS
  - step: 2
    action: Look at it
    primitive: primitives/streams
    sql: |
      SHOW STREAMS IN SCHEMA PROD.CUSTOMER_DATA;
"""


def events(app, type_, thread="p"):
    told = app.invoke(["show", thread]).document["events"]
    return [event for event in told if event["type"] == type_]


def propose(app, *sqls, **step):
    steps = [{"action": "x", "primitive": "tables", "sql": sql, **step} for sql in sqls]
    cell = yaml.safe_dump({"goal": "Try it", "steps": steps})
    return app.invoke(["plan", "--thread", "p"], cell=cell)


def streams(app):
    found = app.invoke(["sql", "SHOW STREAMS IN SCHEMA PROD.CUSTOMER_DATA"]).document
    return [row[found["columns"].index("name")] for row in found["rows"]]


def test_a_plan_is_read_as_it_stands():
    plan = read_plan(PLAN, "plan.yaml")
    assert plan.goal == "Follow the changes of the customers"
    assert [(s.step, s.action, s.primitive) for s in plan.steps] == [
        ("1", "Make a stream", "streams"),
        ("2", "Look at it", "primitives/streams"),
    ]
    assert plan.steps[1].sql == "SHOW STREAMS IN SCHEMA PROD.CUSTOMER_DATA;"


def test_what_is_written_is_what_is_read():
    plan = read_plan(PLAN, "plan.yaml")
    assert read_plan(to_yaml(plan, plan.steps), "again") == plan


def test_steps_are_numbered_where_nobody_did_and_sql_may_be_a_list():
    plan = read_plan("goal: g\nsteps:\n- sql: [SELECT 1, SELECT 2]\n- {step: 2b}\n", "p")
    assert [(s.step, s.action, s.primitive, s.sql) for s in plan.steps] == [
        ("1", "Step 1", None, "SELECT 1;\nSELECT 2"),
        ("2b", "Step 2b", None, ""),
    ]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("- a list", "is not a plan"),
        ("goal: [", r"plan\.yaml, line 2, column 1: not valid YAML"),
        ('goal: "a\\qb"', r"line 1, column 9: not valid YAML: .*unknown escape character"),
        ("goal: a\ngoal: b", r"line 2, column 1: key 'goal' appears twice"),
        ("goal: &g [*g]", r"line 1, column 7: anchor|alias"),
        (f"goal: {'[' * 200_000}", r"line 1, column \d+: nested over 24 deep"),
        (f'{{"goal": {"[" * 200_000}}}', "nested over 24 deep"),
        ("".join(" " * n + "a:\n" for n in range(3_000)), "nested over 24 deep"),
        (f"goal: g\nsteps: [{{step: {'9' * 5_000}}}]", "is called"),
        ("goal: 5", "needs a goal"),
        ("goal: 'a\0b'", r"control character U\+0000"),
        ("\ufffe g\0o\0", "control character"),
        ("goal: a\n---\ngoal: b", "a second YAML document"),
        ("steps: [{sql: SELECT 1}]", "needs a goal"),
        ("goal: g", "needs steps"),
        ("goal: g\nsteps: []", "needs steps"),
        ("goal: g\nsteps: [DROP]", "is not a mapping"),
        ("goal: g\nowner: me\nsteps: [{sql: SELECT 1}]", "unknown field 'owner'"),
        ("goal: g\nsteps: [{sql: SELECT 1, checkpoint: none}]", "unknown field 'checkpoint'"),
        ("goal: g\nsteps: [{sql: {a: b}}]", "sql is not text"),
        ("goal: g\nsteps: [{step: x}]", "is called 'x'"),
        ("goal: g\nsteps: [{step: 1}, {step: 1}]", "two steps are called '1'"),
        ("goal: g\nsteps: [{primitive: [a]}]", "primitive is not text"),
        ("!!python/object/apply:os.system ['true']", "line 1, column 1: tag '.*os.system'"),
    ],
)
def test_what_is_no_plan_is_refused_in_one_line(text, why):
    with pytest.raises(UsageError, match=why):
        read_plan(text, "plan.yaml")


@pytest.mark.slow
def test_a_plan_runs_step_by_step_over_several_processes(home, tmp_path):
    file = tmp_path / "plan.yaml"
    file.write_text(PLAN, encoding="utf-8")
    words = [["plan", str(file), "--thread", "p"], *[["approve", "--thread", "p"]] * 3]
    seen = []
    for one in words:
        app = App(home)
        reply = app.invoke(one)
        seen.append(reply.pause.at if reply.pause else None)
        app.close()
    assert seen == ["plan", "1", "2", None]
    app = App(home)
    assert streams(app) == ["CUSTOMERS_CHANGES"]
    app.close()


@pytest.mark.slow
def test_a_plan_is_rehearsed_before_it_is_done_and_taken_back_after_it(app):
    app.invoke(["plan", "--dry-run", "--thread", "p"], cell=PLAN)
    reply = app.invoke(["approve"])
    assert reply.pause.kind == "dry_run_summary"
    assert events(app, "dry_run_summary")[0]["would_create"]["streams"] == 1
    assert streams(app) == []
    # A change of the plan in a dry run is approved like any other.
    changed = f"step_1=CREATE STREAM {STREAM}_2 ON TABLE PROD.CUSTOMER_DATA.CUSTOMERS"
    assert app.invoke(["modify", "--set", changed]).pause.kind == "plan_proposed"
    app.invoke(["approve"])
    assert app.invoke(["respond", "execute"]).pause.at == "1"
    assert streams(app) == ["CUSTOMERS_CHANGES_2"]
    app.invoke(["abort"])
    app.invoke(["respond", "cleanup"])
    assert streams(app) == []


@pytest.mark.parametrize(
    ("sql", "step", "reason"),
    [
        ("EXECUTE IMMEDIATE 'DROP DATABASE PROD'", {}, "prohibited_action"),
        ("EXECUTE IMMEDIATE $q", {}, "unparsable"),
        ("SELECT 1", {"primitive": None}, "missing_primitive"),
        ("SELECT 1", {"primitive": "magic"}, "unknown_primitive"),
    ],
)
def test_a_hostile_plan_waits_refused_and_nothing_was_sent(app, sql, step, reason):
    reply = propose(app, sql, **step)
    assert (reply.status, reply.pause.kind) == (3, "plan_rejected")
    assert reply.document["rejected"] == reason
    assert [event["reason"] for event in events(app, "plan_rejected")] == [reason]
    assert events(app, "statement_started") == []


def test_a_long_plan_needs_its_phrase(app):
    reply = propose(app, *["SELECT 1"] * 9)
    assert events(app, "plan_rejected")[0]["reason"] == "complexity_exceeded"
    phrase = reply.pause.phrase
    with pytest.raises(UsageError, match="phrase"):
        app.invoke(["respond", "proceed_anyway"])
    reply = app.invoke(["respond", "proceed_anyway", "--phrase", phrase])
    assert reply.pause.kind == "plan_proposed"


def test_a_refused_plan_is_written_down_as_a_playbook_that_can_be_read(app):
    propose(app, "DROP SCHEMA PROD.CUSTOMER_DATA")
    reply = app.invoke(["respond", "request_playbook"])
    text = Path(reply.document["playbook"]).read_text(encoding="utf-8")
    front, body = text.split("---\n", 2)[1:]
    assert yaml.safe_load(front) == {
        "type": "playbook",
        "name": "try-it",
        "domain": "data-transformation",
        "depends_on": ["tables"],
        "inputs": [],
    }
    assert "```sql\nDROP SCHEMA PROD.CUSTOMER_DATA\n```" in body
    assert reply.pause.kind == "plan_rejected"


def test_a_plan_is_shown_as_it_can_be_written_again(app):
    app.invoke(["plan", "--thread", "p"], cell=PLAN)
    reply = app.invoke(["plan", "--thread", "p"])
    assert [step["step"] for step in reply.document["steps"]] == ["1", "2"]


def test_a_plan_comes_from_a_file_or_a_cell_and_not_from_both(app, tmp_path):
    with pytest.raises(UsageError, match="not in both"):
        app.invoke(["plan", "plan.yaml"], cell=PLAN)
    with pytest.raises(UsageError, match="cannot read"):
        app.invoke(["plan", str(tmp_path / "none.yaml")])
    with pytest.raises(UsageError, match="no thread here yet"):
        app.invoke(["plan"])


def test_an_intent_that_no_playbook_covers_becomes_a_plan_on_the_real_account(app):
    reply = app.invoke(["run", "create a stream on PROD.CUSTOMER_DATA.CUSTOMERS", "--thread", "p"])
    assert reply.pause.kind == "plan_proposed"
    assert events(app, "routed")[0]["mode"] == "guided"


def test_an_input_that_a_plan_does_not_know_is_refused_with_those_that_it_knows(app):
    words = ["run", "create a stream on PROD.CUSTOMER_DATA.CUSTOMERS", "--thread", "p"]
    with pytest.raises(UsageError, match="has an input 'nonsense'"):
        app.invoke([*words, "--input", "nonsense=1"])


def test_a_question_of_fact_is_answered_by_its_section_and_begins_no_thread(app):
    reply = app.invoke(["run", "what's the syntax for masking"])
    assert reply.document["section"] == "Syntax"
    assert app.invoke(["threads"]).document == []
