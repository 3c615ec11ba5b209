"""Playbooks behave: from the first probe to the last cleanup."""

import pytest

from skills_nb.errors import SqlError, ThreadError, UsageError
from skills_nb.model.skills import (
    ExpectedError,
    ForEach,
    OptionSpec,
    ProbeCheck,
    ProbeSpec,
)
from tests.builders import CONTEXT, checkpoint, playbook, step, text_input
from tests.engine.driving import Drive

MAKE_A = "CREATE ROLE A"
MAKE_B = "CREATE ROLE B"


def two_steps(**fields):
    return playbook(
        step("1", MAKE_A, checkpoint=checkpoint()),
        step("2", MAKE_B, checkpoint=checkpoint(**fields)),
    )


# ---- the happy path


def test_a_playbook_runs_to_its_checkpoints_and_completes():
    drive = Drive(two_steps())
    assert drive.run().pause.at == "1"
    assert drive.respond("approve", at="1").pause.at == "2"
    assert drive.respond("approve", at="2").status == "completed"
    assert drive.ran == [MAKE_A, MAKE_B]
    assert drive.types == [
        "thread_started",
        "routed",
        "playbook_started",
        "probes_executed",
        "step_started",
        "environment_probed",
        "statement_started",
        "statement_completed",
        # The role, who holds it, what it may do and will, its tags: as the statement left them.
        *["environment_probed"] * 5,
        "step_completed",
        "checkpoint_reached",
        "human_response",
        "step_started",
        "environment_probed",
        # Behind the wait, the role that the first step made is looked at again.
        "environment_probed",
        "statement_started",
        "statement_completed",
        *["environment_probed"] * 5,
        "step_completed",
        "checkpoint_reached",
        "human_response",
        "playbook_completed",
        "thread_completed",
    ]


def test_a_statement_that_may_take_long_has_its_query_id_on_record_before_it_ends():
    drive = Drive(playbook(step("1", "INSERT INTO T VALUES (1)")))
    drive.run()
    (submitted,) = drive.events("statement_submitted")
    (completed,) = drive.events("statement_completed")
    assert submitted.query_id == completed.query_id == "q1"
    assert submitted.seq == completed.seq - 1


def test_the_target_of_a_statement_is_probed_before_it_and_looked_at_behind_it():
    drive = Drive(playbook(step("1", MAKE_A)))
    drive.run()
    before, *behind = drive.account.read
    assert before == ("SHOW ROLES LIKE 'A'", None)
    assert behind == [
        ("SHOW ROLES LIKE 'A'", None),
        ("SHOW GRANTS OF ROLE A", None),
        ("SHOW GRANTS TO ROLE A", None),
        ("SHOW FUTURE GRANTS TO ROLE A", None),
        (
            "SELECT * FROM TABLE(SNOWFLAKE.INFORMATION_SCHEMA.TAG_REFERENCES('A', 'ROLE'))",
            None,
        ),
    ]
    assert drive.types.index("environment_probed") < drive.types.index("statement_started")


def test_created_objects_are_derived_from_the_sql():
    drive = Drive(playbook(step("1", MAKE_A, binds={"made": "created_objects.role"})))
    drive.run()
    (completed,) = drive.events("step_completed")
    assert [made.fqn for made in completed.created_objects] == ["A"]
    assert completed.result == {"made": ["A"]}


def test_an_object_that_stood_before_is_not_called_created():
    drive = Drive(playbook(step("1", "CREATE ROLE IF NOT EXISTS A")))
    drive.account.objects.add("A")
    drive.run()
    assert drive.events("step_completed")[0].created_objects == []


def test_results_are_bound_for_later_templates_and_messages():
    drive = Drive(
        playbook(
            step("1", "SELECT N FROM T", binds={"names": "column.N", "many": "row_count"}),
            step(
                "2",
                "CREATE ROLE {{ ident(item) }}",
                for_each=ForEach("item", "names"),
                checkpoint=checkpoint(present="{many} roles: {names}"),
            ),
        )
    )
    drive.account.answers["FROM T"] = [{"N": "X"}, {"N": "Y"}]
    drive.run()
    assert drive.ran == ["CREATE ROLE X", "CREATE ROLE Y"]
    assert drive.pause.present.startswith("2 roles")


