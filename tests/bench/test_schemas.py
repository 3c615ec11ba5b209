"""The specification's own examples, filled in, against the schemas."""

import json

import pytest
from pydantic import ValidationError

from skills_nb.bench.schemas import Result, savepoint_of, seal
from skills_nb.errors import UsageError

FULL = {"deploy": 1.0, "tests": 1.0, "functional": 1.0, "bulk": 1.0, "no_tweaks": 1.0, "total": 1.0}


def _result(name="task-001", **changes):
    return {
        "model_name_or_path": "grok-4.1-fast",
        "instance_id": name,
        "model_patch": "--- a/file.cls\n+++ b/file.cls\n...",
        "resolved": True,
        "scores": FULL,
        **changes,
    }


def _savepoint(**changes):
    return seal(
        {
            "evaluation_id": "run-20260127-123456",
            "completed_tasks": ["task-001", "task-002"],
            "results": {"task-001": _result(), "task-002": _result("task-002")},
            "metadata": {
                "model": "grok-4.1-fast",
                "provider": "routellm",
                "timestamp": "2026-01-27T12:34:56Z",
            },
            **changes,
        }
    )


def test_the_result_of_the_specification_is_a_result():
    assert Result.model_validate(_result()).scores.total == 1.0


def test_the_savepoint_of_the_specification_is_a_savepoint():
    found = savepoint_of(json.dumps(_savepoint()))
    assert found.completed_tasks == ["task-001", "task-002"]
    assert savepoint_of(json.dumps(_savepoint(), indent=4, sort_keys=True)) == found


def test_what_was_not_measured_is_null_and_counts_as_nothing():
    scores = {**FULL, "functional": None, "total": 0.5}
    assert Result.model_validate(_result(resolved=False, scores=scores)).scores.functional is None


@pytest.mark.parametrize(
    "changes",
    [
        {"scores": {**FULL, "total": 0.9}},
        {"scores": {**FULL, "deploy": 1.2}},
        {"scores": {k: v for k, v in FULL.items() if k != "bulk"}},
        {"instance_id": ""},
        {"surprise": 1},
    ],
    ids=["total that does not add up", "over 1", "component missing", "no id", "unknown field"],
)
def test_what_is_no_result_is_refused(changes):
    with pytest.raises(ValidationError):
        Result.model_validate(_result(**changes))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda d: {k: v for k, v in d.items() if k != "hash"}, "has no hash"),
        (lambda d: {**d, "completed_tasks": ["task-001"]}, "says hash"),
        (lambda d: {**d, "hash": "sha256:abc123"}, "says hash sha256:abc123"),
        (lambda d: seal({**d, "metadata": {"model": "x"}}), "metadata"),
        (lambda d: [d], "is not a savepoint"),
    ],
    ids=["no hash", "changed", "wrong hash", "no provider", "a list"],
)
def test_what_is_no_savepoint_is_refused(change, said):
    with pytest.raises(UsageError, match=said):
        savepoint_of(json.dumps(change(_savepoint())))
