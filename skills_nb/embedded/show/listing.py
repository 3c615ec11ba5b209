"""SHOW of objects.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/show
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from skills_nb.embedded import refusals
from skills_nb.embedded.catalog.entities import (
    DatabaseDetail,
    Entity,
    Kind,
    PolicyDetail,
    SchemaDetail,
    TagDetail,
    ViewDetail,
)
from skills_nb.embedded.instances import shown as instances
from skills_nb.embedded.looking import relations
from skills_nb.embedded.looking.filters import limited, matches, name_of, scope_of
from skills_nb.embedded.metrics import making as metrics
from skills_nb.embedded.objects import shown
from skills_nb.embedded.pipelines import shown as moving
from skills_nb.embedded.result_columns import columns_of
from skills_nb.embedded.show import account_rows, holders
from skills_nb.embedded.show.special import SPECIAL
from skills_nb.embedded.values import Outcome
from skills_nb.sql.governance import ast

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """How one kind is listed."""

    kind: Kind
    columns: str
    row: Callable[[AccountSession, Entity], Row]


def show(session: AccountSession, statement: ast.Show) -> Outcome:
    """Run SHOW."""
    if statement.kind in SPECIAL and statement.terse:
        raise refusals.unsupported(f"SHOW TERSE {statement.kind}")
    if statement.kind in SPECIAL:
        spec, rows = SPECIAL[statement.kind](session, statement)
        return _answer(spec, rows)
    listing = LISTINGS.get(statement.kind)
    if listing is None:
        raise refusals.unsupported(f"SHOW {statement.kind}")
    found = chosen(session, statement, listing.kind)
    if statement.history and listing.kind is not Kind.TABLE:
        raise refusals.unsupported(f"SHOW {statement.kind} HISTORY")
    if statement.terse:
        return _terse(found)
    if listing.kind is Kind.TABLE:
        counts = relations.row_counts(session, found)
        rows = [relations.table_row(session, entity, counts[entity.id]) for entity in found]
        return _answer(listing.columns, rows)
    return _answer(listing.columns, [listing.row(session, entity) for entity in found])


_TERSE = "created_on:t name kind database_name schema_name"


def _terse(found: list[Entity]) -> Outcome:
    """Answer SHOW TERSE: the five columns that every kind has.

    See https://docs.snowflake.com/en/sql-reference/sql/show
    """
    rows: list[Row] = []
    for e in found:
        path = (*e.path[:-1], None, None)[:2] if e.kind.depth > 1 else (None, None)
        rows.append((e.created_on, e.name, e.kind.value, *path))
    return _answer(_TERSE, rows)


def _answer(spec: str, rows: list[Row]) -> Outcome:
    return Outcome(columns_of(spec), tuple(rows), "SHOW", len(rows))


def chosen(session: AccountSession, statement: ast.Show, kind: Kind) -> list[Entity]:
    """Return the objects that a SHOW lists: scope, rights, LIKE, STARTS WITH, LIMIT."""
    roles = session.active_roles()
    found = [
        e
        for e in session.account.catalog.within(kind, scope_of(session, statement, kind))
        if matches(statement, name_of(e))
        and (e.kind is kind or kind.space != e.kind.space)
        and session.sees(e)
        and session.account.rights.visible(roles, e)
    ]
    return limited(statement, found)


def _yes(value: object) -> str:
    return "Y" if value else "N"


def _role_type(entity: Entity) -> str:
    return "ROLE" if entity.owner else ""


def _database(session: AccountSession, e: Entity) -> Row:
    detail = e.detail
    assert isinstance(detail, DatabaseDetail)
    kind = "IMPORTED DATABASE" if detail.origin else "STANDARD"
    options = "TRANSIENT" if detail.transient else ""
    return (
        e.created_on,
        e.name,
        "N",
        _yes(session.database == e.name),
        detail.origin,
        e.owner,
        e.comment,
        options,
        str(detail.retention_days),
        kind,
        None,
        _role_type(e),
    )


def _schema(session: AccountSession, e: Entity) -> Row:
    detail = e.detail
    assert isinstance(detail, SchemaDetail)
    options = ", ".join(
        w
        for w, on in (("TRANSIENT", detail.transient), ("MANAGED ACCESS", detail.managed_access))
        if on
    )
    current = (session.database, session.schema) == e.path
    return (
        e.created_on,
        e.name,
        "N",
        _yes(current),
        e.path[0],
        e.owner,
        e.comment,
        options,
        str(detail.retention_days),
        _role_type(e),
        None,
    )


def _view(session: AccountSession, e: Entity) -> Row:
    detail = e.detail
    assert isinstance(detail, ViewDetail)
    shown = not detail.secure or session.account.rights.owns(session.active_roles(), e)
    return (
        e.created_on,
        e.name,
        "",
        e.path[0],
        e.path[1],
        e.owner,
        e.comment,
        detail.text if shown else "",
        str(detail.secure).lower(),
        str(detail.materialized).lower(),
        _role_type(e),
        "OFF",
    )


def _role(session: AccountSession, e: Entity) -> Row:
    catalog = session.account.catalog
    granted = catalog.role_granted(e.name)
    users = sum(g.grantee_kind == "USER" for g in granted)
    inherited = e.name in session.primary_roles() and e.name != session.role
    return (
        e.created_on,
        e.name,
        _yes(session.user_detail().default_role == e.name),
        _yes(session.role == e.name),
        _yes(inherited),
        users,
        len(granted) - users,
        len(catalog.roles_granted_to("ROLE", e.name)),
        e.owner,
        e.comment,
    )


def _policy(session: AccountSession, e: Entity) -> Row:
    d = e.detail
    assert isinstance(d, PolicyDetail)
    options = f'{{"EXEMPT_OTHER_POLICIES":"{str(d.exempt_other_policies).upper()}"}}'
    if e.kind not in (Kind.MASKING_POLICY, Kind.ROW_ACCESS_POLICY):
        options = ""
    return (
        e.created_on,
        e.name,
        e.path[0],
        e.path[1],
        e.kind.value.replace(" ", "_"),
        e.owner,
        e.comment,
        _role_type(e),
        options,
    )


def _tag(session: AccountSession, e: Entity) -> Row:
    d = e.detail
    assert isinstance(d, TagDetail)
    listed = "[" + ",".join(f'"{v}"' for v in d.allowed_values) + "]" if d.allowed_values else None
    return (
        e.created_on,
        e.name,
        e.path[0],
        e.path[1],
        e.owner,
        e.comment,
        listed,
        _role_type(e),
        d.propagate or "NONE",
        "ALLOWED_VALUES_SEQUENCE" if d.by_sequence else d.on_conflict,
    )


def _listings() -> Iterator[tuple[str, Listing]]:
    policy = (
        "created_on:t name database_name schema_name kind owner comment owner_role_type options"
    )
    yield (
        "DATABASES",
        Listing(
            Kind.DATABASE,
            "created_on:t name is_default is_current origin owner comment options retention_time "
            "kind budget owner_role_type",
            _database,
        ),
    )
    yield (
        "SCHEMAS",
        Listing(
            Kind.SCHEMA,
            "created_on:t name is_default is_current database_name owner comment options "
            "retention_time owner_role_type budget",
            _schema,
        ),
    )
    yield "TABLES", Listing(Kind.TABLE, relations.TABLE_COLUMNS, lambda session, e: ())
    yield (
        "VIEWS",
        Listing(
            Kind.VIEW,
            "created_on:t name reserved database_name schema_name owner comment text is_secure "
            "is_materialized owner_role_type change_tracking",
            _view,
        ),
    )
    yield (
        "ROLES",
        Listing(
            Kind.ROLE,
            "created_on:t name is_default is_current is_inherited assigned_to_users:n "
            "granted_to_roles:n granted_roles:n owner comment",
            _role,
        ),
    )
    yield (
        "USERS",
        Listing(
            Kind.USER,
            "name created_on:t login_name display_name first_name last_name email mins_to_unlock "
            "days_to_expiry comment disabled must_change_password snowflake_lock default_warehouse "
            "default_namespace default_role default_secondary_roles ext_authn_duo ext_authn_uid "
            "mins_to_bypass_mfa owner last_success_login:t expires_at_time:t locked_until_time:t "
            "has_password has_rsa_public_key type has_mfa",
            account_rows.user,
        ),
    )
    yield (
        "WAREHOUSES",
        Listing(
            Kind.WAREHOUSE,
            "name state type size min_cluster_count:n max_cluster_count:n started_clusters:n "
            "running:n queued:n is_default is_current auto_suspend:n auto_resume available "
            "provisioning quiescing other created_on:t resumed_on:t updated_on:t owner comment "
            "enable_query_acceleration query_acceleration_max_scale_factor:n resource_monitor "
            "actives:n pendings:n failed:n suspended:n uuid scaling_policy budget owner_role_type "
            "resource_constraint generation",
            account_rows.warehouse,
        ),
    )
    yield "MASKING POLICIES", Listing(Kind.MASKING_POLICY, policy, _policy)
    yield "ROW ACCESS POLICIES", Listing(Kind.ROW_ACCESS_POLICY, policy, _policy)
    yield "PROJECTION POLICIES", Listing(Kind.PROJECTION_POLICY, policy, _policy)
    yield "AGGREGATION POLICIES", Listing(Kind.AGGREGATION_POLICY, policy, _policy)
    yield (
        "TAGS",
        Listing(
            Kind.TAG,
            "created_on:t name database_name schema_name owner comment allowed_values "
            "owner_role_type propagate on_conflict",
            _tag,
        ),
    )


LISTINGS = {
    **dict(_listings()),
    "DATABASE ROLES": Listing(
        Kind.DATABASE_ROLE, holders.DATABASE_ROLE_COLUMNS, holders.database_role_row
    ),
    "DATA METRIC FUNCTIONS": Listing(Kind.DATA_METRIC_FUNCTION, metrics.COLUMNS, metrics.row),
    **{name: Listing(*made) for name, made in instances.LISTINGS.items()},
    **{plural: Listing(*made) for plural, made in shown.LISTINGS.items()},
    **{plural: Listing(*made) for plural, made in moving.LISTINGS.items()},
}
