"""GRANT statements: ownership, privileges and roles, and the account's parameters.

Room: embedded. What a new account has and this one has not is revoked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from skills_nb.embedded.catalog.catalog import Catalog
from skills_nb.embedded.catalog.entities import (
    ACCOUNT_ID,
    Entity,
    FutureGrant,
    Grant,
    Kind,
    Parameter,
    RoleGrant,
)
from skills_nb.embedded.catalog.grantees import entity_of, is_database_role
from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.objects.ddl_words import target
from skills_nb.embedded.session.known_parameters import OF_OBJECTS, OF_USERS
from skills_nb.embedded.tools.export.objects import is_founding
from skills_nb.embedded.tools.export.portrait import is_lasting
from skills_nb.sql.identifiers import quote, render_name
from skills_nb.sql.plurals import plural_of
from skills_nb.sql.tokens import literal

_ADMIN = "ACCOUNTADMIN"
_R = TypeVar("_R", Grant, RoleGrant)


def statements(account: Account, fresh: Account) -> Iterator[str]:
    """Give every object its owner and every role what it holds."""
    for parameter in account.catalog.all(Parameter):
        holder = account.catalog.by_id(parameter.object_id)
        if parameter.object_id == ACCOUNT_ID:
            yield f"ALTER ACCOUNT SET {parameter.name} = {_constant(parameter.value)}"
        elif is_lasting(holder) and holder is not None and _is_settable(holder, parameter.name):
            words = f"{parameter.name} = {_constant(parameter.value)}"
            yield f"ALTER {target(holder)} SET {words}"
    for added in _missing(account.catalog.all(RoleGrant), fresh.catalog.all(RoleGrant)):
        yield f"GRANT {_role(account, added)} TO {_holder(account.catalog, added)}"
    for gone in _missing(fresh.catalog.all(RoleGrant), account.catalog.all(RoleGrant)):
        yield f"REVOKE {_role(account, gone)} FROM {_holder(account.catalog, gone)}"
    yield from _owners(account, fresh)
    yield from _privileges(account, fresh)
    for future in account.catalog.all(FutureGrant):
        yield _future(account.catalog, future)


def _role(account: Account, grant: RoleGrant) -> str:
    """Write the role of a grant."""
    return _named(account.catalog, "ROLE", grant.role)


def _holder(catalog: Catalog, grant: RoleGrant | Grant) -> str:
    """Write who holds something."""
    return _named(catalog, grant.grantee_kind, grant.grantee)


def _named(catalog: Catalog, kind: str, key: str) -> str:
    found = entity_of(catalog, key) if is_database_role(key) else None
    return target(found) if found is not None else f"{kind} {quote(key)}"


def _is_settable(holder: Entity, name: str) -> bool:
    """Tell whether ALTER sets the parameter; others the account keeps for itself."""
    return name in (OF_USERS if holder.kind is Kind.USER else OF_OBJECTS.get(holder.kind, {}))


def _missing(have: list[_R], other: list[_R]) -> list[_R]:
    """Return what is in the first and not in the second."""
    known = {record.key for record in other}
    return [record for record in have if record.key not in known]


def _owners(account: Account, fresh: Account) -> Iterator[str]:
    entities = [e for e in account.catalog.all(Entity) if is_lasting(e)]
    for entity in sorted(entities, key=lambda e: (-e.kind.depth, e.id)):
        if is_founding(fresh, entity) or entity.owner in ("", _ADMIN):
            continue
        role = quote(entity.owner)
        yield f"GRANT OWNERSHIP ON {target(entity)} TO ROLE {role} COPY CURRENT GRANTS"


def _privileges(account: Account, fresh: Account) -> Iterator[str]:
    grants = sorted(account.catalog.all(Grant), key=lambda g: _depth(account.catalog, g))
    here = {_privilege(account.catalog, g): g for g in grants}
    usual = {_privilege(fresh.catalog, g): g for g in fresh.catalog.all(Grant)}
    for words, grant in here.items():
        if words is not None and words not in usual:
            option = " WITH GRANT OPTION" if grant.grant_option else ""
            yield f"GRANT {words[0]} TO {words[1]}{option}"
    for words in usual:
        if words is not None and words not in here:
            yield f"REVOKE {words[0]} FROM {words[1]}"


def _depth(catalog: Catalog, grant: Grant) -> int:
    """Order grants by where their objects are: a share lends a database before what is in it."""
    entity = catalog.by_id(grant.object_id)
    return entity.kind.depth if entity is not None else 0


def _privilege(catalog: Catalog, grant: Grant) -> tuple[str, str] | None:
    """Return what is granted and to whom; None where the object is no more."""
    grantee = _holder(catalog, grant)
    if grant.object_id == ACCOUNT_ID:
        return f"{grant.privilege} ON ACCOUNT", grantee
    entity = catalog.by_id(grant.object_id)
    if entity is None or not is_lasting(entity):
        return None
    return f"{grant.privilege} ON {target(entity)}", grantee


def _future(catalog: Catalog, grant: FutureGrant) -> str:
    scope = catalog.by_id(grant.scope_id)
    assert scope is not None
    option = " WITH GRANT OPTION" if grant.grant_option else ""
    return (
        f"GRANT {grant.privilege} ON FUTURE {plural_of(grant.kind.value)} IN {scope.kind.value} "
        f"{render_name(scope.path)} TO {_named(catalog, 'ROLE', grant.grantee)}{option}"
    )


def _constant(value: str) -> str:
    is_plain = value.upper() in ("TRUE", "FALSE") or value.lstrip("-").isdigit()
    return value if is_plain else literal(value)
