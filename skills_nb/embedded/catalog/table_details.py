"""Details of tables and views, and what they are made of.

Room: embedded. Pure.
"""

from __future__ import annotations

from dataclasses import dataclass

from skills_nb.embedded.catalog.pipeline_details import DynamicPart
from skills_nb.embedded.types.data_types import SfType


@dataclass(frozen=True, slots=True)
class ColumnDef:
    """One column of a table or view."""

    name: str
    """Its stored name."""
    type: SfType
    """As DESCRIBE shows it."""
    nullable: bool = True
    """False for NOT NULL, which is enforced."""
    default: str | None = None
    """SQL text of the default, as written."""
    comment: str | None = None
    """None for none."""
    identity: tuple[int, int] | None = None
    """Start and step of AUTOINCREMENT."""
    ordered: bool | None = None
    """Whether AUTOINCREMENT is ORDER; None where its text does not tell, and for other columns."""
    keeps_default: bool = False
    """Whether ALTER TABLE added it with a default, which nothing takes from it then."""
    primary_key: bool = False
    """Whether it is in the primary key; kept and not enforced."""
    unique: bool = False
    """Whether a UNIQUE constraint names it; kept and not enforced."""


GENERATED = "SYS_CONSTRAINT_"
"""How the names begin of constraints that nobody named."""


@dataclass(frozen=True, slots=True)
class TableConstraint:
    """A primary, unique or foreign key; kept and not enforced."""

    kind: str
    """`PRIMARY KEY`, `UNIQUE` or `FOREIGN KEY`."""
    name: str
    """Stored name; `SYS_CONSTRAINT_` and an id where none was given."""
    columns: tuple[str, ...]
    """Stored names, in written order."""
    referenced: tuple[str, ...] = ()
    """Full name of the table that a foreign key refers to."""
    referenced_columns: tuple[str, ...] = ()
    """Stored names, one for each of `columns`; empty but for a foreign key."""
    comment: str | None = None
    """The text behind COMMENT; None where there is none."""
    rely: bool = False
    """Whether RELY says that the rows keep to it, though nothing enforces that."""


@dataclass(frozen=True, slots=True)
class MetricUse:
    """A data metric function on columns of a table."""

    metric: str
    """Its full name, dotted."""
    columns: tuple[str, ...]
    """Stored names, one for each column that the metric takes."""
    expectations: tuple[tuple[str, str], ...] = ()
    """Name and condition of what its value should be."""
    suspended: bool = False
    """Whether the schedule passes it over."""
    condition: str = ""
    """What the rows should meet, where the metric counts those that do not."""


@dataclass(frozen=True, slots=True)
class SearchPath:
    """One expression of a table's search optimization."""

    number: int
    """As DESCRIBE SEARCH OPTIMIZATION numbers it, from 1; never given twice in a table."""
    method: str
    """`EQUALITY`, `SUBSTRING`, `GEO` or `FULL_TEXT`."""
    column: str
    """Its stored name."""
    path: str
    """Into a VARIANT, with the sign before it; empty for the column itself."""
    type: str
    """Of the column, as DESCRIBE shows it."""

    @property
    def target(self) -> str:
        """Return what DESCRIBE names."""
        return self.column + self.path


@dataclass(frozen=True, slots=True)
class TableDetail:
    """A table and the place in DuckDB where its rows are."""

    columns: tuple[ColumnDef, ...]
    """In the order of `*`."""
    place: tuple[str, str]
    """DuckDB schema and table; it outlives renames."""
    transient: bool = False
    """Whether nothing of it is kept beyond time travel."""
    retention_days: int = 1
    """DATA_RETENTION_TIME_IN_DAYS: how far time travel and UNDROP reach back."""
    cluster_by: str = ""
    """Expressions as written, without the parentheses; empty for none."""
    change_tracking: bool = False
    """Whether CHANGES may be asked of it before there is a stream."""
    temporary: int = 0
    """Number of the session that alone sees a temporary table; 0 for all others."""
    dynamic: DynamicPart | None = None
    """What makes it a dynamic table."""
    constraints: tuple[TableConstraint, ...] = ()
    """In written order."""
    metric_schedule: str = ""
    """When the metrics run: `5 MINUTE`, `USING CRON …`, `TRIGGER_ON_CHANGES`; empty for never."""
    metrics: tuple[MetricUse, ...] = ()
    """Data metric functions that measure it."""
    search: tuple[SearchPath, ...] = ()
    """What search optimization is configured for."""
    clone_group: int = 0
    """Number of the table that its clones descend from; 0 for one that is no clone."""


@dataclass(frozen=True, slots=True)
class ViewDetail:
    """A view: its text and the columns that the text had when it was made."""

    columns: tuple[ColumnDef, ...]
    """In order, with the names that the view gives them."""
    text: str
    """The CREATE VIEW statement as written."""
    query: str
    """The query of the view, as written."""
    secure: bool = False
    """Whether only its owner reads its text."""
    materialized: bool = False
    """Whether it was made as one; it is read like any view all the same."""
    cluster_by: str = ""
    """Of a materialized view."""
    temporary: int = 0
    """Number of the session that alone sees a temporary view; 0 for all others."""
    shared: int = 0
    """Number of what a share lends, where the view is in a consumer's database."""


def columns_shown(detail: object) -> tuple[ColumnDef, ...]:
    """Return the columns of a table or view, none for anything else."""
    return detail.columns if isinstance(detail, (TableDetail, ViewDetail)) else ()
