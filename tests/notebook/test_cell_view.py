"""Checkpoints with buttons, on a real account, without a browser."""

import asyncio
import re
import threading

import ipywidgets
import pytest

from skills_nb.errors import PendingError, ThreadError

PLAYBOOK = "playbooks/secure-sensitive-data --input target_scope=PROD.CUSTOMER_DATA"
PHRASE = "protect PROD.CUSTOMER_DATA"
WITHOUT = "[Buttons stand here while the notebook's kernel runs.]"
EVIDENCE = "<td>NATIONAL_IDENTIFIER</td>"


@pytest.fixture(autouse=True)
def _with_buttons(shell):
    shell._skills_nb_magics.settings.ui = "widgets"


at_review = pytest.mark.parametrize("home", ["at_review"], indirect=True)
at_critical = pytest.mark.parametrize("home", ["at_critical"], indirect=True)
at_verdict = pytest.mark.parametrize("home", ["at_verdict"], indirect=True)


def controls(door, thread="t"):
    return door._cells[thread]._controls


def buttons(door):
    return {button.description: button for button in controls(door)._buttons}


def input_box(door):
    found = [controls(door)._box]
    for widget in found:
        found.extend(getattr(widget, "children", ()))
    (box,) = (widget for widget in found if isinstance(widget, ipywidgets.Combobox))
    return box


def events(door, thread="t"):
    return door.app.wiring.store.load(thread)


def answers(door):
    return [(e.at, e.choice, e.actor) for e in events(door) if e.type == "human_response"]


@pytest.mark.slow
def test_cell_returns_at_a_checkpoint_with_a_card_and_buttons(skill, door, screen):
    skill(f"run {PLAYBOOK} --thread t")

    assert list(buttons(door))[:5] == [
        "Approve",
        "Approve remaining",
        "Modify…",
        "Abort",
        "Different approach…",
    ]
    assert len(screen.outputs) == 2
    assert "waits for you: REVIEW" in screen.texts[0]
    assert "%skill respond approve --at 5 --thread t" in screen.texts[0]
    assert screen.texts[1] == WITHOUT
    assert "application/vnd.jupyter.widget-view+json" not in screen.outputs[0]


@pytest.mark.slow
@at_review
def test_click_goes_on_in_the_same_cell(skill, door, screen):
    skill("resume t")
    buttons(door)["Approve"].click()

    assert answers(door) == [("5", "approve", "human:local")]
    assert len(screen.outputs) == 2
    assert "waits for you: CRITICAL" in screen.texts[0]


@pytest.mark.slow
@at_review
def test_second_click_answers_nothing(skill, door):
    skill("resume t")
    approve = buttons(door)["Approve"]
    approve.click()
    approve.click()

    assert answers(door) == [("5", "approve", "human:local")]


@pytest.mark.slow
@at_critical
def test_critical_checkpoint_needs_the_phrase_and_only_the_phrase(skill, door):
    skill("resume t")
    approve, phrase = buttons(door)["Approve"], controls(door)._phrase

    assert approve.disabled
    phrase.value = PHRASE[:-1]
    assert approve.disabled
    phrase.value = PHRASE
    assert not approve.disabled
    approve.click()
    assert answers(door)[-1] == ("8", "approve", "human:local")
    assert events(door)[-1].type == "checkpoint_reached"


@at_review
def test_approve_remaining_does_not_pass_a_critical_checkpoint(skill, door, screen):
    skill("resume t")
    buttons(door)["Approve remaining"].click()

    assert "waits for you: CRITICAL" in screen.texts[0]


@at_critical
def test_no_button_goes_past_a_critical_checkpoint_without_the_phrase(skill, door):
    skill("resume t")

    assert list(buttons(door)) == ["Approve", "Modify…", "Abort", "Different approach…"]


@at_review
def test_modify_opens_a_form_with_the_inputs_and_changes_only_what_was_changed(skill, door):
    skill("resume t")
    buttons(door)["Modify…"].click()
    form = controls(door)._form.children[0]
    named = {box.description: box for box in form.children}

    assert named["Restricted role"].value == "ANALYST"
    assert isinstance(named["Confidence"], ipywidgets.Dropdown)
    named["Confidence"].value = "MEDIUM"
    named["Apply changes"].click()
    assert [e.type for e in events(door)].count("checkpoint_reached") == 2
    answer = next(e for e in events(door) if e.type == "human_response")
    assert (answer.choice, answer.values) == ("modify", {"confidence": "MEDIUM"})


@at_review
def test_form_without_a_change_is_not_sent(skill, door):
    skill("resume t")
    buttons(door)["Modify…"].click()
    controls(door)._form.children[0].children[-1].click()

    assert "Nothing was changed yet" in controls(door)._said.value
    assert answers(door) == []


