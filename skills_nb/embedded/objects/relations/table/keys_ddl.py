"""Written: the keys of tables.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/create-table-constraint
"""

from __future__ import annotations

from collections.abc import Iterator

from skills_nb.embedded.catalog.entities import TableConstraint, TableDetail
from skills_nb.embedded.catalog.table_details import GENERATED
from skills_nb.embedded.objects.ddl_words import names, value
from skills_nb.sql.identifiers import quote, render_name


def constraint(held: TableConstraint) -> str:
    """Write one constraint, with its name where a person gave it."""
    name = "" if held.name.startswith(GENERATED) else f"constraint {quote(held.name)} "
    words = f"{name}{held.kind.lower()} ({names(held.columns)})"
    if held.referenced:
        words += f" references {render_name(held.referenced)} ({names(held.referenced_columns)})"
    words += " rely" * held.rely
    return words if held.comment is None else f"{words} comment {value(held.comment)}"


def keys(detail: TableDetail) -> Iterator[str]:
    """Write primary and unique keys, also those of a table from before keys had names."""
    listed = [held for held in detail.constraints if not held.referenced]
    yield from (constraint(held) for held in listed)
    named = {column for held in listed for column in held.columns}
    primary = [c.name for c in detail.columns if c.primary_key and c.name not in named]
    if primary:
        yield f"primary key ({names(primary)})"
    for column in detail.columns:
        if column.unique and column.name not in named:
            yield f"unique ({quote(column.name)})"
