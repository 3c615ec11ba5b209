"""Clauses of CREATE that say which policies and tags hang on a table, view or column.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/functions/get_ddl
"""

from __future__ import annotations

from skills_nb.embedded.catalog.entities import Entity, PolicyRef
from skills_nb.embedded.session.context import Context
from skills_nb.sql.identifiers import quote, render_name
from skills_nb.sql.tokens import literal


def masking_clause(session: Context, entity: Entity, column: str) -> str:
    """Write a column's masking policy; one that comes with a tag is the tag's."""
    held = session.account.policies_of(entity)
    ref = held.masks.get(column)
    if ref is None or column in held.by_tag:
        return ""
    using = f" USING ({', '.join(quote(a) for a in ref.arguments)})"
    return f"WITH MASKING POLICY {_policy_name(session, ref)}" + (
        using if len(ref.arguments) > 1 else ""
    )


def projection_clause(session: Context, entity: Entity, column: str) -> str:
    """Write a column's projection policy."""
    ref = session.account.policies_of(entity).projections.get(column)
    return f"WITH PROJECTION POLICY {_policy_name(session, ref)}" if ref is not None else ""


def _policy_name(session: Context, ref: PolicyRef) -> str:
    policy = session.account.catalog.by_id(ref.policy_id)
    assert policy is not None
    return render_name(policy.path)


def aggregation_clause(session: Context, entity: Entity) -> str:
    """Write a table's aggregation policy, with all its entity keys."""
    refs = session.account.policies_of(entity).aggregations
    if not refs:
        return ""
    keys = [", ".join(quote(c) for c in ref.arguments) for ref in refs if ref.arguments]
    words = "".join(f" ENTITY KEY ({key})" for key in keys)
    return f" WITH AGGREGATION POLICY {_policy_name(session, refs[0])}{words}"


def row_access_clause(session: Context, entity: Entity) -> str:
    """Write a table's row access policy."""
    ref = session.account.policies_of(entity).rows
    if ref is None:
        return ""
    listed = ", ".join(quote(a) for a in ref.arguments)
    return f" WITH ROW ACCESS POLICY {_policy_name(session, ref)} ON ({listed})"


def tag_clause(session: Context, entity: Entity, column: str) -> str:
    """Write the tags of a column, '' for the table's own."""
    listed = []
    for ref in session.account.catalog.tags_on(entity.id):
        tag = session.account.catalog.by_id(ref.tag_id)
        if ref.column == column and tag is not None:
            listed.append(f"{render_name(tag.path)}={literal(ref.value)}")
    return f" WITH TAG ({', '.join(listed)})" if listed else ""
