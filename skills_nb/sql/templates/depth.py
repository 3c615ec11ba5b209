"""Depth: a template's tree is gone through by functions that call themselves.

Room: sql.
"""

from __future__ import annotations

from jinja2 import nodes

_DEEPEST = 120
"""Levels; nobody writes thirty, and each takes some of the stack of whoever goes through it."""


def shallow(tree: nodes.Template) -> nodes.Template:
    """Return a tree that can be gone through.

    Raises:
        RecursionError: it is nested too deeply.
    """
    level: list[nodes.Node] = [tree]
    for _ in range(_DEEPEST):
        level = [child for node in level for child in node.iter_child_nodes()]
        if not level:
            return tree
    raise RecursionError(f"more than {_DEEPEST} levels")
