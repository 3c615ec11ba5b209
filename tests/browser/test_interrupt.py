"""Kernel → Interrupt, as a person does it while a statement runs on the account."""

import pytest

pytestmark = pytest.mark.browser
SLOW = """%%skill plan --thread t
goal: Make a view, then count for long
steps:
  - {step: 1, action: View, primitive: views, sql: CREATE VIEW PROD.ANALYTICS.V AS SELECT 1 N}
  - step: 2
    action: Count for long
    primitive: tables
    sql: >-
      CREATE TABLE PROD.ANALYTICS.LONG AS SELECT SUM(SQRT(A.SEQ * B.SEQ)) AS N
      FROM (SELECT SEQ4() AS SEQ FROM TABLE(GENERATOR(ROWCOUNT => 1000000))) AS A
      CROSS JOIN (SELECT SEQ4() AS SEQ FROM TABLE(GENERATOR(ROWCOUNT => 1000))) AS B
"""
DOOR = "get_ipython()._skills_nb_magics.door"
ANSWERS = f"[e.choice for e in {DOOR}.app.wiring.store.load('t') if e.type == 'human_response']"
TYPES = f"[e.type for e in {DOOR}.app.wiring.store.load('t')]"


@pytest.fixture
def interrupt(page):
    def click():
        page.get_by_role("menuitem", name="Kernel").click()
        page.get_by_role("menuitem", name="Interrupt Kernel").click()

    return click


@pytest.fixture
def waiting(opened, expect, button):
    """A thread whose next statement takes long, at the checkpoint before it."""
    notebook = opened(SLOW, "%skill respond approve --thread t", "%skill resume t")
    notebook.run(0)
    notebook.run(1)
    button(notebook.cell(1), "Approve").click()
    expect(notebook.cell(1).locator(".sk")).to_contain_text("waits for you: REVIEW")
    return notebook


def test_an_interrupted_cell_keeps_the_thread_and_resume_goes_on(
    waiting, expect, button, interrupt, page, keep
):
    page.evaluate(
        "() => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = 2;"
        " window.jupyterapp.commands.execute('notebook:run-cell', {}); }"
    )
    cell = waiting.cell(2)
    expect(cell.locator(".sk")).to_contain_text("step 2: Count for long")
    keep(cell, "interrupt-running")
    interrupt()
    expect(cell).to_contain_text("PendingError: interrupted; the thread is kept", timeout=15_000)
    expect(cell).to_contain_text("%skill resume t")
    expect(cell).not_to_contain_text("Traceback")
    keep(cell, "interrupted")
    assert waiting.kernel(TYPES).count("statement_started") == 2
    # What is offered beneath is the command that the error names.
    button(cell, "Go on").click()
    # What was cancelled is not sent again unasked.
    expect(cell.locator(".sk")).to_contain_text("SQL execution canceled", timeout=90_000)
    button(cell, "Retry").click()
    expect(cell.locator(".sk")).to_contain_text("waits for you: REVIEW", timeout=90_000)
    assert "statement_completed" in waiting.kernel(TYPES).split("statement_started")[-1]


def test_an_interrupted_click_keeps_the_thread_and_offers_to_go_on(
    waiting, expect, button, interrupt, keep
):
    cell = waiting.cell(1)
    button(cell, "Approve").click()
    expect(cell.locator(".sk")).to_contain_text("step 2: Count for long")
    interrupt()
    expect(cell.locator(".sk")).to_contain_text("stopped; it can go on", timeout=15_000)
    expect(button(cell, "Go on")).to_be_enabled()
    keep(cell, "interrupted-click")
    assert waiting.kernel(ANSWERS) == "['approve', 'approve']"
