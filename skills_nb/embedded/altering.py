"""ALTER and COMMENT ON.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/alter
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from skills_nb.embedded import refusals
from skills_nb.embedded.catalog.entities import (
    DatabaseDetail,
    Entity,
    Kind,
    PolicyDetail,
    PolicyRef,
    SchemaDetail,
    TableDetail,
    TagDetail,
    UserDetail,
    ViewDetail,
    WarehouseDetail,
)
from skills_nb.embedded.metrics import uses
from skills_nb.embedded.objects import altering
from skills_nb.embedded.pipelines import altering as moving
from skills_nb.embedded.statements import (
    access,
    columns,
    login_policies,
    parameters,
    properties,
    searching,
    shares,
)
from skills_nb.embedded.statements.attach import ATTACHING, attach
from skills_nb.embedded.statements.policies import check_body
from skills_nb.embedded.statements.renames import rename, swap
from skills_nb.embedded.tagging import propagating
from skills_nb.embedded.values import Outcome
from skills_nb.sql.governance import ast

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

_COLUMN_ACTIONS = (ast.AlterColumn, ast.AddColumns, ast.DropColumns, ast.RenameColumn)


def alter(session: AccountSession, statement: ast.Alter) -> Outcome:
    """Carry out ALTER: each action in written order, all or none."""
    word = f"ALTER_{statement.kind.replace(' ', '_')}"
    if statement.kind in ("SESSION", "ACCOUNT"):
        parameters.alter(session, statement)
        return access.status(access.DONE, word)
    kind = access.kind_of(statement.kind)
    name = statement.name or _current(session, kind)
    if statement.if_exists and access.find(session, kind, name) is None:
        return access.status(access.DONE, word)
    entity = access.existing(session, kind, name)
    for action in statement.actions:
        _act(session, entity, action)
        entity = session.account.catalog.by_id(entity.id) or entity
    return access.status(access.DONE, word)


def _current(session: AccountSession, kind: Kind) -> tuple[str, ...]:
    if kind is Kind.WAREHOUSE and session.warehouse:
        return (session.warehouse,)
    if kind is Kind.USER:
        return (session.user,)
    raise refusals.no_such_operation()


def _act(session: AccountSession, entity: Entity, action: Any) -> None:
    if isinstance(action, ATTACHING):
        attach(session, entity, action)
        return
    if isinstance(action, (ast.SetTagMaskingPolicies, ast.UnsetTagMaskingPolicies)):
        _tag_policies(session, entity, action)
        return
    if isinstance(action, uses.ACTIONS):
        uses.act(session, entity, action)
        return
    if moving.act(session, entity, action):
        return
    if altering.answers(entity, action):
        altering.act(session, entity, action)
        return
    if entity.kind is Kind.SHARE and shares.alter(session, entity, action):
        return
    if not _is_about_classification(entity, action):
        _may_alter(session, entity)
    match action:
        case ast.RenameTo():
            rename(session, entity, action.name)
        case ast.SwapWith():
            swap(session, entity, action.name)
        case ast.SetProperties():
            _set(session, entity, _kept_elsewhere(session, entity, action))
        case ast.UnsetProperties():
            _unset(session, entity, action.names)
        case ast.SetBody():
            _set_body(session, entity, action.body)
        case ast.AddAllowedValues() | ast.DropAllowedValues():
            _allowed(session, entity, action)
        case ast.Suspend() | ast.Resume():
            _power(session, entity, action)
        case ast.SetManagedAccess():
            _detail(session, entity, SchemaDetail, managed_access=action.enabled)
        case ast.SetFlag(flag="SECURE"):
            _detail(session, entity, ViewDetail, secure=True)
        case ast.ClusterBy():
            _detail(session, entity, TableDetail, cluster_by=action.expressions or "")
        case ast.AbortAllQueries():
            return
        case ast.AddSearchOptimization() | ast.DropSearchOptimization():
            searching.act(session, entity, action)
        case _ if isinstance(action, _COLUMN_ACTIONS):
            columns.change(session, entity, action)
        case _:
            raise refusals.unsupported(f"ALTER {entity.kind.value} … {type(action).__name__}")


def _is_about_classification(entity: Entity, action: Any) -> bool:
    """Tell what has rights of its own, which are looked at where the profile is set."""
    if isinstance(action, ast.SetProperties):
        return set(action.properties) == {parameters.PROFILE} and parameters.is_classified(entity)
    return isinstance(action, ast.UnsetProperties) and (
        set(action.names) == {parameters.PROFILE} and parameters.is_classified(entity)
    )


def _may_alter(session: AccountSession, entity: Entity) -> None:
    rights, roles = session.account.rights, session.active_roles()
    if rights.owns(roles, entity):
        return
    if entity.kind is Kind.WAREHOUSE and (
        rights.has(roles, "MODIFY", entity)
        or rights.has(roles, "OPERATE", entity)
        or rights.has_global(roles, "MANAGE WAREHOUSES")
    ):
        return
    if entity.kind in (Kind.DATABASE, Kind.SCHEMA) and rights.has(roles, "MODIFY", entity):
        return
    if entity.kind is Kind.USER and entity.name == session.user:
        return
    raise access.denied(entity)


def _detail(session: AccountSession, entity: Entity, cls: type, **fields: Any) -> Entity:
    """Change fields of the detail, if the object is of the kind that has them."""
    if not isinstance(entity.detail, cls):
        raise refusals.unsupported(f"{', '.join(fields).upper()} of a {entity.kind.value}")
    now = session.account.clock()
    return session.account.catalog.change(
        entity, detail=replace(entity.detail, **fields), altered_on=now
    )


def _kept_elsewhere(
    session: AccountSession, entity: Entity, action: ast.SetProperties
) -> dict[str, Any]:
    """Set the policies and parameters of an object; the properties that are left."""
    return {
        key: value
        for key, value in action.properties.items()
        if not (
            (
                entity.kind is Kind.USER
                and login_policies.set_on(session, entity, key, value, force=action.force)
            )
            or (not _in_detail(entity, key) and parameters.set_on(session, entity, key, value))
        )
    }


def _in_detail(entity: Entity, key: str) -> bool:
    """Tell whether the object's own entry holds the parameter."""
    return entity.kind is Kind.WAREHOUSE or key == "DATA_RETENTION_TIME_IN_DAYS"


