"""Filling: variables of a script into the text of its statements and expressions.

Room: embedded. Pure. A value goes in as one literal, quoted, so that nothing it holds is read as
SQL. In a statement a variable is written `:name`; in an expression its bare name will do, though
not inside of a query, where a bare name is a column.

See https://docs.snowflake.com/en/developer-guide/snowflake-scripting/variables
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timezone
from decimal import Decimal
from typing import Any

from skills_nb.embedded.session.bound_values import Bound
from skills_nb.embedded.types.data_types import SEMI_STRUCTURED, SfType
from skills_nb.sql.tokens import Token, TokenKind, literal, tokenize

Lookup = Callable[[str, str | None], str | None]
"""Takes a variable and perhaps a field of it; returns its literal, None for what is no variable."""


def filled(text: str, lookup: Lookup, *, bare: bool) -> str:
    """Put variables into a text; bare names too where it is an expression."""
    tokens = tokenize(text)
    out: list[str] = []
    position, index, is_query = 0, 0, not bare
    while index < len(tokens):
        token = tokens[index]
        is_query = is_query or token.word in ("SELECT", "WITH")
        count = _variable_at(tokens, index, bare=not is_query)
        if count:
            start = index + (token.text == ":")
            field = _name(tokens[index + count - 1]) if count - (start - index) == 3 else None
            value = lookup(_name(tokens[start]), field)
            if value is not None:
                out += [text[position : token.start], value]
                position, index = tokens[index + count - 1].end, index + count
                continue
        index += 1
    return "".join([*out, text[position:]])


def _name(token: Token) -> str:
    if token.kind is not TokenKind.QUOTED:
        return token.word
    return token.text[1:-1].replace('""', '"')


def _variable_at(tokens: tuple[Token, ...], index: int, *, bare: bool) -> int:
    """Count the tokens of what may be a variable here: `:v`, `:r.c`, `v`, `r.c`; 0 for none."""
    token = tokens[index]
    before = tokens[index - 1] if index else None
    if token.text == ":":
        following = tokens[index + 1]
        adjoins = before is not None and before.end == token.start and _ends_value(before)
        if adjoins or following.start != token.end or following.kind is not TokenKind.WORD:
            return 0
        return 1 + _length(tokens, index + 1)
    if not bare or token.kind is not TokenKind.WORD:
        return 0
    if before is not None and before.text in (".", "::", ":", "=>"):
        return 0 if before.text != "=>" else _length(tokens, index)
    length = _length(tokens, index)
    following = tokens[min(index + length, len(tokens) - 1)]
    return 0 if following.text in ("(", "=>") else length


def _ends_value(token: Token) -> bool:
    named = token.kind in (TokenKind.WORD, TokenKind.QUOTED, TokenKind.VARIABLE)
    return named or token.text in (")", "]")


def _length(tokens: tuple[Token, ...], index: int) -> int:
    is_field = tokens[min(index + 1, len(tokens) - 1)].text == "."
    kind = tokens[min(index + 2, len(tokens) - 1)].kind
    return 3 if is_field and kind in (TokenKind.WORD, TokenKind.QUOTED) else 1


def literal_of(value: Any, sf_type: SfType | None = None) -> str:
    """Write a value as a literal of SQL."""
    if value is None:
        return f"NULL::{sf_type.sql}" if sf_type is not None else "NULL"
    if sf_type is not None and sf_type.kind in SEMI_STRUCTURED:
        text = value if isinstance(value, str) else json.dumps(value, default=str)
        return f"PARSE_JSON({literal(text)})"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, (int, Decimal)):
        return f"({value})" if value < 0 else str(value)
    if isinstance(value, float):
        return f"'{value!r}'::FLOAT"
    if isinstance(value, datetime):
        return f"'{value.isoformat(' ')}'::{_kind_of(value, sf_type)}"
    if isinstance(value, date):
        return f"'{value.isoformat()}'::DATE"
    if isinstance(value, time):
        return f"'{value.isoformat()}'::TIME"
    if isinstance(value, bytes):
        return f"X'{value.hex()}'"
    if isinstance(value, (dict, list)):
        return f"PARSE_JSON({literal(json.dumps(value, default=str))})"
    return literal(str(value))


def _kind_of(value: datetime, sf_type: SfType | None = None) -> str:
    """Name the type of a moment: one that is known, else what its zone tells."""
    if sf_type is not None and sf_type.kind.startswith("TIMESTAMP"):
        return sf_type.kind
    if value.tzinfo is None:
        return "TIMESTAMP_NTZ"
    # DuckDB names the zone of a session; a fixed offset is the moment's own.
    own = isinstance(value.tzinfo, timezone) and value.tzinfo is not UTC
    return "TIMESTAMP_TZ" if own else "TIMESTAMP_LTZ"


def binding_of(value: Any) -> Bound:
    """Write a value as a binding of EXECUTE IMMEDIATE … USING."""
    match value:
        case None:
            return Bound("TEXT", None)
        case bool():
            return Bound("BOOLEAN", str(value).lower())
        case int() | Decimal():
            return Bound("FIXED", str(value))
        case float():
            return Bound("REAL", repr(value))
        case datetime():
            return Bound(_kind_of(value), value.isoformat(" "))
        case date() | time():
            return Bound("TIME" if isinstance(value, time) else "DATE", value.isoformat())
        case bytes():
            return Bound("BINARY", value.hex())
        case dict() | list():
            return Bound("VARIANT", json.dumps(value, default=str))
        case _:
            return Bound("TEXT", str(value))
