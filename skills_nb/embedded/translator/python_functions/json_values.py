"""JSON values of native functions: read, written, and told apart by type.

Room: embedded. Pure.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from decimal import Decimal
from functools import wraps
from itertools import islice
from typing import Any

from skills_nb.embedded.errors.python_refusals import RefusalError
from skills_nb.embedded.translator.python_functions.ending import check
from skills_nb.embedded.types.lob_limit import MOST_BYTES, exceeded

_FRACTION = re.compile(r"\d[.eE]")
_TOGETHER = 16_384
"""Elements that are written at once, between looks at whether the statement is ended."""


def read(text: str | None) -> Any:
    """Read a JSON text; NULL stays None."""
    return None if text is None else json.loads(text)


def written(value: Any) -> str | None:
    """Write a value as JSON, as DuckDB does, keys in order; None, for SQL's NULL, stays None.

    Raises:
        RefusalError: it is a value of more than 128 MB (100082), or the statement is ended (604).
    """
    if value is None:
        return None
    if isinstance(value, list) and len(value) > _TOGETHER:
        return listed(value)
    return _dumped(value)


def _dumped(value: Any) -> str:
    return json.dumps(
        value, ensure_ascii=False, separators=(",", ":"), sort_keys=True, default=_plain
    )


class Numeral(str):
    """A number as a document writes it, digit by digit."""

    __slots__ = ()


Members = Callable[[list[tuple[str, Any]]], dict[str, Any]]
"""What makes an object of its members, and may refuse them."""


def exactly(text: str, members: Members) -> Any:
    """Read strict JSON with its numbers as numerals, and its objects as `members` makes them.

    Raises:
        ValueError: it is none.
    """
    return json.loads(
        text,
        parse_float=Numeral,
        parse_int=Numeral,
        parse_constant=Numeral,
        object_pairs_hook=members,
    )


def canonical(value: Any) -> str:
    """Write what `exactly` read so that equal documents are the same text.

    Keys come in order, and a fraction ends in no zeros.
    """
    if isinstance(value, dict):
        members = (f"{_quoted(name)}:{canonical(value[name])}" for name in sorted(value))
        return "{" + ",".join(members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, Numeral):
        return _without_zeros(value)
    return _quoted(value) if isinstance(value, str) else json.dumps(value)


def _without_zeros(numeral: str) -> str:
    if "." not in numeral or "e" in numeral.lower():
        return numeral
    short = numeral.rstrip("0").removesuffix(".")
    return "0" if short == "-0" else short


def canonical_text(text: str, members: Members) -> str:
    """Return what `canonical` writes of a text; one without fractions needs no numerals.

    Raises:
        ValueError: it is no strict JSON.
    """
    if _FRACTION.search(text) is None:
        return _dumped(json.loads(text, object_pairs_hook=members))
    return canonical(exactly(text, members))


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def listed(values: Iterable[Any], most: int | None = MOST_BYTES) -> str:
    """Write an array piece by piece.

    Args:
        values: the elements.
        most: bytes that it has at most; None for what becomes rows, of which there may be any
            number.

    Raises:
        RefusalError: it has more bytes than it may have (100082), or the statement is ended (604).
    """
    made: list[str] = []
    size, left = 1, iter(values)
    while piece := list(islice(left, _TOGETHER)):
        check()
        made.append(_dumped(piece))
        size += len(made[-1]) - 1
        if most is not None and size > most:
            raise RefusalError(100082, "22000", exceeded(size))
    return "[" + ",".join(one[1:-1] for one in made) + "]"


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, Decimal) else str(value)


def key(value: Any) -> str:
    """Return what two equal values share; 1 and 1.0 do, 1 and true do not."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps(value, sort_keys=True)


def over_json(*plain: int) -> Callable[[Callable[..., Any]], Callable[..., str | None]]:
    """Make a function over values one over JSON texts; NULL anywhere but in `plain` gives NULL.

    `plain` holds the places of arguments that are no JSON.
    """

    def made(function: Callable[..., Any]) -> Callable[..., str | None]:
        @wraps(function)
        def called(*given: Any) -> str | None:
            if any(v is None for i, v in enumerate(given) if i not in plain):
                return None
            return written(function(*(v if i in plain else read(v) for i, v in enumerate(given))))

        return called

    return made
