"""Functions of one's own, in SQL or Python.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/create-function
"""

from __future__ import annotations

from skills_nb.embedded.binder.signatures import detail_of
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.objects.object_kind import (
    Cloning,
    Columns,
    Exporting,
    Listing,
    ObjectKind,
    Phase,
    Row,
    register,
)
from skills_nb.embedded.objects.routines import routine_definition, routine_rows
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.system_rows import yes
from skills_nb.sql.governance import ast

_COLUMNS = f"{routine_rows.COLUMNS} is_external_function language is_memoizable is_data_metric"


def _row(session: Context, e: Entity) -> Row:
    """See https://docs.snowflake.com/en/sql-reference/sql/show-functions."""
    return (*routine_rows.row(session, e), "N", detail_of(e).language, "N", "N")


_MORE: Columns = {
    "VOLATILITY": lambda e: detail_of(e).volatility or "VOLATILE",
    "IS_NULL_CALL": lambda e: yes(not detail_of(e).strict),
    "IS_EXTERNAL": lambda _: "NO",
}
register(
    ObjectKind(
        kind=Kind.FUNCTION,
        plurals=("FUNCTIONS", "USER FUNCTIONS"),
        create={ast.CreateFunction: routine_definition.create},
        alter=routine_definition.alter,
        listing=Listing(_COLUMNS, _row, name=routine_rows.name_of),
        describe=routine_rows.describe,
        ddl=routine_rows.ddl,
        is_in_schema_ddl=True,
        privileges=("USAGE",),
        clone=Cloning(),
        export=Exporting(Phase.CODE),
        view=routine_rows.view("FUNCTION", _MORE),
    )
)
