"""The dialect: Snowflake's functions in DuckDB's terms.

Room: embedded. One pure function per feature, with the page of the manual; an ordered table of
passes; one walk. What sqlglot's own generator gets right is left to it.
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.translator.dialect import (
    coercion,
    early_sizes,
    instants,
    sizes,
    variant_comparisons,
    zoned,
)
from skills_nb.embedded.translator.dialect import format_rules as followed
from skills_nb.embedded.translator.dialect.passes import PASSES, check_function
from skills_nb.embedded.types import names
from skills_nb.embedded.types.format_parameters import STANDARD, Customs
from skills_nb.embedded.types.inference import KIND, infer


def translate(root: exp.Expr, customs: Customs = STANDARD) -> exp.Expr:
    """Apply every pass below `root`, children before parents, as the session's customs want it.

    Raises:
        SqlError: a function is unknown, or a table reference slipped past the rewrite, which
            must not happen and must not show anything when it does.
    """
    nodes = list(root.walk(bfs=False))
    for told_apart in (instants.compared, variant_comparisons.ordered):
        if told_apart(nodes):
            nodes = list(root.walk(bfs=False))
    for node in reversed(nodes):
        if node is root:
            continue
        for cast in coercion.casts(node):
            cast.replace(_one(cast, customs))
        made = _one(node, customs)
        if made is not node:
            node.replace(made)
    return root


def _one(node: exp.Expr, customs: Customs) -> exp.Expr:
    return _applied(node) if customs is STANDARD else _customarily(node, customs)


def _customarily(node: exp.Expr, customs: Customs) -> exp.Expr:
    wanted = followed.before(node, customs)
    if wanted is node:
        return followed.after(_applied(node), customs)
    if (known := infer(node)) is not None:
        wanted.meta[KIND] = known
    return wanted


def _applied(node: exp.Expr) -> exp.Expr:
    if isinstance(node, exp.Table) and not node.args.get(names.GOVERNED):
        raise errors.ungoverned(node.sql("snowflake"))
    if sizes.may_be_too_large(node):
        known = infer(node)
        summed = early_sizes.of_rows(node)
        made = sizes.bounded(_translated(node), known, summed)
        if known is not None:
            made.meta[KIND] = known
        return made
    return _translated(node)


def _translated(node: exp.Expr) -> exp.Expr:
    moved = zoned.opened(node)
    for one in PASSES.get(type(node), ()):
        made = one(node)
        if made is not node:
            if (known := infer(node)) is not None:
                made.meta[KIND] = known
            return zoned.closed(made, moved)
    check_function(node)
    return zoned.closed(node, moved)
