"""Policies: checking a body before it protects anything.

Room: embedded.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sqlglot import exp

from skills_nb.embedded import dialect, parsing, queries
from skills_nb.embedded.catalog.entities import Kind, PolicyDetail
from skills_nb.embedded.inference import data_type
from skills_nb.embedded.types import BOOLEAN

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession


def check_body(
    session: AccountSession, kind: Kind, detail: PolicyDetail, path: tuple[str, ...]
) -> None:
    """Compile a policy's body over a row of NULLs, so that errors are met now, not by readers."""
    returns = BOOLEAN if kind is Kind.ROW_ACCESS_POLICY else detail.returns
    body = exp.Cast(
        this=exp.Paren(this=parsing.parse_expression(detail.body)), to=data_type(returns).copy()
    )
    nulls = exp.select(
        *(
            exp.alias_(exp.Cast(this=exp.null(), to=data_type(a.type).copy()), a.name, quoted=True)
            for a in detail.arguments
        )
    )
    query = exp.select(exp.alias_(body, "R")).from_(nulls.subquery("A"))
    env = replace(session.env(), database=path[0], schema=path[1])
    made, _ = queries.governed(session, query, env)
    session.cursor.execute(f"DESCRIBE {dialect.to_sql(made)}")
