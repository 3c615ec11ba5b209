"""What ALTER TABLE and ALTER VIEW do to columns, policies and tags: one value per action.

Room: sql. The same values say what CREATE TABLE and CREATE VIEW attach (`table_clauses`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from skills_nb.sql.governance.ast.clause_values import Name, TagValue

Columns: TypeAlias = tuple[str, ...]
"""Stored column names."""


@dataclass(frozen=True, slots=True)
class SetColumnMaskingPolicy:
    """`MODIFY COLUMN c SET MASKING POLICY p [USING (…)] [FORCE]`."""

    column: str
    policy: Name
    using: Columns | None = None
    """None where USING was not written: the column alone."""
    force: bool = False


@dataclass(frozen=True, slots=True)
class UnsetColumnMaskingPolicy:
    """`MODIFY COLUMN c UNSET MASKING POLICY`."""

    column: str


@dataclass(frozen=True, slots=True)
class SetColumnProjectionPolicy:
    """`MODIFY COLUMN c SET PROJECTION POLICY p [FORCE]`."""

    column: str
    policy: Name
    force: bool = False


@dataclass(frozen=True, slots=True)
class UnsetColumnProjectionPolicy:
    """`MODIFY COLUMN c UNSET PROJECTION POLICY`."""

    column: str


@dataclass(frozen=True, slots=True)
class SetColumnTags:
    """`MODIFY COLUMN c SET TAG t = 'v', …`."""

    column: str
    tags: tuple[TagValue, ...]
    """Tags and their new values, in written order."""


@dataclass(frozen=True, slots=True)
class UnsetColumnTags:
    """`MODIFY COLUMN c UNSET TAG t, …`."""

    column: str
    tags: tuple[Name, ...]
    """Names of the tags that go, in written order."""


@dataclass(frozen=True, slots=True)
class AlterColumn:
    """A change of the column itself."""

    column: str
    """Stored name of the column."""
    change: str
    """`SET DATA TYPE`, `SET NOT NULL`, `DROP NOT NULL`, `SET DEFAULT`, `DROP DEFAULT`, `COMMENT`
    or `UNSET COMMENT`."""
    value: str | None = None
    """Source text of the type or default; the comment's text."""


@dataclass(frozen=True, slots=True)
class ColumnDefinition:
    """One column of ADD COLUMN."""

    name: str
    """Its stored name."""
    definition: str
    """Source text, name first, policy and tag clauses taken out."""
    clauses: tuple[TableAction, ...] = ()
    """Policies and tags of the new column, as ALTER TABLE would say them."""


@dataclass(frozen=True, slots=True)
class AddColumns:
    """`ADD [COLUMN] [IF NOT EXISTS] …`."""

    columns: tuple[ColumnDefinition, ...]
    """The new columns in written order, at least one."""
    if_not_exists: bool = False


@dataclass(frozen=True, slots=True)
class DropColumns:
    """`DROP [COLUMN] [IF EXISTS] …`."""

    columns: Columns
    """Stored names, in written order."""
    if_exists: bool = False


@dataclass(frozen=True, slots=True)
class RenameColumn:
    """`RENAME COLUMN a TO b`."""

    column: str
    to: str


@dataclass(frozen=True, slots=True)
class AddRowAccessPolicy:
    """`ADD ROW ACCESS POLICY p ON (…)`."""

    policy: Name
    columns: Columns
    """Columns of the table, one for each argument of the policy."""


@dataclass(frozen=True, slots=True)
class DropRowAccessPolicy:
    """`DROP ROW ACCESS POLICY p`."""

    policy: Name


@dataclass(frozen=True, slots=True)
class DropAllRowAccessPolicies:
    """`DROP ALL ROW ACCESS POLICIES`."""


@dataclass(frozen=True, slots=True)
class SetAggregationPolicy:
    """`SET AGGREGATION POLICY p [ENTITY KEY (…)] [FORCE]`."""

    policy: Name
    entity_keys: tuple[Columns, ...] = ()
    """The columns of each ENTITY KEY; empty where rows are counted and not entities."""
    force: bool = False


@dataclass(frozen=True, slots=True)
class UnsetAggregationPolicy:
    """`UNSET AGGREGATION POLICY`."""


@dataclass(frozen=True, slots=True)
class SetJoinPolicy:
    """`SET JOIN POLICY p [ALLOWED JOIN KEYS (…)] [FORCE]`."""

    policy: Name
    allowed_join_keys: Columns = ()
    force: bool = False


