"""Classifying: may a statement be repeated, and does it do what is prohibited.

Room: sql. Both answers are cautious: what cannot be read is done once, and text that is built at
run time is no text that anybody could approve. The parsers load on first use.
"""

from __future__ import annotations

from collections.abc import Iterable

from skills_nb.sql.classify.values import DynamicSqlError, Kind

__all__ = ["DynamicSqlError", "Kind", "kind_of", "may_take_long", "prohibited"]


def kind_of(sql: str) -> Kind:
    """Return the kind of one statement, or the most careful of several."""
    from skills_nb.sql.classify import kinds

    return kinds.kind_of(sql)


def may_take_long(sql: str) -> bool:
    """Return whether a statement writes rows, or runs code that may."""
    from skills_nb.sql.classify import duration

    return duration.may_take_long(sql)


def prohibited(sql: str, actions: Iterable[str]) -> str | None:
    """Return the first of the prohibited actions that the text would do, in the text's order.

    Args:
        sql: One statement or several.
        actions: Leading words of statements, like `DROP DATABASE`.

    Raises:
        DynamicSqlError: some SQL is made at run time, or runs in a language that is not SQL.
        SqlSyntaxError: the text cannot be cut into tokens.
    """
    from skills_nb.sql.classify import prohibition

    return prohibition.prohibited(sql, actions)
