"""Details of tables and views, and what they are made of.

Room: embedded. Pure.
"""

from __future__ import annotations

from dataclasses import dataclass

from skills_nb.embedded.catalog.pipeline_details import DynamicPart
from skills_nb.embedded.types import SfType


@dataclass(frozen=True, slots=True)
class ColumnDef:
    """One column of a table or view."""

    name: str
    type: SfType
    nullable: bool = True
    default: str | None = None
    """SQL text of the default, as written."""
    comment: str | None = None
    identity: tuple[int, int] | None = None
    """Start and step of AUTOINCREMENT."""
    primary_key: bool = False
    unique: bool = False


@dataclass(frozen=True, slots=True)
class TableConstraint:
    """A primary, unique or foreign key; kept and not enforced."""

    kind: str
    """`PRIMARY KEY`, `UNIQUE` or `FOREIGN KEY`."""
    name: str
    columns: tuple[str, ...]
    referenced: tuple[str, ...] = ()
    """Full name of the table that a foreign key refers to."""
    referenced_columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MetricUse:
    """A data metric function on columns of a table."""

    metric: str
    """Its full name, dotted."""
    columns: tuple[str, ...]
    expectations: tuple[tuple[str, str], ...] = ()
    """Name and condition of what its value should be."""
    suspended: bool = False
    condition: str = ""
    """What the rows should meet, where the metric counts those that do not."""


@dataclass(frozen=True, slots=True)
class SearchPath:
    """One expression of a table's search optimization."""

    number: int
    method: str
    column: str
    path: str
    """Into a VARIANT, with the sign before it; empty for the column itself."""
    type: str

    @property
    def target(self) -> str:
        """Return what DESCRIBE names."""
        return self.column + self.path


@dataclass(frozen=True, slots=True)
class TableDetail:
    """A table and the place in DuckDB where its rows are."""

    columns: tuple[ColumnDef, ...]
    place: tuple[str, str]
    """DuckDB schema and table; it outlives renames."""
    transient: bool = False
    retention_days: int = 1
    cluster_by: str = ""
    change_tracking: bool = False
    temporary: int = 0
    """Number of the session that alone sees a temporary table; 0 for all others."""
    dynamic: DynamicPart | None = None
    """What makes it a dynamic table."""
    constraints: tuple[TableConstraint, ...] = ()
    metric_schedule: str = ""
    """When the metrics run: `5 MINUTE`, `USING CRON …`, `TRIGGER_ON_CHANGES`; empty for never."""
    metrics: tuple[MetricUse, ...] = ()
    search: tuple[SearchPath, ...] = ()
    """What search optimization is configured for."""


@dataclass(frozen=True, slots=True)
class ViewDetail:
    """A view: its text and the columns that the text had when it was made."""

    columns: tuple[ColumnDef, ...]
    text: str
    """The CREATE VIEW statement as written."""
    query: str
    """The query of the view, as written."""
    secure: bool = False
    materialized: bool = False
    cluster_by: str = ""
    """Of a materialized view."""
    temporary: int = 0
    """Number of the session that alone sees a temporary view; 0 for all others."""
    shared: int = 0
    """Number of what a share lends, where the view is in a consumer's database."""
