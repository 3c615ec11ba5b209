"""Custom classifiers: categories of one's own, by regular expressions.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/classes/custom_classifier
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.entities import Kind
from skills_nb.embedded.classification import CustomCategory
from skills_nb.embedded.objects.instances.instance_kind import register_class
from skills_nb.embedded.objects.instances.instance_methods import (
    Given,
    InstanceClass,
    Method,
    State,
    no_arguments,
)
from skills_nb.embedded.session.context import Context
from skills_nb.errors import UsageError

_USER = ("PRIVACY_USER",)
_OPTIONAL = ("COL_NAME_REGEX", "DESCRIPTION")
_THRESHOLD = 0.8


def _add(session: Context, state: State, given: Given) -> str:
    """See https://docs.snowflake.com/en/sql-reference/classes/custom_classifier/methods/add_regex.

    A second expression for a category is one more way to be of it.
    """
    category = str(given["SEMANTIC_CATEGORY"])
    rule = {
        **{name.lower(): given.get(name) for name in _OPTIONAL},
        "privacy_category": given["PRIVACY_CATEGORY"],
        "threshold": given.get("THRESHOLD", _THRESHOLD),
        "value_regex": given["VALUE_REGEX"],
    }
    _category("", category, rule)
    held = state.get(category)
    if held is None:
        state[category] = rule
    else:
        state[category] = [*(held if isinstance(held, list) else [held]), rule]
    return category


def _delete(session: Context, state: State, given: Given) -> str:
    category = str(given["SEMANTIC_CATEGORY"])
    if category not in state:
        raise errors.invalid_argument(f"category '{category}' does not exist in this classifier")
    del state[category]
    return category


def _list(session: Context, state: State, given: Given) -> State:
    return state


def categories(name: str, state: Any) -> Iterator[CustomCategory]:
    """Yield the categories of a classifier from what LIST gives.

    Raises:
        SqlError: this is not what LIST gives (1014).
    """
    if not isinstance(state, dict):
        raise errors.invalid_argument(f"'{name}' is followed by no list of categories")
    for category, held in state.items():
        for rule in held if isinstance(held, list) else [held]:
            yield _category(name, category, rule)


def _category(name: str, category: str, rule: Any) -> CustomCategory:
    try:
        return CustomCategory(
            name,
            category,
            str(rule["privacy_category"]),
            str(rule["value_regex"]),
            rule.get("col_name_regex"),
            rule.get("description"),
            float(rule.get("threshold", _THRESHOLD)),
        )
    except UsageError as error:
        raise errors.invalid_argument(str(error)) from error
    except (KeyError, TypeError, ValueError) as error:
        raise errors.invalid_argument(f"category '{category}' cannot be read") from error


_CLASS = InstanceClass(
    no_arguments,
    {
        "ADD_REGEX": Method(
            _add,
            "SEMANTIC_CATEGORY PRIVACY_CATEGORY VALUE_REGEX COL_NAME_REGEX= DESCRIPTION= "
            "THRESHOLD=",
            roles=_USER,
            changes=True,
        ),
        "DELETE_CATEGORY": Method(_delete, "SEMANTIC_CATEGORY", roles=_USER, changes=True),
        "LIST": Method(_list, roles=_USER),
    },
    _USER,
    "https://docs.snowflake.com/en/sql-reference/classes/custom_classifier",
)
register_class(Kind.CUSTOM_CLASSIFIER, _CLASS)
