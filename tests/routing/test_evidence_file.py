"""Evidence that was kept as text answers as the one that was prepared."""

import json
from dataclasses import MISSING, fields

import pytest

from skills_nb import load_library
from skills_nb.routing import evidence_file, resolve
from skills_nb.routing.evidence import Evidence, evidence_of, remember

INTENTS = [
    "secure my data",
    "undrop PROD.SALES.ORDERS",
    "why was my bill so high last month, and who read the salaries",
    "make it faster",
    "mask the emial column",
    "load files from s3 and then build a dashboard",
    "let ANALYST read MY_DATA.PUBLIC.VISITS",
    "keep the newest row for each key of CLINIC.RAW.VISITS",
]

PAIRS = ("said_of", "heard")
"""What holds pairs, which come back as lists."""


@pytest.fixture(scope="module")
def library():
    return load_library()


def test_what_was_written_is_read(library):
    prepared = evidence_of(library)
    read = evidence_file.read(evidence_file.write(prepared))
    for part in (each.name for each in fields(Evidence) if each.name not in PAIRS):
        assert (part, getattr(read, part)) == (part, getattr(prepared, part))
    assert _plain(read.said_of) == _plain(prepared.said_of)
    assert _plain(read.heard.said_of) == _plain(prepared.heard.said_of)
    assert read.heard.shares == prepared.heard.shares
    assert read.heard.sentences == prepared.heard.sentences
    before = [resolve(intent, library) for intent in INTENTS]
    remember(library.digest, read)
    assert [resolve(intent, library) for intent in INTENTS] == before


def _plain(said_of):
    return {name: [tuple(each) for each in said] for name, said in said_of.items()}


def test_every_part_of_it_has_to_be_given():
    # A part with a default would be left out of the text, and be missed by nobody.
    assert [each.name for each in fields(Evidence) if each.default is not MISSING] == []
    assert [each.name for each in fields(Evidence) if each.default_factory is not MISSING] == []


@pytest.mark.parametrize("damage", ["", "{", "[]", "{}", '{"form": 0}', '{"form": 2}', "3", "null"])
def test_what_is_no_evidence_is_refused(damage):
    with pytest.raises(ValueError, match=r".*"):
        evidence_file.read(damage)


def test_a_text_that_lost_a_part_is_refused(library):
    held = json.loads(evidence_file.write(evidence_of(library)))
    for name in held:
        with pytest.raises(ValueError, match=r".*"):
            evidence_file.read(json.dumps({key: held[key] for key in held if key != name}))
