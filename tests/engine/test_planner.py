"""The planner turns examples into steps with typed inputs, for every primitive that is shipped."""

import pytest

from skills_nb.commands.wiring import shipped_library
from skills_nb.engine.guided.example_inputs import with_holes
from skills_nb.engine.guided.guardrails import objection
from skills_nb.engine.guided.plan_documents import document_of, fill_in, plan_from
from skills_nb.engine.guided.planner import draft_plan
from skills_nb.engine.guided.primitive_examples import examples_of, nearest
from skills_nb.engine.inputs.typed_inputs import coerce
from skills_nb.reading import open_library

LIBRARY = open_library(shipped_library())
SAMPLES = {
    "table": "LAB.WORK.THING",
    "schema": "LAB.WORK",
    "column_list": "A",
    "identifier": "A",
    "database": "LAB",
    "role": "R",
    "warehouse": "W",
}


def plan_of(name, goal=""):
    return draft_plan(goal, [f"primitives/{name}"], LIBRARY)


@pytest.mark.parametrize("name", list(LIBRARY.primitives))
def test_a_drafted_plan_can_be_filled_in_and_passes_the_guardrails(name):
    plan = plan_of(name)
    if plan is None:
        assert examples_of(LIBRARY.primitives[name]) == ()
        return
    inputs = {
        spec.name: coerce(spec, spec.default if spec.has_default else SAMPLES[spec.type])
        for spec in plan.inputs
    }
    steps = fill_in(plan, inputs)
    assert objection(steps, LIBRARY) is None
    assert plan_from(document_of(plan)) == plan


def test_few_primitives_have_nothing_to_plan_from():
    without = [name for name in LIBRARY.primitives if plan_of(name) is None]
    assert len(without) <= len(LIBRARY.primitives) // 10


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
        ("stream", "table", "CHANGES", ()),
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


def test_only_grants_that_follow_one_another_share_a_step_and_the_last_step_looks():
    plan = plan_of("roles-and-grants")
    heads = [[line.split()[0] for line in s.sql.split(";\n")] for s in plan.steps]
    assert heads[0] == ["CREATE"]
    assert set(heads[1]) == {"GRANT"}
    assert heads[-1] == ["SHOW"]


def test_an_unknown_primitive_gives_no_plan():
    assert draft_plan("x", ["primitives/none"], LIBRARY) is None
    assert draft_plan("x", [], LIBRARY) is None


def test_what_is_created_goes_to_the_schema_that_the_session_or_the_goal_has_or_is_asked_for():
    def default(goal, *, has_schema):
        plan = draft_plan(goal, ["primitives/streams"], LIBRARY, has_schema=has_schema)
        spec = plan.inputs[0]
        return (spec.name, spec.default, spec.has_default, spec.infer_from)

    assert default("follow LAB.WORK.T", has_schema=True) == ("stream", "ORDERS_CHANGES", True, ())
    assert default("follow LAB.WORK.T now", has_schema=False) == (
        "stream",
        "LAB.WORK.ORDERS_CHANGES",
        True,
        (),
    )
    assert default("follow a table.", has_schema=False) == ("stream", None, False, ())
