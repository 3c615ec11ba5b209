"""The graph as a view: a picture where pictures are shown, an outline everywhere.

Room: laws (views).
"""

from __future__ import annotations

from dataclasses import dataclass

from skills_nb.views.graph.outline import heading, to_outline
from skills_nb.views.graph.skill_graph import LibraryGraph
from skills_nb.views.graph.svg import to_svg
from skills_nb.views.sheets import blocks as b


@dataclass(frozen=True, slots=True)
class GraphPicture:
    """A library's graph, to be looked at."""

    graph: LibraryGraph


def graph_picture(graph: LibraryGraph) -> GraphPicture:
    """Return the view of a graph."""
    return GraphPicture(graph)


def lay_out_picture(view: GraphPicture) -> b.Sheet:
    """Return the blocks: the picture, and beneath it the same in words."""
    # Drawn only when shown: a route card must not pay for a layout.

    outline = to_outline(view.graph).partition("\n")[2].strip("\n")
    words = b.Fold("In words", (b.Verbatim(outline),), in_text=True)
    return b.Sheet(heading(view.graph), tone="info", blocks=(b.Picture(to_svg(view.graph)), words))
