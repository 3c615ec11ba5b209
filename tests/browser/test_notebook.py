"""Cards and buttons in a real page: reopened, run again, dark, by keyboard, refused, aborted."""

import pytest

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
