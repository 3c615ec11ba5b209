"""Context functions become constants before DuckDB sees the query.

Room: embedded. One table, one function per family; what the session answers is asked of it here
and nowhere else.

See https://docs.snowflake.com/en/sql-reference/functions-context
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.catalog import grantees
from skills_nb.embedded.catalog.entities import DatabaseDetail, Kind
from skills_nb.embedded.parser.desugar.elements import METHOD
from skills_nb.embedded.rewriter.requirements import SystemValue, refuse_within, without_value
from skills_nb.embedded.rewriter.rewriter import Rewriter
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types import names
from skills_nb.embedded.types.system_calls import doing_in, type_of
from skills_nb.errors import SqlError

if TYPE_CHECKING:
    from skills_nb.embedded.types.scope import Env

Answer = Callable[["Context", "Env"], str | None]


def _secondary(session: Context, env: Env) -> str | None:
    if env.share:
        return None
    held = session.secondary_role_names()
    listed = ",".join(sorted(r for r in held if not grantees.is_database_role(r)))
    return json.dumps({"roles": listed, "value": session.frame.secondary_mode})


def _available(session: Context, env: Env) -> str | None:
    return None if env.share else json.dumps(sorted(session.available_roles()))


_TEXTS: dict[str, Answer] = {
    "CURRENT_ROLE": lambda s, e: None if e.share else s.role,
    "INVOKER_ROLE": lambda s, e: None if e.share else e.invoker,
    "CURRENT_USER": lambda s, e: None if e.share else s.user,
    "CURRENT_DATABASE": lambda s, e: e.database if e.depth else s.database,
    "CURRENT_SCHEMA": lambda s, e: e.schema if e.depth else s.schema,
    "CURRENT_WAREHOUSE": lambda s, e: s.warehouse,
    "CURRENT_ACCOUNT": lambda s, e: s.account.info.locator,
    "CURRENT_ACCOUNT_NAME": lambda s, e: s.account.info.name,
    "CURRENT_ORGANIZATION_NAME": lambda s, e: s.account.info.organization,
    "CURRENT_REGION": lambda s, e: s.account.info.region,
    "CURRENT_VERSION": lambda s, e: s.account.info.version,
    "CURRENT_CLIENT": lambda s, e: s.client,
    "CURRENT_SESSION": lambda s, e: str(s.id),
    "CURRENT_STATEMENT": lambda s, e: s.statement.text,
    "CURRENT_TRANSACTION": lambda s, e: s.transaction_id,
    "CURRENT_IP_ADDRESS": lambda s, e: "127.0.0.1",
    "CURRENT_ROLE_TYPE": lambda s, e: "ROLE",
    "CURRENT_AVAILABLE_ROLES": _available,
    "CURRENT_SECONDARY_ROLES": _secondary,
    "CURRENT_SCHEMAS": lambda s, e: json.dumps(
        [f"{s.database}.{s.schema}"] if s.database and s.schema else []
    ),
}
_TREES: dict[type[exp.Expr], str] = {
    cls: name
    for name in _TEXTS
    if (cls := getattr(exp, "".join(word.title() for word in name.split("_")), None)) is not None
}
BARE = frozenset(
    {
        "CURRENT_ROLE",
        "CURRENT_USER",
        "CURRENT_WAREHOUSE",
        "CURRENT_DATABASE",
        "CURRENT_SCHEMA",
        "CURRENT_ACCOUNT",
        "CURRENT_REGION",
    }
)
"""Context functions that may be written without parentheses."""


_OF_SYSTEM = frozenset(
    {
        "GET_DDL",
        "EXTRACT_SEMANTIC_CATEGORIES",
        "ASSOCIATE_SEMANTIC_CATEGORY_TAGS",
        METHOD,
    }
)
"""Functions that tell about objects, beside those that are called SYSTEM$…."""


def text(value: str | None) -> exp.Expr:
    """Make a string constant, or a typed NULL."""
    if value is None:
        return exp.cast(exp.null(), "text")
    return exp.Literal.string(value)


def answer(node: exp.Expr, rewriter: Rewriter, env: Env) -> exp.Expr | None:
    """Return what stands in the place of a context function; None for anything else."""
    session = rewriter.session
    name = _TREES.get(type(node))
    if name is None and isinstance(node, exp.Anonymous):
        name = str(node.this).upper()
        special = _SPECIAL.get(name)
        if special is not None:
            return special(node, session, env)
        if name in _OF_SYSTEM or name.startswith("SYSTEM$"):
            return _of_system(node, rewriter, env)
    if name in _TEXTS:
        return text(_TEXTS[name](session, env))
    return None


def _of_system(node: exp.Anonymous, rewriter: Rewriter, env: Env) -> exp.Expr | None:
    """Return the constant that a system function tells; what does something is asked for."""
    doing = doing_in(node)
    if doing is None:
        return rewriter.session.system_scalar(node)
    if doing is not node:
        raise errors.unsupported(f"{doing.name.upper()} in an argument of {node.name.upper()}")
    wanted = SystemValue(node.copy())
    refuse_within(env, wanted)
    return rewriter.awaited(wanted, without_value(type_of(wanted.title)))


def bare(name: str, session: Context, env: Env) -> exp.Expr | None:
    """Return the constant for a context function written like a column."""
    return text(_TEXTS[name](session, env)) if name in BARE else None


def _one(node: exp.Anonymous) -> exp.Expr:
    arguments: list[exp.Expr] = node.expressions
    if len(arguments) != 1:
        raise errors.invalid_argument(
            f"error line 1 at position 0\nnot enough arguments for function [{node.sql()}]"
        )
    return arguments[0]


def _role_in_session(node: exp.Anonymous, session: Context, env: Env) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/is_role_in_session."""
    argument = _one(node)
    if env.share is not None:
        return exp.false()
    if isinstance(argument, exp.Literal) and argument.is_string:
        spelled = _as_stored_or_typed(argument.name)
        return exp.true() if spelled & set(session.active_roles()) else exp.false()
    names_held = sorted(r for r in session.active_roles() if not grantees.is_database_role(r))
    listed = [exp.Literal.string(role) for role in names_held]
    return exp.In(this=argument.copy(), expressions=listed)


