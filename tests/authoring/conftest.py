"""A sound library on disk, to write in."""

import shutil
from pathlib import Path

import pytest

from skills_nb.authoring.workspace import Workspace
from skills_nb.lint import lint

BASE = Path(__file__).parent.parent / "lint" / "base"
TODAY = "2026-03-01"


def found(place):
    """What the linter says of a workspace: (path, code) in order."""
    library, documents = place.read()
    return [(d.span.path, d.code) for d in lint(documents, library, today=TODAY)]


@pytest.fixture
def place(tmp_path):
    return Workspace(Path(shutil.copytree(BASE, tmp_path / "library")))


@pytest.fixture
def beside(tmp_path, place):
    overlay = tmp_path / "mine"
    overlay.mkdir()
    (overlay / "skill-index.yaml").write_text('version: "1.0"\n')
    return Workspace(place.library, overlay)
