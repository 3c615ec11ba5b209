"""Expanding: SQL functions become part of the query that calls them.

Room: embedded. A body is governed like a view's text: it reads with its owner's privileges, and
policies see the owner as INVOKER_ROLE. Arguments are governed where they stand.

See https://docs.snowflake.com/en/developer-guide/udf/sql/udf-sql-introduction
"""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer.role_inheritance import inherited
from skills_nb.embedded.binder import signatures
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.pipeline_details import RoutineDetail
from skills_nb.embedded.rewriter import barriers, python_functions, silenced, stars
from skills_nb.embedded.rewriter.rewriter import Rewriter
from skills_nb.embedded.rewriter.unread_bodies import unread
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types import names
from skills_nb.embedded.types.data_types import SEMI_STRUCTURED, SfType
from skills_nb.embedded.types.inference import data_type, infer
from skills_nb.embedded.types.scope import (
    Env,
    OutColumn,
    Source,
    guards,
    stricter,
)

_DEEPEST = 40
Call = tuple[tuple[str, ...], exp.Anonymous]
"""The name as written, and the call."""
Made = tuple[exp.Query, tuple[OutColumn, ...]]


def called(session: Context, node: exp.Expr, env: Env) -> Call | None:
    """Return the name and call of a user's function; None for anything else."""
    if isinstance(node, exp.Anonymous):
        path: tuple[str, ...] = (stored_name(node),)
        call = node
    elif isinstance(node, exp.Dot) and isinstance(node.expression, exp.Anonymous):
        call = node.expression
        path = (*(names.stored(i) for i in node.this.find_all(exp.Identifier)), stored_name(call))
    else:
        return None
    if node.args.get(names.GOVERNED) or not is_known(session, path, env):
        return None
    return path, call


def stored_name(call: exp.Anonymous) -> str:
    """Return the stored name of a function that is called."""
    name = call.this
    return names.stored(name) if isinstance(name, exp.Identifier) else str(name).upper()


def is_known(session: Context, path: tuple[str, ...], env: Env) -> bool:
    """Tell whether the roles may use a function of the name."""
    if (len(path) < 3 and env.database is None) or (len(path) < 2 and env.schema is None):
        return False
    full = session.qualify(path, env)
    return bool(signatures.overloads(session, Kind.FUNCTION, full, env.roles))


def scalar(
    rewriter: Rewriter,
    path: tuple[str, ...],
    call: exp.Anonymous,
    env: Env,
    aliases: frozenset[str],
) -> exp.Expr:
    """Return the expression that a call stands for.

    Raises:
        SqlError: the function returns rows (2140), is not there or takes other arguments.
    """
    arguments = _governed(rewriter, call, env, aliases)
    routine, detail, values = _resolved(rewriter, path, arguments, env)
    if detail.returns is None:
        raise errors.unknown_function(path[-1])
    if detail.language == "PYTHON":
        made = python_functions.called(rewriter.session, routine, detail, values, env.invoker)
        return _cast(made, detail.returns)
    body = exp.Paren(this=rewriter.session.parse_expression(f"({detail.body})"))
    alias = _alias(rewriter)
    with unread(rewriter.session, routine, f"function '{routine.name}'", env):
        rewriter.expression(body, _env(rewriter, routine, detail, alias, env), frozenset())
    value = _cast(body, detail.returns)
    if detail.strict and values:
        value = _strict(value, detail, alias)
    if body.find(exp.Query) is None:
        return _inlined(value, detail, values, alias)
    query = exp.select(exp.alias_(value, "value", quoted=True))
    if values:
        query = query.from_(_row(detail, values, alias))
    made = exp.Subquery(this=query)
    if any(v.find(exp.Column) for v in values):
        made.set(silenced.OF_ARGUMENTS, path[-1])
    return made


def _governed(
    rewriter: Rewriter, call: exp.Anonymous, env: Env, aliases: frozenset[str]
) -> list[tuple[str | None, exp.Expr]]:
    made: list[tuple[str | None, exp.Expr]] = []
    for argument in filter(stars.is_star, list(call.expressions)):
        stars.spread(argument, env.nearest)
    for argument in call.expressions:
        name = names.stored(argument.this) if isinstance(argument, exp.Kwarg) else None
        value = argument.expression if isinstance(argument, exp.Kwarg) else argument
        held = exp.Paren(this=value.copy())
        rewriter.expression(held, env, aliases)
        made.append((name, held))
    return made


def _resolved(
    rewriter: Rewriter,
    path: tuple[str, ...],
    arguments: list[tuple[str | None, exp.Expr]],
    env: Env,
) -> tuple[Entity, RoutineDetail, list[exp.Expr]]:
    """Choose the overload; return its arguments in order, cast to their types."""
    session = rewriter.session
    full = session.qualify(path, env)
    if env.depth > _DEEPEST:
        raise errors.invalid_property("Functions call each other too deeply.")
    found = signatures.overloads(session, Kind.FUNCTION, full, env.roles)
    if not found:
        raise errors.unknown_function(".".join(path))
    kinds = [(name, infer(value)) for name, value in arguments]
    routine = signatures.chosen(found, kinds)
    if routine is None:
        shown = ", ".join(signatures.bare(k) if k else "?" for _, k in kinds)
        raise errors.wrong_routine(path[-1], f"({shown})")
    detail = signatures.detail_of(routine)
    positional = [value for name, value in arguments if name is None]
    by_name = {name: value for name, value in arguments if name is not None}
    values: list[exp.Expr] = []
    for index, argument in enumerate(detail.arguments):
        if index < len(positional):
            value = positional[index]
        elif argument.name in by_name:
            value = by_name[argument.name]
        else:
            held = exp.Paren(this=session.parse_expression(argument.default or "NULL"))
            rewriter.expression(held, replace(env, outer=()), frozenset())
            value = held
        values.append(_cast(value, argument.type))
    return routine, detail, values


