"""JSON as rows: an array of objects, or an object a line.

Room: commands (loads).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from skills_nb.commands.loads.tabled import Rejected, Tabled, shortened
from skills_nb.commands.loads.text_files import decoded
from skills_nb.errors import UsageError


def read_json(body: bytes, source: str) -> Tabled:
    """Read a JSON file; numbers keep all of their digits.

    Raises:
        UsageError: it is no text, it is empty, or it holds no objects.
    """
    text, said = decoded(body, source)
    if not text.strip():
        raise UsageError(f"{source} is empty", hint="nothing was created")
    found = _array(text, source) if text.lstrip().startswith("[") else _by_line(text)
    objects: list[dict[str, Any]] = []
    numbers: list[int] = []
    rejected: list[Rejected] = []
    for number, value in enumerate(found, start=1):
        if isinstance(value, dict):
            objects.append(value)
            numbers.append(number)
        elif isinstance(value, _Broken):
            rejected.append(Rejected(number, "", shortened(value.text), value.why))
        else:
            rejected.append(Rejected(number, "", shortened(value), "it is no object with names"))
    if not objects:
        raise UsageError(
            f"{source} holds no objects",
            hint='an array of objects is wanted, [{"id": 1}, …], or one object a line',
        )
    names = tuple(dict.fromkeys(name for each in objects for name in each))
    rows = tuple(tuple(each.get(name) for name in names) for each in objects)
    notes = (said,) if said else ()
    return Tabled(source, names, rows, tuple(numbers), False, tuple(rejected), notes, True)


class _Broken:
    """A line that is no JSON."""

    def __init__(self, text: str, why: str) -> None:
        self.text = text
        self.why = why


def _read(text: str) -> Any:
    return json.loads(text, parse_float=Decimal)


def _array(text: str, source: str) -> list[Any]:
    try:
        found = _read(text)
    except (ValueError, RecursionError) as problem:
        raise UsageError(f"{source} is no JSON: {problem}", hint="nothing was created") from problem
    return list(found)


def _by_line(text: str) -> Iterable[Any]:
    try:
        return [_read(text)]  # one object, over as many lines as it likes
    except (ValueError, RecursionError):
        return [_line(line) for line in text.split("\n") if line.strip()]


def _line(text: str) -> Any:
    try:
        return _read(text)
    except (ValueError, RecursionError) as problem:
        return _Broken(text, f"it is no JSON: {problem}")
