"""The envelope that every event carries.

Room: ground.
"""

from __future__ import annotations

from typing import Any, Self

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """A value that refuses unknown fields and cannot be changed."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class EventBase(Frozen):
    """What the conductor stamps on an event just before it is appended."""

    seq: int = 0
    """1-based and gap-free in its thread; 0 until stamped."""
    id: str = ""
    """Unique everywhere; empty until stamped."""
    v: int = 1
    """Version of this type's fields; older ones are upcast on load."""
    timestamp: str = ""
    """UTC with `Z`; empty until stamped."""
    actor: str = "engine"
    """`human:NAME`, `agent:NAME`, `engine`, `timer`, `approve_remaining`, `model:NAME`."""
    effect_key: str | None = None
    """`THREAD:SEQ` of the statement it concerns."""

    def stamped(self, *, seq: int, event_id: str, timestamp: str) -> Self:
        """Return the event with its place, identity and time."""
        update: dict[str, Any] = {"seq": seq, "id": event_id, "timestamp": timestamp}
        return self.model_copy(update=update)
