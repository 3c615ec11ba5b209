"""Statements about files: the door of this package for the executor.

Room: embedded.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, assert_never

from skills_nb.embedded.result_columns import columns_of
from skills_nb.embedded.stages import loading, moving, unloading, words
from skills_nb.embedded.values import Outcome

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession


def answer(
    session: AccountSession, text: str, bindings: Mapping[str, Any], *, describe_only: bool
) -> Outcome | None:
    """Run a statement about files; None for any other.

    Raises:
        SqlError: it is refused.
    """
    statement = words.read(words.filled(text, bindings), session.variable_texts())
    if statement is None:
        return None
    if describe_only:
        return Outcome(columns_of("status"), (), "UNKNOWN", 0)
    return run(session, statement)


def run(session: AccountSession, statement: words.FileStatement) -> Outcome:
    """Run a statement about files."""
    match statement:
        case words.Put():
            return moving.put(session, statement)
        case words.Get():
            return moving.get(session, statement)
        case words.ListFiles():
            return moving.list_files(session, statement)
        case words.RemoveFiles():
            return moving.remove_files(session, statement)
        case words.Load():
            session.begin_change()
            return loading.copy_into(session, statement)
        case words.Unload():
            return unloading.unload(session, statement)
        case _:
            assert_never(statement)
