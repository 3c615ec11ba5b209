"""Classifying: may a statement be repeated, and does it do what is prohibited.

Room: sql. Both answers are cautious: what cannot be read is done once, and text that is built at
run time is no text that anybody could approve. The parsers load on first use.
"""

from __future__ import annotations

from collections.abc import Iterable

from skills_nb.sql.classify.kind import DynamicSqlError, Kind

__all__ = [
    "DynamicSqlError",
    "Kind",
    "asks_catalog",
    "kind_of",
    "may_run_others",
    "may_take_long",
    "prohibited_action",
    "why_no_probe",
]


def kind_of(sql: str) -> Kind:
    """Return the kind of one statement, or the most careful of several."""
    from skills_nb.sql.classify import statement_kinds

    return statement_kinds.kind_of(sql)


def asks_catalog(sql: str) -> bool:
    """Return whether one read asks for objects as they are, and neither for rows nor history."""
    from skills_nb.sql.classify import catalog_reads

    return catalog_reads.asks_catalog(sql)


def may_run_others(sql: str) -> bool:
    """Return whether a statement may run others, so that a part of it can be done."""
    from skills_nb.sql.classify import child_statements

    return child_statements.may_run_others(sql)


def may_take_long(sql: str) -> bool:
    """Return whether a statement writes rows, or runs code that may."""
    from skills_nb.sql.classify import duration

    return duration.may_take_long(sql)


def why_no_probe(sql: str) -> str | None:
    """Return why a text is not provably one read, to follow its name; None where it is one.

    Such a text may be sent before anybody has approved anything, also in a dry run.
    """
    from skills_nb.sql.classify import probing

    return probing.why_no_probe(sql)


def prohibited_action(sql: str, actions: Iterable[str]) -> str | None:
    """Return the first of the prohibited actions that the text would do, in the text's order.

    Args:
        sql: One statement or several.
        actions: Leading words of statements, like `DROP DATABASE`.

    Raises:
        DynamicSqlError: some SQL is made at run time, or runs in a language that is not SQL.
        SqlSyntaxError: the text cannot be cut into tokens.
    """
    from skills_nb.sql.classify import prohibition

    return prohibition.prohibited_action(sql, actions)
