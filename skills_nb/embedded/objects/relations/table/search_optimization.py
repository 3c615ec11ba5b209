"""Search optimization of tables: which predicates it is configured for.

Room: embedded. It changes no answer; what is configured is kept and shown.

See https://docs.snowflake.com/en/user-guide/search-optimization-service
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Entity, Kind, SearchPath, TableDetail
from skills_nb.embedded.objects.object_kind import Action, Row
from skills_nb.embedded.session.context import Context
from skills_nb.sql.governance import ast

_RIGHT = "ADD SEARCH OPTIMIZATION"
_TYPES = {
    "EQUALITY": frozenset({"FIXED", "TEXT", "BINARY", "BOOLEAN", "DATE", "TIME", "VARIANT"}),
    "SUBSTRING": frozenset({"TEXT", "VARIANT"}),
    "FULL_TEXT": frozenset({"TEXT", "VARIANT"}),
}
"""Kinds of types that a method is for; moments go with DATE."""
_WHOLE = (ast.SearchMethod("EQUALITY", ("*",)),)


def act(
    session: Context,
    entity: Entity,
    action: ast.AddSearchOptimization | ast.DropSearchOptimization,
) -> None:
    """Add to what a table is optimized for, or take it off.

    Raises:
        SqlError: it is no table, or a dynamic one (0A000), a column is not there (904), or a
            method is not for its type (1420).
    """
    detail = entity.detail
    if not isinstance(detail, TableDetail) or detail.dynamic is not None:
        raise errors.unsupported(f"SEARCH OPTIMIZATION of a {entity.kind.value}")
    if isinstance(action, ast.AddSearchOptimization):
        _may_add(session, entity)
        made = _added(detail, action.methods or _WHOLE)
    else:
        made = _left(detail, action)
    session.account.catalog.change(entity, detail=replace(detail, search=made))


def _may_add(session: Context, entity: Entity) -> None:
    schema = session.account.catalog.find(Kind.SCHEMA, entity.path[:2])
    assert schema is not None
    access.require(session, schema, _RIGHT)


def _added(detail: TableDetail, methods: tuple[ast.SearchMethod, ...]) -> tuple[SearchPath, ...]:
    found = list(detail.search)
    held = {(path.method, path.target) for path in found}
    for path in _paths(detail, methods):
        if (path.method, path.target) not in held:
            number = max((one.number for one in found), default=0) + 1
            found.append(replace(path, number=number))
            held.add((path.method, path.target))
    return tuple(found)


def _left(detail: TableDetail, action: ast.DropSearchOptimization) -> tuple[SearchPath, ...]:
    """Return what is left; something that was not there is refused."""
    if not (action.methods or action.columns or action.numbers):
        return ()
    gone = {(path.method, path.target) for path in _paths(detail, action.methods)}
    for name in action.columns:
        if name not in {path.target for path in detail.search}:
            raise errors.invalid_property(f"No search optimization on '{name}'.")
    for number in action.numbers:
        if number not in {path.number for path in detail.search}:
            raise errors.invalid_property(f"No search optimization expression {number}.")
    return tuple(
        path
        for path in detail.search
        if (path.method, path.target) not in gone
        and path.target not in action.columns
        and path.number not in action.numbers
    )


def _paths(detail: TableDetail, methods: tuple[ast.SearchMethod, ...]) -> Iterator[SearchPath]:
    """Yield what methods are for, without numbers yet."""
    for one in methods:
        if one.method not in _TYPES:
            raise errors.unsupported(f"search method {one.method}")
        for target in one.targets:
            yield from _targets(detail, one.method, target)


def _targets(detail: TableDetail, method: str, target: str) -> Iterator[SearchPath]:
    if target == "*":
        for column in detail.columns:
            if column.type.kind != "VARIANT" and _is_for(method, column.type.kind):
                yield SearchPath(0, method, column.name, "", column.type.sql)
        return
    if "=>" in target:
        raise errors.unsupported(f"{target.split('=>')[0].strip().upper()} of a search method")
    name, path = _cut(target)
    found = next((c for c in detail.columns if c.name == name), None)
    if found is None:
        raise errors.invalid_identifier(name)
    if not _is_for(method, found.type.kind) or (path and found.type.kind != "VARIANT"):
        raise errors.invalid_property(f"{method} is not for {target} of type {found.type.sql}.")
    yield SearchPath(0, method, name, path, found.type.sql)


def _is_for(method: str, kind: str) -> bool:
    return ("DATE" if kind.startswith("TIMESTAMP") else kind) in _TYPES[method]


def _cut(target: str) -> tuple[str, str]:
    """Cut a target into the column's stored name and the path behind it."""
    if target.startswith('"'):
        end = target.index('"', 1)
        return target[1:end], target[end + 1 :]
    for at, character in enumerate(target):
        if character in ":[":
            return target[:at].strip().upper(), target[at:]
    return target.upper(), ""


def describe(session: Context, name: tuple[str, ...]) -> tuple[str, list[Row]]:
    """See https://docs.snowflake.com/en/sql-reference/sql/desc-search-optimization."""
    entity = access.existing(session, Kind.TABLE, name)
    held = entity.detail.search if isinstance(entity.detail, TableDetail) else ()
    rows: list[Row] = [(p.number, p.method, p.target, p.type, True) for p in held]
    return "expression_id:n method target target_data_type active:b", rows


ACTIONS: dict[type[ast.Action], Action] = dict.fromkeys(
    (ast.AddSearchOptimization, ast.DropSearchOptimization), act
)
