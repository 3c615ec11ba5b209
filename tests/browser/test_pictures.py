"""The pictures on cards, as a person sees them, light and dark."""

import pytest

pytestmark = pytest.mark.browser
RUN = "run playbooks/secure-sensitive-data --input target_scope=PROD.CUSTOMER_DATA --thread t"
THEMES = ("light", "dark")
VIEW = """
_ = get_ipython()._skills_nb_magics.door.app.wiring.session.execute(
    'CREATE VIEW PROD.CUSTOMER_DATA."Big <b>orders" AS SELECT * FROM PROD.CUSTOMER_DATA.CUSTOMERS',
    role=None, tag="by hand",
)
"""


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


def test_a_dry_run_shows_its_diff_its_matrix_and_what_feeds_what(themed, expect, keep, request):
    notebook = themed(
        VIEW,
        "%skill run playbooks/secure-sensitive-data --dry-run --thread d "
        "--input target_scope=PROD.CUSTOMER_DATA",
    )
    notebook.run_all()
    cell = notebook.cell(2)
    expect(cell.locator("tr[data-fate=new]").first).to_contain_text("+ create")
    expect(cell.locator("tr[data-fate=changed]").first).to_contain_text("masking policy")
    turned = cell.locator("table.sk-matrix td[data-turned]").first
    expect(turned).to_have_text("● clear → ◐ masked")
    plain = cell.locator("table.sk-matrix td:not([data-turned])").first
    keep(cell, f"dry-run-pictures-{request.node.callspec.id}")
    bold, thin = (one.evaluate("e => getComputedStyle(e).fontWeight") for one in (turned, plain))

    expect(cell.locator("svg.skg g.n", has_text="Big <b>orders").first).to_be_visible()
    assert int(bold) > int(thin)


COSTS = """
from IPython.display import HTML
from skills_nb.views.sheets import blocks as b
from skills_nb.views.sheets.html import to_html
from skills_nb.views.threads.cost_by_day import cost_blocks, daily_costs

rows = [{"DAY": f"2026-11-{day:02}", "CREDITS": day % 7 * 1.5} for day in range(1, 31)]
blocks = cost_blocks(daily_costs([{"days": rows}]))
HTML(to_html(b.Sheet("Costs", blocks=tuple(blocks)), "%skill"))
"""


def test_credits_by_day_are_bars_that_say_their_number(themed, expect, keep, request):
    notebook = themed(COSTS)
    notebook.run_all()
    cell = notebook.cell(1)
    expect(cell.locator("svg rect.bar")).to_have_count(30)
    keep(cell, f"cost-by-day-{request.node.callspec.id}")
    fills = {
        kind: cell.locator(f"svg rect.bar{kind}").first.evaluate("e => getComputedStyle(e).fill")
        for kind in (".peak", ".none", ":not(.peak):not(.none)")
    }

    assert len(set(fills.values())) == 3
    assert cell.locator("svg rect.bar.peak title").first.text_content() == "2026-11-06: 9 credits"
