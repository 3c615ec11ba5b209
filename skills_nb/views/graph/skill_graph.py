"""Skills as nodes, what leads to what as edges, by domain.

Room: laws (views).
Spec: Architecture > The Skill DAG.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from skills_nb.model.library import Library

ENTRY = "router.md"
"""Ref of the meta-router, the one node that nothing leads to."""
NodeKind = Literal["meta-router", "router", "playbook", "primitive"]
_KINDS: Mapping[str, NodeKind] = {
    "routers": "router",
    "playbooks": "playbook",
    "primitives": "primitive",
}


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A skill."""

    ref: str
    """As `playbooks/x`; `router.md` for the meta-router."""
    kind: NodeKind
    """Which of the four kinds of skills it is."""
    name: str
    """Without its folder."""
    domain: str
    """Empty for the meta-router."""


@dataclass(frozen=True, slots=True)
class DomainBand:
    """A domain with what it needs of others."""

    name: str
    """The domain's."""
    description: str = ""
    """As the meta-router has it; empty where it does not declare the domain."""
    needs: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """(resource, domains that produce it)."""
    gives: tuple[str, ...] = ()
    """Resources that it produces."""


@dataclass(frozen=True, slots=True)
class LibraryGraph:
    """A library's skills and edges."""

    version: str
    """The library's."""
    nodes: tuple[GraphNode, ...]
    """The meta-router, then the skills in the order of the index."""
    edges: tuple[tuple[str, str], ...]
    """(from, to) as refs; only between nodes that are there."""
    bands: tuple[DomainBand, ...]
    """Declared domains in the meta-router's order, then domains that skills name alone."""
    lost: frozenset[str] = frozenset()
    """Refs that nothing in the library leads to, whatever part of it is here."""
    narrowed: str = ""
    """What it was narrowed to, in words; empty where the whole library is here."""

    def of(self, domain: str, kind: NodeKind) -> tuple[GraphNode, ...]:
        """Return a domain's nodes of one kind."""
        return tuple(n for n in self.nodes if n.domain == domain and n.kind == kind)

    def targets(self, ref: str) -> tuple[str, ...]:
        """Return what a skill leads to or builds on."""
        return tuple(target for source, target in self.edges if source == ref)

    def sources(self, ref: str) -> tuple[str, ...]:
        """Return what leads to a skill or builds on it."""
        return tuple(source for source, target in self.edges if target == ref)


def library_graph(library: Library) -> LibraryGraph:
    """Return the graph of a library's index; no skill's body is read."""
    entries = tuple(library.index.values())
    nodes = (
        GraphNode(ENTRY, "meta-router", library.meta.name, ""),
        *(GraphNode(e.ref, _KINDS[e.kind], e.name, e.domain) for e in entries),
    )
    there = {node.ref for node in nodes}
    edges = [(ENTRY, domain.router) for domain in library.meta.domains.values()]
    for entry in entries:
        prefix = "primitives/" if entry.kind == "playbooks" else ""
        edges += [(entry.ref, f"{prefix}{link}") for link in entry.links]
    known = tuple(dict.fromkeys(edge for edge in edges if there.issuperset(edge)))
    lost = there - {target for _, target in known} - {ENTRY}
    return LibraryGraph(library.version, nodes, known, _bands(library), frozenset(lost))


def narrow_graph(graph: LibraryGraph, domain: str = "", words: str = "") -> LibraryGraph:
    """Return the skills of a domain that hold every one of the words, with their neighbours.

    Args:
        graph: the whole graph.
        domain: whose skills; empty: of every domain.
        words: what has to stand in a skill's ref or its domain, in any case and order.
    """
    asked = words.casefold().split()
    if not domain and not asked:
        return graph
    found = {node.ref for node in graph.nodes if _is_asked_for(node, domain, asked)}
    edges = tuple(edge for edge in graph.edges if not found.isdisjoint(edge))
    near = found.union({ENTRY}, *edges)
    nodes = tuple(node for node in graph.nodes if node.ref in near)
    domains = {node.domain for node in nodes}
    skills = sum(node.kind != "meta-router" for node in nodes)
    said = [f"domain {domain}"] if domain else []
    said += [f"“{' '.join(words.split())}”"] if asked else []
    return replace(
        graph,
        nodes=nodes,
        edges=tuple(edge for edge in graph.edges if near.issuperset(edge)),
        bands=tuple(band for band in graph.bands if band.name in domains),
        narrowed=f"{' with '.join(said)}: {len(found)} found, {skills} with their neighbours",
    )


def _is_asked_for(node: GraphNode, domain: str, words: list[str]) -> bool:
    if node.kind == "meta-router" or (domain and node.domain != domain):
        return False
    text = f"{node.ref} {node.domain}".casefold()
    return all(word in text for word in words)


def _bands(library: Library) -> tuple[DomainBand, ...]:
    domains = library.meta.domains
    makers: dict[str, list[str]] = {}
    for name, domain in domains.items():
        for resource in domain.produces:
            makers.setdefault(resource, []).append(name)
    declared = [
        DomainBand(
            name,
            domain.description,
            tuple((each, tuple(makers.get(each, ()))) for each in domain.requires),
            domain.produces,
        )
        for name, domain in domains.items()
    ]
    others = dict.fromkeys(e.domain for e in library.index.values() if e.domain not in domains)
    return (*declared, *(DomainBand(name) for name in others))
