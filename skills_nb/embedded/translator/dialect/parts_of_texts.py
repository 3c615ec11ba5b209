"""Parts of texts: split, and put together again.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/functions-string
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.translator.dialect import duck
from skills_nb.embedded.types.lob_limit import MOST_BYTES


def array_to_string(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/array_to_string."""
    short = isinstance(node.expression, exp.Literal) and len(node.expression.name) <= _SHORT
    given = node.this if short else duck.template(_ROOM_FOR_DELIMITERS, **_joining(node))
    return duck.template(
        duck_sql.of(
            "CASE WHEN :s IS NOT NULL THEN array_to_string("
            "list_transform(from_json(:a, '[\"VARCHAR\"]'), x -> coalesce(x, '')), :s) END"
        ),
        a=given,
        s=node.expression,
    )


def _joining(node: exp.Expr) -> dict[str, exp.Expr]:
    return {"a": node.this, "s": node.expression, "most": exp.Literal.number(MOST_BYTES)}


_SHORT = 8
"""Characters of a delimiter that cannot make a document of 128 MB a text of many times that."""
_DELIMITERS = duck_sql.of("CAST(json_array_length(:a) AS HUGEINT) * strlen(:s) - strlen(:s)")
_ROOM_FOR_DELIMITERS = duck_sql.of(
    "CASE WHEN {size} > :most THEN error(concat('Max LOB size (', :most, ') exceeded, actual size"
    " of parsed column is ', {size})) ELSE :a END",
    size=_DELIMITERS,
)


def split(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/split."""
    # DuckDB cannot be interrupted while it splits one text, and it tries all cases of constants.
    return duck.template(
        duck_sql.of(
            "CAST(CASE WHEN :s IS NULL OR :d IS NULL THEN NULL WHEN :d = '' THEN to_json([:s])"
            " WHEN strlen(:s) > 1000000 THEN :slowly"
            " ELSE to_json(string_split(CASE WHEN strlen(:s) <= 1000000 THEN :s END, :d)) END"
            " AS JSON)"
        ),
        s=node.this,
        d=node.expression,
        slowly=duck.native("split", node.this, node.expression, to="VARCHAR"),
    )
