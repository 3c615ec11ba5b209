"""Sugar: clauses that say in one word what plain SQL says in several.

Room: embedded. Pure. What a clause stands for is written out before anything looks at the query, so
that rights and policies meet ordinary tables, filters and joins.
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.parser.desugar import (
    cast_types,
    date_parts,
    elements,
    hierarchy,
    intervals,
    outer_join_marks,
    pivots,
    selects,
)
from skills_nb.embedded.types.inference import WRITTEN

_FUNCTIONS_READ_AS_OPERATORS = (
    *(exp.BitwiseAnd, exp.BitwiseOr, exp.BitwiseXor, exp.BitwiseNot),
    *(exp.BitwiseLeftShift, exp.BitwiseRightShift, exp.NullSafeEQ, exp.NullSafeNEQ),
    *(exp.Boolnot, exp.EqualNull, exp.Like, exp.ILike),
)
"""`BITAND(a, b) * 2` is read like `a & b * 2`, in a tree that would be written without brackets."""
_OPERATORS = (exp.Binary, exp.EqualNull, exp.Neg, exp.BitwiseNot, exp.In, exp.Between)


def plain(root: exp.Expr) -> exp.Expr:
    """Write out every such clause, the inner ones first.

    Raises:
        SqlError: a clause says what this account cannot do, or lists nothing (1003).
    """
    held = exp.Paren(this=root)
    for node in reversed(list(root.walk(bfs=False))):
        made = _written_out(node)
        if made is not node:
            node.replace(made)
    found: exp.Expr = held.this
    held.set("this", None)
    return found


def _written_out(node: exp.Expr) -> exp.Expr:
    if isinstance(node, _FUNCTIONS_READ_AS_OPERATORS):
        is_operand = isinstance(node.parent, _OPERATORS)
        is_alone = isinstance(node.parent, (exp.Connector, exp.Escape))
        return exp.Paren(this=node.copy()) if is_operand and not is_alone else node
    if isinstance(node, exp.CurrentTimestamp) and node.args.get("sysdate"):
        return _now_in_utc()
    if isinstance(node, exp.MatchRecognize):
        raise errors.unsupported("MATCH_RECOGNIZE")
    if isinstance(node, exp.Unnest):
        raise errors.unknown_function("UNNEST")
    if isinstance(node, exp.Join):
        selects.keep_rows(node)
    if isinstance(node, exp.SetOperation):
        selects.check_set_operation(node)
    if isinstance(node, (exp.Any, exp.All)) and _is_empty(node.this):
        raise errors.syntax("syntax error: ANY and ALL need a value.")
    if isinstance(node, exp.Column) and outer_join_marks.is_stray(node):
        raise outer_join_marks.refused()
    if isinstance(node, exp.ModelAttribute):
        return elements.method_call(node)
    if isinstance(node, (exp.Add, exp.Sub)):
        return intervals.in_turn(node)
    if isinstance(node, exp.Interval) and isinstance(node.parent, exp.WindowSpec):
        return intervals.in_frame(node)
    if isinstance(node, date_parts.TAKERS):
        return date_parts.spelled_out(node)
    if isinstance(node, exp.Cast):
        cast_types.check(node)
    if isinstance(node, (exp.Anonymous, exp.TryCast)):
        node.meta[WRITTEN] = True
    if isinstance(node, exp.Lambda):
        elements.mark(node)
    elif isinstance(node, (exp.Table, exp.Subquery)) and pivots.is_known(node):
        return pivots.written_out(node)
    elif isinstance(node, exp.Subquery):
        return selects.without_parentheses(node)
    elif isinstance(node, exp.Select) and node.args.get("connect") is not None:
        return hierarchy.written_out(node)
    elif isinstance(node, (exp.Anonymous, exp.HashAgg)):
        elements.hash_of_all(node)
    elif isinstance(node, exp.TableSample):
        selects.name_method(node)
    elif isinstance(node, exp.Select):
        outer_join_marks.written_out(node)
        selects.number_generated_rows(node)
        selects.seed_generated_rows(node)
        selects.order_by_all(node)
        selects.without_dual(node)
    return node


def _now_in_utc() -> exp.Expr:
    """Return what SYSDATE stands for: the moment in UTC, whatever the session's time zone.

    See https://docs.snowflake.com/en/sql-reference/functions/sysdate
    """
    moved = exp.ConvertTimezone(
        target_tz=exp.Literal.string("UTC"), timestamp=exp.CurrentTimestamp()
    )
    return exp.cast(moved, exp.DType.TIMESTAMPNTZ)


def _is_empty(listed: exp.Expr | None) -> bool:
    return isinstance(listed, exp.Tuple) and not listed.expressions
