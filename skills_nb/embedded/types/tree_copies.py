"""Copies of trees, which are made several times for every statement.

Room: embedded. Pure. sqlglot's own copy also copies what it keeps beside each node (where it stood
in the text, its type), which costs several times as much as the nodes and which nobody changes.
"""

from __future__ import annotations

from typing import Any, TypeVar

from sqlglot import exp

Tree = TypeVar("Tree", bound=exp.Expr)


def copied(tree: Tree) -> Tree:
    """Return a copy without a parent; what is kept beside the nodes is the same in both."""
    made = _bare(tree, None, None, None)
    pending: list[tuple[exp.Expr, exp.Expr]] = [(tree, made)]
    while pending:
        node, copy = pending.pop()
        args = copy.args
        for key, value in node.args.items():
            if isinstance(value, exp.Expr):
                args[key] = below = _bare(value, copy, key, None)
                pending.append((value, below))
            elif type(value) is list:
                args[key] = _listed(value, copy, key, pending)
            else:
                args[key] = value
    return made


def placeable(tree: Tree) -> Tree:
    """Return a tree that may be put into another: itself where it stands in none, else a copy."""
    return tree if tree.parent is None else copied(tree)


def _listed(
    values: list[Any], copy: exp.Expr, key: str, pending: list[tuple[exp.Expr, exp.Expr]]
) -> list[Any]:
    made = []
    for number, each in enumerate(values):
        if isinstance(each, exp.Expr):
            below = _bare(each, copy, key, number)
            pending.append((each, below))
            made.append(below)
        else:
            made.append(each)
    return made


def _bare(node: Tree, parent: exp.Expr | None, key: str | None, index: int | None) -> Tree:
    """Return a node of the same kind in its place, with nothing below it.

    Set field by field: what a node's own constructor, `set` and `append` look after (children that
    get a parent, hashes above that no longer hold) does not concern a node that is new.
    """
    kind = node.__class__
    made = kind.__new__(kind)
    made.args = {}
    made.parent, made.arg_key, made.index = parent, key, index
    made._type, made._hash = node._type, None
    made._meta = dict(node._meta) if node._meta else None
    made.comments = list(node.comments) if node.comments is not None else None
    return made
