"""Cards and buttons in a real page: reopened, run again, dark, by keyboard, refused, aborted."""

import re

import pytest
from nbconvert import HTMLExporter

pytestmark = pytest.mark.browser
PHRASE = "protect PROD.CUSTOMER_DATA"
RUN = (
    "%skill run playbooks/secure-sensitive-data --input target_scope=PROD.CUSTOMER_DATA --thread t"
)
DOOR = "get_ipython()._skills_nb_magics.door"
ANSWERS = (
    f"[(e.at, e.choice) for e in {DOOR}.app.wiring.store.load('t') if e.type == 'human_response']"
)
STATEMENTS = f"len({DOOR}.app.wiring.conductor.load('t').statements)"


def test_run_all_stops_at_require_and_running_it_again_repeats_nothing(opened, expect):
    notebook = opened(RUN, "%skill require t", "print('dependent', 'ran')")
    notebook.run_all()

    expect(notebook.cell(1).locator(".sk")).to_contain_text("waits for you: REVIEW")
    expect(notebook.cell(2)).to_contain_text("PendingError: thread 't' is paused at '5'")
    expect(notebook.cell(2)).to_contain_text("%skill respond approve --at 5")
    expect(notebook.cell(2)).not_to_contain_text("Traceback")
    expect(notebook.cell(3)).not_to_contain_text("dependent ran")
    before = notebook.kernel(f"len({DOOR}.app.wiring.store.load('t'))")
    notebook.run_all()
    assert notebook.kernel(f"len({DOOR}.app.wiring.store.load('t'))") == before


def test_reopened_the_next_day_the_card_reads_and_one_command_goes_on(opened, expect, page, button):
    notebook = opened(RUN, "%skill resume t")
    notebook.run(0)
    notebook.run(1)
    expect(button(notebook.cell(1), "Approve")).to_be_visible()
    notebook.save()
    notebook.restart()
    notebook.open()

    card = notebook.cell(1).locator(".sk")
    expect(card).to_contain_text("waits for you: REVIEW")
    expect(card).to_contain_text("%skill respond approve --at 5 --thread t")
    notebook.run(0)
    notebook.run(2)
    button(notebook.cell(2), "Approve").click()
    expect(notebook.cell(2).locator(".sk")).to_contain_text("waits for you: CRITICAL")
    assert notebook.kernel(ANSWERS) == "[('5', 'approve')]"


def test_approval_by_keyboard_alone(opened, expect, page, button):
    notebook = opened(RUN)
    notebook.run_all()
    approve = button(notebook.cell(1), "Approve")
    expect(approve).to_be_visible()
    approve.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")

    expect(notebook.cell(1).locator(".sk")).to_contain_text("waits for you: CRITICAL")


def test_modify_with_a_form_presents_the_step_again(opened, expect, button):
    notebook = opened(RUN)
    notebook.run_all()
    cell = notebook.cell(1)
    button(cell, "Modify…").click()
    cell.get_by_label("confidence").select_option("MEDIUM")
    button(cell, "Apply changes").click()

    expect(cell.locator(".sk")).to_contain_text("confidence MEDIUM")
    assert notebook.kernel(ANSWERS) == "[('5', 'modify')]"


def test_abort_offers_cleanup_and_the_schema_is_gone_again(opened, expect, button):
    notebook = opened(RUN)
    notebook.run_all()
    cell = notebook.cell(1)
    button(cell, "Approve").click()
    expect(cell.locator(".sk")).to_contain_text("waits for you: CRITICAL")
    button(cell, "Abort").click()
    expect(cell.locator(".sk")).to_contain_text("What would be taken back")
    button(cell, "Cleanup").click()

    expect(cell.locator(".sk")).to_contain_text("What it did was taken back, with 4 statements.")
    rows = notebook.kernel(
        f"{DOOR}.app.wiring.session.query('SHOW SCHEMAS IN DATABASE PROD').row_count"
    )
    assert rows == "3"


