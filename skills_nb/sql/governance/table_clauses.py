"""Policies and tags inside CREATE TABLE and CREATE VIEW, taken out.

Room: sql. The general SQL parser reads what is left; what was taken out comes as the actions of the
ALTER TABLE that would attach the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from skills_nb.sql.governance import ast
from skills_nb.sql.governance.column_clauses import read_column_clause, read_table_clause
from skills_nb.sql.governance.reader import Reader
from skills_nb.sql.tokens import leading_tokens

_MODIFIERS = (
    "OR REPLACE",
    "OR ALTER",
    "LOCAL",
    "GLOBAL",
    "TEMPORARY",
    "TEMP",
    "VOLATILE",
    "TRANSIENT",
    "SECURE",
    "RECURSIVE",
    "HYBRID",
    "EXTERNAL",
    "EVENT",
    "ICEBERG",
    "MATERIALIZED",
)


@dataclass(slots=True)
class _Cuts:
    """What was taken out, and where."""

    clauses: list[ast.TableAction] = field(default_factory=list)
    spans: list[tuple[int, int]] = field(default_factory=list)
    """Source offsets, in order."""

    def take(self, r: Reader, first: int, found: tuple[ast.TableAction, ...]) -> None:
        self.clauses += found
        self.spans.append((r.tokens[first].start, r.ahead(-1).end))


def table_clauses(
    sql: str, variables: Mapping[str, str] | None = None
) -> tuple[str, tuple[ast.TableAction, ...]]:
    """Take the policy and tag clauses out of one CREATE TABLE or CREATE VIEW.

    Args:
        sql: The statement.
        variables: Session variables by stored name, for `IDENTIFIER($v)`.

    Returns:
        The statement without them (the very text where there are none), and the clauses in written
        order, a column's with its stored name.

    Raises:
        SqlSyntaxError: a clause cannot be read.
        SqlError: it names a session variable that is not set.
    """
    if leading_tokens(sql, 1)[0].word != "CREATE":
        return sql, ()
    sql = _with_condition_first(sql, variables)
    r = Reader(sql, variables)
    if not _read_head(r):
        return sql, ()
    cuts = _Cuts()
    if r.at("("):
        _read_columns(r, cuts)
    while not r.is_done and not r.at("AS"):
        first = r.index
        if found := read_table_clause(r):
            cuts.take(r, first, found)
        else:
            r.skip_one()
    return _without(sql, cuts.spans), tuple(cuts.clauses)


def _with_condition_first(sql: str, variables: Mapping[str, str] | None) -> str:
    """Move IF NOT EXISTS from behind a table's name to before it, where it usually stands."""
    r = Reader(sql, variables)
    if not r.accept("CREATE"):
        return sql
    while r.accept_one(_MODIFIERS):
        pass
    if not r.accept("TABLE") or r.at("IF"):
        return sql
    named = r.token.start
    r.name()
    first = r.token.start
    if not r.accept("IF NOT EXISTS"):
        return sql
    return f"{sql[:named]}IF NOT EXISTS {sql[named:first]}{sql[r.ahead(-1).end :]}"


def _read_head(r: Reader) -> bool:
    """Read up to the name; whether this is CREATE TABLE or CREATE VIEW at all."""
    if not r.accept("CREATE"):
        return False
    while r.accept_one(_MODIFIERS):
        pass
    if not (r.accept("TABLE") or r.accept("VIEW")):
        return False
    r.accept("IF NOT EXISTS")
    r.name()
    return True


def _read_columns(r: Reader, cuts: _Cuts) -> None:
    """Read `(column …, …)`, taking out the clauses of each column."""
    r.expect("(")
    while not r.accept(")"):
        # A constraint without a name begins with a word that no column is called by.
        column = "" if r.at("UNIQUE") else r.identifier()
        while not r.at(",", ")"):
            first = r.index
            if column and (found := read_column_clause(r, column)):
                cuts.take(r, first, found)
            else:
                r.skip_one()
        r.accept(",")


def _without(sql: str, spans: list[tuple[int, int]]) -> str:
    """Return the text without the spans, and without the blanks before each."""
    kept, start = "", 0
    for first, last in spans:
        kept += sql[start:first].rstrip(" \t")
        start = last
    return kept + sql[start:]
