"""What depends on rows, foretold from names and types.

Room: embedded. Nothing is kept: the account's last classification stays the last one.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from skills_nb.embedded import names
from skills_nb.embedded.classification import ColumnSample, classify_table
from skills_nb.embedded.looking.relations import columns_shown

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession


def classification(session: AccountSession, table: str) -> str:
    """Return what SYSTEM$CLASSIFY would say of a table, were it empty.

    Raises:
        SqlError: the role may not read the table.
    """
    entity = session.readable(session.qualify(names.typed_path(table)), session.env())
    found: dict[str, Any] = {}
    for column in columns_shown(entity.detail):
        found |= _of_column(column.name, column.type.sql)
    return json.dumps({"classification_result": found}, default=str)


@lru_cache(maxsize=4096)
def _of_column(name: str, kind: str) -> dict[str, Any]:
    # Tables of one account repeat their columns' names, and a name is all there is to weigh.
    told: dict[str, Any] = classify_table([ColumnSample(name, kind, [])])["classification_result"]
    return told
