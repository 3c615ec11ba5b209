"""Written: entries, and the statements that bring one to the state it is in.

Room: embedded. Values that are not kept (secrets) are not written either.

See https://docs.snowflake.com/en/sql-reference/functions/get_ddl
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from skills_nb.embedded.catalog.entities import Entity
from skills_nb.embedded.objects.ddl_words import comment, value, written_name
from skills_nb.embedded.objects.entries.entry_rules import Held, is_own, properties_of
from skills_nb.embedded.session.context import Context
from skills_nb.sql.identifiers import render_name
from skills_nb.sql.tokens import literal

Clause = Callable[[str, Any], str]
"""Writes a key with its value."""


def bare(key: str, given: Any) -> str:
    """Write a clause that names one object or column."""
    return f"{key.lower()} {given}"


def spoken(key: str, given: Any) -> str:
    """Write a clause that gives a text."""
    return f"{key.lower()} {literal(given)}"


def _set(key: str, given: Any) -> str:
    return f"{key.lower()} = {value(given)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """How the entries of one kind are written."""

    words: str = ""
    """What CREATE calls the kind, where that is not its name."""
    or_replace: bool = True
    """Whether CREATE has OR REPLACE."""
    clauses: Mapping[str, Clause] = field(default_factory=dict)
    """How those are written that are not `key = value`."""
    last: Callable[[str], str] = str
    """How the text behind AS is written."""
    changes: Callable[[Held], list[str]] = lambda _held: []
    """Returns what ALTER must say to bring a new entry to the state of one that keeps this."""

    def head(self, entity: Entity, name: str) -> str:
        """Begin the CREATE statement."""
        replace = "or replace " if self.or_replace else ""
        return f"create {replace}{self.words or entity.kind.value.lower()} {name}"

    def ddl(self, session: Context, entity: Entity, qualified: bool) -> str:
        """Write an entry."""
        held = {key: given for key, given in properties_of(entity).items() if not is_own(key)}
        last = held.pop("AS", None)
        words = [self.head(entity, written_name(entity, qualified=qualified))]
        words += [self.clauses.get(key, _set)(key, given) for key, given in held.items()]
        if entity.comment:
            words.append(comment(entity, ""))
        if last is not None:
            words.append(f"as {self.last(last)}")
        return "\n\t".join(words)

    def state(self, entity: Entity) -> list[str]:
        """Write the ALTER statements that bring a new entry to the state of this one."""
        alter = f"alter {entity.kind.value.lower()} {render_name(entity.path)}"
        return [f"{alter} {words}" for words in self.changes(properties_of(entity))]


def suspended(held: Held) -> list[str]:
    """Suspend what is suspended."""
    return ["suspend"] if held["_STATE"] == "SUSPENDED" else []


def live(held: Held) -> list[str]:
    """Add the live version, where there is one."""
    return ["add live version from last"] if held.get("_LIVE") else []
