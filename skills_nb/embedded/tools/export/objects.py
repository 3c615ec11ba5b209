"""CREATE statements: roles, users, warehouses, databases, schemas, tables and views.

Room: embedded. Policies and tags come later, because their bodies may read tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.binder.signatures import detail_of
from skills_nb.embedded.catalog.entities import (
    ColumnDef,
    DatabaseDetail,
    Entity,
    Kind,
    SchemaDetail,
    TableDetail,
    UserDetail,
    ViewDetail,
    WarehouseDetail,
)
from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.objects.bootstrap import SNOWFLAKE
from skills_nb.embedded.objects.compute import warehouse
from skills_nb.embedded.objects.object_kind import KINDS
from skills_nb.embedded.objects.principals import user
from skills_nb.embedded.objects.relations import clustering
from skills_nb.embedded.objects.relations.described_columns import order_word
from skills_nb.embedded.objects.relations.table.keys_ddl import constraint, keys
from skills_nb.embedded.parser import parsing
from skills_nb.embedded.tools.export.portrait import is_lasting
from skills_nb.embedded.types import names
from skills_nb.sql.identifiers import quote, render_name
from skills_nb.sql.tokens import literal


def lasting(account: Account, kind: Kind) -> list[Entity]:
    """List the present objects of a kind, oldest first."""
    found = [e for e in account.catalog.all(Entity) if e.kind is kind and is_lasting(e)]
    return sorted(found, key=lambda entity: entity.id)


def is_founding(fresh: Account, entity: Entity) -> bool:
    """Return whether every new account has an object of this name."""
    return fresh.catalog.find(entity.kind, entity.path) is not None


def comment(entity: Entity) -> str:
    """Write the comment's clause."""
    return f" COMMENT = {literal(entity.comment)}" if entity.comment else ""


# ---- the account's own objects


def account_level(account: Account, fresh: Account) -> Iterator[str]:
    """Make roles, warehouses and users."""
    for role in lasting(account, Kind.ROLE):
        if not is_founding(fresh, role):
            yield f"CREATE ROLE {quote(role.name)}{comment(role)}"
    for one in lasting(account, Kind.WAREHOUSE):
        yield from _with_properties(fresh, one, warehouse.with_properties({}))
    for one in lasting(account, Kind.USER):
        yield from _with_properties(fresh, one, user.with_properties(one.name, {}))
    for kind in (Kind.WAREHOUSE, Kind.USER):
        for gone in lasting(fresh, kind):
            if account.catalog.find(kind, gone.path) is None:
                yield f"DROP {kind.value} {quote(gone.name)}"


def refuse_others(account: Account) -> None:
    """Refuse an account with an object that no script can make again.

    Raises:
        SqlError: there is such an object (0A000).
    """
    for entity in account.catalog.all(Entity):
        founding = entity.path[0] == SNOWFLAKE
        if is_lasting(entity) and not founding and not _is_exported(entity.kind):
            what = f"{entity.kind.value} {render_name(entity.path)}"
            raise errors.unsupported(f"export of an account with {what}")


def _is_exported(kind: Kind) -> bool:
    return kind in KINDS and KINDS[kind].export is not None


def _with_properties(
    fresh: Account, entity: Entity, usual: UserDetail | WarehouseDetail
) -> Iterator[str]:
    table = user.READERS if isinstance(usual, UserDetail) else warehouse.READERS
    standing = fresh.catalog.find(entity.kind, entity.path)
    before = standing.detail if standing is not None else usual
    changed = [
        f"{key} = {_value(key, getattr(entity.detail, field))}"
        for key, (field, _) in table.items()
        if key != "PASSWORD" and getattr(entity.detail, field) != getattr(before, field)
    ]
    if standing is not None and entity.comment != standing.comment:
        changed.append(f"COMMENT = {literal(entity.comment)}")
    words = " ".join(changed)
    name = f"{entity.kind.value} {quote(entity.name)}"
    if standing is None:
        yield f"CREATE {name}{' ' + words if words else ''}{comment(entity)}"
    elif words:
        yield f"ALTER {name} SET {words}"


def _value(key: str, value: Any) -> str:
    if key == "DEFAULT_SECONDARY_ROLES":
        return "('ALL')" if value else "()"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if value is None:
        return "NULL"
    return str(value) if isinstance(value, int) else literal(str(value))


# ---- databases and schemas


def containers(account: Account, fresh: Account) -> Iterator[str]:
    """Make databases with their schemas."""
    for database in lasting(account, Kind.DATABASE):
        if is_founding(fresh, database):
            continue
        detail = database.detail
        assert isinstance(detail, DatabaseDetail)
        word = "TRANSIENT DATABASE" if detail.transient else "DATABASE"
        yield (
            f"CREATE {word} {quote(database.name)}{_retention(detail.retention_days)}"
            f"{comment(database)}"
        )
        schemas = account.catalog.children(Kind.SCHEMA, database.path)
        for schema in schemas:
            yield from _schema(schema)
        if "PUBLIC" not in (schema.name for schema in schemas):
            yield f"DROP SCHEMA {render_name((database.name, 'PUBLIC'))}"


