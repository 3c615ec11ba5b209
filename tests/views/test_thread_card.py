from dataclasses import replace

import pytest

from skills_nb.model import events as ev
from skills_nb.model.state import Pause, PlanState, StatementRecord, StepState
from skills_nb.views import render_html, render_text, thread_card, unfold_view
from skills_nb.views.threads.decisions import decision_line
from skills_nb.views.threads.skipped_words import why_skipped
from skills_nb.views.threads.thread_card import as_past, moved_card
from tests.views import states as s


def text(state, pause, **given):
    return render_text(thread_card(state, s.PLAYBOOK, pause, **given), prompt="%skill")


def test_a_review_says_what_was_found_and_the_command_that_answers():
    assert text(s.state(), s.REVIEW) == "\n".join(
        [
            "Tidy up — tidy, waiting for you",
            "Account SHOP-DEV · role SECURITYADMIN · warehouse WH",
            "",
            "  ? 1 Look           waits for you: REVIEW",
            "  ✓ 2 Make policies  done · 1 masking policy",
            "  · 3 Attach",
            "",
            "Found: 2 rows",
            "  COLUMN_NAME",
            "  ───────────",
            "  EMAIL",
            "  PHONE",
            "  In every row: TABLE_NAME CUSTOMERS, CONFIDENCE HIGH",
            "",
            "? REVIEW  Checkpoint after step 1",
            "          Found 2.",
            "",
            "  approve  Proceed as proposed",
            "  modify   Change inputs",
            "  abort    Stop here",
            "",
            "Answer with: %skill respond approve --at 1 --thread tidy",
        ]
    )


def test_a_critical_pause_names_its_phrase_in_the_command():
    shown = text(s.state(), s.CRITICAL)

    assert "! CRITICAL  Checkpoint after step 2" in shown
    assert 'Answer with: %skill respond approve --at 2 --phrase "tidy PROD" --thread tidy' in shown


def test_a_drawn_thread_id_is_left_out():
    shown = text(s.state(thread_id="thr_0123456789ab"), s.REVIEW)

    assert "thr_" not in shown
    assert shown.endswith("Answer with: %skill respond approve --at 1")


def test_a_question_offers_its_choices_and_how_to_say_another():
    card = thread_card(s.state(), s.PLAYBOOK, s.QUESTION)

    assert [choice.command for choice in card.pause.options] == [
        "respond PROD.A --at input:scope --thread tidy",
        "respond other --at input:scope --set scope=VALUE --thread tidy",
        "respond abort --at input:scope --thread tidy",
    ]


def test_an_error_shows_the_statement_that_was_refused():
    shown = text(s.state(statements=(s.REFUSED,)), s.ERROR)

    assert "✗ 3 Attach         failed, waits for you" in shown
    assert "! ERROR  Step 3 failed" in shown
    assert "    ALTER TABLE T MODIFY COLUMN C SET MASKING POLICY M" in shown


def test_a_role_that_was_refused_is_shown_instead_of_the_statement_that_was_never_sent():
    error = ev.StatementError(errno=3013, text="Requested role 'R' is not assigned")
    refused = replace(s.REFUSED, role='"night shift"', error=error)
    shown = text(s.state(statements=(refused,)), s.ERROR)

    assert '    USE ROLE "night shift"' in shown
    assert "ALTER TABLE" not in shown


def test_an_error_of_another_kind_shows_no_statement():
    assert "ALTER TABLE" not in text(s.state(statements=(s.REFUSED,)), s.REVIEW)


def test_cleanup_lists_the_objects_with_the_sql_that_would_run_and_what_stays():
    offered = text(s.state(abort=s.ABORTED), s.CLEANUP)
    assert "2     masking policy  PROD.G.M" in offered
    assert "    DROP MASKING POLICY PROD.G.M;" in offered
    assert "What stays as it is" not in offered

    stays = (ev.Untouched(fqn="PROD.G.T", why="it holds PROD.G.THEIRS"),)
    partly = text(s.state(abort=replace(s.ABORTED, left_alone=stays)), s.CLEANUP)
    assert "What stays as it is" in partly
    assert "PROD.G.T" in partly
    assert "It holds PROD.G.THEIRS" in partly


