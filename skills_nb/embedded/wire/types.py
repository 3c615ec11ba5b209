"""Statement type ids, by which the connector tells changes from queries.

Room: embedded. Pure.
"""

from __future__ import annotations

_IDS = {
    "SELECT": 0x1000,
    "SHOW": 0x1000,
    "DESCRIBE": 0x1000,
    "INSERT": 0x3100,
    "UPDATE": 0x3200,
    "DELETE": 0x3300,
    "MERGE": 0x3400,
    "MULTI_TABLE_INSERT": 0x3500,
    "BEGIN_TRANSACTION": 0x5400,
    "COMMIT": 0x5400,
    "ROLLBACK": 0x5400,
    "USE": 0x4000,
    "SET": 0x4000,
    "UNSET": 0x4000,
    "MULTI_STATEMENT": 0xA000,
}
_DDL = 0x6000


def statement_type_id(statement_type: str) -> int:
    """Return the id for a query type; everything else is DDL."""
    return _IDS.get(statement_type, _DDL)
