"""What would go with an object that is dropped: what lies in it, and what rests on it.

Room: sql. Dropping a schema drops whatever it holds, whoever put it there, and dropping a table
breaks the views of others: RESTRICT looks at foreign keys only.
Source: Snowflake manual, "DROP SCHEMA", "DROP TABLE", "OBJECT_DEPENDENCIES view".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from skills_nb.sql.identifiers import render_name
from skills_nb.sql.objects.object_refs import ObjectRef
from skills_nb.sql.objects.prior_state import cell_of
from skills_nb.sql.tokens import literal

Row = Mapping[str, Any]

_IN_SCHEMA = (
    "OBJECTS",
    "DYNAMIC TABLES",
    "STAGES",
    "FILE FORMATS",
    "SEQUENCES",
    "STREAMS",
    "TASKS",
    "PIPES",
    "ALERTS",
    "USER FUNCTIONS",
    "PROCEDURES",
    "MASKING POLICIES",
    "ROW ACCESS POLICIES",
    "AGGREGATION POLICIES",
    "PROJECTION POLICIES",
    "TAGS",
    "SECRETS",
    "NETWORK RULES",
    "SEMANTIC VIEWS",
    "STREAMLITS",
    "NOTEBOOKS",
    "MODELS",
    "SERVICES",
)
"""Plurals of what a schema can hold."""
_OF_ITSELF = frozenset({"PUBLIC", "INFORMATION_SCHEMA"})
"""Schemas that every database begins with."""
_READABLE = frozenset(
    {"table", "view", "materialized_view", "dynamic_table", "external_table", "function", "stage"}
)


_VIEW_TEXTS = "SELECT TABLE_CATALOG, TABLE_SCHEMA, TABLE_NAME, VIEW_DEFINITION FROM"
_SURVEYS = (
    _VIEW_TEXTS,
    "SHOW DYNAMIC TABLES IN DATABASE",
    "SHOW TASKS IN DATABASE",
    "SHOW PIPES IN DATABASE",
)
_FOLLOWED = frozenset({"table", "view", "dynamic_table", "external_table", "stage"})


@dataclass(frozen=True, slots=True)
class DependentQuery:
    """A query for what would go with an object, and what each of its rows says."""

    query: str
    """A read-only statement that answers a row for each object that might go."""
    name: Callable[[Row], str | None]
    """The object that a row is about; None where it is of no concern."""


def inside(ref: ObjectRef) -> tuple[DependentQuery, ...]:
    """Return the queries for what lies in a schema or database."""
    if ref.facet or ref.type not in ("schema", "database"):
        return ()
    where = f"IN {ref.kind} {render_name(ref.name)}"
    kinds = _IN_SCHEMA if ref.type == "schema" else (*_IN_SCHEMA, "DATABASE ROLES")
    held = tuple(DependentQuery(f"SHOW {kind} {where}", named_object) for kind in kinds)
    if ref.type == "schema":
        return held
    return (DependentQuery(f"SHOW SCHEMAS {where}", _schema), *held)


def resting_on(ref: ObjectRef) -> tuple[DependentQuery, ...]:
    """Return the queries for what reads an object, or runs after it or in it."""
    return tuple(_resting_on(ref)) if not ref.facet else ()


def streams_on(ref: ObjectRef) -> tuple[DependentQuery, ...]:
    """Return the query for the streams that tell the changes of a table."""
    if ref.facet or ref.type not in _FOLLOWED or len(ref.name) != 3:
        return ()
    query = f"SHOW STREAMS IN DATABASE {render_name(ref.name[:1])}"
    return (DependentQuery(query, _about("table_name", ref)),)


def readers_of(column: ObjectRef) -> tuple[DependentQuery, ...]:
    """Return the queries for what reads a column of a table or view: by its name, or by a star."""
    kind = column.container.lower()
    table = ObjectRef(kind, column.name[:-1])
    if len(table.name) != 3:
        return ()
    mentions = _mentions(column.name[-1])
    return tuple(
        DependentQuery(one.query, _if_it_mentions(mentions, one.name)) for one in _texts(table)
    )


def is_survey(query: str) -> bool:
    """Return whether a query looks through everything of a database, whomever it belongs to."""
    return query.startswith(_SURVEYS)


def _mentions(column: str) -> re.Pattern[str]:
    name = re.escape(column.replace('"', '""'))
    star = r"(?:\bSELECT(?:\s+(?:DISTINCT|ALL))?|,|\.)\s*\*"
    return re.compile(rf'(?<![\w$])"?{name}"?(?![\w$])|{star}', re.IGNORECASE)


def _if_it_mentions(
    mentions: re.Pattern[str], name: Callable[[Row], str | None]
) -> Callable[[Row], str | None]:
    """Return what reads the rows in one of whose texts a column is mentioned."""

    def named(row: Row) -> str | None:
        texts = (cell_of(row, column) or "" for column in ("view_definition", "text", "definition"))
        return name(row) if any(map(mentions.search, texts)) else None

    return named


def _texts(ref: ObjectRef) -> Iterator[DependentQuery]:
    """Yield the queries for texts that may read a table or view."""
    database = render_name(ref.name[:1])
    yield DependentQuery(_views(ref), _view(ref))
    yield DependentQuery(f"SHOW DYNAMIC TABLES IN DATABASE {database}", _reading("text", ref))
    yield DependentQuery(f"SHOW TASKS IN DATABASE {database}", _reading("definition", ref))
    yield DependentQuery(f"SHOW PIPES IN DATABASE {database}", _reading("definition", ref))


def _resting_on(ref: ObjectRef) -> Iterator[DependentQuery]:
    if ref.type in _READABLE and len(ref.name) == 3:
        yield DependentQuery(_dependencies(ref), _dependant)
        yield from streams_on(ref)
        yield from _texts(ref)
    elif ref.type == "task" and len(ref.name) == 3:
        where = render_name(ref.name[:1])
        yield DependentQuery(f"SHOW TASKS IN DATABASE {where}", _about("predecessors", ref))
    elif ref.type == "warehouse":
        yield DependentQuery("SHOW TASKS IN ACCOUNT", _about("warehouse", ref))
        yield DependentQuery("SHOW DYNAMIC TABLES IN ACCOUNT", _about("warehouse", ref))
    elif ref.type == "resource_monitor":
        yield DependentQuery("SHOW WAREHOUSES", _about("resource_monitor", ref))
    elif ref.type == "tag":
        yield DependentQuery(_tagged(ref), _tagged_object)


def _dependencies(ref: ObjectRef) -> str:
    database, schema, name = (literal(part) for part in ref.name)
    return (
        "SELECT REFERENCING_DATABASE, REFERENCING_SCHEMA, REFERENCING_OBJECT_NAME "
        "FROM SNOWFLAKE.ACCOUNT_USAGE.OBJECT_DEPENDENCIES "
        f"WHERE REFERENCED_DATABASE = {database} AND REFERENCED_SCHEMA = {schema} "
        f"AND REFERENCED_OBJECT_NAME = {name}"
    )


def _views(ref: ObjectRef) -> str:
    """Ask for views whose text names the object: the account's own list is hours behind."""
    return (
        f"{_VIEW_TEXTS} "
        f"{render_name((ref.name[0], 'INFORMATION_SCHEMA', 'VIEWS'))} "
        f"WHERE CONTAINS(UPPER(VIEW_DEFINITION), {literal(ref.name[-1].upper())}) "
        f"AND NOT (TABLE_SCHEMA = {literal(ref.name[1])} AND TABLE_NAME = {literal(ref.name[2])})"
    )


