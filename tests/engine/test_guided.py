"""Guided plans through the real conductor on fakes: proposed, approved, changed, refused."""

from dataclasses import replace

import pytest

from skills_nb.engine.guided.plan_documents import plan_from
from skills_nb.errors import SqlError, ThreadError, UsageError
from skills_nb.model.routes import Candidate, Route
from skills_nb.model.skills import InputSpec
from skills_nb.model.state import PlanState
from skills_nb.sql.qualifying import qualify
from tests.builders import checkpoint, offered, playbook, primitive, step
from tests.engine.driving import Drive
from tests.engine.test_guardrails import HONEST, PROHIBITED, UNPARSABLE
from tests.fakes import ScriptedResolver

READER = InputSpec("role", type="role", default="READER", has_default=True)
ROLES = replace(
    primitive("roles"),
    plans=(
        offered(
            "let read",
            "CREATE ROLE {{ role }}",
            "GRANT USAGE ON DATABASE {{ database }} TO ROLE {{ role }};\n"
            "GRANT SELECT ON TABLE {{ table }} TO ROLE {{ role }}",
            "SHOW GRANTS TO ROLE {{ role }}",
            inputs=(
                READER,
                InputSpec("database", type="database", infer_from=("session.database",)),
                InputSpec("table", type="table"),
            ),
        ),
        offered("give up", "DROP ROLE {{ role }}", inputs=(InputSpec("role", type="role"),)),
    ),
)


def plan(*sqls, goal="Two roles", name="roles"):
    steps = [
        {"step": str(n), "action": f"Do {n}", "primitive": name, "sql": sql}
        for n, sql in enumerate(sqls, 1)
    ]
    return plan_from({"goal": goal, "steps": steps})


def drive(**fields):
    return Drive(primitives=(ROLES,), goal="Let analysts read the orders", **fields)


def proposed(*sqls, **how):
    made = drive()
    made.propose(plan(*sqls), **how)
    return made


def guided(intent, library):
    other = Candidate("primitives/other", "guided", "data-security", 0.3)
    return Route("guided", ("data-security",), ("primitives/roles",), 0.9, ("guided",), (other,))


def shown(event):
    return [(one.step, one.primitive, one.sql) for one in event.steps]


# ---- from proposal to completion


def test_a_plan_is_proposed_before_anything_is_sent_and_then_runs_step_by_step():
    made = proposed("CREATE ROLE A", "CREATE ROLE B")
    assert (made.pause.kind, made.pause.at, made.ran) == ("plan_proposed", "plan", [])
    assert [option.id for option in made.pause.options] == [
        "approve",
        "modify",
        "abort",
        "different-approach",
    ]
    made.respond("approve")
    assert (made.pause.at, made.ran) == ("1", ["CREATE ROLE A"])
    made.respond("approve")
    assert (made.pause.at, made.ran) == ("2", ["CREATE ROLE A", "CREATE ROLE B"])
    assert made.respond("approve").status == "completed"
    assert made.types == [
        "thread_started",
        "routed",
        "input_gathered",
        "playbook_started",
        "environment_probed",
        "environment_probed",
        "environment_probed",
        "probes_executed",
        "plan_proposed",
        "human_response",
        "plan_approved",
        *(["step_started", "environment_probed", "statement_started", "statement_completed"]),
        # The role, who holds it, what it may do and will, its tags: as the statement left them.
        *["environment_probed"] * 5,
        *(["step_completed", "checkpoint_reached", "human_response"]),
        *(["step_started", "environment_probed", "statement_started", "statement_completed"]),
        *["environment_probed"] * 5,
        *(["step_completed", "checkpoint_reached", "human_response"]),
        "playbook_completed",
        "thread_completed",
    ]


def test_everything_that_a_plan_touches_is_looked_at_before_it_is_proposed():
    made = proposed("CREATE ROLE A", "DROP VIEW DB.S.V")
    assert [sql for sql, _ in made.account.read] == [
        "SELECT CURRENT_ACCOUNT(), CURRENT_ROLE()",
        "SHOW ROLES LIKE 'A'",
        "SHOW VIEWS LIKE 'V' IN SCHEMA DB.S",
    ]


def test_what_a_plan_makes_itself_is_not_looked_for_before():
    made = proposed("CREATE ROLE A", "GRANT ROLE A TO USER U; GRANT ROLE AB TO USER U")
    assert [sql for sql, _ in made.account.read][1:] == [
        "SHOW ROLES LIKE 'A'",
        "SHOW GRANTS OF ROLE AB",
    ]


