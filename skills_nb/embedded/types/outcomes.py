"""Outcomes: what a statement answers that tells only how it went.

Room: embedded. Pure.
"""

from __future__ import annotations

from skills_nb.embedded.types.data_types import text
from skills_nb.embedded.types.values import Column, Outcome

DONE = "Statement executed successfully."
STATUS_COLUMNS = (Column("status", text(), nullable=False),)


def status(message: str, statement_type: str) -> Outcome:
    """Answer with one line."""
    return Outcome(STATUS_COLUMNS, ((message,),), statement_type, 1)
