"""A list of threads comes a page at a time, from what was worked out before, and is never old."""

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from skills_nb.errors import UsageError
from skills_nb.model.events import ThreadStarted
from skills_nb.runtime.stores.sqlite import SqliteThreadStore
from skills_nb.views import render_text
from tests.commands.flow import begin
from tests.runtime.store_contract import stamped


@pytest.fixture
def many(home):
    with closing(SqliteThreadStore(home)) as store:
        for number in range(120):
            store.append(f"thr_{number:012}", 0, stamped([ThreadStarted(goal=f"goal {number}")]))
    return home


def test_a_page_holds_fifty_and_says_how_to_see_the_others(app, many):
    first = app.invoke(["threads"])
    last = app.invoke(["threads", "--page", "3"])
    assert [len(first.document), len(last.document)] == [50, 20]
    assert "Page 1 of 3. Older ones: skills-nb threads --page 2" in render_text(first.view)
    assert "Older ones" not in render_text(last.view)
    whole = app.invoke(["threads", "--all"])
    assert len({row["thread_id"] for row in whole.document}) == 120
    assert "Older ones" not in render_text(whole.view)


@pytest.mark.parametrize("page", ["0", "-1", "4"])
def test_a_page_that_is_not_there_is_refused(app, many, page):
    with pytest.raises(UsageError, match=f"no page {page}"):
        app.invoke(["threads", "--page", page])


def test_a_row_follows_its_thread(app):
    begin(app)
    assert app.invoke(["threads"]).document[0]["status"] == "paused"
    app.invoke(["abort"])
    assert app.invoke(["threads"]).document[0]["status"] != "paused"


def test_a_damaged_cache_is_as_good_as_none(app, home):
    begin(app)
    before = app.invoke(["threads"]).document
    (kept,) = (home / "cache").glob("threads-*.json")
    for damage in ("", "{", "[]", '{"job": 3}', '{"job": [1, 2]}'):
        kept.write_text(damage)
        assert app.invoke(["threads"]).document == before


def test_what_was_listed_once_is_listed_without_the_engine(many):
    code = (
        "import sys; from pathlib import Path; from skills_nb.commands import App\n"
        "print(len(App(Path(sys.argv[1])).invoke(['threads']).document))\n"
        "print([name for name in ('skills_nb.engine', 'yaml') if name in sys.modules])"
    )
    told = [
        subprocess.run(
            [sys.executable, "-c", code, str(many)],
            capture_output=True,
            text=True,
            check=True,
            cwd=Path(__file__).parents[2],
        ).stdout
        for _ in range(2)
    ]
    assert told[1] == "50\n[]\n"
