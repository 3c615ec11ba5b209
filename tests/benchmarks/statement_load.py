"""One load of Snowpark statements, timed: run by an interpreter that has the account to measure.

Run: `python statement_load.py embedded|fakesnow`. Prints one JSON line: CPU seconds a statement, by
kind of statement. This file imports nothing of the project until it is told to, so that the peer's
own environment can run it.
"""

import contextlib
import json
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

ROWS = 200
ROUNDS = 40


@contextlib.contextmanager
def embedded() -> Iterator[Any]:
    from skills_nb.embedded.engine.account import Account
    from skills_nb.embedded.wire import EmbeddedWire
    from skills_nb.runtime import mounted_connection

    with Account.open() as account:
        connection = mounted_connection.connect(
            EmbeddedWire(account), user="ADMIN", role="ACCOUNTADMIN", warehouse="COMPUTE_WH"
        )
        connection.cursor().execute("create database d")
        with contextlib.closing(connection):
            yield mounted_connection.session(connection)


@contextlib.contextmanager
def fakesnow() -> Iterator[Any]:
    import fakesnow as peer
    import snowflake.connector
    from snowflake.snowpark import Session

    # Its server in this process: Snowpark does not work on its patched connection.
    with peer.server() as address:
        connection = snowflake.connector.connect(**address, database="D", schema="PUBLIC")
        connection.cursor().execute("create schema if not exists public")
        connection.cursor().execute("use schema public")
        yield Session.builder.configs({"connection": connection}).create()


STATEMENTS = {
    "select": lambda i: f"select id, name, amount from orders where id = {i}",
    "aggregate": lambda i: (
        "select name, count(*) as n, sum(amount) as total from orders "
        f"where amount > {i} group by name order by total desc limit 5"
    ),
    "join": lambda i: (
        "select o.id, c.city from orders o join customers c on o.name = c.name "
        f"where o.id < {i} order by o.id"
    ),
    "insert": lambda i: f"insert into orders values ({1000 + i}, 'n{i % 7}', {i}.5)",
    "update": lambda i: f"update orders set amount = amount + 1 where id = {i}",
    "create": lambda i: f"create or replace table made_{i % 5} (a int, b varchar)",
    "describe": lambda i: "describe table orders",
}


def prepare(session: Any) -> None:
    session.sql("create table orders (id int, name varchar, amount number(10,2))").collect()
    session.sql("create table customers (name varchar, city varchar)").collect()
    rows = ", ".join(f"({i}, 'n{i % 7}', {i}.25)" for i in range(ROWS))
    session.sql(f"insert into orders values {rows}").collect()
    rows = ", ".join(f"('n{i}', 'city {i}')" for i in range(7))
    session.sql(f"insert into customers values {rows}").collect()


def cost(session: Any, text: Callable[[int], str]) -> float:
    for i in range(3):
        session.sql(text(i)).collect()
    begin = time.process_time()
    for i in range(ROUNDS):
        session.sql(text(i + 3)).collect()
    return (time.process_time() - begin) / ROUNDS


def main() -> None:
    opened = {"embedded": embedded, "fakesnow": fakesnow}[sys.argv[1]]
    with opened() as session:
        prepare(session)
        print(json.dumps({name: cost(session, text) for name, text in STATEMENTS.items()}))


if __name__ == "__main__":
    main()
