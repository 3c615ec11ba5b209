"""What inputs may be: values as they stand on the thread, and as templates see them.

Room: laws. On the thread they are JSON-safe texts, numbers, booleans, lists or mappings.
Spec: Playbooks > Input phasing.
"""

from __future__ import annotations

import json
import re
from typing import Any

from skills_nb.engine.inputs.questions import ALL_ROWS
from skills_nb.engine.inputs.secrecy import REDACTED, stand_in
from skills_nb.engine.inputs.wording.said_schedules import EXAMPLES as SCHEDULES
from skills_nb.engine.inputs.wording.said_schedules import SCHEDULE, read_schedule
from skills_nb.errors import SqlError, UsageError
from skills_nb.model.skills import InputSpec
from skills_nb.sql.identifiers import render_name, split_name
from skills_nb.sql.row_conditions import read_condition
from skills_nb.sql.templates import Name

NAME_TYPES = frozenset({"role", "warehouse", "database", "schema", "table", "scope", "identifier"})
"""Types whose value is an identifier of one to three parts."""
MAX_PARTS = {
    **{"role": 1, "warehouse": 1, "database": 1, "identifier": 1},
    **{"schema": 2, "table": 3, "scope": 3},
}
QUOTED = r'"(?:[^"\n]|"")+"'
_LISTED = re.compile(rf"(?:{QUOTED}|[^,])+")
_LOCATOR = re.compile(r"^[A-Za-z0-9_.-]{1,255}$")


def coerce(spec: InputSpec, raw: Any) -> Any:
    """Return the value as it stands on the thread.

    Raises:
        UsageError: the value is not of the input's type; says what is and how to give it.
    """
    if raw is None:
        if spec.required and spec.when is None:
            raise _wrong(spec, raw, "a value is required")
        return None
    match spec.type:
        case "integer":
            return _integer(spec, raw)
        case "boolean":
            return _boolean(spec, raw)
        case "choice":
            return _choice(spec, raw)
        case "column_list":
            return [_identifier(spec, part) for part in _names(raw)]
        case "text_list":
            return [_text(spec, part) for part in _some(spec, _items(raw))]
        case "mapping":
            return _mapping(spec, raw)
        case "account_locator":
            return _locator(spec, raw)
        case "condition":
            return _condition(spec, raw)
        case "string":
            return _schedule(spec, raw) if spec.name == SCHEDULE else _text(spec, raw)
        case _:
            return _identifier(spec, raw)


def template_value(spec: InputSpec, value: Any) -> Any:
    """Return a thread value as templates see it: names for identifiers, stand-ins for secrets."""
    if value is None:
        return None
    if spec.secret:
        return stand_in(spec.name)
    if spec.type in NAME_TYPES:
        return _named(spec, str(value))
    if spec.type == "condition":
        return read_condition(str(value))
    if spec.type == "column_list":
        return [Name.parse(str(part)) for part in value]
    return value


def _wrong(spec: InputSpec, raw: Any, why: str) -> UsageError:
    shown = REDACTED if spec.secret else repr(raw)
    shown = shown if len(shown) <= 80 else shown[:77] + "…"
    return UsageError(
        f"input '{spec.name}' cannot be {shown}: {why}",
        hint=f"give it as: --input {spec.name}={_example(spec)}",
    )


def _example(spec: InputSpec) -> str:
    listed = [str(choice) for choice in spec.choices if not str(choice).startswith("{")]
    if listed:
        return "|".join(listed)
    examples = {
        "integer": "7",
        "boolean": "true",
        "scope": "PROD.CUSTOMER_DATA",
        "schema": "PROD.CUSTOMER_DATA",
        "table": "PROD.CUSTOMER_DATA.CUSTOMERS",
        "database": "PROD",
        "role": "ANALYST",
        "warehouse": "COMPUTE_WH",
        "account_locator": "XY12345",
        "identifier": "ORDER_ID",
        "column_list": "EMAIL,PHONE",
        "text_list": "LOW,HIGH",
        "mapping": '\'{"KEY": "value"}\'',
        "condition": "\"AMOUNT > 10 AND CITY = 'Oslo'\"",
    }
    return examples.get(spec.type, "TEXT")


