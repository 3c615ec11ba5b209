"""Cycles: what is found agrees with networkx."""

from __future__ import annotations

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from skills_nb.model.graphs import find_cycles

EDGES = st.dictionaries(
    st.sampled_from("abcdefg"), st.lists(st.sampled_from("abcdefg"), max_size=4, unique=True)
)


def test_one_shortest_cycle_per_group_beginning_at_its_smallest_node():
    edges = {"c": ["a"], "a": ["b", "d"], "b": ["c"], "d": ["c"], "x": ["x"], "y": ["a"]}
    assert find_cycles(edges) == (("a", "b", "c"), ("x",))


def test_a_graph_without_cycles_has_none():
    assert find_cycles({"a": ["b", "c"], "b": ["c"], "c": []}) == ()


def test_a_long_chain_does_not_recurse():
    assert find_cycles({str(n): [str(n + 1)] for n in range(20_000)}) == ()


@given(EDGES)
def test_groups_are_those_of_networkx_and_cycles_are_paths(edges):
    graph = nx.DiGraph([(node, target) for node, targets in edges.items() for target in targets])
    groups = {
        min(group)
        for group in nx.strongly_connected_components(graph)
        if len(group) > 1 or graph.has_edge(min(group), min(group))
    }
    cycles = find_cycles(edges)
    assert {cycle[0] for cycle in cycles} == groups
    for cycle in cycles:
        steps = zip(cycle, (*cycle[1:], cycle[0]), strict=True)
        assert all(graph.has_edge(*step) for step in steps)
