"""The account's badge: told without opening anything, and never in the way."""

import pytest

from skills_nb.commands import App
from skills_nb.commands.home.connections import FILE
from skills_nb.commands.session_badge import badge
from skills_nb.views import Badge

EMBEDDED = Badge("Account SKILLS_NB-EMBEDDED · role ACCOUNTADMIN · warehouse COMPUTE_WH")
TOML = """
[acme]
account = "acme-live"
user = "me"
password = "never shown"
role = "LOADER"
warehouse = "WH"
"""


@pytest.fixture
def configured(tmp_path, monkeypatch):
    """Another home, and a folder of the connector's with one connection."""
    folder = tmp_path / "snowflake"
    folder.mkdir()
    file = folder / "connections.toml"
    file.write_text(TOML)
    file.chmod(0o600)
    monkeypatch.setenv("SNOWFLAKE_HOME", str(folder))
    other = App(tmp_path / "other")
    yield other
    other.close()


def choose(app, **said):
    import json

    app.wiring.home.mkdir(parents=True, exist_ok=True)
    (app.wiring.home / FILE).write_text(json.dumps(said))


def test_the_embedded_account_has_one_badge_before_and_after_it_is_opened(app):
    assert badge(app.wiring) == EMBEDDED
    app.invoke(["connect"])
    assert app.wiring.told is not None
    assert badge(app.wiring) == EMBEDDED


def test_the_badge_makes_and_opens_nothing(tmp_path):
    app = App(tmp_path / "nowhere")
    assert badge(app.wiring) == EMBEDDED
    assert app.wiring.told is None
    assert not (tmp_path / "nowhere").exists()


def test_a_named_account_says_what_its_file_says_but_no_secret_and_is_loud(configured):
    choose(configured, kind="named", name="acme")
    assert badge(configured.wiring) == Badge(
        "Account acme-live · role LOADER · warehouse WH · not opened yet", is_loud=True
    )


def test_a_persons_pattern_decides_what_is_loud(configured):
    choose(configured, kind="named", name="acme", production="nothing-such")
    assert not badge(configured.wiring).is_loud
    choose(configured, kind="embedded", production="EMBEDDED")
    again = App(configured.wiring.home)
    assert badge(again.wiring) == Badge(EMBEDDED.text, is_loud=True)


def test_the_environment_tells_too(configured, monkeypatch):
    monkeypatch.setenv("SNOWFLAKE_ACCOUNT", "acme-dev")
    monkeypatch.delenv("SNOWFLAKE_ROLE", raising=False)
    choose(configured, kind="environment")
    assert badge(configured.wiring) == Badge("Account acme-dev · not opened yet")


def test_a_notebooks_own_session_is_named(configured):
    choose(configured, kind="session", name="session")
    assert badge(configured.wiring).text == "Account of the session 'session' · not opened yet"


def test_what_is_wrong_with_the_configuration_is_said_and_stops_nothing(configured):
    choose(configured, kind="named", name="nowhere")
    assert badge(configured.wiring).text.startswith(
        "Account not known: no connection 'nowhere' in "
    )
    (configured.wiring.home / FILE).write_text("{")
    again = App(configured.wiring.home)
    assert badge(again.wiring).text.endswith("does not say which account is in use")
