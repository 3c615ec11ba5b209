"""The tutorial as a person does it: look, click, type; then what the account says."""

import json
import shutil
from pathlib import Path

import pytest

pytestmark = pytest.mark.browser
TUTORIAL = Path(__file__).parents[2] / "notebooks" / "01-secure-my-data.ipynb"
PHRASE = "protect PROD.CUSTOMER_DATA"
DOOR = "get_ipython()._skills_nb_magics.door"
EVENTS = (
    "[(e.at, e.choice, e.actor)"
    f" for e in {DOOR}.app.wiring.store.load('secure') if e.type == 'human_response']"
)


def index_of(notebook, text):
    cells = notebook.lab.read(notebook.name).cells
    return next(i for i, c in enumerate(cells) if c.cell_type == "code" and text in c.source)


def asked_as(notebook, role, sql):
    """Ask the account itself, not the page."""
    return notebook.kernel(f"{DOOR}.app.wiring.session.query({sql!r}, role={role!r}).rows")


@pytest.fixture
def notebook(lab, page, driver):
    shutil.copy(TUTORIAL, lab.root / TUTORIAL.name)
    return driver.Notebook(page, lab, TUTORIAL.name)


def test_the_tutorial_is_done_by_clicking_and_the_account_then_masks(notebook, page):
    from playwright.sync_api import expect

    sql = (
        "SELECT EMAIL, DATE_OF_BIRTH FROM PROD.CUSTOMER_DATA.CUSTOMERS ORDER BY CUSTOMER_ID LIMIT 1"
    )
    run = index_of(notebook, "--dry-run")
    for index in range(run):
        notebook.run(index)
    assert "user1@example.org" in asked_as(notebook, "ANALYST", sql)

    notebook.run(run)
    cell = notebook.cell(run)
    card = cell.locator(".sk")

    def click(name):
        cell.get_by_role("button", name=name, exact=True).click()

    expect(card).to_contain_text("Would create")
    click("Execute")
    expect(card).to_contain_text("waits for you: REVIEW", timeout=60_000)
    assert "user1@example.org" in asked_as(notebook, "ANALYST", sql)

    click("Approve")
    expect(card).to_contain_text("waits for you: CRITICAL", timeout=60_000)
    approve = cell.get_by_role("button", name="Approve", exact=True)
    expect(approve).to_be_disabled()
    box = cell.get_by_placeholder(PHRASE)
    box.fill(PHRASE.upper())
    expect(approve).to_be_disabled()
    box.fill(PHRASE)
    expect(approve).to_be_enabled()
    approve.click()

    expect(card).to_contain_text("ANALYST reads 0 clear values", timeout=90_000)
    click("Approve")
    expect(card).to_contain_text("waits for you: INFO", timeout=60_000)
    expect(cell.get_by_role("button", name="Hold")).to_be_visible()
    expect(card).to_contain_text("secure, done", timeout=30_000)
    expect(cell.get_by_role("button", name="Approve", exact=True)).to_have_count(0)

    assert asked_as(notebook, "ANALYST", sql) == "(('***', None),)"
    assert "user1@example.org" in asked_as(notebook, "PII_READER", sql)
    answers = notebook.kernel(EVENTS)
    assert "('8', 'approve', 'human:local')" in answers
    assert "('14', 'approve', 'timer')" in answers

    # The cells that say the same answers again change nothing and stop nothing.
    for index in range(run + 1, len(notebook.lab.read(notebook.name).cells)):
        notebook.run(index)
    assert notebook.kernel(EVENTS) == answers
    last_query = index_of(notebook, "WITH buyers")
    expect(notebook.cell(last_query)).to_contain_text("***")
    expect(notebook.cell(last_query)).not_to_contain_text("@example")
    saved = json.dumps(notebook.save().cells)
    assert "user1@example.org" in saved
