"""Every tutorial by Run All, twice without a restart, beside a store that came from elsewhere.

What no person decides has to come out as the notebook was saved; the threads have to end as its
text says; and nothing may stop that was not meant to.
"""

import shutil
from pathlib import Path

import nbformat
import pytest

pytestmark = pytest.mark.browser
TUTORIALS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
DOOR = "get_ipython()._skills_nb_magics.door"
THREADS = (
    f"sorted((h.thread_id, {DOOR}.app.wiring.conductor.load(h.thread_id).status)"
    f" for h in {DOOR}.app.wiring.store.heads() if not h.thread_id.startswith('thr_'))"
)
"""How the threads that a tutorial names have ended; a load has one of its own, with any name."""
ENDS = {
    "01": [("secure", "completed")],
    "02": [("roles", "failed")],
    "03": [("fresh", "completed")],
    "04": [("feed", "failed")],
    "05": [("crm", "completed")],
    "06": [("revenue", "completed"), ("tidy", "failed")],
    "07": [("count", "completed")],
    "08": [("far", "failed")],
    "09": [],
    "10": [("share", "completed")],
}
"""What each tutorial's text says of its threads: those that its person stops are `failed`."""
RUN = "run playbooks/secure-sensitive-data --input target_scope=PROD.CUSTOMER_DATA --thread secure"


@pytest.fixture
def elsewhere(played, lab):
    """A `.skills` in the notebook's folder that another machine filled and had open."""
    home = played(RUN)
    shutil.copytree(home, lab.root / ".skills", dirs_exist_ok=True)
    yield
    shutil.rmtree(lab.root / ".skills")


def text_of(output):
    if output.output_type == "stream":
        return output.text
    return output.get("data", {}).get("text/plain", "")


def is_card(saved):
    """Return whether a cell shows a thread: later cells go on with it, so it comes to look so."""
    return any("sk-steps" in output.get("data", {}).get("text/html", "") for output in saved)


def compared(cell):
    """Return whether a cell shows the same whoever runs it, and however often."""
    is_ignored = "nbval-ignore-output" in cell.metadata.get("tags", ())
    return bool(cell.outputs) and not is_ignored and not is_card(cell.outputs)


def stopped(cells):
    """Return the errors of cells that were not to have any, and the cells that did not run."""
    for cell in cells:
        if "raises-exception" in cell.metadata.get("tags", ()):
            continue
        yield from (o.evalue for o in cell.outputs if o.output_type == "error")
        if cell.execution_count is None:
            yield f"not run: {cell.source}"


def ran(notebook, tutorial):
    """Run all cells; return those of the tutorial as they were saved, without inserted ones."""
    notebook.run_all()
    threads = notebook.kernel(THREADS)  # answered once the kernel is through
    sources = [cell.source for cell in tutorial.cells]
    saved = [c for c in notebook.save().cells if c.source in sources]
    assert [cell.source for cell in saved] == sources
    return threads, [cell for cell in saved if cell.cell_type == "code"]


@pytest.mark.exhaustive
@pytest.mark.parametrize("path", TUTORIALS, ids=lambda path: path.stem)
def test_run_all_ends_as_the_text_says_twice(path, elsewhere, lab, page, driver):
    page.set_default_timeout(300_000)
    shutil.copy(path, lab.root / path.name)
    tutorial = nbformat.read(path, as_version=4)
    before = [cell for cell in tutorial.cells if cell.cell_type == "code"]
    notebook = driver.Notebook(page, lab, path.name)
    for _ in range(2):
        threads, after = ran(notebook, tutorial)

        assert list(stopped(after)) == []
        assert threads == repr(ENDS[path.stem[:2]])
        for was, now in zip(before, after, strict=True):
            if compared(was):
                assert list(map(text_of, was.outputs)) == list(map(text_of, now.outputs))[:1]
