"""Blocks: anonymous ones, which run with the rights of who sends them.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/execute-immediate
"""

from __future__ import annotations

from skills_nb.embedded.parser.reading import is_block
from skills_nb.embedded.parser.scopes import Table, Value
from skills_nb.embedded.procedures import interpreting
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.data_types import TEXT, SfType
from skills_nb.embedded.types.values import Column, Outcome

__all__ = ["anonymous", "answered", "is_block"]


def anonymous(session: Context, text: str) -> Outcome:
    """Run a block."""
    with session.own_transactions():
        value = interpreting.run(session, text)
    return answered("anonymous block", value, None, "CALL")


def answered(name: str, value: Value | Table, kind: SfType | None, word: str) -> Outcome:
    """Answer with what a script returned: its rows, or one value under its name."""
    if isinstance(value, Table):
        return Outcome(value.columns, value.rows, word, len(value.rows))
    column = Column(name, kind or value.type or TEXT)
    return Outcome((column,), ((value.value,),), word, 1)
