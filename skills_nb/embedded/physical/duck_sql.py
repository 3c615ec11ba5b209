"""SQL for DuckDB: texts that hold nothing but what the program wrote, names and values quoted.

Room: embedded. Pure. The one module that quotes. A template is a text of the program's own, as it
stands there (a test holds that); what goes into its braces is quoted here or was made here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final, LiteralString, final

from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.errors import ParseError
from sqlglot.generators.duckdb import DuckDBGenerator

from skills_nb.embedded import errors
from skills_nb.embedded.physical.trees import check
from skills_nb.embedded.types.tree_copies import copied

_SEAL: Final = object()
_TYPE = re.compile(r"[A-Z]+(?:\(\d+(?:, ?\d+)?\))?|STRUCT\([a-z]+ [A-Z]+(?:, [a-z]+ [A-Z]+)*\)")
_CONSTANT = re.compile(r"'(?:[^'\\]|'')*+'|-?[0-9]+(?:\.[0-9]+)?|NULL|TRUE|FALSE", re.I)
Place = tuple[str, str]
"""Schema and name of a DuckDB table."""


@final
class DuckSql:
    """A text for DuckDB; only this module makes any."""

    __slots__ = ("text",)

    def __init__(self, text: str, seal: object) -> None:
        """Hold a text.

        Raises:
            TypeError: somebody else made it.
        """
        if seal is not _SEAL:
            raise TypeError("SQL for DuckDB is made by skills_nb.embedded.physical.duck_sql alone")
        self.text: Final = text

    def __repr__(self) -> str:
        """Show the text."""
        return f"DuckSql({self.text!r})"

    def __eq__(self, other: object) -> bool:
        """Compare texts."""
        return isinstance(other, DuckSql) and other.text == self.text

    def __hash__(self) -> int:
        """Return a number that equal texts share."""
        return hash(self.text)


Part = DuckSql | exp.Expr | int
"""What may stand in a template: a text made here, a tree, or a number."""


class Written(exp.Expression):
    """A part of a tree that is written already; no text parses to it."""

    arg_types: ClassVar[dict[str, bool]] = {"this": True}


class _Dialect(DuckDB):
    """DuckDB's SQL, with parts that are written already."""

    class Generator(DuckDBGenerator):
        """Writes trees."""

        TRANSFORMS: ClassVar[dict[type[exp.Expr], Any]] = {
            **DuckDBGenerator.TRANSFORMS,
            Written: lambda self, node: _said(node.this),
        }


_DIALECT = _Dialect()


def of(template: LiteralString, /, **parts: Part) -> DuckSql:
    """Fill a template whose `{name}` places stand for parts."""
    said = {name: _said(part) for name, part in parts.items()}
    return DuckSql(template.format_map(said) if said else template, _SEAL)


def _said(part: Part) -> str:
    match part:
        case DuckSql():
            return part.text
        case exp.Expr():
            check(part)
            return _generated(part)
        case int():
            return str(int(part))
        case _:
            raise TypeError(f"a {type(part).__name__} is no part of SQL")


def _generated(part: exp.Expr) -> str:
    try:
        return _DIALECT.generate(copied(part), copy=False, comments=False)
    except ParseError as error:  # sqlglot writes some functions as texts that it reads again.
        raise errors.syntax("syntax error: an argument of a function is missing.") from error


def tree(made: exp.Expr) -> DuckSql:
    """Write a tree.

    Raises:
        SqlError: it holds what no query of the account's can hold.
    """
    return DuckSql(_said(made), _SEAL)


def name(stored: str) -> DuckSql:
    """Quote a name."""
    return DuckSql('"' + stored.replace('"', '""') + '"', _SEAL)


def text(value: str) -> DuckSql:
    """Quote a text."""
    return DuckSql("'" + value.replace("'", "''") + "'", _SEAL)


def place(at: Place) -> DuckSql:
    """Name a table of rows."""
    return of("{schema}.{table}", schema=name(at[0]), table=name(at[1]))


def temporary(buffer: str) -> DuckSql:
    """Name a temporary table."""
    return of("temp.main.{buffer}", buffer=name(buffer))


def kind(physical: str) -> DuckSql:
    """Name a type of DuckDB's.

    Raises:
        ValueError: no type is called so.
    """
    if not _TYPE.fullmatch(physical):
        raise ValueError(physical)
    return DuckSql(physical, _SEAL)


def listed(parts: Iterable[Part]) -> DuckSql:
    """Write parts with commas between."""
    return joined(", ", parts)


def joined(between: LiteralString, parts: Iterable[Part]) -> DuckSql:
    """Write parts with a text of the program's own between."""
    return DuckSql(between.join(map(_said, parts)), _SEAL)


def names(stored: Iterable[str]) -> DuckSql:
    """Quote names, with commas between."""
    return listed(map(name, stored))


def constant(written: str) -> DuckSql:
    """Take a constant as it is written in Snowflake's SQL, where it means the same in DuckDB's.

    Raises:
        ValueError: it is none of those.
    """
    if not _CONSTANT.fullmatch(written):
        raise ValueError(written)
    return DuckSql(written, _SEAL)


Casting = tuple[DuckSql, DuckSql]
"""What stands before and behind a text to make it a value of a type."""


def rows(casts: Sequence[Casting], cells: Iterable[Sequence[str | None]]) -> DuckSql:
    """Write rows of texts, each cast to the type of its column; None is NULL."""
    around = [(before.text, behind.text) for before, behind in casts]
    written = (
        ", ".join(
            f"{before}{_quoted(cell)}{behind}"
            for (before, behind), cell in zip(around, row, strict=True)
        )
        for row in cells
    )
    return DuckSql(", ".join(f"({row})" for row in written), _SEAL)


def _quoted(cell: str | None) -> str:
    return "NULL" if cell is None else "'" + cell.replace("'", "''") + "'"


def marks(count: int) -> DuckSql:
    """Write places for so many values: `(?, ?)`."""
    return DuckSql("(" + ", ".join("?" * count) + ")", _SEAL)


def columns(types: Mapping[str, str]) -> DuckSql:
    """Define columns by their names and DuckDB types."""
    return listed(of("{n} {k}", n=name(n), k=kind(k)) for n, k in types.items())


EVERY = of("TRUE")
"""The condition that all rows meet."""
