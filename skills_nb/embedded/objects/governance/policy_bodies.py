"""Policies: checking a body before it protects anything.

Room: embedded.
"""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from skills_nb.embedded.catalog.entities import Kind, PolicyDetail
from skills_nb.embedded.executor import queries
from skills_nb.embedded.objects import returned_types
from skills_nb.embedded.parser import parsing
from skills_nb.embedded.rewriter import policy_answers, tagged
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.data_types import BOOLEAN, SfType
from skills_nb.embedded.types.inference import data_type

CONSTRAINTS = {
    Kind.PROJECTION_POLICY: SfType("PROJECTION_CONSTRAINT"),
    Kind.AGGREGATION_POLICY: SfType("AGGREGATION_CONSTRAINT"),
}
"""What policies without arguments return: Snowflake's internal types."""


def check_body(session: Context, kind: Kind, detail: PolicyDetail, path: tuple[str, ...]) -> None:
    """Compile a policy's body over a row of NULLs, so that errors are met now, not by readers."""
    if kind in CONSTRAINTS:
        _check_constraint(session, kind, detail, path)
        return
    returns = BOOLEAN if kind is Kind.ROW_ACCESS_POLICY else detail.returns
    held = exp.Paren(this=parsing.parse_expression(detail.body))
    tagged.put(held, tagged.unknown)
    nulls = exp.select(
        *(
            exp.alias_(exp.Cast(this=exp.null(), to=data_type(a.type).copy()), a.name, quoted=True)
            for a in detail.arguments
        )
    )
    query = exp.select(exp.alias_(held, "R")).from_(nulls.subquery("A"))
    env = replace(session.env(), database=path[0], schema=path[1])
    returned_types.refuse_other(returns, queries.defined(session, query, env))


def _check_constraint(
    session: Context, kind: Kind, detail: PolicyDetail, path: tuple[str, ...]
) -> None:
    """Evaluate a body that answers a constraint, as the session would meet it."""
    env = replace(session.env(), database=path[0], schema=path[1])
    body = policy_answers.body_of(kind, detail.body)
    tagged.put(body, tagged.unknown)
    session.evaluated(body, "TEXT", env)
