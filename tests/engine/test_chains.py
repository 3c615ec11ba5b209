"""A goal that goes through several domains is one thread of phases."""

from dataclasses import replace

import pytest

from skills_nb.engine.compaction import events_to_keep, fold_view
from skills_nb.engine.decide import decide
from skills_nb.engine.evolve import fold
from skills_nb.errors import SqlError, UsageError
from skills_nb.model.skills import ProbeCheck, ProbeSpec, Production
from skills_nb.model.state import ThreadState
from tests.builders import checkpoint, playbook, step
from tests.engine.chaining import LOAD, ChainDrive, DryDrive

GOAL = "load then mask then show"
TABLE = "CREATE TABLE DB.S.T (A INT)"
MASKING = [
    "CREATE MASKING POLICY P AS (V STRING) RETURNS STRING -> V",
    "ALTER TABLE DB.S.T MODIFY COLUMN A SET MASKING POLICY P",
]
UNMASKING = "ALTER TABLE DB.S.T MODIFY COLUMN A UNSET MASKING POLICY"
IS_MISSING = ProbeCheck("count = 0", "block", "no table")
VIEW = "CREATE VIEW SHOWN AS SELECT * FROM DB.S.T"


def begun(goal=GOAL, **inputs):
    drive = ChainDrive(goal, **(inputs or {"target_table": "DB.S.T"}))
    drive.run()
    return drive


def finished(drive):
    drive.approve_to("the end")
    return drive


# ---- going through


def test_a_chain_is_one_thread_that_goes_from_phase_to_phase():
    drive = finished(begun())
    assert drive.ran == [TABLE, "INSERT INTO DB.S.T VALUES (1)", *MASKING, VIEW]
    assert (drive.state.status, drive.chain) == (
        "completed",
        [
            ("loading", "playbooks/load", "completed"),
            ("guarding", "playbooks/mask", "completed"),
            ("showing", "playbooks/show", "completed"),
        ],
    )
    told = [t for t in drive.types if t.startswith(("chain", "phase", "context", "routed"))]
    assert told == [
        "chain_started",
        *["routed"] * 3,
        "phase_started",
        "phase_completed",
        *["phase_started", "context_mapped", "phase_completed"] * 2,
    ]
    assert drive.state.summary == (
        "3 phases done: 1. loading: 2 of 2 steps done; created 1 table. "
        "2. guarding: 2 of 2 steps done; created 1 masking policy. "
        "3. showing: 1 of 1 steps done; created 1 view."
    )


def test_what_a_phase_made_becomes_the_input_of_the_next_by_mapping_and_by_type():
    drive = finished(begun())
    assert [event.mappings for event in drive.events("context_mapped")] == [
        [{"from": "made", "to": "target_scope", "value": "DB.S.T"}],
        [{"from": "tables", "to": "source", "value": "DB.S.T"}],
    ]
    started = drive.events("phase_started")
    assert [(e.phase_number, e.domain, e.context_from_previous) for e in started] == [
        (1, "loading", {}),
        (2, "guarding", {"created_tables": ["DB.S.T"], "made": ["DB.S.T"]}),
        (
            3,
            "showing",
            {
                "created_tables": ["DB.S.T"],
                "made": ["DB.S.T"],
                "created_masking_policies": ["DB.S.P"],
                "policies": ["DB.S.P"],
            },
        ),
    ]


def test_a_batch_of_approvals_ends_with_its_phase():
    drive = begun()
    drive.respond("approve_remaining")
    assert (drive.pause.at, drive.chain[0][2]) == ("1#2", "completed")


def test_an_input_given_for_a_domain_goes_before_what_is_handed_over():
    drive = begun(**{"target_table": "DB.S.T", "guarding.target_scope": "DB.S.OTHER"})
    drive.approve_to("2#2")
    assert drive.state.run.inputs["target_scope"] == "DB.S.OTHER"
    assert drive.events("context_mapped") == []


