"""Early sizes: what is put together ends before it is put together, where its parts are too much.

Room: embedded. Pure. An aggregate is made of all rows before anybody can look how large it is. So
the sizes of its rows are summed up beside it, times a unit with which DuckDB's largest number is
passed as soon as the limit is: the sum ends the statement at that row.

See https://docs.snowflake.com/en/sql-reference/data-types-text
"""

from __future__ import annotations

import re

from sqlglot import exp

from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.translator.dialect import duck
from skills_nb.embedded.types import names
from skills_nb.embedded.types.data_types import SEMI_STRUCTURED, SfType
from skills_nb.embedded.types.inference import infer
from skills_nb.embedded.types.lob_limit import MOST_BYTES

_UNIT = (2**127 - 1) // MOST_BYTES
_LISTING_UNIT = _UNIT // 2
"""A list of texts has one delimiter less than rows, so that twice the limit is surely too much."""
_PASSED = re.compile(r"Overflow in HUGEINT (?:addition|multiplication): (\d+) ([+*]) (\d+)")
_ANEW = (exp.Rand, exp.Randn, exp.Uuid, exp.Query)
"""What is not computed twice: it would be something else, or take as long again."""
_GUARDED = duck_sql.of("CASE WHEN coalesce(:sum, 0) >= 0 THEN :made END")
_SIZED = duck_sql.of("strlen(CAST(:value AS VARCHAR)) + :more")
_COUNTED = duck_sql.of("CASE WHEN :value IS NOT NULL THEN 2 END")
"""A digit and a comma."""


def of_rows(node: exp.Expr) -> exp.Expr | None:
    """Return the sum that ends an aggregate which is too large; None where there is none."""
    inner = node
    while isinstance(inner, (exp.WithinGroup, exp.Filter)):
        inner = inner.this
    if not isinstance(inner, (exp.GroupConcat, exp.ArrayAgg, exp.ObjectAgg)):
        return None
    if node.find(exp.Distinct, *_ANEW) or any(map(_is_of_others, node.find_all(exp.Anonymous))):
        return None
    unit = _LISTING_UNIT if isinstance(inner, exp.GroupConcat) else _UNIT
    size = exp.Mul(
        this=duck.cast(exp.Paren(this=_size_of_row(inner)), "HUGEINT"),
        expression=exp.Literal.number(unit),
    )
    summed = exp.Sum(this=size)
    if isinstance(node, exp.Filter):
        return exp.Filter(this=summed, expression=node.expression.copy())
    return summed


def _is_of_others(call: exp.Anonymous) -> bool:
    """Tell whether it is a person's function, or counts on as a sequence does."""
    return bool(call.args.get(names.GOVERNED)) or str(call.this).lower().startswith("__python")


def _size_of_row(inner: exp.Expr) -> exp.Expr:
    if isinstance(inner, exp.ObjectAgg):
        return exp.Add(this=_size(inner.this), expression=_size(inner.expression))
    value = inner.this.this if isinstance(inner.this, exp.Order) else inner.this
    between = inner.args.get("separator") if isinstance(inner, exp.GroupConcat) else None
    more = len(between.name) if isinstance(between, exp.Literal) else 0
    return _size(value, 1 if isinstance(inner, exp.ArrayAgg) else more)


def _size(value: exp.Expr, more: int = 0) -> exp.Expr:
    """Return how many bytes a value adds at least."""
    if _is_written_as_it_is(infer(value)):
        return duck.template(_SIZED, value=value, more=exp.Literal.number(more))
    return duck.template(_COUNTED, value=value)


def _is_written_as_it_is(kind: SfType | None) -> bool:
    if kind is None:
        return False
    is_whole = kind.kind == "FIXED" and not kind.scale
    return is_whole or kind.kind == "TEXT" or kind.kind in SEMI_STRUCTURED


def guarded(made: exp.Expr, summed: exp.Expr | None) -> exp.Expr:
    """Compute the sum before the aggregate, which it ends."""
    return made if summed is None else duck.template(_GUARDED, sum=summed, made=made)


def told(text: str) -> int | None:
    """Return how many bytes there were when a sum of sizes ended its statement.

    None stands for an error that is about something else.
    """
    found = _PASSED.search(text)
    if found is None:
        return None
    first, second = int(found[1]), int(found[3])
    for unit, parts in ((_UNIT, 1), (_LISTING_UNIT, 2)):
        if first % unit == 0 and first and (found[2] == "*" or second % unit == 0):
            size = first // unit * second if found[2] == "*" else (first + second) // unit
            return size if size > MOST_BYTES * parts else None
    return None
