"""Sizes: a value has 128 MB at most, and one that would have more is refused before it is made.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/data-types-text
"""

from __future__ import annotations

from functools import reduce

from sqlglot import exp

from skills_nb.embedded.errors.pipelines import wrong_routine
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.duck_sql import DuckSql
from skills_nb.embedded.translator.dialect import duck, early_sizes
from skills_nb.embedded.types.data_types import SEMI_STRUCTURED, SfType
from skills_nb.embedded.types.inference import infer
from skills_nb.embedded.types.lob_limit import MOST_BYTES

ROOM = "__room"
"""DuckDB's name of the question whether there is room for large values, by size and length."""
_SMALL = 1_000
"""A number of times or characters that a text can always have."""


_DECLARED = 16_777_216
"""Bytes of a text whose length is not declared, and of a document as they usually are."""
_TOGETHER = (exp.DPipe, exp.Concat, exp.ConcatWs, exp.Array, exp.ArrayConcat, exp.Stuff)
_AGGREGATES = (
    exp.GroupConcat,
    exp.ArrayAgg,
    exp.ObjectAgg,
    exp.ArrayUniqueAgg,
    exp.ArrayUnionAgg,
)
_GROWING = (*_TOGETHER, *_AGGREGATES, exp.Replace, exp.RegexpReplace, exp.Hex, exp.Base64Encode)
_HOLDERS = (exp.WithinGroup, exp.Window, exp.Filter)
_SIZE = {
    True: duck_sql.of("octet_length(__made)"),
    False: duck_sql.of("strlen(CAST(__made AS VARCHAR))"),
}
"""Bytes of a value, by whether it is binary."""
_REFUSAL = duck_sql.of(
    "error(concat('Max LOB size (', :most, ') exceeded, actual size of parsed column is ', :size))"
)
_BOUNDED = duck_sql.of(
    "list_transform([:value], lambda __made:"
    " CASE WHEN :size > :most THEN :refusal ELSE __made END)[1]"
)
_TEXT, _OLD, _NEW = (
    duck_sql.of("struct_extract(__made, {field})", field=duck_sql.text(field)) for field in "ton"
)
_REPLACED_SIZE = duck_sql.of(
    "(strlen({t}) + (strlen({t}) - strlen(replace({t}, {o}, ''))) // greatest(strlen({o}), 1)"
    " * (strlen({n}) - strlen({o})))",
    t=_TEXT,
    o=_OLD,
    n=_NEW,
)
_REPLACED = duck_sql.of(
    "list_transform([struct_pack(t := :text, o := :old, n := :new)], lambda __made: CASE"
    " WHEN strlen({t}) * strlen({n}) > :most AND :size > :most THEN :refusal"
    " ELSE replace({t}, {o}, {n}) END)[1]",
    t=_TEXT,
    o=_OLD,
    n=_NEW,
)
"""A text whose size is known before it is made."""
_ENCODED_SIZE = {
    exp.Hex: duck_sql.of("octet_length(__made) * 2"),
    exp.Base64Encode: duck_sql.of("(octet_length(__made) + 2) // 3 * 4"),
}
_ENCODED = {
    exp.Hex: duck_sql.of("hex(__made)"),
    exp.Base64Encode: duck_sql.of("to_base64(__made)"),
}
_MADE_OF = duck_sql.of(
    "list_transform([:parts], lambda __made:"
    " CASE WHEN :size > :most THEN :refusal ELSE :whole END)[1]"
)
"""A value whose parts are measured before they are put together."""


def may_be_too_large(node: exp.Expr) -> bool:
    """Return whether a value that is put together of others could have more than it may."""
    inner = node
    while isinstance(inner, _HOLDERS):
        inner = inner.this
    if not isinstance(inner, _GROWING):
        return False
    parent = node.parent
    is_part = isinstance(parent, _HOLDERS) or (
        isinstance(parent, (exp.DPipe, exp.Concat)) and isinstance(node, (exp.DPipe, exp.Concat))
    )
    return not is_part and _most(inner) > MOST_BYTES


def bounded(made: exp.Expr, kind: SfType | None, of_rows: exp.Expr | None = None) -> exp.Expr:
    """Refuse a value of more than 128 MB; `of_rows` sums up the sizes of what is aggregated."""
    if isinstance(made, exp.Replace):
        parts = (made.this, made.expression, made.args.get("replacement") or duck.text(""))
        text, old, new = (duck.cast(part, "VARCHAR") for part in parts)
        found = _refusing(_REPLACED, _REPLACED_SIZE, text=text, old=old, new=new)
        return duck.cast(found, "VARCHAR")
    held = "" if kind is None else kind.kind
    if isinstance(made, (exp.Hex, exp.Base64Encode)):
        return _encoded(made)
    if isinstance(made, exp.DPipe) and held == "TEXT":
        return _joined(made)
    found = _refusing(_BOUNDED, _SIZE[held == "BINARY"], value=made)
    found = early_sizes.guarded(found, of_rows)
    # What an element of a list is, is not known: functions of texts would read a document.
    return duck.cast(found, "VARCHAR") if held == "TEXT" else found


