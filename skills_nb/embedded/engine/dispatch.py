"""Dispatch: typed governance statements to the functions that carry them out.

Room: embedded. A statement that no row of the table answers is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.binder import signatures
from skills_nb.embedded.objects import kinds
from skills_nb.embedded.objects.instances import instance_calls
from skills_nb.embedded.objects.routines.data_metric_function import data_metric_function
from skills_nb.embedded.objects.statements import (
    alter,
    clone,
    describe,
    drop,
    grants,
    session_statements,
    show,
    show_grants,
)
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.system_views import calls
from skills_nb.embedded.types.values import Outcome
from skills_nb.sql.governance import ast

Handler = Callable[["Context", Any], Outcome]
_SESSION: dict[type, Handler] = {
    ast.Use: session_statements.use,
    ast.UseSecondaryRoles: session_statements.use_secondary_roles,
    ast.SetVariables: session_statements.set_variables,
    ast.UnsetVariables: session_statements.unset_variables,
    ast.Call: calls.call,
    ast.Show: show.show,
    ast.ShowGrants: show_grants.show_grants,
    ast.Describe: describe.describe,
}
_DDL: dict[type, Handler] = {
    **kinds.statements(),
    ast.CreateClone: clone.clone,
    ast.CreateInstance: instance_calls.create,
    ast.Alter: alter.alter,
    ast.Comment: alter.comment,
    ast.Drop: drop.drop,
    ast.Undrop: drop.undrop,
    ast.GrantRole: grants.grant_role,
    ast.RevokeRole: grants.revoke_role,
    ast.GrantInstanceRole: instance_calls.grant_role,
    ast.RevokeInstanceRole: instance_calls.revoke_role,
    ast.GrantPrivileges: grants.grant,
    ast.RevokePrivileges: grants.revoke,
    ast.GrantOwnership: grants.grant_ownership,
}


_CHANGES_SESSION = (ast.Use, ast.UseSecondaryRoles, ast.SetVariables, ast.UnsetVariables)


def handler_of(cls: type) -> Handler | None:
    """Return what carries out statements of a class; None where nothing does."""
    return _SESSION.get(cls) or _DDL.get(cls)


def is_read_only(statement: object) -> bool:
    """Tell whether the statement only looks."""
    return isinstance(statement, (ast.Show, ast.ShowGrants, ast.Describe))


def run(session: Context, statement: Any) -> Outcome:
    """Carry out a governance statement.

    Raises:
        SqlError: the account does not support it (0A000), or a procedure with its owner's rights
            may not do it (90236).
    """
    statement = signatures.named(data_metric_function.named(statement))
    if session.frame.borrowed and isinstance(statement, _CHANGES_SESSION):
        raise errors.not_for_owners(statement)
    handler = _SESSION.get(type(statement))
    if handler is not None:
        return handler(session, statement)
    handler = _DDL.get(type(statement))
    if handler is None:
        raise errors.unsupported(_words(statement))
    if not (isinstance(statement, ast.Alter) and statement.kind == "SESSION"):
        session.commit_before_ddl()
    return handler(session, statement)


def _words(statement: object) -> str:
    name = type(statement).__name__
    words = "".join(f" {c}" if c.isupper() else c for c in name).strip().upper()
    return f"CREATE {kind}" if (kind := getattr(statement, "kind", "")) else words
