"""Parameters of the session, the account, users and objects: setting them, and what is in force.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/parameters
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access, login_policies
from skills_nb.embedded.catalog.entities import ACCOUNT_ID, Entity, Kind, Parameter, WarehouseDetail
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.session.known_parameters import (
    KNOWN,
    OF_USERS,
    checked,
    of_object,
)
from skills_nb.embedded.types.format_parameters import STANDARD, Customs
from skills_nb.embedded.types.names import typed_path
from skills_nb.sql.governance import ast
from skills_nb.sql.identifiers import render_name

__all__ = [
    "KNOWN",
    "OF_USERS",
    "alter",
    "checked",
    "customs",
    "effective",
    "placed",
    "placed_for",
    "set_on",
    "timeout",
    "unset_on",
    "zone",
]


_FOREVER_S = 172800
"""The longest time a statement may take; nothing runs that long."""
_OF_ACCOUNT = {"NETWORK_POLICY": Kind.NETWORK_POLICY, "RESOURCE_MONITOR": Kind.RESOURCE_MONITOR}
"""What names an object that must be there."""


def alter(session: Context, statement: ast.Alter) -> None:
    """Carry out ALTER SESSION and ALTER ACCOUNT.

    Raises:
        SqlError: the action neither sets nor unsets (0A000), or a value is refused.
    """
    for action in statement.actions:
        if not isinstance(action, (ast.SetProperties, ast.UnsetProperties)):
            raise errors.unsupported(f"ALTER {statement.kind} … {type(action).__name__}")
        if statement.kind == "SESSION":
            _session(session, action)
        else:
            _account(session, action)


def _session(session: Context, action: ast.SetProperties | ast.UnsetProperties) -> None:
    if isinstance(action, ast.UnsetProperties):
        for name in action.names:
            checked(name, KNOWN.get(name, ("",))[0])
            _commit_before(session, name)
            session.parameters.pop(name, None)
        return
    made = {name: checked(name, value) for name, value in action.properties.items()}
    for name in made:
        _commit_before(session, name)
    session.parameters.update(made)


def _commit_before(session: Context, name: str) -> None:
    """Commit what is open before AUTOCOMMIT is set, whatever it was."""
    if name != "AUTOCOMMIT":
        return
    if session.frame.borrowed or session.depth:
        raise errors.unsupported("AUTOCOMMIT inside a stored procedure")
    session.close_transaction(commit=True)


def _account(session: Context, action: ast.SetProperties | ast.UnsetProperties) -> None:
    """See https://docs.snowflake.com/en/sql-reference/sql/alter-account."""
    _may_alter_account(session, action)
    if isinstance(action, ast.UnsetProperties):
        for name in action.names:
            if not login_policies.unset(session, None, name):
                _unset(session, ACCOUNT_ID, name, {**KNOWN, **_OF_ACCOUNT})
        return
    for name, value in action.properties.items():
        if not login_policies.set_on(session, None, name, value, force=action.force):
            kept = _named(session, name, value)
            session.account.catalog.put(Parameter(ACCOUNT_ID, name, kept))


def _may_alter_account(session: Context, action: ast.SetProperties | ast.UnsetProperties) -> None:
    """Account administrators alter the account, security administrators its network policy."""
    about = action.properties if isinstance(action, ast.SetProperties) else action.names
    secures = "SECURITYADMIN" in session.active_roles()
    if access.administers(session) or (secures and set(about) == {"NETWORK_POLICY"}):
        return
    raise access.refused_by_account(session)


def _named(session: Context, name: str, value: Any) -> str:
    """Return what is kept of a parameter's value; an object that it names must be there."""
    kind = _OF_ACCOUNT.get(name)
    if kind is None:
        return str(checked(name, value))
    path = value.parts if isinstance(value, ast.Ref) else (str(value).upper(),)
    return access.existing(session, kind, path).name


def _unset(session: Context, object_id: int, name: str, known: Mapping[str, Any]) -> None:
    if name not in known:
        raise errors.invalid_property(f"invalid property '{name}'")
    held = session.account.catalog.get(Parameter, (object_id, name))
    if held is not None:
        session.account.catalog.remove(held)


def set_on(session: Context, entity: Entity, name: str, value: Any) -> bool:
    """Set a parameter of a user or another object; False for what is no parameter of it.

    See https://docs.snowflake.com/en/user-guide/admin-account-management (parameter hierarchy)
    """
    if entity.kind is Kind.USER and name in OF_USERS:
        made: str | None = _named(session, name, value)
    elif _is_profile(entity, name):
        _may_classify(session, entity)
        made = render_name(_profile(session, value).path)
    else:
        made = of_object(entity.kind, name, value)
    if made is not None:
        session.account.catalog.put(Parameter(entity.id, name, made))
    return made is not None


PROFILE = "CLASSIFICATION_PROFILE"
"""What says how the tables of a database or schema are classified."""
_CLASSIFIES = "EXECUTE AUTO CLASSIFICATION"


def is_classified(entity: Entity) -> bool:
    """Tell whether an object can have a classification profile."""
    return entity.kind in (Kind.DATABASE, Kind.SCHEMA)


