"""Table functions: FLATTEN, SPLIT_TO_TABLE, GENERATOR, RESULT_SCAN, and the account's own.

Room: embedded. Only what is named here may stand in FROM; DuckDB's own table functions, which read
files and catalogs, are unknown to this account.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import sqlglot
from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.binder import signatures
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.duck_sql import DuckSql
from skills_nb.embedded.rewriter import expanding, metric_functions
from skills_nb.embedded.rewriter.lateral.input_numbers import COUNTED
from skills_nb.embedded.rewriter.requirements import ProcedureRows, refuse_within
from skills_nb.embedded.rewriter.rewriter import Rewriter
from skills_nb.embedded.storage.files.inferring import infer_schema
from skills_nb.embedded.translator.python_functions import CALL
from skills_nb.embedded.types import data_types, names
from skills_nb.embedded.types.inference import infer
from skills_nb.embedded.types.scope import Env, OutColumn, Source
from skills_nb.embedded.types.values import Column
from skills_nb.sql.identifiers import quote, render_name

Made = tuple[exp.Query, tuple[OutColumn, ...]]
Arguments = dict[str, exp.Expr]


def table_function(
    rewriter: Rewriter, call: exp.Expr, env: Env, before: tuple[Source, ...]
) -> Made:
    """Return the query that a table function stands for, and its columns.

    Raises:
        SqlError: there is no such table function (2141), or GETNEXTVAL stands beside other sources
            (0A000).
    """
    path, arguments = _read_call(call)
    name = path[-1]
    if len(path) == 1 and name in metric_functions.FUNCTIONS:
        return metric_functions.FUNCTIONS[name](rewriter, arguments, env)
    own = rewriter.session.system_function(path, arguments, env)
    if own is not None:
        return rewriter.rows_of(own)
    if path == ("INFER_SCHEMA",):
        return rewriter.rows_of(infer_schema(rewriter.session, arguments, env))
    if name == "GETNEXTVAL" and len(path) == 1:
        if before:
            raise errors.unsupported("GETNEXTVAL beside other sources")
        return _next_values(rewriter, arguments, env)
    made = expanding.table(rewriter, path, arguments, env.inside(before))
    if made is not None:
        return made
    if (rows := _procedure(rewriter, path, arguments, env)) is not None:
        return rows
    if len(path) > 1 or name not in _FUNCTIONS:
        raise errors.unknown_table_function(".".join(path))
    _resolve(rewriter, arguments, env.inside(before))
    query, found = _FUNCTIONS[name](rewriter, arguments)
    mark = rewriter.mark_of(*arguments.values())
    return query, tuple(replace(c, restricted=mark) for c in found) if mark else found


def _procedure(
    rewriter: Rewriter, path: tuple[str, ...], arguments: Arguments, env: Env
) -> Made | None:
    """Ask for the rows of a stored procedure; None where there is none of the name.

    See https://docs.snowflake.com/en/developer-guide/stored-procedure/stored-procedures-selecting-from
    """
    session = rewriter.session
    if (len(path) < 3 and env.database is None) or (len(path) < 2 and env.schema is None):
        return None
    full = session.qualify(path, env)
    found = signatures.overloads(session, Kind.PROCEDURE, full, env.roles)
    if not found:
        return None
    if not all(signatures.detail_of(one).columns for one in found):
        raise errors.invalid_property(f"Procedure {path[-1]} does not return a table of columns.")
    given = (
        f"{'' if key.startswith('ARG') else f'{quote(key)} => '}{value.sql('snowflake')}"
        for key, value in arguments.items()
    )
    call = f"CALL {render_name(full)}({', '.join(given)})"
    columns = _declared(found, path[-1], arguments)
    wanted = ProcedureRows(call, columns)
    refuse_within(env, wanted)
    return rewriter.awaited_rows(wanted, columns)


def _declared(found: list[Entity], name: str, arguments: Arguments) -> tuple[Column, ...]:
    """Return the columns of the overload that a call means, as far as its text can tell."""
    kinds = [
        (None if key.startswith("ARG") else key, infer(value)) for key, value in arguments.items()
    ]
    routine = signatures.chosen(found, kinds)
    if routine is None:
        shown = ", ".join(signatures.bare(kind) if kind else "?" for _, kind in kinds)
        raise errors.wrong_routine(name, f"({shown})")
    return tuple(Column(a.name, a.type) for a in signatures.detail_of(routine).columns)


def _read_call(call: exp.Expr) -> tuple[tuple[str, ...], Arguments]:
    prefix: list[str] = []
    while isinstance(call, (exp.Dot, exp.Table)):
        if isinstance(call, exp.Table):
            parts = [call.args.get("catalog"), call.args.get("db")]
            prefix.extend(names.stored(p) for p in parts if p is not None)
            call = call.this
        else:
            if call.this is None:
                raise errors.syntax("syntax error: unexpected '.'.")
            prefix.extend(names.stored(i) for i in call.this.find_all(exp.Identifier))
            call = call.expression
    if isinstance(call, exp.Explode):
        return (*prefix, "FLATTEN"), _named([call.this, *call.expressions], ("INPUT",))
    if isinstance(call, exp.Generator):
        return (*prefix, "GENERATOR"), {k.upper(): v for k, v in call.args.items() if v}
    if isinstance(call, exp.Anonymous):
        name = expanding.stored_name(call)
        return (*prefix, name), _named(call.expressions, _POSITIONS.get(name, ()))
    if isinstance(call, exp.Func):
        given = [v for v in call.args.values() if isinstance(v, exp.Expr)]
        return (*prefix, call.sql_name().upper()), _named(given, ("STRING", "DELIMITER"))
    if call is None:
        raise errors.syntax("syntax error: unexpected '.'.")
    raise errors.unknown_table_function(call.sql("snowflake").upper())


_POSITIONS = {
    "SPLIT_TO_TABLE": ("STRING", "DELIMITER"),
    "STRTOK_SPLIT_TO_TABLE": ("STRING", "DELIMITER"),
    "RESULT_SCAN": ("QUERY_ID",),
    "FLATTEN": ("INPUT",),
}


def _named(given: list[exp.Expr], order: tuple[str, ...]) -> Arguments:
    found: Arguments = {}
    for index, argument in enumerate(given):
        if isinstance(argument, exp.Kwarg):
            found[names.stored(argument.this)] = argument.expression
        else:
            found[order[index] if index < len(order) else f"ARG{index}"] = argument
    return found


def _resolve(rewriter: Rewriter, arguments: Arguments, env: Env) -> None:
    for name, value in list(arguments.items()):
        held = exp.Paren(this=value.copy())
        rewriter.expression(held, env, frozenset())
        arguments[name] = held.this


def _flag(arguments: Arguments, name: str) -> bool:
    value = arguments.get(name)
    if value is None:
        return False
    if not isinstance(value, exp.Boolean):
        raise errors.invalid_argument(f"Argument '{name}' must be TRUE or FALSE")
    return bool(value.this)


_FLATTENED = (
    OutColumn("SEQ", data_types.INTEGER),
    OutColumn("KEY", data_types.TEXT),
    OutColumn("PATH", data_types.TEXT),
    OutColumn("INDEX", data_types.INTEGER),
    OutColumn("VALUE", data_types.VARIANT),
    OutColumn("THIS", data_types.VARIANT),
)
_FLATTEN = duck_sql.of(
    'SELECT 1::HUGEINT AS "SEQ", e."u"."key" AS "KEY", e."u"."path" AS "PATH", '
    'e."u"."index" AS "INDEX", '
    'COALESCE(e."u"."value", CAST(e."u"."null" AS JSON)) AS "VALUE", '
    'list_extract(e."whole", e."u"."this") AS "THIS" '
    "FROM (SELECT struct_extract(:rows, 'whole') AS \"whole\", "
    "unnest(struct_extract(:rows, 'rows')) AS \"u\", "
    "generate_subscripts(struct_extract(:rows, 'rows'), 1) AS \"i\") AS e"
)
"""What a row was taken out of stands once, not beside each row: it may be as large as all rows."""
_FLATTENED_AS = (
    '{"whole":["JSON"],"rows":[{"key":"VARCHAR","path":"VARCHAR","index":"HUGEINT",'
    '"value":"JSON","null":"VARCHAR","this":"INTEGER"}]}'
)
_SPLIT = duck_sql.of(
    'SELECT 1::HUGEINT AS "SEQ", e."i"::HUGEINT AS "INDEX", e."u" AS "VALUE" '
    'FROM (SELECT unnest(:rows) AS "u", generate_subscripts(:rows, 1) AS "i") AS e'
)
_SPLIT_AS = '["VARCHAR"]'
_MODES = ("ARRAY", "OBJECT", "BOTH")


def _own(name: str, *arguments: exp.Expr) -> exp.Expr:
    """Return a call of a function of DuckDB."""
    made = exp.Anonymous(this=name, expressions=list(arguments))
    made.set(names.GOVERNED, True)
    return made


def _native(kind: str, name: str, *arguments: exp.Expr) -> exp.Expr:
    """Return what a function in Python gives as JSON, read as a kind."""
    made = _own(CALL, exp.Literal.string(name), *arguments)
    return _own("from_json", made, exp.Literal.string(kind))


def _unnested(sql: DuckSql, rows: exp.Expr) -> exp.Query:
    """Return the query that makes rows of a list."""
    query = _template(sql)
    for own in query.find_all(exp.Anonymous):
        own.set(names.GOVERNED, True)
    query.meta[COUNTED] = True
    rows.set(names.ROWS, True)
    for place in list(query.find_all(exp.Placeholder)):
        place.replace(rows.copy())
    return query


def _flatten(rewriter: Rewriter, arguments: Arguments) -> Made:
    """See https://docs.snowflake.com/en/sql-reference/functions/flatten."""
    if "INPUT" not in arguments:
        raise errors.not_enough_arguments("FLATTEN")
    if unknown := set(arguments) - {"INPUT", "PATH", "OUTER", "RECURSIVE", "MODE"}:
        raise errors.invalid_argument(f"invalid argument name '{min(unknown)}'")
    mode = arguments["MODE"].name.upper() if "MODE" in arguments else "BOTH"
    if mode not in _MODES:
        raise errors.invalid_argument(f"invalid value '{mode}' for argument 'MODE'")
    path = arguments.get("PATH")
    rows = _native(
        _FLATTENED_AS,
        "flatten",
        exp.cast(arguments["INPUT"], exp.DataType.build("json", dialect="duckdb")),
        exp.Literal.string(path.name if path is not None else ""),
        exp.Boolean(this=_flag(arguments, "OUTER")),
        exp.Boolean(this=_flag(arguments, "RECURSIVE")),
        exp.Boolean(this=mode != "OBJECT"),
        exp.Boolean(this=mode != "ARRAY"),
    )
    return _unnested(_FLATTEN, rows), _FLATTENED


