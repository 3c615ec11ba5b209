"""Wholesale: runs of constant rows in VALUES that go to DuckDB as they are written.

Room: embedded. Pure. The constants mean the same there, so nothing reads them one by one.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from skills_nb.sql.constant_rows import ConstantRows

_WIDTH = "width"


def put_back(tree: exp.Expr, runs: Sequence[ConstantRows]) -> bool:
    """Put the runs in the places of their marks, each as one node.

    Returns:
        Whether every run stood in VALUES, where rows may be taken as they are; else the statement
        is to be read as it was sent.
    """
    known = {run.mark: run for run in runs}
    places = [
        (row, run)
        for values in tree.find_all(exp.Values)
        if not _is_shown(values)
        for row in values.expressions
        if (run := known.get(_only(row))) is not None
    ]
    if len(places) < len(runs):
        return False
    for row, run in places:
        made = exp.Var(this=run.rows)
        made.meta[_WIDTH] = run.width
        row.replace(made)
    return True


def width_of(node: exp.Expr) -> int | None:
    """Return how many constants each row of a run has; None for anything else."""
    width: int | None = node.meta.get(_WIDTH)
    return width


def _only(row: exp.Expr) -> str:
    """Return the only constant of a row."""
    inner = row.expressions[0] if len(row.expressions) == 1 else row.this
    return inner.name if isinstance(inner, exp.Literal) else ""


def _is_shown(node: exp.Expr) -> bool:
    """Tell whether the text around a node may become the name of a result's column."""
    while (above := node.parent) is not None:
        if isinstance(above, exp.Select) and node.arg_key == "expressions":
            return True
        node = above
    return False
