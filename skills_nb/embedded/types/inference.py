"""Types of expressions, as far as the tree tells; DuckDB tells the rest.

Room: embedded. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from sqlglot import exp

from skills_nb.embedded.types import data_types
from skills_nb.embedded.types.data_types import SfType, parse_type
from skills_nb.embedded.types.function_types import ALWAYS, BY_NAME, BYTES

KIND = "kind"
"""Where a tree keeps the type that was known of what stood in its place."""
SAID = "said"
"""What a person wrote, where a statement of the account's own says more."""
WRITTEN = "written"
"""Marks calls by name that stand in a user's text."""


@lru_cache(maxsize=512)
def _built(spelling: str) -> exp.DataType:
    return exp.DataType.build(spelling, dialect="snowflake")


def data_type(sf_type: SfType) -> exp.DataType:
    """Return sqlglot's node for a type."""
    return _built(sf_type.sql)


_known: dict[tuple[Any, ...], SfType | None] = {}
"""What plain types were read as: few, and asked for in every statement."""


def of_data_type(node: exp.DataType) -> SfType | None:
    """Read sqlglot's node for a type."""
    if node.this == exp.DType.INT128:  # what DuckDB holds whole numbers as
        return data_types.INTEGER
    parameters = node.expressions
    if parameters and node.this in _OF_PARTS:
        return _OF_PARTS[node.this]
    if node.args.get("nested") or not all(isinstance(p, exp.DataTypeParam) for p in parameters):
        return _of_spelling(node.sql("snowflake"))
    key = (node.this, *(p.name for p in parameters))
    if key not in _known:
        _known[key] = _of_spelling(node.sql("snowflake"))
    return _known[key]


_OF_PARTS = {exp.DType.ARRAY: data_types.ARRAY, exp.DType.OBJECT: data_types.OBJECT}


@lru_cache(maxsize=512)
def _of_spelling(spelling: str) -> SfType | None:
    return parse_type(spelling)


def infer(node: exp.Expr | None) -> SfType | None:
    """Return the type of an expression whose columns are resolved; None where unsure."""
    if node is None:
        return None
    if isinstance(node, (exp.Alias, exp.Paren)):
        return infer(node.this) or node.meta.get(KIND)
    if isinstance(node, exp.Column):
        return of_data_type(node.type) if isinstance(node.type, exp.DataType) else None
    if isinstance(node, (exp.Cast, exp.TryCast)):
        return node.meta.get(KIND) or of_data_type(node.to)
    if isinstance(node, exp.Neg):
        return infer(node.this)
    if isinstance(node, exp.Literal):
        return _literal(node)
    if (always := ALWAYS.get(type(node))) is not None:
        return always
    rule = _RULES.get(type(node))
    return (rule(node) if rule else None) or node.meta.get(KIND)


def _literal(node: exp.Literal) -> SfType:
    if node.is_string:
        return data_types.text(len(node.name)) if node.name else data_types.text(0)
    whole, _, fraction = node.name.partition(".")
    if "e" in node.name.lower():
        return data_types.REAL
    return data_types.fixed(max(1, len(whole.lstrip("0")) + len(fraction)), len(fraction))


def _same(node: exp.Expr) -> SfType | None:
    """Give the type of the argument: MIN, MAX, LAG, NULLIF and other functions that pass it on."""
    return infer(node.this)


def aggregated(node: exp.Expr) -> exp.Expr:
    """Return what an aggregate is about, which DISTINCT may stand before."""
    given: exp.Expr = node.this
    if isinstance(given, exp.Distinct) and len(given.expressions) == 1:
        (given,) = given.expressions
    return given


def _chosen(node: exp.Expr) -> SfType | None:
    """Give the type of the values among which an aggregate chooses."""
    return infer(aggregated(node))


def _chosen_by(node: exp.Expr) -> SfType | None:
    """MAX_BY gives one value, or an array of as many as are wanted."""
    return data_types.ARRAY if node.args.get("count") is not None else infer(node.this)