def _as_stored_or_typed(role: str) -> set[str]:
    """Return what a literal may name; text that is no identifier can only be a stored name."""
    try:
        return {role, names.typed_path(role)[-1]}
    except SqlError:
        return {role}


def _database_role_in_session(node: exp.Anonymous, session: Context, env: Env) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/is_database_role_in_session."""
    argument = _one(node)
    catalog = session.account.catalog
    databases = {env.subject or env.database or session.database}
    if env.share is not None:  # a consumer holds the roles of its own database
        databases = {
            d.name
            for d in catalog.children(Kind.DATABASE)
            if isinstance(d.detail, DatabaseDetail) and d.detail.share == env.share
        }
    held = [
        role
        for key in session.active_roles()
        if grantees.is_database_role(key)
        and (role := grantees.entity_of(catalog, key)) is not None
        and role.path[0] in databases
    ]
    if isinstance(argument, exp.Literal) and argument.is_string:
        path = names.typed_path(argument.name)
        depth = 1 if env.share is not None else len(path)
        known = {role.path[-depth:] for role in held}
        return exp.true() if path[-depth:] in known else exp.false()
    if not held:
        return exp.false()
    listed = [exp.Literal.string(role.name) for role in held]
    return exp.In(this=argument.copy(), expressions=listed)


def _invoker_share(node: exp.Anonymous, session: Context, env: Env) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/invoker_share."""
    return text(env.share)


_WHOLE = re.compile(r"[+-]?\d{1,30}")


def _last_query_id(node: exp.Anonymous, session: Context, env: Env) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/last_query_id."""
    position = node.expressions[0].sql() if node.expressions else "-1"
    if len(node.expressions) > 1 or not _WHOLE.fullmatch(position):
        raise errors.invalid_argument("LAST_QUERY_ID takes one whole number")
    return text(session.query_id_at(int(position)))


def _get_variable(node: exp.Anonymous, session: Context, env: Env) -> exp.Expr:
    """Return a variable's value, which a consumer sets for nothing that a provider lends."""
    if env.share:
        return text(None)
    return session.variable_tree(_one(node).name.upper(), missing_is_null=True)


_SPECIAL: dict[str, Callable[[exp.Anonymous, Any, Any], exp.Expr]] = {
    "IS_ROLE_IN_SESSION": _role_in_session,
    "IS_DATABASE_ROLE_IN_SESSION": _database_role_in_session,
    "INVOKER_SHARE": _invoker_share,
    "LAST_QUERY_ID": _last_query_id,
    "GETVARIABLE": _get_variable,
}
