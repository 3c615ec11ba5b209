"""The graph as Mermaid text, for a README or a pull request.

Room: laws (views).
Source: https://mermaid.js.org/syntax/flowchart.html
"""

from __future__ import annotations

from collections.abc import Iterator

from skills_nb.views.graph.skill_graph import GraphNode, LibraryGraph
from skills_nb.visible import visible

_SHAPES = {
    "meta-router": ("{{", "}}"),
    "router": ("{", "}"),
    "playbook": ("[[", "]]"),
    "primitive": ("(", ")"),
}
"""Brackets of a kind's shape; told apart without colour."""


def to_mermaid(graph: LibraryGraph) -> str:
    """Return a Mermaid flowchart, one subgraph a domain."""
    ids = {node.ref: f"n{number}" for number, node in enumerate(graph.nodes)}
    lines = ["flowchart LR", f"  {_node(graph.nodes[0], ids)}"]
    for number, band in enumerate(graph.bands):
        lines.append(f'  subgraph d{number}["{_escaped(band.name or "no domain")}"]')
        lines += [f"    {_node(n, ids)}" for n in graph.nodes[1:] if n.domain == band.name]
        lines.append("  end")
    lines += _edges(graph, ids)
    return "\n".join(lines) + "\n"


def _node(node: GraphNode, ids: dict[str, str]) -> str:
    begin, end = _SHAPES[node.kind]
    return f'{ids[node.ref]}{begin}"{_escaped(node.name)}"{end}'


def _edges(graph: LibraryGraph, ids: dict[str, str]) -> Iterator[str]:
    for source, target in graph.edges:
        arrow = "-.->" if source.startswith("playbooks/") else "-->"
        yield f"  {ids[source]} {arrow} {ids[target]}"


def _escaped(text: str) -> str:
    """Return text inside a quoted label: Mermaid reads entities there."""
    return visible(text).replace("#", "#35;").replace('"', "#quot;").replace("<", "#lt;")
