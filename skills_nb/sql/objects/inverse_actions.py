"""Inverses of the actions of ALTER.

Room: sql.
"""

from __future__ import annotations

from skills_nb.sql.governance import ast, parse
from skills_nb.sql.governance.object_kinds import TABLE_LIKE
from skills_nb.sql.identifiers import render_name
from skills_nb.sql.objects.alter_changes import aspects_of, is_parameter
from skills_nb.sql.objects.inverse_tables import inverse_of_table_action
from skills_nb.sql.objects.object_refs import ObjectRef, Place, destination, signature_of
from skills_nb.sql.objects.prior_state import Before, Prior, cell_of
from skills_nb.sql.tokens import literal

_COLUMN_OF_PROPERTY = {
    "WAREHOUSE_SIZE": "size",
    "DATA_RETENTION_TIME_IN_DAYS": "retention_time",
    "TYPE": "type",
}
_COLUMN_OF_LIMIT = {"CREDIT_QUOTA": "credit_quota", "FREQUENCY": "frequency"}
_COLUMN_OF_TRIGGER = {
    "NOTIFY": "notify_at",
    "SUSPEND": "suspend_at",
    "SUSPEND_IMMEDIATE": "suspend_immediately_at",
}
_WITHOUT = {"AUTO_SUSPEND": "NULL"}
"""How a property is written that was set to nothing, where UNSET means its default."""
_SWITCHES = {"true": "TRUE", "on": "TRUE", "false": "FALSE", "off": "FALSE"}
"""How SHOW writes what is on or off, and how ALTER does."""
_SUSPENDED = frozenset({"suspended", "suspending"})


def inverse_of_action(
    action: ast.Action, statement: ast.Alter, place: Place, prior: Prior
) -> list[str]:
    """Return what takes one action back; nothing where that cannot be done safely."""
    if statement.kind == "SESSION":
        return []
    head = head_of(statement, place)
    if isinstance(action, ast.SetTags | ast.UnsetTags):
        return _of_tags(action, statement, place, prior)
    if statement.kind in ("ACCOUNT", "USER", "WAREHOUSE") and isinstance(
        action, ast.SetProperties | ast.UnsetProperties
    ):
        return _of_settings(action, statement, place, prior)
    if statement.kind == "ACCOUNT":
        return []
    if statement.kind in TABLE_LIKE and (
        found := inverse_of_table_action(action, statement, place, prior, head)
    ):
        return found
    ref = place.ref(statement.kind, statement.name, arguments=statement.arguments)
    return _of_object(action, ref, head, prior.of(ref), place)


def head_of(statement: ast.Alter, place: Place, name: ast.Name | None = None) -> str:
    """Write `ALTER <kind> <name>`, fully qualified."""
    if not statement.name:
        return f"ALTER {statement.kind}"
    qualified = place.qualified(statement.kind, name or statement.name)
    return f"ALTER {statement.kind} {render_name(qualified)}{signature_of(statement.arguments)}"


def _of_tags(
    action: ast.SetTags | ast.UnsetTags, statement: ast.Alter, place: Place, prior: Prior
) -> list[str]:
    head = head_of(statement, place)
    is_setting = isinstance(action, ast.SetTags)
    found: list[str] = []
    for ref, _ in aspects_of(action, statement.kind, statement.name, place):
        found += tag_inverse(head, ref, prior.of(ref), is_setting)
    return found[::-1]


def _of_settings(
    action: ast.SetProperties | ast.UnsetProperties,
    statement: ast.Alter,
    place: Place,
    prior: Prior,
) -> list[str]:
    """Set properties and parameters to what they were; all or none, since half is neither."""
    given = (
        action.properties
        if isinstance(action, ast.SetProperties)
        else dict.fromkeys(action.names, "")
    )
    rest = {key: value for key, value in given.items() if not is_parameter(statement.kind, key)}
    head = head_of(statement, place)
    before = prior.of(place.ref(statement.kind, statement.name, arguments=statement.arguments))
    properties = _of_properties(head, rest, before) if rest else []
    parameters = _of_parameters(action, statement, place, prior)
    is_whole = bool(properties or not rest) and bool(parameters or len(rest) == len(given))
    return [*parameters, *properties] if is_whole else []


