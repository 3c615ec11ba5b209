"""Constraints: what policies without arguments answer, for one caller and one statement.

Room: embedded. The body of a projection or aggregation policy is a constant of the statement: it
sees the session, and perhaps a mapping table, but no row of what it protects.

See https://docs.snowflake.com/en/sql-reference/sql/create-projection-policy and
https://docs.snowflake.com/en/sql-reference/sql/create-aggregation-policy
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer.role_inheritance import inherited
from skills_nb.embedded.catalog.entities import Entity, Kind, PolicyDetail, PolicyRef
from skills_nb.embedded.catalog.protection import Protection
from skills_nb.embedded.parser.parsing import parse_expression
from skills_nb.embedded.rewriter import tagged
from skills_nb.embedded.rewriter.rewriter import Rewriter
from skills_nb.embedded.rewriter.unread_bodies import unread
from skills_nb.embedded.types import names
from skills_nb.embedded.types.scope import (
    FAIL,
    NULLIFY,
    Env,
    OutColumn,
    guards,
    stricter,
)

STORED = "__stored"
"""Alias of a table's rows as stored, inside of what protects it."""
_Guard = tuple[OutColumn, exp.Expr]


def policy_env(rewriter: Rewriter, policy: Entity, entity: Entity, env: Env) -> Env:
    """Return the environment of a policy's body: its owner's rights, the caller's session."""
    return Env(
        roles=inherited(rewriter.session.account.catalog, policy.owner),
        invoker=env.invoker,
        database=policy.path[0],
        schema=policy.path[1],
        depth=env.depth + 1,
        trail=(*env.trail, policy.id),
        subject=entity.path[0],
        share=env.share,
    )


# ---- projection


def marks(
    rewriter: Rewriter,
    entity: Entity,
    refs: Protection,
    env: Env,
    below: tuple[OutColumn, ...],
) -> Mapping[str, str]:
    """Return FAIL or NULLIFY for each column that the caller may not project.

    Marks of what a view's query yields (`below`, by position) carry over.
    """
    found = {
        column: _answer(rewriter, ref, entity, env) for column, ref in refs.projections.items()
    }
    for column, out in zip(getattr(entity.detail, "columns", ()), below, strict=False):
        if out.restricted:
            found[column.name] = stricter((found.get(column.name, ""), out.restricted))
    return found


# ---- aggregation


def guarding(
    rewriter: Rewriter,
    entity: Entity,
    refs: Protection,
    env: Env,
    below: tuple[OutColumn, ...],
) -> Iterator[_Guard]:
    """Yield guards with their values: the table's or view's own, and those of what it reads."""
    for guard in guards(below):
        name = rewriter.fresh("guard")
        yield OutColumn(name, least=guard.least), names.column(guard.name)
    if not refs.aggregations:
        return
    answer = _answer(rewriter, refs.aggregations[0], entity, env)
    if not answer:
        return
    rows, _, entities = answer.partition(":")
    keys = [ref.arguments for ref in refs.aggregations if ref.arguments]
    if entities or not keys:
        yield _guard(rewriter, rows, exp.Window(this=exp.RowNumber()))
    for key in keys:
        yield _guard(rewriter, entities or rows, _entity(key))


def _guard(rewriter: Rewriter, least: str, value: exp.Expr) -> _Guard:
    return OutColumn(rewriter.fresh("guard"), least=int(least)), value


def _entity(key: tuple[str, ...]) -> exp.Expr:
    columns = [names.column(name, STORED) for name in key]
    if len(columns) == 1:
        return columns[0]
    return exp.Anonymous(this="json_array", expressions=columns)


# ---- the bodies


def _answer(rewriter: Rewriter, ref: PolicyRef, entity: Entity, env: Env) -> str:
    """Return what a policy answers: '' where it constrains nothing."""
    policy = rewriter.session.account.catalog.by_id(ref.policy_id)
    if policy is None or not isinstance(policy.detail, PolicyDetail):
        raise errors.invalid_property(f"Policy of {errors.dotted(entity.path)} is missing.")
    if policy.id in env.trail:
        raise errors.invalid_property(
            f"Policy {errors.dotted(policy.path)} reads what it protects."
        )
    key = (policy.id, f"{env.invoker}:{entity.id}:{ref.column}:{env.share}")
    if key not in rewriter.constraints:
        inner = policy_env(rewriter, policy, entity, env)
        body = body_of(policy.kind, policy.detail.body)
        tagged.put(body, tagged.on(rewriter.session, policy, entity, ref.column))
        with unread(rewriter.session, policy, f"a policy on '{entity.name}'", env):
            value = rewriter.session.evaluated(body, "TEXT", inner)
        rewriter.constraints[key] = _known(policy, value)
    return rewriter.constraints[key]


