"""Entities: the frozen values of the catalog.

Every named object is an `Entity` with a number of its own, so that grants, policies and tags stay
with it when it is renamed, and go when it is dropped. What differs by kind is its `detail`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from skills_nb.embedded.catalog.account_details import UserDetail as UserDetail
from skills_nb.embedded.catalog.account_details import WarehouseDetail as WarehouseDetail
from skills_nb.embedded.catalog.object_details import ObjectDetail
from skills_nb.embedded.catalog.pipeline_details import PipelineDetail
from skills_nb.embedded.catalog.semantic_details import SemanticDetail
from skills_nb.embedded.catalog.table_details import ColumnDef as ColumnDef
from skills_nb.embedded.catalog.table_details import MetricUse as MetricUse
from skills_nb.embedded.catalog.table_details import SearchPath as SearchPath
from skills_nb.embedded.catalog.table_details import TableConstraint as TableConstraint
from skills_nb.embedded.catalog.table_details import TableDetail as TableDetail
from skills_nb.embedded.catalog.table_details import ViewDetail as ViewDetail
from skills_nb.embedded.types import SfType


class Kind(StrEnum):
    """Kinds of named objects, in the words that GRANT … ON uses."""

    ACCOUNT = "ACCOUNT"
    DATABASE = "DATABASE"
    SCHEMA = "SCHEMA"
    TABLE = "TABLE"
    VIEW = "VIEW"
    MASKING_POLICY = "MASKING POLICY"
    ROW_ACCESS_POLICY = "ROW ACCESS POLICY"
    TAG = "TAG"
    ROLE = "ROLE"
    USER = "USER"
    WAREHOUSE = "WAREHOUSE"
    STAGE = "STAGE"
    FILE_FORMAT = "FILE FORMAT"
    PIPE = "PIPE"
    AGGREGATION_POLICY = "AGGREGATION POLICY"
    PROJECTION_POLICY = "PROJECTION POLICY"
    DATABASE_ROLE = "DATABASE ROLE"
    APPLICATION_ROLE = "APPLICATION ROLE"
    SHARE = "SHARE"
    RESOURCE_MONITOR = "RESOURCE MONITOR"
    NETWORK_RULE = "NETWORK RULE"
    NETWORK_POLICY = "NETWORK POLICY"
    SECRET = "SECRET"  # noqa: S105 - a kind of object
    INTEGRATION = "INTEGRATION"
    PASSWORD_POLICY = "PASSWORD POLICY"  # noqa: S105 - a kind of object
    SESSION_POLICY = "SESSION POLICY"
    AUTHENTICATION_POLICY = "AUTHENTICATION POLICY"
    DYNAMIC_TABLE = "DYNAMIC TABLE"
    SEQUENCE = "SEQUENCE"
    STREAM = "STREAM"
    TASK = "TASK"
    ALERT = "ALERT"
    FUNCTION = "FUNCTION"
    DATA_METRIC_FUNCTION = "DATA METRIC FUNCTION"
    PROCEDURE = "PROCEDURE"
    COMPUTE_POOL = "COMPUTE POOL"
    IMAGE_REPOSITORY = "IMAGE REPOSITORY"
    SERVICE = "SERVICE"
    STREAMLIT = "STREAMLIT"
    NOTEBOOK = "NOTEBOOK"
    MODEL = "MODEL"
    DBT_PROJECT = "DBT PROJECT"
    AGENT = "AGENT"
    CORTEX_SEARCH_SERVICE = "CORTEX SEARCH SERVICE"
    GIT_REPOSITORY = "GIT REPOSITORY"
    LISTING = "LISTING"
    APPLICATION_PACKAGE = "APPLICATION PACKAGE"
    REPLICATION_GROUP = "REPLICATION GROUP"
    FAILOVER_GROUP = "FAILOVER GROUP"
    EXTERNAL_VOLUME = "EXTERNAL VOLUME"
    SEMANTIC_VIEW = "SEMANTIC VIEW"
    BUDGET = "SNOWFLAKE.CORE.BUDGET"
    CLASSIFICATION_PROFILE = "SNOWFLAKE.DATA_PRIVACY.CLASSIFICATION_PROFILE"
    CUSTOM_CLASSIFIER = "SNOWFLAKE.DATA_PRIVACY.CUSTOM_CLASSIFIER"

    @property
    def space(self) -> str:
        """Name the namespace: tables and views share one."""
        return "RELATION" if self in RELATIONS else self.value

    @property
    def title(self) -> str:  # type: ignore[override]
        """Write the kind as messages do: `Masking policy`."""
        return self.value.rpartition(".")[2].capitalize()

    @property
    def depth(self) -> int:
        """Count the parts of a full name: 1 for account objects, 2 for schemas, 3 within one."""
        if self in (Kind.SCHEMA, Kind.DATABASE_ROLE, Kind.APPLICATION_ROLE):
            return 2
        return 1 if self in _ACCOUNT_LEVEL else 3


RELATIONS = (Kind.TABLE, Kind.VIEW, Kind.DYNAMIC_TABLE)
_ACCOUNT_LEVEL = (
    Kind.ACCOUNT,
    Kind.DATABASE,
    Kind.ROLE,
    Kind.USER,
    Kind.WAREHOUSE,
    Kind.SHARE,
    Kind.RESOURCE_MONITOR,
    Kind.NETWORK_POLICY,
    Kind.INTEGRATION,
    Kind.COMPUTE_POOL,
    Kind.LISTING,
    Kind.APPLICATION_PACKAGE,
    Kind.REPLICATION_GROUP,
    Kind.FAILOVER_GROUP,
    Kind.EXTERNAL_VOLUME,
)
POLICY_KINDS = (
    Kind.MASKING_POLICY,
    Kind.ROW_ACCESS_POLICY,
    Kind.AGGREGATION_POLICY,
    Kind.PROJECTION_POLICY,
)
LOGIN_POLICY_KINDS = (Kind.AUTHENTICATION_POLICY, Kind.PASSWORD_POLICY, Kind.SESSION_POLICY)
"""What hangs on users and the account."""


@dataclass(frozen=True, slots=True)
class DatabaseDetail:
    """A database."""

    transient: bool = False
    retention_days: int = 1
    origin: str = ""
    share: str = ""
    """Share that a consumer's database was made from; empty for all others."""