def _encoded(made: exp.Hex | exp.Base64Encode) -> exp.Expr:
    """Measure bytes before their digits are written."""
    known = infer(made.this)
    is_binary = known is not None and known.kind == "BINARY"
    given = made.this if is_binary else duck.call("encode", duck.cast(made.this, "VARCHAR"))
    whole, size = duck.template(_ENCODED[type(made)]), _ENCODED_SIZE[type(made)]
    return duck.cast(_refusing(_MADE_OF, size, parts=given, whole=whole), "VARCHAR")


def _joined(made: exp.DPipe) -> exp.Expr:
    """Measure texts before they are put together, however many there are."""
    parts = [duck.cast(part, "VARCHAR") for part in made.flatten()]
    each = [_part(number) for number in range(len(parts))]
    packed = duck.call("struct_pack", *(_named(n, part) for n, part in enumerate(parts)))
    sizes: list[exp.Expr] = [duck.call("strlen", part) for part in each]
    size = reduce(_added, sizes)
    whole = reduce(_piped, each)
    refusal = duck.template(_REFUSAL, size=size, most=_limit())
    found = duck.template(
        _MADE_OF, parts=packed, size=size, most=_limit(), refusal=refusal, whole=whole
    )
    return duck.cast(found, "VARCHAR")


def _named(number: int, part: exp.Expr) -> exp.Expr:
    return exp.PropertyEQ(this=exp.to_identifier(f"p{number}"), expression=part)


def _part(number: int) -> exp.Expr:
    return duck.call("struct_extract", exp.column("__made"), duck.text(f"p{number}"))


def _added(left: exp.Expr, right: exp.Expr) -> exp.Expr:
    return exp.Add(this=left, expression=right)


def _piped(left: exp.Expr, right: exp.Expr) -> exp.Expr:
    return exp.DPipe(this=left, expression=right, safe=True)


def _refusing(template: DuckSql, size: DuckSql, **parts: exp.Expr) -> exp.Expr:
    told = duck.template(size)
    refusal = duck.template(_REFUSAL, size=told, most=_limit())
    return duck.template(template, size=told, refusal=refusal, most=_limit(), **parts)


def _most(node: exp.Expr) -> int:
    """Return how many bytes a value has at most, as far as its expression tells."""
    match node:
        case exp.Literal():
            return 4 * len(node.name)
        case exp.Repeat():
            times = node.args["times"]
            return _most(node.this) * int(times.name) if _is_literal(times) else MOST_BYTES
        case exp.Space():
            return int(node.this.name) if _is_literal(node.this) else MOST_BYTES
        case exp.Pad():
            length = node.expression
            return 4 * int(length.name) if _is_literal(length) else MOST_BYTES
        case exp.Replace() | exp.RegexpReplace():
            new = node.args.get("replacement")
            return _most(node.this) * max(1, _most(new) if isinstance(new, exp.Expr) else 0)
        case exp.Hex() | exp.Base64Encode():
            return 2 * _most(node.this)
        case exp.Column() | exp.Subquery() | exp.Anonymous():
            return _of_type(node)
        case _:
            return MOST_BYTES + 1 if isinstance(node, _AGGREGATES) else _of_parts(node)


def _of_parts(node: exp.Expr) -> int:
    if isinstance(node, _TOGETHER) or infer(node) is None:
        return sum(map(_most, node.iter_expressions()))
    return _of_type(node)


def _of_type(node: exp.Expr) -> int:
    found = infer(node)
    if found is not None and found.kind in ("TEXT", "BINARY"):
        return found.length or _DECLARED
    return _DECLARED if found is None or found.kind in SEMI_STRUCTURED else _SMALL


def _is_literal(number: exp.Expr) -> bool:
    return isinstance(number, exp.Literal) and number.is_int


