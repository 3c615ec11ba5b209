"""Browser tests run in a pytest process of their own: `python -m pytest -m browser tests/browser`.

Playwright's synchronous API keeps an event loop running in the main thread, which breaks
`asyncio.run` in whatever test follows.
"""

import importlib.util
import os
import shutil
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
