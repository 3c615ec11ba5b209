"""An account on the loopback: who gets in, who does not, and what the real connector gets there."""

from __future__ import annotations

import gzip
import http.client
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from contextlib import closing

import pytest
from snowflake.connector.errors import DatabaseError, OperationalError, ProgrammingError

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.wire import EmbeddedWire
from skills_nb.errors import SkillsError
from skills_nb.runtime import mounted_connection
from skills_nb.runtime.loopback import address_file as addresses
from skills_nb.runtime.loopback import client_settings
from skills_nb.runtime.loopback.connection import connect
from skills_nb.runtime.loopback.remote_wire import NotTakenError, RemoteWire
from skills_nb.runtime.loopback.server import serve
from tests.modes import has_mode

LOGIN = "/session/v1/login-request"
QUERY = "/queries/v1/query-request"


@pytest.fixture(scope="module")
def wire():
    with Account.open() as account:
        session = account.session("ADMIN")
        session.execute("create database d")
        session.execute("create table d.public.t (a int, b string)")
        session.execute("insert into d.public.t values (1, 'x'), (2, null)")
        yield EmbeddedWire(account)


@pytest.fixture
def server(wire, tmp_path):
    with serve(wire, tmp_path) as served:
        yield served


@pytest.fixture
def connection(server):
    with closing(connect(server.address, user="ADMIN", database="D", schema="PUBLIC")) as opened:
        yield opened


def asked(server, method, path, *, headers=None, body=None, host=None):
    """Send one raw request; returns status and document."""
    connection = http.client.HTTPConnection("127.0.0.1", server.address.port, timeout=5)
    connection.putrequest(method, path, skip_host=True)
    connection.putheader("Host", host or f"127.0.0.1:{server.address.port}")
    for name, value in (headers or {}).items():
        connection.putheader(name, value)
    payload = body if isinstance(body, bytes) else json.dumps(body).encode() if body else b""
    connection.putheader("Content-Length", str(len(payload)))
    connection.endheaders(payload)
    with closing(connection), connection.getresponse() as response:
        return response.status, json.loads(response.read())


def login(password, user="ADMIN"):
    return {"data": {"LOGIN_NAME": user, "PASSWORD": password}}


# ---- what gets in


def test_the_connector_reads_and_writes_over_http(connection):
    cursor = connection.cursor()
    assert cursor.execute("select a, b from t order by a").fetchall() == [(1, "x"), (2, None)]
    cursor.execute("create or replace table made as select 7 as n")
    assert cursor.execute("select n from made").fetchone() == (7,)


def test_an_error_keeps_number_state_and_query_id(connection):
    with pytest.raises(ProgrammingError) as refused:
        connection.cursor().execute("select * from nowhere")
    assert (refused.value.errno, refused.value.sqlstate) == (2003, "42S02")
    assert refused.value.sfqid


def test_a_snowpark_session_works_over_http(connection):
    frame = mounted_connection.session(connection).table("t").filter("a > 1")
    assert [tuple(row) for row in frame.collect()] == [(2, None)]


def test_an_asynchronous_statement_is_fetched_later(connection):
    cursor = connection.cursor()
    cursor.execute_async("select count(*) from t")
    later = connection.cursor()
    later.get_results_from_sfqid(cursor.sfqid)
    assert later.fetchall() == [(2,)]


def test_many_connections_are_answered_at_the_same_time(server):
    found = []

    def work(number):
        with closing(connect(server.address, user="ADMIN")) as opened:
            found.append(opened.cursor().execute(f"select {number}").fetchone()[0])

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == list(range(8))


FROM_TOML = """
import snowflake.connector
with snowflake.connector.connect(connection_name="embedded") as connection:
    print(connection.cursor().execute("select count(*), current_role() from d.public.t").fetchone())
"""


