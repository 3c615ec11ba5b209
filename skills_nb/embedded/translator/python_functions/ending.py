"""Ending: a function in Python stops where its statement is ended.

Room: embedded. DuckDB looks whether it is interrupted between the chunks of rows that it works on,
never while it waits for Python. So each call asks first, and a call that goes on for long asks
again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from typing import TypeVar

from skills_nb.embedded.errors.python_refusals import RefusalError

_T = TypeVar("_T")
_EVERY = 1024
_ASKED: ContextVar[Callable[[], bool]] = ContextVar("ending", default=lambda: False)


def begin(is_ending: Callable[[], bool]) -> None:
    """Begin a call for a statement.

    Raises:
        RefusalError: the statement is ended (604).
    """
    _ASKED.set(is_ending)
    check()


def heeded(found: Iterable[_T]) -> Iterator[_T]:
    """Yield what is found, and look now and then whether the statement is ended.

    Raises:
        RefusalError: the statement is ended (604).
    """
    for number, one in enumerate(found, start=1):
        if number % _EVERY == 0:
            check()
        yield one


def check() -> None:
    """Look whether the statement is ended.

    Raises:
        RefusalError: it is (604).
    """
    if _ASKED.get()():
        raise RefusalError(604, "57014", "SQL execution canceled")
