"""A demo account to work on: made once, copied for each test that changes it."""

import shutil

import pytest

from skills_nb.commands import App


@pytest.fixture(scope="session")
def seeded(tmp_path_factory):
    """A home folder with a fresh demo account."""
    home = tmp_path_factory.mktemp("seeded")
    app = App(home)
    app.invoke(["connect"])
    app.close()
    return home


@pytest.fixture
def home(seeded, tmp_path):
    return shutil.copytree(seeded, tmp_path / "home")


@pytest.fixture
def app(home):
    app = App(home)
    yield app
    app.close()