def run_client(code, folder, python=sys.executable):
    environment = {k: v for k, v in os.environ.items() if "proxy" not in k.lower()}
    command = [python, "-W", "ignore", "-c", code]
    run = subprocess.run(
        command,
        env={**environment, "SNOWFLAKE_HOME": str(folder)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout.split("\n")


@pytest.mark.slow
def test_an_unmodified_connector_finds_the_account_through_a_connection_file(server, tmp_path):
    client_settings.write_settings(tmp_path, server.address)
    for written in (client_settings.CONNECTIONS, client_settings.PROFILES):
        assert has_mode(tmp_path / written, 0o600)
    assert run_client(FROM_TOML, tmp_path)[0] == "(2, 'ACCOUNTADMIN')"


FROM_SQLALCHEMY = """
import os, tomllib
from pathlib import Path
from sqlalchemy import create_engine, inspect, text
known = tomllib.loads((Path(os.environ["SNOWFLAKE_HOME"]) / "connections.toml").read_text())
engine = create_engine(
    "snowflake://",
    connect_args={**known["embedded"], "database": "D", "schema": "PUBLIC"},
)
with engine.connect() as connection:
    print(connection.execute(text("select b from t where a = :a"), {"a": 1}).scalar_one())
"""
CLIENT = os.environ.get("SKILLS_NB_CLIENT_PYTHON")
"""A Python with snowflake-sqlalchemy, which wants another connector than Snowpark does."""


@pytest.mark.skipif(not CLIENT, reason="SKILLS_NB_CLIENT_PYTHON names no other Python")
@pytest.mark.parametrize(
    ("code", "answer"), [(FROM_TOML, "(2, 'ACCOUNTADMIN')"), (FROM_SQLALCHEMY, "x")]
)
def test_clients_of_another_python_work(server, tmp_path, code, answer):
    client_settings.write_settings(tmp_path, server.address)
    assert run_client(code, tmp_path, CLIENT)[0] == answer


def test_a_proxy_of_the_environment_never_sees_the_password(server, monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with closing(connect(server.address, user="ADMIN")) as opened:
        assert opened.cursor().execute("select 1").fetchone() == (1,)


def test_a_compressed_body_is_read(server):
    packed = gzip.compress(json.dumps(login(server.address.token)).encode())
    status, answer = asked(server, "POST", LOGIN, body=packed, headers={"Content-Encoding": "gzip"})
    assert (status, answer["success"]) == (200, True)


# ---- what stays outside


def test_a_wrong_token_is_refused_as_a_wrong_password(server):
    with pytest.raises(DatabaseError) as refused:
        connect(server.address, user="ADMIN", password="guessed")
    assert "Incorrect username or password was specified" in str(refused.value)


def test_an_unknown_user_is_refused_with_the_right_token(server):
    with pytest.raises(DatabaseError):
        connect(server.address, user="NOBODY")


@pytest.mark.parametrize("headers", [{}, {"Authorization": 'Snowflake Token="guessed"'}])
@pytest.mark.parametrize("path", [QUERY, "/skills/v1/catalog", "/telemetry/send", "/nowhere"])
def test_nothing_is_answered_without_token_or_session(server, path, headers):
    status, answer = asked(server, "POST", path, headers=headers, body={"sqlText": "select 1"})
    assert (status, answer["success"], answer["code"]) == (200, False, "390111")


def test_a_session_of_somebody_else_s_login_needs_the_token_too(wire, server):
    """A session that was not opened through this door does not open it."""
    inside = wire.handle("POST", f"http://x{LOGIN}", {}, login("anything"))
    token = inside["data"]["token"]
    headers = {"Authorization": f'Snowflake Token="{token}"'}
    _, answer = asked(server, "POST", QUERY, headers=headers, body={"sqlText": "select 1"})
    assert answer["code"] == "390111"
    headers["Skills-Token"] = server.address.token
    _, answer = asked(server, "POST", QUERY, headers=headers, body={"sqlText": "select 1"})
    assert answer["data"]["rowset"] == [["1"]]


@pytest.mark.parametrize(
    "told",
    [
        {"headers": {"Origin": "http://evil.example"}},
        {"headers": {"Origin": "null"}},
        {"headers": {"Origin": "http://127.0.0.1:8888"}},
        {"headers": {"Sec-Fetch-Site": "same-origin"}},
        {"host": "evil.example"},
        {"host": "127.0.0.1.evil.example:80"},
        {"host": "[::ffff:127.0.0.1"},
    ],
)
def test_a_browser_is_refused_even_with_the_token(server, told):
    status, answer = asked(server, "POST", LOGIN, body=login(server.address.token), **told)
    assert (status, answer) == (403, {"message": "this address is not for browsers"})


@pytest.mark.parametrize("name", ["localhost", "LOCALHOST", "127.0.0.1"])
def test_this_machine_s_names_are_accepted(server, name):
    host = f"{name}:{server.address.port}"
    status, answer = asked(server, "POST", LOGIN, body=login(server.address.token), host=host)
    assert (status, answer["success"]) == (200, True)


def test_nothing_listens_beyond_the_loopback(server):
    other = {
        info[4][0]
        for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
        if not info[4][0].startswith("127.")
    }
    for host in {*other, "127.0.0.2"}:
        with pytest.raises(OSError, match=r"."):
            socket.create_connection((host, server.address.port), timeout=1)


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"{", {}, 400),
        (b"[]", {}, 400),
        (b"\xff", {}, 400),
        (b"no gzip", {"Content-Encoding": "gzip"}, 400),
        (b"{}", {"Transfer-Encoding": "chunked"}, 400),
        (b"{}", {"Content-Length": "99999999999"}, 413),
        (b"{}", {"Content-Length": "-1"}, 413),
        (b"{}", {"Content-Length": "many"}, 400),
    ],
)
def test_a_body_that_makes_no_sense_is_refused(server, body, headers, status):
    lines = [f"POST {LOGIN} HTTP/1.1", f"Host: 127.0.0.1:{server.address.port}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    lines += [] if "Content-Length" in headers else [f"Content-Length: {len(body)}"]
    with socket.create_connection(("127.0.0.1", server.address.port), timeout=5) as raw:
        raw.sendall("\r\n".join([*lines, "", ""]).encode() + body)
        assert raw.recv(100).startswith(f"HTTP/1.1 {status} ".encode())


def test_a_session_alone_opens_the_connector_s_paths_and_no_other(server):
    _, answer = asked(server, "POST", LOGIN, body=login(server.address.token))
    headers = {"Authorization": f'Snowflake Token="{answer["data"]["token"]}"'}
    _, answer = asked(server, "POST", QUERY, headers=headers, body={"sqlText": "select 1"})
    assert answer["success"] is True
    for path in ("/skills/v1/catalog", "/skills/v1/script", "/skills/v1/resume"):
        _, answer = asked(server, "POST", path, headers=headers, body={})
        assert (answer["success"], answer["code"]) == (False, "390111")


class _Broken:
    """A wire that breaks its promise never to raise."""

    def handle(self, method, url, headers, body):
        raise RuntimeError("a defect")


def test_a_defect_is_answered_once_instead_of_tried_again(tmp_path, caplog):
    with serve(_Broken(), tmp_path) as server:
        status, answer = asked(server, "POST", LOGIN, body=login(server.address.token))
    assert (status, answer["success"], answer["code"]) == (200, False, "000603")
    assert "a defect" in caplog.text


# ---- the address


def test_only_the_owner_reads_the_address_and_it_goes_with_the_server(wire, tmp_path):
    with serve(wire, tmp_path) as server:
        path = tmp_path / "address.json"
        assert has_mode(path, 0o600)
        assert set(json.loads(path.read_text())) == {"port", "token", "pid", "started"}
        assert addresses.read(tmp_path) == server.address
    assert [path.name for path in tmp_path.iterdir()] == ["address.retired"]


def test_a_server_closes_whose_folder_is_gone(wire, tmp_path):
    folder = tmp_path / "gone"
    with serve(wire, folder):
        shutil.rmtree(folder)
    assert not folder.exists()


def test_the_address_of_a_dead_process_is_none(server, tmp_path):
    gone = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], stdout=-1)
    known = json.loads((tmp_path / "address.json").read_text())
    (tmp_path / "address.json").write_text(json.dumps({**known, "pid": int(gone.stdout)}))
    assert addresses.read(tmp_path) is None


