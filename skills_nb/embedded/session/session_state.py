"""State: as whom and where a session works, and what is known of the statement at work.

Room: embedded. Both are frozen: whoever works as somebody else, or inside of a statement, puts
another value there and the former one back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

from skills_nb.embedded.types.values import Outcome


class Mover(Enum):
    """Who moves the files of PUT and GET."""

    SESSION = auto()
    """The session itself, for a person who works in this very process."""
    CLIENT = auto()
    """Whoever sent the statement, a connector or a handler's session: the answer tells where."""
    NOBODY = auto()
    """A script, a procedure or a task works: it has no files of its own."""


@dataclass(frozen=True, slots=True)
class Frame:
    """As whom and where a session works."""

    role: str | None = None
    """The primary role; None before one is chosen."""
    warehouse: str | None = None
    """The warehouse that computes; None where none is chosen."""
    database: str | None = None
    """The current database by its stored name; None where none is chosen."""
    schema: str | None = None
    """The current schema by its stored name, one of the current database; None where none is."""
    secondary_mode: str = "NONE"
    """Which roles count beside the primary one: `ALL`, `NONE`, or those of the list."""
    secondary_list: tuple[str, ...] = ()
    """The secondary roles that are named one by one."""
    variables: Mapping[str, Any] = field(default_factory=dict)
    """The session variables, by stored name."""
    borrowed: bool = False
    """True while a routine or task runs as its owner: the session itself cannot change."""
    routine: bool = False
    """True while it is a routine, which tells nothing of its caller's past."""


@dataclass(frozen=True, slots=True)
class StatementState:
    """What is known of the statement at work; statements inside of it have one of their own."""

    text: str = ""
    """The statement as the history shows it."""
    type: str = ""
    """Snowflake's query type; `UNKNOWN` until it is carried out."""
    verb: str = "SELECT"
    """What the statement does, as refusals say it: `SELECT`, `CREATE STAGE`."""
    tag: str | None = None
    """The query tag that came with the statement; None where the session's holds."""
    query_id: str = ""
    """Number of the statement in the history."""
    governed: bool = False
    """True once a policy took part: error texts must then hide values."""
    reads: Mapping[int, frozenset[str]] = field(default_factory=dict)
    """Numbers of the tables and views read, with the columns named."""
    consumed: Mapping[int, int] = field(default_factory=dict)
    """Streams that the statement reads, with the instant up to which."""
    piped: tuple[Outcome, ...] = ()
    """In a chain, what the steps before answered, the latest first."""
    columnar: bool = False
    """True where whoever sent it reads its rows as Arrow."""
    only_columns: bool = False
    """True while a query is described or defined: of what it reads, only the columns matter."""
    takes_batches: bool = False
    """True where a client may bind lists to it, for many rows at once."""
