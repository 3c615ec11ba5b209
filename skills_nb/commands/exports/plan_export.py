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

from skills_nb.commands.exports.guarded_undo import guard_undo
from skills_nb.commands.exports.plan_sessions import PlanSession
from skills_nb.engine.planning.template_names import names_of, playbook_of
from skills_nb.errors import UsageError
from skills_nb.model.events import StepPlanned
from skills_nb.model.library import Library
from skills_nb.model.state import PlaybookRun, ThreadState
from skills_nb.sql.classify import Kind, kind_of
from skills_nb.sql.objects import changes_of, compensation_of
from skills_nb.sql.templates import fill_role
from skills_nb.views.threads.thread_runs import runs_of
from skills_nb.visible import is_visible, unseen_marks, visible

if TYPE_CHECKING:
    from skills_nb.commands.wiring import Wiring

_NOTEBOOK = "plan.ipynb"


@dataclass(frozen=True, slots=True)
class Script:
    """Statements that belong together."""

    name: str
    """Its file's name."""
    title: str
    """What it does, as a heading."""
    before: tuple[str, ...]
    """What brings a session to the role and place that they need."""
    statements: tuple[str, ...]
    """In the order in which they run."""

    @property
    def text(self) -> str:
        """Return it as a script."""
        lines = [f"-- {line}" for line in _told(self)]
        body = [_closed(statement) for statement in (*self.before, *self.statements)]
        return "\n\n".join(["\n".join(lines), *body]) + "\n"

    @property
    def cell(self) -> str:
        """Return it as a notebook's cell, for a Snowpark session of the name `session`."""
        lines = [f"# {line}" for line in _told(self)]
        body = [_called(statement) for statement in (*self.before, *self.statements)]
        return "\n".join([*lines, *body])


def _told(script: Script) -> list[str]:
    """Return the comments above a script; what a reader of it would not see is named there."""
    lines = [visible(line) for line in script.title.split("\n")]
    marks = unseen_marks("\n".join(script.statements))
    return [*lines, f"Not seen on a screen, but below: {', '.join(marks)}"] if marks else lines


@dataclass(frozen=True, slots=True)
class ExportedPlan:
    """What was written."""

    folder: Path
    """Where the files are."""
    names: tuple[str, ...]
    """Scripts in the order in which they are run, then the notebook."""
    cell: str
    """The whole plan as one cell."""


def export(state: ThreadState, library: Library, home: Path, opening: str) -> ExportedPlan:
    """Write one script per planned step, one that takes back what they did, and a notebook.

    Args:
        state: the thread at the end of its dry run.
        library: what it was planned with.
        home: where plans are kept.
        opening: the notebook's first cell, which gives `session` its meaning.
    """
    assert state.run is not None, "a plan is exported from a dry run"
    folder = home / "plans" / state.thread_id
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    moments = list(_moments(state, library))
    scripts = [moment.script for moment in moments if moment.planned.would_execute]
    scripts.append(_compensation(moments))
    for script in scripts:
        (folder / script.name).write_text(script.text, encoding="utf-8")
    cells = [opening, *(script.cell for script in scripts[:-1])]
    back = f"# To take it all back:\n{_commented(scripts[-1].cell)}"
    notebook = json.dumps(_notebook(state.goal, [*cells, back]), indent=1)
    (folder / _NOTEBOOK).write_text(notebook + "\n", encoding="utf-8")
    names = (*(script.name for script in scripts), _NOTEBOOK)
    return ExportedPlan(folder, names, "\n\n".join(cells))


@dataclass(frozen=True, slots=True)
class _Moment:
    """A planned step, and the session that it begins in."""

    planned: StepPlanned
    session: PlanSession
    role: str | None
    """As whom it runs; None where that depends on what an earlier step finds."""
    template: str | None
    """How the playbook names that role; None: the session's own."""

    @property
    def script(self) -> Script:
        """Return it as a script."""
        step = self.planned.step
        title = f"Step {step}: {self.planned.action}"
        if self.role is None and self.template is not None:
            title += f"\nIts role, {self.template}, depends on an earlier step: say USE ROLE first."
        entering = self.session.entering(self.role)
        return Script(
            f"step-{step.zfill(2)}.sql", title, entering, tuple(self.planned.would_execute)
        )


