"""How large a value may be.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/data-types-text
"""

MOST_BYTES = 134_217_728
"""Bytes that a text or a semi-structured value has at most."""
