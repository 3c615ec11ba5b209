"""What a plan's objects are fed by, and what they feed: views, dynamic tables, streams, tasks.

Room: embedded. What a task's procedure reads is not known: its text is not followed.
Source: Snowflake manual, "Data lineage", "OBJECT_DEPENDENCIES view".
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from skills_nb.embedded.binder.dependencies import named_in, query_of
from skills_nb.embedded.catalog.entities import Entity, Kind, TableDetail
from skills_nb.embedded.catalog.pipeline_details import StreamDetail, TaskDetail
from skills_nb.embedded.parser.parsing import parse_statement
from skills_nb.errors import SqlError, UsageError
from skills_nb.sql.identifiers import render_name, split_name

if TYPE_CHECKING:
    from skills_nb.embedded.catalog.catalog import Catalog
    from skills_nb.ports import CatalogDifference

_MOST_NODES, _MOST_FOLLOWED, _UPSTREAM = 30, 200, 2
_KINDS = frozenset({"table", "view", "materialized_view", "dynamic_table", "stream", "task"})
_ASKS_STREAM = re.compile(r"SYSTEM\$STREAM_HAS_DATA\s*\(\s*'((?:[^']|'')+)'", re.IGNORECASE)
Path = tuple[str, ...]
Edge = tuple[Path, Path]
"""(what feeds, what is fed)."""


def lineage(before: Catalog, after: Catalog, difference: CatalogDifference) -> dict[str, Any]:
    """Return the graph around what a plan touches; empty where nothing rests on any of it.

    Returns:
        `{nodes: [{name, type, fate}], edges: [[from, to]], more}` with places in `nodes`; the fate
        is `created`, `changed`, `dropped` or empty.
    """
    fates = _fates(difference)
    if not fates:
        return {}
    graphs = (_Graph(before), _Graph(after))
    kinds = graphs[0].kinds | graphs[1].kinds
    near, edges = _near([path for path in fates if path in kinds], graphs)
    shown = near[:_MOST_NODES]
    order = {path: number for number, path in enumerate(shown)}
    drawn = sorted([order[one], order[other]] for one, other in edges if {one, other} <= set(shown))
    if not drawn:
        return {}
    nodes = [
        {"name": render_name(path), "type": kinds.get(path, "table"), "fate": fates.get(path, "")}
        for path in shown
    ]
    more = len(near) - len(shown)
    return {"nodes": nodes, "edges": drawn, **({"more": more} if more else {})}


class _Graph:
    """What feeds what in one catalog; a text is parsed when a name in it is asked for."""

    def __init__(self, catalog: Catalog) -> None:
        related = list(_related(catalog))
        self.kinds = {one.path: _kind_of(one) for one in related}
        self._catalog = catalog
        self._by_path = {one.path: one for one in related}
        self._texts = [(one, text.upper()) for one in related if (text := _text_of(one))]
        self._linked: dict[Path, list[Entity]] = {}
        for one in related:
            for source in _sources(catalog, one):
                self._linked.setdefault(source, []).append(one)
        self._known: dict[Path, frozenset[Edge]] = {}

    def at(self, path: Path) -> set[Edge]:
        """Return (what feeds, what is fed) of which an object is one end."""
        own = self._by_path.get(path)
        last = path[-1].replace('"', '""').upper()
        asked = [one for one, text in self._texts if last in text]
        asked += [*self._linked.get(path, ()), *([own] if own is not None else ())]
        return {edge for one in asked for edge in self._of(one) if path in edge}

    def _of(self, one: Entity) -> frozenset[Edge]:
        if one.path not in self._known:
            self._known[one.path] = frozenset(_edges_of(self._catalog, one))
        return self._known[one.path]


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


def _text_of(entity: Entity) -> str:
    detail = entity.detail
    return (
        f"{detail.body} {detail.when}" if isinstance(detail, TaskDetail) else query_of(entity) or ""
    )


def _sources(catalog: Catalog, entity: Entity) -> list[Path]:
    """Return what an object follows by its number, not by a name in its text."""
    detail = entity.detail
    numbers: tuple[int, ...] = ()
    if isinstance(detail, StreamDetail):
        numbers = (detail.source_id,)
    elif isinstance(detail, TaskDetail):
        numbers = detail.after
    found = (catalog.by_id(number) for number in numbers)
    return [one.path for one in found if one is not None]


def _edges_of(catalog: Catalog, one: Entity) -> Iterator[Edge]:
    """Yield (what feeds, what is fed) as one object's own definition tells."""
    for source in _sources(catalog, one):
        yield source, one.path
    detail = one.detail
    if isinstance(detail, TaskDetail):
        yield from _of_task(catalog, one, detail)
    elif (query := query_of(one)) is not None:
        for _, found in _named(catalog, query, one.path[:2]):
            yield found, one.path


def _of_task(catalog: Catalog, task: Entity, detail: TaskDetail) -> Iterator[Edge]:
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
    target = (
        tree.this if isinstance(tree, exp.Insert | exp.Merge | exp.Update | exp.Delete) else None
    )
    written = target.find(exp.Table) if isinstance(target, exp.Expression) else None
    for table, path in named_in(tree):
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


def _near(touched: Sequence[Path], graphs: Sequence[_Graph]) -> tuple[list[Path], set[Edge]]:
    """Return what is touched, all that it feeds and what feeds it from near; and their edges."""
    edges: set[Edge] = set()
    known: dict[Path, set[Edge]] = {}

    def at(path: Path) -> set[Edge]:
        if path not in known:
            known[path] = {edge for graph in graphs for edge in graph.at(path)}
            edges.update(known[path])
        return known[path]

    begun = [path for path in touched if at(path)]
    down = _walk(begun, lambda path: [other for one, other in at(path) if one == path], None)
    up = _walk(begun, lambda path: [one for one, other in at(path) if other == path], _UPSTREAM)
    return list(dict.fromkeys([*begun, *down, *up])), edges


def _walk(
    begun: Iterable[Path], leads: Callable[[Path], list[Path]], depth: int | None
) -> list[Path]:
    found: dict[Path, None] = {}
    pending = deque((path, 0) for path in begun)
    met = {path for path, _ in pending}
    while pending:
        path, far = pending.popleft()
        if len(found) > _MOST_FOLLOWED or (depth is not None and far >= depth):
            continue
        for other in sorted(leads(path)):
            if other not in met:
                met.add(other)
                found[other] = None
                pending.append((other, far + 1))
    return list(found)
