"""Classification profiles: how tables are classified, and which tags follow from it.

Room: embedded. Nothing is classified by itself: SYSTEM$CLASSIFY with the profile does what
Snowflake does in the background.

See https://docs.snowflake.com/en/sql-reference/classes/classification_profile
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.classification import CustomCategory
from skills_nb.embedded.objects.instances import custom_classifier
from skills_nb.embedded.objects.instances.instance_kind import register_class
from skills_nb.embedded.objects.instances.instance_methods import (
    Given,
    InstanceClass,
    Method,
    State,
)
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types import names
from skills_nb.sql.identifiers import render_name

_USER = ("PRIVACY_USER",)
_DAYS = ("minimum_object_age_for_classification_days", "maximum_classification_validity_days")
_FLAGS = ("auto_tag", "classify_views")
_KNOWN = (*_DAYS, *_FLAGS, "tag_map", "custom_classifiers")


def _construct(session: Context, arguments: tuple[Any, ...]) -> State:
    """Read the configuration; a key that a profile has not is refused."""
    if len(arguments) > 1 or not all(isinstance(one, dict) for one in arguments):
        raise errors.invalid_argument("the constructor takes one object")
    given = arguments[0] if arguments else {}
    state: State = {}
    for key, value in given.items():
        state[key.lower()] = _checked(session, key.lower(), value)
    return state


def _checked(session: Context, key: str, value: Any) -> Any:
    if key not in _KNOWN:
        raise errors.unsupported(f"{key} of a classification profile")
    if key in _DAYS:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or value < 0:
            raise errors.invalid_value(str(value), key)
        return int(value)
    if key in _FLAGS:
        if not isinstance(value, bool):
            raise errors.invalid_value(str(value), key)
        return value
    if not isinstance(value, dict):
        raise errors.invalid_value(str(value), key)
    if key == "tag_map":
        return {"column_tag_map": [_mapped(session, one) for one in _map_of(value)]}
    return {_named(session, name): _listed(name, rules) for name, rules in value.items()}


def _map_of(value: State) -> list[Any]:
    found = value.get("column_tag_map")
    if not isinstance(found, list) or set(value) != {"column_tag_map"}:
        raise errors.invalid_value(str(value), "tag_map")
    return found


def _mapped(session: Context, entry: Any) -> State:
    """Read one row of the map: a tag that is there, and the categories that it stands for."""
    if not isinstance(entry, dict) or set(entry) - {"tag_name", "tag_value", "semantic_categories"}:
        raise errors.invalid_value(str(entry), "column_tag_map")
    path = names.typed_path(str(entry.get("tag_name", "")))
    tag = access.existing(session, Kind.TAG, path)
    made: State = {"tag_name": render_name(tag.path)}
    if "tag_value" in entry:
        made["tag_value"] = str(entry["tag_value"])
    if "semantic_categories" in entry:
        if not isinstance(entry["semantic_categories"], list):
            raise errors.invalid_value(str(entry), "semantic_categories")
        made["semantic_categories"] = entry["semantic_categories"]
    return made


def _named(session: Context, name: str) -> str:
    """Return a classifier's full name where it is there, for the results."""
    found = access.find(session, Kind.CUSTOM_CLASSIFIER, names.typed_path(name))
    return ".".join(found.path) if found is not None else name


def _listed(name: str, rules: Any) -> Any:
    return rules if list(custom_classifier.categories(name, rules)) or rules == {} else {}


def _describe(session: Context, state: State, given: Given) -> State:
    shown = {key: value for key, value in state.items() if key != "tag_map"}
    return {**shown, **state.get("tag_map", {})}


def _setter(key: str) -> Callable[[Context, State, Given], str]:
    def run(session: Context, state: State, given: Given) -> str:
        state[key] = _checked(session, key, given["VALUE"])
        return f"{key} set successfully."

    return run


def _unsetter(key: str) -> Callable[[Context, State, Given], str]:
    def run(session: Context, state: State, given: Given) -> str:
        state.pop(key, None)
        return f"{key} unset successfully."

    return run


def categories(state: State) -> Iterator[CustomCategory]:
    """Yield the custom categories of a profile."""
    for name, rules in state.get("custom_classifiers", {}).items():
        yield from custom_classifier.categories(name, rules)


def tags_for(state: State, category: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield tag and value for a column of a category; an entry without categories is of all.

    Without a value, the tag says the category.
    """
    for entry in state.get("tag_map", {}).get("column_tag_map", ()):
        wanted = entry.get("semantic_categories")
        if wanted is None or category in wanted:
            yield names.typed_path(entry["tag_name"]), entry.get("tag_value", category)


def existing(session: Context, name: str) -> Entity:
    """Return the profile of a name, as a string holds it."""
    return access.existing(session, Kind.CLASSIFICATION_PROFILE, names.typed_path(name))


_CLASS = InstanceClass(
    _construct,
    {
        "DESCRIBE": Method(_describe, roles=_USER),
        **{
            f"SET_{key.upper()}": Method(_setter(key), "VALUE", roles=_USER, changes=True)
            for key in _KNOWN
        },
        **{
            f"UNSET_{key.upper()}": Method(_unsetter(key), roles=_USER, changes=True)
            for key in ("tag_map", "custom_classifiers")
        },
    },
    _USER,
    "https://docs.snowflake.com/en/sql-reference/classes/classification_profile",
)
register_class(Kind.CLASSIFICATION_PROFILE, _CLASS)