@dataclass(frozen=True, slots=True)
class SchemaDetail:
    """A schema."""

    transient: bool = False
    managed_access: bool = False
    retention_days: int = 1


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a policy's signature."""

    name: str
    type: SfType


@dataclass(frozen=True, slots=True)
class PolicyDetail:
    """A masking or row access policy."""

    arguments: tuple[Argument, ...]
    returns: SfType
    body: str
    """SQL expression, as written."""
    exempt_other_policies: bool = False


@dataclass(frozen=True, slots=True)
class TagDetail:
    """A tag."""

    allowed_values: tuple[str, ...] = ()
    propagate: str | None = None
    """ON_DEPENDENCY, ON_DATA_MOVEMENT or both in one word; None where it stays where it is set."""
    on_conflict: str | None = None
    """The value where two meet; None is the word CONFLICT."""
    by_sequence: bool = False
    """Where two meet, the first of the allowed values stands."""


@dataclass(frozen=True, slots=True)
class RoleDetail:
    """A role."""


Detail = (
    DatabaseDetail
    | SchemaDetail
    | TableDetail
    | ViewDetail
    | PolicyDetail
    | TagDetail
    | RoleDetail
    | UserDetail
    | WarehouseDetail
    | ObjectDetail
    | PipelineDetail
    | SemanticDetail
)


