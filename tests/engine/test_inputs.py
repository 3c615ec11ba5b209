"""Inputs: what they may be, where they come from, and how they are asked for."""

import pytest

from skills_nb.engine.inputs.questions import choices_for, looks_at_account, question
from skills_nb.engine.inputs.secrecy import stand_in
from skills_nb.engine.inputs.typed_inputs import coerce, infer_input, template_value
from skills_nb.errors import UsageError
from skills_nb.model.events import AccountContext
from skills_nb.model.skills import ForEach, ProbeCheck, ProbeSpec
from skills_nb.model.state import Fact
from skills_nb.sql.templates import Name
from tests.builders import CONTEXT, checkpoint, playbook, step, text_input
from tests.engine.driving import Drive


@pytest.mark.parametrize(
    ("type_", "raw", "kept"),
    [
        ("string", "a'b", "a'b"),
        ("string", 7, "7"),
        ("integer", "7", 7),
        ("integer", 7.0, 7),
        ("boolean", "Yes", True),
        ("boolean", 0, False),
        ("boolean", True, True),
        ("role", " analyst ", "ANALYST"),
        ("schema", 'prod."my s"', 'PROD."my s"'),
        ("table", "a.b.c", "A.B.C"),
        ("scope", "prod", "PROD"),
        ("identifier", "order_id", "ORDER_ID"),
        ("identifier", '"order id"', '"order id"'),
        ("column_list", "a, b", ["A", "B"]),
        ("column_list", ["a"], ["A"]),
        ("column_list", '"x,y", b,"a ""b"", c"', ['"x,y"', "B", '"a ""b"", c"']),
        ("text_list", "low, very high", ["low", "very high"]),
        ("text_list", ["O'Hara"], ["O'Hara"]),
        ("mapping", '{"a": 1}', {"a": 1}),
        ("mapping", {1: "x"}, {"1": "x"}),
        ("account_locator", "xy12345.eu-1", "xy12345.eu-1"),
    ],
)
def test_a_value_is_kept_in_its_type(type_, raw, kept):
    assert coerce(text_input("n", type=type_), raw) == kept


@pytest.mark.parametrize(
    ("type_", "raw", "why"),
    [
        ("integer", "seven", "whole number"),
        ("integer", True, "whole number"),
        ("integer", 7.5, "whole number"),
        ("integer", None, "a value is required"),
        ("boolean", "perhaps", "true or false"),
        ("role", "a.b", "at most 1 part"),
        ("role", 7, "an identifier is text"),
        ("role", "x; DROP ROLE y", "input 'n' cannot be"),
        ("schema", "a.b.c", "at most 2 part"),
        ("string", ["a"], "expected text"),
        ("string", "a\x00b", "expected text"),
        ("mapping", "[1]", "expected a mapping"),
        ("mapping", "{", "expected a JSON object"),
        ("account_locator", "a b", "an account locator is"),
        ("identifier", "a.b", "at most 1 part"),
        ("column_list", "a.b", "at most 1 part"),
        ("column_list", '"x,y', "is not a name"),
        ("text_list", " , ", "give one text at least"),
    ],
)
def test_a_value_of_another_type_is_refused_with_the_way_to_give_it(type_, raw, why):
    with pytest.raises(UsageError, match=why) as refused:
        coerce(text_input("n", type=type_), raw)
    assert refused.value.hint.startswith("give it as: --input n=")


@pytest.mark.parametrize("field", ["role", "warehouse", "database"])
@pytest.mark.parametrize("stored", ["night shift", "usher", "Opern.Haus", 'a "b" c', "PLAIN"])
def test_what_a_session_has_in_use_is_named_as_a_statement_names_it(field, stored):
    context = AccountContext(**{f"current_{field}": stored}, available_roles=(stored,))
    spec = text_input("n", type=field, infer_from=(f"session.{field}",))
    found = infer_input(spec, goal="", context=context, bound={})
    assert template_value(spec, coerce(spec, found)) == Name((stored,))


def test_what_is_no_name_is_taken_from_a_session_as_it_stands():
    context = AccountContext(current_role="night shift")
    spec = text_input("n", type="string", infer_from=("session.role",))
    assert infer_input(spec, goal="", context=context, bound={}) == "night shift"


def test_roles_are_offered_as_a_statement_names_them():
    context = AccountContext(available_roles=("PLAIN", "night shift", "usher"))
    for spec in (
        text_input("r", type="role"),
        text_input("r", type="role", choices=("{session.available_roles}",)),
    ):
        offered = choices_for(spec, context, (), {}).values
        assert offered == ("PLAIN", '"night shift"', '"usher"')
        named = [template_value(spec, coerce(spec, one)) for one in offered]
        assert named == [Name((role,)) for role in context.available_roles]