@pytest.mark.parametrize("text", ["", "{", "[]", '{"port": 1}', "\x00"])
def test_a_damaged_address_is_none(tmp_path, text):
    (tmp_path / "address.json").write_text(text)
    assert addresses.read(tmp_path) is None


def test_a_server_leaves_the_address_of_its_successor(wire, tmp_path):
    first = serve(wire, tmp_path)
    with serve(wire, tmp_path) as second:
        first.close()
        assert addresses.read(tmp_path) == second.address


def test_a_port_can_be_chosen_and_a_taken_one_is_refused(wire, server, tmp_path):
    with pytest.raises(SkillsError, match=f"127.0.0.1:{server.address.port}"):
        serve(wire, tmp_path, port=server.address.port)
    free = socket.create_server(("127.0.0.1", 0))
    port = free.getsockname()[1]
    free.close()
    with serve(wire, tmp_path, port=port) as chosen:
        assert chosen.address.port == port


def test_another_program_on_the_port_is_not_told_the_token(tmp_path, server):
    from dataclasses import replace

    stranger = replace(server.address, token="of another server")
    with pytest.raises(NotTakenError, match="another program answers"):
        RemoteWire(stranger).greet()


def test_nobody_at_the_port_is_known_at_once(wire, tmp_path):
    with serve(wire, tmp_path) as server:
        pass
    with pytest.raises(NotTakenError):
        RemoteWire(server.address).greet()
    with pytest.raises(OperationalError):
        connect(server.address, user="ADMIN", login_timeout=1)


def test_serving_costs_its_caller_less_than_five_milliseconds(wire, tmp_path):
    times = []
    for _ in range(5):
        begin = time.perf_counter()
        server = serve(wire, tmp_path)
        times.append(time.perf_counter() - begin)
        server.close()
    assert min(times) < 0.005
