"""Queries as values: a statement of somebody's, which a template runs again.

Room: sql. A template never splices text. What renders here as SQL was read as one query that
writes nothing and calls Snowflake's own functions only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from skills_nb.errors import SqlError
from skills_nb.sql.objects.object_refs import Place
from skills_nb.sql.qualifying import replayed, tables_of, why_not_replayed
from skills_nb.sql.templates.identifier_values import Name
from skills_nb.sql.templates.template_error import refuse


@dataclass(frozen=True, slots=True)
class Query:
    """The text of one query; renders as it is, to stand in parentheses."""

    sql: str
    """With names in full."""

    def __str__(self) -> str:
        """Return its text, with a line end, so that a comment at its end stays one."""
        return f"{self.sql}\n"


def build_query(*arguments: Any) -> Query:
    """Build a query from text, database, schema, and a table with the copy that replaces it.

    Raises:
        TemplateError: the text is no single query that changes nothing.
    """
    text, place, moved = _read(arguments)
    try:
        return Query(replayed(text, place, moved))
    except SqlError as error:
        raise refuse(str(error), error.hint) from error


def list_tables(*arguments: Any) -> list[Name]:
    """List the tables and views that a query names, from text, database and schema.

    Raises:
        TemplateError: the text is no single query that changes nothing.
    """
    text, place, _ = _read(arguments)
    try:
        return [Name(parts) for parts in tables_of(text, place)]
    except SqlError as error:
        raise refuse(str(error), error.hint) from error


def find_query_problem(*arguments: Any) -> str | None:
    """Tell why a text cannot be run again as a query, to follow its name; None where it can."""
    text, place, _ = _read(arguments)
    if (trouble := why_not_replayed(text)) is not None:
        return trouble
    try:
        tables_of(text, place)
    except SqlError as error:
        return str(error).removeprefix("the statement ")
    return None


def _read(arguments: tuple[Any, ...]) -> tuple[str, Place, dict[tuple[str, ...], tuple[str, ...]]]:
    text, database, schema, table, copy = (*map(_plain, arguments), *[None] * 5)[:5]
    if not isinstance(text, str):
        raise refuse("a query is built from the text of a statement")
    moved = {table.parts: copy.parts} if isinstance(table, Name) and isinstance(copy, Name) else {}
    return text, Place(_name(database), _name(schema)), moved


def _plain(argument: Any) -> Any:
    """Return a text that stands in the template without its mark."""
    return argument[1] if isinstance(argument, tuple) and len(argument) == 2 else argument


def _name(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