def test_a_terminal_is_told_what_unfolds_the_statements_of_a_dry_run():
    dry = s.state(run=s.run(mode="dry_run", planned=s.PLANNED, summary=s.SUMMARY, steps={}))
    card = thread_card(dry, s.PLAYBOOK, s.DRY)

    assert "3 in 2 steps (skills-nb status --sql shows it)" in render_text(card)
    assert "CREATE MASKING POLICY" not in render_text(card)
    for how in ("sql", "all"):
        assert "CREATE MASKING POLICY" in render_text(unfold_view(card, how))


def test_a_dry_run_says_what_would_be_created_changed_and_would_fail():
    dry = s.state(run=s.run(mode="dry_run", planned=s.PLANNED, summary=s.SUMMARY, steps={}))
    shown = text(dry, s.DRY)

    assert "Tidy up — tidy, dry run, waiting for you" in shown
    assert "  ○ 2 Make policies  2 statements" in shown
    assert "  ✗ 3 Attach         would fail" in shown
    assert "! WOULD FAIL  Step 3: 003001 (42501): Insufficient privileges" in shown
    assert "  Would create  1 masking policy" in shown
    assert "  Would drop    nothing" in shown
    assert "masking policy: PROD.G.M" in shown
    assert "Every statement: 3 in 2 steps" in shown


def test_a_running_thread_shows_no_pause():
    card = thread_card(s.state(status="running"), s.PLAYBOOK, s.REVIEW, running="step 2: Make")

    assert card.pause is None
    assert render_text(card, prompt="%skill").endswith(
        "▸ step 2: Make; interrupt stops it, %skill resume tidy goes on"
    )


def test_a_thread_that_was_stopped_says_how_to_go_on():
    shown = text(s.state(status="running"), None)

    assert "tidy, stopped; it can go on" in shown
    assert shown.endswith("Go on with: %skill resume tidy")


def test_a_finished_thread_lists_what_it_made():
    shown = text(s.state(status="completed", summary="All done"), None)

    assert "✓ DONE  All done" in shown
    assert "  + created  masking policy  PROD.G.M" in shown
    assert shown.endswith("Everything is on record: %skill show tidy")


def test_a_failed_thread_says_why_and_what_became_of_its_work():
    made = replace(s.REFUSED, sql="CREATE MASKING POLICY PROD.G.M", status="completed")
    undone = replace(made, sql="DROP MASKING POLICY PROD.G.M", kind="compensation")
    ended = {"status": "failed", "failure": "stopped by a person"}
    kept = text(s.state(**ended, statements=(made,)), None)
    whole = ev.CleanupExecuted(cleaned=[undone.sql], restored=["PROD.G.M"])
    cleaned = text(s.state(**ended, statements=(made, undone), aftermath=whole), None)
    stopped = ev.CleanupExecuted(failed=[undone.sql])
    failed = (made, replace(undone, status="failed"))
    halfway = text(s.state(**ended, statements=failed, aftermath=stopped), None)
    alone = ev.Untouched(fqn="PROD.G.M", why="another session granted it")
    foreign = ev.CleanupExecuted(left_alone=[alone])
    left = text(s.state(**ended, statements=(made,), aftermath=foreign), None)

    assert "! ENDED  Stopped by a person. What it did was kept." in kept
    assert "PROD.G.M" in kept
    assert "What it did was taken back, with 1 statement." in cleaned
    assert "masking policy  PROD.G.M" not in cleaned
    assert "Cleanup stopped: the account refused DROP MASKING POLICY PROD.G.M." in halfway
    assert "masking policy  PROD.G.M" in halfway
    assert "1 object stays as it is." in left
    assert "Another session granted it" in left


def test_a_thread_that_changed_nothing_says_so():
    over = s.state(status="failed", failure="stop", run=s.run(steps={}))

    assert "! ENDED  Stop. It had changed nothing." in text(over, None)


