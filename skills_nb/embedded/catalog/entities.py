"""Entities: the frozen values of the catalog.

Every named object is an `Entity` with a number of its own, so that grants, policies and tags stay
with it when it is renamed, and go when it is dropped. What differs by kind is its `detail`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from skills_nb.embedded.catalog.account_details import UserDetail as UserDetail
from skills_nb.embedded.catalog.account_details import WarehouseDetail as WarehouseDetail
from skills_nb.embedded.catalog.kind import LOGIN_POLICY_KINDS as LOGIN_POLICY_KINDS
from skills_nb.embedded.catalog.kind import POLICY_KINDS as POLICY_KINDS
from skills_nb.embedded.catalog.kind import RELATIONS as RELATIONS
from skills_nb.embedded.catalog.kind import Kind as Kind
from skills_nb.embedded.catalog.object_details import ObjectDetail
from skills_nb.embedded.catalog.pipeline_details import PipelineDetail
from skills_nb.embedded.catalog.semantic_details import SemanticDetail
from skills_nb.embedded.catalog.table_details import ColumnDef as ColumnDef
from skills_nb.embedded.catalog.table_details import MetricUse as MetricUse
from skills_nb.embedded.catalog.table_details import SearchPath as SearchPath
from skills_nb.embedded.catalog.table_details import TableConstraint as TableConstraint
from skills_nb.embedded.catalog.table_details import TableDetail as TableDetail
from skills_nb.embedded.catalog.table_details import ViewDetail as ViewDetail
from skills_nb.embedded.types.data_types import SfType

ACCOUNT_ID = 0
"""The number by which records name the account itself."""
OWNERSHIP = "OWNERSHIP"


@dataclass(frozen=True, slots=True)
class DatabaseDetail:
    """A database."""

    transient: bool = False
    """Whether nothing of it is kept beyond time travel."""
    retention_days: int = 1
    """DATA_RETENTION_TIME_IN_DAYS, for tables without their own."""
    origin: str = ""
    """As SHOW DATABASES shows it: `account.share`, `SNOWFLAKE.ACCOUNT_USAGE`; empty for others."""
    share: str = ""
    """Share that a consumer's database was made from; empty for all others."""
    share_id: int = 0
    """Number of that share: another one of its name is another share. 0 where it is not known."""


@dataclass(frozen=True, slots=True)
class SchemaDetail:
    """A schema."""

    transient: bool = False
    """Whether nothing of it is kept beyond time travel."""
    managed_access: bool = False
    """Whether the schema's owner, not the owner of each object, grants privileges."""
    retention_days: int = 1
    """DATA_RETENTION_TIME_IN_DAYS, for tables without their own."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a policy's signature."""

    name: str
    """Its stored name."""
    type: SfType
    """What the policy takes; the masked column's type must be the same."""


@dataclass(frozen=True, slots=True)
class PolicyDetail:
    """A masking or row access policy."""

    arguments: tuple[Argument, ...]
    """In the order of the signature."""
    returns: SfType
    """Of a masking policy the type of its first argument; BOOLEAN of a row access policy."""
    body: str
    """SQL expression, as written."""
    exempt_other_policies: bool = False
    """Whether other policies may take the masked column as an argument."""


@dataclass(frozen=True, slots=True)
class TagDetail:
    """A tag."""

    allowed_values: tuple[str, ...] = ()
    """Empty where any value is allowed."""
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
    """Its number, the same through renames; never given twice."""
    kind: Kind
    """What it is; one kind may share names with another, as tables do with views."""
    path: tuple[str, ...]
    """Stored parts, database first; one part for an object of the account, and the last part of a
    routine has its argument types."""
    owner: str
    """Name of the owning role; empty for what the account itself owns."""
    created_on: datetime
    """UTC."""
    detail: Detail
    """What only its kind has."""
    comment: str = ""
    """Empty for none."""
    altered_on: datetime | None = None
    """When it was last changed, UTC; None for never."""
    dropped_on: datetime | None = None
    """When it was dropped, UTC, as long as UNDROP can bring it back; None while it stands."""

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
    """As SQL writes it: `SELECT`, `OWNERSHIP`."""
    object_id: int
    """0 for the account."""
    grantee_kind: str
    """ROLE or USER."""
    grantee: str
    """Who has it, as `catalog.grantees` names roles, users and shares in records."""
    grant_option: bool
    """Whether the grantee may grant it on."""
    granted_by: str
    """Name of the role that granted it; empty for the account itself."""
    created_on: datetime
    """UTC."""

    @property
    def key(self) -> tuple[int, str, str, str]:
        """Return object, privilege and grantee."""
        return (self.object_id, self.privilege, self.grantee_kind, self.grantee)


@dataclass(frozen=True, slots=True)
class RoleGrant:
    """A role granted to a role or a user."""

    role: str
    """The role that is granted, as `catalog.grantees` names roles in records."""
    grantee_kind: str
    """ROLE or USER."""
    grantee: str
    """The role or user that receives it, as `catalog.grantees` names them in records."""
    granted_by: str
    """Name of the role that granted it; empty for the account itself."""
    created_on: datetime
    """UTC."""

    @property
    def key(self) -> tuple[str, str, str]:
        """Return role and grantee."""
        return (self.role, self.grantee_kind, self.grantee)


@dataclass(frozen=True, slots=True)
class FutureGrant:
    """A privilege on objects yet to be made in a schema or database."""

    privilege: str
    """As SQL writes it: `SELECT`, `OWNERSHIP`."""
    kind: Kind
    """Of the objects that will have it."""
    scope_id: int
    """Number of the schema or database."""
    grantee: str
    """The role that will have it, as `catalog.grantees` names roles in records."""
    grant_option: bool
    """Whether the grantee may grant it on."""
    granted_by: str
    """Name of the role that granted it; empty for the account itself."""
    created_on: datetime
    """UTC."""

    @property
    def key(self) -> tuple[int, str, str, str]:
        """Return scope, kind, privilege and grantee."""
        return (self.scope_id, self.kind.value, self.privilege, self.grantee)


@dataclass(frozen=True, slots=True)
class PolicyRef:
    """A policy on a column, a table, a view or a tag."""

    policy_id: int
    """Number of the policy."""
    policy_kind: Kind
    """The policy's kind: of some kinds an object may carry only one."""
    object_id: int
    """Number of the table, view or tag."""
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
    """Number of the tag."""
    object_id: int
    """Number of the object; for a column that of its table or view."""
    column: str
    """Empty where the object itself carries the tag."""
    value: str
    """As set; it need not be among the values that are allowed now."""
    method: str = MANUAL
    """How it got there, as TAG_REFERENCES says in APPLY_METHOD: `MANUAL`, `PROPAGATED`, …."""

    @property
    def key(self) -> tuple[int, str, int]:
        """Return object, column and tag."""
        return (self.object_id, self.column, self.tag_id)


@dataclass(frozen=True, slots=True)
class Shelved:
    """What hung on a table when it was dropped, for UNDROP."""

    entity_id: int
    """Number of the table."""
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
    """Number of the object or user; 0 for the account."""
    name: str
    """Upper case."""
    value: str
    """As text, whatever its type."""

    @property
    def key(self) -> tuple[int, str]:
        """Return object and parameter."""
        return (self.object_id, self.name)


Record = Entity | Grant | RoleGrant | FutureGrant | PolicyRef | TagRef | Parameter | Shelved
