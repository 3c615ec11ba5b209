"""The executor: which part of the room answers a statement.

Room: embedded. Governance and administration statements come typed from `sql.governance`; the rest
comes as a tree. Whatever is in neither table is refused.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, assert_never

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer.parameters import effective
from skills_nb.embedded.engine import dispatch, explaining, template_filling, trees
from skills_nb.embedded.executor import queries
from skills_nb.embedded.executor import statements as stages
from skills_nb.embedded.objects.attachments import tag_propagation
from skills_nb.embedded.objects.routines import procedure_calls
from skills_nb.embedded.objects.routines.data_metric_function import measuring
from skills_nb.embedded.parser import bindings as binding
from skills_nb.embedded.parser.statement import (
    Administration,
    AnonymousProcedure,
    Block,
    Explain,
    FileWork,
    FromTemplate,
    General,
    Statement,
    parse,
)
from skills_nb.embedded.procedures import blocks, filling, staged
from skills_nb.embedded.session.bound_values import Bindings
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.session.variable_values import text_of
from skills_nb.embedded.storage.spooled_rows import SpooledRows
from skills_nb.embedded.translator.dialect import format_rules
from skills_nb.embedded.types import names
from skills_nb.embedded.types.data_types import SEMI_STRUCTURED
from skills_nb.embedded.types.tree_copies import copied
from skills_nb.embedded.types.values import KeptResult, Outcome, Result
from skills_nb.sql import governance
from skills_nb.sql.governance import ast


def read(session: Context, sql: str, bindings: Bindings) -> Statement:
    """Parse one statement as the session reads names.

    Raises:
        SqlError: it cannot be read.
    """
    capitals = bool(effective(session, "QUOTED_IDENTIFIERS_IGNORE_CASE"))
    return parse(sql, bindings, session.variable_texts(), quoted_in_capitals=capitals)


def run(session: Context, statement: Statement, *, describe_only: bool = False) -> Outcome:
    """Run one statement inside the session's transaction.

    Raises:
        SqlError: it is refused.
    """
    match statement.what:
        case Block(text=text):
            return trees.STATUS if describe_only else blocks.anonymous(session, text)
        case AnonymousProcedure(text=text):
            return trees.STATUS if describe_only else procedure_calls.anonymous(session, text)
        case Explain(form=form, query=query):
            bound = _bound(session, query, statement.bindings)
            assert isinstance(bound, exp.Query)
            return explaining.answer(session, form, bound)
        case FileWork(statement=work):
            return stages.DESCRIBED if describe_only else stages.run(session, work)
        case Administration(statement=asked):
            return _governance(session, asked, statement.bindings, describe_only=describe_only)
        case FromTemplate(template=template):
            if describe_only:
                return trees.STATUS
            text = template_filling.filled(session, template)
            made = read(session, text, statement.bindings)
            return run(session, replace(made, sent=statement.sent))
        case General():
            return _general(session, statement, statement.what, describe_only=describe_only)
        case _:
            assert_never(statement.what)


def _general(
    session: Context, statement: Statement, what: General, *, describe_only: bool
) -> Outcome:
    """Run what the general parser read."""
    tree = _bound(session, what.tree, statement.bindings, describe_only=describe_only)
    if isinstance(tree, exp.Values):
        tree = exp.select("*").from_(tree)
    if isinstance(tree, exp.Query):
        return queries.select(session, tree, describe_only=describe_only)
    if describe_only:
        return trees.described(session, tree)
    if isinstance(tree, (exp.DML, exp.MultitableInserts)):
        session.begin_change()
    outcome = trees.run(session, tree, what.clauses, statement.sent)
    measuring.after_change(session, tree)
    tag_propagation.after_change(session, what.tree)
    return outcome


def _bound(
    session: Context, tree: exp.Expr, bindings: Bindings, *, describe_only: bool = False
) -> exp.Expr:
    """Return a copy with the bound values and the names that stand elsewhere put in."""
    made = binding.bind(session, copied(tree), bindings, describe_only=describe_only)
    return format_rules.mapped(_identified(session, made), session.customs)


def _identified(session: Context, tree: exp.Expr) -> exp.Expr:
    """Put names in the place of IDENTIFIER('…') and IDENTIFIER($v)."""
    for node in list(tree.find_all(exp.DynamicIdentifier)):
        inner = node.this
        if isinstance(inner, exp.Parameter):
            inner = session.variable_tree(inner.name.upper())
        if not (isinstance(inner, exp.Literal) and inner.is_string):
            raise errors.unsupported("IDENTIFIER of an expression")
        node.set("this", inner)
        if not isinstance(node.parent, exp.Table):
            path = names.typed_path(inner.name)
            node.replace(names.column(path[-1], path[-2] if len(path) > 1 else None))
    return tree


def _governance(
    session: Context,
    statement: governance.GovernanceStatement,
    bindings: Bindings,
    *,
    describe_only: bool,
) -> Outcome:
    if isinstance(statement, ast.Chain):
        return _chain(session, statement, bindings, describe_only=describe_only)
    if isinstance(statement, ast.ExecuteImmediate):
        return _immediate(session, statement, bindings, describe_only=describe_only)
    if describe_only and not dispatch.is_read_only(statement):
        return trees.STATUS
    return dispatch.run(session, statement)


def _chain(
    session: Context, statement: ast.Chain, bindings: Bindings, *, describe_only: bool
) -> Outcome:
    """Run `a ->> b`: each step reads its predecessors' results as `$1`, `$2`, ….

    See https://docs.snowflake.com/en/sql-reference/operators-flow
    """
    earlier: list[Outcome] = []
    for step in statement.steps:
        session.statement = replace(session.statement, piped=tuple(reversed(earlier)))
        try:
            read_step = read(session, step, bindings)
            earlier.append(run(session, read_step, describe_only=describe_only))
        finally:
            session.statement = replace(session.statement, piped=())
    return earlier[-1]


def _immediate(
    session: Context,
    statement: ast.ExecuteImmediate,
    bindings: Bindings,
    *,
    describe_only: bool,
) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/execute-immediate."""
    if statement.source is not None:
        return trees.STATUS if describe_only else staged.run(session, statement.source)
    text = statement.text
    if text is None:
        text = text_of(session.variable_tree(statement.variable or ""))
    if statement.using:
        bindings = {
            str(number): filling.binding_of(_bound_value(session.variable_tree(name)))
            for number, name in enumerate(statement.using, start=1)
        }
    return run(session, read(session, text, bindings), describe_only=describe_only)


def _bound_value(value: exp.Expr) -> Any:
    return text_of(value) if isinstance(value, exp.Cast) else value.to_py()


def kept(session: Context, query_id: str, outcome: Outcome, *, describe_only: bool) -> Result:
    """Dress an outcome as a result and remember it for RESULT_SCAN."""
    rows = outcome.rows
    if not describe_only:
        found = KeptResult(session.user_id, session.role, outcome.columns, rows)
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


def printed(session: Context, outcome: Outcome) -> Outcome:
    """Write an outcome's semi-structured values as the session shows them."""
    rows = _shown(outcome, effective(session, "JSON_INDENT"))
    return outcome if rows is outcome.rows else replace(outcome, rows=rows)


def _shown(outcome: Outcome, indent: int) -> Sequence[tuple[Any, ...]]:
    """Print semi-structured values the way Snowflake does: indented, keys in order."""
    if isinstance(outcome.rows, SpooledRows):
        outcome.rows.show = partial(pretty, indent=indent)
        return outcome.rows
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


def drop_temporary(session: Context) -> None:
    """Drop the session's temporary objects."""
    trees.drop_temporary(session)
