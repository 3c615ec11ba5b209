"""Afterlife: what a dropped object leaves behind elsewhere, and how it goes.

Room: embedded.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.pipeline_details import SequenceDetail, TaskDetail
from skills_nb.embedded.versions.numbers import quoted

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession


def forget(session: AccountSession, entity: Entity) -> None:
    """Clear what an object kept outside the catalog, and references to it."""
    if isinstance(entity.detail, SequenceDetail):
        session.run(f"DROP SEQUENCE {quoted(entity.detail)}")
    elif entity.kind is Kind.STREAM:
        session.run('DELETE FROM "_account".stream_offset WHERE stream = ?', [entity.id])
    elif entity.kind is Kind.TASK:
        _unlink(session, entity)


def _unlink(session: AccountSession, task: Entity) -> None:
    """Let the tasks that followed a task stand alone.

    See https://docs.snowflake.com/en/user-guide/tasks-graphs
    """
    for other in session.account.catalog.within(Kind.TASK, task.path[:2]):
        detail = other.detail
        if isinstance(detail, TaskDetail) and task.id in (*detail.after, detail.finalizes):
            after = tuple(number for number in detail.after if number != task.id)
            finalizes = 0 if detail.finalizes == task.id else detail.finalizes
            made = replace(detail, after=after, finalizes=finalizes)
            session.account.catalog.change(other, detail=made)