def test_dark_theme_has_dark_cards(opened, expect, dark_lab):
    notebook = opened(RUN, lab=dark_lab)
    notebook.run_all()
    card = notebook.cell(1).locator(".sk")
    expect(card).to_contain_text("waits for you: REVIEW")

    paper, ink = card.evaluate(
        "e => [getComputedStyle(e).backgroundColor, getComputedStyle(e).color]"
    )
    assert max(_channels(paper)) < 64
    assert min(_channels(ink)) > 192
    tone = card.locator("[data-tone=review] .sk-st").first
    assert _channels(tone.evaluate("e => getComputedStyle(e).color")) == [0xF2, 0xA9, 0x3B]


def _channels(colour):
    return [int(part.split(".")[0]) for part in colour[colour.index("(") + 1 : -1].split(",")][:3]


BUSY = "import time; time.sleep(6)"
START = (
    "() => { const p = window.jupyterapp.shell.currentWidget;"
    " p.content.activeCellIndex = 2; window.jupyterapp.commands.execute('notebook:run-cell'); }"
)


def test_a_click_shows_at_once_though_the_kernel_is_busy_and_a_second_is_nothing(
    opened, expect, button, page, keep
):
    notebook = opened(RUN, BUSY)
    notebook.run(0)
    notebook.run(1)
    cell = notebook.cell(1)
    approve, abort = button(cell, "Approve"), button(cell, "Abort")
    expect(approve).to_be_visible()
    page.evaluate(START)  # not awaited: the kernel is at it
    approve.click()
    expect(cell.get_by_text("Sent. It is done as soon as the kernel is free.")).to_be_visible()
    expect(approve).to_have_class(re.compile("mod-active"))
    keep(cell, "clicked-while-busy")
    abort.click(force=True)
    approve.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")

    expect(cell.locator(".sk")).to_contain_text("waits for you: CRITICAL", timeout=90_000)
    assert notebook.kernel(ANSWERS) == "[('5', 'approve')]"
    expect(cell.locator(".sk summary").first).to_contain_text(
        "Checkpoint after step 5: “Approve”, decided by local"
    )


def test_after_a_restart_the_buttons_say_how_to_go_on(opened, expect, button, page, keep):
    notebook = opened(RUN)
    notebook.run(0)
    notebook.run(1)
    cell = notebook.cell(1)
    expect(button(cell, "Approve")).to_be_visible()
    expect(cell.locator(".sk-lost")).not_to_be_visible()
    notebook.save()
    notebook.restart()

    expect(cell.locator(".sk-lost")).to_be_visible()
    expect(cell.locator(".sk-lost")).to_contain_text("%skill resume t")
    # By its text: its name has the front end's sign of a lost widget in it now.
    approve = cell.locator("button", has_text="Approve").first
    events = approve.evaluate("e => getComputedStyle(e).pointerEvents")
    assert events == "none"
    keep(cell, "kernel-restarted")
    notebook.open()
    left = notebook.cell(1).locator(".jp-OutputArea-child").last
    expect(left).to_be_attached()
    shown = left.locator(".jupyter-widgets").evaluate(
        "e => [getComputedStyle(e).fontSize, getComputedStyle(e, '::after').content]"
    )
    assert shown == ["0px", '"Buttons stand here while the notebook\'s kernel runs."']
    keep(notebook.cell(1), "reopened")


def test_a_saved_notebook_read_without_a_kernel_keeps_the_evidence(opened, expect, button, lab):
    notebook = opened(RUN)
    notebook.run(0)
    notebook.run(1)
    cell = notebook.cell(1)
    button(cell, "Approve").click()
    expect(cell.locator(".sk")).to_contain_text("waits for you: CRITICAL", timeout=90_000)
    notebook.save()
    page, _ = HTMLExporter().from_filename(str(lab.root / notebook.name))

    assert "Checkpoint after step 5: “Approve”, decided by local" in page
    assert "<td>NATIONAL_IDENTIFIER</td>" in page
    assert "Buttons stand here while the notebook" in page
    assert "Error displaying widget" not in page.split("<body", 1)[1]
