"""Answers are validated before they become events, whoever gives them."""

import pytest

from skills_nb.engine.pauses import DRY_RUN_OPTIONS
from skills_nb.engine.respond import Answer, respond
from skills_nb.errors import SqlError, ThreadError, UsageError
from skills_nb.model import events as ev
from skills_nb.model.routes import Candidate, ClarifyOption, Route
from skills_nb.model.skills import OptionSpec
from tests.builders import checkpoint, playbook, step, text_input
from tests.engine.driving import Drive


def asking(*options):
    """A drive whose words fit several targets."""
    route = Route(
        mode="clarify",
        domains=(),
        targets=(),
        confidence=0.4,
        alternatives=(Candidate("playbooks/toy", "playbook", "data-security", 0.4),),
        options=(
            ClarifyOption("toy", "the toy", "playbooks/toy", "playbook"),
            ClarifyOption("none-of-these", "say it again"),
            ClarifyOption("abort", "stop"),
        ),
    )
    drive = Drive(
        playbook(step("1", "CREATE ROLE A", checkpoint=checkpoint())),
        router=lambda intent, library: route,
    )
    drive.goal = "do something"
    return drive


def test_a_candidate_that_is_chosen_is_where_the_thread_goes():
    drive = asking()
    assert drive.run().pause.at == "route"
    assert drive.respond("toy", at="route").pause.at == "1"
    routed = drive.events("routed")[0]
    assert (routed.target, routed.confidence) == ("playbooks/toy", 1.0)
    assert drive.events("human_response")[0].values == {}


def test_none_of_these_says_the_goal_again():
    drive = asking()
    drive.run()
    state = drive.respond("none-of-these", comment="playbooks/toy")
    assert (state.pause.at, drive.events("rerouted")[0].reason) == ("1", "playbooks/toy")


def test_an_ambiguous_thread_can_be_aborted():
    drive = asking()
    drive.run()
    assert drive.respond("abort", comment="never mind").failure == "never mind"


def paused(severity="review", **fields):
    phrase = "yes" if severity == "critical" else None
    drive = Drive(
        playbook(
            step("1", "SELECT {{ n }} AS N", checkpoint=checkpoint(severity, phrase=phrase)),
            inputs=(text_input("n", type="integer"),),
        ),
        n=1,
        **fields,
    )
    drive.run()
    return drive


def test_an_answer_for_another_pause_names_the_right_one():
    with pytest.raises(UsageError, match="waits at '1', not at '2'") as refused:
        paused().respond("approve", at="2")
    assert refused.value.hint == "respond approve --at 1 --thread t"


def test_where_the_answer_is_no_option_the_pause_tells_its_own_proposal():
    drive = paused("critical")
    with pytest.raises(UsageError, match="waits at '1', not at 'dry_run'") as refused:
        drive.respond("execute", at="dry_run")
    assert refused.value.hint == 'respond approve --at 1 --phrase "yes" --thread t'
    with pytest.raises(UsageError) as refused:
        drive.respond("modify", at="0")
    assert refused.value.hint == "respond modify --at 1 --set INPUT=VALUE --thread t"


def test_nothing_that_waits_takes_no_answer():
    drive = paused()
    drive.respond("approve")
    with pytest.raises(ThreadError, match="thread 't' is done, and nothing waits for an answer"):
        drive.respond("approve")


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({"m": 1}, "playbook 'toy' has no input 'm'"),
        ({"n": "x"}, "input 'n' cannot be 'x'"),
        ({}, "'modify' needs to know what to change"),
    ],
)
def test_a_modification_must_fit(values, complaint):
    drive = paused()
    with pytest.raises(UsageError, match=complaint):
        drive.respond("modify", values=values)
    assert drive.pause.at == "1"


def test_values_belong_to_modify():
    with pytest.raises(UsageError, match="'approve' takes no values"):
        paused().respond("approve", values={"n": 2})


@pytest.mark.parametrize("choice", ["approve", "approve_remaining"])
def test_whatever_approves_a_critical_checkpoint_needs_its_phrase(choice):
    drive = paused("critical")
    for phrase, complaint in ((None, "needs its phrase typed"), ("no", "has another phrase")):
        with pytest.raises(UsageError, match=complaint) as refused:
            drive.respond(choice, phrase=phrase)
        assert refused.value.hint == f'respond {choice} --at 1 --phrase "yes"'
    assert drive.respond(choice, phrase=" yes ").status == "completed"


def test_an_option_that_sets_inputs_may_be_given_more():
    option = OptionSpec("wider", "all", sets={"n": 9})
    book = playbook(
        step("1", "SELECT {{ n }}, {{ m }} AS N", checkpoint=checkpoint(options=(option,))),
        inputs=(text_input("n", type="integer"), text_input("m", type="integer")),
    )
    drive = Drive(book, n=1, m=1)
    drive.run()
    state = drive.respond("wider", values={"m": 5})
    assert state.run.inputs == {"n": 9, "m": 5}


def test_approve_takes_the_proposal_of_a_dry_run():
    drive = paused()
    state = drive.state
    events = [
        ev.ThreadStarted(goal="g"),
        ev.Routed(router="r", target="playbooks/toy", mode="playbook"),
        ev.PlaybookStarted(playbook="toy", mode="dry_run"),
        ev.DryRunSummary(options=list(DRY_RUN_OPTIONS)),
    ]
    from skills_nb.engine.evolve import fold

    state = fold(events)
    (response,) = respond(state, drive.library, Answer("approve"))
    assert (response.choice, response.at) == ("execute", "dry_run")


def test_inputs_cannot_be_changed_where_no_playbook_runs():
    drive = asking()
    drive.goal = "primitives/nothing"
    route = Route("reference", ("data-security",), ("primitives/p",), 0.9, ("reference",))
    drive.router = lambda intent, library: route
    assert drive.run().pause.at == "error:plan"
    for useless in ("modify", "retry"):
        with pytest.raises(UsageError, match="not an option"):
            drive.respond(useless, values={"n": 1} if useless == "modify" else {})
    assert drive.respond("abort").status == "failed"


def test_a_fate_that_nobody_knows_is_told_by_a_person_either_way():
    for choice, sent in (("skip", 0), ("retry", 1)):
        drive = Drive(playbook(step("1", "INSERT INTO T VALUES (1)")))
        drive.account.is_blind = True
        drive.account.failures["INSERT"] = [SqlError("gone", errno=250001)]
        drive.run()
        assert drive.respond(choice).status == "completed"
        assert len(drive.ran) == sent


def test_different_approach_without_words_takes_the_goal_again():
    drive = paused()
    drive.router = asking().router
    drive.respond("different-approach")
    assert drive.pause.kind == "routing_ambiguous"
    assert [option.id for option in drive.pause.options] == [
        "playbooks/toy",
        "none-of-these",
        "abort",
    ]
    assert drive.respond("playbooks/toy").pause.at == "1#2"
