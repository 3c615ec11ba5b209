"""Semantic views and their parts as INFORMATION_SCHEMA and ACCOUNT_USAGE list them.

Room: embedded. One table of columns a part serves both; ACCOUNT_USAGE adds the view's number and
the time of the end.

See https://docs.snowflake.com/en/sql-reference/info-schema/semantic_views and
https://docs.snowflake.com/en/sql-reference/account-usage/semantic_metrics
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.objects.semantic_view.semantic_members import detail_of
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.system_views.information_schema.databases_and_tables import Roles, visible
from skills_nb.embedded.types.system_rows import Rows, laid_out

_Part = tuple[Entity, Any]
_Columns = dict[str, Callable[[_Part], Any]]
_VIEW: _Columns = {
    "SEMANTIC_VIEW_DATABASE_NAME": lambda p: p[0].path[0],
    "SEMANTIC_VIEW_SCHEMA_NAME": lambda p: p[0].path[1],
    "SEMANTIC_VIEW_NAME": lambda p: p[0].name,
}
_TIMES: _Columns = {
    "CREATED:t": lambda p: p[0].created_on,
    "LAST_ALTERED:t": lambda p: p[0].altered_on or p[0].created_on,
}
_NUMBERS: _Columns = {
    "SEMANTIC_VIEW_ID:n": lambda p: p[0].id,
    "DELETED:t": lambda _: None,
}


def _listed(values: Iterable[str]) -> str | None:
    found = list(values)
    return json.dumps(found) if found else None


_SAID: _Columns = {
    "SYNONYMS:a": lambda p: _listed(p[1].synonyms),
    "COMMENT": lambda p: p[1].comment or None,
}


def _member(word: str) -> _Columns:
    return {
        **_VIEW,
        "SEMANTIC_TABLE_NAME": lambda p: p[1].table or None,
        f"SEMANTIC_{word}_NAME": lambda p: p[1].name,
        "DATA_TYPE": lambda p: p[1].type,
        "EXPRESSION": lambda p: p[1].expression,
        **_SAID,
        **_TIMES,
    }


def _members(kind: str) -> Callable[[Entity], Iterator[Any]]:
    return lambda e: (m for m in detail_of(e).members if m.kind == kind)


_PARTS: dict[str, tuple[_Columns, Callable[[Entity], Iterable[Any]]]] = {
    "SEMANTIC_VIEWS": (
        {
            "CATALOG": lambda p: p[0].path[0],
            "SCHEMA": lambda p: p[0].path[1],
            "NAME": lambda p: p[0].name,
            "OWNER": lambda p: p[0].owner,
            "OWNER_ROLE_TYPE": lambda _: "ROLE",
            "COMMENT": lambda p: p[0].comment or None,
            **_TIMES,
        },
        lambda e: (e,),
    ),
    "SEMANTIC_TABLES": (
        {
            **_VIEW,
            "SEMANTIC_TABLE_NAME": lambda p: p[1].alias,
            "BASE_TABLE_DATABASE_NAME": lambda p: p[1].name[0],
            "BASE_TABLE_SCHEMA_NAME": lambda p: p[1].name[1],
            "BASE_TABLE_NAME": lambda p: p[1].name[2],
            "PRIMARY_KEYS:a": lambda p: _listed(p[1].primary_key),
            **_SAID,
            **_TIMES,
        },
        lambda e: detail_of(e).tables,
    ),
    "SEMANTIC_RELATIONSHIPS": (
        {
            **_VIEW,
            "SEMANTIC_RELATIONSHIP_NAME": lambda p: p[1].name,
            "SEMANTIC_TABLE_NAME": lambda p: p[1].table,
            "FOREIGN_KEYS:a": lambda p: _listed(p[1].columns),
            "REF_SEMANTIC_TABLE_NAME": lambda p: p[1].referenced,
            "REF_KEYS:a": lambda p: _listed(p[1].referenced_columns),
            **_TIMES,
        },
        lambda e: detail_of(e).relationships,
    ),
    "SEMANTIC_DIMENSIONS": (_member("DIMENSION"), _members("DIMENSION")),
    "SEMANTIC_FACTS": (_member("FACT"), _members("FACT")),
    "SEMANTIC_METRICS": (_member("METRIC"), _members("METRIC")),
}


def shown(name: str) -> Callable[[Context, Roles, str], Rows]:
    """Return the reader of a view of INFORMATION_SCHEMA."""
    columns, parts = _PARTS[name]

    def read(session: Context, roles: Roles, database: str) -> Rows:
        views = visible(session, roles, Kind.SEMANTIC_VIEW, (database,))
        return laid_out(columns, ((view, part) for view in views for part in parts(view)))

    return read


def used(name: str) -> Callable[[Context], Rows]:
    """Return the reader of a view of ACCOUNT_USAGE."""
    columns, parts = _PARTS[name]

    def read(session: Context) -> Rows:
        views = session.account.catalog.within(Kind.SEMANTIC_VIEW)
        found = ((view, part) for view in views for part in parts(view))
        return laid_out({**columns, **_NUMBERS}, found)

    return read


NAMES = tuple(_PARTS)
"""Views of both schemas."""