def test_a_choice_is_met_in_any_case_and_a_list_from_elsewhere_is_open():
    closed = text_input("level", type="choice", choices=("HIGH", "LOW"))
    assert coerce(closed, "high") == "HIGH"
    with pytest.raises(UsageError, match="choose one of HIGH, LOW"):
        coerce(closed, "middle")
    assert coerce(text_input("t", type="choice", choices=("{tables}",)), "T1") == "T1"


def test_a_refused_secret_is_not_repeated():
    spec = text_input("pw", type="integer", secret=True)
    with pytest.raises(UsageError) as refused:
        coerce(spec, "s3cret")
    assert "s3cret" not in f"{refused.value.message} {refused.value.hint}"


def test_a_long_value_is_shown_shortened():
    with pytest.raises(UsageError) as refused:
        coerce(text_input("n", type="integer"), "x" * 500)
    assert len(refused.value.message) < 150


def test_templates_see_names_where_identifiers_stand_and_stand_ins_for_secrets():
    assert template_value(text_input("r", type="role"), "ANALYST") == Name(("ANALYST",))
    assert template_value(text_input("s", type="scope"), "A.B").parts == ("A", "B")
    assert template_value(text_input("c", type="column_list"), ["A"]) == [Name(("A",))]
    assert template_value(text_input("p", secret=True), "anything") == stand_in("p")
    assert template_value(text_input("p", secret=True), None) is None
    assert template_value(text_input("n", type="integer"), 7) == 7


@pytest.mark.parametrize(
    ("type_", "source", "goal", "found"),
    [
        ("scope", "intent", "secure PROD.CUSTOMER_DATA now", "PROD.CUSTOMER_DATA"),
        ("scope", "intent", 'secure prod."my s".t', 'prod."my s".t'),
        ("database", "intent", "secure MY_DB", "MY_DB"),
        ("database", "intent", "secure MY_DB.S", None),
        ("string", "intent", "secure PROD.CUSTOMER_DATA", None),
        ("role", "session.role", "", "SECURITYADMIN"),
        ("schema", "session.schema", "", "DB.S"),
        ("string", "session.schema", "", "S"),
        ("database", "session.database", "", "DB"),
        ("string", "session.user", "", "ADMIN"),
        ("string", "session.nothing", "", None),
        ("string", "step_1.a.b", "", "deep"),
        ("string", "step_1.a.b.c", "", None),
    ],
)
def test_values_are_inferred_from_words_session_and_earlier_steps(type_, source, goal, found):
    spec = text_input("n", type=type_, infer_from=(source,))
    bound = {"step_1": {"a": {"b": "deep"}}}
    assert infer_input(spec, goal=goal, context=CONTEXT, bound=bound) == found


def test_the_first_source_that_knows_counts_and_without_a_session_none_does():
    spec = text_input("n", type="role", infer_from=("intent", "session.role"))
    assert infer_input(spec, goal="as MY_ROLE", context=CONTEXT, bound={}) == "MY_ROLE"
    assert infer_input(spec, goal="as me", context=CONTEXT, bound={}) == "SECURITYADMIN"
    assert infer_input(spec, goal="as me", context=None, bound={}) is None


@pytest.mark.parametrize(
    ("goal", "found"),
    [
        ("keep 7 days of history", "7"),
        ('keep 7 days of LAB_2.WORK."part 3"', "7"),
        ("as it was on 2026-11-25 at 10:30", None),
        ("1 row of 3 tables", None),
        ("keep the history", None),
    ],
)
def test_a_number_is_inferred_where_the_words_hold_one_alone(goal, found):
    spec = text_input("n", type="integer", infer_from=("intent",))
    assert infer_input(spec, goal=goal, context=CONTEXT, bound={}) == found


@pytest.mark.parametrize(
    ("goal", "found"),
    [
        ("refresh it every 10 minutes", "10 minutes"),
        ("a lag of 1 hour", "1 hour"),
        ("a lag of 1 long hour", None),
        ('look at LAB."1 hour"', None),
    ],
)
def test_a_choice_of_several_words_is_inferred_where_they_stand_together(goal, found):
    choices = ("10 minutes", "1 hour")
    spec = text_input("c", type="choice", choices=choices, infer_from=("intent",))
    assert infer_input(spec, goal=goal, context=CONTEXT, bound={}) == found


