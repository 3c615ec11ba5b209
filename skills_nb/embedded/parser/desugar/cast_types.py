"""Types of casts: those that the account holds.

Room: embedded. Pure. DuckDB has types that Snowflake has not, and calculates with others than
Snowflake does under the same name, so that a cast to one of them would answer something else.

See https://docs.snowflake.com/en/sql-reference/intro-summary-data-types
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.types.inference import of_data_type


def check(cast: exp.Cast) -> None:
    """Refuse a cast to a type that the account does not hold.

    Raises:
        SqlError: the account has no such type (0A000).
    """
    if cast.to.args.get("nested") or not _is_written(cast.to):
        return
    if cast.to.this == exp.DType.INT128 or of_data_type(cast.to) is None:
        raise errors.unsupported(f"data type {_spelled(cast.to)}")


def _is_written(target: exp.DataType) -> bool:
    """Tell a type by name from one that the parser puts in place of what it does not know."""
    return target.this not in (exp.DType.UNKNOWN, exp.DType.NULL)


def _spelled(target: exp.DataType) -> str:
    return target.sql("snowflake").partition("(")[0]
