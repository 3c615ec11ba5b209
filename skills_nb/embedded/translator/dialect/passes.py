"""The passes, by the node they look at, in the order in which they are tried.

Room: embedded. Pure.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.errors.unsupported_names import ELSEWHERE
from skills_nb.embedded.translator.dialect import (
    binaries,
    date_parts,
    days,
    duck,
    fitting,
    fractions,
    joins,
    moments,
    natively,
    numbers,
    object_values,
    parts_of_texts,
    reals,
    semistructured,
    sizes,
    type_names,
    variant_comparisons,
    windows,
    zoned,
)
from skills_nb.embedded.translator.dialect.templates import TEMPLATES, TYPED
from skills_nb.embedded.types import names
from skills_nb.embedded.types.inference import WRITTEN, infer

Pass = Callable[[exp.Expr], exp.Expr]


def _refused(node: exp.Expr) -> exp.Expr:
    raise errors.unknown_function(type(node).__name__.upper())


def _of_places(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions-geospatial."""
    assert isinstance(node, exp.Func)
    raise errors.unsupported(f"geospatial function {node.sql_name()}")


def _elsewhere(node: exp.Expr) -> exp.Expr:
    assert isinstance(node, exp.Func)
    raise errors.unknown_function(node.sql_name())


def _named(node: exp.Expr) -> exp.Expr:
    """Replace a function that is one DuckDB expression, or a native one."""
    assert isinstance(node, exp.Anonymous)
    name = str(node.this).upper()
    if variant_comparisons.is_key(node):
        return variant_comparisons.key(node)
    if name in natively.NAMED:
        return natively.named(node, name)
    if name in ("AS_DECIMAL", "AS_NUMBER"):
        return semistructured.as_decimal(node)
    if name in ("AS_TIMESTAMP_TZ", "IS_TIMESTAMP_TZ") and node.expressions:
        found = zoned.read(duck.as_text(node.expressions[0]), safe=True)
        return found if name.startswith("AS") else found.is_(exp.null()).not_()
    if name == "SYSTEM$TYPEOF":
        return type_names.type_and_size(node)
    if moments.is_reader(name):
        return moments.named(node)
    sql = TEMPLATES.get(name)
    if sql is None:
        return node
    given = node.expressions
    if name == "HASH":
        given = [windows.hashed_value(one) for one in given]
    if name == "HASH" and len(given) > 1:  # all of its arguments count
        given = [duck.call("row", *given)]
    parts = {f"a{i}": argument for i, argument in enumerate(given)}
    wanted = sum(f":a{i}" in sql.text for i in range(9))
    if len(parts) < wanted:
        raise errors.not_enough_arguments(name)
    return duck.template(sql, **parts)


def _cast(node: exp.Expr) -> exp.Expr:
    """Cast; a moment keeps as many digits as its type."""
    assert isinstance(node, exp.Cast)
    fitting.check_tried(node)
    fitting_cast = fitting.fit(node) if node.args.get(fitting.FITS) else None
    if fitting_cast is not None:
        return fitting_cast
    made = zoned.cast(node)
    if made is node:
        made = semistructured.cast_from_variant(node)
    target = infer(node)
    if target is None or not fractions.is_cut(target):
        return made
    return fractions.cut(duck.cast(made.this, target.physical) if made is node else made, target)


def _typed(node: exp.Expr) -> exp.Expr:
    """Replace a function that sqlglot knows by class and that is one DuckDB expression."""
    parts = {}
    for name, value in node.args.items():
        part = value[0] if isinstance(value, list) and value else value
        if isinstance(part, exp.Expr):
            parts[name] = part
    return duck.template(TYPED[type(node)], **parts)