def test_skipped_and_failed_steps_say_why():
    steps = {
        "1": StepState("1", "skipped", reason="not needed"),
        "2": StepState("2", "running", failures=("no privilege",)),
    }
    shown = text(s.state(status="running", run=s.run(steps=steps)), None)

    assert "  – 1 Look           skipped: not needed" in shown
    assert "  ✗ 2 Make policies  failed: no privilege" in shown


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("row_filter IS NOT NULL", "not needed: no row filter was given"),
        ("found_table IS NOT NULL", "not needed: no found table was found"),
        ("row_filter IS NULL", "not needed: a row filter was given"),
        ("alert_email IS NULL", "not needed: an alert email was found"),
        (
            "alert_email IS NOT NULL AND rows_left > 0",
            "needed only if there is an alert email and rows left is above 0",
        ),
        ("style = 'streams-and-tasks'", "not needed: style is not streams-and-tasks"),
        ("want <> 'now'", "not needed: want is now"),
        ("change_total > 0", "not needed: change total is not above 0"),
        ("audited = true", "not needed: audited: no"),
        (
            "rows_left > 0 AND method = 'tags'",
            "needed only if rows left is above 0 and method is tags",
        ),
        ("to_attach <> 'nothing'", "not needed: there is nothing to attach"),
        (
            "to_attach <> 'nothing' OR to_change <> 'nothing'",
            "needed only if there is something to attach or there is something to change",
        ),
        ("(a = 1 OR b = 2) AND c", "not needed here"),
        ("a = 1 OR b = 2 AND c = 3", "not needed here"),
        ("LENGTH(x) > 3", "not needed here"),
    ],
)
def test_a_condition_is_put_into_words(condition, words):
    reason = f"its condition is not met: {condition}"

    assert why_skipped(reason, {"row_filter"}) == words


@pytest.mark.parametrize("choice", ["abort", "different-approach"])
def test_what_a_person_stopped_is_no_failure(choice):
    answered = {"1": choice}
    card = thread_card(
        s.state(status="failed", failure="stopped by a person", answered=answered), s.PLAYBOOK, None
    )

    assert (card.status, card.tone) == ("stopped", "plain")
    assert "· STOPPED  Stopped by a person." in render_text(card)
    failed = s.state(status="failed", failure="no way", answered={"1": "approve"})
    assert thread_card(failed, s.PLAYBOOK, None).status == "failed"


@pytest.mark.parametrize("name", ["ACME-PROD", "prod_eu", "MY-PRODUCTION"])
def test_production_is_loud(name):
    context = s.CONTEXT.model_copy(update={"account_name": name})
    card = thread_card(s.state(run=s.run(context=context)), s.PLAYBOOK, s.REVIEW)

    assert "!! PRODUCTION !!" in render_text(card)
    assert '<p class="sk-loud">! PRODUCTION:' in render_html(card)


@pytest.mark.parametrize("name", ["SHOP-DEV", "PRODUCTS-TEST", "REPRODUCE"])
def test_other_accounts_are_not(name):
    context = s.CONTEXT.model_copy(update={"account_name": name})
    card = thread_card(s.state(run=s.run(context=context)), s.PLAYBOOK, s.REVIEW)

    assert "PRODUCTION" not in render_text(card)


def test_buttons_take_the_place_of_the_list_of_options_but_never_of_the_command():
    card = replace(thread_card(s.state(), s.PLAYBOOK, s.REVIEW), has_buttons=True)
    shown = render_text(card, prompt="%skill")

    assert "Proceed as proposed" not in shown
    assert "Click below, or answer with: %skill respond approve --at 1 --thread tidy" in shown


def test_a_card_that_was_left_keeps_its_evidence_and_points_to_the_later_cell():
    asked = thread_card(s.state(), s.PLAYBOOK, s.REVIEW)
    card = moved_card(asked, (as_past(asked, "Checkpoint after step 1: “Approve”"),))
    text, html = render_text(card, prompt="%skill"), render_html(card)

    assert text.endswith("It goes on in a later cell.")
    assert "▸  Checkpoint after step 1: “Approve”" in text
    assert s.REVIEW.present in html
    assert "respond" not in html
    assert "waiting" not in html


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ({"actor": "human:ada"}, "“Approve”, decided by ada, 26 November 2026, 16:20 UTC"),
        ({"actor": "timer"}, "went on by itself, as nobody held it, 26 November 2026, 16:20 UTC"),
        ({"actor": "approve_remaining"}, "approved with the rest, 26 November 2026, 16:20 UTC"),
        (
            {"actor": "model:fine", "choice": "modify", "values": {"row_limit": 5}},
            "“Modify” (row limit 5), decided by model fine, 26 November 2026, 16:20 UTC",
        ),
        (
            {"actor": "human:ada", "choice": "CLINIC.RAW.STAFF", "comment": "of course"},
            "“CLINIC.RAW.STAFF” (of course), decided by ada, 26 November 2026, 16:20 UTC",
        ),
    ],
)
def test_a_decision_says_what_by_whom_and_when(said, line):
    answer = ev.HumanResponse(**{"choice": "approve", "timestamp": "2026-11-26T16:20:07Z", **said})

    assert decision_line("Which of these?", answer) == f"Which of these: {line}"


