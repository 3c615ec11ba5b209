"""What authors declare of a step: its check, its objects, its errors, its way back."""

from dataclasses import replace

import pytest

from skills_nb.errors import SqlError
from skills_nb.model.diagnostics import Span
from skills_nb.model.routes import Route
from skills_nb.model.skills import CreatesSpec, ExpectedError, ForEach, Primitive
from tests.builders import checkpoint, playbook, step, text_input
from tests.engine.driving import Drive

MAKE_A = "CREATE ROLE A"
MAKE_B = "CREATE ROLE B"


def failing(sql, *errors, **fields):
    drive = Drive(playbook(step("1", sql, **fields), name="toy"))
    drive.account.failures[sql] = list(errors)
    return drive


# ---- another approach


def rerouted_to(target):
    def router(intent, lib):
        return Route("playbook", ("data-security",), (target,), 0.9, ("playbook",))

    return router


def test_a_playbook_takes_back_nothing_of_the_one_before_it():
    first = playbook(step("1", MAKE_A, checkpoint=checkpoint()), name="first")
    second = playbook(
        step("1", "CREATE ROLE {{ ident(name) }}", checkpoint=checkpoint()),
        name="second",
        inputs=(text_input("name", default="B", has_default=True),),
    )
    drive = Drive(first, second, router=rerouted_to("playbooks/second"))
    drive.run()
    drive.respond("different-approach", comment="another role")
    drive.respond("modify", values={"name": "C"})
    drive.respond("cleanup")
    assert drive.ran == [MAKE_A, MAKE_B, "DROP ROLE IF EXISTS B", "CREATE ROLE C"]
    drive.respond("abort")
    assert drive.events("cleanup_proposed")[-1].compensation_actions == [
        "DROP ROLE IF EXISTS C",
        "DROP ROLE IF EXISTS A",
    ]


def test_a_declared_compensation_covers_the_statements_of_its_own_playbook_only():
    first = playbook(step("1", MAKE_A, checkpoint=checkpoint()), name="first")
    second = playbook(
        step("1", MAKE_B, checkpoint=checkpoint(), compensation=("DROP ROLE B",)), name="second"
    )
    drive = Drive(first, second, router=rerouted_to("playbooks/second"))
    drive.run()
    drive.respond("different-approach", comment="another role")
    drive.respond("abort")
    assert drive.events("cleanup_proposed")[0].compensation_actions == [
        "DROP ROLE B",
        "DROP ROLE IF EXISTS A",
    ]


def test_what_a_playbook_given_up_declared_is_still_how_it_is_taken_back():
    first = playbook(
        step("1", MAKE_A, checkpoint=checkpoint(), compensation=("DROP ROLE {{ n }}",)),
        inputs=(text_input("n", type="role", default="A", has_default=True),),
    )
    other = playbook(
        step("1", MAKE_B, checkpoint=checkpoint(), compensation=("DROP ROLE B",)), name="other"
    )
    drive = Drive(first, other, router=rerouted_to("playbooks/other"))
    drive.run()
    drive.respond("different-approach", comment="another role")
    drive.respond("abort")
    assert drive.events("cleanup_proposed")[0].compensation_actions == [
        "DROP ROLE B",
        "DROP ROLE A",
    ]


# ---- verification


@pytest.mark.parametrize("found", [[], [{"N": 0}], [{"N": "0"}], [{"N": "false"}], [{"N": None}]])
def test_a_step_whose_effect_is_not_there_is_put_before_a_person(found):
    drive = Drive(playbook(step("1", MAKE_A, verify="SELECT N FROM CHECKED")))
    drive.account.answers["CHECKED"] = found
    assert drive.run().pause.at == "error:1"
    drive.account.answers["CHECKED"] = [{"N": 3}]
    assert drive.respond("retry").status == "completed"
    assert drive.ran == [MAKE_A]


@pytest.mark.parametrize(("found", "sent"), [([{"N": 1}], 0), ([{"N": "0"}], 1)])
def test_a_step_with_one_statement_can_tell_itself_whether_it_ran(found, sent):
    drive = Drive(playbook(step("1", "INSERT INTO T VALUES (1)", verify="SELECT N FROM CHECKED")))
    drive.account.is_blind = True
    drive.account.failures["INSERT"] = [SqlError("gone", errno=250001)]
    drive.account.answers["CHECKED"] = found
    drive.run()
    assert len(drive.ran) == sent