def _known(policy: Entity, answer: str | None) -> str:
    """Read an answer; what is no answer constrains most."""
    if policy.kind is Kind.PROJECTION_POLICY:
        return answer if answer in ("", NULLIFY) else FAIL
    if answer is None:
        raise errors.aggregation_required()
    return answer


def body_of(kind: Kind, text: str) -> exp.Expr:
    """Read a body, its constraint functions turned into texts that tell them apart.

    Raises:
        SqlError: it reads a table where it must not (1420), or calls a function wrongly.
    """
    held = exp.Paren(this=parse_expression(text))
    if kind is Kind.AGGREGATION_POLICY and held.find(exp.Table) is not None:
        raise errors.invalid_property("The body of an aggregation policy reads no table.")
    for node in list(held.find_all(exp.Anonymous)):
        made = _FUNCTIONS[kind].get(str(node.this).upper())
        if made is not None:
            node.replace(made(_arguments(node)))
    return held


def _arguments(node: exp.Anonymous) -> dict[str, exp.Expr]:
    """Return the named arguments of a constraint function."""
    given: dict[str, exp.Expr] = {}
    for argument in node.expressions:
        if not isinstance(argument, exp.Kwarg):
            raise errors.invalid_argument(
                f"Invalid argument for function {str(node.this).upper()}. Arguments are named."
            )
        given[names.stored(argument.this)] = argument.expression
    return given


def _projection(given: dict[str, exp.Expr]) -> exp.Expr:
    if "ALLOW" not in given or not given.keys() <= {"ALLOW", "ENFORCEMENT"}:
        raise errors.invalid_argument(
            "Invalid argument for function PROJECTION_CONSTRAINT. Please specify allow=>true or "
            "allow=>false as the input."
        )
    enforcement = given.get("ENFORCEMENT", exp.Literal.string(FAIL))
    if not isinstance(enforcement, exp.Literal) or enforcement.name.upper() not in (FAIL, NULLIFY):
        raise errors.invalid_argument("ENFORCEMENT is 'FAIL' or 'NULLIFY'.")
    refused = exp.Literal.string(enforcement.name.upper())
    allowed = exp.If(this=exp.Paren(this=given["ALLOW"].copy()), true=exp.Literal.string(""))
    return exp.Case(ifs=[allowed], default=refused)


def _aggregation(given: dict[str, exp.Expr]) -> exp.Expr:
    if given.keys() == {"MIN_GROUP_SIZE"}:
        return _text(given["MIN_GROUP_SIZE"])
    if given.keys() == {"MIN_ROW_COUNT", "MIN_ENTITY_COUNT"}:
        parts = (_text(given["MIN_ROW_COUNT"]), exp.Literal.string(":"))
        joined = exp.DPipe(this=parts[0], expression=parts[1])
        return exp.DPipe(this=joined, expression=_text(given["MIN_ENTITY_COUNT"]))
    raise errors.invalid_argument(
        "AGGREGATION_CONSTRAINT takes MIN_GROUP_SIZE, or MIN_ROW_COUNT and MIN_ENTITY_COUNT."
    )


def _text(value: exp.Expr) -> exp.Expr:
    whole = exp.cast(exp.Paren(this=value.copy()), exp.DataType.build("int"))
    return exp.cast(whole, exp.DataType.build("text"))


def _unconstrained(given: dict[str, exp.Expr]) -> exp.Expr:
    if given:
        raise errors.invalid_argument("NO_AGGREGATION_CONSTRAINT takes no argument.")
    return exp.Literal.string("")


_FUNCTIONS: dict[Kind, dict[str, Callable[[dict[str, exp.Expr]], exp.Expr]]] = {
    Kind.PROJECTION_POLICY: {"PROJECTION_CONSTRAINT": _projection},
    Kind.AGGREGATION_POLICY: {
        "AGGREGATION_CONSTRAINT": _aggregation,
        "NO_AGGREGATION_CONSTRAINT": _unconstrained,
    },
}