def test_no_decision_is_made_up():
    assert decision_line("Step 2 failed", None).endswith(
        "not decided yet when a later cell took over"
    )


def test_a_thread_before_its_playbook_shows_its_goal():
    fresh = s.state(run=None, status="running")

    assert render_text(thread_card(fresh, None, None)).startswith("Tidy up — tidy, stopped")


def test_nested_values_are_no_sample():
    steps = {"1": StepState("1", "done", result={"found": [{"A": {"b": 1}}]})}
    card = thread_card(s.state(run=s.run(steps=steps)), s.PLAYBOOK, s.REVIEW)

    assert card.samples == ()


def test_warnings_stand_beside_the_pause():
    warned = replace(s.REVIEW, warnings=("The database holds 2 policies already.",))

    assert "? WARNING  The database holds 2 policies already." in text(s.state(), warned)


@pytest.mark.parametrize(("kind", "when"), [("read", ""), ("once", "At the start: ")])
def test_what_was_warned_of_is_told_as_of_the_start_once_something_changed(kind, when):
    warned = s.run(warned=("V of R exists.",))
    sent = StatementRecord(
        "tidy:5", 5, "2", 1, 1, "CREATE VIEW V AS SELECT 1", kind, None, 1, status="completed"
    )
    assert f"{when}V of R exists." in text(s.state(run=warned, statements=(sent,)), s.CRITICAL)
    assert ("At the start" in text(s.state(run=warned, statements=(sent,)), s.CRITICAL)) is (
        when != ""
    )


def test_an_option_with_its_own_words_is_listed():
    extra = ev.Option(id="include-medium", description="Also the doubtful ones")
    asked = replace(s.REVIEW, options=(s.APPROVE, extra))

    assert "  include-medium  Also the doubtful ones" in text(s.state(), asked)


def planned(kind, **changes):
    """A thread that waits at a guided plan of two steps."""
    steps = (
        ev.PlannedStep(step="1", action="Make it", primitive="streams", sql="CREATE STREAM S"),
        ev.PlannedStep(step="2", action="Look", sql=""),
    )
    plan = PlanState("Follow", steps, proposed=steps, approved=steps[:1], **changes)
    pause = Pause(kind, "plan", present="Follow", options=(s.APPROVE, s.MODIFY))
    return s.state(run=s.run(plan=plan, steps={}), pause=pause), pause


def test_a_proposed_plan_shows_every_statement_and_what_was_approved_before():
    thread, pause = planned("plan_proposed")
    shown = text(thread, pause)
    assert "Step 1, Make it: from primitives/streams, approved before" in shown
    assert "    CREATE STREAM S" in shown
    assert "Step 2, Look: from no primitive" in shown
    assert "Sends nothing." in shown
    modify = thread_card(thread, s.PLAYBOOK, pause).pause.options[1]
    assert modify.command == "respond modify --at plan --set step_1=SQL --thread tidy"


def test_a_rejected_plan_shows_what_was_drafted_with_what_people_changed():
    thread, pause = planned("plan_rejected", edits={"1": "DROP SCHEMA S"})
    shown = text(thread, pause)
    assert "    DROP SCHEMA S" in shown
    assert "The plan breaks a guardrail" in shown


def test_a_plan_is_shown_only_where_it_is_decided_about():
    thread, _ = planned("plan_proposed")
    elsewhere = Pause("checkpoint", "1", options=(s.APPROVE,), step="1")
    assert thread_card(thread, s.PLAYBOOK, elsewhere).guided is None


def test_the_command_lines_of_a_step_are_shown_to_be_run_by_hand():
    card = thread_card(s.state(), s.PLAYBOOK, s.REVIEW, commands=("docker build .",))
    shown = render_text(card, prompt="%skill")
    assert "To be run by you, in a terminal; nothing here runs it" in shown
    assert "docker build ." in shown
    running = thread_card(s.state(), s.PLAYBOOK, s.REVIEW, "step 2", commands=("docker build .",))
    assert "docker build ." not in render_text(running)
