"""What a copy of a table, or a renamed one, is to be called: `clone X as x_test`.

Room: laws. The name goes beside the table that it is for, unless it says where.
Spec: Principles > Lazy context.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from skills_nb.model.skills import InputSpec
from skills_nb.sql.identifiers import render_name, split_name
from skills_nb.sql.templates import Name

_QUOTED = r'"(?:[^"\n]|"")+"'
NEW_TABLES = frozenset({"clone", "new_name"})
"""The inputs of tables that hold what a copy, or a renamed table, is to be called."""
_COPY_NAME = rf"(?:{_QUOTED}|[^\W\d][\w$]*)"
_COPY_CALLED = re.compile(
    r"(?i:\b(?:as|called|named|(?:in)?to)(?: (?:an?|the|new|table|schema|copy|called|named))*) "
    rf"(?P<name>{_COPY_NAME}(?:\.{_COPY_NAME}){{0,2}})(?=[\s.,;!?]*$|[.,;]? (?:and|then|for|so)\b)"
)
_MADE_CALLED = re.compile(
    r"(?i:\b(?:create|make|build) (?:an? |the )?(?:new )?table)"
    rf" (?!(?i:of|from|with|like|as|where)\b)(?P<name>{_COPY_NAME})"
    r"(?= (?i:from|of|as|with|out of)\b)"
)


def is_new_table(spec: InputSpec) -> bool:
    """Tell whether an input holds what a table is to be called."""
    return spec.name in NEW_TABLES and spec.type in ("table", "schema")


def names_new_table(goal: str) -> bool:
    """Tell whether a goal says what a table is to be called."""
    return _found(goal) is not None


def stretches_naming(goal: str) -> Iterator[tuple[int, int]]:
    """Yield where a goal says what a table is to be called: start and end."""
    found = _found(goal)
    yield from (found.span(),) if found is not None else ()


def copy_said(goal: str, bound: Mapping[str, Any]) -> str | None:
    """Return what a copy is to be called, beside what it is a copy of: `clone X as x_test`."""
    found = _found(goal)
    source = bound.get("source")
    if found is None or not isinstance(source, Name):
        return None
    parts = split_name(found["name"])
    return render_name((*source.parts[: max(0, len(source.parts) - len(parts))], *parts))


def _found(goal: str) -> re.Match[str] | None:
    return _COPY_CALLED.search(goal) or _MADE_CALLED.search(goal)
