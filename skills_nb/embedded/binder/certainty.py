"""Certainty: which columns of a result can never be NULL, as a client is told.

Room: embedded. Pure. It looks at trees whose columns are resolved, before they are translated.

See https://docs.snowflake.com/en/developer-guide/python-connector/python-connector-api
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from sqlglot import exp

from skills_nb.embedded.types.data_types import SEMI_STRUCTURED
from skills_nb.embedded.types.inference import infer
from skills_nb.embedded.types.scope import OutColumn, Source

_CERTAIN = "certain"
"""Marks a reference to a column that has no NULL."""


def note(reference: exp.Column, found: OutColumn) -> None:
    """Note on a reference whether its column has no NULL."""
    if (found.certain or not found.nullable) and not found.restricted:
        reference.meta[_CERTAIN] = True


def padded(sources: Iterable[Source]) -> list[Source]:
    """Return the sources whose rows an outer join may fill up with NULL."""
    return [
        replace(s, columns=tuple(replace(c, nullable=True, certain=False) for c in s.columns))
        for s in sources
    ]


def of(projection: exp.Expr) -> bool:
    """Tell whether what a query selects can never be NULL; grouping sets leave keys out."""
    query = projection.parent
    group = query.args.get("group") if isinstance(query, exp.Select) else None
    if group is not None and group.find(exp.Rollup, exp.Cube, exp.GroupingSets) is not None:
        return False
    return is_certain(projection.this)


def is_certain(node: exp.Expr | None) -> bool:
    """Tell whether an expression can never be NULL; what is not known may be."""
    if isinstance(node, exp.Column):
        return bool(node.meta.get(_CERTAIN))
    rule = _RULES.get(type(node))  # type: ignore[arg-type]
    return node is not None and rule is not None and rule(node)


def _always(node: exp.Expr) -> bool:
    return True


def _all_parts(node: exp.Expr) -> bool:
    parts = list(node.iter_expressions())
    return bool(parts) and all(is_certain(part) for part in parts)


def _any_part(node: exp.Expr) -> bool:
    return any(is_certain(part) for part in (node.this, *node.expressions))


def _cast(node: exp.Expr) -> bool:
    """Tell of a cast; a JSON null becomes NULL in one."""
    found = infer(node.this)
    return found is not None and found.kind not in SEMI_STRUCTURED and is_certain(node.this)


def _branches(node: exp.Expr) -> bool:
    made = [one.args["true"] for one in node.args.get("ifs") or ()]
    return all(is_certain(one) for one in (*made, node.args.get("default")))


def _numbered(node: exp.Expr) -> bool:
    return isinstance(node.this, (exp.RowNumber, exp.Rank, exp.DenseRank, exp.Count))


_STRICT = (
    *(exp.Add, exp.Sub, exp.Mul, exp.Neg, exp.Paren, exp.Not, exp.And, exp.Or),
    *(exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE),
    *(exp.DPipe, exp.Upper, exp.Lower, exp.Length, exp.Abs, exp.Trim),
)
"""What is NULL only where one of its parts is."""
_RULES: dict[type[exp.Expr], Callable[[exp.Expr], bool]] = {
    **dict.fromkeys((exp.Literal, exp.Boolean, exp.Count, exp.Is, exp.CountIf), _always),
    **dict.fromkeys((exp.CurrentDate, exp.CurrentTimestamp), _always),
    **dict.fromkeys(_STRICT, _all_parts),
    exp.Coalesce: _any_part,
    exp.Cast: _cast,
    exp.Case: _branches,
    exp.Window: _numbered,
}
