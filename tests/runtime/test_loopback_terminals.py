"""Terminals and kernels that meet in one home folder: nobody waits for anybody to leave."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest

from skills_nb.commands import App
from skills_nb.errors import SkillsError, SqlError, UsageError

pytestmark = pytest.mark.slow

SCOPE = "PROD.CUSTOMER_DATA"
PLAYBOOK = "playbooks/secure-sensitive-data"
DONE, PAUSED = 0, 3


@pytest.fixture(scope="module")
def seeded(tmp_path_factory):
    home = tmp_path_factory.mktemp("seeded") / "home"
    app = App(home)
    app.invoke(["connect"])
    app.close()
    return home


@pytest.fixture
def home(seeded, tmp_path):
    return shutil.copytree(seeded, tmp_path / "home")


@pytest.fixture
def app(home):
    app = App(home)
    yield app
    app.close()


def terminal(home, *words):
    """Start a terminal's command in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "skills_nb.cli", *words],
        env={**os.environ, "SKILLS_NB_HOME": str(home)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A job in the background ignores Ctrl-C, and what it begins would, too.
        preexec_fn=_hear_ctrl_c,
    )


def _hear_ctrl_c():
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def said(process):
    """Wait for a terminal; returns its exit status and what it said."""
    out, err = process.communicate(timeout=120)
    return process.returncode, out + err


def begin(thread):
    return ["run", PLAYBOOK, "--input", f"target_scope={SCOPE}", "--thread", thread]


def finished(app, reply):
    """Approve everything to the end."""
    for _ in range(30):
        if reply.pause is None:
            return reply
        assert reply.pause.kind != "error_escalated", reply.pause.present
        phrase = ["--phrase", reply.pause.phrase] if reply.pause.phrase else []
        reply = app.invoke(["approve", "--thread", "job", *phrase])
    raise AssertionError("it did not end")


def test_a_terminal_reads_while_a_kernel_holds_the_account(app, home):
    app.invoke(["connect"])
    status, text = said(
        terminal(home, "sql", "SELECT COUNT(*) AS N FROM PROD.CUSTOMER_DATA.ORDERS")
    )
    assert status == DONE
    assert "N" in text
    assert app.wiring.account.is_holder


def test_a_terminal_rehearses_while_a_kernel_holds_the_account(app, home):
    app.invoke(["connect"])
    own = app.invoke([*begin("own"), "--dry-run"])
    status, text = said(terminal(home, *begin("other"), "--dry-run"))
    assert status == PAUSED, text
    other = app.invoke(["show", "other"]).document["events"]
    mine = app.invoke(["show", own.thread_id]).document["events"]
    assert [e["type"] for e in other] == [e["type"] for e in mine]


def test_two_terminals_work_at_the_same_time_on_different_threads(home):
    # Each has a table of its own: who finds another one at work on his table stops before it.
    jobs = {"one": f"{SCOPE}.CUSTOMERS", "two": f"{SCOPE}.EMPLOYEES"}
    pair = [
        terminal(
            home,
            *begin(name),
            "--input",
            f"target_scope={table}",
            "--input",
            f"policy_schema=FOR_{name}",
        )
        for name, table in jobs.items()
    ]
    for process in pair:
        status, text = said(process)
        assert status == PAUSED, text
    for _ in range(2):
        pair = [
            terminal(home, "approve", "--phrase", f"protect {table}", "--thread", name)
            for name, table in jobs.items()
        ]
        for process in pair:
            status, text = said(process)
            assert status in (DONE, PAUSED), text
    app = App(home)
    known = {row["thread_id"]: row["status"] for row in app.invoke(["threads"]).document}
    assert set(known) == {"one", "two"}
    app.close()