def test_a_false_condition_skips_the_step_with_its_reason():
    drive = Drive(
        playbook(step("1", MAKE_A, when="size > 3"), inputs=(text_input("size"),)), size=1
    )
    assert drive.run().status == "completed"
    assert drive.events("step_skipped")[0].reason == "its condition is not met: size > 3"
    assert drive.ran == []


def test_a_step_runs_as_its_role():
    drive = Drive(
        playbook(step("1", MAKE_A, role="{who}"), inputs=(text_input("who", type="role"),)),
        who="analyst",
    )
    drive.run()
    assert drive.account.ran == [(MAKE_A, "ANALYST")]


# ---- inputs


def test_inputs_come_from_the_session_then_defaults_then_a_question():
    inputs = (
        text_input(
            "role", type="role", infer_from=("session.role",), default="X", has_default=True
        ),
        text_input("size", type="integer", default=7, has_default=True),
        text_input("scope", type="scope"),
    )
    drive = Drive(playbook(step("1", MAKE_A), inputs=inputs))
    drive.account.answers["SHOW SCHEMAS"] = [{"name": "S", "database_name": "DB"}]
    drive.run()
    assert drive.events("playbook_started")[0].inputs == {"role": "SECURITYADMIN", "size": 7}
    assert drive.pause.at == "input:scope"
    assert [option.id for option in drive.pause.options][:3] == ["DB", "DB.S", "other"]
    assert drive.respond("DB.S", at="input:scope").status == "completed"
    assert drive.events("input_gathered")[-1].value == "DB.S"


@pytest.mark.parametrize(
    "value",
    ['PROD"; DROP DATABASE PROD; --', "PROD; DROP ROLE X", "a.b.c.d", "", "PROD.--x", "x y"],
)
def test_a_hostile_identifier_is_refused_and_nothing_is_executed(value):
    inputs = (text_input("scope", type="scope"),)
    drive = Drive(playbook(step("1", "DROP SCHEMA {{ scope }}"), inputs=inputs), scope=value)
    with pytest.raises(UsageError, match="input 'scope' cannot be"):
        drive.run()
    assert drive.ran == []
    assert drive.account.read == []


def test_an_unknown_input_is_refused():
    drive = Drive(playbook(step("1", MAKE_A)), color="red")
    with pytest.raises(UsageError, match="has no input 'color'"):
        drive.run()


def test_an_input_of_a_step_is_asked_for_when_the_step_is_reached():
    inputs = (text_input("level", type="choice", choices=("HIGH", "LOW"), phase="step_2"),)
    drive = Drive(playbook(step("1", MAKE_A), step("2", MAKE_B), inputs=inputs))
    drive.run()
    assert (drive.pause.at, drive.ran) == ("input:level", [MAKE_A])
    with pytest.raises(UsageError, match="cannot be 'MIDDLE'"):
        drive.respond("MIDDLE")
    assert drive.respond("high").status == "completed"
    assert drive.events("input_gathered")[0].value == "HIGH"


# ---- probes


def probed(*checks, required=True):
    probe = ProbeSpec("p", "SELECT CURRENT_ACCOUNT(), CURRENT_ROLE()", required, checks)
    return playbook(step("1", MAKE_A, checkpoint=checkpoint()), probes=(probe,))


def answering(drive):
    drive.account.answers["CURRENT_ACCOUNT"] = [
        {"CURRENT_ACCOUNT()": "XY12345", "CURRENT_ROLE()": "SECURITYADMIN"}
    ]
    return drive


def test_a_passing_probe_is_recorded_and_stays_silent():
    drive = answering(Drive(probed(ProbeCheck("role = 'PUBLIC'", "block", "no"))))
    drive.run()
    assert drive.events("probes_executed")[0].results[0]["outcome"] == "pass"


def test_a_warning_is_surfaced_at_the_next_checkpoint():
    drive = answering(Drive(probed(ProbeCheck("count = 1", "warn", "mind {role}"))))
    assert drive.run().pause.warnings == ("mind SECURITYADMIN",)


