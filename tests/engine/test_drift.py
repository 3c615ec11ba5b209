"""What changed since a dry run is told once, before anything is sent."""

from skills_nb.engine import pauses
from skills_nb.engine.compaction import events_to_keep, fold_view
from skills_nb.engine.decide import decide
from skills_nb.engine.evolve import fold
from skills_nb.engine.probes.drift import BASIS, differences
from skills_nb.model import events as ev
from skills_nb.model.effects import Record, Survey
from skills_nb.model.state import ThreadState
from tests.builders import CONTEXT, library, playbook, step
from tests.engine.chaining import DryDrive

TOY = playbook(step("1", "CREATE TABLE A (I INT)"))
LIBRARY = library(TOY)


def found(**objects):
    told = {name: {"owner": owner} for name, owner in objects.items()}
    return ev.EnvironmentProbed(query=BASIS, result={"scope": ["DB"], "objects": told})


def executed(*after):
    """A thread whose dry run found A and which is done for real now."""
    begun = [
        ev.ThreadStarted(goal="g"),
        ev.InputGathered(name="dry_run", value=True),
        ev.Routed(router="r", target="playbooks/toy", mode="playbook"),
        ev.PlaybookStarted(playbook="toy", mode="dry_run", account_context=CONTEXT),
        ev.ProbesExecuted(),
        found(A="R"),
        ev.DryRunSummary(options=list(pauses.DRY_RUN_OPTIONS)),
        ev.HumanResponse(choice="execute", at="dry_run"),
        ev.PlaybookStarted(playbook="toy", account_context=CONTEXT),
        *after,
    ]
    return numbered(begun)


def numbered(events):
    return [event.model_copy(update={"seq": n}) for n, event in enumerate(events, 1)]


def next_of(events):
    return decide(fold(events, ThreadState(thread_id="t")), LIBRARY)


def test_what_a_dry_run_rests_on_is_read_again_when_its_plan_is_done():
    assert next_of(executed()) == (Survey(("DB",)),)


def test_the_same_account_needs_nobody():
    (effect,) = next_of(executed(found(A="R")))
    assert effect == Record((ev.ProbesExecuted(),))


def test_another_account_waits_for_a_person_who_can_plan_again():
    (effect,) = next_of(executed(found(A="S")))
    probes, asked = effect.events
    # What an approval lets through is bound with it.
    assert asked.foreseen is not None
    assert asked.model_copy(update={"foreseen": None}) == ev.ProbeCheckpoint(
        warnings=["Since the dry run: A, owner: was R, is S"],
        options=list(pauses.DRIFT_OPTIONS),
    )
    assert probes.results == [{"id": "drift", "outcome": "confirm", "message": "", "row_count": 1}]


def test_planning_again_leaves_the_real_run():
    (effect,) = next_of(executed(found(A="S")))
    answer = ev.HumanResponse(choice="dry_run", at="probes")
    state = fold(executed(found(A="S"), *effect.events, answer), ThreadState(thread_id="t"))
    assert (state.run, state.dry_run, state.pause) == (None, True, None)


def test_an_account_that_cannot_be_read_again_is_not_taken_for_the_same():
    error = {"text": "no such role", "errno": 3013, "sqlstate": "02000"}
    gone = ev.EnvironmentProbed(query=BASIS, result={"scope": ["DB"], "error": error})
    (effect,) = next_of(executed(gone))
    assert effect.events[1].warnings == [
        "Since the dry run: the account cannot be compared with it: no such role"
    ]


def test_a_real_run_without_a_dry_run_is_compared_with_nothing():
    events = [e for e in executed() if e.type not in ("environment_probed",)]
    (effect,) = next_of(numbered(events))
    assert effect == Record((ev.ProbesExecuted(),))


def test_what_was_sent_since_is_no_change_of_somebody_else():
    drive = DryDrive("load mask")
    drive.run()
    while drive.pause.kind != "dry_run_summary":
        drive.respond("approve")
    drive.respond("execute")
    drive.approve_to(None)
    surveys = [e for e in drive.events("environment_probed") if e.query == BASIS]
    assert (drive.state.status, len(surveys)) == ("completed", 2)


def test_a_compacted_thread_compares_as_the_whole_one():
    for events in (executed(), executed(found(A="S")), executed(found(A="R"))):
        left = fold_view(events_to_keep(events, "t"), "t")
        assert decide(left, LIBRARY) == next_of(events)


def test_each_property_is_told_with_what_it_was():
    before = {
        "table T": {"columns": ["A INT", "B INT"], "owner": "R", "masking_policy on A": "P"},
        "table U": {"owner": "R"},
        "view W": {"columns": ["A INT", "B INT"]},
    }
    now = {
        "table T": {"columns": ["A INT", "C INT"], "owner": "S"},
        "table V": {"owner": "R"},
        "view W": {"columns": ["B INT", "A INT"]},
    }
    assert list(differences(before, now)) == [
        "table T, columns: without B INT, with C INT",
        "table T, masking policy on A: was P, is nothing",
        "table T, owner: was R, is S",
        "table U is gone",
        "table V is new",
        "view W, columns: in another order",
    ]
    assert list(differences(before, before)) == []
