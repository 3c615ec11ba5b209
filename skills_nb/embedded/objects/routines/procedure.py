"""Procedures, in Scripting or Python.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/create-procedure
"""

from __future__ import annotations

from skills_nb.embedded.catalog.entities import Kind
from skills_nb.embedded.objects.object_kind import (
    Cloning,
    Exporting,
    Listing,
    ObjectKind,
    register,
)
from skills_nb.embedded.objects.routines import routine_definition, routine_rows
from skills_nb.sql.governance import ast

register(
    ObjectKind(
        kind=Kind.PROCEDURE,
        plurals=("PROCEDURES", "USER PROCEDURES"),
        create={ast.CreateProcedure: routine_definition.create},
        alter=routine_definition.alter,
        listing=Listing(routine_rows.COLUMNS, routine_rows.row, name=routine_rows.name_of),
        describe=routine_rows.describe,
        ddl=routine_rows.ddl,
        is_in_schema_ddl=True,
        made_after=(Kind.TABLE, Kind.STAGE),
        privileges=("USAGE",),
        clone=Cloning(),
        export=Exporting(),
        view=routine_rows.view("PROCEDURE", {}),
    )
)
