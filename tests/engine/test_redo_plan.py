"""A changed input: the steps that read it are done again, and nothing is dropped unasked."""

import pytest

from skills_nb.engine.changed_inputs.redo_plan import foretell_changes
from skills_nb.errors import SqlError, UsageError
from skills_nb.model.skills import ForEach, OptionSpec, ProbeCheck, ProbeSpec
from tests.builders import checkpoint, playbook, step, text_input
from tests.engine.chaining import ChainDrive
from tests.engine.driving import Drive

FOUND = step(
    "1",
    "SELECT NAME FROM TEAMS WHERE UNIT = {{ unit }}",
    binds={"teams": "column.NAME", "many": "row_count"},
)
MADE = step(
    "2",
    "CREATE ROLE {{ ident(team) }}",
    for_each=ForEach("team", "teams"),
    checkpoint=checkpoint(present="{many} roles of {unit}."),
)
ASIDE = step("3", "CREATE ROLE {{ ident(aside) }}", checkpoint=checkpoint())
GRANTED = step(
    "4",
    "GRANT ROLE {{ ident(teams[0]) }} TO ROLE BOSS",
    checkpoint=checkpoint("critical", "Now {unit}.", phrase="grant {unit}"),
)
LAST = step("5", "GRANT ROLE {{ ident(aside) }} TO ROLE BOSS", checkpoint=checkpoint())
UNITS = (text_input("unit"), text_input("aside", default="ASIDE", has_default=True))


def of_units(*steps, probes=(), inputs=UNITS, **given):
    drive = Drive(
        playbook(*(steps or (FOUND, MADE, ASIDE, GRANTED, LAST)), inputs=inputs, probes=probes),
        unit="Sales",
        **given,
    )
    drive.account.answers["UNIT = 'Sales'"] = [{"NAME": "East Side"}, {"NAME": "west"}]
    drive.account.answers["UNIT = 'Ops'"] = [{"NAME": "NIGHT"}]
    return drive


def at_the_grant(**how):
    drive = of_units(**how)
    drive.run()
    drive.respond("approve")
    drive.respond("approve")
    return drive


OLD = ['CREATE ROLE "East Side"', 'CREATE ROLE "west"', "CREATE ROLE ASIDE"]
OLD_GRANT = 'GRANT ROLE "East Side" TO ROLE BOSS'


def test_every_step_that_read_the_input_is_done_again_and_no_other():
    drive = at_the_grant()
    assert (drive.pause.at, drive.ran) == ("4", [*OLD, OLD_GRANT])
    drive.respond("modify", values={"unit": "Ops"})
    said = drive.events("human_response")[-1].redoing
    assert (said.changed, said.steps, said.shown) == (["unit"], ["1", "2", "4"], [])
    assert said.said == "unit is changed: steps 1, 2 and 4 are done again."
    assert (drive.pause.at, drive.ran) == ("cleanup", [*OLD, OLD_GRANT])
    drive.respond("cleanup")
    assert drive.ran[4:] == [
        'REVOKE ROLE "East Side" FROM ROLE BOSS',
        'DROP ROLE IF EXISTS "west"',
        'DROP ROLE IF EXISTS "East Side"',
        "CREATE ROLE NIGHT",
    ]
    assert (drive.pause.at, drive.pause.present) == ("2#2", "1 roles of Ops.")
    drive.respond("approve")
    assert (drive.pause.at, drive.pause.phrase) == ("4#2", "grant Ops")
    assert drive.ran[8:] == ["GRANT ROLE NIGHT TO ROLE BOSS"]


def test_what_a_person_keeps_stands_and_is_still_offered_at_the_end():
    drive = at_the_grant()
    drive.respond("modify", values={"unit": "Ops"})
    drive.respond("keep")
    drive.respond("approve")
    assert drive.ran == [
        *OLD,
        OLD_GRANT,
        "CREATE ROLE NIGHT",
        "GRANT ROLE NIGHT TO ROLE BOSS",
    ]
    drive.respond("abort")
    assert drive.events("cleanup_proposed")[-1].compensation_actions == [
        "REVOKE ROLE NIGHT FROM ROLE BOSS",
        "DROP ROLE IF EXISTS NIGHT",
        'REVOKE ROLE "East Side" FROM ROLE BOSS',
        "DROP ROLE IF EXISTS ASIDE",
        'DROP ROLE IF EXISTS "west"',
        'DROP ROLE IF EXISTS "East Side"',
    ]


def test_twice_in_a_row_each_change_begins_from_what_stands():
    drive = at_the_grant()
    drive.respond("modify", values={"unit": "Ops"})
    drive.respond("cleanup")
    drive.respond("modify", values={"unit": "Sales"})
    assert drive.events("cleanup_proposed")[-1].compensation_actions == [
        "DROP ROLE IF EXISTS NIGHT"
    ]
    drive.respond("cleanup")
    drive.respond("approve")
    assert (drive.pause.at, drive.pause.phrase) == ("4#2", "grant Sales")
    assert drive.ran[7:] == ["CREATE ROLE NIGHT", "DROP ROLE IF EXISTS NIGHT", *OLD[:2], OLD_GRANT]


