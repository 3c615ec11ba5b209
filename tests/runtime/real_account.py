"""A named connection to test on: the loopback mount always, a real account where one is named.

`SKILLS_NB_TEST_CONNECTION` names a connection of Snowflake's `connections.toml` whose role may
create databases. What the tests make there is in one database of their own, dropped afterwards.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path

import pytest

from skills_nb.commands import App
from skills_nb.commands.home.connections import Connection, open_session

VARIABLE = "SKILLS_NB_TEST_CONNECTION"
WHERE = ("loopback", "account")


@contextmanager
def named(where: str, home: Path):
    """Yield the name of a connection, in an environment where the connector finds it."""
    if where == "account":
        name = os.environ.get(VARIABLE)
        if not name:
            pytest.skip(f"{VARIABLE} names no connection to a real account")
        yield name
        return
    app = App(home)
    with pytest.MonkeyPatch.context() as patch:
        told = app.invoke(["account", "address"]).document
        patch.setenv("SNOWFLAKE_HOME", str(Path(told["connections"]).parent))
        patch.setenv("NO_PROXY", "127.0.0.1")
        try:
            yield "embedded"
        finally:
            app.close()


@contextmanager
def own_database(name: str):
    """Yield a session on a connection, and a database that is gone afterwards."""
    session = open_session(Connection("named", name), {})
    database = f"SKILLS_NB_TEST_{os.getpid()}"
    try:
        session.execute(f"CREATE DATABASE {database}", role=None, tag="setup")
        yield session, database
    finally:
        session.execute(f"DROP DATABASE IF EXISTS {database}", role=None, tag="teardown")
        left = session.query(f"SHOW DATABASES LIKE '{database}'").row_count
        session.close()
    assert left == 0
