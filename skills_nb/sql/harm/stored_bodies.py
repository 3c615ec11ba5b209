"""Bodies: what a task, an alert or a pipe does by itself, and a procedure where it is called.

Room: sql.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from skills_nb.errors import SqlError
from skills_nb.sql import governance
from skills_nb.sql.classify.procedure_handlers import only_sends, sql_in
from skills_nb.sql.governance import ast
from skills_nb.sql.harm.harm_value import Harm
from skills_nb.sql.identifiers import render_name
from skills_nb.sql.statements import split


def that_run_by_themselves(sql: str) -> Iterator[tuple[str, str]]:
    """Yield the code that a statement leaves behind to run later, with what is to run it."""
    statement = _parsed(sql)
    match statement:
        case ast.CreateTask(body=body) | ast.CreatePipe(body=body):
            yield _named(statement.kind, statement.name), body
        case ast.CreateAlert(action=body):
            yield _named(statement.kind, statement.name), body
        case ast.Alter(kind=kind, actions=actions):
            for action in actions:
                if isinstance(action, ast.ModifyBody):
                    yield _named(kind, statement.name), action.body
        case _:
            return


def later(maker: str, harm: Harm) -> Harm:
    """Return a harm as it is done by what a statement leaves behind."""
    return replace(harm, words=f"let {maker} {harm.words}")


def of_routine(sql: str) -> tuple[str, ...] | None:
    """Return the texts that a routine runs, by the statement that makes it; None: not known."""
    statement = _parsed(sql)
    if isinstance(statement, ast.CreateProcedure):
        if statement.body is None:
            return None
        if statement.language.upper() == "SQL":
            return (statement.body,)
        language = statement.language.upper()
        is_read = only_sends(language, statement.body)
        return sql_in(language, statement.body) if is_read else None
    return tuple(body for _, body in that_run_by_themselves(sql)) or None


def _named(kind: str, name: ast.Name) -> str:
    return f"{kind.lower()} {render_name(name)}"


def _parsed(sql: str) -> ast.GovernanceStatement | None:
    found = split(sql)
    if len(found) != 1:
        return None
    try:
        return governance.parse(found[0].text)
    except (SqlError, RecursionError):
        return None