def _split_to_table(rewriter: Rewriter, arguments: Arguments) -> Made:
    """See https://docs.snowflake.com/en/sql-reference/functions/split_to_table."""
    given = _parts("SPLIT_TO_TABLE", arguments, ("STRING", "DELIMITER"))
    return _unnested(_SPLIT, _native(_SPLIT_AS, "split_rows", *given)), _NUMBERED


def _tokens_to_table(rewriter: Rewriter, arguments: Arguments) -> Made:
    """See https://docs.snowflake.com/en/sql-reference/functions/strtok_split_to_table."""
    given = _parts("STRTOK_SPLIT_TO_TABLE", arguments, ("STRING",))
    return _unnested(_SPLIT, _native(_SPLIT_AS, "token_rows", *given)), _NUMBERED


_NUMBERED = (_FLATTENED[0], _FLATTENED[3], OutColumn("VALUE", data_types.TEXT))


def _parts(name: str, arguments: Arguments, needed: tuple[str, ...]) -> list[exp.Expr]:
    if any(word not in arguments for word in needed):
        raise errors.not_enough_arguments(name)
    return [arguments[word] for word in ("STRING", "DELIMITER") if word in arguments]


def _generator(rewriter: Rewriter, arguments: Arguments) -> Made:
    """See https://docs.snowflake.com/en/sql-reference/functions/generator."""
    count = arguments.get("ROWCOUNT")
    if not (isinstance(count, exp.Literal) and count.is_int):
        raise errors.unsupported("GENERATOR without a constant ROWCOUNT")
    query = _template(
        duck_sql.of('SELECT range AS "__SEQ" FROM range({count})', count=int(count.name))
    )
    return query, (OutColumn("__SEQ", data_types.INTEGER),)


