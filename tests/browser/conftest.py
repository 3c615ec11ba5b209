"""Browser tests run in a pytest process of their own: `python -m pytest -m browser tests/browser`.

Playwright's synchronous API keeps an event loop running in the main thread, which breaks
`asyncio.run` in whatever test follows.
"""

import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
_CHROMIUM = next(
    (
        found
        for name in (
            os.environ.get("CHROMIUM", ""),
            "chromium",
            "chromium-browser",
            "google-chrome",
        )
        if name and (found := shutil.which(name))
    ),
    None,
)


def _missing():
    if importlib.util.find_spec("playwright") is None:
        return "playwright is not installed: pip install '.[test]'"
    if importlib.util.find_spec("jupyterlab") is None:
        return "JupyterLab is not installed: pip install '.[lab]'"
    return None if _CHROMIUM else "no Chromium on this machine: apt-get install chromium"


@pytest.fixture(scope="session", autouse=True)
def _tools():
    reason = _missing()
    if reason and os.environ.get("CI", "").lower() == "true":
        pytest.fail(reason)
    if reason:
        pytest.skip(reason)


@pytest.fixture(scope="session")
def browser(_tools):
    from playwright.sync_api import sync_playwright

    lab_driver = _driver()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=_CHROMIUM, headless=True, args=lab_driver.FLAGS
        )
        yield browser
        browser.close()


@pytest.fixture
def page(browser):
    context = browser.new_context(viewport={"width": 1200, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(60_000)
    yield page
    context.close()


@pytest.fixture(scope="session")
def driver():
    return _driver()


def _driver():
    """Import the driver by its place: test folders are no packages."""
    spec = importlib.util.spec_from_file_location("lab_driver", HERE / "lab_driver.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def lab(tmp_path_factory, driver, _tools):
    lab = driver.Lab(tmp_path_factory.mktemp("lab"))
    yield lab
    lab.close()


@pytest.fixture(scope="session")
def dark_lab(tmp_path_factory, driver, _tools):
    lab = driver.Lab(tmp_path_factory.mktemp("dark"), theme="JupyterLab Dark")
    yield lab
    lab.close()


@pytest.fixture(scope="session")
def notebook_seven(tmp_path_factory, driver, _tools):
    if importlib.util.find_spec("notebook") is None:
        pytest.skip("Notebook 7 is not installed: pip install notebook")
    lab = driver.Lab(tmp_path_factory.mktemp("seven"), app="notebook")
    yield lab
    lab.close()


@pytest.fixture
def expect():
    from playwright.sync_api import expect

    return expect


@pytest.fixture
def opened(lab, page, driver, tmp_path):
    """Open a notebook of these cells on a home of its own."""

    def open_notebook(*cells, lab=lab, home=tmp_path / "home", page=page, name=tmp_path.name):
        opening = f"%load_ext skills_nb\n%config SkillsNB.home = {str(home)!r}"
        lab.write(f"{name}.ipynb", [opening, *cells])
        return driver.Notebook(page, lab, f"{name}.ipynb")

    return open_notebook


@pytest.fixture
def played(tmp_path):
    """Give commands in a terminal, one line each, in the home that `opened` shows next."""

    def play(*lines):
        home = tmp_path / "home"
        for line in lines:
            done = subprocess.run(
                [sys.executable, "-m", "skills_nb", *shlex.split(line)],
                cwd=HERE.parents[1],
                env={**os.environ, "SKILLS_NB_HOME": str(home)},
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode in (0, 3, 4), done.stdout + done.stderr
        return home

    return play


@pytest.fixture
def button():
    return lambda cell, name: cell.get_by_role("button", name=name, exact=True)


@pytest.fixture
def keep(request):
    """Keep a picture of a cell, to be looked at; SKILLS_NB_PICTURES says where."""
    folder = os.environ.get("SKILLS_NB_PICTURES")
    place = Path(folder) if folder else request.getfixturevalue("tmp_path_factory").getbasetemp()

    def take(cell, name):
        place.mkdir(parents=True, exist_ok=True)
        path = place / f"{name}.png"
        # What is taller than the window would be cut off by the front end's own frame.
        before = cell.page.viewport_size
        cell.page.set_viewport_size({**before, "height": 2400})
        cell.screenshot(path=path)
        cell.page.set_viewport_size(before)
        assert path.stat().st_size > 5_000

    return take
