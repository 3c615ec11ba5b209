"""CALL.

Room: embedded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skills_nb.embedded import refusals
from skills_nb.embedded.values import Outcome
from skills_nb.sql.governance import ast

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession


def call(session: AccountSession, statement: ast.Call) -> Outcome:
    """Call a procedure."""
    raise refusals.unsupported(f"CALL {refusals.dotted(statement.name)}")
