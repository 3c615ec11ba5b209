"""Looking at a sandbox through a check: do something, look as somebody, compare.

Room: work (bench).
"""

from __future__ import annotations

from skills_nb.bench.scoring import Difference
from skills_nb.bench.snowflake.sandboxes import Sandbox, Sandboxes
from skills_nb.bench.tasks.expectations import one_line, shown_answer
from skills_nb.bench.tasks.task_values import SqlCheck
from skills_nb.errors import SqlError
from skills_nb.ports import QueryRows
from skills_nb.sql.statements import split


class GapError(Exception):
    """The backend lacks what a statement needs."""


def run_check_statement(
    sandbox: Sandbox, sandboxes: Sandboxes, sql: str, role: str
) -> QueryRows | SqlError:
    """Run a statement of a check; a refusal is an answer, a gap is not.

    Raises:
        GapError: the backend lacks what it needs.
    """
    try:
        sandbox.become(role)
        return sandbox.run(sql)
    except SqlError as problem:
        if sandboxes.is_gap(problem):
            raise GapError(one_line(problem.message)) from problem
        return problem


def problem_of(sandbox: Sandbox, sandboxes: Sandboxes, check: SqlCheck) -> str:
    """Return why a check does not hold, or nothing.

    Raises:
        GapError: the backend lacks what it needs.
    """
    difference = difference_of(sandbox, sandboxes, check)
    return difference.trouble if difference is not None else ""


def difference_of(sandbox: Sandbox, sandboxes: Sandboxes, check: SqlCheck) -> Difference | None:
    """Return how a check does not hold, with what was expected and found; None where it holds.

    Raises:
        GapError: the backend lacks what it needs.
    """
    for step in check.do:
        for statement in split(step.sql):
            found = run_check_statement(sandbox, sandboxes, statement.text, step.role)
            if isinstance(found, SqlError):
                said = f"{one_line(statement.text, 60)}: {one_line(found.message)}"
                return Difference(check.id, check.says, said)
    found = run_check_statement(sandbox, sandboxes, check.sql, check.role)
    trouble = check.expect.problem(found)
    if not trouble:
        return None
    shown = check.expect.shown(), shown_answer(found)
    return Difference(check.id, check.says, trouble, *shown)
