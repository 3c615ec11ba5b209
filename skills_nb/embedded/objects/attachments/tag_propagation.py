"""Propagation: a tag's value goes on to the views over what carries it, and with moved rows.

Room: embedded. A value that somebody set stays; what was propagated along a query is brought up to
date whenever a tag or the query changes, what came with moved rows stays as it came.

See https://docs.snowflake.com/en/user-guide/object-tagging/propagation
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sqlglot import exp

from skills_nb.embedded.authorizer import access
from skills_nb.embedded.binder.dependencies import query_of, used_by
from skills_nb.embedded.catalog.catalog import Catalog
from skills_nb.embedded.catalog.entities import (
    PROPAGATED,
    Entity,
    Kind,
    TableDetail,
    TagDetail,
    TagRef,
    ViewDetail,
)
from skills_nb.embedded.objects.attachments.tag_origins import Column, Origins, origins
from skills_nb.embedded.parser.parsing import parse_query
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types import names

DEPENDENCY = frozenset({"ON_DEPENDENCY", "ON_DEPENDENCY_AND_DATA_MOVEMENT"})
MOVEMENT = frozenset({"ON_DATA_MOVEMENT", "ON_DEPENDENCY_AND_DATA_MOVEMENT"})
PAUSED = "SKIP_TAG_PROPAGATION"
_CONFLICT = "CONFLICT"


def tags_that(catalog: Catalog, ways: frozenset[str]) -> list[Entity]:
    """List the tags that go on by themselves in one of these ways."""
    return [
        tag
        for tag in catalog.within(Kind.TAG)
        if isinstance(tag.detail, TagDetail) and tag.detail.propagate in ways
    ]


def may_propagate(session: Context, given: Mapping[str, object]) -> None:
    """Require the right that a tag asks for that goes on by itself."""
    if given:
        access.require_global(session, "APPLY TAG")


# ---- along queries


def after_tagging(session: Context, tag: Entity, source: Entity) -> None:
    """Bring what depends on an object up to date, whose tag was set or taken off."""
    if isinstance(tag.detail, TagDetail) and tag.detail.propagate in DEPENDENCY:
        for dependent in _dependents(session, source):
            _follow(session, dependent, [tag])


def after_creation(session: Context, entity: Entity) -> None:
    """Give a new view or dynamic table what goes on to it; the latter gets rows, too."""
    ways = DEPENDENCY if isinstance(entity.detail, ViewDetail) else DEPENDENCY | MOVEMENT
    _follow(session, entity, tags_that(session.account.catalog, ways))


def _follow(session: Context, entity: Entity, tags: list[Entity]) -> None:
    """Make the propagated values of an object those of its origins, and so down the line."""
    query = query_of(entity)
    if query is None or not tags:
        return
    found = origins(parse_query(query), session.account.catalog, entity.path[:2])
    for tag in tags:
        wanted = dict(_values(session.account.catalog, tag, entity, found, _names_of(entity)))
        if _settle(session.account.catalog, tag, entity, wanted):
            after_tagging(session, tag, entity)


def _settle(catalog: Catalog, tag: Entity, entity: Entity, wanted: dict[str, str]) -> bool:
    """Put these values in the place of propagated ones; tell whether anything changed."""
    held = {ref.column: ref for ref in catalog.tags_on(entity.id) if ref.tag_id == tag.id}
    changed = False
    for column, ref in held.items():
        if ref.method == PROPAGATED and column not in wanted:
            catalog.remove(ref)
            changed = True
    for column, value in wanted.items():
        changed |= _put(catalog, tag, entity, column, value, held.get(column))
    return changed


def _put(
    catalog: Catalog, tag: Entity, entity: Entity, column: str, value: str, held: TagRef | None
) -> bool:
    if held is not None and (held.method != PROPAGATED or held.value == value):
        return False
    catalog.put(TagRef(tag.id, entity.id, column, value, PROPAGATED))
    return True


def _dependents(session: Context, source: Entity) -> list[Entity]:
    return [
        entity
        for entity in session.account.catalog.within(Kind.TABLE)
        if query_of(entity) is not None
        and any(used.id == source.id for used in used_by(session, entity))
    ]


def _names_of(entity: Entity) -> list[str]:
    assert isinstance(entity.detail, (TableDetail, ViewDetail))
    return [column.name for column in entity.detail.columns]


# ---- with rows


def after_change(session: Context, statement: exp.Expr) -> None:
    """Take tags along with the rows that a statement moved, and to a view that it made."""
    catalog = session.account.catalog
    if not tags_that(catalog, DEPENDENCY | MOVEMENT):
        return
    tree = statement.copy()
    entity = _target(session, tree)
    if entity is None:
        return
    if isinstance(entity.detail, ViewDetail) and isinstance(tree, exp.Create):
        after_creation(session, entity)
        return
    moved = _moved(tree, _names_of(entity))
    if moved is None:
        return
    query, columns = moved
    found = origins(query, catalog, (session.database or "", session.schema or ""))
    for tag in tags_that(catalog, MOVEMENT):
        _arrive(session, tag, entity, found, columns)


def _arrive(
    session: Context, tag: Entity, entity: Entity, found: Origins, columns: list[str]
) -> None:
    """Add what comes with rows; a value that came before is another source."""
    catalog = session.account.catalog
    arrived = dict(_values(catalog, tag, entity, found, columns))
    held = {ref.column: ref for ref in catalog.tags_on(entity.id) if ref.tag_id == tag.id}
    changed = False
    for column, value in arrived.items():
        earlier = held.get(column)
        values = {value} | ({earlier.value} if earlier is not None else set())
        changed |= _put(catalog, tag, entity, column, _settled(tag, values), earlier)
    if changed:
        after_tagging(session, tag, entity)


def _detail(tag: Entity) -> TagDetail:
    assert isinstance(tag.detail, TagDetail)
    return tag.detail


def _target(session: Context, tree: exp.Expr) -> Entity | None:
    """Return what a statement made or filled."""
    if not isinstance(tree, (exp.Create, exp.Insert, exp.Merge, exp.Update)):
        return None
    held = tree.this.this if isinstance(tree.this, exp.Schema) else tree.this
    if not isinstance(held, exp.Table):
        return None
    found = session.account.catalog.find(Kind.TABLE, session.qualify(names.table_path(held)))
    return found if found and isinstance(found.detail, (TableDetail, ViewDetail)) else None


def _moved(tree: exp.Expr, columns: list[str]) -> tuple[exp.Query, list[str]] | None:
    """Return the query whose rows a statement moves, and the columns that they go to."""
    if isinstance(tree, (exp.Create, exp.Insert)):
        query = tree.expression
        listed = tree.this.expressions if isinstance(tree.this, exp.Schema) else []
        given = [names.stored(one) for one in listed if isinstance(one, exp.Identifier)]
        return (query, given or columns) if isinstance(query, exp.Query) else None
    if isinstance(tree, exp.Merge):
        return _assigned(tree, tree.args["using"], _in_merge(tree))
    if isinstance(tree, exp.Update) and isinstance(tree.args.get("from_"), exp.From):
        return _assigned(tree, tree.args["from_"].this, tree.expressions)
    return None


def _in_merge(tree: exp.Merge) -> list[exp.Expr]:
    """List a merge's assignments; an INSERT's columns and values are paired."""
    found: list[exp.Expr] = []
    for when in tree.args["whens"].expressions:
        then = when.args["then"]
        if isinstance(then, exp.Update):
            found += then.expressions
        elif isinstance(then, exp.Insert) and isinstance(then.expression, exp.Tuple):
            named = then.this.expressions if then.this is not None else []
            pairs = zip(named, then.expression.expressions, strict=False)
            found += [
                exp.EQ(this=column.copy(), expression=value.copy()) for column, value in pairs
            ]
    return found


def _assigned(
    tree: exp.Expr, source: exp.Expr, assignments: list[exp.Expr]
) -> tuple[exp.Query, list[str]] | None:
    """Return a query of the values assigned; the changed table is in it, as in the statement."""
    pairs = [one for one in assignments if isinstance(one, exp.EQ)]
    if not pairs:
        return None
    columns = [names.stored(_identifier(one.this)) for one in pairs]
    query = exp.select(*(one.expression.copy() for one in pairs)).from_(tree.this.copy())
    return query.join(source.copy(), join_type="cross"), columns


def _identifier(node: exp.Expr) -> exp.Expr:
    return node.this if isinstance(node, exp.Column) else node


# ---- values


def _values(
    catalog: Catalog, tag: Entity, entity: Entity, found: Origins, columns: list[str]
) -> Iterator[tuple[str, str]]:
    """Yield column ('' for the object) and value of what reaches an object."""
    if _is_paused(catalog, entity):
        return
    whole = {v for object_id in found.objects for v in _value(catalog, tag, (object_id, ""))}
    if whole:
        yield "", _settled(tag, whole)
    for column, traced in zip(columns, found.columns, strict=False):
        values = {v for one in traced for v in _value(catalog, tag, one) if one[0] != entity.id}
        if values:
            yield column, _settled(tag, values)


def _value(catalog: Catalog, tag: Entity, place: Column) -> Iterator[str]:
    held = catalog.get(TagRef, (place[0], place[1], tag.id))
    if held is not None:
        yield held.value


def _settled(tag: Entity, values: set[str]) -> str:
    """Return the one value that stands where several meet."""
    detail = _detail(tag)
    if len(values) == 1:
        return next(iter(values))
    if detail.by_sequence:
        return min(values, key=lambda v: _place(detail.allowed_values, v))
    return detail.on_conflict or _CONFLICT


def _place(allowed: tuple[str, ...], value: str) -> int:
    return allowed.index(value) if value in allowed else len(allowed)


def _is_paused(catalog: Catalog, entity: Entity) -> bool:
    """Tell whether somebody paused what goes on to an object."""
    paused = catalog.find(Kind.TAG, ("SNOWFLAKE", "CORE", PAUSED))
    return paused is not None and catalog.get(TagRef, (entity.id, "", paused.id)) is not None