def test_a_thread_goes_on_here_when_the_kernel_that_held_the_account_is_killed(home, app):
    keeps = (
        "import sys, time; from pathlib import Path; from skills_nb.commands import App\n"
        "App(Path(sys.argv[1])).invoke(['connect']); print('ready', flush=True); time.sleep(60)"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", keeps, home], stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout.readline() == "ready\n"
    reply = app.invoke(begin("job"))
    assert not app.wiring.account.is_holder
    holder.kill()
    holder.wait()
    holder.stdout.close()
    assert finished(app, reply).document["status"] == "completed"
    assert app.wiring.account.is_holder


HOLDER = """
import os, signal, sys, time
from pathlib import Path
from skills_nb.embedded.tools.sharing import SharedAccountWire
from skills_nb.runtime.loopback.shared_wire import SharedWire

folder, when, trigger = Path(sys.argv[1]), sys.argv[2], sys.argv[3]

class Mortal(SharedAccountWire):
    def handle(self, method, url, headers, body):
        sql = str(body.get("sqlText", ""))
        is_it = trigger in sql and sql.lstrip().startswith(("CREATE", "ALTER"))
        if is_it and when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        answer = super().handle(method, url, headers, body)
        if is_it and when == "after":
            os.kill(os.getpid(), signal.SIGKILL)
        return answer

shared = SharedWire(folder, Mortal.open)
shared.address()
print("ready", flush=True)
time.sleep(120)
"""


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("trigger", ["CREATE MASKING POLICY", "SET MASKING POLICY"])
def test_a_statement_under_way_at_the_holder_s_death_is_done_once(home, when, trigger):
    command = [sys.executable, "-c", HOLDER, str(home / "account"), when, trigger]
    holder = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert holder.stdout.readline() == "ready\n"
    app = App(home)
    reply = finished(app, app.invoke(begin("job")))
    assert reply.document["status"] == "completed"
    assert holder.wait(5) == -signal.SIGKILL
    holder.stdout.close()
    events = app.invoke(["show", "job"]).document["events"]
    ends = [e for e in events if e["type"] == "statement_completed"]
    recovered = [e for e in ends if e.get("recovered")]
    lost = [e for e in events if e["type"] == "statement_lost"]
    assert (len(recovered), len(lost)) == ((0, 1) if when == "before" else (1, 0))
    asked = (
        "SELECT QUERY_TAG FROM SNOWFLAKE.ACCOUNT_USAGE.QUERY_HISTORY WHERE EXECUTION_STATUS = "
        "'SUCCESS' AND QUERY_TAG <> '' AND QUERY_TYPE NOT IN ('SELECT', 'SHOW', 'DESCRIBE')"
    )
    tags = [tag for (tag,) in app.invoke(["sql", asked]).document["rows"]]
    assert tags
    assert len(tags) == len(set(tags))
    app.close()


def test_two_terminals_open_a_new_home_and_meet_in_one_account(tmp_path):
    asked = ["sql", "SELECT COUNT(*) AS N FROM PROD.CUSTOMER_DATA.CUSTOMERS", "--json"]
    pair = [terminal(tmp_path / "new", *asked) for _ in range(2)]
    answers = [said(process) for process in pair]
    assert [status for status, _ in answers] == [DONE, DONE], answers
    assert answers[0] == answers[1]
    assert sorted(p.name for p in (tmp_path / "new").glob("account*")) == ["account"]


# ---- account serve, address, export, import


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_a_served_account_is_reached_through_its_connection_file_until_ended(home, ending):
    server = terminal(home, "account", "serve")
    while "Interrupt" not in (line := server.stdout.readline()):
        assert line, said(server)
    client = (
        "import snowflake.connector as c\n"
        "with c.connect(connection_name='embedded') as opened:\n"
        "    print(opened.cursor().execute('select current_role()').fetchone()[0])"
    )
    environment = {**os.environ, "SNOWFLAKE_HOME": str(home / "account")}
    command = [sys.executable, "-W", "ignore", "-c", client]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert run.stdout == "ACCOUNTADMIN\n", run.stderr
    status, text = said(terminal(home, "account", "serve"))
    assert status == DONE
    assert f"by process {server.pid}" in text
    status, text = said(terminal(home, "account", "serve", "--port", "1"))
    assert (status, "served on port" in text) == (2, True)
    status, text = said(terminal(home, "account", "reset"))
    assert f"in use by process {server.pid}" in text
    server.send_signal(ending)
    status, text = said(server)
    assert (status, "Served no more" in text) == (DONE, True)
    assert not (home / "account" / "address.json").exists()


def test_the_address_is_told_without_the_password(app, home):
    reply = app.invoke(["account", "address"])
    token = json.loads((home / "account" / "address.json").read_text())["token"]
    told = ("host", "port", "protocol", "account", "pid", "connections", "profiles")
    assert set(reply.document) == {
        *told,
        "dbt_profile",
        "sqlalchemy_url",
        "sqlalchemy_connect_args",
    }
    assert token not in str(reply)
    for written in ("connections.toml", "profiles.yml"):
        assert token in (home / "account" / written).read_text()


FIXED = "correct horse {{ battery }} 'staple'"
LOGIN = """
import os, sys, snowflake.connector as c
try:
    with c.connect(
        account="embedded", host="127.0.0.1", port=int(sys.argv[1]), protocol="http",
        user="ADMIN", password=os.environ["CHOSEN"], login_timeout=5,
    ) as opened:
        print(opened.cursor().execute("select current_user()").fetchone()[0])
except c.errors.Error as refused:
    print(refused.errno)
"""


@contextlib.contextmanager
def serving(home, *words):
    """Serve in a process of its own; yields it and what it said when it was ready."""
    server = terminal(home, "account", "serve", *words)
    try:
        told = ""
        while "Interrupt" not in told:
            line = server.stdout.readline()
            assert line, said(server)
            told += line
        yield server, told
    finally:
        server.send_signal(signal.SIGTERM)
        assert said(server)[0] == DONE


def logged_in(port, password):
    command = [sys.executable, "-W", "ignore", "-c", LOGIN, str(port)]
    environment = {**os.environ, "CHOSEN": password}
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    return run.stdout.strip()


def test_a_password_of_ones_own_outlives_a_start_and_is_kept_nowhere(home, tmp_path, monkeypatch):
    chosen = tmp_path / "chosen"
    chosen.write_text(FIXED + "\n")
    monkeypatch.setenv("CHOSEN", FIXED)
    for words in (("--password-env", "CHOSEN"), ("--password-file", str(chosen))):
        with serving(home, *words) as (_, told):
            port = json.loads((home / "account" / "address.json").read_text())["port"]
            assert (logged_in(port, FIXED), logged_in(port, "guessed it")) == ("ADMIN", "390100")
            status, text = said(terminal(home, "account", "serve", *words))
            assert (status, "without that password" in text) == (2, True)
            assert FIXED not in told + text
    files = [path for path in home.rglob("*") if path.is_file()]
    assert files
    assert [path for path in files if FIXED.encode() in path.read_bytes()] == []


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--password-env", "NOT_SET_AT_ALL"), "is not set"),
        (("--password-env", "SHORT"), "holds no password"),
        (("--password-env", "UNSEEN"), "holds no password"),
        (("--password-file", "nowhere"), "cannot be read"),
        (("--password-file", "-"), "holds no password"),
        (("--password-env", "SHORT", "--password-file", "nowhere"), "choose one"),
    ],
)
def test_a_password_that_nobody_can_say_is_refused(app, monkeypatch, words, told):
    monkeypatch.setenv("SHORT", "seven77")
    monkeypatch.setenv("UNSEEN", "eight\u200b888")
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    with pytest.raises(UsageError, match=told) as refused:
        app.invoke(["account", "serve", *words])
    assert "seven77" not in "".join(refused.value.told("error"))


