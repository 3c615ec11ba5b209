"""What is in the databases of a scope: GET_DDL, and what it leaves out.

Room: embedded. GET_DDL tells tables with their policies and tags, views, pipelines and routines; it
tells neither stages, nor database roles, nor the tags of databases and schemas, nor the policies
that tags carry.
Source: the manual's GET_DDL, TAG_REFERENCES and POLICY_REFERENCES.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from skills_nb.embedded.tools.mirror.asking import commented, shown
from skills_nb.ports import SqlReader
from skills_nb.sql.identifiers import quote, render_name
from skills_nb.sql.statements import split
from skills_nb.sql.tokens import literal

_INSIDE = frozenset({"SNOWFLAKE", "SNOWFLAKE_SAMPLE_DATA"})
"""Databases that every account has, or that nobody changes."""
_BATCH = 50
"""Tables of references that one query reads."""
_TAG = ("DATABASE", "SCHEMA", "NAME")
_POLICY = ("DB", "SCHEMA", "NAME")


def definitions(reader: SqlReader, wanted: Collection[str]) -> Iterator[str]:
    """Yield the statements that make the databases again; those not wanted, by name only."""
    for row in shown(reader, "SHOW DATABASES"):
        name = str(row["name"])
        if name in _INSIDE:
            continue
        yield f"CREATE DATABASE IF NOT EXISTS {quote(name)}"
        if name in wanted:
            yield from _whole(reader, name)


def schemas(reader: SqlReader, database: str) -> list[str]:
    """Return the qualified names of a database's schemas, as SQL."""
    rows = shown(reader, f"SHOW SCHEMAS IN DATABASE {quote(database)}")
    return [
        render_name((database, str(row["name"])))
        for row in rows
        if row["name"] != "INFORMATION_SCHEMA"
    ]


def _whole(reader: SqlReader, database: str) -> Iterator[str]:
    asked = f"SELECT GET_DDL('DATABASE', {literal(quote(database))}, TRUE) AS DDL"
    for row in shown(reader, asked):
        yield from (statement.text for statement in split(str(row["DDL"])))
    place = f"IN DATABASE {quote(database)}"
    for row in shown(reader, f"SHOW STAGES {place}"):
        yield _stage(row)
    for row in shown(reader, f"SHOW DATABASE ROLES {place}"):
        role = render_name((database, str(row["name"])))
        yield f"CREATE DATABASE ROLE IF NOT EXISTS {role}{commented(row)}"
    yield from _tagged(reader, database)
    yield from _protecting(reader, database)


def _stage(row: Mapping[str, Any]) -> str:
    name = render_name((str(row["database_name"]), str(row["schema_name"]), str(row["name"])))
    url = f" URL = {literal(str(row['url']))}" if row.get("url") else ""
    return f"CREATE STAGE IF NOT EXISTS {name}{url}{commented(row)}"


def _tagged(reader: SqlReader, database: str) -> Iterator[str]:
    """Yield what sets the tags of a database, its schemas and the warehouses."""
    asked = [("DATABASE", quote(database))]
    asked += [("SCHEMA", name) for name in schemas(reader, database)]
    warehouses = shown(reader, "SHOW WAREHOUSES")
    asked += [("WAREHOUSE", quote(str(row["name"]))) for row in warehouses]
    calls = [
        f"SELECT {literal(kind)} AS KIND, {literal(name)} AS TARGET, TAG_DATABASE, TAG_SCHEMA, "
        f"TAG_NAME, TAG_VALUE, LEVEL FROM TABLE({quote(database)}.INFORMATION_SCHEMA."
        f"TAG_REFERENCES({literal(name)}, {literal(kind)}))"
        for kind, name in asked
    ]
    for row in _all_of(reader, calls):
        # A tag that is inherited is told at its heirs, too.
        if row["LEVEL"] == row["KIND"]:
            tag = render_name(tuple(str(row[f"TAG_{part}"]) for part in _TAG))
            value = literal(str(row["TAG_VALUE"]))
            yield f"ALTER {row['KIND']} {row['TARGET']} SET TAG {tag} = {value}"


def _protecting(reader: SqlReader, database: str) -> Iterator[str]:
    """Yield what sets the masking policies that tags carry."""
    tags = [
        render_name((database, str(row["schema_name"]), str(row["name"])))
        for row in shown(reader, f"SHOW TAGS IN DATABASE {quote(database)}")
    ]
    calls = [
        f"SELECT {literal(tag)} AS TARGET, POLICY_DB, POLICY_SCHEMA, POLICY_NAME "
        f"FROM TABLE({quote(database)}.INFORMATION_SCHEMA.POLICY_REFERENCES("
        f"REF_ENTITY_NAME => {literal(tag)}, REF_ENTITY_DOMAIN => 'TAG'))"
        for tag in tags
    ]
    for row in _all_of(reader, calls):
        policy = render_name(tuple(str(row[f"POLICY_{part}"]) for part in _POLICY))
        yield f"ALTER TAG {row['TARGET']} SET MASKING POLICY {policy}"


def _all_of(reader: SqlReader, calls: Sequence[str]) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of like queries, many of them asked at once."""
    left = iter(calls)
    while some := list(islice(left, _BATCH)):
        yield from shown(reader, " UNION ALL ".join(some))
