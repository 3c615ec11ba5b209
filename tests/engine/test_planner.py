"""The planner turns examples into steps with typed inputs, for every primitive that is shipped."""

import re
from dataclasses import replace

import pytest

from skills_nb.commands.wiring import shipped_library
from skills_nb.engine.guided.example_inputs import with_holes
from skills_nb.engine.guided.guardrails import borrowed_name_objection, objection
from skills_nb.engine.guided.plan_documents import document_of, fill_in, plan_from
from skills_nb.engine.guided.planner import draft_plan
from skills_nb.engine.guided.primitive_examples import examples_of, nearest
from skills_nb.engine.inputs.typed_inputs import coerce
from skills_nb.reading import open_library
from skills_nb.sql.tokens import tokenize

LIBRARY = open_library(shipped_library())
SAMPLES = {
    "table": "LAB.WORK.THING",
    "schema": "LAB.WORK",
    "column_list": "A",
    "text_list": "a, b",
    "identifier": "A",
    "database": "LAB",
    "role": "R",
    "warehouse": "W",
    "integer": "7",
    "string": "DELETE FROM LAB.WORK.THING",
}


def plan_of(name, goal=""):
    return draft_plan(goal, [f"primitives/{name}"], LIBRARY)


OFFERED = [
    (name, plan) for name, primitive in LIBRARY.primitives.items() for plan in primitive.plans
]
SHOWN = [
    (name, example)
    for name, primitive in LIBRARY.primitives.items()
    for example in examples_of(primitive)
]


def filled(plan):
    """Return the steps of a plan with a sample in each input."""
    inputs = {}
    for spec in plan.inputs:
        listed = [choice for choice in spec.choices if not str(choice).startswith("{")]
        chosen = listed[0] if listed else SAMPLES.get(spec.type, "X")
        sample = spec.default if spec.has_default else chosen
        inputs[spec.name] = coerce(spec, sample)
    return fill_in(plan, inputs)


def inputs_told(plan):
    return {spec.name: spec.default for spec in plan.inputs if spec.has_default}


def test_a_new_user_or_role_is_the_name_behind_the_word():
    assert inputs_told(plan_of("users-and-authentication", "create user MARIA for role NURSE")) == {
        "user": "MARIA",
        "role": "NURSE",
    }
    assert inputs_told(plan_of("roles-and-grants", 'create role "Night Nurse"')) == {
        "role": '"Night Nurse"'
    }
    assert inputs_told(plan_of("roles-and-grants", "create a role")) == {}


def test_a_plan_that_has_no_input_for_a_user_is_no_answer_where_one_is_named():
    assert plan_of("roles-and-grants", "create role MARIA") is not None
    assert plan_of("roles-and-grants", "create user MARIA with a role") is None
    assert plan_of("object-tagging", "tag the patients") is not None
    assert plan_of("object-tagging", "tag user JOAN") is None


def test_a_plan_about_two_tables_is_wanted_where_two_are_named():
    assert plan_of("bulk-data-transfer", "copy rows into A.B.ONES from D.E.TWOS") is not None
    assert plan_of("bulk-data-transfer", "copy rows into A.B.ONES") is None


@pytest.mark.parametrize(("name", "offered"), OFFERED, ids=lambda one: getattr(one, "title", one))
def test_an_offered_plan_is_found_by_each_of_its_phrases_and_passes_the_guardrails(name, offered):
    is_of_two = any(spec.name == "other" for spec in offered.inputs)
    for said in offered.said:
        plan = plan_of(name, f"{said} A.B.ONES D.E.TWOS" if is_of_two else said)
        assert plan is not None
        assert plan_from(document_of(plan)) == plan
        assert objection(filled(plan), LIBRARY) is None


@pytest.mark.parametrize(("name", "example"), SHOWN, ids=lambda one: getattr(one, "lead", one)[:40])
def test_a_plan_drawn_from_an_example_holds_nothing_that_only_the_example_says(name, example):
    primitive = replace(LIBRARY.primitives[name], plans=())
    library = replace(LIBRARY, primitives={name: primitive})
    plan = draft_plan(f"{example.lead} {tokenize(example.sql)[0].text}", [name], library)
    if plan is not None:
        said = " ".join(step.sql for step in filled(plan))
        assert {*re.findall(r"[a-z_]{3,}", said)} <= {"day", "hour", "minutes", "month", "week"}
        assert borrowed_name_objection(filled(plan), LIBRARY, "", SAMPLES.values()) is None


