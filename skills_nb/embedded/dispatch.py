"""Dispatch: typed governance statements to the functions that carry them out.

Room: embedded. A statement that no row of the table answers is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from skills_nb.embedded import altering as alters
from skills_nb.embedded import refusals
from skills_nb.embedded.callables import signatures
from skills_nb.embedded.code import routines
from skills_nb.embedded.instances import calling
from skills_nb.embedded.metrics import making as metrics
from skills_nb.embedded.objects import making
from skills_nb.embedded.pipelines import statements as moving
from skills_nb.embedded.show import describe, grants_shown, listing
from skills_nb.embedded.statements import drops, grants, objects, surroundings
from skills_nb.embedded.system import calls
from skills_nb.embedded.values import Outcome
from skills_nb.sql.governance import ast

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

Handler = Callable[["AccountSession", Any], Outcome]
_SESSION: dict[type, Handler] = {
    ast.Use: surroundings.use,
    ast.UseSecondaryRoles: surroundings.use_secondary_roles,
    ast.SetVariables: surroundings.set_variables,
    ast.UnsetVariables: surroundings.unset_variables,
    ast.Call: calls.call,
    ast.Show: listing.show,
    ast.ShowGrants: grants_shown.show_grants,
    ast.Describe: describe.describe,
}
_DDL: dict[type, Handler] = {
    ast.CreateDatabase: objects.database,
    ast.CreateSchema: objects.schema,
    ast.CreateRole: objects.role,
    ast.CreateDatabaseRole: objects.database_role,
    ast.CreateShare: objects.share,
    ast.CreateUser: objects.user,
    ast.CreateWarehouse: objects.warehouse,
    ast.CreateMaskingPolicy: objects.policy,
    ast.CreateRowAccessPolicy: objects.policy,
    ast.CreateProjectionPolicy: objects.policy,
    ast.CreateAggregationPolicy: objects.policy,
    ast.CreateTag: objects.tag,
    ast.CreateClone: objects.clone,
    **making.CREATES,
    **moving.CREATES,
    ast.CreateInstance: calling.create,
    ast.CreateFunction: routines.create,
    ast.CreateProcedure: routines.create,
    ast.CreateDataMetricFunction: metrics.create,
    ast.Alter: alters.alter,
    ast.Comment: alters.comment,
    ast.Drop: drops.drop,
    ast.Undrop: drops.undrop,
    ast.GrantRole: grants.grant_role,
    ast.RevokeRole: grants.revoke_role,
    ast.GrantInstanceRole: calling.grant_role,
    ast.RevokeInstanceRole: calling.revoke_role,
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


def run(session: AccountSession, statement: Any) -> Outcome:
    """Carry out a governance statement."""
    statement = signatures.named(metrics.named(statement))
    if session.borrowed and isinstance(statement, _CHANGES_SESSION):
        raise refusals.not_for_owners(statement)
    handler = _SESSION.get(type(statement))
    if handler is not None:
        return handler(session, statement)
    handler = _DDL.get(type(statement))
    if handler is None:
        raise refusals.unsupported(_words(statement))
    if not (isinstance(statement, ast.Alter) and statement.kind == "SESSION"):
        session.commit_before_ddl()
    return handler(session, statement)


def _words(statement: object) -> str:
    name = type(statement).__name__
    words = "".join(f" {c}" if c.isupper() else c for c in name).strip().upper()
    return f"CREATE {kind}" if (kind := getattr(statement, "kind", "")) else words
