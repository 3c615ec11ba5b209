"""Names in full: relative names in a text get the database and schema that they mean.

Room: sql. What is written stays as it is but for what stands before a name. A statement whose names
cannot all be read is put behind a USE SCHEMA, so that it means the same in every session. The
parsers load on first use.
Source: Snowflake manual, "Object name resolution".
"""

from __future__ import annotations

from collections.abc import Mapping

from skills_nb.sql.objects.object_refs import Name, ObjectRef, Place
from skills_nb.sql.qualifying.findings import QualifiedText, StatementInFull

__all__ = [
    "QualifiedText",
    "StatementInFull",
    "grounds_of",
    "in_full",
    "place_behind",
    "qualify",
    "replayed",
    "sources_of",
    "tables_of",
    "why_not_replayed",
]


def qualify(sql: str, database: str | None, schema: str | None) -> QualifiedText:
    """Return a text with its names in full, and where a session stands behind it.

    Args:
        sql: one statement or several.
        database: the database that is current before the text.
        schema: the schema that is current before the text.
    """
    from skills_nb.sql.qualifying import qualified_texts

    return qualified_texts.qualify(sql, database, schema)


def in_full(sql: str, place: Place, *, stands: bool) -> tuple[StatementInFull, ...]:
    """Return the statements of a text with their names in full, one by one.

    Args:
        sql: one statement or several.
        place: where the session ought to stand before the text.
        stands: whether it surely does; where it may not, it is put there before a statement whose
            names cannot all be read.
    """
    from skills_nb.sql.qualifying import qualified_texts

    return qualified_texts.in_full(sql, place, stands=stands)


def place_behind(sql: str, place: Place) -> Place:
    """Return where a session stands behind one statement."""
    from skills_nb.sql.qualifying import qualified_texts

    return qualified_texts.place_behind(sql, place)


def sources_of(sql: str, database: str | None, schema: str | None) -> tuple[ObjectRef, ...]:
    """Return what a text's writing statements read, each once, as the streams that it may be.

    Args:
        sql: one statement or several.
        database: the current database, for names that are not in full.
        schema: the current schema.
    """
    from skills_nb.sql.qualifying import source_tables

    return source_tables.sources_of(sql, database, schema)


def grounds_of(sql: str, database: str | None, schema: str | None) -> tuple[ObjectRef, ...]:
    """Return what a text's statements read or change, each once, rights left out.

    Args:
        sql: one statement or several.
        database: the current database, for names that are not in full.
        schema: the current schema.
    """
    from skills_nb.sql.qualifying import grounds

    return grounds.grounds_of(sql, database, schema)


def why_not_replayed(sql: str) -> str | None:
    """Return why a text is not one query that can be run again, to follow its name; else None."""
    from skills_nb.sql.qualifying import replayed_queries

    return replayed_queries.why_not(sql)


def replayed(sql: str, place: Place, moved: Mapping[Name, Name]) -> str:
    """Return a query with its names in full, and with copies in the place of tables.

    Args:
        sql: the text of a query.
        place: where the session stood when it ran.
        moved: full name of a table to that of its copy.

    Raises:
        SqlError: it is not one query, its names cannot be completed, or a copy cannot be read in
            the place of its table.
    """
    from skills_nb.sql.qualifying import replayed_queries

    return replayed_queries.replayed(sql, place, moved)


def tables_of(sql: str, place: Place) -> tuple[Name, ...]:
    """Return the full names of the tables and views that a query names, each once.

    Raises:
        SqlError: it is not one query, or its names cannot be completed.
    """
    from skills_nb.sql.qualifying import replayed_queries

    return replayed_queries.tables_of(sql, place)
