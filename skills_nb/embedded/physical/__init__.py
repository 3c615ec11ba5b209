"""Physical: DuckDB, as the account may use it.

Room: embedded. Everything that DuckDB runs is a `DuckSql`, which only `duck_sql` can make: from a
template that stands in the program, from names and values that it quotes, and from trees that
`trees` has looked at. `connection` is the only way to DuckDB and takes nothing else.
"""
