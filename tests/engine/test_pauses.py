"""Every kind of pause has its options, and what an answer does to it."""

import pytest

from skills_nb.engine import pauses
from skills_nb.engine.evolve import evolve, fold, refusal
from skills_nb.model import events as ev
from skills_nb.model.state import ThreadState

BEGUN = [ev.ThreadStarted(goal="g"), ev.Routed(router="r", target="playbooks/toy", mode="playbook")]
IN_PLAYBOOK = [*BEGUN, ev.PlaybookStarted(playbook="toy")]
DONE = [*IN_PLAYBOOK, ev.ProbesExecuted(), ev.StepStarted(step="1"), ev.StepCompleted(step="1")]


def after(*events):
    return fold(events, ThreadState(thread_id="t"))


def offered(event, *before):
    return [option.id for option in after(*before, event).pause.options]


def reached(severity, phrase=None):
    options = list(pauses.checkpoint_options(severity, phrase))
    return ev.CheckpointReached(after_step="1", severity=severity, options=options)


@pytest.mark.parametrize("severity", ["info", "review", "critical"])
def test_every_checkpoint_has_the_five_options(severity):
    five = ["approve", "approve_remaining", "modify", "abort", "different-approach"]
    assert offered(reached(severity, "yes"), *DONE) == five


def test_only_a_critical_checkpoint_wants_a_phrase():
    wanted = {s: after(*DONE, reached(s, "yes")).pause.phrase for s in ("info", "review")}
    assert wanted == {"info": None, "review": None}
    assert after(*DONE, reached("critical", "yes")).pause.phrase == "yes"


def test_probes_that_must_be_confirmed_have_their_options_and_come_before_step_one():
    event = ev.ProbeCheckpoint(warnings=["w"], options=list(pauses.PROBE_OPTIONS))
    assert offered(event, *IN_PLAYBOOK) == ["approve", "modify", "abort", "different-approach"]
    assert after(*IN_PLAYBOOK, event).pause.warnings == ("w",)


def test_an_escalated_error_offers_skip_only_where_the_step_allows_it():
    running = [*IN_PLAYBOOK, ev.ProbesExecuted(), ev.StepStarted(step="1")]
    plain = ev.ErrorEscalated(step="1", error="no")
    optional = ev.ErrorEscalated(step="1", error="no", context={"skippable": True})
    assert offered(plain, *running) == ["retry", "modify", "abort", "different-approach"]
    assert offered(optional, *running) == ["retry", "modify", "skip", "abort", "different-approach"]


def test_an_unknown_fate_asks_whether_it_ran():
    started = ev.StatementStarted(step="1", ordinal=1, sql="X", kind="once", effect_key="t:6")
    running = [*IN_PLAYBOOK, ev.ProbesExecuted(), ev.StepStarted(step="1"), started]
    state = after(*running, ev.ErrorEscalated(step="1", error="lost"))
    assert {o.id: o.description for o in state.pause.options if o.id in ("retry", "skip")} == {
        "retry": "It did not run: send it",
        "skip": "It did run: go on",
    }


def test_a_dry_run_ends_with_its_options_and_execute_starts_for_real():
    event = ev.DryRunSummary(options=list(pauses.DRY_RUN_OPTIONS))
    dry = [*BEGUN, ev.PlaybookStarted(playbook="toy", mode="dry_run", inputs={"a": 1})]
    assert offered(event, *dry) == [
        "execute",
        "export_plan",
        "modify",
        "abort",
        "different-approach",
    ]
    state = after(*dry, event, ev.HumanResponse(choice="execute", at="dry_run"))
    assert (state.dry_run, state.run, state.given) == (False, None, {"a": 1})


def test_exporting_a_plan_leaves_the_question_open():
    event = ev.DryRunSummary(options=list(pauses.DRY_RUN_OPTIONS))
    dry = [*BEGUN, ev.PlaybookStarted(playbook="toy", mode="dry_run")]
    state = after(*dry, event, ev.HumanResponse(choice="export_plan", at="dry_run"))
    assert state.pause is not None
    assert state.pause.kind == "dry_run_summary"


def test_a_step_that_was_planned_is_kept_once():
    dry = [*BEGUN, ev.PlaybookStarted(playbook="toy", mode="dry_run")]
    planned = [ev.StepPlanned(step="1", action=action) for action in ("a", "b")]
    assert [p.action for p in after(*dry, *planned).run.planned] == ["b"]


