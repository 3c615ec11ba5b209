"""Statements other than CREATE: alter, drop, access, looking, session.

Room: sql.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from skills_nb.sql.governance.ast.clause_values import Grantee, Name, Properties, Scope, Target
from skills_nb.sql.governance.ast.object_actions import Action


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
    """None where neither word was written."""
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
    """The new comment; an empty one takes the old one away."""
    if_exists: bool = False
    arguments: tuple[str, ...] | None = None
    """Argument types of a function or procedure; None where none were written."""


@dataclass(frozen=True, slots=True)
class Describe:
    """`DESCRIBE <kind> <name>`; for `RESULT` the name is the query id."""

    kind: str
    name: Name
    arguments: tuple[str, ...] | None = None
    """Argument types of a function or procedure; None where none were written."""
    type: str | None = None
    """`COLUMNS` or `STAGE` for `TYPE = …`."""


@dataclass(frozen=True, slots=True)
class Show:
    """`SHOW <kind> …`."""

    kind: str
    """Plural as written, upper case: `MASKING POLICIES`."""
    terse: bool = False
    """Whether only the columns that every kind has are wanted."""
    history: bool = False
    """Whether dropped objects are shown as well, as far as they can still be restored."""
    like: str | None = None
    """Case-insensitive pattern with `%` and `_`."""
    scope: Scope | None = None
    """Where to look; None where the statement leaves it to the session."""
    starts_with: str | None = None
    """Case-sensitive prefix."""
    limit: int | None = None
    """The most rows to answer with; None for all that the command gives."""
    limit_from: str | None = None
    """The text of `LIMIT n FROM` that says where to begin; None for the first row."""
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
    """The object, grantee, role or container; empty for the account and the current user."""
    future: bool = False
    like: str | None = None
    """Case-insensitive pattern with `%` and `_`; None for all."""
    limit: int | None = None
    """The most rows to answer with; None for all."""
    arguments: tuple[str, ...] | None = None
    """Argument types of a function or procedure; None where none were written."""


@dataclass(frozen=True, slots=True)
class GrantRole:
    """`GRANT ROLE r TO …`, `GRANT DATABASE ROLE d.r TO …`."""

    kind: str
    """`ROLE`, `DATABASE ROLE` or `APPLICATION ROLE`."""
    role: Name
    grantee: Grantee
    """The role or user that receives it."""


@dataclass(frozen=True, slots=True)
class RevokeRole:
    """`REVOKE ROLE r FROM …`."""

    kind: str
    """`ROLE`, `DATABASE ROLE` or `APPLICATION ROLE`."""
    role: Name
    grantee: Grantee
    """The role or user that loses it."""


@dataclass(frozen=True, slots=True)
class GrantInstanceRole:
    """`GRANT SNOWFLAKE.CORE.BUDGET ROLE name!ADMIN TO …`."""

    instance_of: str
    """The class, as SQL writes it in full."""
    name: Name
    role: str
    grantee: Grantee
    """Who receives the role: a role or a database role."""


@dataclass(frozen=True, slots=True)
class RevokeInstanceRole:
    """`REVOKE SNOWFLAKE.CORE.BUDGET ROLE name!ADMIN FROM …`."""

    instance_of: str
    """The class, as SQL writes it in full."""
    name: Name
    role: str
    grantee: Grantee
    """Who loses the role."""


@dataclass(frozen=True, slots=True)
class GrantPrivileges:
    """`GRANT p, q ON … TO … [WITH GRANT OPTION]`."""

    privileges: tuple[str, ...]
    """Upper case; `ALL` for `ALL [PRIVILEGES]`."""
    target: Target
    """One object, the account, or all or future objects of a kind in a container."""
    grantee: Grantee
    """Who receives them: a role, a database role, a share, …."""
    with_grant_option: bool = False


@dataclass(frozen=True, slots=True)
class RevokePrivileges:
    """`REVOKE [GRANT OPTION FOR] p, q ON … FROM … [CASCADE | RESTRICT]`."""

    privileges: tuple[str, ...]
    """Upper case; `ALL` for `ALL [PRIVILEGES]`."""
    target: Target
    """One object, the account, or all or future objects of a kind in a container."""
    grantee: Grantee
    """Who loses them."""
    grant_option_for: bool = False
    behaviour: Literal["CASCADE", "RESTRICT"] | None = None
    """None where neither word was written."""


@dataclass(frozen=True, slots=True)
class GrantOwnership:
    """`GRANT OWNERSHIP ON … TO … [COPY | REVOKE CURRENT GRANTS]`."""

    target: Target
    """One object, or all or future ones of a kind in a container."""
    grantee: Grantee
    """The role that will own it."""
    current_grants: Literal["COPY", "REVOKE"] | None = None


@dataclass(frozen=True, slots=True)
class Use:
    """`USE ROLE | DATABASE | SCHEMA | WAREHOUSE name`."""

    kind: Literal["ROLE", "DATABASE", "SCHEMA", "WAREHOUSE"]
    """What becomes current; for a bare `USE name` the number of its parts decides."""
    name: Name
    """Empty for `USE WAREHOUSE NONE`."""


@dataclass(frozen=True, slots=True)
class UseSecondaryRoles:
    """`USE SECONDARY ROLES ALL | NONE | r, …`."""

    mode: Literal["ALL", "NONE", "LIST"]
    """`LIST` where roles are named."""
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
    """What stands behind the name, such as `CONFIG`; empty where nothing does."""


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
