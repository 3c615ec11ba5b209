"""Alerts: CREATE and ALTER.

Room: embedded. A schedule is kept and shown; only EXECUTE ALERT runs an alert.

See https://docs.snowflake.com/en/sql-reference/sql/create-alert
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from skills_nb.embedded import refusals
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.pipeline_details import AlertDetail
from skills_nb.embedded.pipelines.tasks import checked_schedule
from skills_nb.embedded.statements import access, objects
from skills_nb.embedded.values import Outcome
from skills_nb.sql.governance import ast

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

PRIVILEGE = "EXECUTE ALERT"
"""What a role holds on the account to make, start and run alerts."""


def create(session: AccountSession, statement: ast.CreateAlert) -> Outcome:
    """Make an alert, suspended."""
    access.require_global(session, PRIVILEGE)

    def detail() -> AlertDetail:
        made = AlertDetail(statement.condition, statement.action)
        return _with(session, made, dict(statement.properties))

    return objects.create(session, statement, Kind.ALERT, detail)


def _with(session: AccountSession, detail: AlertDetail, given: dict[str, Any]) -> AlertDetail:
    if "WAREHOUSE" in given:
        value = given.pop("WAREHOUSE")
        name = value.parts[-1] if isinstance(value, ast.Ref) else str(value).upper()
        found = access.existing(session, Kind.WAREHOUSE, (name,))
        access.require(session, found, "USAGE")
        detail = replace(detail, warehouse=found.name)
    if "SCHEDULE" in given:
        detail = replace(detail, schedule=checked_schedule(given.pop("SCHEDULE")))
    for key in given:
        raise refusals.unsupported(f"{key} of an ALERT")
    return detail


def alter(session: AccountSession, entity: Entity, action: Any) -> bool:
    """See https://docs.snowflake.com/en/sql-reference/sql/alter-alert."""
    detail = entity.detail
    assert isinstance(detail, AlertDetail)
    comment = entity.comment
    match action:
        case ast.Resume():
            access.require_global(session, PRIVILEGE)
            made = replace(detail, started=True)
        case ast.Suspend():
            made = replace(detail, started=False)
        case ast.SetProperties():
            given = dict(action.properties)
            comment = str(given.pop("COMMENT", comment) or "")
            made = _with(session, detail, given)
        case ast.ModifyBody():
            made = replace(detail, action=action.body)
        case ast.ModifyCondition():
            made = replace(detail, condition=action.condition or detail.condition)
        case _:
            return False
    session.account.catalog.change(entity, detail=made, comment=comment)
    return True
