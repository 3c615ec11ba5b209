"""Copies of trees, which are made several times for every statement.

Room: embedded. Pure. sqlglot's own copy also copies what it keeps beside each node (where it stood
in the text, its type), which costs several times as much as the nodes and which nobody changes.
"""

from __future__ import annotations

from typing import TypeVar

from sqlglot import exp

Tree = TypeVar("Tree", bound=exp.Expr)


def copied(tree: Tree) -> Tree:
    """Return a copy without a parent; what is kept beside the nodes is the same in both."""
    made = _bare(tree)
    pending: list[tuple[exp.Expr, exp.Expr]] = [(tree, made)]
    while pending:
        node, copy = pending.pop()
        for key, value in node.args.items():
            if isinstance(value, exp.Expr):
                below = _bare(value)
                copy.set(key, below)
                pending.append((value, below))
            elif type(value) is list:
                copy.args[key] = []
                for each in value:
                    below = _bare(each) if isinstance(each, exp.Expr) else each
                    copy.append(key, below)
                    if isinstance(each, exp.Expr):
                        pending.append((each, below))
            else:
                copy.args[key] = value
    return made


def _bare(node: Tree) -> Tree:
    """Return a node of the same kind with nothing below it."""
    made = node.__class__()
    made._type = node._type
    if node._meta:
        made._meta = dict(node._meta)
    if node.comments is not None:
        made.comments = list(node.comments)
    return made
