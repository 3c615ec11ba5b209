"""What ALTER does to any object: one value per action.

Room: sql.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from skills_nb.sql.governance.ast.clause_values import Name, Properties, Trigger
from skills_nb.sql.governance.ast.table_actions import SetTags, TableAction, UnsetTags


@dataclass(frozen=True, slots=True)
class SetProperties:
    """`SET KEY = value …`."""

    properties: Properties
    """The pairs as written; only the account knows which of them it has."""
    triggers: tuple[Trigger, ...] = ()
    """Of a resource monitor."""
    force: bool = False
    """`SET … POLICY p FORCE`."""


@dataclass(frozen=True, slots=True)
class UnsetProperties:
    """`UNSET KEY, …`; also `UNSET SECURE`, `UNSET PASSWORD POLICY`, …."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SetFlag:
    """`SET SECURE`: a property without a value."""

    flag: str


@dataclass(frozen=True, slots=True)
class EntryAction:
    """What only one kind of entry knows: `STOP ALL`, `ADD VERSION`, `PUBLISH`, …."""

    verb: str
    """The words that say what is done, upper case: `STOP ALL`, `ADD VERSION`."""
    properties: Properties = field(default_factory=dict)
    """What the action says beside its verb; empty where that is all."""


@dataclass(frozen=True, slots=True)
class RenameTo:
    """`RENAME TO name`."""

    name: Name


@dataclass(frozen=True, slots=True)
class SwapWith:
    """`SWAP WITH name`."""

    name: Name


@dataclass(frozen=True, slots=True)
class Suspend:
    """`SUSPEND`."""


@dataclass(frozen=True, slots=True)
class Resume:
    """`RESUME [IF SUSPENDED]`."""

    if_suspended: bool = False


@dataclass(frozen=True, slots=True)
class AbortAllQueries:
    """`ABORT ALL QUERIES`."""


@dataclass(frozen=True, slots=True)
class Refresh:
    """`REFRESH`, of a dynamic table, pipe, stage or directory table."""

    options: Properties


@dataclass(frozen=True, slots=True)
class SetBody:
    """`SET BODY -> …` of a policy."""

    body: str


@dataclass(frozen=True, slots=True)
class AddAllowedValues:
    """`ADD ALLOWED_VALUES …` of a tag."""

    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DropAllowedValues:
    """`DROP ALLOWED_VALUES …` of a tag."""

    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SetTagMaskingPolicies:
    """`SET MASKING POLICY p [, MASKING POLICY q] [FORCE]` of a tag."""

    policies: tuple[Name, ...]
    """At most one for a data type, which the account checks."""
    force: bool = False


@dataclass(frozen=True, slots=True)
class UnsetTagMaskingPolicies:
    """`UNSET MASKING POLICY p [, MASKING POLICY q]` of a tag."""

    policies: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class AddAccounts:
    """`ADD ACCOUNTS = a, b` of a share."""

    accounts: tuple[Name, ...]
    options: Properties
    """What follows the accounts, such as `SHARE_RESTRICTIONS = FALSE`."""


@dataclass(frozen=True, slots=True)
class RemoveAccounts:
    """`REMOVE ACCOUNTS = a, b` of a share."""

    accounts: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class SetAccounts:
    """`SET ACCOUNTS = a, b` of a share: these and no others."""

    accounts: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class AddToLists:
    """`ADD KEY = value …`: into list properties."""

    properties: Properties


@dataclass(frozen=True, slots=True)
class RemoveFromLists:
    """`REMOVE KEY = value …`: from list properties."""

    properties: Properties


@dataclass(frozen=True, slots=True)
class AddAfter:
    """`ADD AFTER t, …` of a task."""

    tasks: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class RemoveAfter:
    """`REMOVE AFTER t, …` of a task."""

    tasks: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class ModifyBody:
    """`MODIFY AS …` of a task; `MODIFY ACTION …` of an alert."""

    body: str


@dataclass(frozen=True, slots=True)
class ModifyCondition:
    """`MODIFY WHEN …` of a task, `MODIFY CONDITION EXISTS (…)` of an alert."""

    condition: str | None
    """Source text; None for `REMOVE WHEN`."""


@dataclass(frozen=True, slots=True)
class SetManagedAccess:
    """`ENABLE | DISABLE MANAGED ACCESS` of a schema."""

    enabled: bool


@dataclass(frozen=True, slots=True)
class SetExecuteAs:
    """`EXECUTE AS OWNER | CALLER` of a procedure."""

    rights: str


ObjectAction: TypeAlias = (
    SetTags
    | UnsetTags
    | SetProperties
    | UnsetProperties
    | SetFlag
    | EntryAction
    | RenameTo
    | SwapWith
    | Suspend
    | Resume
    | AbortAllQueries
    | Refresh
    | SetBody
    | AddAllowedValues
    | DropAllowedValues
    | SetTagMaskingPolicies
    | UnsetTagMaskingPolicies
    | AddAccounts
    | RemoveAccounts
    | SetAccounts
    | AddToLists
    | RemoveFromLists
    | AddAfter
    | RemoveAfter
    | ModifyBody
    | ModifyCondition
    | SetManagedAccess
    | SetExecuteAs
)
"""What concerns any object."""

Action: TypeAlias = TableAction | ObjectAction
