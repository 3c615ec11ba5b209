"""Guards: the exception handlers of the blocks around a statement.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/snowflake-scripting/exception
"""

from __future__ import annotations

from dataclasses import dataclass

from skills_nb.embedded.parser import scripts as s
from skills_nb.embedded.parser.scopes import Scope
from skills_nb.embedded.procedures.signals import Raised

OTHER = "OTHER"


@dataclass(frozen=True, slots=True)
class Guard:
    """A block whose body runs, and its names."""

    block: s.Block
    """The block, with its handlers."""
    scope: Scope
    """What its names stand for."""


Guards = tuple[Guard, ...]
"""Outermost first."""


@dataclass(frozen=True, slots=True)
class Met:
    """The handler that an exception meets first."""

    handler: s.Handler
    """What is to be done."""
    scope: Scope
    """Names of the block that the handler belongs to."""
    depth: int
    """How many blocks are around the handler's own."""


def handler_of(block: s.Block, raised: Raised) -> s.Handler | None:
    """Return a block's handler of an exception."""
    for handler in block.handlers:
        if raised.kind in handler.names or OTHER in handler.names:
            return handler
    return None


def met(guards: Guards, raised: Raised) -> Met | None:
    """Look for a handler from the inside out."""
    for depth in reversed(range(len(guards))):
        guard = guards[depth]
        handler = handler_of(guard.block, raised) if raised.reaches(depth) else None
        if handler is not None:
            return Met(handler, guard.scope, depth)
    return None
