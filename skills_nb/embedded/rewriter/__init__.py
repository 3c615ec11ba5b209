"""The governed rewrite: Snowflake's query in, a DuckDB query that cannot say too much out.

Room: embedded. Every reference to a table or view becomes a subquery that holds what the caller
may see: rows that row access policies let through, columns as masking policies show them. Nothing
else in the rewritten query names stored data, so no clause around it can leak.
"""
