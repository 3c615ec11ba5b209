"""Storing: values on their way into a column, checked as Snowflake checks them.

Room: embedded. Pure trees.
"""

from __future__ import annotations

from functools import lru_cache

from sqlglot import exp

from skills_nb.embedded.catalog.entities import ColumnDef
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.duck_sql import EVERY, DuckSql
from skills_nb.embedded.translator.dialect import duck, fractions, zoned
from skills_nb.embedded.translator.dialect import format_rules as customs_of
from skills_nb.embedded.translator.python_functions import moment_functions
from skills_nb.embedded.types import data_types, names
from skills_nb.embedded.types.format_parameters import STANDARD, Customs


def stored_value(value: exp.Expr, column: ColumnDef, customs: Customs = STANDARD) -> exp.Expr:
    """Return the expression that casts and checks a value for a column."""
    kind = column.type.kind
    if kind in data_types.PLACES:
        return duck.geography(value)
    if kind in data_types.SEMI_STRUCTURED:
        return exp.Cast(this=value, to=exp.DataType.build("json", dialect="duckdb"))
    if kind == "TEXT":
        return _limited_text(value, column.type)
    if kind == "FIXED":
        return _limited_number(value, column)
    if kind in data_types.MOMENTS:
        return fractions.cut(_moment(value, column.type, customs), column.type)
    if kind == "BINARY":
        return _bytes(value, column.type, customs)
    return exp.Cast(this=value, to=_physical(column.type))


def stored_text(
    name: str, table: str | None, column: ColumnDef, customs: Customs = STANDARD
) -> DuckSql:
    """Return the same in DuckDB's words for a value that stands in a column of a buffer."""
    return _text(name, table, column.type, customs)


@lru_cache(maxsize=2048)
def _text(name: str, table: str | None, sf_type: data_types.SfType, customs: Customs) -> DuckSql:
    column = ColumnDef(name, sf_type)
    return duck_sql.tree(stored_value(names.column(name, table), column, customs))


def _physical(sf_type: data_types.SfType) -> exp.DataType:
    return exp.DataType.build(sf_type.physical, dialect="duckdb", udt=True)


def _bytes(value: exp.Expr, kind: data_types.SfType, customs: Customs) -> exp.Expr:
    """Read texts in the form that bytes are written in, which is two digits a byte.

    See https://docs.snowflake.com/en/sql-reference/binary-input-output
    """
    read = duck.template(_BYTES, v=value, form=duck.text(customs.binary_input))
    if kind.length is None or kind.length >= data_types.MAX_BINARY:
        return read
    return duck.template(_FITTING, v=read, most=exp.Literal.number(kind.length))


_FITTING = duck_sql.of(
    "CASE WHEN octet_length(:v) > :most THEN CAST(error(concat('Binary ', chr(39), hex(:v), "
    "chr(39), ' is too long and would be truncated')) AS BLOB) ELSE :v END"
)
_BYTES = duck_sql.of(
    "CASE WHEN typeof(:v) = 'VARCHAR' THEN unhex(__native('binary', CAST(:v AS VARCHAR), "
    ":form, FALSE)) ELSE CAST(:v AS BLOB) END"
)


