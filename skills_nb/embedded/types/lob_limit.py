"""How large a value may be.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/data-types-text
"""

MOST_BYTES = 134_217_728
"""Bytes that a text or a semi-structured value has at most."""


def exceeded(size: int) -> str:
    """Say that a value of so many bytes is too large."""
    return f"Max LOB size ({MOST_BYTES}) exceeded, actual size of parsed column is {size}"
