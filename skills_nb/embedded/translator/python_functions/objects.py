"""Objects, and FLATTEN of whole trees.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/functions-semistructured (object functions)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sqlglot import exp

from skills_nb.embedded.errors.python_refusals import RefusalError
from skills_nb.embedded.translator.python_functions.calls import Call, Named
from skills_nb.embedded.translator.python_functions.ending import heeded
from skills_nb.embedded.translator.python_functions.json_values import (
    canonical_text,
    listed,
    over_json,
    read,
    written,
)

_PLAIN_KEY = re.compile(r"[A-Za-z_$][\w$]*")


def _insert(held: str | None, name: str | None, value: str | None, update: Any = False) -> Any:
    """See https://docs.snowflake.com/en/sql-reference/functions/object_insert."""
    if held is None or name is None:
        return None
    found = read(held)
    if name in found and not update:
        raise _duplicate(name)
    if value is None:
        found.pop(name, None)
    else:
        found[name] = read(value)
    return written(found)


def _to_object(held: str | None) -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/to_object."""
    found = read(held)
    if found is None:
        return None
    if not isinstance(found, dict):
        raise RefusalError(100071, "22000", f"Failed to cast variant value {held} to OBJECT")
    return held


def _delete(held: str | None, *names: str) -> Any:
    """See https://docs.snowflake.com/en/sql-reference/functions/object_delete."""
    if held is None:
        return None
    return written({k: v for k, v in read(held).items() if k not in names})


def _pick(held: str | None, *names: str) -> Any:
    """See https://docs.snowflake.com/en/sql-reference/functions/object_pick."""
    if held is None:
        return None
    wanted = [w for name in names for w in _names(name)]
    return written({k: v for k, v in read(held).items() if k in wanted})


def _names(given: str) -> list[str]:
    listed = read(given) if given.startswith("[") else given
    return listed if isinstance(listed, list) else [listed]


@over_json(1)
def _get_ignoring_case(held: Any, name: str | None) -> Any:
    """See https://docs.snowflake.com/en/sql-reference/functions/get_ignore_case."""
    if not isinstance(held, dict) or name is None:
        return None
    if name in held:
        return held[name]
    return next((v for k, v in held.items() if k.lower() == name.lower()), None)


@over_json()
def _of_pairs(pairs: list[list[Any]]) -> dict[str, Any]:
    """See https://docs.snowflake.com/en/sql-reference/functions/object_agg."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise _duplicate(name)
        found[name] = value
    return found


def _distinct_keys(held: str | None) -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/object_construct."""
    if held is None:
        return None
    return canonical_text(held, _checked)


def _checked(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise _duplicate(name)
        found[name] = value
    return found


def _duplicate(name: str) -> RefusalError:
    return RefusalError(100171, "22000", f"Duplicate field key '{name}'")


def _flatten(
    held: str | None, start: str, outer: bool, recursive: bool, arrays: bool, objects: bool
) -> str | None:
    """Return the rows, and once each what they were taken out of, which a row names by its place.

    See https://docs.snowflake.com/en/sql-reference/functions/flatten
    """
    found = _at(read(held), start)
    whole: list[Any] = []
    rows = listed(_below(found, start, recursive, (arrays, objects), whole), most=None)
    if rows == "[]" and outer:
        whole = [found]
        lone = {"key": None, "path": start, "index": None, "value": None, "null": None, "this": 1}
        rows = listed([lone])
    return f'{{"whole":{listed(whole, most=None)},"rows":{rows}}}'


def _at(found: Any, path: str) -> Any:
    for name, index in re.findall(r"([^.\[\]]+)|\[(\d+)\]", path):
        if index:
            inside = isinstance(found, list) and int(index) < len(found)
            found = found[int(index)] if inside else None
        else:
            found = found.get(name.strip("'\"")) if isinstance(found, dict) else None
    return found


def _below(
    found: Any, path: str, recursive: bool, wanted: tuple[bool, bool], whole: list[Any]
) -> Iterator[dict[str, Any]]:
    if isinstance(found, (list, dict)):
        whole.append(found)
    this = len(whole)
    for name, index, step, value in heeded(_steps(found, path)):
        if wanted[0 if isinstance(found, list) else 1]:
            # An object holds the null that its document says; of an array's nobody knows.
            said = "null" if value is None and name is not None else None
            row = {"key": name, "path": step, "index": index, "value": value}
            yield row | {"null": said, "this": this}
        if recursive:
            yield from _below(value, step, recursive, wanted, whole)


def _steps(found: Any, path: str) -> Iterator[tuple[str | None, int | None, str, Any]]:
    if isinstance(found, list):
        for i, value in enumerate(found):
            yield None, i, f"{path}[{i}]", value
    elif isinstance(found, dict):
        for name in sorted(found):
            plain = _PLAIN_KEY.fullmatch(name) is not None
            dotted = f"{path}.{name}" if path else name
            yield name, None, dotted if plain else f"{path}['{name}']", found[name]


CALLS: Mapping[Named, Call] = {
    exp.GetIgnoreCase: Call(_get_ignoring_case, "*this expression"),
    exp.ObjectInsert: Call(_insert, "*this key *value update_flag"),
    "TO_OBJECT": Call(_to_object, "*0"),
    "OBJECT_DELETE": Call(_delete, "*0 ..."),
    "OBJECT_PICK": Call(_pick, "*0 ..."),
}
"""Functions of SQL, by name or by the class that sqlglot has for them."""
FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "flatten": _flatten,
    "distinct_keys": _distinct_keys,
    "object_agg": _of_pairs,
}
"""What other translations call."""