def test_a_confirm_asks_before_step_one():
    drive = answering(Drive(probed(ProbeCheck("count = 1", "confirm", "sure?"))))
    assert drive.run().pause.at == "probes"
    assert drive.ran == []
    assert drive.respond("approve").pause.at == "1"


def test_a_block_escalates_and_retry_probes_again():
    drive = answering(Drive(probed(ProbeCheck("role != 'ACCOUNTADMIN'", "block", "not {role}"))))
    assert drive.run().pause.at == "error:probes"
    assert drive.ran == []
    drive.account.answers["CURRENT_ACCOUNT"][0]["CURRENT_ROLE()"] = "ACCOUNTADMIN"
    assert drive.respond("retry").pause.at == "1"


def test_a_required_probe_that_fails_blocks_and_an_optional_one_warns():
    for required, at in ((True, "error:probes"), (False, "1")):
        drive = Drive(probed(required=required))
        drive.account.failures["CURRENT_ACCOUNT"] = [SqlError("no", errno=2003)]
        assert drive.run().pause.at == at


# ---- checkpoints


def test_a_checkpoint_offers_five_options_and_those_of_the_step():
    extra = OptionSpec("wider", "all of it", when="n > 1", sets={"n": 9})
    book = playbook(
        step("1", "SELECT {{ n }} AS N", checkpoint=checkpoint(options=(extra,))),
        inputs=(text_input("n", type="integer"),),
    )
    drive = Drive(book, n=2)
    drive.run()
    assert [option.id for option in drive.pause.options] == [
        "approve",
        "approve_remaining",
        "modify",
        "abort",
        "different-approach",
        "wider",
    ]
    state = drive.respond("wider")
    assert (state.pause.at, state.run.inputs["n"]) == ("1#2", 9)


def test_a_critical_checkpoint_needs_its_phrase():
    drive = Drive(two_steps(severity="critical", phrase="protect {scope}"))
    drive = Drive(
        playbook(
            step("1", MAKE_A, checkpoint=checkpoint("critical", phrase="make {scope}")),
            inputs=(text_input("scope", type="scope"),),
        ),
        scope="db",
    )
    drive.run()
    assert drive.pause.phrase == "make DB"
    for wrong in (None, "make", "MAKE DB"):
        with pytest.raises(UsageError, match="phrase"):
            drive.respond("approve", phrase=wrong)
    assert drive.respond("approve", phrase="make DB").status == "completed"
    assert drive.events("human_response")[0].confirmed


def test_approve_remaining_answers_reviews_but_never_a_critical():
    book = playbook(
        step("1", MAKE_A, checkpoint=checkpoint()),
        step("2", MAKE_B, checkpoint=checkpoint()),
        step("3", "CREATE ROLE C", checkpoint=checkpoint("critical", phrase="yes")),
    )
    drive = Drive(book)
    drive.run()
    assert drive.respond("approve_remaining").pause.at == "3"
    assert [e.actor for e in drive.events("human_response")] == ["human:local", "approve_remaining"]


def test_approving_the_rest_at_a_critical_checkpoint_needs_its_phrase_too():
    book = playbook(
        step("1", MAKE_A, checkpoint=checkpoint("critical", phrase="yes")),
        step("2", MAKE_B, checkpoint=checkpoint()),
    )
    drive = Drive(book)
    drive.run()
    with pytest.raises(UsageError, match="needs its phrase typed"):
        drive.respond("approve_remaining")
    assert drive.ran == [MAKE_A]
    assert drive.respond("approve_remaining", phrase="yes").status == "completed"


def test_an_info_checkpoint_goes_on_by_itself_where_nobody_is():
    book = playbook(step("1", MAKE_A, checkpoint=checkpoint("info")))
    drive = Drive(book)
    assert drive.run().status == "completed"
    assert drive.events("human_response")[0].actor == "timer"


def test_an_info_checkpoint_waits_where_somebody_is():
    drive = Drive(playbook(step("1", MAKE_A, checkpoint=checkpoint("info"))), present=True)
    assert drive.run().pause.severity == "info"


