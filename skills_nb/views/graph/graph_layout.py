"""Where every node and line of the picture stands.

Room: laws (views). A band a domain, from top to bottom; in it, from left to right, the router, its
playbooks, and a grid of primitives. Lines run in the lanes between columns and the gaps between
rows, so that none crosses a name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from skills_nb.views.graph.skill_graph import ENTRY, DomainBand, GraphNode, LibraryGraph

MARGIN, TRUNK, LANE = 16, 28, 6
NODE, ROW, HEAD, TOP = 22, 34, 52, 84
"""Heights: a node, a row of nodes, a band's heading, what stands above the first band."""
LETTER = 7.0
"""Widest average width of a letter at the size that names have."""
GRID = 3
"""Columns of primitives."""
LANES = 8


@dataclass(frozen=True, slots=True)
class Box:
    """A node in its place."""

    node: GraphNode
    """The skill that it shows."""
    x: float
    """Its left edge, in pixels."""
    y: float
    """Its upper edge, in pixels."""
    width: float
    """In pixels; every box is as high."""

    @property
    def middle(self) -> float:
        """Return the height of its middle."""
        return self.y + NODE / 2


@dataclass(frozen=True, slots=True)
class Line:
    """An edge as points between which it runs straight."""

    source: str
    """The ref that leads."""
    target: str
    """The ref that it leads to."""
    points: tuple[tuple[float, float], ...]
    """(x, y) in pixels, from its beginning to its end."""
    lane: int = 0
    """Which of the lanes it uses: lines of different playbooks look different."""


@dataclass(frozen=True, slots=True)
class BandBox:
    """A band in its place."""

    band: DomainBand
    """The domain that it shows."""
    y: float
    """Its upper edge, in pixels."""
    height: float
    """In pixels; every band is as wide as the picture."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The whole picture."""

    width: float
    """In pixels."""
    height: float
    """In pixels."""
    bands: tuple[BandBox, ...]
    """From top to bottom."""
    boxes: tuple[Box, ...]
    """One for each skill."""
    lines: tuple[Line, ...]
    """One for each edge."""


@dataclass(frozen=True, slots=True)
class _Columns:
    routers: float
    playbooks: float
    primitives: float
    router_width: float
    playbook_width: float
    primitive_width: float

    @property
    def right(self) -> float:
        return self.primitives + GRID * (self.primitive_width + LANE * 2)


def lay_out_graph(graph: LibraryGraph) -> Layout:
    """Return the places of everything."""
    columns = _columns(graph)
    bands: list[BandBox] = []
    boxes = [Box(graph.nodes[0], MARGIN, TOP - NODE - 14, _width([graph.nodes[0]]))]
    y = float(TOP)
    for band in graph.bands:
        inside = list(_in_band(graph, band.name, columns, y + HEAD))
        rows = max((box.y for box in inside), default=y + HEAD - ROW) + ROW - y
        bands.append(BandBox(band, y, rows + 6))
        boxes += inside
        y += rows + 6 + 10
    lines = tuple(_lines(graph, {box.node.ref: box for box in boxes}, columns))
    return Layout(columns.right + MARGIN, y + MARGIN, tuple(bands), tuple(boxes), lines)


def _width(nodes: Sequence[GraphNode]) -> float:
    return max((len(node.name) for node in nodes), default=8) * LETTER + 18


def _columns(graph: LibraryGraph) -> _Columns:
    by_kind = {
        kind: _width([n for n in graph.nodes if n.kind == kind])
        for kind in ("router", "playbook", "primitive")
    }
    routers = MARGIN + TRUNK
    playbooks = routers + by_kind["router"] + 3 * LANE + 12
    primitives = playbooks + by_kind["playbook"] + LANES * LANE + 24
    return _Columns(
        routers,
        playbooks,
        primitives,
        by_kind["router"],
        by_kind["playbook"],
        by_kind["primitive"],
    )


def _in_band(graph: LibraryGraph, domain: str, columns: _Columns, y: float) -> Iterator[Box]:
    for number, node in enumerate(graph.of(domain, "router")):
        yield Box(node, columns.routers, y + number * ROW, columns.router_width)
    for number, node in enumerate(graph.of(domain, "playbook")):
        yield Box(node, columns.playbooks, y + number * ROW, columns.playbook_width)
    for number, node in enumerate(graph.of(domain, "primitive")):
        row, column = divmod(number, GRID)
        x = columns.primitives + column * (columns.primitive_width + LANE * 2)
        yield Box(node, x, y + row * ROW, columns.primitive_width)


def _lines(graph: LibraryGraph, boxes: dict[str, Box], columns: _Columns) -> Iterator[Line]:
    books = [node.ref for node in graph.nodes if node.kind == "playbook"]
    for source, target in graph.edges:
        begin, end = boxes[source], boxes[target]
        if source == ENTRY:
            x = begin.x + TRUNK / 2 - 4
            yield Line(source, target, ((x, begin.y + NODE), (x, end.middle), (end.x, end.middle)))
        elif end.node.kind == "playbook":
            yield Line(source, target, _across(begin, end, columns.playbooks - 2 * LANE))
        elif source in books:
            lane = books.index(source) % LANES
            x = columns.primitives - 18 - lane * LANE
            yield Line(source, target, _into_grid(begin, end, x, lane), lane)
        elif end.node.domain != begin.node.domain:
            yield Line(source, target, _into_grid(begin, end, columns.playbooks - LANE))


def _across(begin: Box, end: Box, x: float) -> tuple[tuple[float, float], ...]:
    right = begin.x + begin.width
    return ((right, begin.middle), (x, begin.middle), (x, end.middle), (end.x, end.middle))


def _into_grid(begin: Box, end: Box, x: float, lane: int = 0) -> tuple[tuple[float, float], ...]:
    """Go down a lane, then above the target's row, and into it from above on its left."""
    right, gap, inside = begin.x + begin.width, end.y - 3 - lane % 4 * 2, end.x + 10 + lane * 4
    return ((right, begin.middle), (x, begin.middle), (x, gap), (inside, gap), (inside, end.y))
