"""Histories of what ran: tasks, alerts, refreshes.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/functions/task_history
"""

from __future__ import annotations

from collections.abc import Callable

from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Entity
from skills_nb.embedded.session import runs
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.session.history_arguments import Asked
from skills_nb.embedded.types import names
from skills_nb.embedded.types.system_rows import Row, Rows
from skills_nb.embedded.types.task_run import Run

Roles = frozenset[str]


def visible_runs(
    session: Context, roles: Roles, kind: str, asked: Asked, name: str | None, span: tuple[str, str]
) -> list[tuple[Run, Entity]]:
    """List the runs in a span of time, of the objects that the roles may see, latest first."""
    everything = access.may_globally(session, "MONITOR EXECUTION", roles)
    start, end = (asked.instant(session, one) for one in span)
    found: list[tuple[Run, Entity]] = []
    for run in runs.history(session, kind):
        entity = session.account.catalog.by_id(run.object)
        if entity is None or not (everything or access.sees(session, entity, roles)):
            continue
        in_span = (start is None or run.scheduled >= start) and (
            end is None or run.scheduled <= end
        )
        if in_span and (name is None or names.typed_path(name)[-1] == entity.name):
            found.append((run, entity))
    return found


def usage_view(
    kind: str, spec: str, row: Callable[[Run, Entity], Row]
) -> Callable[[Context], Rows]:
    """Make the ACCOUNT_USAGE view of a kind of runs."""

    def read(session: Context) -> Rows:
        found = (
            (run, session.account.catalog.by_id(run.object)) for run in runs.history(session, kind)
        )
        return spec, [row(run, entity) for run, entity in found if entity is not None]

    return read
