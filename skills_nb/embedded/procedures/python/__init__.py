"""Handlers in Python: read, called, and applied to rows, each in a process of its own.

Room: embedded. Policies and rights are the account's: a handler gets the values of its arguments,
a procedure's session sends statements like any other.

See https://docs.snowflake.com/en/developer-guide/udf/python/udf-python-introduction
"""
