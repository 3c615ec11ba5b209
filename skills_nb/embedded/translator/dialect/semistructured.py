"""Semi-structured data: VARIANT, OBJECT and ARRAY as JSON.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/functions-semistructured
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.errors.pipelines import wrong_routine
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.translator.dialect import duck, fitting, moments, numbers, object_values
from skills_nb.embedded.translator.dialect.type_names import HELD
from skills_nb.embedded.types.data_types import PLACES, SEMI_STRUCTURED, TEXT
from skills_nb.embedded.types.inference import KIND, infer

TEXT_USERS = (
    exp.Upper,
    exp.Lower,
    exp.Length,
    exp.DPipe,
    exp.Concat,
    exp.Substring,
    exp.Trim,
    exp.Like,
    exp.ILike,
    exp.RegexpLike,
    exp.RegexpReplace,
    exp.SHA,
    exp.SHA2,
    exp.MD5,
    exp.Left,
    exp.Right,
    exp.StartsWith,
    exp.EndsWith,
    exp.Contains,
    exp.StrPosition,
    exp.Replace,
    exp.Initcap,
    exp.SplitPart,
)


_NOT_HELD = (exp.DType.VECTOR, exp.DType.FILE)


def cast_from_variant(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/cast (from VARIANT).

    Raises:
        SqlError: the account holds no such type (0A000).
    """
    assert isinstance(node, exp.Cast)
    if node.to.this in _NOT_HELD:
        raise errors.unsupported(f"data type {node.to.sql('snowflake')}")
    target = infer(node)
    if target is not None and target.kind == "BINARY":
        return fitting.room(_as_bytes(node), node)
    if target is not None and target.kind in PLACES and node.to.this != exp.DType.JSON:
        known = infer(node.this)
        if known is None or known.kind not in PLACES:
            return duck.geography(node.this, safe=isinstance(node, exp.TryCast))
    if target is None or not duck.is_variant(node.this):
        read = moments.from_text(node)
        if read is not node:
            return read
        if (as_bytes := moments.bytes_of_text(node)) is not node:
            return as_bytes
        held = numbers.physical(node)
        return held if held is not node else _cast_to_variant(node)
    if target.kind in SEMI_STRUCTURED:
        return object_values.of_type(duck.cast(node.this, "JSON"), node)
    text = duck.as_text(node.this)
    if target.kind == "TEXT":
        return fitting.room(text, node)
    made = exp.TryCast if isinstance(node, exp.TryCast) else exp.Cast
    text.meta[KIND] = TEXT
    if target.kind == "BINARY":
        return moments.bytes_of_text(made(this=text, to=node.to.copy()))
    if target.kind == "BOOLEAN":
        return _truth(text, node)
    return moments.from_text(numbers.physical(made(this=text, to=node.to.copy())))


_ANY_BYTES = duck_sql.of(
    "CASE WHEN typeof(:v) = 'BLOB' THEN CAST(:v AS BLOB) "
    "ELSE unhex(__native('binary', CAST(:v AS VARCHAR), 'HEX', FALSE)) END"
)


def _as_bytes(node: exp.Cast) -> exp.Expr:
    """Read a text as two digits a byte.

    See https://docs.snowflake.com/en/sql-reference/binary-input-output

    Raises:
        SqlError: the value is no text and no bytes (1044).
    """
    value = duck.as_text(node.this) if duck.is_variant(node.this) else node.this
    found = infer(node.this)
    if isinstance(value, exp.Null) or (found is not None and found.kind == "BINARY"):
        return duck.cast(value, "BLOB")
    if found is None:
        return duck.template(_ANY_BYTES, v=value)
    if found.kind not in ("TEXT", "VARIANT"):
        raise wrong_routine("TO_BINARY", found.sql)
    safe = isinstance(node, exp.TryCast)
    return moments.to_binary(exp.ToBinary(this=value.copy(), safe=safe))


def _cast_to_variant(node: exp.Cast) -> exp.Expr:
    target = infer(node)
    if target is not None and target.kind == "TEXT":
        said = duck.printed(node.this)
        made = fitting.room(said or node.this, node)
        return node if made is node.this else made
    if target is not None and target.kind == "BOOLEAN" and is_text(node.this):
        return _truth(node.this, node)
    if target is None or target.kind not in SEMI_STRUCTURED or node.to.this == exp.DType.JSON:
        return node
    return object_values.of_type(to_variant(node), node)


def is_text(value: exp.Expr) -> bool:
    """Tell whether the tree knows that a value is a text."""
    found = infer(value)
    return found is not None and found.kind == "TEXT"


_TRUTH = duck_sql.of("CASE lower(:v) WHEN 'on' THEN TRUE WHEN 'off' THEN FALSE ELSE :read END")


def _truth(text: exp.Expr, node: exp.Cast) -> exp.Expr:
    """Read the words that DuckDB lacks, too.

    See https://docs.snowflake.com/en/sql-reference/functions/to_boolean
    """
    read = type(node)(this=text.copy(), to=duck.physical("BOOLEAN"))
    return duck.template(_TRUTH, v=text, read=read)


