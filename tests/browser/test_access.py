"""Automatic checks of accessibility and speed, on views as they stand in a page."""

import shutil
import subprocess

import pytest

pytestmark = pytest.mark.browser
RUN = "run playbooks/secure-sensitive-data --input target_scope=PROD.CUSTOMER_DATA --thread t"
AXE = """async () => {
    const found = await axe.run({include: [['.sk'], ['.jp-OutputArea .widget-vbox']]});
    return found.violations.filter(v => ['serious', 'critical'].includes(v.impact))
        .map(v => v.id + ': ' + v.nodes.map(n => n.html.slice(0, 120)).join(' | ')); }"""
MANY = """from skills_nb.model import events as ev
from skills_nb.model.state import ThreadState
from skills_nb.views import timeline
from skills_nb.notebook import cards
state = ThreadState(thread_id='long', goal='a long one')
events = [ev.StatementStarted(step=str(n % 9 + 1), ordinal=n, sql=f'SELECT {n}', kind='read', seq=n)
          for n in range(1, 10_001)]"""


@pytest.fixture(scope="session")
def axe(tmp_path_factory):
    """The file of axe-core, from the package registry."""
    folder = tmp_path_factory.mktemp("axe")
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("no npm on this machine")
    words = [npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", "axe-core@4"]
    try:
        done = subprocess.run(words, cwd=folder, capture_output=True, timeout=120, check=False)
    except subprocess.TimeoutExpired:
        pytest.skip("the package registry does not answer")
    if done.returncode:
        pytest.skip(f"axe-core cannot be had: {done.stderr.decode()[-200:]}")
    return folder / "node_modules" / "axe-core" / "axe.min.js"


@pytest.mark.parametrize("theme", ["lab", "dark_lab"])
def test_no_view_has_a_serious_violation(opened, played, expect, axe, page, theme, request, keep):
    home = played(RUN, "approve --at 5")
    notebook = opened(
        "%skill route secure my data",
        "%skill resume t",
        "%skill show t",
        "%skill threads",
        '%skill sql "SELECT 1 AS N"',
        "%skill connect",
        "%skill show primitives/streams",
        "%skill run playbooks/set-up-role-hierarchy --dry-run "
        "--input target_scope=PROD.CUSTOMER_DATA --input role_prefix=SHOP --thread d",
        home=home,
        lab=request.getfixturevalue(theme),
    )
    notebook.run_all()
    expect(notebook.cell(8).locator(".sk")).to_contain_text("Would create", timeout=90_000)
    expect(notebook.cell(8).get_by_role("button", name="Copy SQL")).to_be_visible()
    page.add_script_tag(path=axe)
    keep(notebook.cell(2), f"critical-{theme}")

    assert page.evaluate(AXE) == []


def test_ten_thousand_events_open_within_a_second_and_scroll(opened, expect, page, keep):
    notebook = opened(MANY, "cards.show(timeline(state, events))")
    notebook.run(0)
    notebook.run(1)
    notebook.kernel("len(events)")
    took = page.evaluate(
        """async () => {
            const began = performance.now();
            const w = window.jupyterapp.shell.currentWidget;
            w.content.activeCellIndex = 2;
            await window.jupyterapp.commands.execute('notebook:run-cell', {});
            while (!document.querySelector('.sk-log')) await new Promise(r => setTimeout(r, 10));
            document.querySelector('.sk-log').getBoundingClientRect();
            return performance.now() - began; }"""
    )
    log = notebook.cell(2).locator(".sk-log")
    keep(notebook.cell(2), "ten-thousand-events")
    frames = log.evaluate(
        """async e => {
            let worst = 0;
            for (let n = 1; n <= 20; n++) {
                const began = performance.now();
                e.scrollTop = e.scrollHeight * n / 20;
                await new Promise(r => requestAnimationFrame(() => setTimeout(r, 0)));
                worst = Math.max(worst, performance.now() - began);
            }
            return worst; }"""
    )
    expect(log.locator("li").last).to_be_visible()
    assert took < 1_000
    assert frames < 250