@pytest.mark.parametrize(
    ("goal", "found"),
    [
        ("statements of the last 14 days that ran over 30 minutes", "14"),
        ("top 10 of the past week", "7"),
        ("the slowest of 2 weeks", "14"),
        ("failures since yesterday", "1"),
        ("in the last 36 hours", "2"),
        ("top 10 by duration", None),
        ("this week against last month", None),
        ('rows of LAB."last 3 days"', None),
    ],
)
def test_days_are_inferred_from_a_span_and_from_no_other_number(goal, found):
    spec = text_input("days", type="integer", infer_from=("intent",))
    assert infer_input(spec, goal=goal, context=CONTEXT, bound={}) == found


@pytest.mark.parametrize(
    ("goal", "found"),
    [
        ("make it xlarge", "X-Large"),
        ("make it X-Large", "X-Large"),
        ("make it large", "Large"),
        ("an x-small one", "X-Small"),
        ("make it bigger", None),
    ],
)
def test_of_choices_that_are_said_the_longest_is_meant(goal, found):
    sizes = ("X-Small", "Small", "Large", "X-Large")
    spec = text_input("size", type="choice", choices=sizes, infer_from=("intent",))
    assert infer_input(spec, goal=goal, context=CONTEXT, bound={}) == found


@pytest.mark.parametrize(
    ("goal", "found"),
    [
        ("create a warehouse called tiny", "tiny"),
        ('a warehouse named "night shift" please', '"night shift"'),
        ("create warehouse night_wh", "night_wh"),
        ("create warehouse NIGHT", "NIGHT"),
        ("create a warehouse for reports", None),
    ],
)
def test_a_new_thing_is_called_what_the_words_call_it(goal, found):
    spec = text_input("warehouse", type="identifier", infer_from=("intent",))
    assert infer_input(spec, goal=goal, context=CONTEXT, bound={}) == found


def test_a_choice_is_inferred_from_a_word():
    spec = text_input("c", type="choice", choices=("HIGH", "LOW"), infer_from=("intent",))
    assert infer_input(spec, goal="keep it low please", context=CONTEXT, bound={}) == "LOW"


# ---- questions


def fact(query, rows):
    columns = ["database_name", "schema_name", "name"]
    return Fact(1, query, None, {"columns": columns, "rows": rows, "row_count": len(rows)})


def offered(spec, **fields):
    drive = Drive(playbook(step("1", "SELECT 1 AS N", checkpoint=checkpoint()), inputs=(spec,)))
    drive.account.answers.update(fields.get("answers", {}))
    drive.run()
    return [option.id for option in drive.pause.options]


def test_a_boolean_is_a_question_of_two():
    spec = text_input("b", type="boolean")
    assert offered(spec) == ["true", "false", "abort", "different-approach"]


def test_a_role_is_chosen_among_those_of_the_session():
    assert offered(text_input("r", type="role"))[:3] == ["ANALYST", "SECURITYADMIN", "other"]


def test_a_database_is_discovered_and_the_systems_own_are_left_out():
    rows = [{"name": "SNOWFLAKE"}, {"name": "PROD"}, {"name": "my db"}]
    found = offered(text_input("d", type="database"), answers={"SHOW DATABASES": rows})
    assert found[:3] == ["PROD", '"my db"', "other"]


def test_a_scope_is_discovered_by_schema():
    rows = [
        {"name": "S", "database_name": "PROD"},
        {"name": "INFORMATION_SCHEMA", "database_name": "PROD"},
        {"name": "ALERT", "database_name": "SNOWFLAKE"},
    ]
    found = offered(text_input("s", type="scope"), answers={"SHOW SCHEMAS": rows})
    assert found[:3] == ["PROD", "PROD.S", "other"]


@pytest.mark.parametrize(
    ("choice", "shown"),
    [
        ("{streams}", 'SHOW STREAMS IN ACCOUNT ->> SELECT "database_name", '),
        (
            "{procedures}",
            'SHOW PROCEDURES IN ACCOUNT ->> SELECT "catalog_name" AS "database_name", ',
        ),
    ],
)
def test_objects_of_a_kind_are_listed_and_those_that_the_goal_names_come_first(choice, shown):
    spec = text_input("s", type="table", choices=(choice,))
    named = choices_for(spec, CONTEXT, (), {}, "look at the orders").discovery
    assert named.startswith(shown)
    assert "'order'" in named
    everything = choices_for(spec, CONTEXT, [fact(named, [])], {}, "look at the orders").discovery
    assert everything.startswith(shown)
    assert "REGEXP_REPLACE" not in everything
    known = [fact(named, []), fact(everything, [["LAB", "my work", "ORDERS"]])]
    assert choices_for(spec, CONTEXT, known, {}, "look at the orders").values == (
        'LAB."my work".ORDERS',
    )


