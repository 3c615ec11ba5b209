"""What a name means is settled where it is said: no session and no other cell changes it later."""

import pytest
import yaml

from skills_nb.commands import App
from skills_nb.errors import UsageError

SAME = """CREATE TABLE {0}.PUBLIC."my t" AS SELECT 1 AS A UNION ALL SELECT 2"""


def session_of(app):
    return app.wiring.session


def run(app, *sqls):
    for sql in sqls:
        session_of(app).execute(sql, role=None, tag="test")


def place(app):
    here = session_of(app).context()
    return here.current_database, here.current_schema


def rows(app, table):
    found = session_of(app).query(f"SELECT A FROM {table} ORDER BY A", role=None, limit=10)
    return [row[0] for row in found.rows]


def tables(app, schema):
    found = session_of(app).query(f"SHOW TABLES IN SCHEMA {schema}", role=None, limit=10)
    return [row[1] for row in found.rows]


def propose(app, *sqls, extra=()):
    steps = [{"action": "x", "primitive": "tables", "sql": sql} for sql in sqls]
    cell = yaml.safe_dump({"goal": "Try it", "steps": steps})
    return app.invoke(["plan", "--thread", "p", *extra], cell=cell)


def events(app, type_):
    told = app.invoke(["show", "p"]).document["events"]
    return [event for event in told if event["type"] == type_]


def sent(app):
    return [event["sql"] for event in events(app, "statement_started")]


@pytest.fixture
def two(app):
    """Two databases that hold a table of the same name; the session is in the first."""
    for name in ("ONE", "TWO"):
        run(app, f"CREATE DATABASE {name}", SAME.format(name))
    run(app, "USE SCHEMA ONE.PUBLIC")
    return app


DELETION = 'DELETE FROM ONE.PUBLIC."my t" WHERE A = 1'


@pytest.mark.slow
def test_a_plan_shows_and_does_what_was_meant_where_it_was_given(two):
    propose(two, 'DELETE FROM "my t" WHERE A = 1', "CREATE TABLE made (B INT)")
    assert [step["sql"] for step in events(two, "plan_proposed")[0]["steps"]] == [
        DELETION,
        "CREATE TABLE ONE.PUBLIC.made (B INT)",
    ]
    run(two, "USE SCHEMA TWO.PUBLIC")
    before = two.invoke(["approve", "--thread", "p"]).pause
    # What deletes rows is shown once more, and asks for its phrase.
    assert (before.at, before.severity) == ("before:1", "critical")
    two.invoke(["approve", "--thread", "p", "--phrase", before.phrase])
    two.invoke(["approve", "--thread", "p"])
    assert (rows(two, 'ONE.PUBLIC."my t"'), rows(two, 'TWO.PUBLIC."my t"')) == ([2], [1, 2])
    assert sent(two) == [DELETION, "CREATE TABLE ONE.PUBLIC.made (B INT)"]
    assert (tables(two, "TWO.PUBLIC"), place(two)) == (["my t"], ("TWO", "PUBLIC"))


@pytest.mark.slow
def test_another_process_with_another_schema_does_and_takes_back_the_same(two, home):
    propose(two, "CREATE TABLE made (B INT)")
    two.close()
    later = App(home)
    run(later, "USE SCHEMA TWO.PUBLIC")
    later.invoke(["approve", "--thread", "p"])
    assert tables(later, "ONE.PUBLIC") == ["MADE", "my t"]
    later.invoke(["abort", "--thread", "p"])
    later.close()
    last = App(home)
    run(last, "CREATE TABLE TWO.PUBLIC.MADE (B INT)", "USE SCHEMA TWO.PUBLIC")
    last.invoke(["respond", "cleanup", "--thread", "p"])
    assert (tables(last, "ONE.PUBLIC"), tables(last, "TWO.PUBLIC")) == (["my t"], ["MADE", "my t"])
    last.close()


@pytest.mark.slow
def test_what_was_rehearsed_is_what_is_executed_though_the_session_moved_between(two):
    propose(two, 'DELETE FROM "my t" WHERE A = 1', extra=["--dry-run"])
    two.invoke(["approve", "--thread", "p"])
    run(two, "USE SCHEMA TWO.PUBLIC")
    reply = two.invoke(["respond", "execute", "--thread", "p"])
    while reply.pause is not None:
        reply = two.invoke(["approve", "--thread", "p"])
    assert (rows(two, 'ONE.PUBLIC."my t"'), rows(two, 'TWO.PUBLIC."my t"')) == ([2], [1, 2])


def test_a_script_runs_where_it_was_meant_to(two):
    block = 'BEGIN DELETE FROM "my t" WHERE A = 1; CALL SYSTEM$WAIT(0); END'
    propose(two, block)
    assert [step["sql"] for step in events(two, "plan_proposed")[0]["steps"]] == [
        "USE SCHEMA ONE.PUBLIC;\n" + block.replace('"my t"', 'ONE.PUBLIC."my t"'),
    ]


@pytest.mark.slow
def test_a_short_name_without_a_schema_to_look_it_up_in_is_asked_about(app):
    run(app, "CREATE DATABASE GONE", "DROP DATABASE GONE")
    reply = propose(app, "DELETE FROM ORDERS")
    assert (reply.pause.kind, reply.pause.at) == ("error_escalated", "error:probes")
    (asked,) = events(app, "error_escalated")
    assert asked["error"] == (
        "the plan cannot be filled in: step 1 names ORDERS, "
        "and the session has no current database to look it up in"
    )
    app.invoke(["modify", "--thread", "p", "--set", "step_1=DELETE FROM ONE.PUBLIC.ORDERS"])
    assert events(app, "plan_proposed")[0]["steps"][0]["sql"] == "DELETE FROM ONE.PUBLIC.ORDERS"


@pytest.mark.slow
def test_a_sub_step_by_hand_means_what_its_session_means_then(two):
    propose(two, "CREATE TABLE made (B INT)")
    two.invoke(["approve", "--thread", "p"])
    run(two, "USE SCHEMA TWO.PUBLIC")
    two.invoke(["step", "1b", "--thread", "p"], cell="CREATE TABLE mine (B INT)")
    assert sent(two)[-1] == "CREATE TABLE TWO.PUBLIC.mine (B INT)"
    assert place(two) == ("TWO", "PUBLIC")


def test_a_sub_step_with_a_name_that_means_nothing_is_refused_before_anything_is_sent(two):
    propose(two, "CREATE ROLE SOMEONE")
    two.invoke(["approve", "--thread", "p"])
    run(two, "CREATE DATABASE GONE", "DROP DATABASE GONE")
    with pytest.raises(UsageError, match="sub-step 1b names MINE, and the session has no current"):
        two.invoke(["step", "1b", "--thread", "p"], cell="CREATE TABLE mine (B INT)")
    assert sent(two) == ["CREATE ROLE SOMEONE"]


@pytest.mark.slow
def test_a_new_schema_stays_the_current_one_of_its_thread_in_another_process(two, home):
    propose(two, "CREATE SCHEMA ONE.MADE_FOR_IT", "CREATE ROLE SOMEBODY")
    two.invoke(["approve", "--thread", "p"])
    two.close()
    later = App(home)
    run(later, "USE SCHEMA TWO.PUBLIC")
    later.invoke(["approve", "--thread", "p"])
    assert place(later) == ("ONE", "MADE_FOR_IT")
    later.close()
