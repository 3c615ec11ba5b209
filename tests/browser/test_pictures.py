"""The pictures on cards, as a person sees them, light and dark."""

import pytest

pytestmark = pytest.mark.browser
RUN = "run playbooks/secure-sensitive-data --input target_scope=PROD.CUSTOMER_DATA --thread t"
THEMES = ("light", "dark")


@pytest.fixture(params=THEMES)
def themed(request, opened):
    """Open a notebook in a theme."""
    lab = request.getfixturevalue("lab" if request.param == "light" else "dark_lab")
    return lambda *cells: opened(*cells, lab=lab)


def test_the_sql_of_a_critical_card_is_selected_by_a_click_and_copied_by_a_button(
    themed, played, expect, button, keep, page, request
):
    played(RUN, "approve --at 5")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    notebook = themed("%skill resume t")
    notebook.run_all()
    cell, sql = notebook.cell(1), notebook.cell(1).locator("pre.sk-sql").first
    expect(sql).to_be_visible()
    word, paper = (
        sql.evaluate("e => getComputedStyle(e.querySelector('b')).color"),
        sql.evaluate("e => getComputedStyle(e).color"),
    )
    sql.click()
    selected = page.evaluate("() => getSelection().toString().trim()")
    shown = sql.evaluate("e => e.innerText.trim()")
    keep(cell, f"critical-sql-{request.node.callspec.id}")
    button(cell, "Copy SQL").click()

    expect(button(cell, "Copied")).to_be_visible()
    copied = page.evaluate("() => navigator.clipboard.readText()")
    assert selected == shown
    assert shown in copied
    assert "MASKING POLICY" in copied
    assert word != paper
