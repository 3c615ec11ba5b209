"""The support table at the commands' door."""

import pytest

from skills_nb.commands import App
from skills_nb.embedded.tools.support import table
from skills_nb.errors import UsageError
from skills_nb.views import render_text


@pytest.fixture
def app(tmp_path):
    made = App(tmp_path / "home")
    yield made
    made.close()


def test_the_whole_table_is_machine_readable(app):
    assert app.invoke(["account", "support"]).document == table()


def test_words_choose_from_it(app):
    reply = app.invoke(["account", "support", "masking", "policy"])
    listed = [entry["statement"] for entry in reply.document]
    assert listed == [e["statement"] for e in table() if "MASKING POLICY" in e["statement"]]
    assert "CREATE MASKING POLICY" in render_text(reply.view)


def test_words_that_no_entry_has_are_refused(app):
    with pytest.raises(UsageError, match="no statement or view is called 'nonsense'"):
        app.invoke(["account", "support", "nonsense"])


def test_it_is_told_without_opening_an_account(app, tmp_path):
    app.invoke(["account", "support"])
    assert not (tmp_path / "home" / "account").exists()
