"""What governance leaves behind: tags with what inherits them, classifications, measurements.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/functions/tag_references_with_lineage and
https://docs.snowflake.com/en/sql-reference/account-usage/data_classification_latest
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.authorizer.references import effective_tags, number_of_column, object_names
from skills_nb.embedded.catalog.entities import Entity, Kind, TagRef
from skills_nb.embedded.catalog.table_details import columns_shown
from skills_nb.embedded.objects.routines.data_metric_function import measuring, metric_uses
from skills_nb.embedded.session import runs
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.session.history_arguments import Arguments, Asked
from skills_nb.embedded.system_views.classification_functions import KEPT, KEPT_ON
from skills_nb.embedded.types import names
from skills_nb.embedded.types.system_rows import Rows, laid_out
from skills_nb.embedded.types.task_run import Run

Roles = frozenset[str]
_HOUR_S = 3600


# ---- tags with lineage

_Tagged = tuple[Entity, str, TagRef, str]
"""An object, a column of it or '', the tag's value in force, and the level that it comes from."""


def _in_force(session: Context, tag: Entity) -> Iterator[_Tagged]:
    """Yield every object and column on which a tag is in force."""
    catalog = session.account.catalog
    if not catalog.uses_of_tag(tag.id):
        return
    for entity in catalog.all(Entity):
        if entity.dropped_on is None:
            for column in ("", *(c.name for c in columns_shown(entity.detail))):
                found = effective_tags(session, entity, column).get(tag.id)
                if found is not None:
                    yield entity, column, *found


def _domain(tagged: _Tagged) -> str:
    return "COLUMN" if tagged[1] else tagged[0].kind.value


def _column(tagged: _Tagged) -> int | None:
    listed = [c.name for c in columns_shown(tagged[0].detail)]
    if not tagged[1]:
        return None
    return number_of_column(tagged[0], listed.index(tagged[1]) + 1)


def tags_with_lineage(session: Context, roles: Roles, arguments: Arguments) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/functions/tag_references_with_lineage.

    Raises:
        SqlError: no name is given (938), or there is no such tag (2003).
    """
    name = Asked(arguments, ("NAME",)).text("NAME")
    if name is None:
        raise errors.not_enough_arguments("TAG_REFERENCES_WITH_LINEAGE")
    path = names.typed_path(name)
    tag = session.account.catalog.find(Kind.TAG, path) if len(path) == 3 else None
    if tag is None:
        raise errors.not_found("Tag", path)
    columns: dict[str, Callable[[_Tagged], Any]] = {
        "TAG_DATABASE": lambda _: tag.path[0],
        "TAG_SCHEMA": lambda _: tag.path[1],
        "TAG_ID:n": lambda _: tag.id,
        "TAG_NAME": lambda _: tag.name,
        "TAG_VALUE": lambda t: t[2].value,
        "LEVEL": lambda t: t[3],
        "OBJECT_DATABASE": lambda t: object_names(t[0])[0],
        "OBJECT_SCHEMA": lambda t: object_names(t[0])[1],
        "OBJECT_ID:n": lambda t: t[0].id,
        "OBJECT_NAME": lambda t: t[0].name,
        "OBJECT_DELETED:t": lambda _: None,
        "DOMAIN": _domain,
        "COLUMN_ID:n": _column,
        "COLUMN_NAME": lambda t: t[1] or None,
        "APPLY_METHOD": lambda t: t[2].method if t[3] == _domain(t) else "INHERITED",
    }
    return laid_out(columns, _in_force(session, tag))


# ---- classification


def classifications(session: Context) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/data_classification_latest."""
    catalog = session.account.catalog
    kept = ((e, catalog.parameters_on(e.id)) for e in catalog.within(Kind.TABLE))
    columns: dict[str, Callable[[tuple[Entity, dict[str, str]]], Any]] = {
        "TABLE_ID:n": lambda p: p[0].id,
        "TABLE_NAME": lambda p: p[0].name,
        "SCHEMA_ID:n": lambda p: catalog.id_of_place(p[0].path[:2]),
        "SCHEMA_NAME": lambda p: p[0].path[1],
        "DATABASE_ID:n": lambda p: catalog.id_of_place(p[0].path[:1]),
        "DATABASE_NAME": lambda p: p[0].path[0],
        "RESULT:v": lambda p: p[1][KEPT],
        "STATUS": lambda _: "CLASSIFIED",
        "TRIGGER_TYPE": lambda _: "MANUAL",
        "LAST_CLASSIFIED_ON:t": lambda p: datetime.fromisoformat(p[1][KEPT_ON]),
        "LAST_CLASSIFICATION_ATTEMPT:t": lambda p: datetime.fromisoformat(p[1][KEPT_ON]),
        "ERROR_MESSAGE": lambda _: None,
    }
    return laid_out(columns, (pair for pair in kept if KEPT in pair[1]))