@pytest.mark.slow
def test_question_offers_its_choices_as_buttons(skill, door, screen):
    skill("run playbooks/secure-sensitive-data --dry-run --thread t")
    assert "PROD.CUSTOMER_DATA" in buttons(door)
    buttons(door)["PROD.CUSTOMER_DATA"].click()

    assert "Would create" in screen.texts[0]


@pytest.mark.slow
def test_other_value_is_typed_into_a_box(skill, door, screen):
    skill("run playbooks/secure-sensitive-data --dry-run --thread t")
    box = input_box(door)
    assert "PROD.CUSTOMER_DATA" in box.options
    buttons(door)["Use this value"].click()
    assert "Type a value first" in controls(door)._said.value
    box.value = "PROD.CUSTOMER_DATA.ORDERS"
    buttons(door)["Use this value"].click()

    assert "Would create" in screen.texts[0]


def test_value_that_is_no_name_is_refused_and_nothing_is_executed(skill, door):
    skill("run playbooks/secure-sensitive-data --thread t")
    input_box(door).value = 'PROD"; DROP DATABASE PROD; --'
    buttons(door)["Use this value"].click()

    assert 'role="alert"' in controls(door)._said.value
    assert not [e for e in events(door) if e.type == "statement_started"]


@pytest.mark.slow
@at_critical
def test_abort_button_offers_cleanup_and_closes_at_the_end(skill, door, screen):
    skill("resume t")
    buttons(door)["Abort"].click()

    assert list(buttons(door)) == ["Cleanup", "Keep", "Review"]
    buttons(door)["Cleanup"].click()
    assert controls(door) is None
    assert "stopped" in screen.texts[0]


@at_review
def test_command_in_a_later_cell_takes_the_buttons_over(skill, door, screen):
    skill("resume t")
    first = door._cells["t"]
    skill("respond approve --at 5 --thread t")

    assert first._controls is None
    assert "It goes on in a later cell." in screen.texts[0]
    assert "waits for you: CRITICAL" in screen.texts[2]


@at_review
def test_saved_answer_cannot_approve_another_checkpoint(skill):
    skill("resume t")
    skill("respond approve --at 5")

    with pytest.raises(ThreadError) as refusal:
        skill("respond abort --at 5")
    assert refusal.value.message == "'5' is answered already: approve"


@pytest.mark.slow
@at_review
def test_same_answer_again_changes_nothing_and_shows_the_thread(skill, door, screen):
    skill("respond approve --at 5")
    before = len(events(door))
    skill("respond approve --at 5")

    assert len(events(door)) == before
    assert "waits for you: CRITICAL" in screen.texts[-2]


@pytest.mark.slow
def test_run_again_executes_nothing_twice(skill, door):
    skill(f"run {PLAYBOOK} --thread t")
    before = len(events(door))
    skill(f"run {PLAYBOOK} --thread t")

    assert len(events(door)) == before


@at_review
def test_require_stops_while_the_thread_waits(skill):
    skill("resume t")

    with pytest.raises(PendingError) as refusal:
        skill("require t")
    assert refusal.value._render_traceback_() == [
        "PendingError: thread 't' is paused at '5'",
        "  hint: %skill respond approve --at 5 --thread t",
    ]


@pytest.mark.slow
@at_verdict
def test_info_checkpoint_goes_on_by_itself(skill, door, shell):
    shell._skills_nb_magics.settings.auto_proceed_s = 0.05

    async def scene():
        skill("respond approve --at 13")
        assert door._cells["t"]._pause.severity == "info"
        await asyncio.sleep(0.3)

    asyncio.run(scene())
    assert answers(door)[-1] == ("14", "approve", "timer")
    assert events(door)[-1].type == "thread_completed"


@pytest.mark.slow
@at_verdict
def test_hold_stops_the_countdown(skill, door, shell):
    shell._skills_nb_magics.settings.auto_proceed_s = 0.05

    async def scene():
        skill("respond approve --at 13")
        controls(door)._hold.click()
        await asyncio.sleep(0.3)

    asyncio.run(scene())
    assert answers(door)[-1] == ("13", "approve", "human:local")
    assert "Held." in controls(door)._said.value


@pytest.mark.slow
@at_verdict
def test_a_later_cell_waits_for_the_countdown_of_an_info_checkpoint(skill, door, shell, screen):
    shell._skills_nb_magics.settings.auto_proceed_s = 0.5

    async def scene():
        skill("respond approve --at 13")
        skill("require t")

    asyncio.run(scene())
    assert answers(door)[-1] == ("14", "approve", "timer")
    assert "Thread 't' is completed." in screen.texts[-1]


@pytest.mark.slow
@at_verdict
def test_a_held_checkpoint_is_not_waited_for(skill, door, shell):
    shell._skills_nb_magics.settings.auto_proceed_s = 600.0

    async def scene():
        skill("respond approve --at 13")
        hold = threading.Timer(0.5, controls(door)._hold.click)
        hold.start()
        with pytest.raises(PendingError):
            skill("require t")

    asyncio.run(scene())
    assert answers(door)[-1] == ("13", "approve", "human:local")
    controls(door)._hold.click()
    assert "Held." in controls(door)._said.value


