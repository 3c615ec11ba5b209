"""Alerts: what is done when a condition holds.

Room: embedded. A schedule is kept and shown; only EXECUTE ALERT runs an alert.

See https://docs.snowflake.com/en/sql-reference/sql/create-alert
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.pipeline_details import AlertDetail
from skills_nb.embedded.objects.ddl_words import comment, value, written_name
from skills_nb.embedded.objects.lifecycle import creation
from skills_nb.embedded.objects.object_kind import (
    Cloning,
    Exporting,
    Listing,
    ObjectKind,
    Row,
    register,
)
from skills_nb.embedded.objects.pipelines.run_history import Roles, usage_view, visible_runs
from skills_nb.embedded.objects.pipelines.schedule import checked_schedule
from skills_nb.embedded.session import runs
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.session.history_arguments import Arguments, Asked
from skills_nb.embedded.session.impersonation import borrowed
from skills_nb.embedded.storage.time_travel.travel import instant_of
from skills_nb.embedded.types.outcomes import DONE, status
from skills_nb.embedded.types.system_rows import Rows
from skills_nb.embedded.types.task_run import Run
from skills_nb.embedded.types.values import Outcome
from skills_nb.errors import SqlError
from skills_nb.sql.governance import ast
from skills_nb.sql.identifiers import render_name

_PRIVILEGE = "EXECUTE ALERT"
"""What a role holds on the account to make, start and run alerts."""


def detail_of(alert: Entity) -> AlertDetail:
    """Return an alert's detail."""
    assert isinstance(alert.detail, AlertDetail)
    return alert.detail


def create(session: Context, statement: ast.CreateAlert) -> Outcome:
    """Make an alert, suspended."""
    access.require_global(session, _PRIVILEGE)

    def detail() -> AlertDetail:
        made = AlertDetail(statement.condition, statement.action)
        return _with(session, made, dict(statement.properties))

    return creation.create(session, statement, Kind.ALERT, detail)


def _with(session: Context, detail: AlertDetail, given: dict[str, Any]) -> AlertDetail:
    if "WAREHOUSE" in given:
        value = given.pop("WAREHOUSE")
        name = value.parts[-1] if isinstance(value, ast.Ref) else str(value).upper()
        found = access.existing(session, Kind.WAREHOUSE, (name,))
        access.require(session, found, "USAGE")
        detail = replace(detail, warehouse=found.name)
    if "SCHEDULE" in given:
        detail = replace(detail, schedule=checked_schedule(given.pop("SCHEDULE")))
    for key in given:
        raise errors.unsupported(f"{key} of an ALERT")
    return detail


def alter(session: Context, entity: Entity, action: Any) -> bool:
    """See https://docs.snowflake.com/en/sql-reference/sql/alter-alert."""
    detail, said = detail_of(entity), entity.comment
    match action:
        case ast.Resume():
            access.require_global(session, _PRIVILEGE)
            made = replace(detail, started=True)
        case ast.Suspend():
            made = replace(detail, started=False)
        case ast.SetProperties():
            given = dict(action.properties)
            said = str(given.pop("COMMENT", said) or "")
            made = _with(session, detail, given)
        case ast.ModifyBody():
            made = replace(detail, action=action.body)
        case ast.ModifyCondition():
            made = replace(detail, condition=action.condition or detail.condition)
        case _:
            return False
    session.account.catalog.change(entity, detail=made, comment=said)
    return True


# ---- EXECUTE ALERT


def execute(session: Context, statement: ast.ExecuteAlert) -> Outcome:
    """Run an alert as its owner, and keep what became of it.

    See https://docs.snowflake.com/en/sql-reference/sql/execute-alert
    """
    alert = access.existing(session, Kind.ALERT, statement.name)
    access.require(session, alert, "OPERATE")
    access.require_global(session, _PRIVILEGE)
    detail = detail_of(alert)
    started = session.account.clock()
    state = "TRIGGERED"
    error: SqlError | None = None
    ids: tuple[str | None, str | None] = (None, None)
    with borrowed(session, alert.owner, alert.path[:2], detail.warehouse):
        try:
            condition = session.nested(detail.condition)
            ids = (condition.query_id, None)
            if condition.rows:
                ids = (condition.query_id, session.nested(detail.action).query_id)
            else:
                state = "CONDITION_FALSE"
        except SqlError as caught:
            error = caught
            state = "CONDITION_FAILED" if ids[0] is None else "ACTION_FAILED"
    body = {
        "condition": detail.condition,
        "action": detail.action,
        "condition_query_id": ids[0],
        "action_query_id": ids[1],
    }
    runs.keep(
        session,
        Run(
            runs.ALERT,
            alert.id,
            instant_of(session.moment),
            started,
            session.account.clock(),
            state,
            ids[1],
            f"{error.errno:06d}" if error and error.errno else None,
            error.message if error else None,
            body,
        ),
    )
    return status(DONE, "EXECUTE_ALERT")


