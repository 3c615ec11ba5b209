"""Readers of what several statements share: properties, tags, arguments, time travel.

Room: sql.
"""

from __future__ import annotations

from collections.abc import Container
from decimal import Decimal
from typing import Literal

from skills_nb.sql.governance.ast import (
    Argument,
    Clone,
    Name,
    Ref,
    TagValue,
    TimeTravel,
    Trigger,
    Value,
)
from skills_nb.sql.governance.reader import Reader, SqlSyntaxError
from skills_nb.sql.tokens import TokenKind

_CONSTANTS = {"TRUE": True, "FALSE": False, "NULL": None}


def read_properties(r: Reader, stop: Container[str] = ()) -> dict[str, Value]:
    """Read `KEY = value` pairs, with or without commas between, until something else comes.

    Raises:
        SqlSyntaxError: a key is written twice, or a value cannot be read.
    """
    found: dict[str, Value] = {}
    while r.token.word not in stop and _is_pair(r):
        place = r.token
        key = r.word()
        r.expect("=")
        if key in found:
            raise SqlSyntaxError(f"duplicate property '{key}' line {r.place(place)}.")
        found[key] = read_value(r)
        if r.at(",") and r.ahead(2).text == "=":
            r.expect(",")
    return found


def _is_pair(r: Reader) -> bool:
    return bool(r.token.word) and r.ahead(1).text == "="


def read_value(r: Reader) -> Value:
    """Read one value of a property."""
    if r.is_text:
        return r.text()
    if r.at("("):
        return _read_bracketed(r)
    if r.at("-") or r.token.kind is TokenKind.NUMBER:
        return _read_number(r)
    if r.token.word in _CONSTANTS and r.ahead(1).text != ".":
        return _CONSTANTS[r.word()]
    if r.token.kind is TokenKind.VARIABLE:
        return _read_variable(r)
    return Ref(r.name(4, any_word=True))


def _read_variable(r: Reader) -> Value:
    """Read `$v` where a value is expected: the session variable's text."""
    key = r.token.text[1:].upper()
    if key not in r.variables:
        r.fail()
    r.index += 1
    return r.variables[key]


def _read_number(r: Reader) -> Value:
    sign = "-" if r.accept("-") else ""
    if r.token.kind is not TokenKind.NUMBER:
        r.fail()
    text = sign + r.token.text
    r.index += 1
    return int(text) if text.lstrip("-").isdigit() and len(text) < 40 else Decimal(text)


def _read_bracketed(r: Reader) -> Value:
    """Read a list `(a, b)` or nested properties `(K = v …)`."""
    if r.ahead(2).text == "=":
        return _read_nested(r)
    r.expect("(")
    items: list[Value] = []
    while not r.accept(")"):
        items.append(read_value(r))
        if not r.accept(",") and not r.at(")"):
            r.fail()
    return tuple(items)


def _read_nested(r: Reader) -> dict[str, Value]:
    r.expect("(")
    found: dict[str, Value] = {}
    while not r.accept(")"):
        key = r.text() if r.is_text else r.word()
        r.expect("=")
        found[key] = read_value(r)
        r.accept(",")
    return found


def take_comment(properties: dict[str, Value]) -> str | None:
    """Take the comment out of properties."""
    comment = properties.pop("COMMENT", None)
    return comment if isinstance(comment, str) else None


def read_tag_values(r: Reader) -> tuple[TagValue, ...]:
    """Read `t = 'v', …`; a comma that something else follows is left."""
    found = [read_tag_value(r)]
    while r.at(",") and _is_tag_value(r):
        r.expect(",")
        found.append(read_tag_value(r))
    return tuple(found)


def _is_tag_value(r: Reader) -> bool:
    """Tell `, t = 'v'` from a comma before another clause."""
    ahead = 2
    while r.ahead(ahead).text == ".":
        ahead += 2
    return r.ahead(ahead).text == "="


def read_tag_value(r: Reader) -> TagValue:
    """Read `t = 'v'`."""
    tag = r.name()
    r.expect("=")
    return TagValue(tag, r.text())


def accept_tags(r: Reader) -> tuple[TagValue, ...]:
    """Read `[WITH] TAG (…)` if it comes next."""
    if not (r.accept("WITH TAG (") or r.accept("TAG (")):
        return ()
    tags = read_tag_values(r)
    r.expect(")")
    return tags


def read_arguments(r: Reader) -> tuple[Argument, ...]:
    """Read `(name [IN | OUT] type [DEFAULT e], …)`, perhaps empty; a mode may come first too."""
    r.expect("(")
    found: list[Argument] = []
    while not r.accept(")"):
        found.append(_read_argument(r))
        if not r.accept(",") and not r.at(")"):
            r.fail()
    return tuple(found)


_MODES: dict[str, Literal["IN", "OUT", "INOUT"]] = {
    "IN": "IN",
    "INPUT": "IN",
    "OUT": "OUT",
    "OUTPUT": "OUT",
    "INOUT": "INOUT",
}


def _read_argument(r: Reader) -> Argument:
    mode = _accept_mode(r)
    name = r.identifier()
    mode = mode or _accept_mode(r)
    type_ = r.until(",", "DEFAULT")
    default = r.until(",") if r.accept("DEFAULT") else None
    return Argument(name, type_, default, _MODES[mode] if mode else "IN")


def _accept_mode(r: Reader) -> str:
    """Read a mode, before or behind the name; such a word may be the name itself."""
    return r.word() if r.at(*_MODES) and r.ahead(1).text not in (",", ")") else ""


def accept_time_travel(r: Reader) -> TimeTravel | None:
    """Read `AT | BEFORE (OFFSET | TIMESTAMP | STATEMENT | STREAM => …)` if it comes next."""
    mode = r.accept_one(("AT", "BEFORE"))
    if mode is None:
        return None
    r.expect("(")
    by = r.expect_one(("TIMESTAMP", "OFFSET", "STATEMENT", "STREAM"))
    r.expect("=>")
    value = r.rest()
    r.expect(")")
    return TimeTravel("AT" if mode == "AT" else "BEFORE", by, value)


def accept_clone(r: Reader) -> Clone | None:
    """Read `CLONE source [AT …]` if it comes next."""
    if not r.accept("CLONE"):
        return None
    return Clone(r.name(), accept_time_travel(r))


def read_triggers(r: Reader) -> tuple[Trigger, ...]:
    """Read `[TRIGGERS] ON n PERCENT DO action …`."""
    r.accept("TRIGGERS")
    found: list[Trigger] = []
    while r.accept("ON"):
        percent = r.integer()
        r.expect("PERCENT DO")
        found.append(Trigger(percent, r.expect_one(("SUSPEND_IMMEDIATE", "SUSPEND", "NOTIFY"))))
    return tuple(found)


def accept_argument_types(r: Reader) -> tuple[str, ...] | None:
    """Read `(type, …)` behind a routine's name if it comes next."""
    return r.listed() if r.at("(") else None


def read_names(r: Reader, parts: int = 3) -> tuple[Name, ...]:
    """Read one or more names with commas between."""
    return r.many(lambda: r.name(parts))
