"""Arrays.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/functions-semistructured (array functions)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from itertools import pairwise, zip_longest
from typing import Any

from sqlglot import exp

from skills_nb.embedded.errors.python_refusals import RefusalError
from skills_nb.embedded.translator.python_functions.calls import Call, Named
from skills_nb.embedded.translator.python_functions.json_values import key, over_json, read
from skills_nb.embedded.types.lob_limit import MOST_BYTES, exceeded


@over_json()
def _compact(items: list[Any]) -> list[Any]:
    """See https://docs.snowflake.com/en/sql-reference/functions/array_compact."""
    return [item for item in items if item is not None]


@over_json()
def _distinct(items: list[Any]) -> list[Any]:
    """See https://docs.snowflake.com/en/sql-reference/functions/array_distinct."""
    return list({key(item): item for item in reversed(items)}.values())[::-1]


@over_json()
def _except(items: list[Any], others: list[Any]) -> list[Any]:
    """See https://docs.snowflake.com/en/sql-reference/functions/array_except: a multiset's rest."""
    left = Counter(key(other) for other in others)
    found = []
    for item in items:
        if left[key(item)]:
            left[key(item)] -= 1
        else:
            found.append(item)
    return found


@over_json()
def _intersection(items: list[Any], others: list[Any]) -> list[Any]:
    """See https://docs.snowflake.com/en/sql-reference/functions/array_intersection."""
    left = Counter(key(other) for other in others)
    found = []
    for item in items:
        if left[key(item)]:
            left[key(item)] -= 1
            found.append(item)
    return found


@over_json()
def _overlap(items: list[Any], others: list[Any]) -> bool:
    """See https://docs.snowflake.com/en/sql-reference/functions/arrays_overlap."""
    return bool({key(item) for item in items} & {key(other) for other in others})


@over_json()
def _flatten(items: list[Any]) -> list[Any] | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/array_flatten."""
    if any(item is not None and not isinstance(item, list) for item in items):
        raise RefusalError(100107, "22000", "Not an array of arrays in function ARRAY_FLATTEN")
    if None in items:
        return None
    return [inner for item in items for inner in item]


@over_json(1)
def _insert(items: list[Any], position: int, value: Any) -> list[Any]:
    """See https://docs.snowflake.com/en/sql-reference/functions/array_insert."""
    place = int(position) if position >= 0 else max(0, len(items) + int(position))
    padded = items + [None] * (place - len(items))
    return [*padded[:place], value, *padded[place:]]


@over_json()
def _largest(items: list[Any]) -> Any:
    """See https://docs.snowflake.com/en/sql-reference/functions/array_max."""
    return max((item for item in items if item is not None), default=None, key=_order)


@over_json()
def _smallest(items: list[Any]) -> Any:
    """See https://docs.snowflake.com/en/sql-reference/functions/array_min."""
    return min((item for item in items if item is not None), default=None, key=_order)


def _order(item: Any) -> tuple[int, Any]:
    if isinstance(item, bool):
        return (0, item)
    return (1, item) if isinstance(item, (int, float)) else (2, str(item))


@over_json()
def _position(value: Any, items: list[Any]) -> int | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/array_position: from zero."""
    keys = [key(item) for item in items]
    return keys.index(key(value)) if key(value) in keys else None


@over_json()
def _remove(items: list[Any], value: Any) -> list[Any]:
    """See https://docs.snowflake.com/en/sql-reference/functions/array_remove."""
    return [item for item in items if key(item) != key(value)]


@over_json(1)
def _remove_at(items: list[Any], position: int) -> list[Any]:
    """See https://docs.snowflake.com/en/sql-reference/functions/array_remove_at."""
    place = int(position) if position >= 0 else len(items) + int(position)
    return [item for i, item in enumerate(items) if i != place]


@over_json()
def _reverse(items: list[Any]) -> list[Any]:
    """See https://docs.snowflake.com/en/sql-reference/functions/array_reverse."""
    return items[::-1]


@over_json(1, 2)
def _slice(items: list[Any], first: int, end: int) -> list[Any]:
    """See https://docs.snowflake.com/en/sql-reference/functions/array_slice."""
    return items[int(first) : int(end)]


@over_json(1, 2)
def _sort(items: list[Any], ascending: bool | None = True, first: bool | None = None) -> list[Any]:
    """See https://docs.snowflake.com/en/sql-reference/functions/array_sort."""
    rising = ascending is not False
    nulls = [item for item in items if item is None]
    rest = sorted((i for i in items if i is not None), key=_order, reverse=not rising)
    nulls_first = first if first is not None else not rising
    return [*nulls, *rest] if nulls_first else [*rest, *nulls]


