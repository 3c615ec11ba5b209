"""Takes secrets out of events before they are appended.

Room: work (runtime, stores). Pure: events in, events out. What counts as a secret: a value under a
name that says so, a text that has a secret's shape, and the secrets that the caller knows. An
event's envelope, its closed vocabularies and the names that a library gives stay as they are, so a
redacted thread folds to the same state; names of mapping members are kept too.
Source: THREADS, Store (Redact before append); FORMATS, Threads.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any
from urllib.parse import quote

from skills_nb.model.events import EVENT_TYPES, Event, dump, load
from skills_nb.sql.secret_literals import without_said, without_secrets
from skills_nb.sql.secret_patterns import (
    REDACTED,
    is_long_number,
    is_pin_name,
    is_secret_name,
)

_SHORTEST_INSIDE = 4
"""A known secret with fewer characters is only taken out where it is the whole value: replacing a
single letter everywhere would destroy the event and reveal the letter."""

# fmt: off
_KEPT = frozenset({
    "seq", "id", "v", "type", "timestamp", "actor", "effect_key", "kind", "mode", "severity",
    "step", "after_step", "at_step", "at", "checkpoint_after_step", "choice", "playbook", "target",
    "router", "domain", "domains", "primitive", "name", "phase", "joint", "error_category",
    "status",
})
"""Fields of an event that a fold compares; nobody's free text."""
# fmt: on

_ANSWERED = frozenset(
    {"result", "results", "outputs", "cost", "would_create", "would_modify", "would_drop"}
)
"""Fields that hold what the account answered, where a short number is a count."""

_PROSE = frozenset({"goal", "intent", "comment"})
"""Fields in which a person says something in words."""


@dataclass(frozen=True, slots=True)
class Secrets:
    """What the caller knows to be secret, in every form that it may be written in."""

    forms: tuple[str, ...] = ()
    """Longest first, because a secret may begin with another one."""
    is_counting: bool = False
    """Whether short numbers stay, as where the account counts: somebody's key may be `1`."""

    @classmethod
    def of(cls, values: Iterable[str]) -> Secrets:
        """Return the secrets with the forms that they take in SQL, JSON and URLs."""
        forms = {form for value in values for form in _forms(value)} - {"", REDACTED}
        return cls(tuple(sorted(forms, key=lambda form: (-len(form), form))))

    def taken_out_of(self, text: str) -> str:
        """Return the text without them and without what has a secret's shape."""
        if text in self.forms:
            return REDACTED
        for form in self.forms:
            if len(form) >= _SHORTEST_INSIDE:
                text = text.replace(form, REDACTED)
        return without_secrets(text)

    def has(self, name: str, number: float) -> bool:
        """Return whether a number is a secret, and not a count."""
        written = str(number)
        counts = self.is_counting and (len(written) < _SHORTEST_INSIDE or name == "row_count")
        return not counts and written in self.forms


def redact(event: Event, secrets: Iterable[str] = ()) -> Event:
    """Return the event without secrets; the same object where there are none.

    Args:
        event: stamped or not.
        secrets: values known to be secret, such as those of secret inputs.
    """
    document = dump(event)
    known = Secrets.of(secrets)
    free, counted = _free_fields(event.type), replace(known, is_counting=True)
    cleaned = {
        name: value
        if name in _KEPT
        else _cleaned(name, value, counted if name in _ANSWERED else known, name in free)
        for name, value in _by_name(document).items()
    }
    return event if cleaned == document else load(cleaned)


def redact_text(text: str, secrets: Iterable[str] = ()) -> str:
    """Return a text (prose, SQL, JSON, a URL, an error message) without secrets."""
    return Secrets.of(secrets).taken_out_of(text)


def _forms(secret: str) -> set[str]:
    doubled = secret.replace("'", "''")
    return {
        secret,
        secret.strip(),
        doubled,
        doubled.replace("\\", "\\\\"),
        secret.replace("\\", "\\\\").replace("'", "\\'"),
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
        quote(secret, safe="", errors="replace"),
    }


@cache
def _free_fields(kind: str) -> frozenset[str]:
    """Return the fields of an event type that hold any JSON value."""
    fields = EVENT_TYPES[kind].model_fields.items()
    return frozenset(name for name, field in fields if "Any" in str(field.annotation))


def _cleaned(name: str, value: Any, secrets: Secrets, is_free: bool) -> Any:
    """Return a value without secrets; only free ones may change their type."""
    match value:
        case None | bool():
            return value
        case _ if is_free and _is_secret(name, value):
            return REDACTED
        case str():
            cleaned = secrets.taken_out_of(value)
            return without_said(cleaned) if name in _PROSE else cleaned
        case list():
            return [_cleaned("", each, secrets, is_free) for each in value]
        case Mapping():
            members = _by_name(value).items()
            return {key: _cleaned(key, each, secrets, is_free) for key, each in members}
        case _:  # a number
            return REDACTED if is_free and secrets.has(name, value) else value


def _by_name(members: Mapping[str, Any]) -> Mapping[str, Any]:
    """Take out what another member names: `{name: password, value: …}`, columns and their rows."""
    label = members.get("name", members.get("to"))
    value = members.get("value")
    if isinstance(label, str) and value is not None and _is_secret(label, value):
        return {**members, "value": REDACTED}
    columns, rows = members.get("columns"), members.get("rows")
    if isinstance(columns, list) and isinstance(rows, list):
        return {**members, "rows": [_row(columns, row) for row in rows]}
    return members


def _row(columns: Sequence[Any], row: Any) -> Any:
    if not isinstance(row, list) or len(row) != len(columns):
        return row
    return [
        REDACTED if _is_secret_cell(str(column), cell) else cell
        for column, cell in zip(columns, row, strict=True)
    ]


def _is_secret_cell(column: str, cell: Any) -> bool:
    if isinstance(cell, str):
        return bool(cell) and (is_secret_name(column) or _is_secret(column, cell))
    return _is_number(cell) and is_long_number(str(cell)) and _is_secret(column, cell)


def _is_secret(name: str, value: Any) -> bool:
    if is_secret_name(name):
        return True
    is_plain = isinstance(value, str) or _is_number(value)
    return is_plain and is_pin_name(name) and is_long_number(str(value))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
