"""The shipped library, read once."""

import json
from pathlib import Path

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


@pytest.fixture(scope="session")
def intents():
    """Return intents as people said them, most of them with a single wish."""
    text = (Path(__file__).parent / "intents.jsonl").read_text(encoding="utf-8")
    return [json.loads(line)["intent"] for line in text.splitlines()]