def _of_query(node: exp.Expr) -> SfType | None:
    """Give the type of a query's one value."""
    query = node.this
    if not isinstance(query, exp.Select) or len(query.expressions) != 1:
        return None
    return infer(query.expressions[0])


def _of_bracket(node: exp.Expr) -> SfType | None:
    found = infer(node.this)
    return data_types.VARIANT if found and found.kind in data_types.SEMI_STRUCTURED else None


def _sum(node: exp.Expr) -> SfType | None:
    found = _chosen(node)
    return data_types.fixed(38, found.scale or 0) if found and found.kind == "FIXED" else found


def _average(node: exp.Expr) -> SfType | None:
    found = _chosen(node)
    if found is None or found.kind != "FIXED":
        return found if found is not None and found.kind == "REAL" else None
    return average_type(node.parent, found)


def is_cut_average(above: exp.Expr | None) -> bool:
    """Tell whether an average over rows is cut after three more digits.

    The manual shows so wherever the frame is not all rows up to the current one by their order.
    See https://docs.snowflake.com/en/sql-reference/functions-window-syntax
    """
    if not isinstance(above, exp.Window):
        return False
    frame = above.args.get("spec")
    if frame is None:
        return above.args.get("order") is None
    kind, start, end = (frame.args.get(k) for k in ("kind", "start", "end"))
    up_to_here = start == "UNBOUNDED" and end in (None, "CURRENT ROW")
    return not up_to_here or str(kind).upper() != "RANGE"


def average_type(above: exp.Expr | None, found: SfType) -> SfType:
    """Return the type of an average of numbers, from what stands above the call."""
    scale = found.scale or 0
    kept = max(scale, min(scale + 3, 12)) if is_cut_average(above) else quotient_scale(scale)
    return data_types.fixed(38, kept)


def _of_numbers(node: exp.Expr, scale: Callable[[int, int], int]) -> SfType | None:
    """Give the type of arithmetic with two numbers: a FLOAT beside one makes another."""
    left, right = infer(node.this), infer(node.expression)
    if left is None or right is None or not {left.kind, right.kind} <= {"FIXED", "REAL"}:
        return None
    if "REAL" in (left.kind, right.kind):
        return data_types.REAL
    return data_types.fixed(38, scale(left.scale or 0, right.scale or 0))


def _sum_of_two(node: exp.Expr) -> SfType | None:
    return _other_day(node) or _of_numbers(node, max)


def _rest(node: exp.Expr) -> SfType | None:
    return _of_numbers(node, max)


def _product(node: exp.Expr) -> SfType | None:
    return _of_numbers(node, product_scale)


def _other_day(node: exp.Expr) -> SfType | None:
    """A DATE moved by days is a DATE, two of them are a whole number of days apart.

    See https://docs.snowflake.com/en/sql-reference/data-types-datetime (simple arithmetic)
    """
    kinds = [found.kind if (found := infer(side)) else "" for side in (node.this, node.expression)]
    if "DATE" not in kinds:
        return None
    if isinstance(node.expression, exp.Interval):
        return data_types.DATE if is_of_days(node.expression) else data_types.NTZ
    if kinds == ["DATE", "DATE"]:
        return data_types.INTEGER if isinstance(node, exp.Sub) else None
    is_sum = isinstance(node, exp.Add) or kinds[0] == "DATE"
    return data_types.DATE if is_sum and "FIXED" in kinds else None


DAY_UNITS = frozenset({"DAY", "WEEK", "MONTH", "QUARTER", "YEAR"})
"""Units that are whole days."""


def is_of_days(interval: exp.Interval) -> bool:
    """Tell whether an interval is a number of whole days."""
    unit = interval.args.get("unit")
    return unit is not None and unit.name.upper().removesuffix("S") in DAY_UNITS


