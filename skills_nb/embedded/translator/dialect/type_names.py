"""What the type of a value is called.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/functions/typeof
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.translator.dialect import duck
from skills_nb.embedded.types.data_types import SfType
from skills_nb.embedded.types.inference import infer

HELD = "held"
"""Says of a VARIANT what was put into it, which JSON does not tell of moments and bytes."""
_TOLD = {"BINARY": "BINARY", "DATE": "DATE", "TIME": "TIME"}


def typeof(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/typeof."""
    found = infer(node.this)
    kind = node.this.meta.get(HELD) or (found.kind if found is not None else "")
    if told := kind if kind.startswith("TIMESTAMP") else _TOLD.get(kind):
        words = duck_sql.of("CASE WHEN :v IS NOT NULL THEN :told END")
        return duck.template(words, v=node.this, told=duck.text(told))
    return duck.template(
        duck_sql.of(
            "CASE json_type(:v) WHEN 'UBIGINT' THEN 'INTEGER' WHEN 'BIGINT' THEN 'INTEGER' "
            "WHEN 'HUGEINT' THEN 'INTEGER' WHEN 'DOUBLE' THEN 'DECIMAL' "
            "WHEN 'NULL' THEN 'NULL_VALUE' "
            "ELSE json_type(:v) END"
        ),
        v=duck.json(node.this) if not duck.is_variant(node.this) else node.this,
    )


def type_and_size(node: exp.Anonymous) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/system_typeof.

    Raises:
        SqlError: there is not exactly one argument (938), or its type is not known (0A000).
    """
    if len(node.expressions) != 1:
        raise errors.not_enough_arguments("SYSTEM$TYPEOF")
    found = infer(node.expressions[0])
    if found is None:
        raise errors.unsupported("SYSTEM$TYPEOF of this expression")
    return duck.text(f"{found.sql}[{_stored_as(found)}]")


def _stored_as(found: SfType) -> str:
    if found.kind == "FIXED":
        return next((f"SB{n}" for n, d in _BYTES if (found.precision or 38) <= d), "SB16")
    return _STORED.get(found.kind, "LOB")


_BYTES = ((1, 2), (2, 4), (4, 9), (8, 18))
_STORED = {
    "BOOLEAN": "SB1",
    "DATE": "SB4",
    "REAL": "DOUBLE",
    "TIME": "SB8",
    "TIMESTAMP_LTZ": "SB16",
    "TIMESTAMP_NTZ": "SB16",
    "TIMESTAMP_TZ": "SB16",
}
