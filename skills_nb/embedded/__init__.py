"""The embedded account: Snowflake's words, rights and policies over a DuckDB file.

Room: work. It may touch duckdb and sqlglot. Nothing heavy is imported by this package itself, so
that opening the notebook does not pay for an account that nobody asked for; take `Account` from
`skills_nb.embedded.engine.account` and `EmbeddedWire` from `skills_nb.embedded.wire`.
"""
