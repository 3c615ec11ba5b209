"""Clustering: how a table's rows lie. Here every table is one partition.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/functions/system_clustering_information and
https://docs.snowflake.com/en/sql-reference/functions/system_clustering_depth
"""

from __future__ import annotations

import json

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import name_resolution
from skills_nb.embedded.authorizer.permitted import column_of
from skills_nb.embedded.catalog.entities import Entity, TableDetail
from skills_nb.embedded.objects.relations.table.row_counts import row_counts
from skills_nb.embedded.parser.parsing import parse_expression
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types import names


def information(session: Context, name: str, columns: object = None) -> str:
    """Tell the clustering of a table by its key, or by the columns that are given."""
    table, keys = _asked(session, name, columns)
    rows = row_counts(session, [table])[table.id]
    parts = 1 if rows else 0
    depths = {f"{depth:05d}": 0 for depth in range(17)}
    depths["00001"] = parts
    told = {
        "cluster_by_keys": keys,
        "total_partition_count": parts,
        "total_constant_partition_count": 0,
        "average_overlaps": 0.0,
        "average_depth": float(parts),
        "partition_depth_histogram": depths,
        "clustering_errors": [],
    }
    return json.dumps(told, indent=2)


def depth(session: Context, name: str, columns: object = None) -> str:
    """Tell the average depth of a table's partitions."""
    table, _ = _asked(session, name, columns)
    return str(float(bool(row_counts(session, [table])[table.id])))


def _asked(session: Context, name: str, columns: object) -> tuple[Entity, str]:
    """Return the table and the key in question.

    Raises:
        SqlError: there is no such table or column, or neither a key nor columns (1014).
    """
    table: Entity = name_resolution.readable_here(session, names.typed_path(name))
    detail = table.detail
    if not isinstance(detail, TableDetail):
        raise errors.invalid_argument(f"{name} is not a table")
    if columns is None:
        if not detail.cluster_by:
            raise errors.invalid_argument(
                f"Invalid clustering keys or table {name} is not clustered"
            )
        return table, detail.cluster_by
    written = str(columns).strip()
    for column in parse_expression(f"f({written.strip('()')})").find_all(exp.Column):
        column_of(table, names.column_path(column)[-1])
    return table, f"LINEAR({written.strip('()')})"