def _schema(schema: Entity) -> Iterator[str]:
    detail = schema.detail
    assert isinstance(detail, SchemaDetail)
    if schema.name == "PUBLIC" and detail == SchemaDetail() and not schema.comment:
        return  # it came with its database
    word = "TRANSIENT SCHEMA" if detail.transient else "SCHEMA"
    managed = " WITH MANAGED ACCESS" if detail.managed_access else ""
    yield (
        f"CREATE OR REPLACE {word} {render_name(schema.path)}{managed}"
        f"{_retention(detail.retention_days)}{comment(schema)}"
    )


def _retention(days: int) -> str:
    return f" DATA_RETENTION_TIME_IN_DAYS = {days}" if days != 1 else ""


# ---- tables and views


def tables(account: Account) -> Iterator[str]:
    """Make the tables, without rows and policies."""
    for entity in lasting(account, Kind.TABLE):
        detail = entity.detail
        assert isinstance(detail, TableDetail)
        word = "TRANSIENT TABLE" if detail.transient else "TABLE"
        lines = [_column(column) for column in detail.columns]
        lines += keys(detail)
        cluster = clustering.written(detail.cluster_by)
        yield (
            f"CREATE {word} {render_name(entity.path)} (\n  "
            + ",\n  ".join(lines)
            + f"\n){cluster}"
            f"{_retention(detail.retention_days)}{comment(entity)}"
        )
        if detail.change_tracking:
            yield f"ALTER TABLE {render_name(entity.path)} SET CHANGE_TRACKING = TRUE"


def _column(column: ColumnDef) -> str:
    parts = [quote(column.name), column.type.sql]
    parts += [] if column.nullable or column.primary_key else ["NOT NULL"]
    if column.default is not None:
        parts.append(f"DEFAULT {column.default}")
    if column.identity is not None:
        parts.append("AUTOINCREMENT START {} INCREMENT {}".format(*column.identity))
        parts.append(order_word(column).upper())
    if column.comment:
        parts.append(f"COMMENT {literal(column.comment)}")
    return " ".join(parts)


def foreign_keys(account: Account) -> Iterator[str]:
    """Add the keys between tables, which are all there by now."""
    for entity in lasting(account, Kind.TABLE):
        assert isinstance(entity.detail, TableDetail)
        for held in entity.detail.constraints:
            if held.referenced:
                yield f"ALTER TABLE {render_name(entity.path)} ADD {constraint(held)}"


def views(account: Account) -> Iterator[str]:
    """Make the views, each after those that it reads."""
    waiting = {entity.path: entity for entity in lasting(account, Kind.VIEW)}
    while waiting:
        ready = [e for e in waiting.values() if not _reads(e) & (waiting.keys() - {e.path})]
        # A view over a view that was replaced by one over it: nothing is ready, one is refused.
        for entity in ready or list(waiting.values()):
            del waiting[entity.path]
            yield f"USE SCHEMA {render_name(entity.path[:-1])}"
            yield _view(entity)


def over_views(account: Account) -> frozenset[int]:
    """Number the functions that read views, or call such functions: they come behind views."""
    views = {entity.path for entity in lasting(account, Kind.VIEW)}
    found: set[int] = set()
    named: set[str] = set()
    for entity in lasting(account, Kind.FUNCTION):
        tree = _body(entity)
        if tree is None:
            continue
        calls = {str(call.this).upper() for call in tree.find_all(exp.Anonymous)}
        if _named_in(entity, tree) & views or calls & named:
            found.add(entity.id)
            named.add(detail_of(entity).name)
    return frozenset(found)


def _body(entity: Entity) -> exp.Expr | None:
    detail = detail_of(entity)
    if detail.language != "SQL":
        return None
    if detail.returns is None:
        return parsing.parse_query(detail.body)
    return parsing.parse_expression(f"({detail.body})")


def _view(entity: Entity) -> str:
    detail = entity.detail
    assert isinstance(detail, ViewDetail)
    word = f"{'SECURE ' * detail.secure}{'MATERIALIZED ' * detail.materialized}VIEW"
    cluster = clustering.written(detail.cluster_by)
    columns = ", ".join(
        quote(c.name) + (f" COMMENT {literal(c.comment)}" if c.comment else "")
        for c in detail.columns
    )
    name = render_name(entity.path)
    return f"CREATE {word} {name} ({columns}){cluster}{comment(entity)} AS\n{detail.query}"


def _reads(entity: Entity) -> set[tuple[str, ...]]:
    assert isinstance(entity.detail, ViewDetail)
    return _named_in(entity, parsing.parse_query(entity.detail.query))


def _named_in(entity: Entity, tree: exp.Expr) -> set[tuple[str, ...]]:
    """Return the full names behind FROM in an object's text."""
    paths = (names.table_path(table) for table in tree.find_all(exp.Table))
    return {(*entity.path[: 3 - len(path)], *path) for path in paths}
