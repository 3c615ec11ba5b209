"""Semantic views: from facts, dimensions and metrics to a query over their tables.

Room: embedded. `graph` answers questions about tables and their relationships, `expanding` turns a
member into an expression over tables, `building` makes the query that a request stands for. What
they make is governed like a view's text, so that policies see the caller.

See https://docs.snowflake.com/en/user-guide/views-semantic/querying
"""