def _of_parameters(
    action: ast.Action, statement: ast.Alter, place: Place, prior: Prior
) -> list[str]:
    """Set parameters to what was set before; all of them or none."""
    found: list[str] = []
    head = head_of(statement, place)
    for ref, _ in aspects_of(action, statement.kind, statement.name, place):
        if not ref.facet.startswith("parameter "):
            continue
        row = next(iter(prior.of(ref).rows), None)
        if row is None:
            return []
        key, value = ref.facet.removeprefix("parameter "), cell_of(row, "value")
        if cell_of(row, "level") != statement.kind or value is None:
            found.append(f"{head} UNSET {key}")
        else:
            is_text = (cell_of(row, "type") or "STRING").upper() == "STRING"
            found.append(f"{head} SET {key} = {literal(value) if is_text else value}")
    return found[::-1]


def tag_inverse(head: str, ref: ObjectRef, before: Before, is_setting: bool) -> list[str]:
    """Return a tag to the value it had, or take it off."""
    tag = ref.facet.removeprefix("tag ")
    value = before.value if before.value is not None else before.cell("tag_value")
    if value is not None:
        return [f"{head} SET TAG {tag} = {literal(value)}"]
    return [f"{head} UNSET TAG {tag}"] if is_setting and not before.is_unknown else []


def _of_object(
    action: ast.Action, ref: ObjectRef, head: str, before: Before, place: Place
) -> list[str]:
    match action:
        case ast.SetProperties() if ref.kind == "RESOURCE MONITOR":
            return _of_monitor(head, action, before)
        case ast.SetProperties(properties=properties):
            return _of_properties(head, properties, before)
        case ast.UnsetProperties(names=names):
            return _of_properties(head, dict.fromkeys(names, ""), before)
        case ast.RenameTo(name=to):
            return _of_rename(ref, to)
        case ast.SwapWith(name=other):
            return [f"{head} SWAP WITH {render_name(destination(ref.name, other))}"]
        case ast.Suspend():
            return [] if _was_suspended(before) else [f"{head} RESUME"]
        case ast.Resume():
            return [] if _was_suspended(before) is False else [f"{head} SUSPEND"]
        case ast.SetManagedAccess(enabled=enabled):
            return [f"{head} {'DISABLE' if enabled else 'ENABLE'} MANAGED ACCESS"]
        case _:
            return _of_parts(action, head, before, place)


def _of_rename(ref: ObjectRef, to: ast.Name) -> list[str]:
    now = render_name(destination(ref.name, to))
    return [f"ALTER {ref.kind} {now} RENAME TO {render_name(ref.name)}"]


def _was_suspended(before: Before) -> bool | None:
    state = before.value or before.cell("state") or before.cell("scheduling_state")
    return None if state is None else state.lower() in _SUSPENDED


def _of_properties(head: str, properties: ast.Properties, before: Before) -> list[str]:
    """Set every property to what it was; all of them or none, since half is neither state."""
    if not before.rows or not properties:
        return _of_one_value(head, properties, before)
    known = {str(key).strip('"').lower() for key in before.rows[0]}
    columns = {key: _COLUMN_OF_PROPERTY.get(key, key.lower()) for key in properties}
    if not known.issuperset(columns.values()):
        return []
    old = {key: before.cell(column) for key, column in columns.items()}
    found = [
        f"{key} = {_written(value, properties[key]) if value else _WITHOUT[key]}"
        for key, value in old.items()
        if value or key in _WITHOUT
    ]
    gone = [key for key, value in old.items() if not value and key not in _WITHOUT]
    settings = [f"{head} SET {' '.join(found)}"] if found else []
    return [*settings, *([f"{head} UNSET {', '.join(gone)}"] if gone else [])]


def _of_monitor(head: str, action: ast.SetProperties, before: Before) -> list[str]:
    """Set a monitor's limit and triggers to what they were, both or none.

    Triggers cannot be taken off, nor a moment set that is past, so what needs that is left alone.
    """
    found = _limits(action.properties, before)
    triggers = " ".join(_triggers(before)) if action.triggers else ""
    if found is None or (action.triggers and not triggers):
        return []
    settings = f" SET {found}" if found else ""
    return [f"{head}{settings}{' TRIGGERS ' if triggers else ''}{triggers}"]


