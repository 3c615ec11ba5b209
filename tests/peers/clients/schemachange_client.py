"""schemachange: versioned, repeatable and always scripts; its address is in the environment."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from checks import ACCOUNT, HOST, PASSWORD, PORT, ROLE, USER, WAREHOUSE, check, report

FOLDER = Path(tempfile.mkdtemp())
ADDRESS = {
    "SNOWFLAKE_HOST": HOST,
    "SNOWFLAKE_PORT": str(PORT),
    "SNOWFLAKE_PROTOCOL": "http",
    "SNOWFLAKE_ACCOUNT": ACCOUNT,
    "SNOWFLAKE_USER": USER,
    "SNOWFLAKE_PASSWORD": PASSWORD,
    "SNOWFLAKE_ROLE": ROLE,
    "SNOWFLAKE_WAREHOUSE": WAREHOUSE,
}
"""Of a connection it takes the account and no address; of the environment it passes all on."""
SCRIPTS = {
    "V1.0.0__tables.sql": "create schema if not exists deployed;\n"
    "create table deployed.people (id int, name varchar(50));\n"
    "insert into deployed.people values (1, 'it''s; me');\n",
    "V1.1.0__column.sql": "alter table deployed.people add column since date;\n",
    "R__view.sql": "create or replace view deployed.who as select name from deployed.people;\n",
    "A__grants.sql": "grant select on all tables in schema deployed to role {{ reader }};\n",
    "V1.2.0__procedure.sql": "create or replace procedure deployed.twice(n int) returns int\n"
    "language sql as $$ begin return n * 2; end $$;\n",
}


def run(*words):
    """Run schemachange on the scripts; return what it said."""
    script = Path(sys.executable).with_name("schemachange")
    settings = (
        "-f",
        str(FOLDER),
        "-d",
        "DEPLOYED",
        "-V",
        '{"reader": "ANALYST"}',
    )
    history = ("-c", "DEPLOYED.SCHEMACHANGE.CHANGE_HISTORY")
    command = [str(script), *words, *settings, *history]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=120, env={**os.environ, **ADDRESS}
    )
    assert done.returncode == 0, done.stdout[-1500:] + done.stderr[-1500:]
    return done.stdout + done.stderr


def asked(sql):
    import snowflake.connector

    with snowflake.connector.connect(connection_name="embedded") as connection:
        return connection.cursor().execute(sql).fetchall()


@check
def a_first_deployment_runs_every_script():
    asked("create or replace database deployed")
    for name, text in SCRIPTS.items():
        (FOLDER / name).write_text(text)
    run("deploy", "--schemachange-create-change-history-table")
    told = asked("select version, script_type, status from deployed.schemachange.change_history")
    assert sorted(map(str, told)) == sorted(
        map(
            str,
            [
                ("1.0.0", "V", "Success"),
                ("1.1.0", "V", "Success"),
                ("1.2.0", "V", "Success"),
                ("", "R", "Success"),
                ("", "A", "Success"),
            ],
        )
    ), told
    assert asked("select name, since from deployed.deployed.people") == [("it's; me", None)]
    assert asked("call deployed.deployed.twice(21)") == [(42,)]


@check
def a_second_deployment_runs_what_always_runs():
    run("deploy", "--schemachange-create-change-history-table")
    told = asked(
        "select script_type, count(*) from deployed.schemachange.change_history group by 1"
    )
    assert dict(told) == {"V": 3, "R": 1, "A": 2}


@check
def what_changed_runs_again():
    (FOLDER / "R__view.sql").write_text(SCRIPTS["R__view.sql"].replace("name", "id, name"))
    (FOLDER / "V1.3.0__more.sql").write_text("insert into deployed.people (id) values (2);\n")
    run("deploy", "--schemachange-create-change-history-table")
    assert asked("select * from deployed.deployed.who order by id") == [(1, "it's; me"), (2, None)]


@check
def a_rehearsal_changes_nothing():
    (FOLDER / "V1.4.0__gone.sql").write_text("drop table deployed.people;\n")
    run("deploy", "--schemachange-create-change-history-table", "--schemachange-dry-run")
    assert asked("select count(*) from deployed.deployed.people") == [(2,)]


if __name__ == "__main__":
    report()