def _identifier(spec: InputSpec, raw: Any) -> str:
    if not isinstance(raw, str):
        raise _wrong(spec, raw, "an identifier is text")
    try:
        parts = split_name(raw.strip())
    except UsageError as problem:
        raise _wrong(spec, raw, problem.message) from problem
    most = MAX_PARTS.get(spec.type, 1)
    if len(parts) > most:
        raise _wrong(spec, raw, f"a {spec.type} has at most {most} part(s), this has {len(parts)}")
    return render_name(parts)


def _named(spec: InputSpec, value: str) -> Name:
    parts = split_name(value)
    if spec.type == "scope":
        return Name.scope(parts)
    return Name(parts)


def _text(spec: InputSpec, raw: Any) -> str:
    if isinstance(raw, bool | int | float):
        return str(raw)
    if not isinstance(raw, str) or "\x00" in raw:
        raise _wrong(spec, raw, "expected text")
    return raw


def _condition(spec: InputSpec, raw: Any) -> str | None:
    if raw == ALL_ROWS:
        return None
    try:
        return read_condition(_text(spec, raw)).sql
    except SqlError as problem:
        raise _wrong(spec, raw, problem.message) from problem


def _schedule(spec: InputSpec, raw: Any) -> str:
    told = read_schedule(_text(spec, raw))
    if told is None:
        raise _wrong(spec, raw, f"say when it runs, such as {' or '.join(SCHEDULES)}")
    return told


def _locator(spec: InputSpec, raw: Any) -> str:
    text = str(raw)
    if not _LOCATOR.fullmatch(text):
        raise _wrong(spec, raw, "an account locator is letters, digits, '_', '-' and '.'")
    return text


def _integer(spec: InputSpec, raw: Any) -> int:
    if isinstance(raw, bool) or (isinstance(raw, float) and not raw.is_integer()):
        raise _wrong(spec, raw, "expected a whole number")
    try:
        return int(raw)
    except (TypeError, ValueError):
        raise _wrong(spec, raw, "expected a whole number") from None


def _boolean(spec: InputSpec, raw: Any) -> bool:
    if isinstance(raw, bool):
        return raw
    words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    known = words.get(str(raw).strip().lower())
    if known is None:
        raise _wrong(spec, raw, "expected true or false")
    return known


def _choice(spec: InputSpec, raw: Any) -> Any:
    open_choices = [c for c in spec.choices if str(c).startswith("{")]
    for choice in spec.choices:
        if str(choice).lower() == str(raw).lower():
            return choice
    if open_choices:
        return _text(spec, raw)
    raise _wrong(spec, raw, "choose one of " + ", ".join(str(c) for c in spec.choices))


def _names(raw: Any) -> list[Any]:
    """Split at commas, those inside of double quotes apart: they belong to a name."""
    if isinstance(raw, str):
        return [part.strip() for part in _LISTED.findall(raw) if part.strip()]
    return _items(raw)


def _items(raw: Any) -> list[Any]:
    if isinstance(raw, str):
        return [part.strip() for part in raw.split(",") if part.strip()]
    return list(raw) if isinstance(raw, list | tuple) else [raw]


def _some(spec: InputSpec, items: list[Any]) -> list[Any]:
    if not items:
        raise _wrong(spec, items, "give one text at least")
    return items


def _mapping(spec: InputSpec, raw: Any) -> dict[str, Any]:
    if isinstance(raw, str):
        try:
            raw = json.loads(raw)
        except ValueError:
            raise _wrong(spec, raw, "expected a JSON object") from None
    if not isinstance(raw, dict):
        raise _wrong(spec, raw, "expected a mapping")
    return {str(key): value for key, value in raw.items()}
