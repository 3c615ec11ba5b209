"""Arrays.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/functions-semistructured (array functions)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from itertools import pairwise, zip_longest
from typing import Any

from skills_nb.embedded.natives.json_values import key, over_json, read
from skills_nb.embedded.natives.refusing import RefusalError


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
    return list(range(int(first), int(end), int(step)))


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


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "array_cat": _concatenated,
    "array_compact": _compact,
    "array_distinct": _distinct,
    "array_except": _except,
    "array_flatten": _flatten,
    "array_generate_range": _range,
    "array_insert": _insert,
    "array_intersection": _intersection,
    "array_max": _largest,
    "array_min": _smallest,
    "array_position": _position,
    "array_remove": _remove,
    "array_remove_at": _remove_at,
    "array_reverse": _reverse,
    "array_slice": _slice,
    "array_sort": _sort,
    "array_union": _united,
    "arrays_overlap": _overlap,
    "arrays_to_object": _to_object,
    "arrays_zip": _zip,
    "changes": _changes,
    "top_k": _most_frequent,
}
