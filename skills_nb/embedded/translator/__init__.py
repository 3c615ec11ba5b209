"""The translator: Snowflake's trees become DuckDB's.

Room: embedded.
"""