def test_an_approval_of_all_the_rest_ends_with_a_change():
    drive = of_units()
    drive.run()
    drive.respond("approve_remaining")
    assert drive.pause.at == "4"
    drive.respond("modify", values={"unit": "Ops"})
    drive.respond("keep")
    assert drive.pause.at == "2#2"


def test_a_change_that_nothing_has_read_yet_shows_the_same_checkpoint_again():
    drive = of_units()
    drive.run()
    state = drive.respond("modify", values={"aside": "LATER"})
    assert (state.pause.at, drive.ran) == ("2#2", OLD[:2])
    said = drive.events("human_response")[-1].redoing.said
    assert said == "aside is changed: nothing that was done so far depends on it."
    drive.respond("approve")
    assert drive.ran[2:] == ["CREATE ROLE LATER"]


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({"unit": "Sales"}, "nothing would change: unit has that value already"),
        (
            {"unit": "Sales", "aside": "ASIDE"},
            "nothing would change: unit and aside have those values already",
        ),
        ({"colour": "red"}, "has no input 'colour'"),
    ],
)
def test_a_change_of_nothing_says_so_and_leaves_the_thread_as_it_was(values, complaint):
    drive = of_units()
    drive.run()
    before = drive.state
    with pytest.raises(UsageError, match=complaint):
        drive.respond("modify", values=values)
    assert drive.state == before


def test_modify_without_a_value_says_what_a_change_of_each_input_brings_about():
    drive = at_the_grant()
    assert foretell_changes(drive.state, drive.library.playbooks["toy"]) == (
        ("unit", "steps 1, 2 and 4 are done again"),
        ("aside", "step 3 is done again"),
    )
    with pytest.raises(UsageError) as refused:
        drive.respond("modify")
    assert "unit: steps 1, 2 and 4 are done again" in refused.value.hint


def test_probes_that_look_at_the_input_run_again_before_any_step():
    probe = ProbeSpec(
        "known",
        "SHOW UNITS LIKE {{ unit }}",
        True,
        (ProbeCheck("count = 0", "block", "no {unit}"),),
    )
    drive = of_units(probes=(probe,))
    drive.account.answers["SHOW UNITS LIKE 'Sales'"] = [{"name": "Sales"}]
    drive.run()
    drive.respond("modify", values={"unit": "Ops"})
    drive.respond("keep")
    assert (drive.pause.at, drive.pause.present) == (
        "error:probes",
        "no Ops\nChange what the probe found, then retry",
    )
    assert drive.ran == OLD[:2]
    drive.account.answers["SHOW UNITS LIKE 'Ops'"] = [{"name": "Ops"}]
    assert drive.respond("retry").pause.at == "2#2"


def test_at_an_error_the_steps_before_it_are_done_again_too():
    drive = of_units()
    drive.account.failures["GRANT ROLE"] = [SqlError("the moon is full")]
    drive.run()
    drive.respond("approve")
    drive.respond("approve")
    assert drive.pause.at == "error:4"
    drive.respond("modify", values={"unit": "Ops"})
    assert drive.events("human_response")[-1].redoing.steps == ["1", "2", "4"]
    drive.respond("cleanup")
    assert (drive.pause.at, drive.ran[-1]) == ("2#2", "CREATE ROLE NIGHT")
    assert drive.respond("approve").pause.at == "4"


def test_at_an_error_a_change_that_the_step_does_not_read_tries_it_again():
    drive = of_units()
    drive.account.failures["GRANT ROLE"] = [SqlError("the moon is full")]
    drive.run()
    drive.respond("approve")
    drive.respond("approve")
    drive.respond("modify", values={"aside": "LATER"})
    drive.respond("keep")
    assert (drive.pause.at, drive.pause.added) == ("before:3", ("CREATE ROLE LATER",))
    assert drive.respond("approve").pause.at == "3#2"
    assert drive.respond("approve").pause.at == "4"


def test_an_option_that_sets_an_input_is_a_change_like_any_other():
    wider = OptionSpec("wider", "The night shift", sets={"unit": "Ops"})
    drive = of_units(
        FOUND, MADE, step("3", "SELECT 1 AS N", checkpoint=checkpoint(options=(wider,)))
    )
    drive.run()
    drive.respond("approve")
    drive.respond("wider")
    assert (drive.pause.at, drive.ran) == ("cleanup", OLD[:2])
    drive.respond("cleanup")
    assert drive.pause.at == "2#2"
    drive.respond("approve")
    with pytest.raises(UsageError, match="nothing would change"):
        drive.respond("wider")


def test_a_step_whose_condition_no_longer_holds_binds_nothing_any_more():
    drive = Drive(
        playbook(
            step("1", "SELECT N FROM T", when="size > 3", binds={"big": "first.N"}),
            step("2", "SELECT {{ big }} AS N", checkpoint=checkpoint(present="big: {big}")),
            inputs=(text_input("size", type="integer"),),
        ),
        size=5,
    )
    drive.account.answers["FROM T"] = [{"N": "X"}]
    assert drive.run().pause.present == "big: X"
    assert drive.respond("modify", values={"size": "1"}).pause.present == "big: none"


