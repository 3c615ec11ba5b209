"""What the statements that stand come to, object by object: created, changed, dropped.

Room: laws. What was made and dropped again is no change, and neither is a grant that was revoked.
An object stays itself when it is renamed: what follows under its new name is about it, and what
follows under its old name is about another one.
What the account was found to have before tells one from another; where nobody looked, what a
statement drops was there, and what it makes was not. How many rows changed is told elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from skills_nb.engine.ledger.entries import standing_entries
from skills_nb.engine.ledger.known_objects import changes_by, exists, fact_before
from skills_nb.model.library import Library
from skills_nb.model.net_changes import NetChange
from skills_nb.model.state import StatementRecord, ThreadState
from skills_nb.sql.identifiers import split_name
from skills_nb.sql.objects import Change, ObjectRef, probe_for
from skills_nb.sql.objects.object_refs import destination

_CONTAINERS = frozenset({"database", "schema"})
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_Key = tuple[str, str]


@dataclass(slots=True)
class _Story:
    """What became of one object."""

    was_there: bool
    is_there: bool
    said: dict[str, str] = field(default_factory=dict)
    step: str = ""
    once: str = ""
    """Its name before it was renamed; empty where it was not."""


def net_changes(state: ThreadState, library: Library) -> tuple[NetChange, ...]:
    """Return what is not as it was, created first, each in the order in which it was touched."""
    stories: dict[_Key, _Story] = {}
    for record in standing_entries(state, library):
        if record.kind == "read":
            continue
        for change in changes_by(state, record):
            _tell(stories, state, record, change)
    found = [one for key, story in stories.items() for one in _net(key, story)]
    order = ("created", "changed", "dropped")
    return tuple(sorted(found, key=lambda one: order.index(one.fate)))


def _net(key: _Key, story: _Story) -> Iterator[NetChange]:
    kind, now = key
    fqn = story.once if story.was_there and story.once else now
    if story.is_there and story.once not in ("", now):
        story.said["rename"] = f"renamed to {now}"
    if story.was_there and story.is_there and story.said:
        yield NetChange("changed", kind, fqn, tuple(story.said.values()), story.step)
    elif story.is_there and not story.was_there:
        yield NetChange("created", kind, fqn, step=story.step)
    elif story.was_there and not story.is_there:
        yield NetChange("dropped", kind, fqn, step=story.step)


def _tell(
    stories: dict[_Key, _Story], state: ThreadState, record: StatementRecord, change: Change
) -> None:
    if change.action == "write":
        return
    target = _whole(change)
    is_whole = target.facet == ""
    key = (target.type, replace(target, facet="").fqn)
    story = stories.get(key)
    if story is None:
        was_there = not is_whole or _was_there(state, record, change, target)
        story = stories[key] = _Story(was_there, was_there)
    story.step = record.step
    if is_whole and (change.detail or {}).get("action") == "rename":
        _renamed(stories, key, _new_name(target, change))
    elif is_whole and change.action == "create":
        _made(story, change)
    elif is_whole and change.action == "drop":
        story.is_there = False
        _take_along(stories, target)
    else:
        _changed(story, change)


def _whole(change: Change) -> ObjectRef:
    """Return the object itself where the facet is all of it: a column's definition."""
    is_column = change.target.type == "column" and change.target.facet == "definition"
    return replace(change.target, facet="") if is_column else change.target


def _was_there(
    state: ThreadState, record: StatementRecord, change: Change, target: ObjectRef
) -> bool:
    if change.action not in ("create", "drop"):
        return True
    known = exists(fact_before(state, probe_for(change.target), record.seq))
    if known is None and target.type == "column":
        known = exists(fact_before(state, probe_for(target), record.seq))
    return change.action == "drop" if known is None else known


def _made(story: _Story, change: Change) -> None:
    if story.is_there and change.replaces:
        story.said["replaced"] = "replaced"
    story.is_there = True


def _take_along(stories: dict[_Key, _Story], gone: ObjectRef) -> None:
    """Let what lies in a schema, database or table go with it."""
    holds = gone.type in _CONTAINERS or gone.type.endswith("table")
    for (_, fqn), story in stories.items():
        if holds and fqn.startswith(f"{gone.fqn}."):
            # Of what was there before, the loss of its container tells.
            story.is_there = story.was_there = False


def _new_name(target: ObjectRef, change: Change) -> str:
    to = (change.detail or {})["to"]
    is_column = target.type == "column"
    name = (*target.name[:-1], to) if is_column else destination(target.name, split_name(to))
    return replace(target, name=name, facet="").fqn


def _renamed(stories: dict[_Key, _Story], key: _Key, to: str) -> None:
    """Let an object, and what lies in it, go on under its new name; the old one is free."""
    kind, old = key
    moved = {
        (of, to + fqn[len(old) :]): stories.pop((of, fqn))
        for of, fqn in list(stories)
        if (of, fqn) == key or fqn.startswith(f"{old}.")
    }
    story = moved[kind, to]
    story.once = story.once or old
    before = stories.pop((kind, to), None)
    if before is not None and before.was_there:
        _takes_place(stories, story, (kind, to), before)
    stories.update(moved)
    stories[key] = _Story(was_there=False, is_there=False)


def _takes_place(stories: dict[_Key, _Story], story: _Story, key: _Key, before: _Story) -> None:
    """Let an object take the name of one that was dropped: a new one replaces it."""
    if story.was_there:
        kind, fqn = key
        # No name ends with a blank, so this key is free.
        stories[kind, f"{fqn} "] = replace(before, once=fqn)
    else:
        story.was_there, story.once = True, key[1]
        story.said["replaced"] = "replaced"


def _changed(story: _Story, change: Change) -> None:
    detail, facet = change.detail or {}, change.target.facet
    if change.action in ("grant", "revoke"):
        what = f"{detail.get('privileges', facet)} to {detail.get('grantee', '')}"
        on = f" on {detail['on']}" if "on" in detail else ""
        other = "revoke" if change.action == "grant" else "grant"
        if story.said.pop(f"{other} {what}{on}", None) is None:
            way = what if change.action == "grant" else what.replace(" to ", " from ", 1)
            story.said[f"{change.action} {what}{on}"] = f"{change.action} {way}{on}"
        return
    action = _HUMP.sub(" ", detail.get("action", change.action)).lower()
    about = _about(action, facet)
    value = detail.get("policy") or detail.get("value") or detail.get("to")
    if "properties" in detail:
        value, about = "", f"{action} {detail['properties']}"
    told = "none" if action.startswith(("unset", "drop")) else value
    story.said[about] = f"{about}: {told}" if told else about


def _about(action: str, facet: str) -> str:
    """Return what is changed, without the verb where a value is told."""
    if facet:
        return facet
    return action.removeprefix("un").removeprefix("set ") if " " in action else action
