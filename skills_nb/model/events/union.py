"""The discriminated union of all events, its codec and its upcasters.

Room: ground. An upcaster takes the document of version n to version n + 1; golden threads of
every released version stay in the tests.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Annotated, Any, TypeAlias, get_args

from pydantic import Field, TypeAdapter
from pydantic_core import ValidationError as PydanticError

from skills_nb.errors import StoreError
from skills_nb.model.events import core, durability, navigation

Event: TypeAlias = (
    core.PlaybookStarted
    | core.ProbesExecuted
    | core.ProbeCheckpoint
    | core.StepStarted
    | core.StepCompleted
    | core.StepFailed
    | core.StepSkipped
    | core.CheckpointReached
    | core.HumanResponse
    | core.InputGathered
    | core.ErrorEscalated
    | core.CleanupProposed
    | core.CleanupExecuted
    | core.PlaybookCompleted
    | core.PhaseSummary
    | core.ThreadCompleted
    | core.ThreadAborted
    | navigation.ChainStarted
    | navigation.PhaseStarted
    | navigation.PhaseCompleted
    | navigation.ContextMapped
    | navigation.Routed
    | navigation.RoutingAmbiguous
    | navigation.Rerouted
    | navigation.PlanProposed
    | navigation.PlanRejected
    | navigation.PlanApproved
    | core.EnvironmentProbed
    | navigation.StepPlanned
    | navigation.DryRunSummary
    | navigation.StalenessWarning
    | navigation.ValidationError
    | durability.ThreadStarted
    | durability.StatementStarted
    | durability.StatementSubmitted
    | durability.StatementCompleted
    | durability.StatementFailed
    | durability.StatementLost
    | durability.ThreadTakenOver
    | durability.ModelAnswered
)

EVENT_TYPES: Mapping[str, type[Event]] = {
    model.model_fields["type"].default: model for model in get_args(Event)
}

UPCASTERS: Mapping[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""(type, version) to the function that takes that version's document one version on."""


@cache
def _adapter() -> TypeAdapter[Event]:
    return TypeAdapter(Annotated[Event, Field(discriminator="type")])


def load_json(text: str | bytes) -> Event:
    """Decode one event from its JSON document.

    Raises:
        StoreError: the document is not an event; the message names the type and the field.
    """
    try:
        return _adapter().validate_json(text)
    except PydanticError as problem:
        document = _document(text)
        older = _upcast(document)
        if older is not document:
            return load(older)
        raise _not_an_event(document, problem) from problem


def load(document: Mapping[str, Any]) -> Event:
    """Decode one event from a mapping, as YAML gives it.

    Raises:
        StoreError: as `load_json`.
    """
    newest = _upcast(dict(document))
    try:
        return _adapter().validate_python(newest)
    except PydanticError as problem:
        raise _not_an_event(newest, problem) from problem


def dump(event: Event) -> dict[str, Any]:
    """Return the event as a flat, JSON-safe mapping: envelope first, then its fields."""
    return event.model_dump(mode="json", by_alias=True)


def _document(text: str | bytes) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError as problem:
        raise StoreError(f"an event is not JSON: {problem}") from problem
    if not isinstance(found, dict):
        raise StoreError("an event is not a JSON object")
    return found


def _upcast(document: dict[str, Any]) -> dict[str, Any]:
    step = UPCASTERS.get((str(document.get("type")), int(document.get("v", 1))))
    return document if step is None else _upcast(step(document))


def _not_an_event(document: Mapping[str, Any], problem: PydanticError) -> StoreError:
    first = problem.errors()[0]
    place = ".".join(str(part) for part in first["loc"]) or "type"
    return StoreError(
        f"event {document.get('seq', '?')} of type '{document.get('type')}' is damaged: "
        f"{place}: {first['msg']}",
        hint="a newer release may have written it; otherwise restore threads.db from a backup",
    )