def test_a_result_of_a_later_step_does_not_reach_back_to_one_that_is_done_again():
    drive = Drive(
        playbook(
            step("1", "SELECT N FROM {{ ident(place) }}", binds={"n": "first.N"}),
            step("2", "SELECT {{ n }} AS SEEN", checkpoint=checkpoint(present="saw {n}")),
            step("3", "SELECT N FROM LATER", binds={"n": "first.N"}, checkpoint=checkpoint()),
            inputs=(text_input("place"),),
        ),
        place="A",
    )
    drive.account.answers |= {"FROM A": [{"N": 1}], "FROM B": [{"N": 2}], "FROM LATER": [{"N": 3}]}
    drive.run()
    drive.respond("approve")
    drive.respond("modify", values={"place": "B"})
    assert drive.pause.present == "saw 2"


def test_an_input_that_was_worked_out_from_a_result_is_worked_out_again():
    drive = Drive(
        playbook(
            step("1", "SELECT N FROM {{ ident(place) }}", binds={"best": "first.N"}),
            step("2", "SELECT {{ chosen }} AS N", checkpoint=checkpoint(present="chose {chosen}")),
            inputs=(
                text_input("place"),
                text_input("chosen", phase="step_2", infer_from=("best",)),
            ),
        ),
        place="A",
    )
    drive.account.answers |= {"FROM A": [{"N": "x"}], "FROM B": [{"N": "y"}]}
    assert drive.run().pause.present == "chose x"
    drive.respond("modify", values={"place": "B"})
    assert drive.events("human_response")[-1].redoing.inputs == ["chosen"]
    assert drive.pause.present == "chose y"
    drive.respond("modify", values={"chosen": "mine"})
    assert drive.respond("modify", values={"place": "A"}).pause.present == "chose mine"


def test_a_step_that_names_an_object_of_one_that_is_done_again_is_done_again():
    drive = Drive(
        playbook(
            step("1", 'CREATE TABLE DB.S."My Table" (N INT) COMMENT = {{ words }}'),
            step("2", 'INSERT INTO db.s."My Table" VALUES (1)'),
            step("3", "CREATE ROLE OTHER", checkpoint=checkpoint()),
            inputs=(text_input("words"),),
        ),
        words="old",
    )
    drive.run()
    drive.respond("modify", values={"words": "new"})
    assert drive.events("human_response")[-1].redoing.steps == ["1", "2"]
    drive.respond("cleanup")
    assert [sql.split(" (")[0] for sql in drive.ran[3:]] == [
        'DROP TABLE IF EXISTS DB.S."My Table" RESTRICT',
        'CREATE TABLE DB.S."My Table"',
        'INSERT INTO db.s."My Table" VALUES',
    ]


def test_what_was_done_by_hand_at_a_step_is_offered_with_it():
    from skills_nb.runtime.manual_steps import HandWritten

    drive = at_the_grant()
    drive.conductor.add_step(drive.id, HandWritten("4b", "CREATE ROLE BY_HAND"))
    drive.respond("modify", values={"unit": "Ops"})
    assert drive.events("human_response")[-1].redoing.dropped == ["4b"]
    assert (
        "DROP ROLE IF EXISTS BY_HAND" in drive.events("cleanup_proposed")[-1].compensation_actions
    )


def test_a_declared_compensation_takes_back_what_was_done_with_the_inputs_of_its_time():
    drive = Drive(
        playbook(
            step(
                "1",
                "CREATE ROLE {{ ident(who) }}",
                compensation=("DROP ROLE {{ ident(who) }}",),
                checkpoint=checkpoint(),
            ),
            inputs=(text_input("who"),),
        ),
        who="OLD",
    )
    drive.run()
    drive.respond("modify", values={"who": "NEW"})
    assert drive.events("cleanup_proposed")[-1].compensation_actions == ["DROP ROLE OLD"]
    drive.respond("cleanup")
    assert drive.ran == ["CREATE ROLE OLD", "DROP ROLE OLD", "CREATE ROLE NEW"]


def test_an_input_that_an_earlier_phase_handed_over_is_said_to_come_from_there():
    drive = ChainDrive("load then mask", target_table="DB.S.T")
    drive.run()
    drive.respond("approve", at="1")
    drive.respond("approve")
    handed = next(iter(drive.state.chain.current.mapped))
    drive.respond("modify", values={handed: "DB.S.OTHER"})
    said = drive.events("human_response")[-1].redoing.said
    assert said.endswith(f"{handed} comes from phase 1, which is finished and stays as it is.")


def test_an_older_thread_is_changed_as_it_was_then():
    from skills_nb.engine.evolve import fold
    from skills_nb.model import events as ev

    drive = at_the_grant()
    known = drive.store.load("t")
    old = ev.HumanResponse(choice="modify", at="4", values={"unit": "Ops"})
    state = fold([*known, old])
    assert [step.status for step in state.run.steps.values()] == [
        "done",
        "approved",
        "approved",
        "pending",
    ]
