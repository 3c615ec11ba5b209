"""Models: calls of a registered model's method, answered by the handler of the AI functions.

Room: embedded. This account runs no model; whoever registered a handler answers for it, with the
rights of the caller on the model and what the query may see as arguments.

See https://docs.snowflake.com/en/sql-reference/commands-model
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import name_resolution
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.object_details import EntryDetail
from skills_nb.embedded.parser.desugar.elements import MODEL_CALL
from skills_nb.embedded.rewriter import ai
from skills_nb.embedded.session.context import Context

if TYPE_CHECKING:
    from skills_nb.embedded.types.scope import Env


def asked(session: Context, node: exp.Expr, env: Env) -> exp.Expr | None:
    """Return what stands for `MODEL(name, version)!METHOD(…)`; None for anything else.

    Raises:
        SqlError: the model or version is missing or hidden, or no handler is registered (0A000).
    """
    if not (isinstance(node, exp.Anonymous) and node.this == MODEL_CALL):
        return None
    named, version, method, *given = node.expressions
    if any(argument.is_star for argument in given):
        raise errors.unsupported(f"MODEL(…)!{method.name}(*)")
    model = _model(session, tuple(part.name for part in named.expressions), env)
    chosen = _version(model, version.name)
    about = [".".join(model.path), chosen, method.name]
    return ai.answered(session, ai.MODEL, [*map(exp.Literal.string, about), *given])


def _model(session: Context, path: tuple[str, ...], env: Env) -> Entity:
    return name_resolution.usable(
        session, Kind.MODEL, session.qualify(path, env), "USAGE", env.roles
    )


def _version(model: Entity, asked_for: str) -> str:
    """Return the version's own name; an alias stands for one, and nothing for the default."""
    assert isinstance(model.detail, EntryDetail)
    held = model.detail.kept
    versions = held["_VERSIONS"]
    shortcuts = {"FIRST": versions[0]["NAME"], "LAST": versions[-1]["NAME"]}
    shortcuts |= {v["ALIAS"]: v["NAME"] for v in versions if v["ALIAS"]}
    if not asked_for or asked_for == "DEFAULT":
        return str(held["DEFAULT_VERSION"])
    chosen = shortcuts.get(asked_for, asked_for)
    if chosen not in {v["NAME"] for v in versions}:
        raise errors.not_found("Version", (*model.path, asked_for))
    return str(chosen)
