"""References: where policies and tags are.

Room: embedded. Shared by INFORMATION_SCHEMA's table functions and ACCOUNT_USAGE's views.

See https://docs.snowflake.com/en/sql-reference/functions/policy_references and
https://docs.snowflake.com/en/sql-reference/functions/tag_references
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from skills_nb.embedded.catalog.entities import ACCOUNT_ID, Entity, Kind, PolicyRef, TagRef
from skills_nb.embedded.catalog.table_details import columns_shown
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.system_rows import Row

POLICY_COLUMNS = (
    "POLICY_DB POLICY_SCHEMA POLICY_NAME POLICY_KIND REF_DATABASE_NAME REF_SCHEMA_NAME "
    "REF_ENTITY_NAME REF_ENTITY_DOMAIN REF_COLUMN_NAME REF_ARG_COLUMN_NAMES TAG_DATABASE "
    "TAG_SCHEMA TAG_NAME POLICY_STATUS"
)
TAG_COLUMNS = (
    "TAG_DATABASE TAG_SCHEMA TAG_NAME TAG_VALUE LEVEL OBJECT_DATABASE OBJECT_SCHEMA OBJECT_NAME "
    "DOMAIN COLUMN_NAME APPLY_METHOD"
)


def policy_rows(session: Context, target: Entity) -> Iterator[Row]:
    """List policies on a table or view, those that come with tags included."""
    if target.kind is Kind.USER:
        yield from login_rows(session, target)
        return
    held = session.account.policies_of(target)
    refs = [
        *held.masks.values(),
        *([held.rows] if held.rows else []),
        *held.projections.values(),
        *held.aggregations,
    ]
    for ref in sorted(refs, key=lambda r: (r.column, r.policy_id)):
        masks = ref.policy_kind is Kind.MASKING_POLICY
        by_tag = held.by_tag.get(ref.column) if masks else None
        yield policy_row(session, ref, target, by_tag)


def login_rows(session: Context, user: Entity | None) -> Iterator[Row]:
    """List the login policies of a user, or of the account (None)."""
    for ref in session.account.catalog.policies_on(user.id if user is not None else ACCOUNT_ID):
        yield login_row(session, ref, user)


def login_row(session: Context, ref: PolicyRef, user: Entity | None) -> Row:
    """Return the row of one policy of a user, or of the account (None)."""
    policy = session.account.catalog.by_id(ref.policy_id)
    assert policy is not None
    name = user.name if user is not None else session.account.info.locator
    domain = "USER" if user is not None else "ACCOUNT"
    kind = policy.kind.value.replace(" ", "_")
    return (*policy.path, kind, None, None, name, domain, *(None,) * 5, "ACTIVE")


def policy_row(session: Context, ref: PolicyRef, target: Entity, tag_id: int | None = None) -> Row:
    """Return the row of one attachment."""
    catalog = session.account.catalog
    policy = catalog.by_id(ref.policy_id)
    assert policy is not None
    tag = catalog.by_id(tag_id) if tag_id else None
    by_column = ref.policy_kind in (Kind.MASKING_POLICY, Kind.PROJECTION_POLICY)
    given = ref.arguments[1:] if by_column else ref.arguments
    listed = f"[ {', '.join(map(json.dumps, given))} ]" if given else None
    names = (*target.path[:-1], None, None)[:2]
    return (
        *policy.path,
        policy.kind.value.replace(" ", "_"),
        *names,
        target.name,
        target.kind.value,
        ref.column or None,
        listed,
        *(tag.path if tag else (None,) * 3),
        "ACTIVE",
    )


def tag_row(session: Context, ref: TagRef, target: Entity) -> Row:
    """Return the row of one tag value."""
    tag = session.account.catalog.by_id(ref.tag_id)
    assert tag is not None
    level = "COLUMN" if ref.column else target.kind.value
    names = object_names(target)
    return (*tag.path, ref.value, level, *names, level, ref.column or None, ref.method)


def object_names(target: Entity) -> tuple[str | None, str | None, str]:
    """Return database, schema and name of a tagged object, as far as it has them."""
    if target.kind.depth == 3:
        return target.path[0], target.path[1], target.path[2]
    if target.kind.depth == 2:
        return target.path[0], None, target.name
    return None, None, target.name


def effective_tags(session: Context, target: Entity, column: str) -> dict[int, tuple[TagRef, str]]:
    """Return tags in force on an object or column, and the level that each comes from.

    See https://docs.snowflake.com/en/user-guide/object-tagging/inheritance
    """
    catalog = session.account.catalog
    found: dict[int, tuple[TagRef, str]] = {}
    for kind, depth in ((Kind.DATABASE, 1), (Kind.SCHEMA, 2)):
        parent = catalog.find(kind, target.path[:depth])
        if parent is not None and parent.id != target.id and target.kind.depth > depth:
            for ref in catalog.tags_on(parent.id):
                found[ref.tag_id] = (ref, parent.kind.value)
    for ref in catalog.tags_on(target.id):
        if not ref.column:
            found[ref.tag_id] = (ref, target.kind.value)
    for ref in catalog.tags_on(target.id):
        if column and ref.column == column:
            found[ref.tag_id] = (ref, "COLUMN")
    return found


def tag_rows_in_force(session: Context, target: Entity, column: str) -> Iterator[Row]:
    """List tags in force on an object or one of its columns."""
    domain = "COLUMN" if column else target.kind.value
    for tag_id, (ref, level) in sorted(effective_tags(session, target, column).items()):
        tag = session.account.catalog.by_id(tag_id)
        assert tag is not None
        method = ref.method if level == domain else "INHERITED"
        yield (*tag.path, ref.value, level, *object_names(target), domain, column or None, method)


def all_column_tags(session: Context, target: Entity) -> Iterator[Row]:
    """List tags in force on every column."""
    for column in columns_shown(target.detail):
        yield from tag_rows_in_force(session, target, column.name)


def number_of_column(table: Entity, position: int) -> int:
    """Return a number of a column's own: that of its table, and its place."""
    return table.id * 10_000 + position
