"""Powering: a statement that computes needs a warehouse that runs, or one that wakes by itself.

Room: embedded.

See https://docs.snowflake.com/en/user-guide/warehouses-overview (Auto-suspension and
auto-resumption).
"""

from __future__ import annotations

from dataclasses import replace

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.entities import Kind, WarehouseDetail
from skills_nb.embedded.session import quotas
from skills_nb.embedded.session.context import Context


def wake_warehouse(session: Context) -> None:
    """Let the session's warehouse work: a suspended one is resumed where it resumes by itself.

    Raises:
        SqlError: the session has none, or it sleeps until somebody resumes it (606).
    """
    if session.warehouse is None:
        raise errors.no_warehouse()
    catalog = session.account.catalog
    entity = catalog.find(Kind.WAREHOUSE, (session.warehouse,))
    if entity is None or not isinstance(entity.detail, WarehouseDetail):
        return
    quotas.check(session, entity)
    if entity.detail.suspended:
        if not entity.detail.auto_resume:
            raise errors.no_warehouse()
        catalog.change(entity, detail=replace(entity.detail, suspended=False))