def base_and_extra():
    return playbook(
        step(
            "1",
            "CREATE ROLE BASE; CREATE ROLE {{ ident(extra) }}",
            checkpoint=checkpoint(),
        ),
        inputs=(text_input("extra"),),
    )


def test_modify_asks_before_it_takes_back_what_is_no_longer_wanted_and_keeps_the_rest():
    drive = Drive(base_and_extra(), extra="X")
    drive.run()
    state = drive.respond("modify", values={"extra": "Y"})
    assert (state.pause.at, drive.ran) == ("cleanup", ["CREATE ROLE BASE", "CREATE ROLE X"])
    (proposed,) = drive.events("cleanup_proposed")
    assert proposed.compensation_actions == ["DROP ROLE IF EXISTS X"]
    assert drive.respond("cleanup").pause.at == "1#2"
    assert drive.ran == [
        "CREATE ROLE BASE",
        "CREATE ROLE X",
        "DROP ROLE IF EXISTS X",
        "CREATE ROLE Y",
    ]


def test_modify_leaves_in_place_what_a_person_keeps():
    drive = Drive(base_and_extra(), extra="X")
    drive.run()
    drive.respond("modify", values={"extra": "Y"})
    assert drive.respond("keep").pause.at == "1#2"
    assert drive.ran == ["CREATE ROLE BASE", "CREATE ROLE X", "CREATE ROLE Y"]
    assert drive.account.objects == {"BASE", "X", "Y"}


def test_modify_needs_something_to_change():
    drive = Drive(two_steps())
    drive.run()
    with pytest.raises(UsageError, match="what to change"):
        drive.respond("modify")


def test_a_second_answer_to_the_same_checkpoint_is_one_clear_line():
    drive = Drive(two_steps())
    drive.run()
    drive.respond("approve", at="1")
    with pytest.raises(ThreadError, match="'1' is answered already: approve"):
        drive.respond("approve", at="1")


def test_a_wrong_option_is_refused_with_the_right_ones():
    drive = Drive(two_steps())
    drive.run()
    with pytest.raises(UsageError, match="'dance' is not an option at '1'") as refused:
        drive.respond("dance")
    assert "different-approach" in refused.value.hint


# ---- errors


def failing(sql, *errors, **fields):
    drive = Drive(playbook(step("1", sql, **fields), name="toy"))
    drive.account.failures[sql] = list(errors)
    return drive


def test_a_transient_error_is_retried_with_backoff_and_recovers():
    timeout = SqlError("connection timed out", errno=630)
    drive = failing(MAKE_A, timeout, timeout)
    assert drive.run().status == "completed"
    assert drive.clock.slept == [1.0, 2.0]
    assert [e.error_category for e in drive.events("step_failed")] == ["transient", "transient"]


def test_a_transient_error_escalates_after_three_retries():
    drive = failing(MAKE_A, *[SqlError("temporarily unavailable")] * 9)
    assert drive.run().pause.at == "error:1"
    assert len(drive.events("statement_started")) == 4
    assert drive.clock.slept == [1.0, 2.0, 4.0]


def test_a_permission_error_escalates_at_once_and_retry_goes_on_after_the_grant():
    drive = failing(
        MAKE_A,
        SqlError("Insufficient privileges to operate on account", errno=3001),
        expected_errors=(ExpectedError("insufficient privileges", "Grant CREATE ROLE"),),
    )
    assert drive.run().pause.at == "error:1"
    (escalated,) = drive.events("error_escalated")
    assert escalated.context["recovery_hint"] == "Grant CREATE ROLE"
    assert drive.respond("retry").status == "completed"


def test_an_unknown_error_escalates_at_once():
    drive = failing(MAKE_A, SqlError("the moon is full"))
    assert drive.run().pause.at == "error:1"
    assert drive.events("step_failed")[0].error_category == "unknown"


def test_a_suspended_warehouse_is_resumed_and_the_statement_tried_again():
    drive = failing("SELECT 1 AS X", SqlError("Warehouse 'WH' is suspended", errno=None))
    assert drive.run().status == "completed"
    assert drive.ran == ["ALTER WAREHOUSE WH RESUME IF SUSPENDED"]


