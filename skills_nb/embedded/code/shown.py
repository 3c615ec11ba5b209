"""SHOW and DESCRIBE of functions and procedures.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/show-procedures and
https://docs.snowflake.com/en/sql-reference/sql/desc-function
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from skills_nb.embedded.callables.signatures import bare, detail_of
from skills_nb.embedded.catalog.entities import Entity, Kind

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

Row = tuple[Any, ...]
_COLUMNS = (
    "created_on:t name schema_name is_builtin is_aggregate is_ansi min_num_arguments:n "
    "max_num_arguments:n arguments description catalog_name is_table_function "
    "valid_for_clustering is_secure secrets external_access_integrations"
)


def _row(session: AccountSession, e: Entity) -> Row:
    d = detail_of(e)
    returned = bare(d.returns) if d.returns is not None else "TABLE (" + _listed(d.columns) + ")"
    given = ", ".join(
        f"DEFAULT {bare(a.type)}" if a.default is not None else bare(a.type) for a in d.arguments
    )
    return (
        e.created_on,
        d.name,
        e.path[1],
        "N",
        "N",
        "N",
        sum(a.default is None for a in d.arguments),
        len(d.arguments),
        f"{d.name}({given}) RETURN {returned}",
        e.comment or f"user-defined {e.kind.value.lower()}",
        e.path[0],
        "Y" if d.returns is None else "N",
        "N",
        "Y" if d.secure else "N",
        None,
        None,
    )


def _listed(columns: Any) -> str:
    return ", ".join(f"{c.name} {bare(c.type)}" for c in columns)


def _function(session: AccountSession, e: Entity) -> Row:
    return (*_row(session, e), "N", detail_of(e).language, "N", "N")


def _described(session: AccountSession, e: Entity) -> tuple[str, list[Row]]:
    d = detail_of(e)
    hides = d.secure and not session.account.rights.owns(session.active_roles(), e)
    listed = ", ".join(f"{a.name} {bare(a.type)}" for a in d.arguments)
    returned = d.returns.sql if d.returns is not None else f"TABLE ({_listed(d.columns)})"
    rows: list[Row] = [
        ("signature", f"({listed})"),
        ("returns", returned),
        ("language", d.language),
        ("null handling", "STRICT" if d.strict else "CALLED ON NULL INPUT"),
        ("volatility", d.volatility or "VOLATILE"),
    ]
    if d.language == "PYTHON":
        rows += [("runtime_version", d.runtime), ("handler", d.handler), ("packages", d.packages)]
    if e.kind is Kind.PROCEDURE:
        rows.append(("execute as", "CALLER" if d.caller else "OWNER"))
    rows.append(("body", None if hides else d.body))
    return "property value", rows


_FUNCTIONS = f"{_COLUMNS} is_external_function language is_memoizable is_data_metric"
LISTINGS = {
    "PROCEDURES": (Kind.PROCEDURE, _COLUMNS, _row),
    "USER PROCEDURES": (Kind.PROCEDURE, _COLUMNS, _row),
    "FUNCTIONS": (Kind.FUNCTION, _FUNCTIONS, _function),
    "USER FUNCTIONS": (Kind.FUNCTION, _FUNCTIONS, _function),
}
DESCRIPTIONS = {Kind.FUNCTION: _described, Kind.PROCEDURE: _described}
