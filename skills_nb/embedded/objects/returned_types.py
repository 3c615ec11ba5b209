"""What the body of a function or policy returns, held to what was declared.

Room: embedded. Pure.

See https://docs.snowflake.com/en/developer-guide/udf/sql/udf-sql-scalar-functions
"""

from __future__ import annotations

from collections.abc import Sequence

from skills_nb.embedded import errors
from skills_nb.embedded.types.data_types import SfType

_FAMILIES = {
    "FIXED": "number",
    "REAL": "number",
    "TEXT": "text",
    "BOOLEAN": "boolean",
    "DATE": "date",
    "TIME": "time",
    "TIMESTAMP_NTZ": "moment",
    "TIMESTAMP_LTZ": "moment",
    "TIMESTAMP_TZ": "moment",
    "BINARY": "bytes",
}
"""Semi-structured and other types are left out: they take and give values of several kinds."""


def refuse_other(declared: SfType, given: Sequence[SfType | None], of: str = "") -> None:
    """Refuse a body of several columns, or of a family that is surely not the declared one.

    NULL is of every family.

    Raises:
        SqlError: it is (90207).
    """
    if len(given) != 1:
        parts = ", ".join(kind.sql if kind else "NULL" for kind in given)
        raise errors.returns_other(declared.sql, f"ROW({parts})", of)
    only = given[0]
    if only is not None and _differs(declared, only):
        raise errors.returns_other(declared.sql, only.sql, of)


def _differs(declared: SfType, given: SfType) -> bool:
    """Compare families; a date is a moment without loss."""
    wanted, found = _FAMILIES.get(declared.kind), _FAMILIES.get(given.kind)
    if wanted is None or found is None or (wanted, found) == ("moment", "date"):
        return False
    return wanted != found
