"""Who is there, and what can their front end do?

Room: doors (notebook). The protocol itself says whether somebody can answer: front ends with a
person send `allow_stdin: true`, nbclient, nbconvert and nbval send false.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any


def has_widgets(shell: Any, choice: str = "auto") -> bool:
    """Return whether buttons make sense for the cell that is running.

    Args:
        shell: the IPython shell.
        choice: the setting `ui`.
    """
    if choice != "auto":
        return choice == "widgets"
    if not hasattr(shell, "kernel") or find_spec("ipywidgets") is None:
        return False
    parent = shell.get_parent() if hasattr(shell, "get_parent") else {}
    return bool(parent.get("content", {}).get("allow_stdin", False))


class NotebookHuman:
    """Whoever looks at the notebook. Implements `ports.Human`."""

    def __init__(self) -> None:
        """Assume nobody until a cell says otherwise."""
        self.present = False

    def is_present(self) -> bool:
        """Return whether a countdown would be seen."""
        return self.present
