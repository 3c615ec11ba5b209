"""Session variables: the constants that they stand for, with their types.

Room: embedded. Pure. A variable has the type of what it was set to.

See https://docs.snowflake.com/en/sql-reference/session-variables
"""

from __future__ import annotations

import re

from sqlglot import exp

from skills_nb.embedded.types.data_types import SfType

_WRITTEN = frozenset(
    {"DATE", "TIME", "TIMESTAMP_NTZ", "TIMESTAMP_LTZ", "TIMESTAMP_TZ", "REAL", "BINARY"}
)
"""Kinds whose constants are texts that are cast."""


def constant(value: object, kind: SfType) -> exp.Expr:
    """Return the constant for a value that a query of this type gave."""
    if value is None:
        return exp.null()
    if kind.kind not in _WRITTEN:
        return exp.convert(value) if isinstance(value, (bool, int)) else _other(value)
    if isinstance(value, (bytes, bytearray)):
        return exp.HexString(this=bytes(value).hex().upper())
    text = repr(value) if isinstance(value, float) else str(value)
    wanted = exp.DataType.build(kind.sql, dialect="snowflake")
    return exp.Cast(this=exp.Literal.string(text), to=wanted)


def _other(value: object) -> exp.Expr:
    return exp.Literal.string(value) if isinstance(value, str) else exp.convert(value)


def text_of(constant_: exp.Expr) -> str:
    """Return the value as a person writes it, such as the name in IDENTIFIER($v)."""
    inner = constant_.this if isinstance(constant_, exp.Cast) else constant_
    if isinstance(inner, exp.Boolean):
        return str(inner.this).lower()
    return inner.name if isinstance(inner, (exp.Literal, exp.HexString)) else str(inner)


def kind_of(constant_: exp.Expr) -> str:
    """Return the type as SHOW VARIABLES names it."""
    if isinstance(constant_, exp.Cast):
        named = constant_.to.sql("snowflake").partition("(")[0].lower()
        return "real" if named == "double" else re.sub("^timestamp(?=.)", "timestamp_", named)
    if isinstance(constant_, exp.HexString):
        return "binary"
    if isinstance(constant_, exp.Boolean):
        return "boolean"
    return "text" if constant_.is_string else "fixed"