_HISTORY = (
    "NAME DATABASE_NAME SCHEMA_NAME ACTION CONDITION STATE SQL_ERROR_CODE:n SQL_ERROR_MESSAGE "
    "SCHEDULED_TIME:t COMPLETED_TIME:t CONDITION_QUERY_ID ACTION_QUERY_ID"
)


def _history(session: Context, roles: Roles, database: str, arguments: Arguments) -> Rows:
    """See https://docs.snowflake.com/en/sql-reference/functions/alert_history."""
    span = ("SCHEDULED_TIME_RANGE_START", "SCHEDULED_TIME_RANGE_END")
    asked = Asked(arguments, (*span, "RESULT_LIMIT", "ALERT_NAME"))
    found = visible_runs(session, roles, runs.ALERT, asked, asked.text("ALERT_NAME"), span)
    return _HISTORY, [_run_row(run, entity) for run, entity in found][: asked.limit()]


def _run_row(run: Run, entity: Entity) -> Row:
    """Return an alert's run as _HISTORY tells it."""
    return (
        entity.name,
        entity.path[0],
        entity.path[1],
        run.body["action"],
        run.body["condition"],
        run.state,
        int(run.error_code) if run.error_code else None,
        run.error_message,
        run.scheduled,
        run.completed,
        run.body["condition_query_id"],
        run.body["action_query_id"],
    )


TABLE_FUNCTIONS: dict[str, Callable[[Any, Roles, str, Arguments], Rows]] = {
    "ALERT_HISTORY": _history,
}
USAGE_VIEWS = {"ALERT_HISTORY": usage_view(runs.ALERT, _HISTORY, _run_row)}


# ---- shown and written


def _row(session: Context, e: Entity) -> Row:
    """See https://docs.snowflake.com/en/sql-reference/sql/show-alerts."""
    d = detail_of(e)
    return (
        e.created_on,
        e.name,
        e.path[0],
        e.path[1],
        e.owner,
        e.comment,
        d.warehouse or None,
        d.schedule or None,
        "started" if d.started else "suspended",
        d.condition,
        d.action,
        "ROLE",
    )


def _ddl(session: Context, entity: Entity, qualified: bool) -> str:
    detail = detail_of(entity)
    options = [("warehouse", detail.warehouse), ("schedule", detail.schedule)]
    listed = "".join(f"\n\t{key} = {value(given)}" for key, given in options if given)
    return (
        f"create or replace alert {written_name(entity, qualified=qualified)}{listed}"
        f"{comment(entity, chr(10) + chr(9))}\n"
        f"\tif (exists ({detail.condition}))\n\tthen {detail.action}"
    )


def _started(entity: Entity) -> list[str]:
    return [f"ALTER ALERT {render_name(entity.path)} RESUME"] if detail_of(entity).started else []


def _copy(session: Context, detail: AlertDetail, copies: Mapping[int, int]) -> AlertDetail:
    return replace(detail, started=False)


_LISTING = Listing(
    "created_on:t name database_name schema_name owner comment warehouse schedule state "
    "condition action owner_role_type",
    _row,
)
register(
    ObjectKind(
        kind=Kind.ALERT,
        plurals=("ALERTS",),
        create={ast.CreateAlert: create, ast.ExecuteAlert: execute},
        alter=alter,
        listing=_LISTING,
        describe=_LISTING.one,
        ddl=_ddl,
        is_in_schema_ddl=True,
        made_after=(Kind.TASK, Kind.PROCEDURE),
        privileges=("MONITOR", "OPERATE"),
        clone=Cloning("", copy=_copy),
        export=Exporting(state=_started),
    )
)
