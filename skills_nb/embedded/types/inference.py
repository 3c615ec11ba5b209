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
    parameters = node.expressions
    if node.args.get("nested") or not all(isinstance(p, exp.DataTypeParam) for p in parameters):
        return _of_spelling(node.sql("snowflake"))
    key = (node.this, *(p.name for p in parameters))
    if key not in _known:
        _known[key] = _of_spelling(node.sql("snowflake"))
    return _known[key]


@lru_cache(maxsize=512)
def _of_spelling(spelling: str) -> SfType | None:
    return parse_type(spelling)


def infer(node: exp.Expr | None) -> SfType | None:
    """Return the type of an expression whose columns are resolved; None where unsure."""
    if node is None:
        return None
    if isinstance(node, (exp.Alias, exp.Paren)):
        return infer(node.this)
    if isinstance(node, exp.Column):
        return of_data_type(node.type) if isinstance(node.type, exp.DataType) else None
    if isinstance(node, (exp.Cast, exp.TryCast)):
        return node.meta.get(KIND) or of_data_type(node.to)
    if isinstance(node, exp.Neg):
        return infer(node.this)
    if isinstance(node, exp.Literal):
        return _literal(node)
    rule = _RULES.get(type(node))
    return rule(node) if rule else node.meta.get(KIND)


def _literal(node: exp.Literal) -> SfType:
    if node.is_string:
        return data_types.text(len(node.name)) if node.name else data_types.text(0)
    whole, _, fraction = node.name.partition(".")
    if "e" in node.name.lower():
        return data_types.REAL
    return data_types.fixed(max(1, len(whole.lstrip("0")) + len(fraction)), len(fraction))


def _fixed(sf_type: SfType) -> Callable[[exp.Expr], SfType | None]:
    return lambda node: sf_type


def _same(node: exp.Expr) -> SfType | None:
    """Give the type of the argument: MIN, MAX, LAG, NULLIF and other functions that pass it on."""
    return infer(node.this)


def _semi_structured_or_none(node: exp.Expr) -> SfType | None:
    return data_types.VARIANT


def _of_bracket(node: exp.Expr) -> SfType | None:
    found = infer(node.this)
    return data_types.VARIANT if found and found.kind in data_types.SEMI_STRUCTURED else None


def _sum(node: exp.Expr) -> SfType | None:
    found = infer(node.this)
    return data_types.fixed(38, found.scale or 0) if found and found.kind == "FIXED" else found


def _sum_of_two(node: exp.Expr) -> SfType | None:
    left, right = infer(node.this), infer(node.expression)
    if left is None or right is None or left.kind != "FIXED" or right.kind != "FIXED":
        return None
    return data_types.fixed(38, max(left.scale or 0, right.scale or 0))


def _product(node: exp.Expr) -> SfType | None:
    left, right = infer(node.this), infer(node.expression)
    if left is None or right is None or left.kind != "FIXED" or right.kind != "FIXED":
        return None
    return data_types.fixed(38, product_scale(left.scale or 0, right.scale or 0))


def product_scale(left: int, right: int) -> int:
    """Return how many digits behind the point a product keeps, from those of its factors.

    See https://docs.snowflake.com/en/sql-reference/operators-arithmetic (multiplication)
    """
    return min(left + right, max(left, right, 12))


def _common(nodes: Iterable[exp.Expr | None]) -> SfType | None:
    """Give the type that several values share; NULL fits any."""
    found = [infer(node) for node in nodes if node is not None and not isinstance(node, exp.Null)]
    kinds = {one.kind if one is not None else None for one in found}
    if "VARIANT" in kinds and kinds <= {"VARIANT", "FIXED", "REAL"}:
        return data_types.VARIANT
    if len(kinds) != 1 or None in kinds:
        return None
    listed = [one for one in found if one is not None]
    if kinds == {"FIXED"}:
        return data_types.fixed(38, max(one.scale or 0 for one in listed))
    return max(listed, key=lambda one: one.length or 0)


def _branches(node: exp.Expr) -> SfType | None:
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
    return _BYTES if kinds == {"BINARY"} else data_types.TEXT


_CUT = (exp.Left, exp.Right, exp.Substring)
_BYTES = SfType("BINARY", length=data_types.MAX_BINARY)


def _quotient(node: exp.Expr) -> SfType | None:
    left, right = infer(node.this), infer(node.expression)
    if left is None or right is None or left.kind != "FIXED" or right.kind != "FIXED":
        return None
    return data_types.fixed(38, max(left.scale or 0, min((left.scale or 0) + 6, 12)))


def _moved(node: exp.Expr) -> SfType | None:
    """A date plus whole days is a date, plus anything smaller a timestamp."""
    found = infer(node.this)
    unit = node.args.get("unit")
    whole = unit is not None and unit.name.upper() in ("DAY", "WEEK", "MONTH", "QUARTER", "YEAR")
    return data_types.NTZ if found is not None and found.kind == "DATE" and not whole else found


def _rounded(node: exp.Expr) -> SfType | None:
    found, digits = infer(node.this), decimals(node)
    if found is None or found.kind != "FIXED" or digits is None:
        return None
    return data_types.fixed(38, max(0, min(digits, found.scale or 0)))


def decimals(node: exp.Expr) -> int | None:
    """Return how many digits CEIL or FLOOR keeps behind the point; None where rows tell it."""
    given = node.args.get("decimals")
    if given is None:
        return 0
    number = given.this if isinstance(given, exp.Neg) else given
    if not isinstance(number, exp.Literal) or not number.is_int:
        return None
    return -int(number.name) if isinstance(given, exp.Neg) else int(number.name)


