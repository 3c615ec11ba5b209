"""How handlers of procedures come to their sessions: the mount, in the process that holds them.

Room: work. Neither connector nor Snowpark is loaded here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from skills_nb.ports import Wire


_MOUNT = Path(__file__).with_name("mounted_connection.py")


@dataclass(frozen=True, slots=True)
class HandlerSessions:
    """What an account needs to give handlers a Snowpark session."""

    wire: Callable[[Any], Wire]
    """Makes the wire to the account's session that calls the procedure."""
    module: Path = _MOUNT
    """Code that opens a session over a wire, as `handler_session`; it is no part of a package."""