def test_a_step_with_two_statements_cannot_tell_which_of_them_ran():
    book = playbook(
        step("1", "INSERT INTO T VALUES (1)", "INSERT INTO T VALUES (2)", verify="SELECT 1 AS N")
    )
    drive = Drive(book)
    drive.account.is_blind = True
    drive.account.failures["(2)"] = [SqlError("gone", errno=250001)]
    assert drive.run().pause.at == "error:1"
    assert "cannot be told whether" in drive.pause.present


# ---- what authors declare


def test_objects_that_the_sql_does_not_show_are_declared():
    made = CreatesSpec("role", "{{ ident(name) }}")
    book = playbook(
        step("1", "CALL MAKE({{ name }})", MAKE_A, creates=(made, CreatesSpec("role", "A"))),
        inputs=(text_input("name"),),
    )
    drive = Drive(book, name="X")
    assert drive.run().pause.at == "before:1"
    assert drive.account.ran == []
    drive.respond("approve", phrase="call MAKE, whose code is not shown")
    (completed,) = drive.events("step_completed")
    assert [(one.type, one.fqn) for one in completed.created_objects] == [
        ("role", "A"),
        ("role", "X"),
    ]


def test_an_error_that_the_steps_primitive_foresees_is_met_as_it_says():
    primitive = Primitive(
        name="roles",
        domain="data-security",
        title="Roles",
        description="",
        span=Span("primitives/roles/skill.md"),
        expected_errors=(ExpectedError("moon", "Wait for the sun", retryable=True),),
    )
    drive = failing(MAKE_A, SqlError("the moon is full"), references=("roles",))
    drive.library = replace(drive.library, primitives={"roles": primitive})
    assert drive.run().status == "completed"
    assert drive.events("step_failed")[0].recovery_hint == "Wait for the sun"
    assert drive.events("step_started")[0].primitive == "roles"


def test_a_declared_compensation_covers_its_step_as_a_whole():
    book = playbook(
        step(
            "1",
            MAKE_A,
            MAKE_B,
            checkpoint=checkpoint(),
            compensation=("DROP ROLE {{ n }}", "DROP ROLE A"),
        ),
        inputs=(text_input("n", type="role"),),
    )
    drive = Drive(book, n="b")
    drive.run()
    drive.respond("abort")
    drive.respond("cleanup")
    assert drive.ran == [MAKE_A, MAKE_B, "DROP ROLE B", "DROP ROLE A"]


@pytest.mark.parametrize(
    "declared",
    [
        "DROP DATABASE PROD",
        "DROP ROLE SYSADMIN",
        "DELETE FROM PROD.S.T",
        "CREATE OR REPLACE ROLE A",
        "CALL CLEAN_UP()",
        "GRANT ROLE A TO ROLE PUBLIC",
        "EXECUTE IMMEDIATE 'DROP DATABASE PROD'",
        "DROP ROLE A; DROP DATABASE PROD",
    ],
)
def test_a_declared_compensation_that_would_do_more_is_not_believed(declared):
    drive = Drive(
        playbook(step("1", MAKE_A, MAKE_B, checkpoint=checkpoint(), compensation=(declared,)))
    )
    drive.run()
    drive.respond("abort")
    undone = ["DROP ROLE IF EXISTS B", "DROP ROLE IF EXISTS A"]
    assert drive.events("cleanup_proposed")[0].compensation_actions == undone
    drive.respond("cleanup")
    assert drive.ran == [MAKE_A, MAKE_B, *undone]


def test_a_hint_names_what_the_loop_was_at():
    loop = step(
        "1",
        "CREATE ROLE {{ ident(team) }}",
        for_each=ForEach("team", "teams"),
        expected_errors=(ExpectedError("moon", "Ask {team}"),),
    )
    book = playbook(step("0", "SELECT N FROM T", binds={"teams": "column.N"}), loop)
    drive = Drive(book)
    drive.account.answers["FROM T"] = [{"N": "OPS"}, {"N": "WEB"}]
    drive.account.failures["ROLE WEB"] = [SqlError("the moon is full")]
    drive.run()
    assert drive.events("step_failed")[0].recovery_hint == "Ask WEB"
