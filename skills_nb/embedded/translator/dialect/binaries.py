"""Functions that cut and join bytes as they do texts.

Room: embedded. Pure. DuckDB has some of them for texts alone, so that digits are cut in pairs.

See https://docs.snowflake.com/en/sql-reference/data-types-text (binary data types)
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.duck_sql import DuckSql
from skills_nb.embedded.translator.dialect import duck
from skills_nb.embedded.types.inference import infer
from skills_nb.embedded.types.tree_copies import copied

_DIGITS = duck_sql.of("hex(CAST(:v AS BLOB))")
_START = duck_sql.of(
    "CAST(CASE WHEN :n > 0 THEN 2 * :n - 1 WHEN -:n > length(:d) / 2 THEN length(:d) + 1"
    " ELSE 2 * :n END AS BIGINT)"
)
_TWICE = duck_sql.of("CAST(2 * :n AS BIGINT)")
_BYTES = duck_sql.of("octet_length(CAST(:v AS BLOB))")
_BITS = duck_sql.of("8 * octet_length(CAST(:v AS BLOB))")
_TURNED = duck_sql.of(
    "CASE WHEN :v IS NOT NULL THEN unhex(coalesce(array_to_string(list_reverse("
    "regexp_extract_all(hex(CAST(:v AS BLOB)), '..')), ''), '')) END"
)
_WITHIN = duck_sql.of("CASE WHEN :n < -length(:v) THEN length(:v) + 1 ELSE :n END")
"""Where to begin, counted from an end that may be nearer: there is nothing then."""
_COUNTED: dict[type[exp.Expr], DuckSql] = {
    exp.BitLength: _BITS,
    exp.ByteLength: _BYTES,
    exp.Length: _BYTES,
    exp.Reverse: _TURNED,
}
CUT = (*_COUNTED, exp.Left, exp.Right, exp.Substring)
JOINED = (exp.DPipe, exp.Concat)


def cut(node: exp.Expr) -> exp.Expr:
    """Count or cut the bytes of a BINARY.

    See https://docs.snowflake.com/en/sql-reference/functions/substr

    Raises:
        SqlError: it is not said where to begin (938).
    """
    if isinstance(node, exp.Substring) and node.args.get("start") is None:
        # The parser reads it in a way of its own, which counts nothing.
        raise errors.wrong_argument_count("SUBSTR", 2, 3, 1)
    if not is_binary(node.this):
        return _from_its_end(node) if isinstance(node, exp.Substring) else node
    if (counted := _COUNTED.get(type(node))) is not None:
        return duck.template(counted, v=node.this)
    digits = duck.template(_DIGITS, v=node.this)
    match node:
        case exp.Left() | exp.Right():
            name = "left" if isinstance(node, exp.Left) else "right"
            made = duck.call(name, digits, duck.template(_TWICE, n=node.expression))
        case _:
            given = [duck.template(_START, n=node.args["start"], d=digits)]
            if (length := node.args.get("length")) is not None:
                given.append(duck.template(_TWICE, n=length))
            made = duck.call("substr", digits, *given)
    return duck.call("unhex", made)


def _from_its_end(node: exp.Substring) -> exp.Expr:
    start = node.args["start"]
    if not isinstance(start, exp.Literal):
        text = duck.as_text(node.this) if duck.is_variant(node.this) else node.this
        held = duck.cast(text, "VARCHAR")
        start.replace(duck.template(_WITHIN, n=duck.cast(start, "BIGINT"), v=held))
    return node


DIGESTS: dict[type[exp.Expr], DuckSql] = {
    exp.MD5: duck_sql.of("md5(CAST(:v AS BLOB))"),
    exp.SHA: duck_sql.of("sha1(CAST(:v AS BLOB))"),
    exp.SHA2: duck_sql.of("sha256(CAST(:v AS BLOB))"),
}


def digested(node: exp.Expr) -> exp.Expr:
    """Digest bytes, not the digits that they are written with.

    See https://docs.snowflake.com/en/sql-reference/functions/sha2

    Raises:
        SqlError: a digest of bytes is to have another size than 256 (0A000).
    """
    if not is_binary(node.this):
        return node
    length = node.args.get("length")
    if length is not None and length.name not in ("0", "256"):
        raise errors.unsupported("SHA2 of a BINARY with a digest size other than 256")
    return duck.template(DIGESTS[type(node)], v=node.this)


def joined(node: exp.Expr) -> exp.Expr:
    """Put bytes together; one value alone is a text, too.

    See https://docs.snowflake.com/en/sql-reference/functions/concat
    """
    parts = list(node.iter_expressions())
    if len(parts) == 1 and not is_binary(parts[0]) and not duck.is_variant(parts[0]):
        return duck.cast(duck.printed(parts[0]) or parts[0], "VARCHAR")
    if not parts or not all(is_binary(part) for part in parts):
        return node
    made = parts[0]
    for part in parts[1:]:
        made = exp.DPipe(this=made.copy(), expression=part.copy())
    return duck.cast(exp.Paren(this=made), "BLOB")


def encoded(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/base64_encode.

    sqlglot's generator reads a text as bytes where it knows itself that it is one.
    """
    found = infer(node.this)
    is_known = node.this.is_type(*exp.DataType.TEXT_TYPES)
    if found is not None and found.kind == "TEXT" and not is_known:
        node.set("this", exp.Encode(this=copied(node.this)))
    return node


def is_binary(value: exp.Expr) -> bool:
    """Tell whether the tree knows that a value is bytes."""
    found = infer(value)
    return found is not None and found.kind == "BINARY"