@dataclass(frozen=True, slots=True)
class UnsetJoinPolicy:
    """`UNSET JOIN POLICY`."""


@dataclass(frozen=True, slots=True)
class MetricAssociation:
    """One data metric function on columns."""

    function: Name
    """The data metric function, unqualified as written."""
    columns: Columns
    """Stored names, one for each argument of the function."""
    expectations: tuple[tuple[str, str], ...] = ()
    """Stored name and source text of each `EXPECTATION name (…)`."""
    condition: str = ""
    """Source text behind `->`, of a metric that counts what does not meet it."""


@dataclass(frozen=True, slots=True)
class AddDataMetricFunctions:
    """`ADD DATA METRIC FUNCTION f ON (…), …`."""

    associations: tuple[MetricAssociation, ...]


@dataclass(frozen=True, slots=True)
class DropDataMetricFunctions:
    """`DROP DATA METRIC FUNCTION f ON (…), …`."""

    associations: tuple[MetricAssociation, ...]


@dataclass(frozen=True, slots=True)
class ModifyDataMetricFunctions:
    """`MODIFY DATA METRIC FUNCTION f ON (…) SUSPEND | RESUME`."""

    associations: tuple[MetricAssociation, ...]
    """Which of the metrics stop or go on."""
    suspend: bool


@dataclass(frozen=True, slots=True)
class ModifyExpectation:
    """`MODIFY DATA METRIC FUNCTION f ON (…) ADD | MODIFY | DROP EXPECTATION name [(…)]`."""

    associations: tuple[MetricAssociation, ...]
    """The one metric whose expectation it is."""
    verb: str
    """`ADD`, `MODIFY` or `DROP`."""
    name: str
    """Stored name of the expectation."""
    condition: str = ""
    """Source text of the condition on VALUE; empty with `DROP`."""


@dataclass(frozen=True, slots=True)
class SearchMethod:
    """`EQUALITY(a, b:c)`: a method and what it is for, as written."""

    method: str
    """`EQUALITY`, `SUBSTRING`, `GEO` or `FULL_TEXT`."""
    targets: tuple[str, ...]
    """Columns, or paths into a VARIANT column: source text."""


@dataclass(frozen=True, slots=True)
class AddSearchOptimization:
    """`ADD SEARCH OPTIMIZATION [ON …]`; no methods stand for the whole table."""

    methods: tuple[SearchMethod, ...] = ()


@dataclass(frozen=True, slots=True)
class DropSearchOptimization:
    """`DROP SEARCH OPTIMIZATION [ON …]`; neither methods, columns nor numbers stand for all."""

    methods: tuple[SearchMethod, ...] = ()
    """Methods that go for the targets that they name."""
    columns: tuple[str, ...] = ()
    """Columns of which every method goes."""
    numbers: tuple[int, ...] = ()
    """Ids of expressions, as DESCRIBE SEARCH OPTIMIZATION numbers them."""


@dataclass(frozen=True, slots=True)
class ClusterBy:
    """`CLUSTER BY (…)`; None for `DROP CLUSTERING KEY`."""

    expressions: str | None


@dataclass(frozen=True, slots=True)
class SetTags:
    """`SET TAG t = 'v', …`."""

    tags: tuple[TagValue, ...]


@dataclass(frozen=True, slots=True)
class UnsetTags:
    """`UNSET TAG t, …`."""

    tags: tuple[Name, ...]


TableAction: TypeAlias = (
    SetColumnMaskingPolicy
    | UnsetColumnMaskingPolicy
    | SetColumnProjectionPolicy
    | UnsetColumnProjectionPolicy
    | SetColumnTags
    | UnsetColumnTags
    | AlterColumn
    | AddColumns
    | DropColumns
    | RenameColumn
    | AddRowAccessPolicy
    | DropRowAccessPolicy
    | DropAllRowAccessPolicies
    | SetAggregationPolicy
    | UnsetAggregationPolicy
    | SetJoinPolicy
    | UnsetJoinPolicy
    | AddDataMetricFunctions
    | DropDataMetricFunctions
    | ModifyDataMetricFunctions
    | ModifyExpectation
    | AddSearchOptimization
    | DropSearchOptimization
    | ClusterBy
    | SetTags
    | UnsetTags
)
"""What concerns tables and views and their columns."""
