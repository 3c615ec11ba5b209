"""What changes for roles between two states of an account: which columns they see, and how.

Room: embedded. Only tables whose grants, policies or tags differ are looked at, and only so many.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from skills_nb.embedded.catalog import grantees
from skills_nb.embedded.catalog.entities import Entity, Kind, PolicyDetail, RoleGrant
from skills_nb.embedded.catalog.table_details import columns_shown
from skills_nb.embedded.tools.seen_columns import Onlooker, tables_in
from skills_nb.sql.identifiers import render_name

if TYPE_CHECKING:
    from skills_nb.embedded.catalog.catalog import Catalog

_MOST_TABLES, _MOST_EXAMINED, _MOST_ROLES, _MOST_COLUMNS = 12, 200, 8, 60


def access_changes(before: Onlooker, after: Onlooker) -> list[dict[str, Any]]:
    """Return a matrix for each table whose columns some role sees otherwise than before.

    Args:
        before: who looks at an account.
        after: who looks at a later state of it.

    Returns:
        `{table, columns, roles: [{role, before: [...], after: [...]}], rows: [policy, policy]}`
        each, JSON-safe; `more_columns`, `more_roles` where some are left out, and last
        `{more_tables}` where tables are.
    """
    found: list[dict[str, Any]] = []
    examined = list(_concerned(before.catalog, after.catalog))
    for entity in examined[:_MOST_EXAMINED]:
        matrix = _matrix(before, after, entity)
        if matrix is not None:
            found.append(matrix)
    hidden = max(len(found) - _MOST_TABLES, 0) + max(len(examined) - _MOST_EXAMINED, 0)
    return [*found[:_MOST_TABLES], *([{"more_tables": hidden}] if hidden else [])]


def _concerned(before: Catalog, after: Catalog) -> Iterator[Entity]:
    """Yield the tables and views for which something differs that decides on access.

    What the plan makes new, nobody saw before.
    """
    # Whom a role inherits is asked of each table: any of them may be seen otherwise.
    are_roles_same = _role_grants(before) == _role_grants(after)
    for entity in tables_in(after):
        if before.find(Kind.TABLE, entity.path) is None:
            continue
        if not are_roles_same or _guards(before, entity) != _guards(after, entity):
            yield entity


def _role_grants(catalog: Catalog) -> set[tuple[str, ...]]:
    return {(one.role, one.grantee_kind, one.grantee) for one in catalog.all(RoleGrant)}


def _guards(catalog: Catalog, entity: Entity) -> Any:
    standing = catalog.find(Kind.TABLE, entity.path)
    if standing is None:
        return None
    places = [catalog.find(Kind.DATABASE, entity.path[:1])]
    places += [catalog.find(Kind.SCHEMA, entity.path[:2]), standing]
    return [
        (
            one.owner,
            {(g.privilege, g.grantee_kind, g.grantee) for g in catalog.grants_on(one.id)},
            {(r.column, _body(catalog, r.policy_id)) for r in catalog.policies_on(one.id)},
            {
                (t.column, t.tag_id, t.value, _of_tag(catalog, t.tag_id))
                for t in catalog.tags_on(one.id)
            },
        )
        for one in places
        if one is not None
    ]


def _of_tag(catalog: Catalog, tag_id: int) -> frozenset[str]:
    return frozenset(_body(catalog, ref.policy_id) for ref in catalog.policies_on(tag_id))


def _body(catalog: Catalog, policy_id: int) -> str:
    policy = catalog.by_id(policy_id)
    detail = policy.detail if policy is not None else None
    return f"{policy_id} {detail.body}" if isinstance(detail, PolicyDetail) else str(policy_id)


def _matrix(before: Onlooker, after: Onlooker, entity: Entity) -> dict[str, Any] | None:
    old = before.catalog.find(Kind.TABLE, entity.path)
    rows = [before.row_policy(old) if old is not None else "", after.row_policy(entity)]
    names = [column.name for column in columns_shown(entity.detail)]
    seen = {
        role: (
            before.sights(old, role) if old is not None else {},
            after.sights(entity, role),
        )
        for role in _roles(after.catalog)
    }
    told = {role: both for role, both in seen.items() if _is_told(both)}
    changed = [name for name in names if any(_differs(both, name) for both in told.values())]
    if not changed and rows[0] == rows[1]:
        return None
    # What changes comes first: what is left out of a long list is what stays as it is.
    order = [*changed, *(name for name in names if name not in set(changed))]
    roles = sorted(told, key=lambda role: (not _any_differs(told[role]), role))
    matrix: dict[str, Any] = {
        "table": render_name(entity.path),
        "columns": order[:_MOST_COLUMNS],
        "roles": [_line(role, told[role], order) for role in roles[:_MOST_ROLES]],
        "rows": rows,
    }
    more = {
        "more_columns": len(order) - _MOST_COLUMNS,
        "more_roles": len(roles) - _MOST_ROLES,
    }
    return matrix | {name: count for name, count in more.items() if count > 0}


def _roles(catalog: Catalog) -> list[str]:
    names = (one.name for one in catalog.within(Kind.ROLE) if one.dropped_on is None)
    return sorted(name for name in names if not grantees.is_database_role(name))


def _is_told(both: tuple[Mapping[str, str], Mapping[str, str]]) -> bool:
    """Return whether a role sees anything of a table, before or after."""
    return any(value != "no access" for sights in both for value in sights.values())


def _differs(both: tuple[Mapping[str, str], Mapping[str, str]], column: str) -> bool:
    return both[0].get(column, "no access") != both[1].get(column, "no access")


def _any_differs(both: tuple[Mapping[str, str], Mapping[str, str]]) -> bool:
    return any(_differs(both, name) for name in both[1])


def _line(
    role: str, both: tuple[Mapping[str, str], Mapping[str, str]], order: Sequence[str]
) -> dict[str, Any]:
    shown = order[:_MOST_COLUMNS]
    return {
        "role": role,
        "before": [both[0].get(name, "no access") for name in shown],
        "after": [both[1].get(name, "no access") for name in shown],
    }