def _result_scan(rewriter: Rewriter, arguments: Arguments) -> Made:
    """See https://docs.snowflake.com/en/sql-reference/functions/result_scan."""
    query_id = arguments.get("QUERY_ID")
    if not (isinstance(query_id, exp.Literal) and query_id.is_string):
        raise errors.invalid_argument("RESULT_SCAN needs a constant query id")
    return rewriter.rows_of(rewriter.session.earlier_result(query_id.name))


def _next_values(rewriter: Rewriter, arguments: Arguments, env: Env) -> Made:
    """See https://docs.snowflake.com/en/user-guide/querying-sequences."""
    given = arguments.get("ARG0")
    if not isinstance(given, exp.Column):
        raise errors.not_enough_arguments("GETNEXTVAL")
    value = rewriter.next_value(names.column_path(given), env)
    made = exp.select(exp.alias_(value, "NEXTVAL", quoted=True))
    return made, (OutColumn("NEXTVAL", data_types.INTEGER, nullable=False),)


_FUNCTIONS: dict[str, Callable[[Rewriter, Arguments], Made]] = {
    "FLATTEN": _flatten,
    "SPLIT_TO_TABLE": _split_to_table,
    "STRTOK_SPLIT_TO_TABLE": _tokens_to_table,
    "GENERATOR": _generator,
    "RESULT_SCAN": _result_scan,
}


def _template(sql: DuckSql) -> exp.Query:
    parsed = sqlglot.parse_one(sql.text, read="duckdb")
    assert isinstance(parsed, exp.Query)
    for table in parsed.find_all(exp.Table):
        names.own(table)
    return parsed
