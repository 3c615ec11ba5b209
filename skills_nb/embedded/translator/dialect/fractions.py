"""Fractions of a second: as many digits as a type keeps, and none that would be lost unsaid.

Room: embedded. Pure. DuckDB keeps microseconds where Snowflake keeps nanoseconds: a moment between
two microseconds is refused. A type of fewer digits cuts what it does not keep, as Snowflake does.

See https://docs.snowflake.com/en/sql-reference/data-types-datetime
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.duck_sql import DuckSql
from skills_nb.embedded.translator.dialect import duck
from skills_nb.embedded.types.data_types import MOMENTS, SfType
from skills_nb.embedded.types.inference import KIND, infer

KEPT = 6
"""Digits that DuckDB keeps."""
_FINE = r"\.[0-9]{6}[0-9]*[1-9]"
IS_FINE = duck_sql.of("regexp_matches(CAST(:v AS VARCHAR), '\\.[0-9]{6}[0-9]*[1-9]')")
"""Tells a text with a moment between two microseconds."""
_REFUSED = duck_sql.of("error('Unsupported feature: nanoseconds below a microsecond')")
_EXACT = duck_sql.of("CASE WHEN {fine} THEN {refused} ELSE :v END", fine=IS_FINE, refused=_REFUSED)
_NANOS = duck_sql.of(
    "CASE WHEN CAST(:n AS BIGINT) % 1000 <> 0 THEN {refused} ELSE CAST(:n AS BIGINT) END",
    refused=_REFUSED,
)
SHORT = duck_sql.of("regexp_replace(CAST(:v AS VARCHAR), '(\\.[0-9]{6})[0-9]+', '\\1')")
"""A text without what is below a microsecond."""
_CUT = duck_sql.of("(:v - to_microseconds(CAST(date_part('microseconds', :v) AS BIGINT) % :step))")
_CUT_ZONED = duck_sql.of(
    "CASE WHEN :v IS NOT NULL THEN struct_pack(t := struct_extract(:v, 't') - "
    "to_microseconds(CAST(date_part('microseconds', struct_extract(:v, 't')) AS BIGINT) % :step), "
    "o := struct_extract(:v, 'o')) END"
)


def nanoseconds(number: exp.Expr) -> exp.Expr:
    """Return a number of nanoseconds, which has to be one of whole microseconds."""
    return duck.template(_NANOS, n=number)


def exact(text: exp.Expr) -> exp.Expr:
    """Return a text that DuckDB reads as a moment, with nothing that it would lose."""
    return duck.template(_EXACT, v=text)


def is_cut(kind: SfType) -> bool:
    """Tell whether a type of moments keeps no more digits than there are here."""
    is_timed = kind.kind in MOMENTS and kind.kind != "DATE"
    return is_timed and kind.scale is not None and kind.scale <= KEPT


def without_more(text: exp.Expr) -> exp.Expr:
    """Cut what is below a microsecond from a text."""
    return duck.template(SHORT, v=text)


def cut(value: exp.Expr, kind: SfType) -> exp.Expr:
    """Cut a moment to the digits that its type keeps."""
    if not is_cut(kind) or kind.scale == KEPT:
        return value
    words: DuckSql = _CUT_ZONED if kind.kind == "TIMESTAMP_TZ" else _CUT
    step = exp.Literal.number(10 ** (KEPT - (kind.scale or 0)))
    made = duck.cast(duck.template(words, v=value, step=step), kind.physical)
    made.meta[KIND] = kind
    return made


def literals(node: exp.Expr) -> Iterator[tuple[exp.Literal, SfType]]:
    """Yield texts with too fine a moment that stand beside moments, and what they are read as."""
    if not isinstance(node, _BESIDE):
        return
    sides = [part for part in node.find_all(exp.Literal) if _is_side(part, node)]
    fine = [one for one in sides if one.is_string and re.search(_FINE, one.name)]
    if not fine:
        return
    kinds = [found for part in node.iter_expressions() if (found := infer(part)) is not None]
    kinds += [found] if (found := infer(node)) is not None else []
    moment = next((kind for kind in kinds if kind.kind in MOMENTS and kind.kind != "DATE"), None)
    if moment is not None:
        yield from ((one, moment) for one in fine)


def _is_side(part: exp.Expr, node: exp.Expr) -> bool:
    return part.parent is node or (isinstance(part.parent, exp.If) and part.parent.parent is node)


_BESIDE = (
    *(exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.NullSafeEQ, exp.NullSafeNEQ),
    *(exp.In, exp.Between, exp.Coalesce, exp.Greatest, exp.Least),
    *(exp.If, exp.Case, exp.Nullif, exp.Nvl2),
)
"""What DuckDB reads a constant text beside a moment as a moment in."""