def test_an_input_given_for_the_thread_serves_the_first_phase_that_takes_it():
    drive = begun(target_table="DB.S.T", target_scope="DB.S.OTHER")
    drive.approve_to("1#2")
    assert drive.state.run.inputs["target_scope"] == "DB.S.OTHER"


def test_an_input_that_no_phase_takes_is_refused():
    drive = ChainDrive(GOAL, target_tabel="DB.S.T")
    with pytest.raises(UsageError, match="no phase of this chain has an input 'target_tabel'"):
        drive.run()


def test_of_several_things_a_person_chooses_and_what_holds_them_all_comes_first():
    load = replace(
        LOAD,
        steps=(step("1", "CREATE TABLE DB.S.A (N INT)", "CREATE TABLE DB.S.B (N INT)"),),
        inputs=(),
        produces=(Production("made", "step_1.created_objects.table"),),
    )
    drive = ChainDrive("load then mask")
    drive.library = replace(drive.library, playbooks={**drive.library.playbooks, "load": load})
    drive.run()
    (mapped,) = drive.events("context_mapped")
    assert mapped.mappings == [
        {
            "from": "made",
            "to": "target_scope",
            "value": ["DB.S", "DB.S.A", "DB.S.B"],
            "choose": True,
        }
    ]
    assert (drive.pause.at, [option.id for option in drive.pause.options][:3]) == (
        "input:target_scope",
        ["DB.S", "DB.S.A", "DB.S.B"],
    )
    drive.respond("DB.S.B")
    assert drive.state.run.inputs["target_scope"] == "DB.S.B"


def test_what_nothing_in_the_chain_produces_is_asked_for_once():
    drive = ChainDrive("mask then show")
    drive.account.answers["SHOW SCHEMAS"] = [{"name": "S", "database_name": "DB"}]
    drive.run()
    assert drive.pause.at == "input:target_scope"
    drive.respond("other", values={"target_scope": "DB.S.MINE"})
    drive.approve_to("1#2")
    assert drive.events("context_mapped")[0].mappings == [
        {"from": "tables", "to": "source", "value": "DB.S.MINE"}
    ]


def test_a_requirement_that_no_input_takes_is_asked_for_by_its_own_name():
    drive = ChainDrive("mask then show")
    mask = playbook(step("1", "CREATE ROLE R", checkpoint=checkpoint()), name="mask")
    mask = replace(mask, domain="guarding")
    drive.library = replace(drive.library, playbooks={**drive.library.playbooks, "mask": mask})
    drive.account.answers["SHOW SCHEMAS"] = [{"name": "S", "database_name": "DB"}]
    drive.run()
    assert (drive.pause.at, [option.id for option in drive.pause.options]) == (
        "input:tables",
        ["DB", "DB.S", "other", "abort", "different-approach"],
    )
    with pytest.raises(UsageError, match="at most 3 part"):
        drive.respond("other", values={"tables": "A.B.C.D"})
    drive.respond("other", values={"tables": "DB.S.MINE"})
    drive.approve_to("1#2")
    assert drive.state.run.inputs == {"source": "DB.S.MINE"}


# ---- durability


def outcome(drive):
    state = drive.state
    runs = [*(phase.run for phase in state.chain.phases if phase.run)]
    return (
        state.status,
        state.summary,
        drive.chain,
        [dict(phase.outputs) for phase in state.chain.phases],
        [{name: dict(one.result) for name, one in run.steps.items()} for run in runs],
        [dict(run.inputs) for run in runs],
    )


@pytest.mark.slow
def test_going_on_from_every_event_reaches_the_same_end():
    whole = finished(begun())
    events = whole.store.load("t")
    for cut in range(2, len(events)):
        again = ChainDrive(GOAL, target_table="DB.S.T")
        again.store.append("t", 0, events[:cut])
        again.ids.events = cut
        again.store.abandoned.add("t")
        started = [e for e in events[:cut] if e.type == "statement_started"]
        again.account.history = {e.effect_key: whole.account.history[e.effect_key] for e in started}
        again.resume()
        assert outcome(finished(again)) == outcome(whole)
        sent = [e.sql for e in events[:cut] if e.type == "statement_started"]
        assert [*sent, *again.ran] == whole.ran


