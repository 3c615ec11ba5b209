"""What all tests share: the tests' own modules can be imported by name."""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

# The same examples for everybody in CI: what a search finds by chance belongs to whoever searches.
settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")

sys.path.insert(0, str(Path(__file__).parent.parent))


@pytest.fixture(autouse=True)
def _own_home(tmp_path_factory, monkeypatch):
    """Let no test touch the threads or the account of whoever runs it."""
    if "SKILLS_NB_HOME" not in os.environ:
        monkeypatch.setenv("SKILLS_NB_HOME", str(tmp_path_factory.mktemp("home")))