def test_a_cleanup_has_three_options():
    aborted = [*DONE, reached("review"), ev.HumanResponse(choice="abort", at="1")]
    event = ev.CleanupProposed(options=list(pauses.CLEANUP_OPTIONS))
    assert offered(event, *aborted) == ["cleanup", "keep", "review"]


def test_an_ambiguous_intent_offers_one_option_for_each_candidate():
    options = [ev.Option(id=name) for name in ("playbooks/a", "none-of-these", "abort")]
    event = ev.RoutingAmbiguous(clarification_options=options)
    state = after(BEGUN[0], event)
    assert [option.id for option in state.pause.options] == [option.id for option in options]
    again = evolve(state, ev.HumanResponse(choice="none-of-these", at="route", comment="more"))
    assert (again.reroute, again.pause) == ("more", None)


def test_a_stale_primitive_asks_and_its_page_leaves_the_question_open():
    event = ev.StalenessWarning(
        primitive="p",
        last_reviewed="2020-01-01",
        days_stale=999,
        options=list(pauses.STALENESS_OPTIONS),
    )
    assert offered(event, *IN_PLAYBOOK) == ["proceed", "check_docs", "abort"]
    shown = after(*IN_PLAYBOOK, event, ev.HumanResponse(choice="check_docs", at="staleness"))
    assert shown.pause.kind == "staleness_warning"
    assert evolve(shown, ev.HumanResponse(choice="proceed", at="staleness")).pause is None


def test_a_proposed_plan_has_four_options_and_a_rejected_one_its_own():
    proposed = ev.PlanProposed(goal="g", options=list(pauses.PLAN_OPTIONS))
    assert offered(proposed, *BEGUN) == ["approve", "modify", "abort", "different-approach"]
    own = [ev.Option(id="break_down"), ev.Option(id="abort")]
    rejected = ev.PlanRejected(reason="complexity_exceeded", options=own)
    assert offered(rejected, *BEGUN) == ["break_down", "abort"]


def test_an_invalid_library_ends_the_thread():
    state = after(BEGUN[0], ev.ValidationError(check="cycles", message="a needs a"))
    assert (state.status, state.failure) == ("failed", "cycles: a needs a")


def test_a_thread_that_is_rerouted_keeps_its_history_and_does_not_come_back():
    state = after(*DONE, ev.Rerouted(reason="no", from_="playbooks/toy", to="playbooks/b"))
    assert (state.tried, state.route, state.run) == (("playbooks/toy",), None, None)
    assert state.seq == len(DONE) + 1


def test_the_phases_of_a_chain_fold():
    chain = [
        ev.ChainStarted(domains=["a", "b"], order_rationale="a first"),
        ev.PhaseStarted(domain="a", phase_number=1),
        ev.PhaseCompleted(domain="a", outputs={"tables": ["T"]}),
        ev.PhaseStarted(domain="b", phase_number=2, context_from_previous={"tables": ["T"]}),
        ev.ContextMapped(mappings=[{"from": "tables", "to": "scope", "value": "T"}]),
    ]
    state = after(BEGUN[0], *chain)
    assert [(one.domain, one.status, one.outputs, one.mapped) for one in state.chain.phases] == [
        ("a", "completed", {"tables": ["T"]}, {}),
        ("b", "running", {}, {"scope": "T"}),
    ]


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (ev.PhaseStarted(domain="b", phase_number=2), "the next phase is 1, a"),
        (ev.PhaseCompleted(domain="a"), "phase 1 has not begun"),
        (ev.ContextMapped(), "phase 1 has not begun"),
    ],
)
def test_phases_come_one_after_the_other(event, why):
    assert refusal(after(BEGUN[0], ev.ChainStarted(domains=["a", "b"])), event) == why
    assert refusal(after(BEGUN[0]), event) == "no chain is being gone through"


def test_a_finished_phase_stays_finished_when_a_chain_changes():
    begun = [
        BEGUN[0],
        ev.ChainStarted(domains=["a", "b"]),
        ev.PhaseStarted(domain="a", phase_number=1),
    ]
    state = after(*begun, ev.PhaseCompleted(domain="a"))
    assert refusal(state, ev.PhaseCompleted(domain="b")) == "phase 2 has not begun"
    assert refusal(after(*begun), ev.PhaseCompleted(domain="b")) == "the chain is in a"
    assert refusal(state, ev.ChainStarted(domains=["b", "a"])) == "finished phases stay finished"
    assert refusal(state, ev.ChainStarted(domains=["a", "c"])) is None
