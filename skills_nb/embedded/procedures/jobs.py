"""Jobs: ASYNC, AWAIT and CANCEL.

Room: embedded. A job is done when it is started, one after the other; its errors and counts are
told when it is awaited, and its rows may not be read before, as on Snowflake.

See https://docs.snowflake.com/en/developer-guide/snowflake-scripting/asynchronous-child-jobs
"""

from __future__ import annotations

from skills_nb.embedded import errors
from skills_nb.embedded.parser import scripts as s
from skills_nb.embedded.parser.scopes import Scope, Table, Value
from skills_nb.embedded.procedures.running import (
    COUNTS,
    STATEMENT_ERROR,
    Job,
    Running,
)
from skills_nb.embedded.procedures.signals import Raised


def run(running: Running, what: s.Async, scope: Scope) -> None:
    """Start a statement that belongs to no resultset."""
    start(running, Table(), what.text, scope)


def start(running: Running, table: Table, query: str, scope: Scope) -> None:
    """Start a job, whose rows are for a resultset."""
    job = Job(table)
    try:
        made = running.rows(query, scope)
        table.columns, table.rows, table.query_id = made.columns, made.rows, made.query_id
    except Raised as raised:
        job.raised = raised
    table.awaited = False
    job.counts = {name: running.latest[name] for name in COUNTS}
    running.latest |= {name: Value(None) for name in COUNTS}
    running.jobs.append(job)


def await_(running: Running, what: s.Await, scope: Scope) -> None:
    """Tell how the jobs, or the one of a resultset, ended.

    Raises:
        Raised: one of them failed; it is what the first to fail raised.
    """
    wanted = _of(running, what.name, scope) if what.name is not None else list(running.jobs)
    for job in wanted:
        running.jobs.remove(job)
        job.table.awaited = True
        running.latest |= job.counts
    failed = next((job.raised for job in wanted if job.raised is not None), None)
    if failed is not None:
        raise failed


def cancel(running: Running, what: s.Cancel, scope: Scope) -> None:
    """Give a resultset's job up: to await it then is an error."""
    for job in _of(running, what.name, scope):
        canceled = errors.canceled()
        job.raised = Raised(STATEMENT_ERROR, canceled, running.place)


def _of(running: Running, name: str, scope: Scope) -> list[Job]:
    table = running.known(name, scope)
    if not isinstance(table, Table):
        raise running.wrong(f"'{name}' is no resultset.")
    return [job for job in running.jobs if job.table is table]