PASSES: dict[type[exp.Expr], tuple[Pass, ...]] = {
    **dict.fromkeys(semistructured.TEXT_USERS, (semistructured.texts_of_variants,)),
    **dict.fromkeys(variant_comparisons.COMPARISONS, (variant_comparisons.compared,)),
    **dict.fromkeys((exp.Cast, exp.TryCast), (_cast,)),
    exp.In: (variant_comparisons.within,),
    exp.Between: (variant_comparisons.between,),
    exp.Case: (variant_comparisons.case,),
    exp.DecodeCase: (variant_comparisons.decoded,),
    **dict.fromkeys((exp.Struct, exp.JSONObject), (object_values.object_construct,)),
    exp.Array: (semistructured.array,),
    exp.Bracket: (object_values.bracket,),
    exp.GetExtract: (object_values.get,),
    exp.JSONExtract: (object_values.by_path,),
    exp.ArrayAgg: (semistructured.array_agg,),
    exp.WithinGroup: (semistructured.array_agg, semistructured.joined_texts, windows.middle),
    exp.Window: (
        semistructured.array_agg,
        semistructured.joined_texts,
        numbers.average,
        windows.named,
        windows.middle,
    ),
    exp.Median: (windows.middle,),
    exp.Mode: (windows.most_frequent,),
    exp.GroupConcat: (semistructured.listed_texts, semistructured.joined_texts),
    exp.Repeat: (sizes.repeated,),
    exp.Pad: (sizes.padded,),
    exp.GenerateSeries: (sizes.ranged,),
    exp.Space: (sizes.spaces,),
    exp.Randstr: (sizes.random_text,),
    exp.HashAgg: (windows.hash_agg,),
    **dict.fromkeys((exp.ArgMax, exp.ArgMin), (windows.of_extreme,)),
    exp.Filter: (
        semistructured.array_agg,
        semistructured.joined_texts,
        numbers.average,
        windows.middle,
    ),
    exp.Join: (joins.as_of,),
    exp.Values: (numbers.listed,),
    exp.ArrayFilter: (semistructured.filtered,),
    exp.Transform: (semistructured.transformed,),
    exp.Reduce: (semistructured.reduced,),
    exp.ArraySize: (semistructured.array_size,),
    exp.ArrayContains: (semistructured.array_contains,),
    exp.ArrayToString: (parts_of_texts.array_to_string,),
    exp.Split: (parts_of_texts.split,),
    exp.Typeof: (type_names.typeof,),
    exp.ParseJSON: (semistructured.parse_json,),
    exp.ToVariant: (semistructured.to_variant,),
    exp.ToArray: (semistructured.to_array,),
    exp.ArrayConstructCompact: (semistructured.array_construct_compact,),
    **dict.fromkeys(
        (exp.Add, exp.Sub),
        (
            semistructured.numbers_of_variants,
            days.difference,
            days.plus_interval,
            days.plus_number,
            numbers.whole,
        ),
    ),
    exp.Mod: (semistructured.numbers_of_variants,),
    exp.Mul: (semistructured.numbers_of_variants, numbers.whole, numbers.product),
    exp.ToChar: (moments.to_char,),
    exp.ToNumber: (moments.to_number,),
    exp.ToBinary: (moments.to_binary,),
    exp.Extract: (zoned.part_of_zone, moments.epoch),
    exp.Collate: (semistructured.collate,),
    exp.ConvertTimezone: (moments.convert,),
    exp.TimestampTzFromParts: (moments.zoned_from_parts,),
    exp.DateFromParts: (moments.date_from_parts,),
    exp.TimestampFromParts: (moments.from_parts,),
    exp.TimestampLtzFromParts: (moments.local_from_parts,),
    exp.TimeFromParts: (moments.time_from_parts,),
    **dict.fromkeys((exp.DateDiff, exp.TimestampDiff), (moments.difference,)),
    **dict.fromkeys((exp.DateTrunc, exp.TimestampTrunc), (days.cut,)),
    exp.UnixToTime: (moments.from_epoch,),
    exp.MonthsBetween: (moments.months_between,),
    **dict.fromkeys((exp.TsOrDsToDate, exp.TsOrDsToTime, exp.StrToTime), (moments.with_format,)),
    **dict.fromkeys((exp.Ceil, exp.Floor), (numbers.to_digits,)),
    exp.Sum: (numbers.of_text,),
    exp.CountIf: (numbers.count_if,),
    **dict.fromkeys(reals.REALS, (reals.finite,)),
    exp.Div: (semistructured.numbers_of_variants, numbers.divide),
    exp.Avg: (numbers.of_text, numbers.average),
    exp.DateAdd: (numbers.date_add,),
    exp.TsOrDsAdd: (numbers.date_add,),
    exp.TimestampAdd: (numbers.date_add,),
    exp.Anonymous: (_named,),
    **dict.fromkeys(TYPED, (_typed,)),
    **dict.fromkeys(natively.TYPED, (natively.typed,)),
    exp.RegexpInstr: (natively.position,),
    exp.Columns: (_refused,),
    **dict.fromkeys((exp.StPoint, exp.StDistance), (_of_places,)),
}
_LATER: dict[type[exp.Expr], Pass] = {
    exp.Base64Encode: binaries.encoded,
    exp.RegexpExtract: natively.extract,
    exp.RegexpLike: natively.like,
    exp.RegexpReplace: natively.replace,
    exp.SHA2: natively.sha2,
}
"""Passes of functions that have one already."""
for _cls, _pass in _LATER.items():
    PASSES[_cls] = (*PASSES.get(_cls, ()), _pass)