def test_every_step_has_a_checkpoint_and_the_rest_cannot_be_approved_with_it():
    made = proposed("CREATE ROLE A", "CREATE ROLE B")
    made.respond("approve")
    assert [option.id for option in made.pause.options] == [
        "approve",
        "modify",
        "abort",
        "different-approach",
    ]
    with pytest.raises(UsageError, match="approve_remaining"):
        made.respond("approve_remaining")


def test_the_sql_of_a_plan_is_sent_letter_by_letter_whatever_braces_it_holds():
    sql = "CREATE ROLE A COMMENT = '{{ not }} a {% template %}, {name}'"
    made = proposed(sql)
    made.respond("approve")
    assert made.ran == [sql]


def test_a_step_without_sql_is_done_by_hand_and_checked():
    made = proposed("", "CREATE ROLE B")
    made.respond("approve")
    assert (made.pause.at, made.ran) == ("1", [])
    made.respond("approve")
    assert made.ran == ["CREATE ROLE B"]


def test_what_a_step_reads_is_found_on_its_result():
    made = drive()
    made.account.answers["FROM DB.S.T"] = [{"N": 1}, {"N": 2}]
    made.propose(plan("SELECT N FROM T"))
    made.respond("approve")
    assert made.state.run.step("1").result == {"found_1": [{"N": 1}, {"N": 2}]}


# ---- changing it


def test_a_changed_step_is_proposed_again_and_the_change_is_on_record():
    made = proposed("CREATE ROLE A", "CREATE ROLE B")
    made.respond("modify", values={"step_2": "CREATE ROLE C"})
    assert (made.pause.at, made.ran) == ("plan#2", [])
    assert shown(made.events("plan_proposed")[-1]) == [
        ("1", "roles", "CREATE ROLE A"),
        ("2", "roles", "CREATE ROLE C"),
    ]
    made.respond("approve")
    assert made.events("plan_approved")[0].modifications == {
        "steps": {"2": {"action": "Do 2", "primitive": "roles", "sql": "CREATE ROLE C"}},
        "dropped": [],
    }
    made.respond("approve")
    assert made.ran == ["CREATE ROLE A", "CREATE ROLE C"]


def test_a_plan_that_nobody_changed_is_approved_without_modifications():
    made = proposed("CREATE ROLE A")
    made.respond("approve")
    assert made.events("plan_approved")[0].modifications is None


def test_a_change_cannot_bring_in_what_is_prohibited():
    made = proposed("CREATE ROLE A")
    made.respond("modify", values={"step_1": "DROP DATABASE SHOP"})
    assert made.events("plan_rejected")[0].reason == "prohibited_action"
    assert made.ran == []


def test_a_change_at_a_checkpoint_is_approved_anew_and_the_old_step_taken_back_when_asked():
    made = proposed("CREATE ROLE A", "CREATE ROLE B")
    made.respond("approve")
    made.respond("modify", values={"step_1": "CREATE ROLE C"})
    assert (made.pause.kind, made.ran) == ("plan_proposed", ["CREATE ROLE A"])
    made.respond("approve")
    assert (made.pause.at, made.ran) == ("cleanup", ["CREATE ROLE A"])
    made.respond("cleanup")
    assert made.pause.at == "1#2"
    assert made.ran == ["CREATE ROLE A", "DROP ROLE IF EXISTS A", "CREATE ROLE C"]


def test_a_change_of_a_later_step_is_approved_before_anything_goes_on():
    made = proposed("CREATE ROLE A", "CREATE ROLE B")
    made.respond("approve")
    made.respond("modify", values={"step_2": "CREATE ROLE C"})
    assert (made.pause.kind, made.ran) == ("plan_proposed", ["CREATE ROLE A"])
    made.respond("approve")
    made.respond("approve")
    assert made.ran == ["CREATE ROLE A", "CREATE ROLE C"]


def propose_again(made, steps):
    conductor = made.conductor
    conductor.propose(PlanState("roles", tuple(steps)), thread_id=made.id)
    conductor.advance(made.id)


def test_the_same_steps_in_another_order_or_with_one_left_out_are_another_plan():
    made = proposed("CREATE ROLE A", "CREATE ROLE B", "CREATE ROLE C")
    made.respond("approve")
    first, second, third = made.state.run.plan.approved
    made.respond("modify", values={"step_3": "CREATE ROLE D"})
    for steps in ((first, third, second), (first, third)):
        propose_again(made, steps)
        assert (made.pause.kind, made.ran) == ("plan_proposed", ["CREATE ROLE A"])


