"""A dry run as SQL scripts and as a notebook that a person can read, run and take back.

Room: commands. A script runs as it stands: it begins with the role of its step and the place in
which the dry run began. Spec: Dry-Run Mode (export_plan).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skills_nb.engine.names import names_of, playbook_of
from skills_nb.errors import UsageError
from skills_nb.model.library import Library
from skills_nb.model.state import PlaybookRun, ThreadState
from skills_nb.sql.classify import Kind, kind_of
from skills_nb.sql.identifiers import quote, render_name
from skills_nb.sql.objects import changes_of, compensation_of
from skills_nb.sql.templates import message
from skills_nb.views.chain import planned_in, runs_of

if TYPE_CHECKING:
    from skills_nb.commands.wiring import Wiring

_NOTEBOOK = "plan.ipynb"


@dataclass(frozen=True, slots=True)
class Script:
    """Statements that belong together."""

    name: str
    title: str
    before: tuple[str, ...]
    """What brings a session to the role and place that they need."""
    statements: tuple[str, ...]

    @property
    def text(self) -> str:
        """Return it as a script."""
        lines = [f"-- {line}" for line in self.title.splitlines()]
        body = [_closed(statement) for statement in (*self.before, *self.statements)]
        return "\n\n".join(["\n".join(lines), *body]) + "\n"

    @property
    def cell(self) -> str:
        """Return it as a notebook's cell, for a Snowpark session of the name `session`."""
        lines = [f"# {line}" for line in self.title.splitlines()]
        body = [
            f"session.sql({_constant(statement)}).collect()"
            for statement in (*self.before, *self.statements)
        ]
        return "\n".join([*lines, *body])


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written."""

    folder: Path
    names: tuple[str, ...]
    """Scripts in the order in which they are run, then the notebook."""
    cell: str
    """The whole plan as one cell."""


def export(state: ThreadState, library: Library, home: Path, opening: str) -> Exported:
    """Write one script per planned step, one that takes everything back, and a notebook.

    Args:
        state: the thread at the end of its dry run.
        library: what it was planned with.
        home: where plans are kept.
        opening: the notebook's first cell, which gives `session` its meaning.
    """
    assert state.run is not None, "a plan is exported from a dry run"
    folder = home / "plans" / state.thread_id
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    roles = _roles(state, library)
    scripts = [
        Script(
            f"step-{planned.step.zfill(2)}.sql",
            f"Step {planned.step}: {planned.action}",
            _entering(state.run, roles[planned.step]),
            tuple(planned.would_execute),
        )
        for planned in planned_in(state)
        if planned.would_execute
    ]
    scripts.append(_compensation(state, roles))
    for script in scripts:
        (folder / script.name).write_text(script.text, encoding="utf-8")
    cells = [opening, *(script.cell for script in scripts[:-1])]
    back = f"# To take it all back:\n{_commented(scripts[-1].cell)}"
    notebook = json.dumps(_notebook(state.goal, [*cells, back]), indent=1)
    (folder / _NOTEBOOK).write_text(notebook + "\n", encoding="utf-8")
    names = (*(script.name for script in scripts), _NOTEBOOK)
    return Exported(folder, names, "\n\n".join(cells))


def _roles(state: ThreadState, library: Library) -> dict[str, str | None]:
    """Return the role of each planned step; None: the session's own."""
    return {
        f"{before}{step.id}": _role(step.role, run, names)
        for before, run in runs_of(state)
        if (playbook := playbook_of(run, library)) is not None
        for names in (names_of(run, playbook),)
        for step in playbook.steps
    }


def _role(template: str | None, run: PlaybookRun, names: Mapping[str, Any]) -> str | None:
    if template is None:
        return run.context.current_role if run.context is not None else None
    try:
        return message(template, names)
    except UsageError:
        # It depends on what an earlier step finds; the person who runs the script says it.
        return None