_OBJECTS = frozenset({"ARRAYS_TO_OBJECT", "OBJECT_DELETE", "OBJECT_PICK", "TO_OBJECT"})


def _by_name(node: exp.Expr) -> SfType | None:
    """Tell the type of a function that sqlglot knows by name only."""
    is_object = str(node.this).upper() in _OBJECTS
    return data_types.OBJECT if is_object else node.meta.get(KIND)


_COUNTS = (
    exp.DateDiff,
    exp.Day,
    exp.DayOfMonth,
    exp.DayOfWeek,
    exp.DayOfYear,
    exp.Extract,
    exp.Hour,
    exp.Minute,
    exp.Month,
    exp.Quarter,
    exp.Second,
    exp.TimestampDiff,
    exp.Week,
    exp.WeekOfYear,
    exp.Year,
)
_TEXTS = (
    exp.Chr,
    exp.ConcatWs,
    exp.Dayname,
    exp.GroupConcat,
    exp.Initcap,
    exp.Lower,
    exp.MD5,
    exp.Monthname,
    exp.Pad,
    exp.RegexpExtract,
    exp.RegexpReplace,
    exp.Repeat,
    exp.Replace,
    exp.Reverse,
    exp.SHA,
    exp.SHA2,
    exp.SplitPart,
    exp.TimeToStr,
    exp.ToChar,
    exp.Translate,
    exp.Trim,
    exp.Upper,
)
_ARRAYS = (
    exp.ArrayAppend,
    exp.ArrayCompact,
    exp.ArrayConcat,
    exp.ArrayDistinct,
    exp.ArrayExcept,
    exp.ArrayFilter,
    exp.ArrayInsert,
    exp.ArrayIntersect,
    exp.ArrayPrepend,
    exp.ArrayRemove,
    exp.ArrayRemoveAt,
    exp.ArrayReverse,
    exp.ArraySlice,
    exp.ArraySort,
    exp.ArrayUnionAgg,
    exp.ArrayUniqueAgg,
    exp.ArraysZip,
    exp.Flatten,
    exp.RegexpExtractAll,
    exp.Split,
    exp.StrtokToArray,
    exp.ToArray,
    exp.Transform,
)
_BINARIES = (
    exp.HexString,
    exp.MD5Digest,
    exp.SHA1Digest,
    exp.SHA2Digest,
    exp.ToBinary,
    exp.TryBase64DecodeBinary,
    exp.TryHexDecodeBinary,
    exp.Unhex,
)
_RULES: dict[type[exp.Expr], Callable[[exp.Expr], SfType | None]] = {
    **dict.fromkeys((exp.Min, exp.Max, exp.AnyValue, exp.Nullif, exp.Lag, exp.Lead), _same),
    **dict.fromkeys((exp.FirstValue, exp.LastValue, exp.Window), _same),
    exp.Anonymous: _by_name,
    exp.ParseJSON: _fixed(data_types.VARIANT),
    exp.GetExtract: _semi_structured_or_none,
    exp.JSONExtract: _semi_structured_or_none,
    exp.Bracket: _of_bracket,
    exp.ArrayAgg: _fixed(data_types.ARRAY),
    exp.WithinGroup: _same,
    exp.Stuff: _same,
    exp.Array: _fixed(data_types.ARRAY),
    exp.Struct: _fixed(data_types.OBJECT),
    **dict.fromkeys(_COUNTS, _fixed(data_types.INTEGER)),
    **dict.fromkeys((exp.Ceil, exp.Floor), _rounded),
    exp.Count: _fixed(data_types.fixed(18)),
    exp.RowNumber: _fixed(data_types.fixed(18)),
    exp.Length: _fixed(data_types.fixed(18)),
    exp.CurrentTimestamp: _fixed(data_types.LTZ),
    exp.CurrentDate: _fixed(data_types.DATE),
    **dict.fromkeys(_TEXTS, _fixed(data_types.TEXT)),
    **dict.fromkeys((*_CUT, exp.Concat, exp.DPipe), _cut_or_joined),
    **dict.fromkeys(_BINARIES, _fixed(_BYTES)),
    **dict.fromkeys(_ARRAYS, _fixed(data_types.ARRAY)),
    **dict.fromkeys((exp.If, exp.Case, exp.Nvl2), _branches),
    **dict.fromkeys((exp.Coalesce, exp.Greatest, exp.Least), _listed),
    **dict.fromkeys((exp.DateAdd, exp.TsOrDsAdd, exp.TimestampAdd), _moved),
    **dict.fromkeys((exp.DateTrunc, exp.TimestampTrunc, exp.Abs), _same),
    **dict.fromkeys((exp.DateFromParts, exp.TsOrDsToDate), _fixed(data_types.DATE)),
    exp.Boolean: _fixed(data_types.BOOLEAN),
    exp.ToVariant: _fixed(data_types.VARIANT),
    exp.ObjectAgg: _fixed(data_types.OBJECT),
    exp.ObjectInsert: _fixed(data_types.OBJECT),
    exp.JSONObject: _fixed(data_types.OBJECT),
    exp.JSONKeys: _fixed(data_types.ARRAY),
    exp.ApproxTopK: _fixed(data_types.ARRAY),
    exp.Div: _quotient,
    exp.Sum: _sum,
    exp.Add: _sum_of_two,
    exp.Sub: _sum_of_two,
    exp.Mul: _product,
}
