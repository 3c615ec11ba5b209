"""The library as a graph: text, Mermaid, and a picture drawn by ourselves.

Room: laws (views). Pure: the same library is the same text, letter by letter.
"""

from skills_nb.views.graph.mermaid import to_mermaid
from skills_nb.views.graph.outline import to_outline
from skills_nb.views.graph.picture import GraphPicture, graph_picture
from skills_nb.views.graph.skill_graph import GraphNode, LibraryGraph, library_graph, narrow_graph
from skills_nb.views.graph.svg import to_svg

__all__ = [
    "GraphNode",
    "GraphPicture",
    "LibraryGraph",
    "graph_picture",
    "library_graph",
    "narrow_graph",
    "to_mermaid",
    "to_outline",
    "to_svg",
]