def _tagged(ref: ObjectRef) -> str:
    where = " AND ".join(
        f"{column} = {literal(part)}"
        for column, part in zip(("TAG_DATABASE", "TAG_SCHEMA", "TAG_NAME"), ref.name, strict=False)
    )
    return (
        "SELECT OBJECT_DATABASE, OBJECT_SCHEMA, OBJECT_NAME FROM "
        f"SNOWFLAKE.ACCOUNT_USAGE.TAG_REFERENCES WHERE {where} AND OBJECT_DELETED IS NULL"
    )


def named_object(row: Row) -> str | None:
    """Return the full name of what a row of SHOW is about; None for what the system brings."""
    is_builtin = (cell_of(row, "is_builtin") or "").upper() == "Y"
    if is_builtin or cell_of(row, "schema_name") == "INFORMATION_SCHEMA":
        return None
    parts = [cell_of(row, part) for part in ("database_name", "schema_name", "name")]
    if parts[0] is None:
        parts[0] = cell_of(row, "catalog_name")
    return render_name([part for part in parts if part]) or None


def _schema(row: Row) -> str | None:
    name = cell_of(row, "name")
    return None if name is None or name in _OF_ITSELF else named_object(row)


def _dependant(row: Row) -> str | None:
    columns = ("referencing_database", "referencing_schema", "referencing_object_name")
    return _joined(row, columns)