@pytest.mark.parametrize(
    ("choice", "query"),
    [
        ("{roles}", "SHOW ROLES"),
        ("{users}", "SHOW USERS"),
        ("{network policies}", "SHOW NETWORK POLICIES"),
        (
            "{shares}",
            'SHOW SHARES ->> SELECT "name" FROM $1 WHERE "kind" = \'OUTBOUND\' ORDER BY 1',
        ),
    ],
)
def test_what_stands_in_no_schema_is_listed_without_what_is_the_systems(choice, query):
    spec = text_input("s", type="identifier", choices=(choice,))
    assert looks_at_account(spec)
    assert choices_for(spec, CONTEXT, (), {}).discovery == query
    rows = [["SNOWFLAKE"], ["my own"], ["A"]]
    known = [Fact(1, query, None, {"columns": ["name"], "rows": rows, "row_count": 3})]
    assert choices_for(spec, CONTEXT, known, {}).values == ('"my own"', "A")


def test_warehouses_are_listed_by_their_names():
    spec = text_input("w", type="warehouse", choices=("{warehouses}",))
    assert choices_for(spec, CONTEXT, (), {}).discovery == "SHOW WAREHOUSES"
    rows = {"columns": ["name"], "rows": [["DAY_WH"], ["night wh"]], "row_count": 2}
    known = [Fact(1, "SHOW WAREHOUSES", None, rows)]
    assert choices_for(spec, CONTEXT, known, {}).values == ("DAY_WH", '"night wh"')


def test_metrics_are_those_of_the_semantic_view_that_is_known():
    spec = text_input("metric", type="identifier", choices=("{metrics of view}",))
    query = 'SHOW SEMANTIC METRICS IN LAB.WORK."my view"'
    bound = {"view": Name(("LAB", "WORK", "my view"))}
    assert choices_for(spec, CONTEXT, (), bound).discovery == query
    columns = ["database_name", "schema_name", "semantic_view_name", "table_name", "name"]
    rows = [["LAB", "WORK", "my view", "V", "TOTAL"], ["LAB", "WORK", "my view", "V", "per day"]]
    known = [Fact(1, query, None, {"columns": columns, "rows": rows, "row_count": 2})]
    assert choices_for(spec, CONTEXT, known, bound).values == ("TOTAL", '"per day"')


def test_a_text_without_choices_says_why_it_is_open():
    spec = text_input("t", open_ended_because="Names differ")
    assert (
        question(spec, choices_for(spec, CONTEXT, (), {})).options[0].description == "Names differ"
    )


def test_choices_may_come_from_an_earlier_step_or_the_session():
    spec = text_input("t", choices=("{tables}", "{session.available_roles}", "X"))
    found = choices_for(spec, CONTEXT, (), {"tables": ["A", "B"]})
    assert found.values == ("A", "B", "ANALYST", "SECURITYADMIN", "X")


def test_what_was_inferred_and_does_not_fit_is_asked_for():
    spec = text_input("n", type="integer", infer_from=("session.user",))
    assert offered(spec) == ["other", "abort", "different-approach"]


def test_a_default_of_a_later_step_is_kept_in_its_type():
    spec = text_input("s", type="schema", default="governance", has_default=True, phase="step_1")
    drive = Drive(playbook(step("1", "CREATE SCHEMA {{ s }}"), inputs=(spec,)))
    drive.run()
    assert drive.events("input_gathered")[0].value == "GOVERNANCE"
    assert drive.ran == ["CREATE SCHEMA DB.GOVERNANCE"]


def test_a_default_that_does_not_fit_is_asked_for():
    spec = text_input("n", type="integer", default="x", has_default=True, phase="step_1")
    drive = Drive(playbook(step("1", "SELECT {{ n }} AS N"), inputs=(spec,)))
    assert drive.conductor.pause(drive.run()).at == "input:n"
    assert drive.respond("other", values={"n": "3"}).status == "completed"


def test_an_optional_input_that_nobody_gives_is_nothing():
    spec = text_input("n", required=False, phase="step_1")
    drive = Drive(playbook(step("1", "SELECT {{ n }} AS N"), inputs=(spec,)))
    assert drive.run().status == "completed"
    assert drive.account.read == [("SELECT NULL AS N", None)]


