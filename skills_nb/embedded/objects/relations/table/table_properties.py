"""Properties of tables, which dynamic tables have, too.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/alter-table
"""

from __future__ import annotations

from dataclasses import replace

from skills_nb.embedded.catalog.entities import Entity, TableDetail
from skills_nb.embedded.objects import properties
from skills_nb.embedded.objects.lifecycle import changes
from skills_nb.embedded.objects.relations import clustering
from skills_nb.embedded.objects.routines.data_metric_function import metric_uses
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.time_travel import travel
from skills_nb.sql.governance import ast


def unset(session: Context, entity: Entity, name: str) -> None:
    """Take back the schedule of metrics, or how long rows are kept."""
    assert isinstance(entity.detail, TableDetail)
    if name == metric_uses.SCHEDULE:
        metric_uses.set_schedule(session, entity, None)
        return
    properties.none({name: None} if name != properties.RETENTION else {})
    around = travel.retention_around(session, entity.path)
    changes.put(session, entity, replace(entity.detail, retention_days=around))


def cluster(session: Context, entity: Entity, action: ast.ClusterBy) -> None:
    """Keep a clustering key, or drop it."""
    assert isinstance(entity.detail, TableDetail)
    key = clustering.shown(action.expressions)
    clustering.check(entity.detail.columns, key)
    changes.put(session, entity, replace(entity.detail, cluster_by=key))
