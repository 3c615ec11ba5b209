"""CALL.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/call
"""

from __future__ import annotations

from skills_nb.embedded.objects.instances import instance_calls
from skills_nb.embedded.objects.routines import procedure_calls
from skills_nb.embedded.parser import parsing
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.system_views import system_functions
from skills_nb.embedded.types import data_types
from skills_nb.embedded.types.system_calls import VARIANTS
from skills_nb.embedded.types.values import Column, Outcome
from skills_nb.sql.governance import ast


def call(session: Context, statement: ast.Call) -> Outcome:
    """Call a system procedure or a user's."""
    name = statement.name[-1]
    if statement.method is not None:
        return instance_calls.call(session, statement)
    if (
        len(statement.name) != 1
        or name not in system_functions.SCALARS
        or statement.into is not None
    ):
        return procedure_calls.call(session, statement)
    arguments = [parsing.parse_expression(text) for text in statement.arguments]
    value = system_functions.evaluate(session, name, arguments)
    kind = data_types.VARIANT if name in VARIANTS else data_types.TEXT
    return Outcome((Column(name, kind),), ((value,),), "CALL", 1)