for _cls in numbers.INTEGER_ARGUMENTS:
    PASSES[_cls] = (numbers.whole_arguments, *PASSES.get(_cls, ()))
PASSES |= {
    cls: (_elsewhere,)
    for name, cls in exp.FUNCTION_BY_NAME.items()
    if name in ELSEWHERE and cls not in PASSES
}
for _cls in date_parts.CHECKED:
    PASSES[_cls] = (date_parts.checked, *PASSES.get(_cls, ()))
for _cls in binaries.CUT:
    PASSES[_cls] = (binaries.cut, *PASSES.get(_cls, ()))
for _cls in binaries.JOINED:
    PASSES[_cls] = (binaries.joined, *PASSES.get(_cls, ()))
for _cls in binaries.DIGESTS:
    PASSES[_cls] = (binaries.digested, *PASSES.get(_cls, ()))
PASSES |= dict.fromkeys(date_parts.WEEKDAYS, (date_parts.weekday,))
for _cls in moments.DATED:
    PASSES[_cls] = (moments.dated, *PASSES.get(_cls, ()))

_DUCKDB = frozenset(
    {
        "array_to_string",
        "concat",
        "concat_ws",
        "decode",
        "error",
        "from_base64",
        "from_json",
        "generate_subscripts",
        "hash",
        "hex",
        "json_array",
        "json_array_length",
        "json_each",
        "json_extract",
        "json_extract_string",
        "json_group_object",
        "json_keys",
        "json_merge_patch",
        "json_object",
        "json_type",
        "json_valid",
        "left",
        "length",
        "list",
        "list_append",
        "list_concat",
        "list_contains",
        "list_distinct",
        "list_filter",
        "list_prepend",
        "list_slice",
        "floor",
        "nullif",
        "regexp_escape",
        "right",
        "row",
        "string_split",
        "strlen",
        "substr",
        "string_split_regex",
        "to_base64",
        "to_json",
        "trim",
        "typeof",
        "unhex",
        "unnest",
    }
)
"""What the account itself writes; nobody else may."""
_SAME = frozenset(
    {
        "ascii",
        "atan2",
        "bit_length",
        "cbrt",
        "cos",
        "cot",
        "degrees",
        "even",
        "factorial",
        "ltrim",
        "octet_length",
        "pi",
        "radians",
        "rtrim",
        "sin",
        "soundex",
        "tan",
        "translate",
        "unicode",
    }
)
"""Snowflake's functions that DuckDB knows under the same name with the same meaning."""


def check_function(node: exp.Expr) -> None:
    """Refuse functions that only DuckDB knows, or nobody.

    Raises:
        SqlError: Snowflake knows no such function, or it is not supported here (2140).
    """
    if node.args.get(names.GOVERNED):
        return
    if isinstance(node.parent, exp.Window) and windows.is_named(node):
        return
    if not isinstance(node, exp.Anonymous):
        return
    name = str(node.this).lower()
    if name not in _SAME and (name not in _DUCKDB or node.meta.get(WRITTEN)):
        raise errors.unknown_function(str(node.this).upper())