def _view(ref: ObjectRef) -> Callable[[Row], str | None]:
    """Return what reads the views whose text reads the object."""
    reads = _reads(ref)

    def name(row: Row) -> str | None:
        if not reads.search(cell_of(row, "view_definition") or ""):
            return None
        return _joined(row, ("table_catalog", "table_schema", "table_name"))

    return name


def _tagged_object(row: Row) -> str | None:
    return _joined(row, ("object_database", "object_schema", "object_name"))


def _joined(row: Row, columns: tuple[str, ...]) -> str | None:
    parts = [cell_of(row, column) for column in columns]
    return render_name([part for part in parts if part]) or None


def _reads(ref: ObjectRef) -> re.Pattern[str]:
    """Return the pattern of a text that reads an object: its name where a name is read from."""
    schema, name = (re.escape(part.replace('"', '""')) for part in ref.name[-2:])
    behind = r"(?![\w$])"
    patterns = [
        rf'\b(?:FROM|JOIN|INTO|USING)\s+"?{name}"?{behind}',
        rf'(?<![\w$]){schema}"?\s*\.\s*"?{name}"?{behind}',
        rf'@"?{name}"?{behind}',
    ]
    if ref.type == "function":
        patterns.append(rf'(?<![\w$])"?{name}"?\s*\(')
    return re.compile("|".join(patterns), re.IGNORECASE)


def _reading(column: str, ref: ObjectRef) -> Callable[[Row], str | None]:
    """Return what reads the rows whose text in a column reads the object."""
    reads = _reads(ref)

    def name(row: Row) -> str | None:
        is_itself = cell_of(row, "name") == ref.name[-1]
        text = None if is_itself else cell_of(row, column)
        return named_object(row) if text and reads.search(text) else None

    return name


def _about(column: str, ref: ObjectRef) -> Callable[[Row], str | None]:
    """Return what reads the rows whose text in a column names the object, in full or in part."""
    named = re.compile(rf'(?<![\w$."]){_path(ref)}(?![\w$.])', re.IGNORECASE)

    def name(row: Row) -> str | None:
        text = cell_of(row, column)
        is_itself = cell_of(row, "name") == ref.name[-1] and column != "warehouse"
        return named_object(row) if text and not is_itself and named.search(text) else None

    return name


def _path(ref: ObjectRef) -> str:
    """Return the pattern of a name, with or without what it lies in."""
    pattern = ""
    for part in ref.name:
        inner = rf"(?:{pattern}\s*\.\s*)?" if pattern else ""
        pattern = rf'{inner}"?{re.escape(part.replace(chr(34), chr(34) * 2))}"?'
    return pattern
