"""What statements are made of: names, values, arguments, clauses that several share.

Room: sql. Names are tuples of stored parts, database first, unqualified as written. Types, bodies
and expressions stay source text, since another reader (sqlglot) owns them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias

from skills_nb.sql.identifiers import render_name

Name: TypeAlias = tuple[str, ...]
"""Stored parts, database first."""


@dataclass(frozen=True, slots=True)
class Ref:
    """A bare word or dotted name in the place of a value: `XSMALL`, `DB.S.WH`."""

    parts: Name
    """Stored parts."""

    @property
    def text(self) -> str:
        """Return the name as SQL."""
        return render_name(self.parts)


Value: TypeAlias = (
    "str | int | Decimal | bool | Ref | tuple[Value, ...] | Mapping[str, Value] | None"
)
"""A property's value: `'x'` str, `1` int, `1.5` Decimal, `TRUE` bool, `NULL` None, a bare name Ref,
`(a, b)` tuple, `(K = v …)` mapping with upper-cased keys."""

Properties: TypeAlias = Mapping[str, Value]
"""`KEY = value` pairs by upper-cased key, in written order."""


def text_of(value: Value) -> str:
    """Return a scalar property as plain text: `'x-small'`, `XSMALL` and `60` alike.

    Raises:
        TypeError: the value is a list or a mapping.
    """
    match value:
        case Ref(parts=parts):
            return ".".join(parts)
        case bool():
            return str(value).upper()
        case None:
            return "NULL"
        case tuple() | Mapping():
            raise TypeError(f"a list or mapping is no scalar: {value!r}")
        case _:
            return str(value)


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a policy, function or procedure."""

    name: str
    """Its stored name."""
    type: str
    """Source text: `STRING`, `NUMBER(38, 0)`, `TABLE(C INT)`."""
    default: str | None = None
    """The default's source text."""
    mode: Literal["IN", "OUT", "INOUT"] = "IN"
    """Of a procedure's argument; whatever else has arguments knows `IN` alone."""


@dataclass(frozen=True, slots=True)
class TagValue:
    """One `tag = 'value'`."""

    tag: Name
    value: str


@dataclass(frozen=True, slots=True)
class TimeTravel:
    """`AT (…)` or `BEFORE (…)`."""

    mode: Literal["AT", "BEFORE"]
    """`AT` takes in what happened at the point, `BEFORE` stops short of it."""
    by: str
    """`TIMESTAMP`, `OFFSET`, `STATEMENT` or `STREAM`."""
    value: str
    """Source text of the expression."""


@dataclass(frozen=True, slots=True)
class Clone:
    """`CLONE source [AT …]`."""

    source: Name
    at: TimeTravel | None = None


@dataclass(frozen=True, slots=True)
class Trigger:
    """`ON percent PERCENT DO action` of a resource monitor."""

    percent: int
    action: str
    """`NOTIFY`, `SUSPEND` or `SUSPEND_IMMEDIATE`."""


@dataclass(frozen=True, slots=True)
class Target:
    """What a privilege is on."""

    kind: str
    """Singular, upper case: `TABLE`, `MASKING POLICY`, `ACCOUNT`."""
    name: Name = ()
    """The object; for `ALL` and `FUTURE` the container; empty for the account."""
    scope: Literal["OBJECT", "ALL", "FUTURE"] = "OBJECT"
    """One object, all that are there now, or those that will be made."""
    container: str | None = None
    """`DATABASE` or `SCHEMA` for `ALL` and `FUTURE`."""
    arguments: tuple[str, ...] | None = None
    """Argument types of a function or procedure; None where none were written."""


@dataclass(frozen=True, slots=True)
class Grantee:
    """Who receives or loses something."""

    kind: str
    """`ROLE`, `DATABASE ROLE`, `USER`, `SHARE`, `APPLICATION`, `APPLICATION ROLE`."""
    name: Name
    """Its stored parts; of a database role the database goes first."""


@dataclass(frozen=True, slots=True)
class Scope:
    """`IN …` of SHOW."""

    kind: str | None
    """`ACCOUNT`, `DATABASE`, `SCHEMA`, `TABLE`, …; None where only a name was written."""
    name: Name = ()
    """Empty for the account, and for the current database or schema."""
