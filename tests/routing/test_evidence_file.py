"""Evidence that was kept as text answers as the one that was prepared."""

import json

import pytest

from skills_nb import load_library
from skills_nb.routing import evidence_file, resolve
from skills_nb.routing.evidence import evidence_of, remember

INTENTS = [
    "secure my data",
    "undrop PROD.SALES.ORDERS",
    "why was my bill so high last month, and who read the salaries",
    "make it faster",
    "mask the emial column",
    "load files from s3 and then build a dashboard",
]


@pytest.fixture(scope="module")
def library():
    return load_library()


def test_what_was_written_is_read(library):
    prepared = evidence_of(library)
    read = evidence_file.read(evidence_file.write(prepared))
    assert read.targets == prepared.targets
    assert read.shares == prepared.shares
    assert read.outside == prepared.outside
    assert read.domain_words == prepared.domain_words
    assert read.lexicon.phrases == prepared.lexicon.phrases
    before = [resolve(intent, library) for intent in INTENTS]
    remember(library.digest, read)
    assert [resolve(intent, library) for intent in INTENTS] == before


@pytest.mark.parametrize("damage", ["", "{", "[]", "{}", '{"form": 0}', '{"form": 1}', "3", "null"])
def test_what_is_no_evidence_is_refused(damage):
    with pytest.raises(ValueError, match=r".*"):
        evidence_file.read(damage)


def test_a_text_that_lost_a_part_is_refused(library):
    held = json.loads(evidence_file.write(evidence_of(library)))
    for name in held:
        with pytest.raises(ValueError, match=r".*"):
            evidence_file.read(json.dumps({key: held[key] for key in held if key != name}))
