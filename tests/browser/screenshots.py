"""Take the README's pictures: `python tests/browser/screenshots.py`.

The pictures are of the real tutorial in a real JupyterLab, light and dark. With a folder as its
argument, every scene is kept there too, to be looked at.
"""

import importlib.util
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

HERE = Path(__file__).parent
NOTEBOOKS = HERE.parents[1] / "notebooks"
PICTURES = NOTEBOOKS / "images"
TUTORIAL = NOTEBOOKS / "01-secure-my-data.ipynb"
PHRASE = "protect PROD.CUSTOMER_DATA"
THEMES = {"": "JupyterLab Light", "-dark": "JupyterLab Dark"}


def _driver():
    spec = importlib.util.spec_from_file_location("lab_driver", HERE / "lab_driver.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main(scenes):
    driver = _driver()
    with sync_playwright() as playwright:
        chromium = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(
            executable_path=chromium, headless=True, args=driver.FLAGS
        )
        for suffix, theme in THEMES.items():
            with tempfile.TemporaryDirectory() as folder:
                lab = driver.Lab(Path(folder), theme)
                try:
                    take(driver, lab, browser, suffix, scenes)
                finally:
                    lab.close()
        browser.close()


def take(driver, lab, browser, suffix, scenes):
    context = browser.new_context(
        viewport={"width": 1120, "height": 2000}, device_scale_factor=2, reduced_motion="reduce"
    )
    page = context.new_page()
    page.set_default_timeout(60_000)
    shutil.copy(TUTORIAL, lab.root / TUTORIAL.name)
    notebook = driver.Notebook(page, lab, TUTORIAL.name)
    play(notebook, page, suffix, scenes)
    context.close()


def play(notebook, page, suffix, scenes):
    cells = notebook.lab.read(notebook.name).cells
    run = next(i for i, c in enumerate(cells) if c.cell_type == "code" and "--dry-run" in c.source)
    for index in range(run + 1):
        notebook.run(index)
    cell = notebook.cell(run)
    card = cell.locator(".sk")

    def keep(name):
        if scenes:
            page.wait_for_timeout(300)
            cell.screenshot(path=scenes / f"{name}{suffix}.png")

    def click(name):
        cell.get_by_role("button", name=name, exact=True).click()

    expect(card).to_contain_text("Would create")
    keep("1-dry-run")
    click("Execute")
    expect(card).to_contain_text("waits for you: REVIEW")
    keep("2-review")
    click("Modify…")
    keep("3-modify")
    click("Approve")
    expect(card).to_contain_text("waits for you: CRITICAL")
    cell.get_by_placeholder(PHRASE).fill(PHRASE)
    keep("4-critical")
    PICTURES.mkdir(exist_ok=True)
    page.mouse.move(0, 0)
    cell.screenshot(path=PICTURES / f"secure-my-data{suffix}.png")
    click("Approve")
    expect(card).to_contain_text("ANALYST reads 0 clear values", timeout=90_000)
    keep("5-verdict")
    click("Approve")
    expect(card).to_contain_text("waits for you: INFO")
    keep("6-info")
    expect(card).to_contain_text("secure, done")
    keep("7-done")


if __name__ == "__main__":
    kept = Path(sys.argv[1]) if sys.argv[1:] else None
    if kept:
        kept.mkdir(parents=True, exist_ok=True)
    main(kept)
