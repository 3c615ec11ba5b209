"""Building blocks: DuckDB calls and casts as trees.

Room: embedded. Pure.
"""

from __future__ import annotations

from functools import lru_cache

import sqlglot
from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.duck_sql import DuckSql
from skills_nb.embedded.translator.python_functions import CALL
from skills_nb.embedded.types.data_types import LTZ, SEMI_STRUCTURED
from skills_nb.embedded.types.inference import KIND, infer
from skills_nb.embedded.types.tree_copies import copied, placeable


def _moment(of: DuckSql) -> DuckSql:
    """Write a moment without a zone."""
    return duck_sql.of("strftime({of}, '%Y-%m-%d %H:%M:%S.%g')", of=of)


def _zoned(instant: DuckSql) -> DuckSql:
    """Write an instant with its offset; DuckDB writes one as +00 or +05:30."""
    return duck_sql.of(
        "({moment} || ' ' || \"left\"(replace(strftime({at}, '%z'), ':', '') || '00', 5))",
        moment=_moment(instant),
        at=instant,
    )


def _time(of: DuckSql) -> DuckSql:
    """Write a time of day to the second: DuckDB's own words hold its fraction."""
    return duck_sql.of("strftime(DATE '1970-01-01' + {of}, '%H:%M:%S')", of=of)


def _read_as(kind: DuckSql) -> DuckSql:
    """Read a value of any type as one type, NULL where it is none of it."""
    return duck_sql.of("TRY_CAST(CAST(:v AS VARCHAR) AS {kind})", kind=kind)


_V = duck_sql.of(":v")
_LTZ = duck_sql.of("TIMESTAMP WITH TIME ZONE")
_TZ = duck_sql.of("STRUCT(t {instant}, o SMALLINT)", instant=_LTZ)
_SHOWN = {
    "BINARY": duck_sql.of("hex(:v)"),
    "TIMESTAMP_NTZ": _moment(_V),
    "TIMESTAMP_LTZ": _zoned(_V),
}
_PRINTED = {
    "REAL": duck_sql.of("regexp_replace(CAST(:v AS VARCHAR), '\\.0$', '')"),
    "TIME": _time(duck_sql.of("CAST(:v AS TIME)")),
}
"""What a text says less of than a document, which keeps all digits."""

_COERCED = duck_sql.of(
    "CASE typeof(:v) WHEN 'VARCHAR' THEN {text} "
    "WHEN 'JSON' THEN json_extract_string({json}, '$') "
    "WHEN 'DOUBLE' THEN {real} "
    "WHEN 'BLOB' THEN hex({bytes}) "
    "WHEN 'TIME' THEN {time} "
    "WHEN 'TIMESTAMP' THEN {moment} "
    "WHEN '{ltz}' THEN {zoned} "
    "WHEN '{tz}' THEN __native('to_char', {with_zone}) "
    "ELSE {text} END",
    text=duck_sql.of("CAST(:v AS VARCHAR)"),
    json=_read_as(duck_sql.kind("JSON")),
    real=_PRINTED["REAL"],
    bytes=_read_as(duck_sql.kind("BLOB")),
    time=_time(_read_as(duck_sql.kind("TIME"))),
    moment=_moment(_read_as(duck_sql.kind("TIMESTAMP"))),
    zoned=_zoned(_read_as(_LTZ)),
    ltz=_LTZ,
    tz=_TZ,
    with_zone=_read_as(_TZ),
)


def call(name: str, *arguments: exp.Expr) -> exp.Anonymous:
    """Call a DuckDB function."""
    return exp.Anonymous(this=name, expressions=[placeable(a) for a in arguments])


def native(name: str, *arguments: exp.Expr, to: str = "JSON") -> exp.Expr:
    """Call a function of `python_functions`, whose answer is read as a DuckDB type."""
    made = call(CALL, text(name), *arguments)
    return made if to == "VARCHAR" else cast(made, to)


def text(value: str) -> exp.Literal:
    """Make a string constant."""
    return exp.Literal.string(value)


@lru_cache(maxsize=64)
def _physical(name: str) -> exp.DataType:
    parsed = sqlglot.parse_one(f"CAST(x AS {name})", read="duckdb")
    assert isinstance(parsed, exp.Cast)
    return parsed.to


def physical(name: str) -> exp.DataType:
    """Return the tree of a DuckDB type."""
    return copied(_physical(name))


def cast(value: exp.Expr, kind: str) -> exp.Cast:
    """Cast to a DuckDB type by its name."""
    made = exp.Cast(this=placeable(value), to=copied(_physical(kind)))
    if kind == "TIMESTAMPTZ":  # which is another type in Snowflake's words
        made.meta[KIND] = LTZ
    return made


def json(value: exp.Expr) -> exp.Cast:
    """Make a value JSON: texts and moments become JSON strings, JSON stays."""
    return cast(call("to_json", shown(value) or value), "JSON")


def geography(value: exp.Expr, *, safe: bool = False) -> exp.Expr:
    """Read a text or a document as GeoJSON; `safe` makes NULL of what is none."""
    given = [cast(value, "VARCHAR"), *([exp.true()] if safe else [])]
    return native("geography", *given)


def shown(value: exp.Expr) -> exp.Expr | None:
    """Write a moment or bytes as Snowflake prints them; None for what DuckDB prints alike."""
    found = infer(value)
    if found is not None and found.kind == "TIMESTAMP_TZ":
        return native("to_char", value, to="VARCHAR")
    if found is None or found.kind not in _SHOWN:
        return None
    return template(_SHOWN[found.kind], v=value)


def printed(value: exp.Expr) -> exp.Expr | None:
    """Write a value as Snowflake casts it to text; None for what DuckDB casts alike."""
    found = infer(value)
    if found is not None and found.kind in _PRINTED:
        return template(_PRINTED[found.kind], v=value)
    return shown(value)


def coerced_text(value: exp.Expr) -> exp.Expr:
    """Read a value of any type as the text that a column of texts takes it for.

    Which type it has only DuckDB knows: the others' branches are gone before it runs.
    See https://docs.snowflake.com/en/sql-reference/data-type-conversion
    """
    return template(_COERCED, v=value)


def is_variant(node: exp.Expr | None) -> bool:
    """Tell whether the tree knows that a value is semi-structured."""
    if node is None:
        return False
    if isinstance(node, exp.Cast) and node.to.this == exp.DType.JSON:
        return True
    found = infer(node)
    return found is not None and found.kind in SEMI_STRUCTURED


def as_text(value: exp.Expr) -> exp.Anonymous:
    """Read a JSON scalar as text; JSON null is NULL."""
    return call("json_extract_string", value, text("$"))


def template(sql: DuckSql, **parts: exp.Expr) -> exp.Expr:
    """Build a DuckDB expression from a text whose `:name` placeholders become trees.

    Raises:
        SqlError: the statement left out an argument that the text needs (1003).
    """
    tree = copied(_template(sql))
    held = exp.Paren(this=tree)
    for node in list(held.find_all(exp.Placeholder)):
        part = parts.get(str(node.this))
        if part is None:
            raise errors.syntax("syntax error: an argument of a function is missing.")
        node.replace(placeable(part))
    made: exp.Expr = held.this.pop()
    return made


@lru_cache(maxsize=256)
def _template(sql: DuckSql) -> exp.Expr:
    parsed = sqlglot.parse_one(f"SELECT {sql.text}", read="duckdb")
    assert isinstance(parsed, exp.Select)
    made: exp.Expr = parsed.expressions[0]
    return made
