"""A password of one's own choice for a served account, from a variable, a file or a prompt.

Room: commands. It is no word of a command line, which shells and the system's list of processes
would show; it is compared by its digest and kept nowhere.
"""

from __future__ import annotations

import getpass
import os
import sys
from pathlib import Path

from skills_nb.commands.home.configuration import shown_path
from skills_nb.errors import UsageError

ASKED = "-"
_LEAST, _MOST = 8, 256
_PROMPT = "Password for the served account (it is not shown): "


def read(variable: str | None, file: str | None) -> str:
    """Return the password that somebody chose; empty where nobody did.

    Args:
        variable: name of the environment variable that holds it.
        file: path of the file that holds it on its only line; `-` asks for it.

    Raises:
        UsageError: both are given, the place holds none, or it is no password that clients can say.
    """
    if variable and file:
        raise UsageError("choose one of --password-env and --password-file")
    if variable:
        return _checked(_of_variable(variable), f"the variable {variable}")
    if file == ASKED:
        return _checked(_asked(), "what was typed")
    return _checked(_of_file(Path(file)), shown_path(Path(file))) if file else ""


def _of_variable(name: str) -> str:
    value = os.environ.get(name)
    if value is None:
        raise UsageError(
            f"the variable {name} is not set",
            hint="name a variable, not the password itself: it would be seen in the list of "
            "processes",
        )
    return value


def _of_file(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").removesuffix("\n").removesuffix("\r")
    except (OSError, ValueError) as problem:
        why = problem.strerror if isinstance(problem, OSError) else "it is no text in UTF-8"
        raise UsageError(f"{shown_path(path)!r} cannot be read: {why}") from problem


def _asked() -> str:
    """Ask at a terminal without showing what is typed; else read one line of what is piped in."""
    if sys.stdin.isatty():
        try:
            return getpass.getpass(_PROMPT)
        except EOFError:
            return ""
    return sys.stdin.readline().removesuffix("\n").removesuffix("\r")


def _checked(password: str, place: str) -> str:
    if not _LEAST <= len(password) <= _MOST or not password.isprintable():
        raise UsageError(
            f"{place} holds no password that can be used",
            hint=f"it takes {_LEAST} to {_MOST} characters on one line, none of them invisible",
        )
    return password