@pytest.mark.slow
def test_every_cut_of_a_chain_decides_as_the_whole():
    drive = begun()
    drive.approve_to("2#2")
    drive.respond("different-approach", comment="audit it and then show")
    drive = finished(drive)
    events = drive.store.load("t")
    before = ThreadState(thread_id="t")
    for cut in range(2, len(events) + 1):
        whole = fold(events[:cut], before)
        left = fold_view(events_to_keep(events[:cut], "t"), "t")
        for event in (*events[cut : cut + 12], None):
            assert decide(left, drive.library) == decide(whole, drive.library)
            if event is not None:
                whole, left = fold([event], whole), fold([event], left)


# ---- failing


POLICY_AWAY = "DROP MASKING POLICY IF EXISTS DB.S.P"


def failing():
    drive = begun()
    drive.account.failures["SET MASKING POLICY"] = [SqlError("the moon is full")]
    drive.approve_to("error:2")
    drive.respond("abort", comment="no")
    return drive


def test_abort_in_a_later_phase_offers_what_the_earlier_ones_made_too_phase_by_phase():
    drive = failing()
    (proposed,) = drive.events("cleanup_proposed")
    assert [(one.created_in_step, one.compensation) for one in proposed.orphaned_objects] == [
        # The playbook declares UNSET MASKING POLICY; the column has none, since that failed.
        ("2.2", POLICY_AWAY),
        ("1.1", "DROP TABLE IF EXISTS DB.S.T RESTRICT"),
    ]
    assert proposed.compensation_actions == [POLICY_AWAY, "DROP TABLE IF EXISTS DB.S.T RESTRICT"]
    drive.respond("cleanup")
    assert (drive.state.status, drive.chain) == (
        "failed",
        [
            ("loading", "playbooks/load", "completed"),
            ("guarding", "playbooks/mask", "running"),
            ("showing", "playbooks/show", "pending"),
        ],
    )
    made = [TABLE, "INSERT INTO DB.S.T VALUES (1)", MASKING[0]]
    assert drive.ran == [*made, POLICY_AWAY, "DROP TABLE IF EXISTS DB.S.T RESTRICT"]


def test_a_failing_phase_leaves_the_earlier_ones_whole_where_a_person_keeps_them():
    drive = failing()
    drive.respond("keep")
    assert drive.ran == [TABLE, "INSERT INTO DB.S.T VALUES (1)", MASKING[0]]


def test_everything_can_be_taken_back_when_the_thread_is_over():
    drive = finished(begun())
    drive.conductor.propose_cleanup("t")
    (proposed,) = drive.events("cleanup_proposed")
    assert proposed.compensation_actions == [
        "DROP VIEW IF EXISTS DB.S.SHOWN",
        UNMASKING,
        POLICY_AWAY,
        "DROP TABLE IF EXISTS DB.S.T RESTRICT",
    ]


# ---- another way


def test_another_target_in_the_same_domain_keeps_the_phases_around_it():
    drive = begun()
    drive.approve_to("2#2")
    drive.respond("different-approach", comment="audit")
    assert drive.chain == [
        ("loading", "playbooks/load", "completed"),
        ("guarding", "playbooks/audit", "running"),
        ("showing", "playbooks/show", "pending"),
    ]
    (rerouted,) = drive.events("rerouted")
    assert (rerouted.reason, rerouted.from_, rerouted.to) == (
        "audit",
        "playbooks/mask",
        "playbooks/audit",
    )
    assert drive.state.run.inputs == {"target_scope": "DB.S.T"}
    drive.respond("abort")
    assert drive.events("cleanup_proposed")[0].compensation_actions == [
        "DROP VIEW IF EXISTS DB.S.AUDITED",
        UNMASKING,
        POLICY_AWAY,
        "DROP TABLE IF EXISTS DB.S.T RESTRICT",
    ]


