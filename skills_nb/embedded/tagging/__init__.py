"""Tags that travel: along the queries of views, and with data that is moved.

Room: embedded.

See https://docs.snowflake.com/en/user-guide/object-tagging/propagation
"""
