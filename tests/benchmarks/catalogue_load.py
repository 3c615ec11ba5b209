"""Questions about an account of 2,000 tables, timed by an interpreter that has the account.

Run: `python catalogue_load.py embedded|fakesnow`. Prints one JSON line: CPU seconds a statement, by
question. Like `statement_load.py`, it imports nothing of the project until it is told to.
"""

import json
import statistics
import sys
import time
from typing import Any

import statement_load

TABLES = 2_000
ROUNDS = 5
QUESTIONS = {
    "all tables": "select * from information_schema.tables",
    "tables counted": (
        "select table_schema, count(*) from information_schema.tables group by table_schema"
    ),
    "one table": "select table_name, table_type from information_schema.tables "
    "where table_name = 'T1234'",
    "all columns": (
        "select table_name, column_name, data_type from information_schema.columns "
        "where table_schema = 'PUBLIC' order by table_name, ordinal_position"
    ),
    "one table's columns": "select column_name, data_type from information_schema.columns "
    "where table_schema = 'PUBLIC' and table_name = 'T1234' order by ordinal_position",
    "show tables": "show tables",
    "show one table": "show tables like 'T1234'",
}


def cost(session: Any, text: str) -> float:
    """Return the median, since a question of a second kind pays for what the first one made."""
    session.sql(text).collect()
    taken = []
    for _ in range(ROUNDS):
        begin = time.process_time()
        session.sql(text).collect()
        taken.append(time.process_time() - begin)
    return statistics.median(taken)


def main() -> None:
    opened = {"embedded": statement_load.embedded, "fakesnow": statement_load.fakesnow}
    with opened[sys.argv[1]]() as session:
        for number in range(TABLES):
            session.sql(
                f"create table t{number} (id int, name varchar, amount number(10,2))"
            ).collect()
        print(json.dumps({name: cost(session, text) for name, text in QUESTIONS.items()}))


if __name__ == "__main__":
    main()