def _set(session: AccountSession, entity: Entity, given: dict[str, Any]) -> None:
    if "COMMENT" in given:
        entity = session.account.catalog.change(entity, comment=str(given.pop("COMMENT") or ""))
    if isinstance(entity.detail, TableDetail):
        entity = _schedule(session, entity, given)
    if not given:
        return
    match entity.detail:
        case UserDetail():
            now = session.account.clock()
            made: Any = properties.user(entity.name, given, entity.detail, now=now)
        case WarehouseDetail():
            made = properties.warehouse(_waiting(given), entity.detail)
        case DatabaseDetail() | SchemaDetail():
            made = replace(entity.detail, retention_days=properties.retention(given))
        case TagDetail():
            propagating.may_propagate(session, given)
            made = properties.propagation(given, entity.detail)
        case TableDetail():
            made = _table_properties(entity.detail, given)
        case _:
            properties.none(given)
            return
    session.account.catalog.change(entity, detail=made, altered_on=session.account.clock())


def _waiting(given: dict[str, Any]) -> dict[str, Any]:
    """Take WAIT_FOR_COMPLETION out: a warehouse has its new size at once."""
    if "WAIT_FOR_COMPLETION" in given and "WAREHOUSE_SIZE" not in given:
        raise refusals.invalid_property("WAIT_FOR_COMPLETION goes with WAREHOUSE_SIZE.")
    return {k: v for k, v in given.items() if k != "WAIT_FOR_COMPLETION"}


def _schedule(session: AccountSession, entity: Entity, given: dict[str, Any]) -> Entity:
    """Set when a table's metrics run."""
    if uses.SCHEDULE in given:
        uses.set_schedule(session, entity, given.pop(uses.SCHEDULE))
    return session.account.catalog.by_id(entity.id) or entity


def _table_properties(detail: TableDetail, given: dict[str, Any]) -> TableDetail:
    tracking = given.pop("CHANGE_TRACKING", detail.change_tracking)
    if given:
        detail = replace(detail, retention_days=properties.retention(given))
    return replace(detail, change_tracking=bool(tracking))


def _unset(session: AccountSession, entity: Entity, listed: tuple[str, ...]) -> None:
    for key in listed:
        if entity.kind is Kind.USER and login_policies.unset(session, entity, key):
            continue
        if not _in_detail(entity, key) and parameters.unset_on(session, entity, key):
            continue
        if key == "COMMENT":
            entity = session.account.catalog.change(entity, comment="")
        elif key == "SECURE":
            entity = _detail(session, entity, ViewDetail, secure=False)
        elif key == "DATA_RETENTION_TIME_IN_DAYS":
            cls = type(entity.detail)
            entity = _detail(session, entity, cls, retention_days=1)
        elif key == "PROPAGATE" and entity.kind is Kind.TAG:
            fields: dict[str, Any] = {"on_conflict": None, "by_sequence": False}
            entity = _detail(session, entity, TagDetail, propagate=None, **fields)
        elif key == "ON_CONFLICT" and entity.kind is Kind.TAG:
            entity = _detail(session, entity, TagDetail, on_conflict=None, by_sequence=False)
        elif key == uses.SCHEDULE:
            uses.set_schedule(session, entity, None)
            entity = session.account.catalog.by_id(entity.id) or entity
        elif key == "ALLOWED_VALUES":
            entity = _detail(session, entity, TagDetail, allowed_values=())
        elif entity.kind in (Kind.USER, Kind.WAREHOUSE):
            field, value = properties.default_of(entity.kind.value, key)
            fields = {field: value}
            if field == "days_to_expiry":
                fields["expires_at"] = None
            entity = _detail(session, entity, type(entity.detail), **fields)
        else:
            raise refusals.invalid_property(f"invalid property '{key}'")