def _entering(run: PlaybookRun, role: str | None) -> tuple[str, ...]:
    """Return what brings a session to a step's role, and to the place where the run began."""
    found = [f"USE ROLE {quote(role)}"] if role else []
    context = run.context
    if context is not None and context.current_warehouse:
        found.append(f"USE WAREHOUSE {quote(context.current_warehouse)}")
    if context is not None and context.current_database:
        parts = (context.current_database, context.current_schema or "PUBLIC")
        found.append(f"USE SCHEMA {render_name(parts)}")
    return tuple(found)


def _compensation(state: ThreadState, roles: Mapping[str, str | None]) -> Script:
    run = state.run
    assert run is not None, "a plan is exported from a dry run"
    statements: list[str] = []
    current: str | None = None
    for role, sql in _inverse(state, run, roles):
        if role and role != current:
            statements.append(f"USE ROLE {quote(role)}")
            current = role
        statements.append(sql)
    title = "Takes back what the steps did, newest first"
    return Script("compensation.sql", title, _entering(run, None), tuple(statements))


def _inverse(
    state: ThreadState, run: PlaybookRun, roles: Mapping[str, str | None]
) -> list[tuple[str | None, str]]:
    """Return what takes the planned statements back, each with its step's role."""
    database = run.context.current_database if run.context else None
    schema = run.context.current_schema if run.context else None
    found: list[tuple[str | None, str]] = []
    for planned in planned_in(state):
        created = {made.fqn for made in planned.would_create}
        for sql in planned.would_execute:
            if kind_of(sql) is Kind.READ:
                continue
            prior = _before(sql, database, schema, created)
            inverse = compensation_of(sql, database, schema, prior)
            found[:0] = [(roles[planned.step], statement) for statement in inverse]
    return found


def _before(
    sql: str, database: str | None, schema: str | None, created: set[str]
) -> dict[str, dict[str, object]]:
    """Return what stood before: everything did, but for what the plan itself creates."""
    names = (change.target.fqn for change in changes_of(sql, database, schema))
    return {name: {"exists": name not in created, "ddl": None, "value": None} for name in names}


# ---- as cells


def opening_of(wiring: Wiring) -> str:
    """Return the cell that opens a session on the account that was planned for."""
    match wiring.connection.kind:
        case "embedded":
            folder = str(wiring.account_folder)
            return f"import skills_nb\n\nsession = skills_nb.connect({folder!r})"
        case "named":
            name = wiring.connection.name
            opened = f'session = Session.builder.config("connection_name", {name!r}).create()'
            return f"from snowflake.snowpark import Session\n\n{opened}"
        case _:
            return (
                "from snowflake.snowpark.context import get_active_session\n\n"
                "session = get_active_session()"
            )


def _notebook(goal: str, cells: Sequence[str]) -> dict[str, Any]:
    """Return a notebook document. Source: the Jupyter notebook format, version 4.4."""
    told = f"# {goal}\n\nA plan; nothing of it has been done."
    return {
        "cells": [
            {"cell_type": "markdown", "metadata": {}, "source": _lines(told)},
            *(
                {
                    "cell_type": "code",
                    "execution_count": None,
                    "metadata": {},
                    "outputs": [],
                    "source": _lines(cell),
                }
                for cell in cells
            ),
        ],
        "metadata": {"language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 4,
    }


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def _commented(cell: str) -> str:
    return "\n".join(_comments(cell))


def _comments(cell: str) -> Iterator[str]:
    for line in cell.splitlines():
        yield line if line.startswith("#") else f"# {line}"


def _closed(statement: str) -> str:
    return f"{statement.strip().rstrip(';')};"


def _constant(statement: str) -> str:
    """Return a statement as Python's constant, in its own lines where that is plain."""
    text = statement.strip().rstrip(";")
    is_plain = "\n" in text and '"""' not in text and "\\" not in text and not text.endswith('"')
    return f'"""{text}"""' if is_plain else repr(text)
