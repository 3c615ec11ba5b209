"""CALL.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/call
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skills_nb.embedded import parsing, types
from skills_nb.embedded.code import routines
from skills_nb.embedded.instances import calling
from skills_nb.embedded.system import functions
from skills_nb.embedded.values import Column, Outcome
from skills_nb.sql.governance import ast

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession


def call(session: AccountSession, statement: ast.Call) -> Outcome:
    """Call a system procedure or a user's."""
    name = statement.name[-1]
    if statement.method is not None:
        return calling.call(session, statement)
    if len(statement.name) != 1 or name not in functions.SCALARS or statement.into is not None:
        return routines.call(session, statement)
    arguments = [parsing.parse_expression(text) for text in statement.arguments]
    value = functions.evaluate(session, name, arguments)
    kind = types.VARIANT if name in functions.VARIANTS else types.TEXT
    return Outcome((Column(name, kind),), ((value,),), "CALL", 1)