def texts_of_variants(node: exp.Expr) -> exp.Expr:
    """Text functions read a VARIANT as VARCHAR."""
    for child in list(node.iter_expressions()):
        if duck.is_variant(child):
            child.replace(duck.as_text(child))
        elif isinstance(child, exp.Null):
            child.replace(duck.cast(child, "VARCHAR"))
        elif (written := duck.printed(child)) is not None:
            child.replace(written)
        elif isinstance(node, (exp.Concat, exp.DPipe)) and _is_truth(child):
            # Joined by ||, the sides of a comparison would be cut off from each other.
            child.replace(duck.cast(child, "VARCHAR"))
    return node


def _is_truth(value: exp.Expr) -> bool:
    found = infer(value)
    return found is not None and found.kind == "BOOLEAN"


def numbers_of_variants(node: exp.Expr) -> exp.Expr:
    """Arithmetic reads a VARIANT or a text as a number."""
    for child in (node.this, node.expression):
        if duck.is_variant(child):
            child.replace(duck.cast(duck.as_text(child), "DOUBLE"))
        elif (found := infer(child)) is not None and found.kind == "TEXT":
            child.replace(duck.cast(child, numbers.number_in(child)))
    return node


def collate(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/collation.

    Raises:
        SqlError: the collation is of a language other than English, or has another rule (0A000).
    """
    said = node.expression.name.lower()
    words = set(said.split("-")) - {"en", "utf8", "cs", "as", ""}
    if words - {"ci", "ai", "upper", "lower"}:
        raise errors.unsupported(f"collation '{said}'")
    if isinstance(
        node.find_ancestor(exp.Greatest, exp.Least, exp.Query), (exp.Greatest, exp.Least)
    ):
        raise errors.unsupported("a collation in GREATEST and LEAST")
    rules = ["NOCASE"] if words & {"ci", "upper", "lower"} else []
    rules += ["NOACCENT"] if "ai" in words else []
    rules += ["en"] if said.startswith("en") else []  # whose order is not that of the bytes
    if not rules:
        made: exp.Expr = node.this
        return made
    return exp.Collate(this=node.this.copy(), expression=exp.var(".".join(rules)))


def array(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/array_construct."""
    return duck.cast(_listed(node), "JSON")


def to_variant(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/to_variant."""
    made, found = duck.json(node.this), infer(node.this)
    if found is not None:
        made.meta[HELD] = found.kind
    return made


_OF_ONE = duck_sql.of("CASE WHEN :v IS NOT NULL THEN CAST(json_array(:v) AS JSON) END")
_OF_DOCUMENT = duck_sql.of(
    "CASE json_type(:v) WHEN 'ARRAY' THEN :v WHEN 'NULL' THEN NULL ELSE {one} END", one=_OF_ONE
)


def to_array(node: exp.Expr) -> exp.Expr:
    """Leave an array alone, and make one of anything else.

    See https://docs.snowflake.com/en/sql-reference/functions/to_array
    """
    if duck.is_variant(node.this):
        return duck.template(_OF_DOCUMENT, v=node.this)
    return duck.template(_OF_ONE, v=duck.shown(node.this) or node.this)


def array_construct_compact(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/array_construct_compact."""
    return duck.native("array_compact", _listed(node))


def _listed(node: exp.Expr) -> exp.Expr:
    return duck.call("json_array", *(duck.shown(one) or one for one in node.expressions))


def as_decimal(node: exp.Anonymous) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/as_decimal-number.

    Raises:
        SqlError: it has no argument (938), or precision and scale are no whole numbers (1014).
    """
    if not node.expressions:
        raise errors.not_enough_arguments(str(node.this).upper())
    value, *sizes = node.expressions
    if not all(isinstance(n, exp.Literal) and n.name.isdecimal() for n in sizes):
        raise errors.invalid_argument("Precision and scale are whole numbers")
    digits, after = (int(n.name) for n in (*sizes, *_NUMBER[len(sizes) :]))
    to = f"DECIMAL({digits},{after})" if after else "HUGEINT"
    return duck.template(
        duck_sql.of(
            "CASE WHEN json_type(:v) IN ('UBIGINT', 'BIGINT', 'HUGEINT', 'DOUBLE') THEN :n END"
        ),
        v=value,
        n=duck.cast(duck.as_text(value), to),
    )


_NUMBER = (exp.Literal.number(38), exp.Literal.number(0))
"""Digits, and digits after the point, of a NUMBER that says nothing of them."""


def listed_texts(node: exp.Expr) -> exp.Expr:
    """Write what LISTAGG puts together as texts, the moments of ARRAY_AGG as documents do.

    See https://docs.snowflake.com/en/sql-reference/functions/listagg
    """
    value = node.this.this if isinstance(node.this, exp.Order) else node.this
    value = value.expressions[0] if isinstance(value, exp.Distinct) else value
    is_text = isinstance(node, exp.GroupConcat)
    if is_text and duck.is_variant(value):
        value.replace(duck.as_text(value))
        return node
    write = duck.printed if is_text else duck.shown
    if (written := write(value)) is not None:
        value.replace(written)
    elif isinstance(value, exp.JSONExtract):  # of which is asked, too, whether it is NULL
        value.replace(exp.Paren(this=value.copy()))
    return node


def joined_texts(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/listagg; nothing gives ''."""
    around = (exp.WithinGroup, exp.Window, exp.Filter)
    inner = node
    while isinstance(inner, around):
        inner = inner.this
    if not isinstance(inner, exp.GroupConcat) or isinstance(node.parent, around):
        return node
    made = exp.Coalesce(this=node.copy(), expressions=[duck.text("")])
    made.meta[KIND] = TEXT
    return made


def array_agg(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/array_agg; nothing gives []."""
    inner = node.this if isinstance(node, (exp.WithinGroup, exp.Window, exp.Filter)) else node
    wrapped = isinstance(node.parent, (exp.WithinGroup, exp.Window, exp.Filter))
    if not isinstance(inner, (exp.ArrayAgg, exp.WithinGroup)) or wrapped:
        return node
    if isinstance(inner, exp.WithinGroup) and not isinstance(inner.this, exp.ArrayAgg):
        return node
    for one in node.find_all(exp.ArrayAgg):
        listed_texts(one)
    listed = duck.call("to_json", node)
    return duck.cast(exp.Coalesce(this=listed, expressions=[duck.text("[]")]), "JSON")


def array_size(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/array_size."""
    return duck.template(
        duck_sql.of(
            "CASE WHEN json_type(:v) = 'ARRAY' THEN CAST(json_array_length(:v) AS BIGINT) END"
        ),
        v=node.this,
    )


def array_contains(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/array_contains."""
    value = node.expression if duck.is_variant(node.expression) else duck.json(node.expression)
    return duck.template(
        duck_sql.of("list_contains(from_json(:a, '[\"JSON\"]'), :v)"), a=node.this, v=value
    )


def parse_json(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/parse_json."""
    safe = exp.true() if node.args.get("safe") else exp.false()
    mode = node.expression
    keeps_last = isinstance(mode, exp.Literal) and mode.name.lower() == "d"
    loose = duck.native("json", node.this, safe, exp.true() if keeps_last else exp.false())
    return duck.template(_PARSED, v=node.this, loose=loose)


_PARSED = duck_sql.of(
    "CASE WHEN json_valid(:v) THEN CASE"
    " WHEN regexp_matches(:v, '[\\s\\\\]|,[\\]}]|\\.[0-9]*0([^0-9]|$)') THEN :loose"
    " WHEN NOT contains(:v, '{') THEN CAST(:v AS JSON)"
    " WHEN contains(substr(:v, strpos(:v, '{') + 1), '{') OR json_type(:v) <> 'OBJECT' THEN :loose"
    " WHEN list_sort(list_distinct(json_keys(:v))) = json_keys(:v) THEN CAST(:v AS JSON)"
    " ELSE :loose END ELSE :loose END"
)
"""DuckDB reads what is as equal documents are: no blanks, keys in order, no zeros at an end."""


def filtered(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/filter."""
    return _over_elements("list_filter", node.this, node.expression)


def transformed(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/transform."""
    return _over_elements("list_transform", node.this, node.expression)


def _over_elements(name: str, value: exp.Expr, function: exp.Expr) -> exp.Expr:
    """Call a DuckDB function with a lambda over the elements of an array."""
    return duck.json(duck.call(name, _elements(value), function))


def _elements(value: exp.Expr) -> exp.Expr:
    return duck.template(duck_sql.of("from_json(:v, '[\"JSON\"]')"), v=value)


def reduced(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/reduce.

    Raises:
        SqlError: what combines the elements is no lambda (1014).
    """
    function = node.args["merge"].copy()
    if not isinstance(function, exp.Lambda):
        raise errors.invalid_argument("REDUCE needs a lambda expression: (acc, x) -> acc + x")
    function.set("this", duck.json(function.this))
    initial = node.args["initial"]
    found = infer(initial)
    made = duck.call("list_reduce", _elements(node.this), function, duck.json(initial))
    return duck.template(_REDUCED.get(found.kind if found else "", _AS_JSON), v=made)


_AS_JSON = duck_sql.of("CAST(:v AS JSON)")
_REDUCED = {
    "TEXT": duck_sql.of("(:v ->> '$')"),
    "FIXED": duck_sql.of("CAST(:v AS DOUBLE)"),
    "REAL": duck_sql.of("CAST(:v AS DOUBLE)"),
    "BOOLEAN": duck_sql.of("CAST(:v AS BOOLEAN)"),
}
"""A kind of initial value to how what was combined is of its type."""
