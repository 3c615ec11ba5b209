"""CREATE and ALTER of entries: kinds that the account only keeps, with properties and rights.

Room: embedded. Nothing connects, runs or is fetched: what is kept is what SHOW and DESCRIBE tell. A
property that the kind's rules do not know is refused; a secret's value is not kept.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.object_details import EntryDetail
from skills_nb.embedded.objects.entries.entry_rules import EntryRules, Held, properties_of
from skills_nb.embedded.objects.lifecycle import creation
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.names import typed_path
from skills_nb.embedded.types.values import Outcome
from skills_nb.sql.governance import ast


def create(session: Context, statement: ast.Create, *, rules: EntryRules) -> Outcome:
    """Create an entry.

    See https://docs.snowflake.com/en/sql-reference/sql/create

    Raises:
        SqlError: a property is missing or unknown (1420), or has a value that it cannot have
            (1008).
    """
    given = statement.properties
    for key in rules.required:
        if key not in given:
            raise errors.invalid_property(f"Missing option(s): [{key}]")
    if rules.one_of and sum(key in given for key in rules.one_of) != 1:
        raise errors.invalid_property(f"Exactly one of [{', '.join(rules.one_of)}] must be given.")
    held = {**rules.defaults, **rules.born, **_checked(session, rules, given)}
    rules.complete(session, held)
    made = EntryDetail(str(held.get(rules.subtype, "")), json.dumps(held))
    return enter(session, statement, made)


def enter(session: Context, statement: ast.Create, made: EntryDetail) -> Outcome:
    """Put a new entry into the account.

    Raises:
        SqlError: the statement asks for a TEMPORARY one or the like (0A000).
    """
    kind = Kind(statement.kind)
    if statement.modifiers:
        raise errors.unsupported(f"CREATE {statement.modifiers[0]} {kind.value}")
    return creation.create(session, statement, kind, lambda: made)


def _checked(session: Context, rules: EntryRules, given: Mapping[str, Any]) -> Held:
    """Read properties; what they name must be there, and a secret is not kept."""
    found: Held = {}
    for key, value in given.items():
        check = rules.properties.get(key)
        if check is None:
            raise errors.invalid_property(f"invalid property '{key}'")
        made = check(key, value)
        if key in rules.references:
            _require(session, rules.references[key], value)
        if key not in rules.secret:
            found[key] = made
    return found


def _require(session: Context, kind: Kind, value: Any) -> None:
    """Refuse a name of what is not there."""
    for name in value if isinstance(value, tuple) else (value,):
        path = name.parts if isinstance(name, ast.Ref) else typed_path(str(name))
        access.existing(session, kind, path)


# ---- ALTER


def alter(session: Context, entity: Entity, action: ast.Action, *, rules: EntryRules) -> bool:
    """Carry out SET, UNSET and what the kind alone knows; a new name is for all kinds alike."""
    if isinstance(action, ast.RenameTo):
        return False
    held = properties_of(entity)
    match action:
        case ast.SetProperties(properties=given):
            rest = {k: v for k, v in given.items() if k != "COMMENT"}
            held |= _set(session, rules, rest)
            rules.settle(entity, held)
        case ast.UnsetProperties(names=names):
            for name in names:
                _unset(rules, held, name)
        case _:
            held = act(session, entity, action, rules)
    keep(session, entity, held, comment_after(entity, action))
    return True


def keep(session: Context, entity: Entity, held: Held, comment: str) -> None:
    """Put what an entry keeps into the catalog."""
    assert isinstance(entity.detail, EntryDetail)
    made = replace(entity.detail, properties=json.dumps(held))
    now = session.account.clock()
    session.account.catalog.change(entity, detail=made, comment=comment, altered_on=now)


def comment_after(entity: Entity, action: ast.Action) -> str:
    """Return the comment that an entry has after the action."""
    match action:
        case ast.SetProperties(properties=given) if "COMMENT" in given:
            return ast.text_of(given["COMMENT"])
        case ast.UnsetProperties(names=names) if "COMMENT" in names:
            return ""
    return entity.comment


def _set(session: Context, rules: EntryRules, given: Mapping[str, Any]) -> Held:
    for key in ("TYPE", *rules.fixed):
        if key in given:
            raise errors.invalid_property(f"invalid property '{key}'")
    return _checked(session, rules, given)


def _unset(rules: EntryRules, held: Held, name: str) -> None:
    if name == "COMMENT":
        return
    if name not in rules.properties or name in rules.required:
        raise errors.invalid_property(f"invalid property '{name}'")
    held.pop(name, None)
    if name in rules.defaults:
        held[name] = rules.defaults[name]


def act(session: Context, entity: Entity, action: ast.Action, rules: EntryRules) -> Held:
    """Return what an entry keeps after an action that only its kind knows.

    Raises:
        SqlError: the kind knows no such action (0A000), or it cannot be done now.
    """
    held = properties_of(entity)
    match action:
        case ast.Suspend() | ast.Resume():
            if rules.power is None:
                raise errors.unsupported(f"SUSPEND or RESUME of a {entity.kind.value}")
            return {**held, **rules.power(isinstance(action, ast.Resume))}
        case ast.EntryAction(verb=verb, properties=given):
            found = rules.verbs.get(verb)
            if found is None:
                raise errors.unsupported(f"ALTER {entity.kind.value} {verb}")
            return found(session, entity, dict(given), held)
        case _:
            raise errors.unsupported(f"ALTER {entity.kind.value} {type(action).__name__.upper()}")
