"""A dry run as SQL scripts that a person can read, run and take back.

Room: commands. Spec: Dry-Run Mode (export_plan).
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from skills_nb.model.events import StepPlanned
from skills_nb.model.library import Library
from skills_nb.model.state import PlaybookRun, ThreadState
from skills_nb.sql.classify import Kind, kind_of
from skills_nb.sql.objects import changes_of, compensation_of
from skills_nb.views.chain import planned_in


def export(state: ThreadState, library: Library, home: Path) -> tuple[Path, list[str]]:
    """Write one script per planned step and one that takes everything back.

    Returns:
        The folder, and the names of the scripts in the order in which they are run.
    """
    run, steps = state.run, planned_in(state)
    assert run is not None, "a plan is exported from a dry run"
    folder = home / "plans" / state.thread_id
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    scripts = {
        f"step-{planned.step.zfill(2)}.sql": _script(
            f"Step {planned.step}: {planned.action}", planned.would_execute
        )
        for planned in steps
        if planned.would_execute
    }
    scripts["compensation.sql"] = _script(
        "Takes back what the steps did, newest first", _inverse(run, steps)
    )
    for name, text in scripts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder, list(scripts)


def _script(title: str, statements: list[str]) -> str:
    lines = [f"-- {line}" for line in title.splitlines()]
    body = [f"{statement.strip().rstrip(';')};" for statement in statements]
    return "\n\n".join(["\n".join(lines), *body]) + "\n"


def _inverse(run: PlaybookRun, steps: Iterable[StepPlanned]) -> list[str]:
    database = run.context.current_database if run.context else None
    schema = run.context.current_schema if run.context else None
    found: list[str] = []
    for planned in steps:
        created = {made.fqn for made in planned.would_create}
        for sql in planned.would_execute:
            if kind_of(sql) is Kind.READ:
                continue
            prior = _before(sql, database, schema, created)
            found[:0] = compensation_of(sql, database, schema, prior)
    return found


def _before(
    sql: str, database: str | None, schema: str | None, created: set[str]
) -> dict[str, dict[str, object]]:
    """Return what stood before: everything did, but for what the plan itself creates."""
    names = (change.target.fqn for change in changes_of(sql, database, schema))
    return {name: {"exists": name not in created, "ddl": None, "value": None} for name in names}