@over_json()
def _to_object(names: list[Any], values: list[Any]) -> dict[str, Any]:
    """See https://docs.snowflake.com/en/sql-reference/functions/arrays_to_object."""
    if len(names) != len(values):
        raise RefusalError(
            100107, "22000", "Array lengths do not match in function ARRAYS_TO_OBJECT"
        )
    return {str(k): v for k, v in zip(names, values, strict=True) if k is not None}


@over_json()
def _zip(*listed: list[Any]) -> list[dict[str, Any]]:
    """See https://docs.snowflake.com/en/sql-reference/functions/arrays_zip."""
    return [{f"${i + 1}": v for i, v in enumerate(row)} for row in zip_longest(*listed)]


@over_json()
def _concatenated(items: list[Any], others: list[Any]) -> list[Any]:
    """See https://docs.snowflake.com/en/sql-reference/functions/array_cat."""
    return [*items, *others]


@over_json()
def _united(listed: list[list[Any]]) -> list[Any]:
    """See https://docs.snowflake.com/en/sql-reference/functions/array_union_agg: as a multiset."""
    most: Counter[str] = Counter()
    kept: dict[str, Any] = {}
    for items in listed:
        most |= Counter(key(item) for item in items or ())
        kept.update({key(item): item for item in items or ()})
    return [kept[name] for name, count in most.items() for _ in range(count)]


@over_json(0, 1, 2)
def _range(first: int | None, end: int | None, step: int | None = 1) -> list[int] | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/array_generate_range."""
    if first is None or end is None or step is None:
        return None
    if not step:
        raise RefusalError(100107, "22000", "Step of ARRAY_GENERATE_RANGE cannot be 0")
    made = range(int(first), int(end), int(step))
    if (size := _least_size(made)) > MOST_BYTES:
        raise RefusalError(100082, "22000", exceeded(size))
    return list(made)


def _least_size(numbers: range) -> int:
    """Return how many characters the numbers have at least, commas included."""
    # Not `len`, which ends at 2 to the power of 63.
    count = max(0, -((numbers.start - numbers.stop) // numbers.step))
    middle = numbers.start + count // 2 * numbers.step
    if middle * numbers.stop <= 0:
        return 2 * count
    digits = min(len(str(abs(middle))), len(str(abs(numbers.stop))) - 1)
    return 2 * (count // 2) + (count - count // 2) * (digits + 1)


@over_json(1)
def _most_frequent(items: list[Any], count: int) -> list[list[Any]]:
    """See https://docs.snowflake.com/en/sql-reference/functions/approx_top_k."""
    kept = {key(item): item for item in items if item is not None}
    counted = Counter(key(item) for item in items if item is not None)
    return [[kept[name], n] for name, n in counted.most_common(int(count))]


def _changes(listed: str | None) -> int:
    """See https://docs.snowflake.com/en/sql-reference/functions/conditional_change_event."""
    items = [key(item) for item in read(listed) or ()]
    return sum(a != b for a, b in pairwise(items))


CALLS: Mapping[Named, Call] = {
    exp.ArrayCompact: Call(_compact, "*this"),
    exp.ArrayConcat: Call(_concatenated, "*this *expressions"),
    exp.ArrayDistinct: Call(_distinct, "*this"),
    exp.ArrayExcept: Call(_except, "*this *expression"),
    exp.ArrayInsert: Call(_insert, "*this position *expression"),
    exp.ArrayIntersect: Call(_intersection, "*expressions"),
    exp.ArrayMax: Call(_largest, "*this"),
    exp.ArrayMin: Call(_smallest, "*this"),
    exp.ArrayOverlaps: Call(_overlap, "*this *expression", "BOOLEAN"),
    exp.ArrayPosition: Call(_position, "*expression *this", "HUGEINT"),
    exp.ArrayRemove: Call(_remove, "*this *expression"),
    exp.ArrayRemoveAt: Call(_remove_at, "*this position"),
    exp.ArrayReverse: Call(_reverse, "*this"),
    exp.ArraySlice: Call(_slice, "*this start end"),
    exp.ArraySort: Call(_sort, "*this asc nulls_first"),
    exp.ArraysZip: Call(_zip, "*expressions"),
    exp.Flatten: Call(_flatten, "*this"),
    "ARRAYS_TO_OBJECT": Call(_to_object, "*0 *1"),
    "ARRAY_EXCEPT": Call(_except, "*0 *1"),
}
"""Functions of SQL, by name or by the class that sqlglot has for them."""
FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "array_compact": _compact,
    "array_generate_range": _range,
    "array_union": _united,
    "changes": _changes,
    "top_k": _most_frequent,
}
"""What other translations call."""
