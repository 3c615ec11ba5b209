"""The full library's routing parts, read once."""

from pathlib import Path

import pytest

from skills_nb.reading import open_library
from skills_nb.routing.evidence import evidence_of

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def library():
    return open_library(HERE / "library")


@pytest.fixture(scope="session")
def evidence(library):
    return evidence_of(library)
