"""Automatic checks of accessibility and speed, on views as they stand in a page."""

import shutil
import subprocess
from itertools import count, islice

import pytest

from skills_nb.commands import App
from skills_nb.model import events as ev

pytestmark = pytest.mark.browser
RUN = "run playbooks/secure-sensitive-data --input target_scope=PROD.CUSTOMER_DATA --thread t"
AXE = """async () => {
    const found = await axe.run({include: [['.sk'], ['.jp-OutputArea .widget-vbox']]});
    return found.violations.filter(v => ['serious', 'critical'].includes(v.impact))
        .map(v => v.id + ': ' + v.nodes.map(n => n.html.slice(0, 120)).join(' | ')); }"""
EVENTS = 10_000


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


@pytest.fixture(scope="session")
def long_home(tmp_path_factory):
    """A home whose thread `long` went on for ten thousand events."""
    home = tmp_path_factory.mktemp("long") / "home"
    app = App(home)
    app.wiring.conductor.restore(list(islice(many(), EVENTS)), "long")
    app.close()
    return home


def many():
    """A playbook that does the same step again and again: probe, statement, result."""
    name = "secure-sensitive-data"
    yield ev.ThreadStarted(goal=f"playbooks/{name}", library_version="1")
    yield ev.Routed(router="", target=f"playbooks/{name}", mode="playbook", confidence=1.0)
    yield ev.PlaybookStarted(playbook=name, mode="live", inputs={})
    yield ev.ProbesExecuted(results=[], blocked=False, warnings=[])
    for n in count(1):
        sql = f"UPDATE PROD.CUSTOMER_DATA.ORDERS SET NOTE = 'ä, 日本 {n}' WHERE ORDER_ID = {n}"
        key = f":{5 * n}"
        yield ev.StepStarted(step="1")
        yield ev.EnvironmentProbed(query=f"SELECT {n} AS N", result={"row_count": 1})
        yield ev.StatementStarted(
            step="1", ordinal=1, attempt=n, sql=sql, kind="repeatable", effect_key=key
        )
        yield ev.StatementCompleted(effect_key=key, row_count=1, query_id=f"01b2c3d4-{n:08d}")
        yield ev.StepCompleted(step="1", result={"n": n})


def test_ten_thousand_events_of_a_store_open_within_a_second_and_scroll(
    opened, expect, page, keep, long_home, record_property
):
    notebook = opened("%skill threads", "%skill show long", home=long_home)
    notebook.run(0)
    notebook.run(1)
    expect(notebook.cell(1).locator(".sk")).to_contain_text("1 thread")
    took = page.evaluate(
        """async () => {
            const began = performance.now();
            const w = window.jupyterapp.shell.currentWidget;
            w.content.activeCellIndex = 2;
            window.jupyterapp.commands.execute('notebook:run-cell', {});
            while (!document.querySelector('.sk-log')) await new Promise(r => setTimeout(r, 10));
            document.querySelector('.sk-log').getBoundingClientRect();
            return performance.now() - began; }"""
    )
    print("opened in", took)
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
    print("worst frame", frames)
    expect(log.locator("li").last).to_be_visible()
    assert took < 1_000
    assert frames < 250
