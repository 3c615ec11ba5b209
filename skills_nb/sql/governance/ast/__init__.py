"""Typed values of the governance and administration statements.

Room: sql. Frozen, comparable as a whole. `GovernanceStatement` is what `governance.parse` yields.
"""

from __future__ import annotations

from typing import TypeAlias

from skills_nb.sql.governance.ast.clause_values import *  # noqa: F403
from skills_nb.sql.governance.ast.create_entries import *  # noqa: F403
from skills_nb.sql.governance.ast.create_instance import *  # noqa: F403
from skills_nb.sql.governance.ast.create_semantic_view import *  # noqa: F403
from skills_nb.sql.governance.ast.create_statements import *  # noqa: F403
from skills_nb.sql.governance.ast.create_statements import Create
from skills_nb.sql.governance.ast.object_actions import *  # noqa: F403
from skills_nb.sql.governance.ast.table_actions import *  # noqa: F403
from skills_nb.sql.governance.ast.utility_statements import *  # noqa: F403
from skills_nb.sql.governance.ast.utility_statements import (
    Alter,
    Call,
    Chain,
    Comment,
    Describe,
    Drop,
    ExecuteAlert,
    ExecuteImmediate,
    ExecuteTask,
    GrantInstanceRole,
    GrantOwnership,
    GrantPrivileges,
    GrantRole,
    RevokeInstanceRole,
    RevokePrivileges,
    RevokeRole,
    SetVariables,
    Show,
    ShowGrants,
    Undrop,
    UnsetVariables,
    Use,
    UseSecondaryRoles,
)

GovernanceStatement: TypeAlias = (
    Create
    | Alter
    | Drop
    | Undrop
    | Comment
    | Describe
    | Show
    | ShowGrants
    | GrantRole
    | RevokeRole
    | GrantInstanceRole
    | RevokeInstanceRole
    | GrantPrivileges
    | RevokePrivileges
    | GrantOwnership
    | Use
    | UseSecondaryRoles
    | SetVariables
    | UnsetVariables
    | ExecuteTask
    | ExecuteAlert
    | ExecuteImmediate
    | Call
    | Chain
)
