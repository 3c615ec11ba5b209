"""Statements other than CREATE: alter, drop, access, looking, session.

Room: sql.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from skills_nb.sql.governance.ast.object_actions import Action
from skills_nb.sql.governance.ast.values import (
    Grantee,
    Name,
    Properties,
    Scope,
    Target,
)


@dataclass(frozen=True, slots=True)
class Alter:
    """`ALTER <kind> [IF EXISTS] <name> <action> …`."""

    kind: str
    """As SQL writes it: `TABLE`, `MASKING POLICY`, `ACCOUNT`, `SESSION`, …."""
    name: Name
    """Empty for the account and the session, and for the current warehouse or user."""
    actions: tuple[Action, ...]
    """In written order, at least one."""
    if_exists: bool = False
    arguments: tuple[str, ...] | None = None
    """Argument types of a function or procedure."""


@dataclass(frozen=True, slots=True)
class Drop:
    """`DROP <kind> [IF EXISTS] <name> [CASCADE | RESTRICT]`."""

    kind: str
    name: Name
    if_exists: bool = False
    behaviour: Literal["CASCADE", "RESTRICT"] | None = None
    arguments: tuple[str, ...] | None = None
    """Argument types of a function or procedure."""


@dataclass(frozen=True, slots=True)
class Undrop:
    """`UNDROP <kind> <name>`."""

    kind: str
    name: Name


@dataclass(frozen=True, slots=True)
class Comment:
    """`COMMENT [IF EXISTS] ON <kind> <name> IS '…'`; a column's name ends in the column."""

    kind: str
    name: Name
    text: str
    if_exists: bool = False
    arguments: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Describe:
    """`DESCRIBE <kind> <name>`; for `RESULT` the name is the query id."""

    kind: str
    name: Name
    arguments: tuple[str, ...] | None = None
    type: str | None = None
    """`COLUMNS` or `STAGE` for `TYPE = …`."""


@dataclass(frozen=True, slots=True)
class Show:
    """`SHOW <kind> …`."""

    kind: str
    """Plural as written, upper case: `MASKING POLICIES`."""
    terse: bool = False
    history: bool = False
    like: str | None = None
    """Case-insensitive pattern with `%` and `_`."""
    scope: Scope | None = None
    starts_with: str | None = None
    """Case-sensitive prefix."""
    limit: int | None = None
    limit_from: str | None = None
    options: tuple[str, ...] = ()
    """`ROOT ONLY`, `WITH PRIVILEGES USAGE`, … as written, upper case."""


@dataclass(frozen=True, slots=True)
class ShowGrants:
    """`SHOW [FUTURE] GRANTS …`."""

    relation: Literal["ON", "TO", "OF", "IN"] | None = None
    """None: what the current user has."""
    kind: str | None = None
    """Of the object (ON), the grantee (TO), the role or share (OF), the container (IN)."""
    name: Name = ()
    future: bool = False
    like: str | None = None
    limit: int | None = None
    arguments: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class GrantRole:
    """`GRANT ROLE r TO …`, `GRANT DATABASE ROLE d.r TO …`."""

    kind: str
    """`ROLE`, `DATABASE ROLE` or `APPLICATION ROLE`."""
    role: Name
    grantee: Grantee


@dataclass(frozen=True, slots=True)
class RevokeRole:
    """`REVOKE ROLE r FROM …`."""

    kind: str
    role: Name
    grantee: Grantee


@dataclass(frozen=True, slots=True)
class GrantInstanceRole:
    """`GRANT SNOWFLAKE.CORE.BUDGET ROLE name!ADMIN TO …`."""

    instance_of: str
    name: Name
    role: str
    grantee: Grantee


@dataclass(frozen=True, slots=True)
class RevokeInstanceRole:
    """`REVOKE SNOWFLAKE.CORE.BUDGET ROLE name!ADMIN FROM …`."""

    instance_of: str
    name: Name
    role: str
    grantee: Grantee


@dataclass(frozen=True, slots=True)
class GrantPrivileges:
    """`GRANT p, q ON … TO … [WITH GRANT OPTION]`."""

    privileges: tuple[str, ...]
    """Upper case; `ALL` for `ALL [PRIVILEGES]`."""
    target: Target
    grantee: Grantee
    with_grant_option: bool = False


@dataclass(frozen=True, slots=True)
class RevokePrivileges:
    """`REVOKE [GRANT OPTION FOR] p, q ON … FROM … [CASCADE | RESTRICT]`."""

    privileges: tuple[str, ...]
    target: Target
    grantee: Grantee
    grant_option_for: bool = False
    behaviour: Literal["CASCADE", "RESTRICT"] | None = None


@dataclass(frozen=True, slots=True)
class GrantOwnership:
    """`GRANT OWNERSHIP ON … TO … [COPY | REVOKE CURRENT GRANTS]`."""

    target: Target
    grantee: Grantee
    current_grants: Literal["COPY", "REVOKE"] | None = None


@dataclass(frozen=True, slots=True)
class Use:
    """`USE ROLE | DATABASE | SCHEMA | WAREHOUSE name`."""

    kind: Literal["ROLE", "DATABASE", "SCHEMA", "WAREHOUSE"]
    name: Name
    """Empty for `USE WAREHOUSE NONE`."""


@dataclass(frozen=True, slots=True)
class UseSecondaryRoles:
    """`USE SECONDARY ROLES ALL | NONE | r, …`."""

    mode: Literal["ALL", "NONE", "LIST"]
    roles: tuple[Name, ...] = ()


@dataclass(frozen=True, slots=True)
class SetVariables:
    """`SET v = …`, `SET (a, b) = (…, …)`."""

    names: tuple[str, ...]
    """Stored names."""
    expressions: tuple[str, ...]
    """Source text, one a name; a single one where a subquery gives all of them."""


@dataclass(frozen=True, slots=True)
class UnsetVariables:
    """`UNSET v`, `UNSET (a, b)`."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExecuteTask:
    """`EXECUTE TASK name [RETRY LAST | USING CONFIG = …]`."""

    name: Name
    retry_last: bool = False
    properties: Properties = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ExecuteAlert:
    """`EXECUTE ALERT name`."""

    name: Name


@dataclass(frozen=True, slots=True)
class ExecuteImmediate:
    """`EXECUTE IMMEDIATE '…' | $v | v [USING (…)]`, `EXECUTE IMMEDIATE FROM …`."""

    text: str | None = None
    """The SQL, where it is a literal."""
    variable: str | None = None
    """Stored name of the variable that holds it; session variables without their `$`."""
    using: tuple[str, ...] = ()
    """Names of bound variables."""
    source: str | None = None
    """Stage path or URL of `EXECUTE IMMEDIATE FROM`, as written."""


@dataclass(frozen=True, slots=True)
class Call:
    """`CALL name(arg, …) [INTO :v]`."""

    name: Name
    """`SYSTEM$CLASSIFY` and other system procedures are one part."""
    arguments: tuple[str, ...]
    """Source text, one an argument; `name => value` as written."""
    into: str | None = None
    method: str | None = None
    """`METHOD` of a class instance's `name!METHOD(…)`."""


@dataclass(frozen=True, slots=True)
class Chain:
    """`statement ->> statement …`: each reads its predecessors' results as `$1`, `$2`, …."""

    steps: tuple[str, ...]
    """Source text, at least two."""
