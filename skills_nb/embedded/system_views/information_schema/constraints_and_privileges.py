"""Constraints and privileges as INFORMATION_SCHEMA and ACCOUNT_USAGE list them.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/info-schema/table_constraints and
https://docs.snowflake.com/en/sql-reference/info-schema/table_privileges
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog import grantees
from skills_nb.embedded.catalog.entities import (
    RELATIONS,
    Entity,
    Grant,
    Kind,
    TableConstraint,
    TableDetail,
)
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.system_views.information_schema.databases_and_tables import Roles, visible
from skills_nb.embedded.types.system_rows import Rows, laid_out, yes

_Held = tuple[Entity, TableConstraint]
_Columns = dict[str, Callable[[_Held], Any]]
_USED = (Kind.DATABASE, Kind.SCHEMA, Kind.SEQUENCE, Kind.STAGE, Kind.FILE_FORMAT, Kind.FUNCTION)


# ---- constraints


def _constraints(entities: Iterable[Entity], kind: str | None = None) -> Iterator[_Held]:
    for entity in entities:
        if isinstance(entity.detail, TableDetail):
            for held in entity.detail.constraints:
                if kind is None or held.kind == kind:
                    yield entity, held


def _named(word: str) -> _Columns:
    return {
        f"{word}_CATALOG": lambda h: h[0].path[0],
        f"{word}_SCHEMA": lambda h: h[0].path[1],
        f"{word}_NAME": (lambda h: h[0].name) if word == "TABLE" else (lambda h: h[1].name),
    }


_RULES: _Columns = {
    "CONSTRAINT_TYPE": lambda h: h[1].kind,
    "IS_DEFERRABLE": lambda _: "NO",
    "INITIALLY_DEFERRED": lambda _: "YES",
    "ENFORCED": lambda _: "NO",
    "COMMENT": lambda h: h[1].comment,
    "CREATED:t": lambda h: h[0].created_on,
    "LAST_ALTERED:t": lambda h: h[0].altered_on or h[0].created_on,
    "RELY": lambda h: "YES" if h[1].rely else "NO",
}
_TABLE: _Columns = {**_named("CONSTRAINT"), **_named("TABLE"), **_RULES}


def _references(session: Context) -> _Columns:
    def key(held: _Held) -> str | None:
        other = session.account.catalog.find(Kind.TABLE, held[1].referenced)
        listed = (one for _, one in _constraints([other] if other is not None else []))
        return next((o.name for o in listed if o.columns == held[1].referenced_columns), None)

    return {
        **_named("CONSTRAINT"),
        "UNIQUE_CONSTRAINT_CATALOG": lambda h: h[1].referenced[0],
        "UNIQUE_CONSTRAINT_SCHEMA": lambda h: h[1].referenced[1],
        "UNIQUE_CONSTRAINT_NAME": key,
        "MATCH_OPTION": lambda _: "FULL",
        "UPDATE_RULE": lambda _: "NO ACTION",
        "DELETE_RULE": lambda _: "NO ACTION",
        **{name: _RULES[name] for name in ("COMMENT", "CREATED:t", "LAST_ALTERED:t")},
    }


def _numbered(session: Context) -> _Columns:
    catalog = session.account.catalog
    return {
        "TABLE_ID:n": lambda h: h[0].id,
        "TABLE_SCHEMA_ID:n": lambda h: catalog.id_of_place(h[0].path[:2]),
        "TABLE_CATALOG_ID:n": lambda h: catalog.id_of_place(h[0].path[:1]),
        "DELETED:t": lambda h: h[0].dropped_on,
    }


def _every(session: Context) -> list[Entity]:
    return [e for e in session.account.catalog.all(Entity) if e.kind in RELATIONS]


def table_constraints(session: Context, roles: Roles, database: str) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/info-schema/table_constraints."""
    return laid_out(_TABLE, _constraints(visible(session, roles, Kind.TABLE, (database,))))


def all_table_constraints(session: Context) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/table_constraints."""
    return laid_out({**_TABLE, **_numbered(session)}, _constraints(_every(session)))


def referential(session: Context, roles: Roles, database: str) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/info-schema/referential_constraints."""
    seen = visible(session, roles, Kind.TABLE, (database,))
    return laid_out(_references(session), _constraints(seen, "FOREIGN KEY"))


def all_referential(session: Context) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/account-usage/referential_constraints."""
    columns = {**_references(session), "DELETED:t": _numbered(session)["DELETED:t"]}
    return laid_out(columns, _constraints(_every(session), "FOREIGN KEY"))


# ---- privileges

_Granted = tuple[Entity, Grant]


def _granted(
    session: Context, roles: Roles, kinds: Iterable[Kind], database: str
) -> Iterator[_Granted]:
    """List privileges on what the roles may see in a database, and on the database itself."""
    for kind in kinds:
        for entity in visible(session, roles, kind, (database,)):
            for grant in access.privileges_on(session, entity):
                yield entity, grant


def _holders(session: Context) -> dict[str, Callable[[_Granted], Any]]:
    catalog = session.account.catalog
    return {
        "GRANTOR": lambda g: g[1].granted_by or None,
        "GRANTED_TO": lambda g: g[1].grantee_kind,
        "GRANTEE": lambda g: grantees.name_of(catalog, g[1].grantee),
    }


def _object(word: str) -> dict[str, Callable[[_Granted], Any]]:
    return {
        f"{word}_CATALOG": lambda g: g[0].path[0] if g[0].kind is not Kind.DATABASE else None,
        f"{word}_SCHEMA": lambda g: g[0].path[1] if g[0].kind.depth > 2 else None,
        f"{word}_NAME": lambda g: g[0].name,
    }


_KINDS: dict[str, Callable[[_Granted], Any]] = {
    "PRIVILEGE_TYPE": lambda g: g[1].privilege,
    "IS_GRANTABLE": lambda g: yes(g[1].grant_option),
}
_CREATED: dict[str, Callable[[_Granted], Any]] = {"CREATED:t": lambda g: g[1].created_on}


def table_privileges(session: Context, roles: Roles, database: str) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/info-schema/table_privileges."""
    hierarchy: dict[str, Callable[[_Granted], Any]] = {"WITH_HIERARCHY": lambda _: "NO"}
    columns = {**_holders(session), **_object("TABLE"), **_KINDS, **hierarchy, **_CREATED}
    return laid_out(columns, _granted(session, roles, (Kind.TABLE,), database))


def usage_privileges(session: Context, roles: Roles, database: str) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/info-schema/usage_privileges."""
    found = _granted(session, roles, _USED, database)
    used = (pair for pair in found if pair[1].privilege in ("USAGE", "OWNERSHIP"))
    return laid_out(_privilege_columns(session), used)


def object_privileges(session: Context, roles: Roles, database: str) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/info-schema/object_privileges."""
    within = [kind for kind in Kind if kind.depth > 1 and kind not in RELATIONS[1:]]
    kinds = (Kind.DATABASE, *within)
    return laid_out(_privilege_columns(session), _granted(session, roles, kinds, database))


def _privilege_columns(session: Context) -> dict[str, Callable[[_Granted], Any]]:
    kind: dict[str, Callable[[_Granted], Any]] = {"OBJECT_TYPE": lambda g: g[0].kind.value}
    return {**_holders(session), **_object("OBJECT"), **kind, **_KINDS, **_CREATED}
