"""Handlers in Python run in processes of their own: what they may not do, and what they may.

See https://docs.snowflake.com/en/developer-guide/udf-stored-procedure-security-practices and
https://docs.snowflake.com/en/developer-guide/udf-stored-procedure-constraints
"""

from __future__ import annotations

import gc
import os
import re
import threading
import time
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from skills_nb.embedded.confined import processes
from skills_nb.embedded.confined.worker_pipes import BrokenPipeEndError, Patience
from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.embedded.procedures.python import routines
from skills_nb.errors import SqlError
from tests.embedded.conftest import rows

PYTHON = "language python runtime_version = '3.11' handler = 'go' as"


@pytest.fixture
def session(account: Account) -> AccountSession:
    made = account.session("ADMIN", "ACCOUNTADMIN")
    for sql in ("create database d", "create schema d.s"):
        made.execute(sql)
    return made


def make(
    session: AccountSession,
    body: str,
    *,
    name: str = "f",
    takes: str = "a int",
    returns: str = "string",
    first: str = "",
) -> None:
    """Make a function whose handler `go` has this body."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    arguments = ", ".join(one.split()[0] for one in takes.replace("(10, 2)", "").split(",") if one)
    code = f"{first}\ndef go({arguments}):\n{lines}"
    made = f"create or replace function {name}({takes}) returns {returns} {PYTHON} $$\n{code}\n$$"
    session.execute(made)


def refusal(session: AccountSession, sql: str = "select f(1)") -> str:
    with pytest.raises(SqlError) as refused:
        session.execute(sql)
    assert refused.value.errno == 100357
    return str(refused.value)


# ---- what they may not do

FORBIDDEN = {
    "reads a file": "return open('/etc/passwd').read()",
    "reads its own environment": "return open('/proc/self/environ').read()",
    "reads the account's environment": (
        "import os\nreturn open(f'/proc/{os.getppid()}/environ').read()"
    ),
    "lists the root": "import os\nreturn os.listdir('/')",
    "lists a folder of the machine": "import os\nreturn os.listdir('/tmp')",
    "writes a file": "open('/tmp/{mark}', 'w').write('x')",
    "adds to a file": "open('{victim}', 'a').write('x')",
    "empties a file that it only reads": (
        "import os\nos.open('{victim}', os.O_RDONLY | os.O_TRUNC)"
    ),
    "removes a file": "import os\nos.unlink('{victim}')",
    "renames a file": "import os\nos.rename('{victim}', '{victim}2')",
    "makes a folder": "import os\nos.mkdir('/tmp/{mark}')",
    "makes a link": "import os\nos.symlink('/etc/passwd', '/tmp/{mark}')",
    "makes a pipe with a name": "import os\nos.mkfifo('/tmp/{mark}')",
    "changes a mode": "import os\nos.chmod('{victim}', 0)",
    "changes a time": "import os\nos.utime('{victim}', (1, 1))",
    "goes elsewhere": "import os\nos.chdir('/tmp')",
    "connects": "import socket\nsocket.create_connection(('127.0.0.1', 22), 1)",
    "asks a server for a name": "import socket\nsocket.gethostbyname('localhost')",
    "sends a datagram": (
        "import socket\ns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n"
        "s.sendto(b'x', ('127.0.0.1', 53))"
    ),
    "opens a local socket": "import socket\nsocket.socket(socket.AF_UNIX)",
    "sends through a pair": (
        "import socket\na, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)"
    ),
    "listens": "import socket\nsocket.create_server(('127.0.0.1', 0))",
    "starts a program": "import subprocess\nsubprocess.check_output(['id'])",
    "starts a program another way": "import os\nos.posix_spawn('/bin/true', ['true'], {})",
    "becomes a program": "import os\nos.execv('/bin/sh', ['sh', '-c', 'id'])",
    "forks": "import os\nos.fork()",
    "kills its parent": "import os\nos.kill(os.getppid(), 9)",
    "kills everybody": "import os\nos.kill(-1, 9)",
    "has a signal sent": "import fcntl, os\nfcntl.fcntl(3, fcntl.F_SETOWN, os.getppid())",
    "limits its parent": (
        "import os, resource\nresource.prlimit(os.getppid(), resource.RLIMIT_NOFILE, (0, 0))"
    ),
    "lifts its limits": "import resource\nresource.setrlimit(resource.RLIMIT_AS, (-1, -1))",
    "slows its parent": "import os\nos.setpriority(os.PRIO_PROCESS, os.getppid(), 19)",
    "shares memory": (
        "from multiprocessing import shared_memory\nshared_memory.SharedMemory(create=True, size=9)"
    ),
    "imports the package": (
        "import skills_nb.embedded.engine.session as s\ns.AccountSession.role = 'ACCOUNTADMIN'"
    ),
    "raises": "raise ValueError('no')",
    "leaves": "import sys\nsys.exit(0)",
    "leaves at once": "import os\nos._exit(0)",
    "aborts": "import os\nos.abort()",
    "interrupts": "raise KeyboardInterrupt",
    "calls itself for ever": "def again():\n    return again()\nreturn again()",
    "takes all memory at once": "return 'x' * 10**11",
    "returns more than a message holds": "return 'x' * (300 * 10**6)",
    "raises what cannot be told": (
        "class Odd(Exception):\n    def __str__(self):\n        raise SystemExit\nraise Odd"
    ),
    "closes the pipe": "import os\nos.close(3)",
    "says nonsense": "import os\nos.write(3, b'\\xff' * 64)",
    "says what procedures say": (
        'import os, struct\nh, b = b\'{{"said": "asks"}}\', b\'["POST", "/", {{}}, {{}}]\'\n'
        "os.write(3, struct.pack('>II', len(h), len(b)) + h + b)"
    ),
    "says something endlessly deep": (
        "import os, struct\nh, b = b'{{\"said\": \"rows\"}}', b'[' * 10**6\n"
        "os.write(3, struct.pack('>II', len(h), len(b)) + h + b)"
    ),
    "says more values than anybody asked for": (
        "import os, struct\nh, b = b'{{\"said\": \"rows\"}}', b'[' + b'[],' * 10**7 + b'[]]'\n"
        "left = memoryview(struct.pack('>II', len(h), len(b)) + h + b)\n"
        "while left:\n    left = left[os.write(3, left):]"
    ),
    "moves a tree below another": (
        "import os\nos.makedirs('a/b')\nos.makedirs('c/d')\nos.rename('a', 'c/d/a')"
    ),
    "says nothing for ever": (
        "import os, struct\nh, b = b'{{\"said\": \"part\"}}', b'[]'\n"
        "while True:\n    os.write(3, struct.pack('>II', len(h), len(b)) + h + b)"
    ),
}


@pytest.mark.parametrize("how", FORBIDDEN)
def test_a_handler_that_reaches_out_is_refused_and_the_account_goes_on(
    session: AccountSession, tmp_path: Path, how: str
) -> None:
    victim, mark = tmp_path / "victim", f"mark-{os.getpid()}"
    victim.write_text("whole")
    body = FORBIDDEN[how].replace("{victim}", str(victim)).replace("{mark}", mark)
    make(session, body.replace("{{", "{").replace("}}", "}"))
    said = refusal(session)
    assert "in function F with handler go" in said
    assert "Traceback" not in said
    assert victim.read_text() == "whole"
    assert not (Path("/tmp") / mark).exists()
    assert rows(session, "select 1") == [(1,)]


WORTHLESS = {
    "its environment": ("import os\nreturn sorted(os.environ)", "SECRET"),
    "the shell": ("import os\nreturn os.system('id') == 0", "True"),
    "the account among all objects": (
        "import gc\nreturn [type(o).__name__ for o in gc.get_objects()]",
        "AccountSession",
    ),
    "its modules": ("import sys\nreturn sorted(sys.modules)", "duckdb"),
    "its command line": ("import sys\nreturn sys.argv, sys.orig_argv", "/"),
    "calls by C": (
        "import ctypes, os\nc = ctypes.CDLL(None)\n"
        "return [c.kill(os.getppid(), 9) == 0, c.socket(2, 1, 0) >= 0, c.open(b'/etc/passwd', 0) "
        ">= 0, c.fork() >= 0, c.syscall(425, 8, 0) >= 0, c.syscall(0x40000029, 2, 1, 0) >= 0]",
        "True",
    ),
}


@pytest.mark.parametrize("what", WORTHLESS)
def test_what_a_handler_finds_around_it_is_worth_nothing(
    session: AccountSession, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.setenv("SECRET", "SECRET")
    body, treasure = WORTHLESS[what]
    make(session, body)
    ((found,),) = rows(session, "select f(1)")
    assert treasure not in str(found)


@pytest.mark.slow
@pytest.mark.parametrize(
    "body",
    [
        "while True: pass",
        "import time\ntime.sleep(1000)",
        "x = []\nwhile True: x.append('y' * 10**6)",
        "import os, time\nwhile True:\n    os.write(3, b'x')\n    time.sleep(0.2)",
        "import threading\nwhile True: threading.Thread(target=threading.Event().wait).start()",
    ],
)
def test_a_handler_that_does_not_end_is_ended(session: AccountSession, body: str) -> None:
    session.account.python.function_s = 1.0
    make(session, body)
    began = time.monotonic()
    assert "in function F with handler go" in refusal(session)
    assert time.monotonic() - began < 30
    assert rows(session, "select 1") == [(1,)]


@pytest.mark.slow
def test_a_function_returns_no_more_than_the_account_can_hold(
    session: AccountSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routines, "_MOST_BYTES", 8 << 20)
    make(session, "return 'x' * a")
    many = "select sum(length(f({}))) from table(generator(rowcount => 1000))"
    assert "The handler returned more than 8 MB" in refusal(session, many.format(1 << 20))
    assert rows(session, many.format(1 << 10)) == [(1024000,)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("length", "errno", "said"),
    [
        (140_000_000, 100082, "actual size of parsed column is 140000000"),
        (17_000_000, 100078, "is too long and would be truncated"),
    ],
)
def test_a_text_that_is_too_long_is_refused_and_never_cut(
    session: AccountSession, length: int, errno: int, said: str
) -> None:
    make(session, "return 'x' * a")
    with pytest.raises(SqlError) as refused:
        session.execute(f"select length(f({length}))")
    assert refused.value.errno == errno
    assert said in refused.value.message
    assert rows(session, "select length(f(16777216))") == [(16_777_216,)]


@pytest.mark.parametrize(
    "query",
    [
        "select f('y') from kept where f(word) is not null",
        "select max(x) from (select f('y') as x from kept where f(word) is not null)",
        "select f(id::string) from kept where f(word) is not null",
        "select f(count(*)::string) from grouped where f(word) is not null",
        "with a as (select count(*) c from grouped where f(word) is not null) select f(c) from a",
    ],
)
def test_what_one_call_is_given_no_other_call_answers(session: AccountSession, query: str) -> None:
    for statement in (
        "create or replace table kept (id int, word string) as select 1, 'hidden'",
        "create or replace table grouped as select 'hidden' word"
        " from table(generator(rowcount => 9))",
        "create projection policy if not exists pp as () returns projection_constraint"
        " -> projection_constraint(allow => false)",
        "create aggregation policy if not exists ap as () returns aggregation_constraint"
        " -> aggregation_constraint(min_group_size => 3)",
        "alter table kept modify column word set projection policy pp",
        "alter table grouped set aggregation policy ap",
    ):
        session.execute(statement)
    make(session, "seen.append(a)\nreturn str(seen)", takes="a string", first="seen = []")
    ((found,),) = rows(session, query)
    assert "hidden" not in found


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return 'hello'", "Error parsing Geo input: hello."),
        ("return a", "Error parsing Geo input: 1."),
        ("return {'type': 'Place', 'coordinates': [1, 2]}", "Error parsing Geo input:"),
        ("return 'SRID=4326;POINT(1 2)'", "geography in EWKT"),
    ],
)
def test_a_handler_returns_geojson_as_a_geography(
    session: AccountSession, body: str, said: str
) -> None:
    make(session, body, returns="geography")
    with pytest.raises(SqlError, match=re.escape(said)):
        session.execute("select f(1)")
    make(session, "return {'type': 'Point', 'coordinates': [a, 2]}", returns="geography")
    assert rows(session, "select f(1):coordinates[0]::int") == [(1,)]


def test_a_handler_may_name_the_partner_that_wrote_it(session: AccountSession) -> None:
    body = "named = sys._xoptions['snowflake_partner_attribution']\nnamed.append('p')\nreturn named"
    make(session, body, returns="array", first="import sys")
    assert rows(session, "select f(1)[0]::string") == [("p",)]


def test_what_was_not_set_for_a_handler_is_not_there(session: AccountSession) -> None:
    make(session, "return sys._xoptions['anything_else']", first="import sys")
    assert "KeyError: 'anything_else'" in refusal(session)


@pytest.mark.slow
def test_a_handler_has_so_many_threads_and_no_more(session: AccountSession) -> None:
    body = (
        "import threading, time\nthreading.stack_size(65536)\nwait = threading.Event().wait\n"
        "for _ in range(a):\n    threading.Thread(target=wait, daemon=True).start()\n"
        "time.sleep(2)\nreturn threading.active_count()"
    )
    make(session, body)
    assert "The handler's process ended" in refusal(session, "select f(1000)")
    assert rows(session, "select f(50)") == [("51",)]


@pytest.mark.slow
def test_a_handler_hides_nothing_where_paths_end(session: AccountSession) -> None:
    body = (
        "import os, time\nplace = 'd' * 200\nos.mkdir(place)\n"
        "while len(place) < a:\n    place += '/' + 'd' * 200\n    os.mkdir(place)\n"
        "open(place + '/f', 'w').write('x')\ntime.sleep(2)\nreturn str(len(place))"
    )
    make(session, body)
    assert "The handler's process ended" in refusal(session, "select f(3800)")
    assert rows(session, "select f(2000)") == [("2009",)]
    root = Path(processes.starter(None, trusted=False).__dict__["_scratch"])
    deadline = time.monotonic() + 5
    while [*root.iterdir()] and time.monotonic() < deadline:
        time.sleep(0.1)
    assert [*root.iterdir()] == []


@pytest.mark.slow
def test_a_statement_s_own_limit_ends_a_handler(session: AccountSession) -> None:
    session.execute("alter session set statement_timeout_in_seconds = 1")
    make(session, "while True: pass")
    with pytest.raises(SqlError) as refused:
        session.execute("select f(1)")
    assert refused.value.errno == 630
    assert rows(session, "select 1") == [(1,)]


@pytest.mark.slow
def test_a_handler_that_runs_can_be_cancelled(session: AccountSession) -> None:
    make(session, "while True: pass")
    account = session.account

    def cancel() -> None:
        time.sleep(0.5)
        (work,) = account.working.values()
        other.execute(f"select system$cancel_query('{work.query_id}')")

    assert isinstance(account, Account)
    other = account.session("ADMIN", "ACCOUNTADMIN")
    canceller = threading.Thread(target=cancel)
    canceller.start()
    with pytest.raises(SqlError) as refused:
        session.execute("select f(1)")
    canceller.join()
    assert refused.value.errno == 604


def test_no_worker_outlives_its_statement(session: AccountSession) -> None:
    make(session, "return a")
    assert rows(session, "select f(1), f(2)") == [("1", "2")]
    gc.collect()
    assert session.account.python.__getattribute__("_workers") == {}


# ---- when their code runs


@pytest.mark.parametrize(
    "sql",
    [
        "describe function f(int)",
        "explain select f(1)",
        "explain using text select f(column1) from values (1)",
        "select get_ddl('function', 'f(int)')",
        "create view v as select f(1) as x",
        "show functions like 'f'",
    ],
)
def test_a_module_s_code_runs_only_when_its_function_does(
    session: AccountSession, sql: str
) -> None:
    make(session, "return a", first="raise ValueError('it ran')")
    session.execute(sql)
    session.execute("select f(1)", describe_only=True)
    assert "it ran" in refusal(session)


def test_code_that_cannot_be_read_is_refused_when_it_is_made(session: AccountSession) -> None:
    for code in ("def (", "a\0b", "(" * 5000, "-" * 200_000 + "1", "x = '\\ud800'\n\t "):
        with pytest.raises(SqlError) as refused:
            session.execute(f"create function g() returns int {PYTHON} $$\n{code}1 1\n$$")
        assert refused.value.errno == 100357


# ---- whom they meet

COUNTS = (
    "import builtins\nbuiltins.kept = getattr(builtins, 'kept', []) + [a]\nreturn builtins.kept"
)


def test_what_a_handler_keeps_is_gone_with_its_statement(session: AccountSession) -> None:
    make(session, COUNTS)
    assert rows(session, "select f(1)") == [("[1]",)]
    assert rows(session, "select f(2)") == [("[2]",)]


def test_owners_and_callers_share_no_process(admin: AccountSession, account: Account) -> None:
    make(admin, COUNTS, name="mine")
    make(admin, COUNTS, name="theirs")
    for sql in (
        "grant usage on function mine(int) to role analyst",
        "grant ownership on function theirs(int) to role analyst copy current grants",
        "use role analyst",
        "grant usage on function theirs(int) to role accountadmin",
        "use role accountadmin",
        "create view seen as select mine(7) as x",
        "grant select on view seen to role analyst",
    ):
        admin.execute(sql)
    assert rows(admin, "select mine(1), mine(2), theirs(3)") == [("[1]", "[1, 2]", "[3]")]
    analyst = account.session("ADMIN", "ANALYST", "COMPUTE_WH", "SHOP", "SALES")
    found = rows(analyst, "select mine(1), x from seen")
    assert found == [("[1]", "[7]")]


def test_a_predicate_that_keeps_rows_tells_nobody(
    admin: AccountSession, analyst: AccountSession
) -> None:
    for sql in (
        "create row access policy eu as (r string) returns boolean -> "
        "current_role() = 'ACCOUNTADMIN' or r = 'EU'",
        "alter table people add row access policy eu on (region)",
        "grant create function on schema shop.sales to role analyst",
    ):
        admin.execute(sql)
    keeps = "import builtins\nbuiltins.kept = getattr(builtins, 'kept', []) + [a]\nreturn True"
    make(analyst, keeps, name="keeper", takes="a string", returns="boolean")
    make(analyst, "import builtins\nreturn getattr(builtins, 'kept', [])", name="tell")
    analyst.execute("select count(*) from people where keeper(name)")
    assert rows(analyst, "select tell(1)") == [("[]",)]
    ((told,),) = rows(analyst, "select max(tell(id)) from people where keeper(name)")
    assert "Bob" not in str(told)


def test_a_masked_value_is_masked_before_a_handler_sees_it(
    admin: AccountSession, analyst: AccountSession
) -> None:
    make(admin, "return a", name="same", takes="a string")
    admin.execute("grant usage on function same(string) to role analyst")
    assert rows(analyst, "select distinct same(ssn) from people") == [("***",)]


# ---- where the machine cannot shut them in


@pytest.fixture
def unshut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes.Starter, "holds", property(lambda _: False))


def test_python_is_off_where_it_cannot_be_shut_in(session: AccountSession, unshut: None) -> None:
    make(session, "return a")
    with pytest.raises(SqlError) as refused:
        session.execute("select f(1)")
    assert (refused.value.errno, refused.value.sqlstate) == (2, "0A000")
    assert "trust_python=True" in str(refused.value)
    session.account.python.trusted = True
    assert rows(session, "select f(1)") == [("1",)]


def test_python_is_off_where_no_process_can_be_started(
    session: AccountSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.executable", "")
    monkeypatch.setattr(processes, "_starters", {})
    make(session, "return a")
    with pytest.raises(SqlError) as refused:
        session.execute("select f(1)")
    assert (refused.value.errno, refused.value.sqlstate) == (2, "0A000")


def test_a_starter_that_died_is_begun_anew(session: AccountSession) -> None:
    make(session, "return a")
    starter = processes.starter(None, trusted=False)
    starter.close()
    assert rows(session, "select f(1)") == [("1",)]


def test_a_worker_that_died_is_noticed() -> None:
    worker = processes.starter(None, trusted=False).begin()
    patience = Patience(5.0, lambda: None)
    worker.pipe.send({"do": "read"}, b"1", patience)
    assert worker.pipe.receive(patience) == ({"said": "done"}, b"")
    worker.starter.end(worker.number)
    with pytest.raises(BrokenPipeEndError):
        worker.pipe.receive(patience)
    worker.end()


# ---- what they may do

VALUES = [
    ("int", "12345678901234567890", "12345678901234567890"),
    ("number(10, 2)", "1.5", "Decimal('1.50')"),
    ("float", "0.1::float", "0.1"),
    ("string", "'é\"\n'", "'é\"\\n'"),
    ("boolean", "true", "True"),
    ("binary", "X'00FF'", "b'\\x00\\xff'"),
    ("date", "'2020-01-02'::date", "datetime.date(2020, 1, 2)"),
    ("time", "'10:11:12.5'::time", "datetime.time(10, 11, 12, 500000)"),
    (
        "timestamp_ntz",
        "'2020-01-02 10:11:12.123456'::timestamp_ntz",
        "datetime.datetime(2020, 1, 2, 10, 11, 12, 123456)",
    ),
    (
        "timestamp_tz",
        "'2020-01-02 10:11:12 +0500'::timestamp_tz",
        "datetime.datetime(2020, 1, 2, 10, 11, 12, "
        "tzinfo=datetime.timezone(datetime.timedelta(seconds=18000)))",
    ),
    ("variant", "parse_json('{\"a\": [1, null, 2.5]}')", "{'a': [1, None, 2.5]}"),
    ("array", "array_construct(1, 'a')", "[1, 'a']"),
    ("variant", "parse_json('null')", "None"),
    ("string", "null", "None"),
]


@pytest.mark.parametrize(("kind", "value", "seen"), VALUES)
def test_a_handler_sees_values_of_python(
    session: AccountSession, kind: str, value: str, seen: str
) -> None:
    make(session, "return repr(a)", takes=f"a {kind}")
    assert rows(session, f"select f({value})") == [(seen,)]


ANSWERS = [
    ("int", "7", 7),
    ("int", "2.7", 3),
    ("int", "'7'", 7),
    ("number(10, 2)", "decimal.Decimal('1.239')", Decimal("1.24")),
    ("float", "1e22", 1e22),
    ("string", "[1, 2]", "[1, 2]"),
    ("boolean", "1", True),
    ("binary", "b'ab'", b"ab"),
    ("date", "datetime.datetime(2020, 1, 2, 3)", date(2020, 1, 2)),
    ("timestamp_ntz", "datetime.datetime(2020, 1, 2, 3)", datetime(2020, 1, 2, 3)),
    ("timestamp_ntz", "datetime.date(2020, 1, 2)", datetime(2020, 1, 2)),
    ("array", "(1, 2)", "[\n  1,\n  2\n]"),
    ("variant", "'text'", '"text"'),
    ("string", "None", None),
]


@pytest.mark.parametrize(("kind", "given", "answer"), ANSWERS)
@pytest.mark.parametrize("setting", ["", "alter session set date_input_format = 'DD/MM/YYYY'"])
def test_a_handler_gives_values_of_python(
    session: AccountSession, kind: str, given: str, answer: object, setting: str
) -> None:
    if setting:
        session.execute(setting)
    make(session, f"return {given}", returns=kind, first="import datetime, decimal")
    assert rows(session, "select f(1)") == [(answer,)]


def test_rows_go_one_by_one_where_arrow_is_missing(
    session: AccountSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skills_nb.embedded.physical.connection.find_spec", lambda _: None)
    make(session, "return a * 2", returns="int")
    assert rows(session, "select f(column1) from values (1), (2), (3)") == [(2,), (4,), (6,)]


HONEST = {
    "modules": "import json, uuid, zoneinfo, sqlite3, ssl, hashlib, statistics, xml.dom.minidom",
    "threads": (
        "from concurrent.futures import ThreadPoolExecutor\n"
        "assert list(ThreadPoolExecutor(4).map(abs, [-1, -2])) == [1, 2]"
    ),
    "a loop of events": "import asyncio\nassert asyncio.run(asyncio.sleep(0, 5)) == 5",
    "zones": "import zoneinfo\nassert str(zoneinfo.ZoneInfo('Europe/Berlin')) == 'Europe/Berlin'",
    "data frames": "import pandas\nassert pandas.Series([1, 2]).sum() == 3",
    "numbers": "import numpy\nassert numpy.arange(3).sum() == 3",
    "a scratch folder": (
        "import os, tempfile\nassert os.listdir() == []\nopen('x', 'w').write('x')\n"
        "with tempfile.TemporaryDirectory() as made:\n    open(made + '/y', 'w').write('y')\n"
        "os.rename('x', 'z')\nassert open('z').read() == 'x'"
    ),
    "words for nobody": "print('x')\nimport sys\nsys.stderr.write('x')",
}


@pytest.mark.parametrize("what", HONEST)
def test_an_honest_handler_has_what_it_needs(session: AccountSession, what: str) -> None:
    make(session, f"{HONEST[what]}\nreturn 'done'")
    assert rows(session, "select f(1)") == [("done",)]


def test_many_rows_of_names_that_need_quotes(session: AccountSession) -> None:
    session.execute('create table "My Table" ("a b" int, "c" string)')
    session.execute(
        "insert into \"My Table\" select seq4(), 'x' || seq4() "
        "from table(generator(rowcount => 5000))"
    )
    make(session, "return f'{b}{a}'", name='"my f"', takes="a int, b string")
    sql = 'select count(distinct "my f"("a b", "c")), max("my f"("a b", "c")) from "My Table"'
    for _ in range(2):
        assert rows(session, sql) == [(5000, "x999999")]
    assert rows(session, "select \"my f\"(1, 'y')") == [("y1",)]