@pytest.mark.parametrize(
    ("primitive", "goal"),
    [
        ("tables", "drop table CLINIC.HR.STAFF"),
        ("warehouses", "something with warehouses"),
        ("time-travel-and-cloning", "how does it work"),
    ],
)
def test_without_a_verb_of_an_example_there_is_no_plan(primitive, goal):
    assert draft_plan(goal, [primitive], replace_plans(primitive)) is None


def replace_plans(name):
    return replace(LIBRARY, primitives={name: replace(LIBRARY.primitives[name], plans=())})


def test_names_become_typed_inputs_and_the_same_name_is_the_same_input():
    templates, inputs = with_holes(
        [
            "CREATE STREAM IF NOT EXISTS raw.changes ON TABLE raw.orders",
            "INSERT INTO log.orders SELECT c.id FROM raw.changes AS c",
            "GRANT SELECT ON STREAM raw.changes TO ROLE reader",
            "SHOW STREAMS IN SCHEMA raw",
        ]
    )
    assert templates == (
        "CREATE STREAM IF NOT EXISTS {{ stream }} ON TABLE {{ table }}",
        "INSERT INTO {{ table_2 }} SELECT c.{{ id }} FROM {{ stream }} AS c",
        "GRANT SELECT ON STREAM {{ stream }} TO ROLE {{ role }}",
        "SHOW STREAMS IN SCHEMA {{ schema }}",
    )
    assert [(spec.name, spec.type, spec.default, spec.infer_from) for spec in inputs] == [
        ("stream", "table", None, ()),
        ("table", "table", None, ("intent",)),
        ("table_2", "table", None, ()),
        ("role", "role", None, ()),
        ("schema", "schema", None, ("session.schema",)),
        ("id", "identifier", None, ()),
    ]


def test_the_path_of_a_stage_is_put_together_from_its_name():
    templates, _ = with_holes(
        [
            "CREATE STAGE apps.support.code",
            "CREATE STREAMLIT apps.support.board FROM '@apps.support.code/board/x.py'",
            "GRANT USAGE ON SCHEMA apps.support TO ROLE support",
        ]
    )
    assert templates == (
        "CREATE STAGE {{ stage }}",
        "CREATE STREAMLIT {{ streamlit }} FROM {{ '@' ~ stage ~ '/board/x.py' }}",
        "GRANT USAGE ON SCHEMA {{ schema }} TO ROLE {{ role }}",
    )


@pytest.mark.parametrize(
    "sqls",
    [
        ["CREATE STAGE a.b", "CREATE STREAMLIT IF NOT EXISTS a.b.c FROM 'see @a.b/x'"],
        ["SELECT * FROM SNOWFLAKE.ACCOUNT_USAGE.TABLES"],
        ["SELECT * FROM db.INFORMATION_SCHEMA.TABLES"],
        ["SHOW APPLICATION PACKAGES"],
        ["WITH c AS (SELECT 1) SELECT * FROM c"],
    ],
)
def test_what_also_stands_in_a_text_and_what_is_no_object_of_a_person_stays(sqls):
    templates, _ = with_holes(sqls)
    assert templates[0] == sqls[0]


def test_the_example_nearest_to_the_goal_is_taken_and_the_first_of_equals():
    examples = examples_of(LIBRARY.primitives["masking-policies"])
    assert nearest(examples, "") == examples[0]
    assert "MASK_SALARY" in nearest(examples, "mask salary numbers and birth dates").sql.upper()
    assert nearest((), "anything") is None


def test_an_unknown_primitive_gives_no_plan():
    assert draft_plan("x", ["primitives/none"], LIBRARY) is None
    assert draft_plan("x", [], LIBRARY) is None


def test_what_is_created_gets_its_name_from_a_person():
    plan = draft_plan("create a stream on LAB.WORK.T", ["streams"], replace_plans("streams"))
    stream, table, *_ = plan.inputs
    assert (stream.name, stream.has_default, stream.infer_from) == ("stream", False, ())
    assert (table.name, table.default) == ("table", "LAB.WORK.T")