def test_a_plan_that_leaves_out_what_is_done_offers_to_take_it_back():
    made = proposed("CREATE ROLE A", "CREATE ROLE B", "CREATE ROLE C")
    made.respond("approve")
    made.respond("approve")
    first, _, third = made.state.run.plan.approved
    made.respond("modify", values={"step_3": "CREATE ROLE D"})
    propose_again(made, (first, third))
    assert made.events("plan_proposed")[-1].redoing.dropped == ["2"]
    made.respond("approve")
    assert made.events("cleanup_proposed")[-1].compensation_actions == ["DROP ROLE IF EXISTS B"]


@pytest.mark.parametrize("values", [{}, {"step_9": "SELECT 1"}, {"step_1": " "}, {"other": 1}])
def test_a_change_of_nothing_is_refused(values):
    made = proposed("CREATE ROLE A")
    with pytest.raises(UsageError):
        made.respond("modify", values=values)
    assert made.pause.at == "plan"


def test_another_plan_takes_the_place_of_one_that_waits():
    made = proposed("CREATE ROLE A", "CREATE ROLE B")
    made.propose(plan("CREATE ROLE C"))
    assert shown(made.events("plan_proposed")[-1]) == [("1", "roles", "CREATE ROLE C")]
    made.respond("approve")
    approved = made.events("plan_approved")[0].modifications
    assert (list(approved["steps"]), approved["dropped"]) == (["1"], ["2"])
    assert made.respond("approve").status == "completed"
    assert made.ran == ["CREATE ROLE C"]


def test_a_plan_is_not_taken_where_a_thread_waits_for_something_else():
    made = proposed("CREATE ROLE A")
    made.respond("approve")
    with pytest.raises(ThreadError, match="waits for one"):
        made.propose(plan("CREATE ROLE C"))
    playing = Drive(playbook(step("1", "CREATE ROLE A")), primitives=(ROLES,))
    playing.run()
    with pytest.raises(ThreadError):
        playing.propose(plan("CREATE ROLE C"))


# ---- refusing it


def rejected(*sqls, **fields):
    made = drive()
    made.propose(plan(*sqls, **fields))
    return made, made.events("plan_rejected")[0]


def test_a_prohibited_plan_is_rejected_and_its_risk_cannot_be_accepted():
    made, event = rejected("DROP SCHEMA SHOP.SALES")
    assert (event.reason, made.pause.kind, made.ran) == ("prohibited_action", "plan_rejected", [])
    assert [option.id for option in event.options] == [
        "break_down",
        "request_playbook",
        "abort",
        "different-approach",
    ]
    with pytest.raises(UsageError, match="proceed_anyway"):
        made.respond("proceed_anyway", phrase="proceed with 1 steps")
    with pytest.raises(UsageError, match="smaller goal"):
        made.respond("break_down")


@pytest.mark.parametrize(
    ("sql", "name", "reason"),
    [
        ("EXECUTE IMMEDIATE $q", "roles", "unparsable"),
        ("SELECT 1", None, "missing_primitive"),
        ("SELECT 1", "nothing", "unknown_primitive"),
    ],
)
def test_a_plan_is_rejected_with_its_reason(sql, name, reason):
    assert rejected(sql, name=name)[1].reason == reason


@pytest.mark.parametrize("sql", [*PROHIBITED, *UNPARSABLE])
def test_no_hostile_plan_gets_past_the_conductor(sql):
    made, _ = rejected("CREATE ROLE A", sql)
    assert (made.pause.kind, made.ran) == ("plan_rejected", [])


@pytest.mark.parametrize("sql", HONEST)
def test_every_honest_plan_is_proposed_as_it_was_written_with_its_names_in_full(sql):
    made = proposed(sql)
    in_full = qualify(sql, "DB", "S").sql
    assert shown(made.events("plan_proposed")[0]) == [("1", "roles", in_full)]


NINE = [f"CREATE ROLE R{n}" for n in range(1, 10)]


def test_a_plan_that_is_too_long_goes_on_only_with_its_phrase_and_is_still_proposed():
    made, event = rejected(*NINE)
    assert event.message == "This goal requires 9 steps. Guided mode is limited to 8."
    with pytest.raises(UsageError, match="phrase"):
        made.respond("proceed_anyway")
    made.respond("proceed_anyway", phrase="proceed with 9 steps")
    assert (made.pause.kind, made.ran) == ("plan_proposed", [])
    for _ in range(10):
        made.respond("approve")
    assert (made.state.status, made.ran) == ("completed", NINE)