def test_an_optional_step_can_be_skipped_after_an_error():
    drive = failing(MAKE_A, SqlError("no idea"), optional=True)
    drive.run()
    assert "skip" in [option.id for option in drive.pause.options]
    assert drive.respond("skip").status == "completed"


def test_a_step_that_is_not_optional_offers_no_skip():
    drive = failing(MAKE_A, SqlError("no idea"))
    drive.run()
    assert "skip" not in [option.id for option in drive.pause.options]


def test_a_statement_that_got_lost_is_looked_up_and_not_sent_again():
    drive = Drive(playbook(step("1", MAKE_A)))
    sent = drive.account.execute

    def answer_lost(sql, *, role, tag):
        sent(sql, role=role, tag=tag)
        drive.account.execute = sent
        raise SqlError("connection reset", errno=250003)

    drive.account.execute = answer_lost
    assert drive.run().status == "completed"
    assert drive.ran == [MAKE_A]
    assert drive.events("statement_completed")[0].recovered


def test_a_broken_way_to_the_account_is_put_before_a_person():
    drive = Drive(playbook(step("1", MAKE_A)))

    def never_arrives(sql, *, role, tag):
        raise SqlError("gateway timeout", errno=290504)

    drive.account.execute = never_arrives
    state = drive.run()
    assert state.pause.at == "error:1"
    assert len(drive.events("statement_lost")) == 4


# ---- abort and cleanup


def test_abort_offers_to_take_back_in_reverse_order_and_waits():
    drive = Drive(two_steps())
    drive.run()
    drive.respond("approve")
    state = drive.respond("abort", comment="changed my mind")
    assert state.pause.at == "cleanup"
    (proposed,) = drive.events("cleanup_proposed")
    assert proposed.compensation_actions == ["DROP ROLE IF EXISTS B", "DROP ROLE IF EXISTS A"]
    assert drive.ran == [MAKE_A, MAKE_B]


def test_cleanup_runs_and_the_thread_ends_failed():
    drive = Drive(two_steps())
    drive.run()
    drive.respond("abort", comment="no")
    state = drive.respond("cleanup")
    assert (state.status, state.failure) == ("failed", "no")
    assert drive.ran == [MAKE_A, "DROP ROLE IF EXISTS A"]
    assert drive.events("thread_aborted")[0].cleanup_status == "cleaned"


def test_keep_changes_nothing_and_cleanup_can_follow_later():
    drive = Drive(two_steps())
    drive.run()
    drive.respond("abort")
    assert drive.respond("keep").status == "failed"
    assert drive.ran == [MAKE_A]
    assert drive.conductor.propose_cleanup("t").pause.at == "cleanup#2"
    state = drive.respond("cleanup")
    assert (state.status, drive.ran[-1]) == ("failed", "DROP ROLE IF EXISTS A")


def test_review_shows_the_proposal_again_and_a_failed_cleanup_is_told():
    drive = Drive(two_steps())
    drive.run()
    drive.respond("abort")
    assert drive.respond("review").pause.at == "cleanup#2"
    drive.account.failures["DROP ROLE"] = [SqlError("in use")]
    drive.respond("cleanup")
    assert drive.events("cleanup_executed")[0].failed == ["DROP ROLE IF EXISTS A"]
    assert drive.events("thread_aborted")[0].cleanup_status == "partial"


def test_abort_with_nothing_done_ends_at_once():
    drive = Drive(playbook(step("1", "SELECT 1 AS X", checkpoint=checkpoint())))
    drive.run()
    assert drive.respond("abort").status == "failed"
    assert drive.events("thread_aborted")[0].cleanup_status == "nothing_to_clean"


# ---- another account


def test_a_step_on_another_account_is_blocked():
    drive = Drive(two_steps())
    drive.run()
    drive.account.where = CONTEXT.model_copy(update={"account_locator": "OTHER"})
    state = drive.respond("approve")
    assert state.pause.at == "error:2"
    assert drive.ran == [MAKE_A]
    drive.account.where = CONTEXT
    assert drive.respond("retry").pause.at == "2"
