"""SYSTEM$CLASSIFY: samples read with the caller's rights, results kept, tags set on demand.

Room: embedded. A sample is what the caller's role may see: masked values stay masked.

See https://docs.snowflake.com/en/sql-reference/stored-procedures/system_classify
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from skills_nb.embedded import dialect, names, queries, refusals
from skills_nb.embedded.catalog.entities import Entity, Kind, Parameter
from skills_nb.embedded.classification import ColumnSample, classify_table
from skills_nb.embedded.looking.relations import columns_shown
from skills_nb.embedded.statements.attach import set_tags
from skills_nb.errors import SqlError
from skills_nb.sql.governance import ast

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

_SAMPLE = 10_000
_KEPT = "CLASSIFICATION_RESULT"
_OPTIONS = frozenset({"sample_count", "auto_tag"})
SEMANTIC = ("SNOWFLAKE", "CORE", "SEMANTIC_CATEGORY")
PRIVACY = ("SNOWFLAKE", "CORE", "PRIVACY_CATEGORY")


def classify(session: AccountSession, name: str, options: Mapping[str, Any] | None = None) -> str:
    """Classify one table or view; keep the result; tag its columns with `auto_tag`."""
    chosen = _options(options)
    path = session.qualify(names.typed_path(name))
    entity = session.readable(path, session.env())
    found = classify_table(_samples(session, entity, int(chosen.get("sample_count", _SAMPLE))))
    body = json.dumps(found, default=str)
    session.account.catalog.put(Parameter(entity.id, _KEPT, body))
    if chosen.get("auto_tag"):
        _tag(session, entity, found["classification_result"])
    return body


def _options(options: Mapping[str, Any] | None) -> Mapping[str, Any]:
    given = options or {}
    for key in given:
        if key not in _OPTIONS:
            raise refusals.unsupported(f"SYSTEM$CLASSIFY option {key}")
    count = given.get("sample_count", _SAMPLE)
    if not 1 <= float(count) <= _SAMPLE:
        raise refusals.invalid_argument(f"sample_count {count} is not within 1 and {_SAMPLE}")
    return given


def _samples(session: AccountSession, entity: Entity, count: int) -> list[ColumnSample]:
    table = exp.Table(
        this=names.quoted(entity.path[2]),
        db=names.quoted(entity.path[1]),
        catalog=names.quoted(entity.path[0]),
    )
    query, _ = queries.governed(session, exp.select("*").from_(table).limit(count))
    rows = session.cursor.execute(dialect.to_sql(query)).fetchall()
    return [
        ColumnSample(column.name, column.type.sql, [row[i] for row in rows])
        for i, column in enumerate(columns_shown(entity.detail))
    ]


def _tag(session: AccountSession, entity: Entity, result: Mapping[str, Any]) -> None:
    for column, found in result.items():
        recommended = found.get("recommendation") or {}
        pairs = [
            (SEMANTIC, recommended.get("semantic_category")),
            (PRIVACY, recommended.get("privacy_category")),
        ]
        tags = tuple(ast.TagValue(tag, str(value)) for tag, value in pairs if value)
        set_tags(session, entity, column, tags)


def classify_schema(
    session: AccountSession, name: str, options: Mapping[str, Any] | None = None
) -> str:
    """Classify every table of a schema; one that fails does not stop the others.

    See https://docs.snowflake.com/en/sql-reference/stored-procedures/system_classify_schema
    """
    path = names.typed_path(name)
    full = path if len(path) == 2 else session.qualify_as(Kind.SCHEMA, path)
    schema = session.account.catalog.find(Kind.SCHEMA, full)
    if schema is None or not session.account.rights.visible(session.active_roles(), schema):
        raise refusals.not_found("Schema", full)
    failed: list[dict[str, str]] = []
    succeeded: list[dict[str, str]] = []
    for entity in session.account.catalog.children(Kind.TABLE, full):
        if entity.kind is not Kind.TABLE:
            continue
        shown = ".".join(entity.path)
        try:
            classify(session, _typed(entity), options)
        except SqlError as error:
            failed.append({"table_name": shown, "message": str(error)})
        else:
            succeeded.append({"table_name": shown})
    return json.dumps({"failed": failed, "succeeded": succeeded})


def _typed(entity: Entity) -> str:
    from skills_nb.sql.identifiers import render_name

    return render_name(entity.path)


def last_result(session: AccountSession, name: str) -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/system_get_classification_result."""
    entity = session.readable(session.qualify(names.typed_path(name)), session.env())
    kept = session.account.catalog.get(Parameter, (entity.id, _KEPT))
    return kept.value if kept is not None else None
