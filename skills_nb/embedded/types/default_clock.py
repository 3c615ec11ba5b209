"""The edge: where time and ids come from when nobody brings their own.

Room: embedded. The only module here that reads a clock or draws an id.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
"""Returns the present instant, aware, in UTC."""
Ids = Callable[[], str]
"""Returns a new id in the form of a UUID."""


def system_clock() -> datetime:
    """Return the present instant."""
    return datetime.now(UTC)  # noqa: TID251 - the edge of the room, the default for `Clock`


def pause(seconds: float) -> None:
    """Let time go by."""
    time.sleep(seconds)


def system_ids() -> str:
    """Return a new query id."""
    return str(uuid.uuid4())  # noqa: TID251 - the edge of the room, the default for `Ids`