@pytest.mark.parametrize("comment", ["load and audit and show", "load and audit"])
def test_what_is_done_is_not_done_again_because_it_was_said_again(comment):
    drive = begun()
    drive.approve_to("2#2")
    before = list(drive.ran)
    drive.respond("different-approach", comment=comment)
    assert drive.chain == [
        ("loading", "playbooks/load", "completed"),
        ("guarding", "playbooks/audit", "running"),
        ("showing", "playbooks/show", "pending"),
    ]
    assert drive.ran == [*before, "CREATE VIEW AUDITED AS SELECT 1 AS N"]
    drive.respond("abort")
    made = drive.events("cleanup_proposed")[0].orphaned_objects
    assert [one.created_in_step for one in made][-1] == "1.1"


def test_words_for_what_is_done_alone_ask_and_lose_nothing():
    drive = begun()
    drive.approve_to("2#2")
    before = drive.chain
    drive.respond("different-approach", comment="load")
    assert (drive.pause.kind, drive.chain) == ("routing_ambiguous", before)


def test_whoever_wants_something_done_again_says_so():
    drive = begun()
    drive.approve_to("2#2")
    drive.respond("different-approach", comment="also load again")
    assert [target for _, target, _ in drive.chain].count("playbooks/load") == 2
    assert drive.chain[0] == ("loading", "playbooks/load", "completed")


def test_another_domain_takes_the_place_of_the_present_one():
    drive = begun("load then mask")
    drive.approve_to("1#2")
    drive.respond("different-approach", comment="show")
    assert drive.chain == [
        ("loading", "playbooks/load", "completed"),
        ("showing", "playbooks/show", "running"),
    ]
    assert drive.events("rerouted")[0].to == "chain: [loading (completed), showing]"


def test_one_domain_grows_into_a_chain_and_its_playbook_goes_on_where_it_was():
    drive = begun("load")
    drive.respond("approve")
    drive.respond("different-approach", comment="also mask")
    (rerouted,) = drive.events("rerouted")
    assert (rerouted.from_, rerouted.to) == ("single-domain: loading", "chain: [loading, guarding]")
    assert drive.pause.at == "2#2"
    assert drive.chain == [
        ("loading", "playbooks/load", "running"),
        ("guarding", "playbooks/mask", "pending"),
    ]
    assert finished(drive).ran == [TABLE, "INSERT INTO DB.S.T VALUES (1)", *MASKING]


def test_a_chain_grows_by_what_is_wanted_too():
    drive = begun("load then mask")
    drive.respond("different-approach", comment="then also show")
    assert [domain for domain, *_ in drive.chain] == ["loading", "guarding", "showing"]
    assert drive.pause.at == "1#2"
    assert finished(drive).ran[-1] == VIEW


def test_what_has_to_come_first_puts_off_what_is_being_done_with_its_answers_kept():
    drive = ChainDrive("mask", target_scope="DB.S.T", admin_role="ANALYST")
    drive.run()
    drive.respond("different-approach", comment="first also load")
    assert drive.chain == [
        ("loading", "playbooks/load", "running"),
        ("guarding", "playbooks/mask", "pending"),
    ]
    assert drive.pause.at == "input:target_table"
    drive.respond("other", values={"target_table": "DB.S.NEW"})
    drive.approve_to("2#2")
    assert dict(drive.state.run.inputs) == {"target_scope": "DB.S.T", "admin_role": "ANALYST"}


def test_a_chain_is_put_in_another_order_by_saying_it_anew():
    drive = begun("mask then show", target_scope="DB.S.T", source="DB.S.T")
    drive.respond("different-approach", comment="show then mask")
    assert [domain for domain, *_ in drive.chain] == ["showing", "guarding"]
    assert (drive.pause.at, drive.state.run.playbook) == ("1#2", "show")


