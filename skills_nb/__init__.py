"""Skills for Snowflake: route an intent, preview it, do it step by step, with every decision kept.

Heavy packages load on first use, so importing this costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from skills_nb.version import __version__

if TYPE_CHECKING:
    from skills_nb.commands.api import Handle, connect, load_library, route, session, start

__all__ = [
    "Handle",
    "__version__",
    "connect",
    "load_ipython_extension",
    "load_library",
    "route",
    "session",
    "start",
    "unload_ipython_extension",
]

_API = frozenset({"Handle", "connect", "load_library", "route", "session", "start"})


def load_ipython_extension(shell: Any) -> None:
    """Register `%skill` and `%%skill`: what `%load_ext skills_nb` calls."""
    from skills_nb.notebook import load_ipython_extension as load

    load(shell)


def unload_ipython_extension(shell: Any) -> None:
    """Take `%skill` away again: what `%unload_ext skills_nb` calls."""
    from skills_nb.notebook import unload_ipython_extension as unload

    unload(shell)


def __getattr__(name: str) -> Any:
    if name in _API:
        return getattr(import_module("skills_nb.commands.api"), name)
    raise AttributeError(f"module 'skills_nb' has no attribute '{name}'")
