"""Questions about small directed graphs: the skill DAG, and the domains that need each other.

Room: ground. networkx loads for the first graph that has a cycle; a sound library never needs it.
Spec: Architecture > The Skill DAG; Skill constraint 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from graphlib import CycleError, TopologicalSorter


def find_cycles(edges: Mapping[str, Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """Return one shortest cycle per group of nodes that lead to each other, by first node.

    Each begins at the smallest node of its group.
    """
    if not _has_cycle(edges):
        return ()
    import networkx as nx

    graph = nx.DiGraph((node, target) for node, targets in edges.items() for target in targets)
    cycles = []
    for group in nx.strongly_connected_components(graph):
        first = min(group)
        inside = graph.subgraph(group)
        back = sorted(inside.successors(first))
        paths = [nx.shortest_path(inside, target, first) for target in back]
        if paths:
            shortest = min(paths, key=len)
            cycles.append((first, *shortest[:-1]))
    return tuple(sorted(cycles))


def _has_cycle(edges: Mapping[str, Sequence[str]]) -> bool:
    try:
        TopologicalSorter(edges).prepare()
    except CycleError:
        return True
    return False
