"""Small runs on the room's own tasks."""

from pathlib import Path

import pytest

from skills_nb.bench.models.generators import ReplayGenerator
from skills_nb.bench.pipeline import Options
from skills_nb.bench.run_setting import RunSetting
from skills_nb.bench.tasks import load_tasks
from tests.fakes import FakeClock

TASKS = Path(__file__).parent.parent / "tasks"
GOLD = (TASKS / "mask-emails" / "gold.sql").read_text()


@pytest.fixture
def solutions(tmp_path):
    """A folder with gold for the one task."""
    folder = tmp_path / "solutions"
    folder.mkdir()
    (folder / "mask-emails.sql").write_text(GOLD)
    return folder


@pytest.fixture
def options(tmp_path, solutions):
    """Return a maker of options; what a test does not say is a replay of gold in this process."""

    def made(**changes):
        said = []
        setting = changes.pop("setting", RunSetting(functional=True))
        usual = {
            "model": "stub",
            "tasks": load_tasks(TASKS / "mask-emails"),
            "generator": ReplayGenerator(solutions),
            "output": tmp_path / "run",
            "evaluation_id": "run-20260127-123456",
            "setting": setting,
            "clock": FakeClock(),
            "workers": 1,
            "tell": said.append,
        }
        return Options(**{**usual, **changes})

    return made
