"""Casts to structured types: each value in a document becomes one of the type said for it.

Room: embedded. Pure. A type travels as JSON: a scalar by its kind, an array by the type of its
elements, an object by those of its keys, a map by those of its keys and values.

See https://docs.snowflake.com/en/sql-reference/data-types-structured
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from decimal import ROUND_HALF_UP, Context, Decimal, InvalidOperation
from typing import Any

from skills_nb.embedded.errors.python_refusals import RefusalError
from skills_nb.embedded.translator.python_functions.json_values import Numeral, canonical, exactly

_EXACT = Context(prec=100, rounding=ROUND_HALF_UP)
_TRUTHS = {
    **dict.fromkeys(("true", "t", "yes", "y", "on", "1"), True),
    **dict.fromkeys(("false", "f", "no", "n", "off", "0"), False),
}


def _structured(text: str | None, type_text: str) -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/data-types-structured.

    Raises:
        RefusalError: a value in it cannot be one of its type (100071).
    """
    if text is None:
        return None
    found = exactly(text, dict)
    return None if found is None else canonical(_cast(found, json.loads(type_text)))


def _cast(value: Any, to: dict[str, Any]) -> Any:
    if value is None:
        return None
    if "array" in to:
        return [_cast(one, to["array"]) for one in _held(value, list, "ARRAY")]
    if "object" in to:
        members = _held(value, dict, "OBJECT")
        if set(members) != set(to["object"]):
            raise _failed(value, "OBJECT")
        return {name: _cast(members[name], kind) for name, kind in to["object"].items()}
    if "map" in to:
        of_key, of_value = to["map"]
        members = _held(value, dict, "MAP").items()
        return {_text(_cast(key, of_key), {}): _cast(one, of_value) for key, one in members}
    return _SCALARS.get(to["kind"], _as_it_is)(value, to)


def _held(value: Any, kind: type, name: str) -> Any:
    if not isinstance(value, kind):
        raise _failed(value, name)
    return value


def _as_it_is(value: Any, to: dict[str, Any]) -> Any:
    if to["kind"] in ("ARRAY", "OBJECT"):
        return _held(value, list if to["kind"] == "ARRAY" else dict, to["kind"])
    return value


def _number(value: Any, to: dict[str, Any]) -> Numeral:
    if isinstance(value, bool):
        return Numeral(int(value))
    try:
        unit = Decimal(1).scaleb(-to["scale"])
        made = Decimal(_plain(value, "FIXED").strip()).quantize(unit, context=_EXACT)
    except InvalidOperation as error:
        raise _failed(value, "FIXED") from error
    if abs(made) >= Decimal(10) ** (to["precision"] - to["scale"]):
        raise _failed(value, "FIXED")
    written = f"{made:f}"
    return Numeral(written.rstrip("0").rstrip(".") if "." in written else written)


def _real(value: Any, to: dict[str, Any]) -> Any:
    try:
        return float(_plain(value, "REAL")) if not isinstance(value, bool) else float(value)
    except ValueError as error:
        raise _failed(value, "REAL") from error


def _text(value: Any, to: dict[str, Any]) -> str:
    text = str(value) if isinstance(value, str) else canonical(value)
    if len(text) > to.get("length", len(text)):
        raise _failed(value, "TEXT")
    return text


def _truth(value: Any, to: dict[str, Any]) -> bool:
    if isinstance(value, Numeral):
        return Decimal(value) != 0
    made = value if isinstance(value, bool) else _TRUTHS.get(_plain(value, "BOOLEAN").lower())
    if made is None:
        raise _failed(value, "BOOLEAN")
    return made


def _plain(value: Any, name: str) -> str:
    return str(_held(value, str, name))


def _failed(value: Any, name: str) -> RefusalError:
    return RefusalError(
        100071, "22000", f"Failed to cast variant value {canonical(value)} to {name}"
    )


_SCALARS: Mapping[str, Callable[[Any, dict[str, Any]], Any]] = {
    "BOOLEAN": _truth,
    "FIXED": _number,
    "REAL": _real,
    "TEXT": _text,
}
FUNCTIONS: Mapping[str, Callable[..., Any]] = {"structured": _structured}
"""What other translations call."""
