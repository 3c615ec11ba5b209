"""A step that an approval lets through.

Room: ground.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ahead:
    """A step that an approval lets through."""

    step: str
    """Step id, as the playbook has it: `3`, `3b`."""
    title: str
    """The step's heading, without its number."""
    statements: tuple[tuple[str | None, str], ...] = ()
    """(role, SQL) in their order; the role is None where it is the session's."""
    is_open: bool = False
    """Whether what it sends rests on what a step before it finds."""