def product_scale(left: int, right: int) -> int:
    """Return how many digits behind the point a product keeps, from those of its factors.

    See https://docs.snowflake.com/en/sql-reference/operators-arithmetic (multiplication)
    """
    return min(left + right, max(left, right, 12))


def _common(nodes: Iterable[exp.Expr | None]) -> SfType | None:
    """Give the type that several values share; NULL fits any."""
    found = [infer(node) for node in nodes if node is not None and not isinstance(node, exp.Null)]
    kinds = {one.kind if one is not None else None for one in found}
    if kinds == {"FIXED", "REAL"}:
        return data_types.REAL
    if "VARIANT" in kinds and kinds <= {"VARIANT", "FIXED", "REAL"}:
        return data_types.VARIANT
    if len(kinds) != 1 or None in kinds:
        return None
    listed = [one for one in found if one is not None]
    if kinds == {"FIXED"}:
        return data_types.fixed(38, max(one.scale or 0 for one in listed))
    return max(listed, key=lambda one: one.length or 0)


def shared_number(kinds: Iterable[SfType | None]) -> SfType | None:
    """Return the type that numbers share; None where not all are known to be numbers."""
    found = list(kinds)
    known = [one for one in found if one is not None and one.kind in ("FIXED", "REAL")]
    if not known or len(known) < len(found):
        return None
    if any(one.kind == "REAL" for one in known):
        return data_types.REAL
    return data_types.fixed(38, max(one.scale or 0 for one in known))


def _branches(node: exp.Expr) -> SfType | None:
    if isinstance(node, exp.DecodeCase):
        pairs = node.expressions[1:]
        return _common([*pairs[1::2], *(pairs[-1:] if len(pairs) % 2 else ())])
    if isinstance(node, exp.Case):
        return _common(
            [*(one.args.get("true") for one in node.args["ifs"]), node.args.get("default")]
        )
    return _common((node.args.get("true"), node.args.get("false")))


def _listed(node: exp.Expr) -> SfType | None:
    return _common((node.this, *node.expressions))


def _cut_or_joined(node: exp.Expr) -> SfType | None:
    """Bytes stay bytes; anything else becomes a text."""
    parts = [node.this] if isinstance(node, _CUT) else list(node.iter_expressions())
    kinds = {found.kind for part in parts if (found := infer(part)) is not None}
    return BYTES if kinds == {"BINARY"} else data_types.TEXT


_CUT = (exp.Left, exp.Right, exp.Substring)


def _quotient(node: exp.Expr) -> SfType | None:
    return _of_numbers(node, lambda left, right: quotient_scale(left))


def quotient_scale(scale: int) -> int:
    """Return how many digits behind the point a quotient or an average keeps.

    See https://docs.snowflake.com/en/sql-reference/operators-arithmetic (division)
    """
    return max(scale, min(scale + 6, 12))


def _moment(node: exp.Expr) -> SfType | None:
    """A moment cut or moved keeps its type; a text is read as one without a zone."""
    found = infer(node.this)
    return data_types.NTZ if found is not None and found.kind in ("TEXT", "VARIANT") else found


def _moved(node: exp.Expr) -> SfType | None:
    """A date plus whole days is a date, plus anything smaller a timestamp."""
    found = _moment(node)
    unit = node.args.get("unit")
    whole = unit is not None and unit.name.upper() in DAY_UNITS
    return data_types.NTZ if found is not None and found.kind == "DATE" and not whole else found


def _in_zone(node: exp.Expr) -> SfType:
    """A wall clock moves between zones; another moment is shown at the offset of one.

    See https://docs.snowflake.com/en/sql-reference/functions/convert_timezone
    """
    return data_types.TZ if node.args.get("source_tz") is None else data_types.NTZ


def _number(node: exp.Expr) -> SfType | None:
    """A number keeps its type; a text is read as a FLOAT."""
    found = infer(node.this)
    return data_types.REAL if found is not None and found.kind in ("TEXT", "VARIANT") else found


