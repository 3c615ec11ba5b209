"""A statement of somebody's that is run again: one query and nothing else, its names in full.

Room: sql. A table may be read from a copy in its place: the copy bears the table's own name in
another schema, so that columns which are written with it still mean the same. What cannot be told
from the text is refused: a view over the table would read the original all the same.
Source: Snowflake manual, "Object name resolution".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from skills_nb.errors import SqlError
from skills_nb.sql.classify import why_no_probe
from skills_nb.sql.classify.read_only_queries import query_of
from skills_nb.sql.governance.ast import Name
from skills_nb.sql.governance.reader import Reader
from skills_nb.sql.identifiers import render_name
from skills_nb.sql.objects.object_refs import Place
from skills_nb.sql.qualifying.findings import Findings, apply_patches
from skills_nb.sql.qualifying.query_names import note_query, stored_part
from skills_nb.sql.statements import split
from skills_nb.sql.tokens import tokenize


@dataclass(slots=True)
class _Moving(Findings):
    """Findings that put copies in the place of tables."""

    sql: str = ""
    """The text that is read."""
    moved: Mapping[Name, Name] = field(default_factory=dict)
    """Full name of a table to that of its copy."""
    tables: list[Name] = field(default_factory=list)
    """Full names of what FROM names, in the order of the text."""

    def name(self, kind: str, start: int, parts: Name) -> None:
        whole = (*self.prefix(kind, parts), *parts)
        if kind == "TABLE":
            self.tables.append(whole)
        copy = self.moved.get(whole) if kind == "TABLE" else None
        if copy is None:
            Findings.name(self, kind, start, parts)
        else:
            self.put(start, _end_of_name(self.sql, start), render_name(copy))

    def whole(self, kind: str, parts: Name) -> str:
        found = (*self.prefix(kind, parts), *parts)
        self.tables.append(found)
        return render_name(self.moved.get(found, found))


def why_not(sql: str) -> str | None:
    """Return why a text is not one query that can be run again, to follow its name; else None."""
    if (count := len(split(sql))) > 1:
        return f"holds {count} statements, and only one can be run again"
    if (trouble := why_no_probe(sql)) is not None:
        return trouble
    tree = query_of(split(sql)[0].text)
    if tree is None:
        return "is no query, and only a query can be run again"
    if any(isinstance(node, exp.Placeholder) for node in tree.walk()):
        return "has bind variables, whose values the history does not keep: give it with values"
    return None


def replayed(sql: str, place: Place, moved: Mapping[Name, Name]) -> str:
    """Return a query with its names in full and with copies in the place of tables.

    Raises:
        SqlError: it is not one query, its names cannot be completed, or a copy cannot be read in
            the place of its table.
    """
    found = _read(sql, place, moved)
    for table, copy in moved.items():
        if table not in found.tables:
            raise SqlError(f"the statement does not name {render_name(table)} itself")
        if table[-1] != copy[-1]:
            raise SqlError(f"the copy of {render_name(table)} bears another name")
    _refuse_full_columns(found.sql, moved)
    return apply_patches(found.sql, found.patches.values())


def tables_of(sql: str, place: Place) -> tuple[Name, ...]:
    """Return the full names of the tables and views that a query names, each once.

    Raises:
        SqlError: it is not one query, or its names cannot be completed.
    """
    return tuple(dict.fromkeys(_read(sql, place, {}).tables))


def _read(sql: str, place: Place, moved: Mapping[Name, Name]) -> _Moving:
    if (trouble := why_not(sql)) is not None:
        raise SqlError(f"the statement {trouble}")
    text = split(sql)[0].text
    found = _Moving(place, sql=text, moved=moved)
    note_query(found, text)
    if found.lacking:
        names = ", ".join(dict.fromkeys(found.lacking))
        raise SqlError(
            f"the statement names {names} without database and schema",
            hint="Write the names in full.",
        )
    if not found.is_sure:
        raise SqlError("not all names in the statement can be read")
    return found


def _refuse_full_columns(sql: str, moved: Mapping[Name, Name]) -> None:
    """Refuse `DB.S.T.C`, which would not be a column of the copy."""
    tree = query_of(sql)
    tables = {table[-1] for table in moved}
    for column in tree.find_all(exp.Column) if tree is not None else ():
        if column.args.get("db") is not None and stored_part(column.parts[-2]) in tables:
            raise SqlError(
                "the statement writes columns with the schema of their table",
                hint="Write them with the table's name or an alias.",
            )


def _end_of_name(sql: str, start: int) -> int:
    """Return the offset behind the dotted name that begins at an offset."""
    places = {token.start: index for index, token in enumerate(tokenize(sql))}
    reader = Reader(sql)
    reader.index = places[start]
    reader.name(4, any_word=True)
    return reader.tokens[reader.index - 1].end
