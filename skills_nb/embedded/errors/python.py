"""Refusals about handlers in Python.

Room: embedded. Pure.
"""

from __future__ import annotations

from skills_nb.errors import SqlError


def handler_failed(name: str, handler: str, said: str) -> SqlError:
    """Return the error of a handler that raised, or did not end as it should."""
    return SqlError(
        f"Python Interpreter Error:\n{said} in function {name} with handler {handler}",
        errno=100357,
        sqlstate="P0000",
    )


def python_elsewhere() -> SqlError:
    """Refuse Python where the system cannot begin what keeps a handler apart."""
    return SqlError(
        "Python is off: on Windows the embedded account cannot run a handler in a process of its "
        "own. Run this in the Windows Subsystem for Linux, or write the handler in SQL.",
        errno=2,
        sqlstate="0A000",
    )


def python_off() -> SqlError:
    """Refuse Python where the machine cannot keep it from what is around the account."""
    return SqlError(
        "Python is off: this machine cannot keep a handler from its files and its network. "
        "Connect with trust_python=True if you trust every handler of this account.",
        errno=2,
        sqlstate="0A000",
    )
