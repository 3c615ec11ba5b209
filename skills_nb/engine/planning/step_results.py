"""What a step's reads found and its statements made, bound to names.

Room: laws. Paths: `rows`, `row_count`, `first.COLUMN`, `column.NAME`, `json.PATH`,
`created_objects.TYPE`, `created_objects.count`.
Source: FORMATS, A playbook step > binds.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from skills_nb.errors import UsageError
from skills_nb.model.events import CreatedObject
from skills_nb.model.skills import Step
from skills_nb.model.state import Fact

_SHOWN = 60
"""How many characters of a result an error shows."""


def bind(
    step: Step,
    reads: Sequence[Sequence[Fact]],
    created: Iterable[CreatedObject],
    *,
    looped: bool,
) -> dict[str, Any]:
    """Return the values of the step's bound names.

    Args:
        step: the step, with its `binds`.
        reads: the facts of its read-only statements: one sequence per iteration, in order.
        created: the objects its statements made.
        looped: whether the step has `for_each`; then read paths give one value per iteration.

    Raises:
        UsageError: a path fits nothing that the step read.
    """
    made = list(created)
    values: dict[str, Any] = {}
    for name, path in step.binds.items():
        if path.startswith("created_objects"):
            values[name] = _of_created(path, made)
        elif looped:
            values[name] = [_of_reads(step, name, path, facts) for facts in reads]
        else:
            values[name] = _of_reads(step, name, path, reads[0] if reads else ())
    return values


def _of_created(path: str, made: Sequence[CreatedObject]) -> Any:
    kind = path.partition(".")[2]
    if kind == "count":
        return len(made)
    return [m.fqn or m.name for m in made if not kind or m.type == kind]


def _of_reads(step: Step, name: str, path: str, facts: Sequence[Fact]) -> Any:
    if not facts:
        raise UsageError(
            f"step {step.id} binds '{name}' to '{path}', but none of its statements reads",
            hint="bind it in a step that has a SELECT, SHOW or CALL of a reading function",
        )
    return _of_fact(path, facts[-1])


def _of_fact(path: str, fact: Fact) -> Any:
    head, _, rest = path.partition(".")
    match head:
        case "rows":
            return fact.rows
        case "row_count":
            return fact.row_count
        case "first":
            return _first(fact, rest)
        case "column":
            return [_cell(row, rest) for row in fact.rows]
        case "json":
            return _document(fact, rest)
        case _:
            raise UsageError(
                f"'{path}' is not a path",
                hint="use rows, row_count, first.COLUMN, column.NAME, json.PATH "
                "or created_objects.TYPE",
            )


def _first(fact: Fact, column: str) -> Any:
    rows = fact.rows
    return _cell(rows[0], column) if rows else None


def _cell(row: Mapping[str, Any], column: str) -> Any:
    by_name = {name.upper(): value for name, value in row.items()}
    if column.upper() not in by_name:
        raise UsageError(f"the result has no column '{column}'", hint="it has: " + ", ".join(row))
    return by_name[column.upper()]


def _document(fact: Fact, path: str) -> Any:
    rows = fact.result.get("rows") or []
    if not rows:
        return None
    found: Any = rows[0][0]
    if isinstance(found, str):
        found = _parsed(found)
    for part in path.split(".") if path else ():
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        shown = text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
        raise UsageError(
            f"the result is not JSON: {shown}",
            hint="bind `first.COLUMN`, or let the statement return a VARIANT",
        ) from None


def shows_effect(rows: Sequence[Sequence[Any]]) -> bool:
    """Return whether what a `verify` probe found says that the step's effect is there."""
    return bool(rows) and str(rows[0][0]).lower() not in ("none", "false", "0", "")