def test_an_account_is_exported_and_imported_elsewhere(app, home, tmp_path):
    script = tmp_path / "account.sql"
    app.invoke(["account", "export", str(script)])
    assert script.stat().st_mode & 0o777 == 0o600
    other = App(tmp_path / "elsewhere")
    other.invoke(["account", "import", str(script)])
    asked = ["sql", "SELECT * FROM PROD.CUSTOMER_DATA.CUSTOMERS ORDER BY CUSTOMER_ID LIMIT 5"]
    assert other.invoke(asked).document == app.invoke(asked).document
    other.close()


def test_a_terminal_exports_what_a_kernel_holds(app, home, tmp_path):
    app.invoke(["connect"])
    own, other = tmp_path / "own.sql", tmp_path / "other.sql"
    app.invoke(["account", "export", str(own)])
    status, text = said(terminal(home, "account", "export", str(other)))
    assert status == DONE, text
    assert other.read_text() == own.read_text()


def test_an_export_overwrites_nothing(app, tmp_path):
    taken = tmp_path / "taken.sql"
    taken.write_text("mine")
    with pytest.raises(UsageError, match="exists"):
        app.invoke(["account", "export", str(taken)])
    assert taken.read_text() == "mine"


def test_an_import_gives_up_an_account_only_when_told(app, tmp_path):
    script = tmp_path / "account.sql"
    script.write_text("CREATE ROLE IMPORTED;\n")
    with pytest.raises(UsageError, match="would be lost"):
        app.invoke(["account", "import", str(script)])
    app.invoke(["account", "import", str(script), "--replace"])
    shown = app.invoke(["sql", "SHOW ROLES LIKE 'IMPORTED'"]).document
    assert shown["row_count"] == 1
    with pytest.raises(SqlError):
        app.invoke(["sql", "SELECT * FROM PROD.CUSTOMER_DATA.CUSTOMERS"])


def test_an_import_that_fails_leaves_the_account_alone(app, home, tmp_path):
    script = tmp_path / "account.sql"
    script.write_text("CREATE ROLE IMPORTED;\nCREATE NONSENSE;\n")
    with pytest.raises(SkillsError):
        app.invoke(["account", "import", str(script), "--replace"])
    asked = app.invoke(["sql", "SELECT COUNT(*) FROM PROD.CUSTOMER_DATA.CUSTOMERS"]).document
    assert asked["rows"][0][0] > 0
    assert not list(home.glob("account.new-*"))


def test_opening_a_served_account_costs_little(app):
    """What sharing adds to opening: a lock, a port, a file."""
    from skills_nb.runtime.loopback.folder_lock import FolderLock

    folder = app.wiring.account_folder / "beside"
    times = []
    for _ in range(5):
        begin_s = time.process_time()
        FolderLock.take(folder).release()
        times.append(time.process_time() - begin_s)
    assert min(times) < 0.002
