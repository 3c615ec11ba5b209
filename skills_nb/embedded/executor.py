"""The executor: which part of the room answers a statement.

Room: embedded. Governance and administration statements come typed from `sql.governance`; the rest
comes as a tree. Whatever is in neither table is refused.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from skills_nb.embedded import bindings as binding
from skills_nb.embedded import dispatch, explaining, names, parsing, queries, refusals
from skills_nb.embedded.code import blocks, filling, routines, staged
from skills_nb.embedded.dialect import customs
from skills_nb.embedded.metrics import measuring
from skills_nb.embedded.stages import statements as stages
from skills_nb.embedded.stages import words
from skills_nb.embedded.statements import templated, trees
from skills_nb.embedded.statements.parameters import effective
from skills_nb.embedded.tagging import propagating
from skills_nb.embedded.types import SEMI_STRUCTURED
from skills_nb.embedded.values import KeptResult, Outcome, Result
from skills_nb.sql import governance
from skills_nb.sql.governance import ast
from skills_nb.sql.identifiers import in_capitals
from skills_nb.sql.statements import split
from skills_nb.sql.tokens import tokenize

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession


def run(
    session: AccountSession, sql: str, bindings: Mapping[str, Any], *, describe_only: bool = False
) -> Outcome:
    """Run one statement inside the session's transaction.

    Raises:
        SqlError: it is refused.
    """
    text = single(sql)
    if effective(session, "QUOTED_IDENTIFIERS_IGNORE_CASE"):
        text = in_capitals(text)
    if words.binds_name(text):
        text, bindings = words.filled(text, bindings), {}
    if blocks.is_block(text):
        return trees.STATUS if describe_only else blocks.anonymous(session, text)
    if routines.is_anonymous(text):
        return trees.STATUS if describe_only else routines.anonymous(session, text)
    if explaining.asks(text):
        return explaining.answer(session, text)
    moved = None
    if "->>" not in text or not _is_chain(text):
        moved = stages.answer(session, text, bindings, describe_only=describe_only)
    if moved is not None:
        return moved
    statement = governance.parse(words.filled(text, bindings), session.variable_texts())
    if statement is not None:
        return _governance(session, statement, bindings, describe_only=describe_only)
    text, clauses = governance.table_clauses(templated.filled(session, text))
    tree = binding.bind(session, parsing.parse_statement(text), bindings)
    tree = customs.mapped(_identified(session, tree), session.customs)
    if isinstance(tree, exp.Values):
        tree = exp.select("*").from_(tree)
    if isinstance(tree, exp.Query):
        return queries.select(session, tree, describe_only=describe_only)
    if describe_only:
        return trees.described(session, tree)
    if isinstance(tree, (exp.DML, exp.MultitableInserts)):
        session.begin_change()
    outcome = trees.run(session, tree, clauses, sql)
    measuring.after_change(session, tree)
    propagating.after_change(session, text)
    return outcome


def _identified(session: AccountSession, tree: exp.Expr) -> exp.Expr:
    """Put names in the place of IDENTIFIER('…') and IDENTIFIER($v)."""
    for node in list(tree.find_all(exp.DynamicIdentifier)):
        inner = node.this
        if isinstance(inner, exp.Parameter):
            inner = session.variable_tree(inner.name.upper())
        if not (isinstance(inner, exp.Literal) and inner.is_string):
            raise refusals.unsupported("IDENTIFIER of an expression")
        node.set("this", inner)
        if not isinstance(node.parent, exp.Table):
            path = names.typed_path(inner.name)
            node.replace(names.column(path[-1], path[-2] if len(path) > 1 else None))
    return tree


def single(sql: str) -> str:
    """Return the text's only statement."""
    found = split(sql)
    if not found:
        raise refusals.empty_statement()
    if len(found) > 1:
        raise refusals.statement_count(len(found), 1)
    return found[0].text


def _governance(
    session: AccountSession,
    statement: governance.GovernanceStatement,
    bindings: Mapping[str, Any],
    *,
    describe_only: bool,
) -> Outcome:
    if isinstance(statement, ast.Chain):
        return _chain(session, statement, bindings)
    if isinstance(statement, ast.ExecuteImmediate):
        return _immediate(session, statement, bindings)
    if describe_only and not dispatch.is_read_only(statement):
        return trees.STATUS
    return dispatch.run(session, statement)


def _is_chain(text: str) -> bool:
    return any(token.text == "->>" for token in tokenize(text))


def _chain(session: AccountSession, statement: ast.Chain, bindings: Mapping[str, Any]) -> Outcome:
    """Run `a ->> b`: each step reads its predecessors' results as `$1`, `$2`, ….

    See https://docs.snowflake.com/en/sql-reference/operators-flow
    """
    earlier: list[Outcome] = []
    for step in statement.steps:
        session.piped = tuple(reversed(earlier))
        try:
            earlier.append(run(session, step, bindings))
        finally:
            session.piped = ()
    return earlier[-1]


def _immediate(
    session: AccountSession, statement: ast.ExecuteImmediate, bindings: Mapping[str, Any]
) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/execute-immediate."""
    if statement.source is not None:
        return staged.run(session, statement.source)
    text = statement.text
    if text is None:
        text = session.variable_tree(statement.variable or "").name
    if statement.using:
        bindings = {
            str(number): filling.binding_of(session.variable_tree(name).to_py())
            for number, name in enumerate(statement.using, start=1)
        }
    return run(session, text, bindings)


def kept(
    session: AccountSession, query_id: str, outcome: Outcome, *, describe_only: bool
) -> Result:
    """Dress an outcome as a result and remember it for RESULT_SCAN."""
    rows = _shown(outcome, effective(session, "JSON_INDENT"))
    if not describe_only:
        found = KeptResult(session.user, session.role, outcome.columns, rows)
        session.account.keep_result(query_id, found)
    return Result(
        outcome.columns,
        rows[: effective(session, "ROWS_PER_RESULTSET") or None],
        outcome.statement_type,
        outcome.row_count,
        query_id,
        outcome.transfer,
        outcome.given_back,
    )


def _shown(outcome: Outcome, indent: int) -> tuple[tuple[Any, ...], ...]:
    """Print semi-structured values the way Snowflake does: indented, keys in order."""
    places = [i for i, c in enumerate(outcome.columns) if c.type.kind in SEMI_STRUCTURED]
    if not places:
        return outcome.rows
    return tuple(
        tuple(pretty(v, indent) if i in places else v for i, v in enumerate(row))
        for row in outcome.rows
    )


def pretty(value: Any, indent: int) -> Any:
    """Format one JSON text; without an indent on one line.

    See https://docs.snowflake.com/en/sql-reference/parameters#json-indent
    """
    if isinstance(value, (list, dict)):
        value = json.dumps(value, default=str)
    if not isinstance(value, str):
        return value
    try:
        read = json.loads(value)
    except json.JSONDecodeError:
        return value
    between = None if indent else (",", ":")
    return json.dumps(
        read, indent=indent or None, separators=between, sort_keys=True, ensure_ascii=False
    )


def drop_temporary(session: AccountSession) -> None:
    """Drop the session's temporary objects."""
    trees.drop_temporary(session)
