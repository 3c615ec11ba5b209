"""Changes of rows: INSERT, UPDATE, DELETE, TRUNCATE, and what MERGE and loads share with them.

Room: embedded. A changing statement first reads what the role may see, as a query like any other:
which rows it touches (by row id) and what it writes. Only then are stored rows touched, so that a
predicate over a masked column compares masked values.
"""

from skills_nb.embedded.executor.dml.change_buffers import drop_buffer, fill_buffer
from skills_nb.embedded.executor.dml.change_targets import (
    Target,
    listed_columns,
    placeholder,
    target_of,
    with_row_ids,
)
from skills_nb.embedded.executor.dml.conflicts import refusal
from skills_nb.embedded.executor.dml.deletes import delete, deleting, truncate
from skills_nb.embedded.executor.dml.inserts import insert
from skills_nb.embedded.executor.dml.row_counts import COUNT_NAMES, count_columns, counted
from skills_nb.embedded.executor.dml.updates import assigned, assigned_name, update, updating

__all__ = [
    "COUNT_NAMES",
    "Target",
    "assigned",
    "assigned_name",
    "count_columns",
    "counted",
    "delete",
    "deleting",
    "drop_buffer",
    "fill_buffer",
    "insert",
    "listed_columns",
    "placeholder",
    "refusal",
    "target_of",
    "truncate",
    "update",
    "updating",
    "with_row_ids",
]
