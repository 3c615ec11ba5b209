"""Cycles in small directed graphs.

Room: lint.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence


def find_cycles(edges: Mapping[str, Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """Return one shortest cycle per group of nodes that lead to each other, by first node.

    Each begins at the smallest node of its group.
    """
    cycles = []
    for group in _groups(edges):
        first = min(group)
        inside = {node: [each for each in edges.get(node, ()) if each in group] for node in group}
        if len(group) > 1 or first in inside[first]:
            cycles.append(_shortest(first, inside))
    return tuple(sorted(cycles))


def _shortest(first: str, edges: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    paths: list[tuple[str, ...]] = [(first,)]
    seen: set[str] = set()
    for path in paths:
        for target in edges[path[-1]]:
            if target == first:
                return path
            if target not in seen:
                seen.add(target)
                paths.append((*path, target))
    raise AssertionError(f"'{first}' is in a group of nodes that lead to each other")


def _groups(edges: Mapping[str, Sequence[str]]) -> Iterator[frozenset[str]]:
    """Yield the strongly connected groups. Source: Kosaraju's algorithm, without recursion."""
    order: list[str] = []
    seen: set[str] = set()
    for start in edges:
        order += _after(start, edges, seen)
    backwards: dict[str, list[str]] = {}
    for node, targets in edges.items():
        for target in targets:
            backwards.setdefault(target, []).append(node)
    taken: set[str] = set()
    for node in reversed(order):
        group = _after(node, backwards, taken)
        if group:
            yield frozenset(group)


def _after(start: str, edges: Mapping[str, Sequence[str]], seen: set[str]) -> list[str]:
    """Return the unseen nodes from a start, each after all that it leads to."""
    if start in seen:
        return []
    seen.add(start)
    done: list[str] = []
    stack = [(start, iter(edges.get(start, ())))]
    while stack:
        node, targets = stack[-1]
        target = next((each for each in targets if each not in seen), None)
        if target is None:
            done.append(node)
            stack.pop()
        else:
            seen.add(target)
            stack.append((target, iter(edges.get(target, ()))))
    return done