def _is_profile(entity: Entity, name: str) -> bool:
    return is_classified(entity) and name == PROFILE


def _may_classify(session: Context, entity: Entity) -> None:
    """Require what a classification profile asks for; owners hold the first by themselves.

    See https://docs.snowflake.com/en/user-guide/classify-auto (access control)
    """
    classifies = access.may(session, _CLASSIFIES, entity) or access.may_globally(
        session, _CLASSIFIES
    )
    if not classifies or not access.may_globally(session, "APPLY TAG"):
        raise access.refused(session, entity)


def _profile(session: Context, value: Any) -> Entity:
    path = value.parts if isinstance(value, ast.Ref) else typed_path(str(value))
    return access.existing(session, Kind.CLASSIFICATION_PROFILE, path)


def unset_on(session: Context, entity: Entity, name: str) -> bool:
    """Take a parameter off an object; False for what is no parameter of it."""
    if _is_profile(entity, name):
        _may_classify(session, entity)
    if _is_profile(entity, name) or (entity.kind is Kind.USER and name in OF_USERS):
        _unset(session, entity.id, name, {name: ""})
        return True
    if of_object(entity.kind, name, KNOWN.get(name, ("",))[0]) is None:
        return False
    _unset(session, entity.id, name, {name: ""})
    return True


def effective(session: Context, name: str) -> Any:
    """Return a parameter's value: the session's, the user's, the account's, else the default."""
    return placed(session, name)[1]


def placed(session: Context, name: str) -> tuple[str, Any]:
    """Return the level that a parameter's value in force comes from, '' for the default."""
    if name in session.parameters:
        return "SESSION", session.parameters[name]
    return placed_for(session, session.user_id, name)


def placed_for(session: Context, user_id: int, name: str) -> tuple[str, Any]:
    """Return what a new session of a user begins with, and the level that it comes from."""
    for level, holder in (("USER", user_id), ("ACCOUNT", ACCOUNT_ID)):
        held = session.account.catalog.get(Parameter, (holder, name))
        if held is not None:
            return level, checked(name, held.value)
    return "", KNOWN[name][0]


def customs(session: Context) -> Customs:
    """Return how the session writes and reads moments, and counts weeks."""
    said = {name: effective(session, name) for name in _CUSTOMS}
    timestamps = said["TIMESTAMP_OUTPUT_FORMAT"]
    for name in ("NTZ", "LTZ", "TZ"):
        said[f"TIMESTAMP_{name}_OUTPUT_FORMAT"] = (
            said[f"TIMESTAMP_{name}_OUTPUT_FORMAT"] or timestamps
        )
    found = Customs(**{field: said[name] for name, field in _CUSTOMS.items() if field})
    return STANDARD if found == STANDARD else found


def zone(session: Context) -> str:
    """Return the name of the session's time zone."""
    return str(effective(session, "TIMEZONE"))


_CUSTOMS = {
    "BINARY_INPUT_FORMAT": "binary_input",
    "BINARY_OUTPUT_FORMAT": "binary_output",
    "DATE_INPUT_FORMAT": "date_input",
    "DATE_OUTPUT_FORMAT": "date_output",
    "TIMESTAMP_DAY_IS_ALWAYS_24H": "whole_days",
    "TIMESTAMP_INPUT_FORMAT": "timestamp_input",
    "TIMESTAMP_LTZ_OUTPUT_FORMAT": "ltz_output",
    "TIMESTAMP_NTZ_OUTPUT_FORMAT": "ntz_output",
    "TIMESTAMP_OUTPUT_FORMAT": "",
    "TIMESTAMP_TYPE_MAPPING": "timestamp",
    "TIMESTAMP_TZ_OUTPUT_FORMAT": "tz_output",
    "TIME_INPUT_FORMAT": "time_input",
    "TIME_OUTPUT_FORMAT": "time_output",
    "TWO_DIGIT_CENTURY_START": "century",
    "WEEK_OF_YEAR_POLICY": "week_policy",
    "WEEK_START": "week_start",
}
"""The field of the customs that each parameter fills; none where it stands in for others."""


def timeout(session: Context) -> float | None:
    """Return how many seconds a statement may take: the lowest of session, warehouse and task.

    A driver may lower it for the one statement that it sends.

    See https://docs.snowflake.com/en/sql-reference/parameters#statement-timeout-in-seconds
    """
    limits = [effective(session, "STATEMENT_TIMEOUT_IN_SECONDS"), _warehouse_timeout(session)]
    limits.append(session.statement_limit_s)
    if session.task is not None:
        limits.append(session.task.limit_s)
    found = [limit for limit in limits if 0 < limit < _FOREVER_S]
    return min(found, default=None)


def _warehouse_timeout(session: Context) -> int:
    """Return the limit of the session's warehouse; 0 where there is none."""
    name = session.warehouse
    warehouse = session.account.catalog.find(Kind.WAREHOUSE, (name,)) if name else None
    detail = warehouse.detail if warehouse is not None else None
    return detail.statement_timeout_s if isinstance(detail, WarehouseDetail) else 0
