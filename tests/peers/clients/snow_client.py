"""The snow command: connections, SQL, objects, stages; with a connection of connections.toml."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from checks import ACCOUNT, HOST, PASSWORD, PORT, USER, check, report

FOLDER = Path(tempfile.mkdtemp())
SNOW = Path(sys.executable).with_name("snow")
ENVIRONMENT = {**os.environ, "SNOWFLAKE_PASSWORD": PASSWORD, "SNOWFLAKE_CLI_NO_UPDATE_CHECK": "1"}


def snow(*words, wanted=0, connection=("-c", "embedded")):
    """Run the command; return its answer as JSON gives it."""
    command = [str(SNOW), *words, *connection, "--format", "JSON"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=ENVIRONMENT)
    assert done.returncode == wanted, (words, done.stdout[-900:], done.stderr[-900:])
    return json.loads(done.stdout) if wanted == 0 and done.stdout.strip() else done.stderr


@check
def a_connection_is_tested():
    told = snow("connection", "test")
    assert (told["Status"], told["Account"], told["User"]) == ("OK", ACCOUNT, USER)


@check
def a_connection_is_given_by_options():
    words = ("--account", ACCOUNT, "--user", USER, "--host", HOST, "--port", str(PORT))
    given = ("-x", *words, "--protocol", "http")
    assert snow("sql", "-q", "select current_user() as u", connection=given) == [{"U": USER}]


@check
def connections_are_listed():
    (only,) = snow("connection", "list", connection=())
    assert only["connection_name"] == "embedded"


@check
def statements_run():
    snow("sql", "-q", "create or replace database snow_db")
    several = 'create table snow_db.public.t (a int, "b c" text); insert into snow_db.public.t '
    snow("sql", "-q", several + "values (1, 'x'), (2, null)")
    told = snow("sql", "-q", "select * from snow_db.public.t order by a")
    assert told == [{"A": 1, "b c": "x"}, {"A": 2, "b c": None}]


@check
def a_file_runs_with_variables():
    script = FOLDER / "script.sql"
    script.write_text("select <% n %> + 1 as n;\nselect 'it''s; one' as s;\n")
    told = snow("sql", "-f", str(script), "-D", "n=41")
    assert told == [[{"N": 42}], [{"S": "it's; one"}]], told


@check
def an_error_is_told():
    told = snow("sql", "-q", "select * from snow_db.public.nobody", wanted=1)
    assert "002003" in told, told


@check
def objects_are_listed_and_described():
    names = [o["name"] for o in snow("object", "list", "table", "--in", "database", "snow_db")]
    assert names == ["T"]
    assert "SNOW_DB" in [o["name"] for o in snow("object", "list", "database")]
    for kind in ("stage", "procedure"):
        assert isinstance(snow("object", "list", kind), list), kind
    told = snow("object", "describe", "table", "snow_db.public.t")
    assert [c["name"] for c in told] == ["A", "b c"]


@check
def objects_are_created_and_dropped():
    snow("object", "create", "schema", "name=by_hand", "database=snow_db")
    snow("object", "drop", "schema", "snow_db.by_hand")


@check
def files_go_to_a_stage_and_back():
    source, back = FOLDER / "file one.csv", FOLDER / "back"
    source.write_text("1,x\n2,y\n")
    back.mkdir()
    snow("stage", "create", "snow_db.public.files")
    (put,) = snow("stage", "copy", str(source), "@snow_db.public.files", "--no-auto-compress")
    assert put["status"] == "UPLOADED"
    (listed,) = snow("stage", "list-files", "@snow_db.public.files")
    assert listed["size"] == source.stat().st_size
    snow("stage", "copy", "@snow_db.public.files", str(back))
    (kept,) = [p for p in back.rglob("*") if p.is_file()]
    assert kept.read_text() == source.read_text()
    snow("stage", "remove", "snow_db.public.files", "file one.csv")
    assert snow("stage", "list-files", "@snow_db.public.files") == []


@check
def a_script_on_a_stage_is_executed():
    script = FOLDER / "run.sql"
    script.write_text("insert into snow_db.public.t (a) values (7);\n")
    snow("stage", "copy", str(script), "@snow_db.public.files", "--no-auto-compress")
    snow("stage", "execute", "@snow_db.public.files/run.sql")
    assert snow("sql", "-q", "select count(*) as n from snow_db.public.t") == [{"N": 3}]


if __name__ == "__main__":
    report()