def _read_number(node: exp.Expr) -> SfType | None:
    parts = [node.args.get(name) for name in ("precision", "scale")]
    if not all(one is None or (isinstance(one, exp.Literal) and one.is_int) for one in parts):
        return None
    precision, scale = (int(one.name) if one is not None else None for one in parts)
    return data_types.fixed(38 if precision is None else precision, scale or 0)


def _rounded(node: exp.Expr) -> SfType | None:
    found, digits = _number(node), decimals(node)
    if found is None or found.kind != "FIXED" or digits is None:
        return found if found is not None and found.kind == "REAL" else None
    return data_types.fixed(38, max(0, min(digits, found.scale or 0)))


def decimals(node: exp.Expr) -> int | None:
    """Return how many digits a function that rounds keeps; None where rows tell it."""
    given = node.args.get("decimals")
    if given is None:
        return 0
    number = given.this if isinstance(given, exp.Neg) else given
    if not isinstance(number, exp.Literal) or not number.is_int:
        return None
    return -int(number.name) if isinstance(given, exp.Neg) else int(number.name)


def _by_name(node: exp.Expr) -> SfType | None:
    """Tell the type of a function that sqlglot knows by name only."""
    return node.meta.get(KIND) or BY_NAME.get(str(node.this).upper())


def _drawn(node: exp.Expr) -> SfType | None:
    """UNIFORM draws whole numbers between two of them, else a FLOAT.

    See https://docs.snowflake.com/en/sql-reference/functions/uniform
    """
    found = _common((node.this, node.expression))
    return found if found is not None and not found.scale else None


def _ordered(node: exp.Expr) -> SfType | None:
    """PERCENTILE_DISC gives one of the values that are ordered."""
    if not isinstance(node.this, exp.PercentileDisc):
        return infer(node.this)
    order = node.args.get("expression")
    ordered = order.find(exp.Ordered) if order is not None else None
    return infer(ordered.this) if ordered is not None else None


_RULES: dict[type[exp.Expr], Callable[[exp.Expr], SfType | None]] = {
    **dict.fromkeys((exp.Min, exp.Max, exp.AnyValue, exp.Mode), _chosen),
    **dict.fromkeys((exp.Nullif, exp.Lag, exp.Lead, exp.NthValue), _same),
    **dict.fromkeys((exp.FirstValue, exp.LastValue, exp.Window), _same),
    **dict.fromkeys((exp.IgnoreNulls, exp.RespectNulls, exp.Filter), _same),
    **dict.fromkeys((exp.ArgMax, exp.ArgMin), _chosen_by),
    exp.Anonymous: _by_name,
    exp.Bracket: _of_bracket,
    exp.Subquery: _of_query,
    exp.Uniform: _drawn,
    exp.WithinGroup: _ordered,
    exp.Stuff: _same,
    **dict.fromkeys((exp.Ceil, exp.Floor, exp.Round, exp.Trunc), _rounded),
    **dict.fromkeys((*_CUT, exp.Concat, exp.DPipe), _cut_or_joined),
    **dict.fromkeys((exp.If, exp.Case, exp.Nvl2, exp.DecodeCase), _branches),
    **dict.fromkeys((exp.Coalesce, exp.Greatest, exp.Least), _listed),
    **dict.fromkeys((exp.DateAdd, exp.TsOrDsAdd, exp.TimestampAdd), _moved),
    **dict.fromkeys((exp.DateTrunc, exp.TimestampTrunc, exp.TimeSlice, exp.AddMonths), _moment),
    exp.Abs: _number,
    exp.ConvertTimezone: _in_zone,
    exp.ToNumber: _read_number,
    exp.Div: _quotient,
    exp.Avg: _average,
    exp.Sum: _sum,
    exp.Add: _sum_of_two,
    exp.Sub: _sum_of_two,
    exp.Mod: _rest,
    exp.Mul: _product,
}
