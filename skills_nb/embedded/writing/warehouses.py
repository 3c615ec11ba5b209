"""Written: warehouses.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/create-warehouse
"""

from __future__ import annotations

from skills_nb.embedded.catalog.entities import Entity, WarehouseDetail
from skills_nb.embedded.statements import properties
from skills_nb.embedded.writing.values import comment, value

_MADE_SUSPENDED = "INITIALLY_SUSPENDED"


def warehouse(entity: Entity, detail: WarehouseDetail, name: str) -> str:
    """Write a warehouse with the properties that are not the usual ones, and its size."""
    usual = WarehouseDetail()
    words = [f"create or replace warehouse {name} with"]
    for key, (field, _) in properties._WAREHOUSE.items():
        given = getattr(detail, field)
        if key == "WAREHOUSE_SIZE" or given != getattr(usual, field):
            words.append(f"{key.lower()} = {value(given)}")
    return "\n\t".join(words) + comment(entity, "\n\t")