def _cast(value: exp.Expr, kind: SfType) -> exp.Expr:
    if kind.kind in (*SEMI_STRUCTURED, "BINARY"):
        return exp.cast(value, exp.DataType.build(kind.physical, dialect="duckdb"))
    if kind.kind == "FIXED" and not kind.scale:
        return exp.Cast(this=value, to=exp.DataType.build("HUGEINT", dialect="duckdb"))
    return exp.Cast(this=value, to=data_type(kind).copy())


def _sent(argument: str) -> str:
    """Name an argument in the row of them all, as no column is named that stands for its value.

    DuckDB takes a column of that name in the call for the argument itself.
    """
    return f"argument {argument}"


def _alias(rewriter: Rewriter) -> str:
    return rewriter.fresh("arguments")


def _env(rewriter: Rewriter, routine: Entity, detail: RoutineDetail, alias: str, env: Env) -> Env:
    arguments = Source(
        "",
        tuple(OutColumn(a.name, a.type) for a in detail.arguments),
        bound={a.name: (alias, _sent(a.name)) for a in detail.arguments},
    )
    return Env(
        roles=inherited(rewriter.session.account.catalog, routine.owner),
        invoker=routine.owner,
        database=routine.path[0],
        schema=routine.path[1],
        outer=((arguments,),),
        depth=env.depth + 1,
        trail=env.trail,
        share=env.share,
    )


def _strict(value: exp.Expr, detail: RoutineDetail, alias: str) -> exp.Expr:
    missing = [
        exp.Is(this=names.column(_sent(a.name), alias), expression=exp.null())
        for a in detail.arguments
    ]
    return exp.Case(ifs=[exp.If(this=exp.or_(*missing), true=exp.null())], default=value)


def _inlined(
    value: exp.Expr, detail: RoutineDetail, values: list[exp.Expr], alias: str
) -> exp.Expr:
    by_name = {_sent(a.name): v for a, v in zip(detail.arguments, values, strict=True)}
    held = exp.Paren(this=value)
    for column in list(held.find_all(exp.Column)):
        if column.table == alias:
            column.replace(exp.Paren(this=by_name[column.name].copy()))
    return held


def _row(detail: RoutineDetail, values: list[exp.Expr], alias: str) -> exp.Subquery:
    """Make the one row that holds a call's arguments."""
    listed = [
        exp.alias_(v, _sent(a.name), quoted=True)
        for a, v in zip(detail.arguments, values, strict=True)
    ]
    return exp.Subquery(this=exp.select(*listed), alias=exp.TableAlias(this=names.quoted(alias)))


def table(
    rewriter: Rewriter, path: tuple[str, ...], arguments: dict[str, exp.Expr], env: Env
) -> Made | None:
    """Return the query that a table function stands for; None where no user made it.

    Raises:
        SqlError: the function returns a value (2141), its body reads what an aggregation policy
            protects (3651), or yields another number of columns than was declared (2020).
    """
    if not is_known(rewriter.session, path, env):
        return None
    listed: list[tuple[str | None, exp.Expr]] = []
    for name, value in arguments.items():
        held = exp.Paren(this=value.copy())
        rewriter.expression(held, env, frozenset())
        listed.append((None if name.startswith("ARG") else name, held))
    routine, detail, values = _resolved(rewriter, path, listed, env)
    if detail.returns is not None:
        raise errors.unknown_table_function(".".join(path))
    alias = _alias(rewriter)
    body = rewriter.session.parse_query(detail.body)
    with unread(rewriter.session, routine, f"function '{routine.name}'", env):
        found = rewriter.govern(body, _env(rewriter, routine, detail, alias, env))
    if guards(found):
        raise errors.aggregation_required()
    if len(found) != len(detail.columns):
        raise errors.wrong_count(
            f"Declared return columns ({len(detail.columns)}) and those of the body "
            f"({len(found)}) differ in number."
        )
    inner = exp.TableAlias(
        this=names.quoted("rows"), columns=[names.quoted(c.name) for c in detail.columns]
    )
    shown = [
        exp.alias_(_cast(names.column(c.name, "rows"), c.type), c.name, quoted=True)
        for c in detail.columns
    ]
    query = exp.select(*shown)
    if values:
        query = query.from_(_row(detail, values, alias))
        query.append("joins", exp.Join(this=exp.Lateral(this=exp.Subquery(this=body), alias=inner)))
    else:
        query = query.from_(exp.Subquery(this=body, alias=inner))
    if detail.secure:
        rewriter.governed = True
        barriers.raised(query)
    given = rewriter.mark_of(*values)
    return query, tuple(
        OutColumn(c.name, c.type, restricted=stricter((out.restricted, given)))
        for c, out in zip(detail.columns, found, strict=True)
    )