@pytest.mark.slow
@at_verdict
def test_hold_says_nothing_false_once_the_countdown_is_over(skill, door, shell):
    shell._skills_nb_magics.settings.auto_proceed_s = 0.05

    async def scene():
        skill("respond approve --at 13")
        hold = controls(door)._hold
        await asyncio.sleep(0.3)
        hold.click()

    asyncio.run(scene())
    assert answers(door)[-1] == ("14", "approve", "timer")


@at_review
def test_click_on_another_thread_is_done_on_the_main_one(skill, door):
    async def scene():
        skill("resume t")
        approve = buttons(door)["Approve"]
        clicker = threading.Thread(target=approve.click)
        clicker.start()
        await asyncio.to_thread(clicker.join)
        assert approve.disabled
        await asyncio.sleep(0.05)

    asyncio.run(scene())
    assert answers(door) == [("5", "approve", "human:local")]


def test_progress_is_shown_while_a_command_takes_long(skill, shell, screen):
    shell._skills_nb_magics.settings.progress_after_s = 0.0
    skill(f"run {PLAYBOOK} --thread t")

    running = [m["data"]["text/plain"] for m in screen.publisher.outputs if "▸ " in str(m)]
    assert any("running" in text for text in running)
    assert screen.updates


def test_a_thread_that_was_stopped_on_its_way_goes_on_by_a_click(skill, door, screen):
    skill(f"run {PLAYBOOK} --thread t --until 3")
    assert list(buttons(door)) == ["Go on"]
    assert "stopped; it can go on" in screen.texts[0]
    assert screen.texts[1] == WITHOUT
    go_on = buttons(door)["Go on"]
    go_on.click()

    assert "waits for you: REVIEW" in screen.texts[0]
    assert "Approve" in buttons(door)
    before = len(events(door))
    go_on.click()
    assert len(events(door)) == before


@pytest.mark.slow
@at_review
def test_an_interrupted_click_offers_to_go_on(skill, door, screen, monkeypatch):
    skill("resume t")
    real = door.app.wiring.session.execute

    def interrupted(*args, **named):
        raise KeyboardInterrupt

    monkeypatch.setattr(door.app.wiring.session, "execute", interrupted)
    buttons(door)["Approve"].click()
    assert list(buttons(door)) == ["Go on"]
    assert "stopped; it can go on" in screen.texts[0]
    monkeypatch.setattr(door.app.wiring.session, "execute", real)
    buttons(door)["Go on"].click()

    assert "waits for you: CRITICAL" in screen.texts[0]
    assert answers(door) == [("5", "approve", "human:local")]


@pytest.mark.slow
@at_review
def test_a_card_keeps_what_was_decided_and_on_what(skill, door, screen):
    skill("resume t")
    before = screen.outputs[0]["text/html"]
    buttons(door)["Approve"].click()
    after = screen.outputs[0]["text/html"]

    (line,) = re.findall(r"<summary>(Checkpoint after step 5: [^<]*)</summary>", after)
    assert re.fullmatch(
        r"Checkpoint after step 5: “Approve”, decided by local, \d+ \w+ \d{4}, \d\d:\d\d UTC", line
    )
    assert EVIDENCE in before
    assert EVIDENCE in after


@pytest.mark.slow
@at_review
def test_the_card_of_an_earlier_cell_keeps_its_evidence_under_the_decision(skill, screen):
    skill("resume t")
    skill("respond approve --at 5 --thread t")
    html, text = screen.outputs[0]["text/html"], screen.texts[0]

    assert EVIDENCE in html
    assert "Checkpoint after step 5: “Approve”, decided by local" in text
    assert text.endswith("It goes on in a later cell.")
    assert "waiting for you" not in text
    assert "%skill respond" not in html


@at_review
def test_a_card_left_undecided_says_so(skill, screen):
    skill("resume t")
    skill("status t")

    assert "Checkpoint after step 5: not decided yet when a later cell took over" in screen.texts[0]


@pytest.mark.slow
def test_rows_as_roles_would_see_them_stand_in_widgets_and_in_no_output(skill, door, screen):
    goal = "mask the email column of PROD.CUSTOMER_DATA.CUSTOMERS"
    skill(f'run "{goal}" --dry-run --input clear_role=PII_READER --thread t')
    buttons(door)["Approve"].click()
    found = [controls(door)._box]
    for widget in found:
        found.extend(getattr(widget, "children", ()))
    shown = [w.value for w in found if isinstance(w, ipywidgets.HTML) and "@example" in w.value]

    assert len(shown) == 1
    assert "3 sample rows as each role would see them, before and after" in shown[0]
    before = str(screen.outputs)
    buttons(door)["Execute"].click()
    for said in (before, str(screen.outputs)):
        assert "They are not kept, neither here nor in the thread." in said
        assert "@example" not in said