def _moments(state: ThreadState, library: Library) -> Iterator[_Moment]:
    """Yield the planned steps with their sessions; every phase of a chain begins like the first."""
    runs = runs_of(state)
    began = next((run.context for _, run in runs if run.context is not None), None)
    for before, run in runs:
        here = PlanSession.of(began)
        templates, names = _templates(run, library)
        for planned in run.planned:
            template = templates.get(planned.step)
            told = planned.model_copy(update={"step": f"{before}{planned.step}"})
            role = here.role if template is None else _role(template, names)
            yield _Moment(told, here, role, template)
            for sql in planned.would_execute:
                here = here.behind(sql)


def _templates(
    run: PlaybookRun, library: Library
) -> tuple[Mapping[str, str | None], Mapping[str, Any]]:
    playbook = playbook_of(run, library)
    if playbook is None:
        return {}, {}
    return {step.id: step.role for step in playbook.steps}, names_of(run, playbook)


def _role(template: str, names: Mapping[str, Any]) -> str | None:
    try:
        return fill_role(template, names)
    except UsageError:
        # It depends on what an earlier step finds; the person who runs the script says it.
        return None


def _compensation(moments: Sequence[_Moment]) -> Script:
    statements: list[str] = []
    current: tuple[str, ...] | None = None
    for entering, sql in _inverse(moments):
        statements += entering if entering != current else ()
        current = entering
        statements += guard_undo(sql)
    title = (
        "Takes back what the steps did, newest first. Run it statement by statement, and stop at "
        "the first one that fails"
    )
    return Script("compensation.sql", title, (), tuple(statements))


def _inverse(moments: Sequence[_Moment]) -> list[tuple[tuple[str, ...], str]]:
    """Return what takes the planned statements back, each with what brings a session there."""
    found: list[tuple[tuple[str, ...], str]] = []
    for moment in moments:
        created = {made.fqn for made in moment.planned.would_create}
        here = moment.session
        for sql in moment.planned.would_execute:
            is_own = moment.template is None
            entering = here.entering(here.role if is_own else moment.role)
            place = (here.database, here.schema)
            here = here.behind(sql)
            if kind_of(sql) is Kind.READ:
                continue
            inverse = compensation_of(sql, *place, _before(sql, *place, created))
            found[:0] = [(entering, statement) for statement in inverse]
    return found


def _before(
    sql: str, database: str | None, schema: str | None, created: set[str]
) -> dict[str, dict[str, object]]:
    """Return what stood before: everything did, but for what the plan itself creates."""
    names = (change.target.fqn for change in changes_of(sql, database, schema))
    return {name: {"exists": name not in created, "ddl": None, "value": None} for name in names}


# ---- as cells


def opening_cell(wiring: Wiring) -> str:
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
    told = f"# {visible(goal)}\n\nA plan; nothing of it has been done."
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


def _called(statement: str) -> str:
    """Return the call that runs a statement; what is to be looked at is shown."""
    lines = statement.split("\n")
    comments = [f"# {line.removeprefix('-- ')}" for line in lines if line.startswith("-- Look")]
    ends = "show()" if comments else "collect()"
    text = statement if not comments else "\n".join(lines[len(comments) :])
    return "\n".join([*comments, f"session.sql({_constant(text)}).{ends}"])


def _constant(statement: str) -> str:
    """Return a statement as Python's constant, in its own lines where that is plain."""
    text = statement.strip().rstrip(";")
    is_plain = "\n" in text and '"""' not in text and "\\" not in text and not text.endswith('"')
    if is_plain and not unseen_marks(text):
        return f'"""{text}"""'
    return repr(text) if is_visible(repr(text)) else ascii(text)
