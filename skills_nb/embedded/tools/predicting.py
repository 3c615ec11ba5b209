"""What depends on rows, foretold from names and types.

Room: embedded. Nothing is kept: the account's last classification stays the last one.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from skills_nb.embedded.authorizer import name_resolution
from skills_nb.embedded.catalog.table_details import columns_shown
from skills_nb.embedded.classification import ColumnSample, classify_table
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types import names


def classification(session: Context, table: str) -> str:
    """Return what SYSTEM$CLASSIFY would say of a table, were it empty.

    Raises:
        SqlError: the role may not read the table.
    """
    entity = name_resolution.readable_here(session, names.typed_path(table))
    found: dict[str, Any] = {}
    for column in columns_shown(entity.detail):
        found |= _of_column(column.name, column.type.sql)
    return json.dumps({"classification_result": found}, default=str)


@lru_cache(maxsize=4096)
def _of_column(name: str, kind: str) -> dict[str, Any]:
    # Tables of one account repeat their columns' names, and a name is all there is to weigh.
    told: dict[str, Any] = classify_table([ColumnSample(name, kind, [])])["classification_result"]
    return told