def _limits(properties: ast.Properties, before: Before) -> str | None:
    """Write the settings of a monitor as they were; None where one of them is not known."""
    if not properties.keys() <= {*_COLUMN_OF_LIMIT, "START_TIMESTAMP"}:
        return None
    wanted = [key for key in _COLUMN_OF_LIMIT if key in properties]
    found = {key: before.cell(_COLUMN_OF_LIMIT[key]) for key in wanted}
    if None in found.values():
        return None
    written = [
        f"{key} = {str(value).removesuffix('.00').removesuffix('.0')}"
        for key, value in found.items()
    ]
    if "FREQUENCY" in properties:
        written.append("START_TIMESTAMP = IMMEDIATELY")  # it goes together with FREQUENCY
    return " ".join(written)


def _triggers(before: Before) -> list[str]:
    """Write the triggers that a monitor had; SHOW lists their percents, as in `50%,80%`."""
    return [
        f"ON {percent.strip().removesuffix('%')} PERCENT DO {action}"
        for action, column in _COLUMN_OF_TRIGGER.items()
        for percent in (before.cell(column) or "").split(",")
        if percent.strip()
    ]


def _of_one_value(head: str, properties: ast.Properties, before: Before) -> list[str]:
    """Set the only property back to the value that was asked for."""
    if before.value is None or len(properties) != 1:
        return []
    key, written = next(iter(properties.items()))
    return [f"{head} SET {key} = {_written(before.value, written)}"]


def _written(old: str, new: ast.Value) -> str:
    """Write a shown value the way the statement wrote the new one."""
    if isinstance(new, bool) and old.lower() in _SWITCHES:
        return _SWITCHES[old.lower()]
    is_number = old.removeprefix("-").replace(".", "", 1).isdecimal()
    return old if is_number and not isinstance(new, str) else literal(old)


def _of_parts(action: ast.Action, head: str, before: Before, place: Place) -> list[str]:
    match action:
        case ast.AddAllowedValues(values=values):
            return [f"{head} DROP ALLOWED_VALUES {', '.join(literal(v) for v in values)}"]
        case ast.DropAllowedValues(values=values):
            return [f"{head} ADD ALLOWED_VALUES {', '.join(literal(v) for v in values)}"]
        case ast.SetTagMaskingPolicies(policies=policies, force=force):
            return [] if force else [f"{head} UNSET {_policies(policies, place)}"]
        case ast.UnsetTagMaskingPolicies(policies=policies):
            return [f"{head} SET {_policies(policies, place)}"]
        case ast.AddAccounts(accounts=names):
            return [f"{head} REMOVE ACCOUNTS = {_names(names)}"]
        case ast.RemoveAccounts(accounts=names):
            return [f"{head} ADD ACCOUNTS = {_names(names)}"]
        case ast.AddAfter(tasks=names):
            return [f"{head} REMOVE AFTER {_tasks(names, place)}"]
        case ast.RemoveAfter(tasks=names):
            return [f"{head} ADD AFTER {_tasks(names, place)}"]
        case ast.SetBody() | ast.ModifyBody() | ast.ModifyCondition():
            return _of_body(action, head, before)
        case _:
            return []


def _of_body(
    action: ast.SetBody | ast.ModifyBody | ast.ModifyCondition, head: str, before: Before
) -> list[str]:
    """Set the body back to the one that the prior DDL shows; the object may be in use."""
    old = parse(before.ddl) if before.ddl else None
    match action, old:
        case ast.SetBody(), ast.CreatePolicy(body=body):
            return [f"{head} SET BODY -> {body}"]
        case ast.ModifyBody(), ast.CreateTask(body=body):
            return [f"{head} MODIFY AS {body}"]
        case ast.ModifyBody(), ast.CreateAlert(action=body):
            return [f"{head} MODIFY ACTION {body}"]
        case ast.ModifyCondition(), ast.CreateTask(when=str(when)):
            return [f"{head} MODIFY WHEN {when}"]
        case ast.ModifyCondition(), ast.CreateTask(when=None):
            return [f"{head} REMOVE WHEN"]
        case ast.ModifyCondition(), ast.CreateAlert(condition=condition):
            return [f"{head} MODIFY CONDITION EXISTS ({condition})"]
        case _:
            return []


def _policies(policies: tuple[ast.Name, ...], place: Place) -> str:
    names = (render_name(place.qualified("MASKING POLICY", policy)) for policy in policies)
    return ", ".join(f"MASKING POLICY {name}" for name in names)


def _tasks(names: tuple[ast.Name, ...], place: Place) -> str:
    return ", ".join(render_name(place.qualified("TASK", name)) for name in names)


def _names(names: tuple[ast.Name, ...]) -> str:
    return ", ".join(render_name(name) for name in names)