def test_a_phase_that_waits_gets_another_target():
    drive = begun()
    drive.respond("different-approach", comment="audit")
    assert drive.chain == [
        ("loading", "playbooks/load", "running"),
        ("guarding", "playbooks/audit", "pending"),
        ("showing", "playbooks/show", "pending"),
    ]
    assert drive.pause.at == "1#2"


@pytest.mark.parametrize(
    "comment", ["without guarding", "Leave out the guarding phase.", "skip phase 2", "drop mask"]
)
def test_a_phase_that_waits_can_be_left_out(comment):
    drive = begun()
    drive.respond("different-approach", comment=comment)
    (rerouted,) = drive.events("rerouted")
    assert (rerouted.from_, rerouted.to) == (
        "chain: [loading, guarding, showing]",
        "chain: [loading, showing]",
    )
    assert drive.chain == [
        ("loading", "playbooks/load", "running"),
        ("showing", "playbooks/show", "pending"),
    ]
    assert drive.pause.at == "1#2"
    assert not {*MASKING} & {*finished(drive).ran}


@pytest.mark.parametrize("comment", ["without loading", "skip phase 1", "leave out dancing"])
def test_what_is_being_done_or_is_not_there_cannot_be_left_out(comment):
    drive = begun()
    drive.respond("different-approach", comment=comment)
    assert len(drive.chain) == 3


def test_words_that_lead_nowhere_give_nothing_up():
    drive = begun()
    drive.approve_to("2")
    drive.respond("different-approach", comment="make it nicer")
    assert drive.pause.kind == "routing_ambiguous"
    assert [option.id for option in drive.pause.options] == [
        "playbooks/load",
        "none-of-these",
        "abort",
    ]
    drive.respond("playbooks/load")
    assert (drive.pause.at, drive.events("rerouted")) == ("2#2", [])


def test_a_target_that_was_given_up_is_not_come_back_to():
    drive = begun()
    drive.approve_to("1#2")
    drive.respond("different-approach", comment="audit")
    drive.respond("different-approach", comment="mask")
    assert drive.pause.kind == "routing_ambiguous"


@pytest.mark.parametrize(
    "comment", ["audit", "show", "also audit", "first also show", "load", "skip phase 2"]
)
def test_a_kill_in_the_middle_of_a_re_routing_changes_nothing(comment):
    def rerouted():
        drive = begun()
        drive.approve_to("1#2")
        return drive

    whole = rerouted()
    before = whole.state.seq
    whole.respond("different-approach", comment=comment)
    events = whole.store.load("t")
    for cut in range(before + 1, len(events)):
        again = ChainDrive(GOAL, target_table="DB.S.T")
        again.store.append("t", 0, events[:cut])
        again.ids.events = cut
        again.account.history = dict(whole.account.history)
        again.resume()
        assert (again.chain, again.pause.at) == (whole.chain, whole.pause.at), cut


# ---- dry runs


def planned(goal=GOAL, **inputs):
    drive = DryDrive(goal, **(inputs or {"target_table": "DB.S.T"}))
    drive.run()
    return drive


def test_a_dry_run_goes_through_all_phases_on_outputs_that_are_said_to_be_predicted():
    drive = planned()
    assert drive.pause.kind == "dry_run_summary"
    assert [event.outputs for event in drive.events("phase_completed")] == [
        {"created_tables": ["DB.S.T"], "made": ["DB.S.T"], "predicted": True},
        {"created_masking_policies": ["DB.S.P"], "policies": ["DB.S.P"], "predicted": True},
    ]
    mapped = [event.mappings[0] for event in drive.events("context_mapped")]
    assert [(one["to"], one["value"], one["predicted"]) for one in mapped] == [
        ("target_scope", "DB.S.T", True),
        ("source", "DB.S.T", True),
    ]
    assert [sql for event in drive.events("step_planned") for sql in event.would_execute] == [
        TABLE,
        "INSERT INTO DB.S.T VALUES (1)",
        "SELECT N FROM C",
        *MASKING,
        VIEW,
    ]
    assert drive.ran == []


