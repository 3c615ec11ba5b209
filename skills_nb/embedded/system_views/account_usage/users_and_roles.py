"""Users, roles, and which users hold which roles.

Room: embedded. Nobody can enrol a second factor here, and nobody is locked out.

See https://docs.snowflake.com/en/sql-reference/account-usage/users
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from skills_nb.embedded.catalog import grantees
from skills_nb.embedded.catalog.entities import Entity, Kind, RoleGrant, UserDetail
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.system_views.account_usage.login_history import last_logins
from skills_nb.embedded.types.system_rows import Rows, laid_out

_Columns = dict[str, Callable[[Entity], Any]]


def grants(session: Context) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/grants_to_users."""
    catalog = session.account.catalog
    columns: dict[str, Callable[[RoleGrant], Any]] = {
        "CREATED_ON:t": lambda g: g.created_on,
        "DELETED_ON:t": lambda _: None,
        "ROLE": lambda g: grantees.full_name_of(catalog, g.role),
        "GRANTED_TO": lambda _: "USER",
        "GRANTEE_NAME": lambda g: g.grantee,
        "GRANTED_BY": lambda g: g.granted_by,
    }
    return laid_out(columns, (g for g in catalog.all(RoleGrant) if g.grantee_kind == "USER"))


_ROLES: _Columns = {
    "ROLE_ID:n": lambda e: e.id,
    "CREATED_ON:t": lambda e: e.created_on,
    "DELETED_ON:t": lambda _: None,
    "NAME": lambda e: e.name,
    "COMMENT": lambda e: e.comment,
    "OWNER": lambda e: e.owner,
    "ROLE_TYPE": lambda e: e.kind.value.replace(" ", "_"),
    "ROLE_DATABASE_NAME": lambda e: e.path[0] if e.kind is Kind.DATABASE_ROLE else None,
    "ROLE_INSTANCE_ID:n": lambda _: None,
    "OWNER_ROLE_TYPE": lambda e: "ROLE" if e.owner else None,
}


def roles(session: Context) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/roles."""
    kinds = (Kind.ROLE, Kind.DATABASE_ROLE)
    catalog = session.account.catalog
    return laid_out(_ROLES, (e for kind in kinds for e in catalog.within(kind)))


def users(session: Context) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/users."""
    last = last_logins(session)

    def said(read: Callable[[UserDetail], Any]) -> Callable[[Entity], Any]:
        def of(entity: Entity) -> Any:
            assert isinstance(entity.detail, UserDetail)
            return read(entity.detail)

        return of

    columns: _Columns = {
        "USER_ID:n": lambda e: e.id,
        "NAME": lambda e: e.name,
        "CREATED_ON:t": lambda e: e.created_on,
        "DELETED_ON:t": lambda _: None,
        "LOGIN_NAME": said(lambda d: d.login_name),
        "DISPLAY_NAME": said(lambda d: d.display_name),
        "FIRST_NAME": said(lambda d: d.first_name),
        "LAST_NAME": said(lambda d: d.last_name),
        "EMAIL": said(lambda d: d.email),
        "MUST_CHANGE_PASSWORD:b": said(lambda d: d.must_change_password),
        "HAS_PASSWORD:b": said(lambda d: d.has_password),
        "COMMENT": lambda e: e.comment,
        "DISABLED:b": said(lambda d: d.disabled),
        "SNOWFLAKE_LOCK:b": lambda _: False,
        "DEFAULT_WAREHOUSE": said(lambda d: d.default_warehouse),
        "DEFAULT_NAMESPACE": said(lambda d: d.default_namespace),
        "DEFAULT_ROLE": said(lambda d: d.default_role),
        "EXT_AUTHN_DUO:b": lambda _: False,
        "EXT_AUTHN_UID": lambda _: None,
        "HAS_MFA:b": lambda _: False,
        "BYPASS_MFA_UNTIL:t": lambda _: None,
        "LAST_SUCCESS_LOGIN:t": lambda e: last.get(e.name),
        "EXPIRES_AT:t": said(lambda d: d.expires_at),
        "LOCKED_UNTIL_TIME:t": lambda _: None,
        "HAS_RSA_PUBLIC_KEY:b": said(lambda d: bool(d.rsa_key_fp or d.rsa_key_2_fp)),
        "PASSWORD_LAST_SET_TIME:t": lambda _: None,
        "OWNER": lambda e: e.owner,
        "DEFAULT_SECONDARY_ROLE": said(lambda d: '["ALL"]' if d.default_secondary_roles else "[]"),
        "TYPE": said(lambda d: d.type or None),
    }
    return laid_out(columns, session.account.catalog.children(Kind.USER))
