"""Methods: what a class offers, and how the arguments of a call are bound.

Room: embedded. Pure.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.entities import Entity
from skills_nb.embedded.catalog.object_details import InstanceDetail
from skills_nb.embedded.session.context import Context

State = dict[str, Any]
Given = Mapping[str, Any]
Rows = list[tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Method:
    """One method of a class."""

    run: Callable[[Context, State, Given], Any]
    """Takes the instance's state, which it may change, and gives one value or rows."""
    takes: str = ""
    """Names of the arguments in order; `=` behind those that may be left out."""
    columns: str = ""
    """Columns of the rows; empty where the method gives one value."""
    roles: tuple[str, ...] = ()
    """Instance roles that may call it, besides the owner."""
    changes: bool = False
    """Whether it changes the instance: by CALL only."""


@dataclass(frozen=True, slots=True)
class InstanceClass:
    """What the account does about one class."""

    construct: Callable[[Context, tuple[Any, ...]], State]
    """Takes the constructor's arguments and gives the state to begin with."""
    methods: Mapping[str, Method]
    """By upper-cased name."""
    roles: tuple[str, ...]
    """Names of its instance roles: `ADMIN`, `VIEWER`."""
    docs: str
    """Address of the manual's page."""


def state_of(entity: Entity) -> State:
    """Return an instance's state."""
    assert isinstance(entity.detail, InstanceDetail)
    found: State = json.loads(entity.detail.state)
    return found


def bound(name: str, takes: str, positional: list[Any], keywords: dict[str, Any]) -> dict[str, Any]:
    """Give arguments their names.

    Raises:
        SqlError: there are too many or one is not known (1014), or one is missing (938).
    """
    known = [word.rstrip("=") for word in takes.split()]
    if len(positional) > len(known) or set(keywords) - set(known):
        raise errors.invalid_argument(f"invalid arguments for method [{name}]")
    given = {**dict(zip(known, positional, strict=False)), **keywords}
    for word in takes.split():
        if not word.endswith("=") and word not in given:
            raise errors.not_enough_arguments(name)
    return given


def no_arguments(session: Context, arguments: tuple[Any, ...]) -> State:
    """Begin with nothing, for classes whose constructor takes no arguments.

    Raises:
        SqlError: some are given (1014).
    """
    if arguments:
        raise errors.invalid_argument("the constructor takes no arguments")
    return {}