def test_a_later_phase_is_rehearsed_behind_the_ones_before_it():
    drive = planned()
    assert [sql for sql, _ in drive.shadows.made[-1].ran] == [
        TABLE,
        "INSERT INTO DB.S.T VALUES (1)",
        *MASKING,
        VIEW,
    ]
    (summary,) = drive.events("dry_run_summary")
    assert [one["name"] for one in summary.would_create["objects"]] == ["P", "SHOWN", "T"]


def test_execute_does_all_phases_for_real_on_what_they_really_make():
    drive = planned()
    drive.respond("execute")
    assert drive.chain[0] == ("loading", "playbooks/load", "running")
    assert finished(drive).ran == finished(begun()).ran
    assert "predicted" not in drive.events("context_mapped")[-1].mappings[0]
    assert drive.state.status == "completed"


@pytest.mark.parametrize("name", ["target_table", "loading.target_table"])
def test_inputs_of_any_phase_are_changed_after_a_dry_run(name):
    drive = planned()
    drive.respond("modify", values={name: "DB.S.OTHER"})
    assert (drive.pause.at, drive.chain[0][2]) == ("dry_run#2", "completed")
    assert drive.events("context_mapped")[-1].mappings[0]["value"] == "DB.S.OTHER"
    with pytest.raises(UsageError, match=r"has no input 'showing\.target_table'"):
        drive.respond("modify", values={"showing.target_table": "X"})


def test_a_phase_that_probes_for_what_is_not_there_yet_is_told_step_by_step():
    drive = DryDrive("load then mask", target_table="DB.S.T")
    check = ProbeSpec("there", "SELECT 1 FROM INFORMATION_SCHEMA.TABLES", True, (IS_MISSING,))
    mask = replace(drive.library.playbooks["mask"], probes=(check,))
    drive.library = replace(drive.library, playbooks={**drive.library.playbooks, "mask": mask})
    drive.run()
    assert drive.pause.kind == "dry_run_summary"
    told = [event.action for event in drive.events("step_planned")[2:]]
    assert told == [
        f"Step {n}; cannot be rehearsed before the phases ahead of it ran: no table; "
        "then pauses for a review checkpoint"
        for n in (1, 2)
    ]


def test_a_dry_run_goes_on_in_another_process_from_every_event():
    whole = planned()
    events = whole.store.load("t")
    for cut in range(3, len(events)):
        again = DryDrive(GOAL, target_table="DB.S.T")
        again.store.append("t", 0, events[:cut])
        again.ids.events = cut
        again.resume()
        assert (again.pause.kind, again.chain) == ("dry_run_summary", whole.chain)
        assert again.events("dry_run_summary")[0].would_create == (
            whole.events("dry_run_summary")[0].would_create
        )


def test_a_dry_run_that_grows_begins_anew():
    drive = planned("load then mask")
    drive.respond("different-approach", comment="also show")
    assert [status for *_, status in drive.chain] == ["completed", "completed", "running"]
    assert (drive.pause.at, drive.ran) == ("dry_run#2", [])


def test_what_a_shadow_cannot_make_is_told_apart_from_what_would_fail():
    drive = DryDrive("load", target_table="DB.S.T")
    missing = SqlError("Remote file '@S' was not found.", errno=100181, sqlstate="22000")
    gone = SqlError("Object 'DB.S.T' does not exist or not authorized.", errno=2003)
    drive.shadows.failures = {"CREATE TABLE": [missing], "INSERT": [gone]}
    drive.run()
    assert [event.action.split("; ")[1] for event in drive.events("step_planned")] == [
        "not rehearsed: Remote file '@S' was not found.",
        "not rehearsed: Object 'DB.S.T' does not exist or not authorized.",
    ]
