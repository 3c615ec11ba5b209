"""What a plan's objects are fed by, and what they feed: views, dynamic tables, streams, tasks.

Room: embedded. What a task's procedure reads is not known: its text is not followed.
Source: Snowflake manual, "Data lineage", "OBJECT_DEPENDENCIES view".
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from skills_nb.embedded.binder.dependencies import query_of
from skills_nb.embedded.catalog.entities import Entity, Kind, TableDetail
from skills_nb.embedded.catalog.pipeline_details import StreamDetail, TaskDetail
from skills_nb.embedded.parser.parsing import parse_statement
from skills_nb.embedded.types import names
from skills_nb.errors import SqlError, UsageError
from skills_nb.sql.identifiers import render_name, split_name

if TYPE_CHECKING:
    from skills_nb.embedded.catalog.catalog import Catalog
    from skills_nb.ports import CatalogDifference

_MOST_NODES, _UPSTREAM = 30, 2
_KINDS = frozenset({"table", "view", "materialized_view", "dynamic_table", "stream", "task"})
_ASKS_STREAM = re.compile(r"SYSTEM\$STREAM_HAS_DATA\s*\(\s*'((?:[^']|'')+)'", re.IGNORECASE)
Path = tuple[str, ...]


def lineage(before: Catalog, after: Catalog, difference: CatalogDifference) -> dict[str, Any]:
    """Return the graph around what a plan touches; empty where nothing rests on any of it.

    Returns:
        `{nodes: [{name, type, fate}], edges: [[from, to]], more}` with places in `nodes`; the fate
        is `created`, `changed`, `dropped` or empty.
    """
    fates = _fates(difference)
    edges = set(_edges(before)) | set(_edges(after))
    kinds = {**_kinds(before), **_kinds(after)}
    touched = [path for path in fates if path in kinds]
    near, more = _near(touched, edges)
    order = {path: number for number, path in enumerate(near)}
    shown = sorted([order[one], order[other]] for one, other in edges if {one, other} <= set(near))
    if not shown:
        return {}
    nodes = [
        {"name": render_name(path), "type": kinds.get(path, "table"), "fate": fates.get(path, "")}
        for path in near
    ]
    return {"nodes": nodes, "edges": shown, **({"more": more} if more else {})}


def _fates(difference: CatalogDifference) -> dict[Path, str]:
    found: dict[Path, str] = {}
    parts = (
        ("created", difference.created),
        ("changed", difference.modified),
        ("dropped", difference.dropped),
    )
    for fate, objects in parts:
        for one in objects:
            path = _path_of(one)
            if path is not None:
                found.setdefault(path, fate)
    return found


def _path_of(one: Mapping[str, Any]) -> Path | None:
    """Return the object's path; of a column that of its table."""
    if one["type"] not in _KINDS | {"column"}:
        return None
    try:
        path = tuple(split_name(str(one["fqn"])))
    except UsageError:
        return None
    return path[:3] if len(path) >= 3 else None


def _kinds(catalog: Catalog) -> dict[Path, str]:
    return {one.path: _kind_of(one) for one in _related(catalog)}


def _related(catalog: Catalog) -> Iterator[Entity]:
    for kind in (Kind.TABLE, Kind.STREAM, Kind.TASK):
        yield from (one for one in catalog.within(kind) if one.dropped_on is None)


def _kind_of(entity: Entity) -> str:
    detail = entity.detail
    if isinstance(detail, StreamDetail):
        return "stream"
    if isinstance(detail, TaskDetail):
        return "task"
    if not isinstance(detail, TableDetail):
        return "view"
    return "dynamic table" if detail.dynamic is not None else "table"


def _edges(catalog: Catalog) -> Iterator[tuple[Path, Path]]:
    """Yield (what feeds, what is fed)."""
    for one in _related(catalog):
        detail = one.detail
        if isinstance(detail, StreamDetail):
            source = catalog.by_id(detail.source_id)
            if source is not None:
                yield source.path, one.path
        elif isinstance(detail, TaskDetail):
            yield from _of_task(catalog, one, detail)
        elif (query := query_of(one)) is not None:
            for _, found in _named(catalog, query, one.path[:2]):
                yield found, one.path


def _of_task(catalog: Catalog, task: Entity, detail: TaskDetail) -> Iterator[tuple[Path, Path]]:
    for number in detail.after:
        before = catalog.by_id(number)
        if before is not None:
            yield before.path, task.path
    for said in _ASKS_STREAM.findall(detail.when):
        stream = _found(catalog, _split(said), task.path[:2])
        if stream is not None:
            yield stream, task.path
    for is_written, path in _named(catalog, detail.body, task.path[:2]):
        yield (task.path, path) if is_written else (path, task.path)


def _named(catalog: Catalog, text: str, schema: Path) -> Iterator[tuple[bool, Path]]:
    """Yield (whether it is written, path) of the tables, views and streams that a text names."""
    try:
        tree = parse_statement(text)
    except SqlError:
        return
    own = {cte.alias.upper() for cte in tree.find_all(exp.CTE)}
    target = (
        tree.this if isinstance(tree, exp.Insert | exp.Merge | exp.Update | exp.Delete) else None
    )
    written = target.find(exp.Table) if isinstance(target, exp.Expression) else None
    for table in tree.find_all(exp.Table):
        if not isinstance(table.this, exp.Identifier):
            continue
        path = names.table_path(table)
        if len(path) == 1 and path[0] in own:
            continue
        found = _found(catalog, path, schema)
        if found is not None:
            yield table is written, found


def _split(text: str) -> Path:
    try:
        return tuple(split_name(text.replace("''", "'")))
    except UsageError:
        return ()


def _found(catalog: Catalog, path: Path, schema: Path) -> Path | None:
    if not path or len(path) > 3:
        return None
    full = (*schema[: 3 - len(path)], *path)
    is_there = any(catalog.find(kind, full) is not None for kind in (Kind.TABLE, Kind.STREAM))
    return full if is_there else None


def _near(touched: Iterable[Path], edges: set[tuple[Path, Path]]) -> tuple[list[Path], int]:
    """Return what is touched, all that it feeds and what feeds it from near; and how many more."""
    feeds, fed_by = _by(edges), _by((other, one) for one, other in edges)
    begun = [path for path in touched if path in feeds or path in fed_by]
    down = _walk(begun, feeds, None)
    up = _walk(begun, fed_by, _UPSTREAM)
    found = list(dict.fromkeys([*begun, *down, *up]))
    return found[:_MOST_NODES], max(len(found) - _MOST_NODES, 0)


def _by(edges: Iterable[tuple[Path, Path]]) -> dict[Path, list[Path]]:
    found: dict[Path, list[Path]] = {}
    for one, other in sorted(edges):
        found.setdefault(one, []).append(other)
    return found


def _walk(begun: Iterable[Path], leads: Mapping[Path, list[Path]], depth: int | None) -> list[Path]:
    found: dict[Path, None] = {}
    pending = deque((path, 0) for path in begun)
    met = {path for path, _ in pending}
    while pending:
        path, far = pending.popleft()
        for other in leads.get(path, ()) if depth is None or far < depth else ():
            if other not in met:
                met.add(other)
                found[other] = None
                pending.append((other, far + 1))
    return list(found)