def _moment(value: exp.Expr, sf_type: data_types.SfType, customs: Customs) -> exp.Expr:
    """Read texts that DuckDB cannot as the forms that AUTO knows, or in the session's own.

    See https://docs.snowflake.com/en/sql-reference/date-time-input-output
    """
    if sf_type.kind == "TIMESTAMP_TZ":
        return customs_of.after(_zoned(value, sf_type), customs)
    form = customs.input(sf_type.physical)
    kind = duck_sql.kind(sf_type.physical)
    plain = duck_sql.of("TRY_CAST(:v AS {kind}) IS NULL", kind=kind)
    is_cut = fractions.is_cut(sf_type)
    if not is_cut and sf_type.kind != "DATE":
        plain = duck_sql.of("({plain} OR {fine})", plain=plain, fine=fractions.IS_FINE)
    read = duck_sql.of(
        "CASE WHEN typeof(:v) = 'VARCHAR' AND :v IS NOT NULL AND {plain} "
        "THEN CAST(__native('moment', {text}, {word}, NULL, FALSE, :form, "
        "{century}) AS {kind}) ELSE CAST(:v AS {kind}) END",
        plain=plain if form == moment_functions.AUTO else EVERY,
        text=fractions.SHORT if is_cut else _TEXT,
        word=duck_sql.text(sf_type.physical),
        century=customs.century,
        kind=kind,
    )
    had = _INSTANT if sf_type.kind == "TIMESTAMP_LTZ" else _WALL
    told = duck_sql.of(
        "CASE typeof(:v) WHEN 'STRUCT(t TIMESTAMP WITH TIME ZONE, o SMALLINT)' "
        "THEN CAST({had} AS {kind}) ELSE {read} END",
        had=had,
        kind=kind,
        read=read,
    )
    return duck.template(told, v=value, form=duck.text(form))


_INSTANT = duck_sql.of("CAST(json_extract_string(to_json(:v), '$.t') AS TIMESTAMPTZ)")
_WALL = duck_sql.of(
    "(timezone('UTC', {t}) + to_minutes(CAST(json_extract(to_json(:v), '$.o') AS INTEGER)))",
    t=_INSTANT,
)
"""What the clock showed where the moment was written; read by way of JSON, because a buffer's
column tells its type only when it runs."""


_TEXT = duck_sql.of("CAST(:v AS VARCHAR)")


def _zoned(value: exp.Expr, sf_type: data_types.SfType) -> exp.Expr:
    read = zoned.read(value)
    if not fractions.is_cut(sf_type):
        return read
    short = zoned.read(fractions.without_more(value))
    words = duck_sql.of("CASE WHEN typeof(:v) = 'VARCHAR' THEN :short ELSE :read END")
    return duck.template(words, v=value, short=short, read=read)


def _limited_text(value: exp.Expr, sf_type: data_types.SfType) -> exp.Expr:
    text = duck.coerced_text(value)
    if (sf_type.length or data_types.MAX_TEXT) >= data_types.MAX_TEXT:
        return text
    too_long = exp.GT(
        this=exp.Anonymous(this="length", expressions=[text.copy()]),
        expression=exp.Literal.number(sf_type.length),
    )
    said = exp.Anonymous(
        this="concat",
        expressions=[
            exp.Literal.string("String '"),
            text.copy(),
            exp.Literal.string("' is too long and would be truncated"),
        ],
    )
    return _checked(too_long, said, text)


def _limited_number(value: exp.Expr, column: ColumnDef) -> exp.Expr:
    precision, scale = column.type.precision or 38, column.type.scale or 0
    # By way of a DECIMAL even where it is whole, so that halves go away from zero.
    number = exp.Cast(this=value, to=exp.DataType.build(f"DECIMAL(38, {scale})", dialect="duckdb"))
    if not scale:
        number = exp.Cast(this=number, to=exp.DataType.build("HUGEINT", dialect="duckdb"))
    if precision >= 38:
        return number
    limit = exp.Literal.number("1" + "0" * (precision - scale))
    outside = exp.GTE(this=exp.Abs(this=number.copy()), expression=limit)
    said = exp.Anonymous(
        this="concat",
        expressions=[
            exp.Literal.string(
                f"Number out of representable range: type {column.type.kind}({precision},{scale}), "
                "value "
            ),
            exp.cast(number.copy(), "text"),
        ],
    )
    return exp.Cast(this=_checked(outside, said, number), to=_physical(column.type))


def _checked(wrong: exp.Expr, said: exp.Expr, value: exp.Expr) -> exp.Expr:
    failing = exp.Anonymous(this="error", expressions=[said])
    return exp.Case(ifs=[exp.If(this=wrong, true=failing)], default=value)
