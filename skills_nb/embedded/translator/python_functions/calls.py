"""How a function of SQL is handed over to Python.

Room: embedded. Pure.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlglot import exp

Named = str | type[exp.Expr]
"""A function of SQL: its name in upper case, or the class that sqlglot has for it."""


@dataclass(frozen=True, slots=True)
class Call:
    """A function that Python computes."""

    run: Callable[..., Any]
    """Takes the values, semi-structured ones as JSON; None stands for NULL."""
    arguments: str
    """Names of the node's arguments, or places in a call by name, with spaces between.

    One with a star is handed over as JSON; dots stand for all the rest.
    """
    to: str = "JSON"
    """The DuckDB type that the answer is read as."""


def key_of(named: Named) -> str:
    """Return the word by which DuckDB asks for the function."""
    if isinstance(named, str):
        return named.lower()
    # FLATTEN is a table function to Snowflake; sqlglot's class of that name is ARRAY_FLATTEN.
    return "array_flatten" if named is exp.Flatten else _sql_name(named)


def _sql_name(cls: type[exp.Expr]) -> str:
    assert issubclass(cls, exp.Func)
    return cls.sql_name().lower()
