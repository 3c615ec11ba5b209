"""Prerequisites: what a query asked for is run before it, where its purpose allows.

Room: embedded. The rewrite asks (`rewrite.requirements`), and here is the only place that runs what
it asks for: for a query that runs, never for one that is described, explained or defined.
"""

from __future__ import annotations

from typing import assert_never

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.rewriter.requirements import (
    AWAITED,
    COLUMNS_ONLY,
    Expectations,
    ProcedureRows,
    Purpose,
    Requirement,
    StoredRows,
    SystemValue,
    not_in_definitions,
)
from skills_nb.embedded.rewriter.rewriter import Rewriter
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.system_rows import Table
from skills_nb.embedded.types.values import Column


def meet(session: Context, rewriter: Rewriter, held: exp.Expr, purpose: Purpose) -> None:
    """Put into a query, below `held`, the answers to what its rewrite asked for.

    Raises:
        SqlError: the purpose does not allow what the query asks for (0A000), or running it fails.
    """
    if purpose is Purpose.CONSTANT and rewriter.draws:
        raise errors.unsupported("NEXTVAL where a value is only looked up")
    wanted = rewriter.requirements
    if not wanted:
        return
    if purpose not in (Purpose.RUN, Purpose.DESCRIBE):
        _refuse(wanted)
    if purpose in COLUMNS_ONLY:
        return
    answers = [_answer(session, requirement) for requirement in wanted]
    for node in list(held.walk()):
        number = node.args.get(AWAITED)
        if number is not None:
            node.replace(answers[number].copy())


def _refuse(wanted: list[Requirement]) -> None:
    doing = next((one for one in wanted if not isinstance(one, StoredRows)), None)
    if doing is not None:
        raise not_in_definitions(doing)


def _answer(session: Context, requirement: Requirement) -> exp.Expr:
    match requirement:
        case ProcedureRows():
            result = session.nested(requirement.call)
            return _query(session, (_as_declared(requirement, result.columns), result.rows))
        case SystemValue():
            made = session.system_scalar(requirement.call)
            assert made is not None
            return made
        case Expectations():
            return _query(session, session.expectations(dict(requirement.arguments)))
        case StoredRows():
            return _query(session, (requirement.columns, requirement.rows))
        case _:
            assert_never(requirement)


def _query(session: Context, table: Table) -> exp.Query:
    query, _ = session.as_query(*table)
    return query


def _as_declared(wanted: ProcedureRows, answered: tuple[Column, ...]) -> tuple[Column, ...]:
    """Hold a procedure to the columns that the query was rewritten for."""
    if answered != wanted.columns:
        raise errors.wrong_count("Declared and returned columns of the procedure differ.")
    return answered