# ---- measurements


def metric_references(session: Context) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/data_metric_function_references."""
    tables = session.account.catalog.within(Kind.TABLE)
    return metric_uses.COLUMNS, [
        row for entity in tables for row in metric_uses.rows(session, entity)
    ]


def monitoring_usage(session: Context) -> Rows:
    """Tell what measuring took, at the rate of the smallest warehouse.

    See https://docs.snowflake.com/en/sql-reference/account-usage/data_quality_monitoring_usage_history
    """
    catalog = session.account.catalog
    found = ((run, catalog.by_id(run.object)) for run in runs.history(session, measuring.METRIC))
    return (
        "START_TIME:t END_TIME:t CREDITS_USED:r TABLE_ID:n TABLE_NAME SCHEMA_ID:n SCHEMA_NAME "
        "DATABASE_ID:n DATABASE_NAME"
    ), [
        (
            run.started,
            run.completed,
            _seconds(run) / _HOUR_S,
            table.id,
            table.name,
            catalog.id_of_place(table.path[:2]),
            table.path[1],
            catalog.id_of_place(table.path[:1]),
            table.path[0],
        )
        for run, table in found
        if table is not None
    ]


def _seconds(run: Run) -> float:
    if run.started is None or run.completed is None:
        return 0.0
    return (run.completed - run.started).total_seconds()


def _of_entity(
    read: Callable[[Context, Entity | None], Rows],
) -> Callable[[Any, Roles, Arguments], Rows]:
    """Return the table function that tells of one table what the view tells of all."""

    def call(session: Context, roles: Roles, arguments: Arguments) -> Rows:
        asked = Asked(arguments, ("REF_ENTITY_NAME", "REF_ENTITY_DOMAIN"))
        name, domain = asked.text("REF_ENTITY_NAME"), asked.text("REF_ENTITY_DOMAIN")
        if name is None or domain is None:
            raise errors.not_enough_arguments("DATA_QUALITY_MONITORING_RESULTS")
        return read(session, access.existing(session, Kind.TABLE, names.typed_path(name), roles))

    return call


VIEWS: dict[str, Callable[[Context], Rows]] = {
    "DATA_CLASSIFICATION_LATEST": classifications,
    "DATA_METRIC_FUNCTION_REFERENCES": metric_references,
    "DATA_QUALITY_MONITORING_USAGE_HISTORY": monitoring_usage,
}
FUNCTIONS: dict[tuple[str, ...], Callable[[Any, Roles, Arguments], Rows]] = {
    ("SNOWFLAKE", "ACCOUNT_USAGE", "TAG_REFERENCES_WITH_LINEAGE"): tags_with_lineage,
    ("SNOWFLAKE", "LOCAL", "DATA_QUALITY_MONITORING_RESULTS"): _of_entity(measuring.results),
    ("SNOWFLAKE", "LOCAL", "DATA_QUALITY_MONITORING_EXPECTATION_STATUS"): _of_entity(
        measuring.expectations
    ),
}
"""Table functions of the database SNOWFLAKE, by full name."""