def test_a_plan_that_is_too_long_is_broken_down_into_parts_that_are_approved_one_by_one():
    made, _ = rejected(*NINE)
    made.respond("break_down")
    assert [s for s, *_ in shown(made.events("plan_proposed")[0])] == list("12345678")
    for _ in range(9):
        made.respond("approve")
    assert (made.pause.kind, made.ran) == ("plan_proposed", NINE[:8])
    assert shown(made.events("plan_proposed")[1]) == [("9", "roles", NINE[8])]
    made.respond("approve")
    assert made.events("plan_approved")[1].modifications is None
    assert made.respond("approve").status == "completed"
    assert made.ran == NINE


def test_what_is_prohibited_in_a_later_part_is_told_before_the_first_is_begun():
    made, event = rejected(*NINE, "DROP SCHEMA S")
    assert (event.reason, made.ran) == ("prohibited_action", [])
    with pytest.raises(UsageError, match="smaller goal"):
        made.respond("break_down")


def test_a_smaller_goal_is_planned_anew():
    made, _ = rejected("DROP SCHEMA S")
    made.respond("break_down", comment="Give a role up")
    assert made.state.guided_plan.goal == "Give a role up"
    assert (made.pause.kind, made.pause.at) == ("input_question", "input:role")


def test_asking_for_a_playbook_leaves_the_question_open():
    made, _ = rejected("DROP SCHEMA S")
    made.respond("request_playbook")
    assert made.pause.kind == "plan_rejected"
    assert made.respond("abort").status == "failed"


# ---- trouble, the end, other processes


def test_an_aborted_plan_offers_to_take_back_what_it_did():
    made = proposed("CREATE ROLE A", "CREATE ROLE B")
    made.respond("approve")
    made.respond("abort")
    (offered,) = made.events("cleanup_proposed")
    assert offered.compensation_actions == ["DROP ROLE IF EXISTS A"]
    assert made.respond("cleanup").status == "failed"
    assert made.ran == ["CREATE ROLE A", "DROP ROLE IF EXISTS A"]


def test_an_error_of_a_step_is_put_before_a_person_who_may_change_the_step():
    made = drive()
    made.account.failures["CREATE ROLE A"] = [SqlError("Insufficient privileges", errno=3001)]
    made.propose(plan("CREATE ROLE A"))
    made.respond("approve")
    assert made.pause.at == "error:1"
    made.respond("modify", values={"step_1": "CREATE ROLE B"})
    made.respond("approve")
    assert made.ran == ["CREATE ROLE B"]


def test_what_another_approach_is_wanted_for_is_what_is_planned():
    made = Drive(playbook(step("1", "CREATE ROLE Z", checkpoint=checkpoint())), primitives=(ROLES,))
    made.run()
    made.router = guided
    made.respond("different-approach", comment="Give a role up")
    made.respond("other", values={"role": "READER"})
    (proposal,) = made.events("plan_proposed")
    assert (proposal.goal, proposal.steps[0].sql) == ("Give a role up", "DROP ROLE READER")


def test_another_approach_leaves_the_plan_and_keeps_what_it_did_for_cleanup():
    made = Drive(playbook(step("1", "CREATE ROLE Z")), primitives=(ROLES,))
    made.propose(plan("CREATE ROLE A", "CREATE ROLE B"))
    made.respond("approve")
    made.respond("different-approach", comment="playbooks/toy")
    assert made.state.status == "completed"
    assert made.ran == ["CREATE ROLE A", "CREATE ROLE Z"]
    state = made.conductor.propose_cleanup(made.id)
    assert state.abort.orphans[-1].compensation == "DROP ROLE IF EXISTS A"


def test_every_cut_of_a_plan_goes_on_to_the_same_end():
    whole = proposed("CREATE ROLE A", "SHOW ROLES")
    for _ in range(3):
        whole.respond("approve")
    events = whole.store.load(whole.id)
    for cut in range(3, len(events)):
        again = drive()
        again.store.append(again.id, 0, events[:cut])
        again.ids.events = cut
        again.resume()
        for _ in range(5):
            if again.pause is None:
                break
            again.respond("approve")
        assert again.state.status == "completed"
        # A statement whose outcome was not told may have to be asked about, never more.
        assert set(again.ran) <= {"CREATE ROLE A"}