def _set_body(session: AccountSession, entity: Entity, body: str) -> None:
    if not isinstance(entity.detail, PolicyDetail):
        raise refusals.unsupported(f"BODY of a {entity.kind.value}")
    made = replace(entity.detail, body=body)
    check_body(session, entity.kind, made, entity.path)
    session.account.catalog.change(entity, detail=made, altered_on=session.account.clock())


def _allowed(session: AccountSession, entity: Entity, action: Any) -> None:
    if not isinstance(entity.detail, TagDetail):
        raise refusals.unsupported(f"ALLOWED_VALUES of a {entity.kind.value}")
    held = entity.detail.allowed_values
    if isinstance(action, ast.AddAllowedValues):
        made = (*held, *(v for v in action.values if v not in held))
    else:
        used = {r.value for r in session.account.catalog.uses_of_tag(entity.id)}
        if used & set(action.values):
            raise refusals.tag_value_in_use(sorted(used & set(action.values))[0], entity.name)
        made = tuple(v for v in held if v not in action.values)
    _detail(session, entity, TagDetail, allowed_values=made)


def _power(session: AccountSession, entity: Entity, action: Any) -> None:
    if not isinstance(entity.detail, WarehouseDetail):
        raise refusals.unsupported(f"SUSPEND or RESUME of a {entity.kind.value}")
    suspends = isinstance(action, ast.Suspend)
    idle = isinstance(action, ast.Resume) and action.if_suspended
    if entity.detail.suspended is suspends and not idle:
        raise refusals.wrong_state(entity.name)
    _detail(session, entity, WarehouseDetail, suspended=suspends)


def _tag_policies(session: AccountSession, entity: Entity, action: Any) -> None:
    """See https://docs.snowflake.com/en/user-guide/tag-based-masking-policies."""
    if entity.kind is not Kind.TAG:
        raise refusals.unsupported(f"MASKING POLICY of a {entity.kind.value}")
    rights, roles = session.account.rights, session.active_roles()
    if not rights.has_global(roles, "APPLY MASKING POLICY"):
        raise access.denied(entity)
    catalog = session.account.catalog
    for name in action.policies:
        policy = access.existing(session, Kind.MASKING_POLICY, name)
        made = PolicyRef(policy.id, policy.kind, entity.id, "", ())
        if isinstance(action, ast.UnsetTagMaskingPolicies):
            _unset_tag_policy(session, entity, policy)
            continue
        standing = _same_type(session, entity, policy)
        if standing is not None and not action.force:
            raise refusals.tag_type_taken(entity.name, policy.name)
        if standing is not None:
            catalog.remove(standing)
        catalog.put(made)


def _unset_tag_policy(session: AccountSession, entity: Entity, policy: Entity) -> None:
    for ref in session.account.catalog.policies_on(entity.id):
        if ref.policy_id == policy.id:
            session.account.catalog.remove(ref)
            return
    raise refusals.not_attached("MASKING_POLICY", policy.name)


def _same_type(session: AccountSession, entity: Entity, policy: Entity) -> PolicyRef | None:
    assert isinstance(policy.detail, PolicyDetail)
    wanted = policy.detail.arguments[0].type.kind
    for ref in session.account.catalog.policies_on(entity.id):
        other = session.account.catalog.by_id(ref.policy_id)
        if (
            other
            and isinstance(other.detail, PolicyDetail)
            and (other.detail.arguments[0].type.kind == wanted)
        ):
            return ref
    return None


def comment(session: AccountSession, statement: ast.Comment) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/comment."""
    if statement.kind == "COLUMN":
        entity = access.existing(session, Kind.TABLE, statement.name[:-1])
        _may_alter(session, entity)
        columns.comment(session, entity, statement.name[-1], statement.text)
        return access.status(access.DONE, "COMMENT")
    kind = access.kind_of(statement.kind)
    if statement.if_exists and access.find(session, kind, statement.name) is None:
        return access.status(access.DONE, "COMMENT")
    entity = access.existing(session, kind, statement.name)
    _may_alter(session, entity)
    session.account.catalog.change(entity, comment=statement.text)
    return access.status(access.DONE, "COMMENT")
