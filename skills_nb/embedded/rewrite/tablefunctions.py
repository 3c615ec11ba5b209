"""Table functions: FLATTEN, SPLIT_TO_TABLE, GENERATOR, RESULT_SCAN, and the account's own.

Room: embedded. Only what is named here may stand in FROM; DuckDB's own table functions, which read
files and catalogs, are unknown to this account.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import sqlglot
from sqlglot import exp

from skills_nb.embedded import names, refusals, types
from skills_nb.embedded.callables import expanding
from skills_nb.embedded.files.inferring import infer_schema
from skills_nb.embedded.scope import Env, OutColumn, Source
from skills_nb.embedded.versions.numbers import next_value

if TYPE_CHECKING:
    from skills_nb.embedded.rewrite.query import QueryRewriter

Made = tuple[exp.Query, tuple[OutColumn, ...]]
Arguments = dict[str, exp.Expr]


def table_function(
    rewriter: QueryRewriter, call: exp.Expr, env: Env, before: tuple[Source, ...]
) -> Made:
    """Return the query that a table function stands for, and its columns."""
    path, arguments = _read_call(call)
    name = path[-1]
    own = rewriter.session.system_function(path, arguments, env)
    if own is not None:
        return own
    if path == ("INFER_SCHEMA",):
        return infer_schema(rewriter.session, arguments, env)
    if name == "GETNEXTVAL" and len(path) == 1:
        if before:
            raise refusals.unsupported("GETNEXTVAL beside other sources")
        return _next_values(rewriter, arguments, env)
    made = expanding.table(rewriter, path, arguments, env.inside(before))
    if made is not None:
        return made
    if len(path) > 1 or name not in _FUNCTIONS:
        raise refusals.unknown_table_function(".".join(path))
    _resolve(rewriter, arguments, env.inside(before))
    return _FUNCTIONS[name](rewriter, arguments)


def _read_call(call: exp.Expr) -> tuple[tuple[str, ...], Arguments]:
    prefix: list[str] = []
    while isinstance(call, (exp.Dot, exp.Table)):
        if isinstance(call, exp.Table):
            parts = [call.args.get("catalog"), call.args.get("db")]
            prefix.extend(names.stored(p) for p in parts if p is not None)
            call = call.this
        else:
            prefix.extend(names.stored(i) for i in call.this.find_all(exp.Identifier))
            call = call.expression
    if isinstance(call, exp.Explode):
        return (*prefix, "FLATTEN"), _named([call.this, *call.expressions], ("INPUT",))
    if isinstance(call, exp.Generator):
        return (*prefix, "GENERATOR"), {k.upper(): v for k, v in call.args.items() if v}
    if isinstance(call, exp.Anonymous):
        name = str(call.this).upper()
        return (*prefix, name), _named(call.expressions, _POSITIONS.get(name, ()))
    if isinstance(call, exp.Func):
        given = [v for v in call.args.values() if isinstance(v, exp.Expr)]
        return (*prefix, call.sql_name().upper()), _named(given, ("STRING", "DELIMITER"))
    raise refusals.unknown_table_function(call.sql("snowflake").upper())


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


def _resolve(rewriter: QueryRewriter, arguments: Arguments, env: Env) -> None:
    for name, value in list(arguments.items()):
        held = exp.Paren(this=value.copy())
        rewriter.expression(held, env, frozenset())
        arguments[name] = held.this


def _flag(arguments: Arguments, name: str) -> bool:
    value = arguments.get(name)
    if value is None:
        return False
    if not isinstance(value, exp.Boolean):
        raise refusals.invalid_argument(f"Argument '{name}' must be TRUE or FALSE")
    return bool(value.this)


_FLATTENED = (
    OutColumn("SEQ", types.INTEGER),
    OutColumn("KEY", types.TEXT),
    OutColumn("PATH", types.TEXT),
    OutColumn("INDEX", types.INTEGER),
    OutColumn("VALUE", types.VARIANT),
    OutColumn("THIS", types.VARIANT),
)
_FLATTEN = """
SELECT 1::HUGEINT AS "SEQ",
  CASE WHEN json_type(i.this) = 'OBJECT' THEN e.key END AS "KEY",
  CASE WHEN e.key IS NULL THEN NULL
       WHEN json_type(i.this) = 'ARRAY' THEN i.prefix || '[' || e.key || ']'
       WHEN i.prefix = '' THEN e.key ELSE i.prefix || '.' || e.key END AS "PATH",
  CASE WHEN json_type(i.this) = 'ARRAY' THEN TRY_CAST(e.key AS HUGEINT) END AS "INDEX",
  e.value AS "VALUE", i.this AS "THIS"
FROM (SELECT a.this AS this, a.prefix AS prefix FROM (SELECT NULL::JSON AS this, '' AS prefix) AS a)
  AS i {join} JOIN LATERAL (
    SELECT key, value FROM json_each(i.this) WHERE json_type(i.this) IN ({kinds})) AS e ON TRUE
