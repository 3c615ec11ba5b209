"""The documents that other programs read: results (schema v2) and the savepoint of a run.

Room: work (bench). Pure. The savepoint is the file `checkpoint.json`; its fields keep the names
of the specification. Spec: Checkpoint Structure; Result Schema (v2).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from skills_nb.bench.scoring import total_score
from skills_nb.errors import UsageError

Share = Annotated[float, Field(ge=0, le=1)]


class Scores(BaseModel):
    """Scores of 0 to 1; null where a component was not measured."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    deploy: Share | None
    """The share of what must work before anything else is looked at."""
    tests: Share | None
    """The share of the assertions about how it was done."""
    functional: Share | None
    """The share of the outcome that was asked for."""
    bulk: Share | None
    """The share of what holds on many rows, or in many wordings."""
    no_tweaks: Share | None
    """Full where what was submitted is what was run, and runs again to the same end."""
    total: Share
    """What was not measured counted as nothing."""

    @model_validator(mode="after")
    def _adds_up(self) -> Scores:
        total = total_score(self.model_dump(exclude={"total"}))
        if abs(total - self.total) > 1e-9:
            raise ValueError(f"total {self.total} is not the sum of its parts, {total}")
        return self


class Result(BaseModel):
    """One graded answer. The fields after `scores` are ours; SWE-bench's tools ignore them."""

    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=())

    model_name_or_path: str
    """As SWE-bench calls it: who answered."""
    instance_id: str = Field(min_length=1)
    """Task id."""
    model_patch: str | None
    """The answer as it was submitted; null where there was none."""
    resolved: bool
    """Whether the verdict is pass."""
    scores: Scores
    verdict: str | None = None
    """`pass`, `fail` or `undetermined`."""
    right: bool | None = None
    """Whether all that was asked for holds and nothing else changed; null where nobody can tell."""
    partial: bool | None = None
    """A label beside the verdict: some components earned points and others did not."""
    upper: Share | None = None
    """The total, what was not measured counted as full."""
    coverage: Share | None = None
    """The weight that was measured."""
    attempt: int | None = Field(default=None, ge=1)
    """1-based; null where the run has one attempt a task."""
    components: dict[str, Any] | None = None
    """State, reason and evidence by component."""
    seconds: float | None = None
    """How long measuring took; null where that is not known."""
    turns: int | None = Field(default=None, ge=1)
    """How many turns the answer had; null where there is none, or nobody counted."""
    statements: int | None = Field(default=None, ge=0)
    """SQL statements that the account was sent; null where none were, or nobody counted."""
    task: dict[str, Any] | None = None
    """Type, domain, level and title, for filters."""
    answer: dict[str, Any] | None = None
    """How the answer ended, tokens and cost, null where unknown; with several turns the last one,
    and those before it with what was shown of each."""


class Metadata(BaseModel):
    """What a run is about; fields that are there must agree when it goes on."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: str
    """As it was asked for."""
    provider: str
    """Who was asked: an endpoint's name, `command`, `replay`, …."""
    timestamp: str
    """When the run began, UTC."""
    tasks: str | None = None
    """Identity of the task set."""
    backend: str | None = None
    """Where tasks are measured."""
    functional: bool | None = None
    """Whether outcomes are measured."""
    attempts: int | None = None
    """Answers a task."""
    skills: bool | None = None
    """Whether models are told pages of the library."""
    sampling: dict[str, Any] | None = None
    """How the model was to answer; null where all of it was left to the endpoint."""


class Savepoint(BaseModel):
    """`checkpoint.json`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    evaluation_id: str = Field(min_length=1)
    """Name of the run."""
    completed_tasks: list[str]
    """Keys of `results`, in the order in which they were graded."""
    results: dict[str, Result]
    """By task; a further attempt as `task#2`."""
    metadata: Metadata
    """What the run is about."""
    hash: str = Field(pattern=r"^sha256:[0-9a-f]{64}$")
    """Over the canonical JSON of the rest."""


def canonical(document: Any) -> bytes:
    """Return the one form of a document that is hashed."""
    text = json.dumps(
        document, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )
    return text.encode()


def digest(document: Any) -> str:
    """Return the hash of a document."""
    return "sha256:" + hashlib.sha256(canonical(document)).hexdigest()


def seal(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a savepoint document with its hash, whatever hash it had."""
    body = {name: value for name, value in document.items() if name != "hash"}
    return {**body, "hash": digest(body)}


def savepoint_of(text: str, name: str = "checkpoint.json") -> Savepoint:
    """Return the savepoint of a file, its hash and its shape checked.

    Raises:
        UsageError: it is not JSON, has no hash, a wrong one, or another shape.
    """
    try:
        document = json.loads(text)
    except ValueError as problem:
        raise UsageError(f"{name} is not JSON: {problem}", hint=_AGAIN) from problem
    if not isinstance(document, dict):
        raise UsageError(f"{name} is not a savepoint", hint=_AGAIN)
    said = document.get("hash")
    if said is None:
        raise UsageError(f"{name} has no hash, so nobody can tell what was changed", hint=_AGAIN)
    right = seal(document)["hash"]
    if said != right:
        raise UsageError(f"{name} says hash {said}, and its content has {right}", hint=_AGAIN)
    try:
        return Savepoint.model_validate(document)
    except ValidationError as problem:
        first = problem.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise UsageError(f"{name}: {place}: {first['msg']}", hint=_AGAIN) from problem


_AGAIN = "choose another --output, or move the file away to derive it anew from the journal"
