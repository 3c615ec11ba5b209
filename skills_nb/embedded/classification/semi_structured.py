"""Semi-structured columns: every path to a scalar becomes a column of its own.

Room: embedded (classification). Pure. Paths are written as the classification result writes
them: `COL:address.city`, `COL:[$$].email` for the elements of an array.

Snowflake: Results of sensitive data classification > Results for JSON columns.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from skills_nb.embedded.classification.samples import ColumnSample

MAX_DEPTH = 16
MAX_PATHS = 500
_ELEMENT = "[$$]"


def paths_of(column: ColumnSample) -> tuple[tuple[str, ColumnSample], ...]:
    """Flatten a column into (path, sample) pairs in alphabetical order of the path.

    Scalars at the top of a VARIANT come under the column's own name.
    """
    found: dict[str, list[object]] = {}
    for value in column.values:
        for path, scalar in _scalars(_parsed(value), "", 0):
            if path in found or len(found) < MAX_PATHS:
                found.setdefault(path, []).append(scalar)
    return tuple(
        (f"{column.name}:{path}" if path else column.name, _sample(column, path, scalars))
        for path, scalars in sorted(found.items())
    )


def _sample(column: ColumnSample, path: str, scalars: list[object]) -> ColumnSample:
    key = path.replace(_ELEMENT, "").rpartition(".")[2] or column.name
    numeric = all(isinstance(scalar, int | float) for scalar in scalars if scalar is not None)
    boolean = all(isinstance(scalar, bool) for scalar in scalars if scalar is not None)
    type_name = "BOOLEAN" if boolean else "NUMBER" if numeric else "VARCHAR"
    return ColumnSample(key, type_name, tuple(scalars))


def _parsed(value: object) -> object:
    """Read text as JSON where it is; a bare string stays what it is."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _scalars(value: object, path: str, depth: int) -> Iterator[tuple[str, object]]:
    if depth > MAX_DEPTH:
        return
    match value:
        case dict():
            for key, inner in value.items():
                yield from _scalars(inner, f"{path}.{key}" if path else str(key), depth + 1)
        case list() | tuple():
            for inner in value:
                yield from _scalars(inner, f"{path}{_ELEMENT}", depth + 1)
        case _:
            yield path, value