# ---- where plans come from


def test_an_intent_without_a_playbook_becomes_a_plan_of_the_nearest_example_with_inputs():
    made = drive(router=guided)
    made.run()
    assert (made.pause.kind, made.pause.at) == ("input_question", "input:table")
    made.respond("other", values={"table": "SHOP.SALES.ORDERS"})
    assert shown(made.events("plan_proposed")[0]) == [
        ("1", "roles", "CREATE ROLE READER"),
        (
            "2",
            "roles",
            "GRANT USAGE ON DATABASE DB TO ROLE READER;\n"
            "GRANT SELECT ON TABLE SHOP.SALES.ORDERS TO ROLE READER",
        ),
        ("3", "roles", "SHOW GRANTS TO ROLE READER"),
    ]


def test_a_changed_input_is_filled_in_everywhere_and_approved_anew():
    made = drive(router=guided, table="SHOP.SALES.ORDERS")
    made.run()
    made.respond("modify", values={"role": "AUDITOR"})
    last = made.events("plan_proposed")[-1]
    assert [one.sql for one in last.steps][0::2] == [
        "CREATE ROLE AUDITOR",
        "SHOW GRANTS TO ROLE AUDITOR",
    ]
    made.respond("approve")
    assert made.ran == ["CREATE ROLE AUDITOR"]


def test_a_model_proposes_where_one_is_plugged_in_and_is_named_on_the_thread():
    said = {
        "goal": "g",
        "steps": [{"step": "1", "action": "a", "primitive": "roles", "sql": "CREATE ROLE M"}],
    }
    resolver = ScriptedResolver(plan=said)
    made = drive(router=guided, resolver=resolver)
    made.run()
    (answered,) = made.events("model_answered")
    assert (answered.joint, answered.model, answered.answer) == ("plan", "scripted", said)
    gathered = next(e for e in made.events("input_gathered") if e.name == "guided_plan")
    assert gathered.actor == "model:scripted"
    assert resolver.asked[0].goal == "Let analysts read the orders"
    assert list(resolver.asked[0].pages) == ["primitives/roles"]
    made.respond("approve")
    assert made.ran == ["CREATE ROLE M"]


def test_a_plan_of_a_model_is_held_to_the_guardrails():
    said = {
        "steps": [
            {"step": "1", "primitive": "roles", "sql": "GRANT OWNERSHIP ON TABLE T TO ROLE R"}
        ]
    }
    made = drive(router=guided, resolver=ScriptedResolver(plan=said))
    made.run()
    assert made.events("plan_rejected")[0].reason == "prohibited_action"


@pytest.mark.parametrize("said", [None, {}, {"steps": []}, {"steps": ["DROP"]}, {"steps": "x"}])
def test_where_a_model_says_nothing_usable_the_planner_plans(said):
    made = drive(router=guided, resolver=ScriptedResolver(plan=said), table="T")
    made.run()
    assert made.pause.kind == "plan_proposed"
    assert [event.joint for event in made.events("model_answered")] == ["plan", "inputs"]
    gathered = {e.name: e.actor for e in made.events("input_gathered")}
    assert gathered["table"] == "human:local"


def test_a_model_fills_in_what_the_goal_tells_and_its_slips_are_asked_for():
    values = {"table": "SHOP.SALES.ORDERS", "role": "X Y", "other": 1}
    made = drive(router=guided, resolver=ScriptedResolver(values=values))
    made.run()
    assert [event.joint for event in made.events("model_answered")] == ["plan", "inputs"]
    told = {e.name: e.actor for e in made.events("input_gathered") if e.name != "guided_plan"}
    assert told == {"table": "model:scripted"}
    assert "SHOP.SALES.ORDERS" in made.events("plan_proposed")[0].steps[1].sql
    slipping = drive(router=guided, resolver=ScriptedResolver(values={"table": "a b c"}))
    slipping.run()
    assert slipping.pause.at == "input:table"


def test_without_an_example_a_person_is_asked_for_a_plan_and_can_give_one():
    made = Drive(primitives=(primitive("roles", Examples="None yet."),), goal="x", router=guided)
    made.run()
    assert (made.pause.kind, made.pause.at) == ("error_escalated", "error:plan")
    made.propose(plan("CREATE ROLE A"))
    assert made.pause.kind == "plan_proposed"
