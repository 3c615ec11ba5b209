"""The shipped library, read once."""

import pytest

from skills_nb.reading import open_library
from skills_nb.routing.evidence import evidence_of
from tests.routing.score import SHIPPED


@pytest.fixture(scope="session")
def library():
    return open_library(SHIPPED)


@pytest.fixture(scope="session")
def evidence(library):
    return evidence_of(library)