def repeated(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/repeat."""
    times = node.args["times"]
    if not _is_small(times):
        bounded = duck_sql.of(
            "CASE WHEN CAST(strlen(:text) AS HUGEINT) * :n > :most THEN error(concat("
            "'Max LOB size (', :most, ') exceeded, actual size of parsed column is ',"
            " CAST(CAST(strlen(:text) AS HUGEINT) * :n AS HUGEINT)))"
            " WHEN CAST(strlen(:text) AS HUGEINT) * :n > 1000000"
            " THEN __room(CAST(strlen(:text) * :n AS BIGINT), CAST(:n AS BIGINT)) ELSE :n END"
        )
        found = duck.template(
            bounded, text=duck.cast(node.this, "VARCHAR"), n=_whole(times), most=_limit()
        )
        times.replace(duck.cast(found, "BIGINT"))
    return node


def spaces(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/space."""
    return repeated(exp.Repeat(this=duck.text(" "), times=node.this.copy()))


def padded(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/lpad.

    Raises:
        SqlError: bytes are padded with something else, or with nothing (1044).
    """
    length = node.args.get("expression")
    if isinstance(length, exp.Expr):
        _bound_length(length)
    kinds = [found.kind if found else "" for found in map(infer, _texts_of(node))]
    if kinds[0] != "BINARY" or not isinstance(length, exp.Expr):
        return _padded_text(node)
    if kinds[1:] != ["BINARY"]:
        raise wrong_routine("LPAD" if node.args.get("is_left") else "RPAD", ", ".join(kinds))
    return _padded_bytes(node, node.args["fill_pattern"])


def _padded_text(node: exp.Expr) -> exp.Expr:
    """Pad with nothing, too, which only cuts."""
    fill = node.args.get("fill_pattern")
    if fill is None or (isinstance(fill, exp.Literal) and fill.name):
        return node
    cut = duck.call("left", node.this, node.expression)
    empty = exp.EQ(this=duck.cast(fill, "VARCHAR"), expression=duck.text(""))
    return exp.Case(ifs=[exp.If(this=empty, true=cut)], default=node.copy())


def random_text(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/randstr."""
    _bound_length(node.this)
    return node


def _bound_length(length: exp.Expr) -> None:
    """Refuse a length of more bytes than a value may have, before the value is made."""
    if not _is_small(length):
        bounded = duck_sql.of(
            "CASE WHEN :n > :most THEN error(concat('Max LOB size (', :most,"
            " ') exceeded, actual size of parsed column is ', :n)) WHEN :n > 1000000"
            " THEN __room(CAST(:n AS BIGINT), CAST(:n AS BIGINT)) ELSE :n END"
        )
        found = duck.template(bounded, n=_whole(length), most=_limit())
        length.replace(duck.cast(found, "INTEGER"))


def _texts_of(node: exp.Expr) -> list[exp.Expr]:
    return [one for one in (node.this, node.args.get("fill_pattern")) if one is not None]


def _padded_bytes(node: exp.Expr, fill: exp.Expr) -> exp.Expr:
    """Pad the two digits of each byte."""
    digits = exp.Pad(
        this=duck.call("hex", node.this),
        expression=exp.Mul(this=node.expression.copy(), expression=exp.Literal.number(2)),
        fill_pattern=duck.call("hex", fill),
        is_left=node.args.get("is_left"),
    )
    return duck.call("unhex", digits)


def ranged(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/array_generate_range."""
    if isinstance(node.parent, exp.Table):
        return node  # Rows, of which there may be any number.
    first, end = node.args.get("start"), node.args.get("end")
    if isinstance(step := node.args.get("step"), exp.Expr) and not _is_given(step):
        step.replace(duck.template(_STEP, n=step))
    if isinstance(first, exp.Expr) and isinstance(end, exp.Expr) and not _is_small(end):
        # Each number has a digit and a comma.
        bounded = duck_sql.of(
            "CASE WHEN (:e - :s) * 2 > :most THEN error(concat('Max LOB size (', :most,"
            " ') exceeded, actual size of parsed column is ', (:e - :s) * 2)) ELSE :e END"
        )
        found = duck.template(bounded, s=_whole(first), e=_whole(end), most=_limit())
        end.replace(duck.cast(found, "BIGINT"))
    return node


_STEP = duck_sql.of(
    "CASE WHEN CAST(:n AS BIGINT) = 0 THEN error('ARRAY_GENERATE_RANGE has a step of 0') "
    "ELSE CAST(:n AS BIGINT) END"
)


def _is_given(step: exp.Expr) -> bool:
    value = step.this if isinstance(step, exp.Neg) else step
    return isinstance(value, exp.Literal) and value.name != "0"


def _whole(number: exp.Expr) -> exp.Expr:
    return duck.cast(exp.Paren(this=number.copy()), "HUGEINT")


def _is_small(number: exp.Expr) -> bool:
    value = number.this if isinstance(number, exp.Neg) else number
    return isinstance(value, exp.Literal) and value.is_int and int(value.name) <= _SMALL


def _limit() -> exp.Expr:
    return exp.Literal.number(MOST_BYTES)