"""
_MODES = {"ARRAY": "'ARRAY'", "OBJECT": "'OBJECT'", "BOTH": "'ARRAY', 'OBJECT'"}


def _flatten(rewriter: QueryRewriter, arguments: Arguments) -> Made:
    """See https://docs.snowflake.com/en/sql-reference/functions/flatten."""
    if "INPUT" not in arguments:
        raise refusals.invalid_argument("FLATTEN needs the argument INPUT")
    if _flag(arguments, "RECURSIVE"):
        raise refusals.unsupported("FLATTEN with RECURSIVE")
    mode = arguments["MODE"].name.upper() if "MODE" in arguments else "BOTH"
    join = "LEFT" if _flag(arguments, "OUTER") else "INNER"
    query = _template(_FLATTEN.format(join=join, kinds=_MODES[mode]))
    value: exp.Expr = exp.cast(arguments["INPUT"], exp.DataType.build("json", dialect="duckdb"))
    prefix = arguments.get("PATH")
    if prefix is not None:
        step = exp.Literal.string("$." + prefix.name if prefix.name else "$")
        value = exp.Anonymous(this="json_extract", expressions=[value, step])
    innermost = next(s for s in query.find_all(exp.Select) if s.args.get("from_") is None)
    innermost.set(
        "expressions",
        [
            exp.alias_(value, "this"),
            exp.alias_(exp.Literal.string(prefix.name if prefix is not None else ""), "prefix"),
        ],
    )
    return query, _FLATTENED


_SPLIT = """
SELECT 1::HUGEINT AS "SEQ", e.i::HUGEINT AS "INDEX", e.v AS "VALUE"
FROM (SELECT NULL::VARCHAR AS s, NULL::VARCHAR AS d) AS a,
  LATERAL (SELECT unnest(string_split(a.s, a.d)) AS v,
                  generate_subscripts(string_split(a.s, a.d), 1) AS i) AS e
"""


def _split_to_table(rewriter: QueryRewriter, arguments: Arguments) -> Made:
    """See https://docs.snowflake.com/en/sql-reference/functions/split_to_table."""
    query = _template(_SPLIT)
    innermost = next(s for s in query.find_all(exp.Select) if s.args.get("from_") is None)
    innermost.set(
        "expressions",
        [
            exp.alias_(arguments["STRING"], "s"),
            exp.alias_(arguments["DELIMITER"], "d"),
        ],
    )
    found = (_FLATTENED[0], _FLATTENED[3], OutColumn("VALUE", types.TEXT))
    return query, found


def _generator(rewriter: QueryRewriter, arguments: Arguments) -> Made:
    """See https://docs.snowflake.com/en/sql-reference/functions/generator."""
    count = arguments.get("ROWCOUNT")
    if not (isinstance(count, exp.Literal) and count.is_int):
        raise refusals.unsupported("GENERATOR without a constant ROWCOUNT")
    query = _template(f'SELECT range AS "__SEQ" FROM range({int(count.name)})')
    return query, (OutColumn("__SEQ", types.INTEGER),)


def _result_scan(rewriter: QueryRewriter, arguments: Arguments) -> Made:
    """See https://docs.snowflake.com/en/sql-reference/functions/result_scan."""
    query_id = arguments.get("QUERY_ID")
    if not (isinstance(query_id, exp.Literal) and query_id.is_string):
        raise refusals.invalid_argument("RESULT_SCAN needs a constant query id")
    return rewriter.session.earlier_result(query_id.name)


def _next_values(rewriter: QueryRewriter, arguments: Arguments, env: Env) -> Made:
    """See https://docs.snowflake.com/en/user-guide/querying-sequences."""
    given = arguments.get("ARG0")
    if not isinstance(given, exp.Column):
        raise refusals.not_enough_arguments("GETNEXTVAL")
    value = next_value(rewriter.session, names.column_path(given), env)
    made = exp.select(exp.alias_(value, "NEXTVAL", quoted=True))
    return made, (OutColumn("NEXTVAL", types.INTEGER, nullable=False),)


_FUNCTIONS: dict[str, Callable[[QueryRewriter, Arguments], Made]] = {
    "FLATTEN": _flatten,
    "SPLIT_TO_TABLE": _split_to_table,
    "GENERATOR": _generator,
    "RESULT_SCAN": _result_scan,
}


def _template(sql: str) -> exp.Query:
    parsed = sqlglot.parse_one(sql, read="duckdb")
    assert isinstance(parsed, exp.Query)
    for table in parsed.find_all(exp.Table):
        names.own(table)
    for node in list(parsed.find_all(exp.Split)):
        plain = [node.this, node.expression]
        node.replace(exp.Anonymous(this="string_split", expressions=plain))
    return parsed