def test_what_a_step_that_is_left_out_would_need_is_not_asked():
    spec = text_input("n", phase="step_2")
    looking = step("1", "SELECT 1 AS N")
    left_out = step("2", "SELECT {{ n }} AS N", when="mode = 'deep'")
    inputs = (text_input("mode", default="quick", has_default=True), spec)
    drive = Drive(playbook(looking, left_out, inputs=inputs))
    assert drive.run().status == "completed"
    assert [event.step for event in drive.events("step_skipped")] == ["2"]


def test_what_decides_whether_a_step_is_left_out_is_asked():
    spec = text_input("n", phase="step_1")
    drive = Drive(playbook(step("1", "SELECT 1 AS N", when="n = 'yes'"), inputs=(spec,)))
    assert drive.conductor.pause(drive.run()).at == "input:n"


def asked_of(what):
    """A run whose key is asked for only where something is damaged."""
    told = text_input("what", default=what, has_default=True)
    key = text_input("key", when="what = 'damaged'")
    return Drive(playbook(step("1", "SELECT {{ key }} AS K"), inputs=(told, key)))


def test_what_depends_on_an_input_is_asked_where_the_condition_holds():
    drive = asked_of("damaged")
    assert drive.conductor.pause(drive.run()).at == "input:key"
    assert drive.respond("other", values={"key": "id"}).status == "completed"
    assert drive.account.read == [("SELECT 'id' AS K", None)]


def test_what_depends_on_an_input_is_nothing_where_the_condition_does_not_hold():
    drive = asked_of("dropped")
    assert drive.run().status == "completed"
    assert drive.account.read == [("SELECT NULL AS K", None)]


def test_other_needs_a_value():
    drive = Drive(playbook(step("1", "SELECT {{ n }} AS N"), inputs=(text_input("n"),)))
    drive.run()
    with pytest.raises(UsageError, match="'other' needs the value of 'n'"):
        drive.respond("other")


def test_a_question_can_be_aborted_or_turned_away_from():
    for choice, end in (("abort", "failed"), ("different-approach", "running")):
        drive = Drive(playbook(step("1", "SELECT 1 AS N"), inputs=(text_input("n"),)))
        drive.run()
        conductor = drive.conductor
        state = conductor.answer("t", _answer(choice))
        assert (conductor.advance("t") if choice == "abort" else state).status == end


def _answer(choice):
    from skills_nb.engine.respond import Answer

    return Answer(choice, at="input:n", comment="something else")


# ---- probes and steps that cannot be planned


def test_a_probe_that_cannot_be_planned_is_put_before_a_person_who_changes_the_input():
    probe = ProbeSpec("p", "SHOW ROLES LIKE {{ who.parts[0] }}")
    who = text_input("who", type="role", required=False)
    drive = Drive(playbook(step("1", "CREATE ROLE A"), inputs=(who,), probes=(probe,)))
    assert drive.run().pause.at == "error:probes"
    assert "probes cannot be planned" in drive.pause.present
    assert drive.respond("modify", values={"who": "me"}).status == "completed"


def test_a_condition_of_a_probe_that_compares_the_uncomparable_is_put_before_a_person():
    probe = ProbeSpec("p", "SELECT 1 AS N", True, (ProbeCheck("nobody_knows = 1", "block", "x"),))
    drive = Drive(playbook(step("1", "CREATE ROLE A"), probes=(probe,)))
    assert drive.run().pause.at == "error:probes"
    assert drive.ran == []


@pytest.mark.parametrize(
    ("path", "complaint"),
    [("n", "which is not a list"), ("nothing", "'nothing' is not known"), ("n.x", "'x' is not")],
)
def test_a_loop_over_what_is_no_list_is_put_before_a_person(path, complaint):
    book = playbook(
        step("1", "SELECT {{ x }} AS N", for_each=ForEach("x", path)), inputs=(text_input("n"),)
    )
    drive = Drive(book, n="a")
    assert drive.run().pause.at == "error:1"
    assert complaint in drive.pause.present


def test_a_loop_goes_over_a_list_of_names_and_over_the_parts_of_one():
    inputs = (text_input("a", type="role"), text_input("s", type="scope"))
    book = playbook(
        step("1", "SELECT {{ x }} AS N", for_each=ForEach("x", "[a, a]")),
        step("2", "SELECT {{ x }} AS P", for_each=ForEach("x", "s.parts")),
        inputs=inputs,
    )
    drive = Drive(book, a="R", s="D.S")
    assert drive.run().status == "completed"
    assert [sql for sql, _ in drive.account.read] == [
        "SELECT R AS N",
        "SELECT 'D' AS P",
        "SELECT 'S' AS P",
    ]
