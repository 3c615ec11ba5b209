"""Statements about files: the door of this package for the executor.

Room: embedded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from skills_nb.embedded.executor import loading, moving, unloading
from skills_nb.embedded.parser import file_statements
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.result_columns import columns_of
from skills_nb.embedded.types.values import Outcome

if TYPE_CHECKING:
    pass


DESCRIBED = Outcome(columns_of("status"), (), "UNKNOWN", 0)
"""What is told of a statement about files that is only described."""


def run(session: Context, statement: file_statements.FileStatement) -> Outcome:
    """Run a statement about files.

    Raises:
        SqlError: it is refused.
    """
    match statement:
        case file_statements.Put():
            return moving.put(session, statement)
        case file_statements.Get():
            return moving.get(session, statement)
        case file_statements.ListFiles():
            return moving.list_files(session, statement)
        case file_statements.RemoveFiles():
            return moving.remove_files(session, statement)
        case file_statements.Load():
            session.begin_change()
            return loading.copy_into(session, statement)
        case file_statements.Unload():
            return unloading.unload(session, statement)
        case _:
            assert_never(statement)