@dataclass(frozen=True, slots=True)
class Entity:
    """A named object."""

    id: int
    kind: Kind
    path: tuple[str, ...]
    owner: str
    """Name of the owning role; empty for what the account itself owns."""
    created_on: datetime
    detail: Detail
    comment: str = ""
    altered_on: datetime | None = None
    dropped_on: datetime | None = None

    @property
    def name(self) -> str:
        """Return the last part of the name."""
        return self.path[-1]

    @property
    def key(self) -> tuple[str, tuple[str, ...]]:
        """Return what makes the entity unique among those that are not dropped."""
        return (self.kind.space, self.path)


@dataclass(frozen=True, slots=True)
class Grant:
    """One privilege on one object to one role or user."""

    privilege: str
    object_id: int
    """0 for the account."""
    grantee_kind: str
    """ROLE or USER."""
    grantee: str
    grant_option: bool
    granted_by: str
    created_on: datetime

    @property
    def key(self) -> tuple[int, str, str, str]:
        """Return object, privilege and grantee."""
        return (self.object_id, self.privilege, self.grantee_kind, self.grantee)


@dataclass(frozen=True, slots=True)
class RoleGrant:
    """A role granted to a role or a user."""

    role: str
    grantee_kind: str
    grantee: str
    granted_by: str
    created_on: datetime

    @property
    def key(self) -> tuple[str, str, str]:
        """Return role and grantee."""
        return (self.role, self.grantee_kind, self.grantee)


@dataclass(frozen=True, slots=True)
class FutureGrant:
    """A privilege on objects yet to be made in a schema or database."""

    privilege: str
    kind: Kind
    scope_id: int
    grantee: str
    grant_option: bool
    granted_by: str
    created_on: datetime

    @property
    def key(self) -> tuple[int, str, str, str]:
        """Return scope, kind, privilege and grantee."""
        return (self.scope_id, self.kind.value, self.privilege, self.grantee)


@dataclass(frozen=True, slots=True)
class PolicyRef:
    """A policy on a column, a table, a view or a tag."""

    policy_id: int
    policy_kind: Kind
    object_id: int
    column: str
    """Empty for a row access policy and for a tag."""
    arguments: tuple[str, ...]
    """Columns given to the policy, the masked one first."""

    @property
    def key(self) -> tuple[int, str, str, int, tuple[str, ...]]:
        """Return object, column, kind; tags may hold one masking policy per data type.

        An aggregation policy is attached once for each of its entity keys.
        """
        entity = self.arguments if self.policy_kind is Kind.AGGREGATION_POLICY else ()
        return (self.object_id, self.column, self.policy_kind.value, self.tag_slot, entity)

    @property
    def tag_slot(self) -> int:
        """Return the policy's id where the object is a tag (no column, masking), else 0."""
        is_tag = self.policy_kind is Kind.MASKING_POLICY and not self.column
        return self.policy_id if is_tag else 0


MANUAL, PROPAGATED, CLASSIFIED = "MANUAL", "PROPAGATED", "CLASSIFIED"
"""How a tag got its value."""


@dataclass(frozen=True, slots=True)
class TagRef:
    """A tag's value on an object or column."""

    tag_id: int
    object_id: int
    column: str
    """Empty where the object itself carries the tag."""
    value: str
    method: str = MANUAL

    @property
    def key(self) -> tuple[int, str, int]:
        """Return object, column and tag."""
        return (self.object_id, self.column, self.tag_id)


@dataclass(frozen=True, slots=True)
class Shelved:
    """What hung on a table when it was dropped, for UNDROP."""

    entity_id: int
    bodies: tuple[str, ...]
    """Grants, policies and tags as the codec writes them."""

    @property
    def key(self) -> int:
        """Return the dropped table."""
        return self.entity_id


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter set on the account, a user, or an object."""

    object_id: int
    name: str
    value: str

    @property
    def key(self) -> tuple[int, str]:
        """Return object and parameter."""
        return (self.object_id, self.name)


Record = Entity | Grant | RoleGrant | FutureGrant | PolicyRef | TagRef | Parameter | Shelved
