"""Implicit conversion: what is read as text, number or moment is cast to it.

Room: embedded. Pure. A value converted by itself is the one that `::VARCHAR` or `::NUMBER` gives.

See https://docs.snowflake.com/en/sql-reference/data-type-conversion (implicit casting)
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

from skills_nb.embedded.translator.dialect import fractions
from skills_nb.embedded.types.data_types import MOMENTS, TEXT_READ_AS
from skills_nb.embedded.types.inference import infer
from skills_nb.embedded.types.tree_copies import copied

_Places = dict[type[exp.Expr], tuple[str, ...]]
"""Names of arguments by the function."""
_THIS = ("this",)
_BOTH = ("this", "expression")
TEXTS: _Places = {
    **dict.fromkeys(
        (
            exp.Ascii,
            exp.Base64Encode,
            exp.BitLength,
            exp.ByteLength,
            exp.CheckJson,
            exp.CheckXml,
            exp.Collate,
            exp.Hex,
            exp.Initcap,
            exp.Left,
            exp.Length,
            exp.Lower,
            exp.MD5,
            exp.MD5Digest,
            exp.MD5NumberLower64,
            exp.MD5NumberUpper64,
            exp.ParseIp,
            exp.ParseJSON,
            exp.ParseUrl,
            exp.RegexpCount,
            exp.RegexpExtractAll,
            exp.RegexpInstr,
            exp.Repeat,
            exp.Reverse,
            exp.Right,
            exp.RtrimmedLength,
            exp.SHA,
            exp.SHA2,
            exp.Soundex,
            exp.SoundexP123,
            exp.StrtokToArray,
            exp.Substring,
            exp.Unicode,
            exp.Upper,
        ),
        _THIS,
    ),
    **dict.fromkeys(
        (
            exp.Contains,
            exp.EndsWith,
            exp.ILike,
            exp.JarowinklerSimilarity,
            exp.Levenshtein,
            exp.Like,
            exp.RegexpExtract,
            exp.RegexpLike,
            exp.Split,
            exp.StartsWith,
            exp.Trim,
        ),
        _BOTH,
    ),
    exp.ConcatWs: ("expressions",),
    exp.Pad: ("this", "fill_pattern"),
    exp.RegexpReplace: ("this", "expression", "replacement"),
    exp.Replace: ("this", "expression", "replacement"),
    exp.SplitPart: ("this", "delimiter"),
    exp.StrPosition: ("this", "substr"),
    exp.Strtok: ("this", "delimiter"),
    exp.Stuff: _BOTH,
    exp.Translate: ("this", "from_", "to"),
}
"""Arguments that are texts, by the function."""
_NUMBERS: _Places = {
    **dict.fromkeys(
        (
            exp.Abs,
            exp.Acos,
            exp.Asin,
            exp.Atan,
            exp.Cbrt,
            exp.Ceil,
            exp.Cos,
            exp.Cosh,
            exp.Cot,
            exp.Degrees,
            exp.Exp,
            exp.Floor,
            exp.Kurtosis,
            exp.Ln,
            exp.Neg,
            exp.Radians,
            exp.Round,
            exp.Sign,
            exp.Sin,
            exp.Sinh,
            exp.Skewness,
            exp.Sqrt,
            exp.Stddev,
            exp.StddevPop,
            exp.StddevSamp,
            exp.Tan,
            exp.Tanh,
            exp.Trunc,
            exp.Variance,
            exp.VariancePop,
            exp.WidthBucket,
        ),
        _THIS,
    ),
    **dict.fromkeys(
        (exp.Atan2, exp.Corr, exp.CovarPop, exp.CovarSamp, exp.Log, exp.Pow),
        _BOTH,
    ),
}
"""Arguments that are numbers, by the function."""
_MOMENTS: _Places = {
    **dict.fromkeys((exp.DateAdd, exp.TimestampAdd, exp.TsOrDsAdd), _THIS),
    **dict.fromkeys((exp.DateDiff, exp.TimestampDiff), _BOTH),
}
_BY_NAME = {"LTRIM": 2, "RTRIM": 2, "INSERT": 1}
"""How many arguments from the first are texts, of functions that sqlglot knows by name only."""
_WRITTEN = frozenset({"FIXED", "REAL", "BOOLEAN", "VARIANT"}) | MOMENTS
"""Kinds whose values a function of texts takes as a cast writes them."""
_COMPARED = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.NullSafeEQ, exp.NullSafeNEQ)


_FRACTION = re.compile(r"\s*[+-]?\d*\.(\d+)\s*")


def casts(node: exp.Expr) -> Iterator[exp.Cast]:
    """Put casts in the place of arguments that are read as something else; yield each."""
    for argument in _arguments(node, TEXTS):
        found = infer(argument)
        if found is not None and found.kind in _WRITTEN:
            yield _cast(argument, "VARCHAR")
    for argument in _arguments(node, _NUMBERS):
        found = infer(argument)
        if found is not None and found.kind in ("TEXT", "VARIANT"):
            yield _cast(argument, "DOUBLE")
    for argument in _arguments(node, _MOMENTS):
        found = infer(argument)
        if found is not None and found.kind in ("TEXT", "VARIANT"):
            yield _cast(argument, "TIMESTAMP_NTZ")
    yield from _compared(node)
    for constant, kind in fractions.literals(node):
        yield _cast(constant, kind.kind)


def _meeting(node: exp.Expr) -> list[exp.Expr | None]:
    """List the values that are compared, or of which a node is one."""
    if isinstance(node, _COMPARED):
        return [node.this, node.expression]
    if isinstance(node, exp.In) and node.expressions:
        return [node.this, *node.expressions]
    if isinstance(node, exp.Between):
        return [node.this, node.args["low"], node.args["high"]]
    if isinstance(node, (exp.Coalesce, exp.Greatest, exp.Least)):
        return [node.this, *node.expressions]
    if isinstance(node, exp.Case):
        return [*(one.args.get("true") for one in node.args["ifs"]), node.args.get("default")]
    if isinstance(node, (exp.If, exp.Nvl2)):
        return [node.args.get("true"), node.args.get("false")]
    if isinstance(node, exp.DecodeCase):
        pairs = node.expressions[1:]
        return [*pairs[1::2], *(pairs[-1:] if len(pairs) % 2 else ())]
    return []


def _compared(node: exp.Expr) -> Iterator[exp.Cast]:
    """Read a text as what it meets; most constants DuckDB reads by itself."""
    sides = [side for side in _meeting(node) if side is not None]
    kinds = {found.kind for side in sides if (found := infer(side)) is not None}
    if "VARIANT" in kinds and isinstance(node, _BRANCHED):
        # DuckDB would read the text as a document: '1' as a number, 'x' as none.
        yield from (_cast(side, "VARIANT") for side in sides if _is_text(side))
        return
    others = kinds & TEXT_READ_AS.keys()
    if "TEXT" not in kinds or len(others) != 1:
        return
    (other,) = others
    for side in sides:
        found = infer(side)
        if found is None or found.kind != "TEXT":
            continue
        if not isinstance(side, exp.Literal):
            yield _cast(side, TEXT_READ_AS[other].sql)
        elif other == "FIXED" and (fraction := _FRACTION.fullmatch(side.name)):
            # DuckDB would round it to the whole number that it meets.
            yield _cast(side, f"DECIMAL(38, {min(len(fraction[1]), 37)})")


_BRANCHED = (exp.Coalesce, exp.Case, exp.If, exp.Nvl2, exp.DecodeCase)


def _is_text(value: exp.Expr) -> bool:
    found = infer(value)
    return found is not None and found.kind == "TEXT"


def _arguments(node: exp.Expr, listed: _Places) -> Iterator[exp.Expr]:
    for name in listed.get(type(node), ()):
        value = node.args.get(name)
        for argument in value if isinstance(value, list) else (value,):
            if isinstance(argument, exp.Expr):
                yield argument
    if listed is TEXTS and isinstance(node, exp.Anonymous):
        yield from node.expressions[: _BY_NAME.get(str(node.this).upper(), 0)]


def _cast(argument: exp.Expr, to: str) -> exp.Cast:
    made = exp.Cast(this=copied(argument), to=exp.DataType.build(to, dialect="snowflake"))
    argument.replace(made)
    return made
