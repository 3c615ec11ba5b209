"""The graph as an outline in plain text.

Room: laws (views).
"""

from __future__ import annotations

from collections.abc import Iterator

from skills_nb.views.graph.skill_graph import DomainBand, LibraryGraph
from skills_nb.visible import visible


def to_outline(graph: LibraryGraph) -> str:
    """Return the graph as text: domains, their routers, what those lead to."""
    lines = [heading(graph)]
    for band in graph.bands:
        lines += ["", *_domain(graph, band)]
    return "\n".join(map(visible, lines))


def heading(graph: LibraryGraph) -> str:
    """Return what is counted: version, skills, domains."""
    skills = len(graph.nodes) - 1
    if graph.narrowed:
        return f"Library {graph.version}, {graph.narrowed}"
    return f"Library {graph.version}: {skills} skills in {len(graph.bands)} domains"


def _domain(graph: LibraryGraph, band: DomainBand) -> Iterator[str]:
    yield band.name or "(no domain)"
    if said := terms(band):
        yield f"  {said}"
    for router in graph.of(band.name, "router"):
        yield f"  {router.ref}{_lost(graph, router.ref)}"
    for book in graph.of(band.name, "playbook"):
        yield f"    {book.ref}{_lost(graph, book.ref)}"
        for target in graph.targets(book.ref):
            yield f"      {target}"
    for primitive in graph.of(band.name, "primitive"):
        yield f"    {primitive.ref}{_lost(graph, primitive.ref)}"


def terms(band: DomainBand) -> str:
    """Return what a domain needs of others and gives them, in words."""
    needs = [
        f"{resource} from {' or '.join(makers)}" if makers else f"{resource}, which nothing gives"
        for resource, makers in band.needs
    ]
    parts = [f"needs {', '.join(needs)}"] if needs else []
    parts += [f"gives {', '.join(band.gives)}"] if band.gives else []
    return " · ".join(parts)


def _lost(graph: LibraryGraph, ref: str) -> str:
    return "  (nothing leads here)" if ref in graph.lost else ""
