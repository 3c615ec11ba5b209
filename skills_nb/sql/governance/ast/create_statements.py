"""CREATE statements of governance and administration.

Room: sql. Every class says the kind of object it creates in `kind`, as SQL writes it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from skills_nb.sql.governance.ast.clause_values import (
    Argument,
    Clone,
    Name,
    Properties,
    TagValue,
    TimeTravel,
    Trigger,
)
from skills_nb.sql.governance.ast.table_actions import TableAction


@dataclass(frozen=True, slots=True, kw_only=True)
class Create:
    """What every CREATE has."""

    kind: ClassVar[str] = ""
    name: Name
    """What is made; its parts as stored, unqualified where the statement leaves them out."""
    or_replace: bool = False
    """Whether OR REPLACE was written."""
    or_alter: bool = False
    """Whether OR ALTER was written: what is there becomes what the statement says."""
    if_not_exists: bool = False
    """Whether IF NOT EXISTS was written."""
    modifiers: tuple[str, ...] = ()
    """`SECURE`, `TRANSIENT`, `TEMPORARY`, … in written order."""
    comment: str | None = None
    """The text of COMMENT; None where the clause is missing, empty where its text is."""
    tags: tuple[TagValue, ...] = ()
    """What `[WITH] TAG (…)` attaches to the new object, in written order."""
    properties: Properties = field(default_factory=dict)
    """The remaining `KEY = value` pairs; checking them is the account's part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreatePolicy(Create):
    """A policy with a signature and a body."""

    args: tuple[Argument, ...] = ()
    """The signature, in order; empty for a policy without arguments."""
    returns: str = ""
    """Source text of the return type."""
    body: str
    """Source text of the expression behind `->`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateMaskingPolicy(CreatePolicy):
    """`CREATE MASKING POLICY`; `EXEMPT_OTHER_POLICIES` is in `properties`."""

    kind: ClassVar[str] = "MASKING POLICY"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateRowAccessPolicy(CreatePolicy):
    """`CREATE ROW ACCESS POLICY`."""

    kind: ClassVar[str] = "ROW ACCESS POLICY"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateAggregationPolicy(CreatePolicy):
    """`CREATE AGGREGATION POLICY`."""

    kind: ClassVar[str] = "AGGREGATION POLICY"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateProjectionPolicy(CreatePolicy):
    """`CREATE PROJECTION POLICY`."""

    kind: ClassVar[str] = "PROJECTION POLICY"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateJoinPolicy(CreatePolicy):
    """`CREATE JOIN POLICY`."""

    kind: ClassVar[str] = "JOIN POLICY"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreatePrivacyPolicy(CreatePolicy):
    """`CREATE PRIVACY POLICY`."""

    kind: ClassVar[str] = "PRIVACY POLICY"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateTag(Create):
    """`CREATE TAG`; `PROPAGATE` and `ON_CONFLICT` are in `properties`."""

    kind: ClassVar[str] = "TAG"
    allowed_values: tuple[str, ...] | None = None
    """None where any value is allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateRole(Create):
    """`CREATE ROLE`."""

    kind: ClassVar[str] = "ROLE"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateDatabaseRole(Create):
    """`CREATE DATABASE ROLE`."""

    kind: ClassVar[str] = "DATABASE ROLE"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateDatabase(Create):
    """`CREATE DATABASE`."""

    kind: ClassVar[str] = "DATABASE"
    clone: Clone | None = None
    """What it is a copy of; None for a database that begins empty or comes from a share."""
    from_share: Name | None = None
    """`provider.share` for `FROM SHARE`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateSchema(Create):
    """`CREATE SCHEMA`."""

    kind: ClassVar[str] = "SCHEMA"
    clone: Clone | None = None
    """What it is a copy of; None for a schema that begins empty."""
    with_managed_access: bool = False
    """Whether the schema's owner, not the owner of each object, grants privileges."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateClone(Create):
    """`CREATE <object> … CLONE` of what lives in a schema: tables, stages, sequences, tasks, …."""

    kind: ClassVar[str] = ""
    object_kind: str
    """`TABLE`, `STREAM`, …."""
    clone: Clone
    copy_grants: bool = False
    """Whether the copy keeps the privileges of the object that it replaces."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateWarehouse(Create):
    """`CREATE WAREHOUSE`."""

    kind: ClassVar[str] = "WAREHOUSE"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateUser(Create):
    """`CREATE USER`; passwords stand in `properties` as written and must not be stored."""

    kind: ClassVar[str] = "USER"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateResourceMonitor(Create):
    """`CREATE RESOURCE MONITOR`."""

    kind: ClassVar[str] = "RESOURCE MONITOR"
    triggers: tuple[Trigger, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateDynamicTable(Create):
    """`CREATE DYNAMIC TABLE`; `TARGET_LAG`, `WAREHOUSE`, … are in `properties`."""

    kind: ClassVar[str] = "DYNAMIC TABLE"
    columns: str | None = None
    """Source text between the parentheses, policy and tag clauses taken out."""
    cluster_by: str | None = None
    """Source text between the parentheses."""
    clauses: tuple[TableAction, ...] = ()
    """Policies and tags attached by the statement, as ALTER TABLE would say them."""
    query: str
    """Source text of the query behind AS."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateStream(Create):
    """`CREATE STREAM`; `APPEND_ONLY`, `SHOW_INITIAL_ROWS`, … are in `properties`."""

    kind: ClassVar[str] = "STREAM"
    source_kind: str
    """`TABLE`, `VIEW`, `DYNAMIC TABLE`, `EXTERNAL TABLE`, `EVENT TABLE` or `STAGE`."""
    source: Name
    """The object whose changes it records; for a stage the stage's name."""
    at: TimeTravel | None = None
    """The moment from which it records; None for now."""
    copy_grants: bool = False
    """Whether it keeps the privileges of the stream that it replaces."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateTask(Create):
    """`CREATE TASK`; `WAREHOUSE`, `SCHEDULE`, session parameters, … are in `properties`."""

    kind: ClassVar[str] = "TASK"
    after: tuple[Name, ...] = ()
    """The tasks that it waits for; empty for the root of a graph."""
    when: str | None = None
    """Source text of the condition."""
    body: str
    """Source text of the statement or block behind AS."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateAlert(Create):
    """`CREATE ALERT`; `WAREHOUSE` and `SCHEDULE` are in `properties`."""

    kind: ClassVar[str] = "ALERT"
    condition: str
    """Source text inside `IF (EXISTS (…))`."""
    action: str
    """Source text behind THEN."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreatePipe(Create):
    """`CREATE PIPE`."""

    kind: ClassVar[str] = "PIPE"
    body: str
    """Source text of the COPY behind AS."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateSequence(Create):
    """`CREATE SEQUENCE`."""

    kind: ClassVar[str] = "SEQUENCE"
    start: int = 1
    """Its first value."""
    increment: int = 1
    """What lies between two values; negative where it counts down."""
    ordered: bool | None = None
    """None where neither ORDER nor NOORDER was written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateRoutine(Create):
    """A routine: signature, return type and body."""

    args: tuple[Argument, ...] = ()
    """The signature, in order; their types tell overloads apart."""
    returns: str = ""
    """Source text of the return type, `TABLE (…)` included."""
    language: str = "SQL"
    """Upper case: `SQL`, `PYTHON`, `JAVASCRIPT`, …."""
    body: str | None = None
    """What runs, its quoting removed; None where a handler is imported instead."""
    execute_as: str | None = None
    """`OWNER`, `CALLER`, …; None where not written."""
    options: tuple[str, ...] = ()
    """`NOT NULL`, `IMMUTABLE`, `STRICT`, `COPY GRANTS`, … in written order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateProcedure(CreateRoutine):
    """`CREATE PROCEDURE`."""

    kind: ClassVar[str] = "PROCEDURE"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateFunction(CreateRoutine):
    """`CREATE FUNCTION`; `AGGREGATE` stands in `modifiers`."""

    kind: ClassVar[str] = "FUNCTION"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateDataMetricFunction(CreateRoutine):
    """`CREATE DATA METRIC FUNCTION`."""

    kind: ClassVar[str] = "DATA METRIC FUNCTION"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateShare(Create):
    """`CREATE SHARE`."""

    kind: ClassVar[str] = "SHARE"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateIntegration(Create):
    """`CREATE <integration> INTEGRATION`."""

    kind: ClassVar[str] = "INTEGRATION"
    integration: str
    """`STORAGE`, `SECURITY`, `EXTERNAL ACCESS`, …."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateNetworkPolicy(Create):
    """`CREATE NETWORK POLICY`."""

    kind: ClassVar[str] = "NETWORK POLICY"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateNetworkRule(Create):
    """`CREATE NETWORK RULE`."""

    kind: ClassVar[str] = "NETWORK RULE"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateSessionPolicy(Create):
    """`CREATE SESSION POLICY`."""

    kind: ClassVar[str] = "SESSION POLICY"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreatePasswordPolicy(Create):
    """`CREATE PASSWORD POLICY`."""

    kind: ClassVar[str] = "PASSWORD POLICY"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateAuthenticationPolicy(Create):
    """`CREATE AUTHENTICATION POLICY`."""

    kind: ClassVar[str] = "AUTHENTICATION POLICY"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateStage(Create):
    """`CREATE STAGE`."""

    kind: ClassVar[str] = "STAGE"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateFileFormat(Create):
    """`CREATE FILE FORMAT`."""

    kind: ClassVar[str] = "FILE FORMAT"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateSecret(Create):
    """`CREATE SECRET`; its values stand in `properties` as written and must not be stored."""

    kind: ClassVar[str] = "SECRET"
