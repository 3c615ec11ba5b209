"""Opening a session by the name of a connection, as Snowflake's own tools keep them.

Room: work (runtime, snowpark). See
https://docs.snowflake.com/en/developer-guide/python-connector/python-connector-connect
"""

from __future__ import annotations

from skills_nb.runtime.snowpark import refusals
from skills_nb.runtime.snowpark.session import SnowparkSession


def open_named(connection: str) -> SnowparkSession:
    """Return a session on the account that `connections.toml` knows by this name.

    Raises:
        SqlError: there is no such connection, or it is refused.
    """
    from snowflake.snowpark import Session

    with refusals.explained():
        return SnowparkSession(Session.builder.config("connection_name", connection).create())
