"""Attacks on a served account, byte by byte: none logs in, reaches a route or takes memory."""

from __future__ import annotations

import contextlib
import gzip
import json
import socket
import struct
import time
import tracemalloc
import zlib
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.tools.sharing import SharedAccountWire
from skills_nb.runtime.loopback import gate, request_body, request_head, served_account
from skills_nb.runtime.loopback.server import serve

LOGIN = "/session/v1/login-request"
SINGLE_SIGN_ON = "/session/authenticator-request"
QUERY = "/queries/v1/query-request"
STRANGER = json.dumps({"data": {"LOGIN_NAME": "ADMIN", "PASSWORD": "guessed"}}).encode()
MIB = 1 << 20


class Spy:
    """A wire that notes what reaches it."""

    def __init__(self, wire):
        self.wire, self.reached = wire, []

    def handle(self, method, url, headers, body):
        self.reached.append((method, url, dict(headers)))
        return self.wire.handle(method, url, headers, body)


@pytest.fixture(scope="module")
def account():
    with Account.open() as opened:
        yield opened


@pytest.fixture
def spy(account):
    return Spy(SharedAccountWire(account))


@pytest.fixture
def server(spy, tmp_path):
    with serve(spy, tmp_path) as served:
        yield served


class Client:
    """A raw connection; `says` sends bytes, `hears` reads one answer."""

    def __init__(self, server):
        self.socket = socket.create_connection(("127.0.0.1", server.address.port), timeout=15)
        self.file = self.socket.makefile("rb")

    def says(self, raw):
        with contextlib.suppress(OSError):  # cut off already: what it hears counts
            self.socket.sendall(raw)

    def hears(self):
        """Return status and document of the next answer; None where the line was cut."""
        first = self.file.readline()
        if not first:
            return None
        length = 0
        while (line := self.file.readline().strip()) != b"":
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        return int(first.split()[1]), json.loads(self.file.read(length) or b"null")

    def close(self):
        self.file.close()
        self.socket.close()


@pytest.fixture
def client(server):
    with closing(Client(server)) as opened:
        yield opened


def host_of(server):
    return f"127.0.0.1:{server.address.port}"


def head(server, line, *headers, length=None, host=None):
    """Write a head whose Host is right, where none is given."""
    lines = [line, f"Host: {host or host_of(server)}", *headers]
    lines += [] if length is None else [f"Content-Length: {length}"]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def post(server, path, body=STRANGER, *headers, host=None):
    return head(server, f"POST {path} HTTP/1.1", *headers, length=len(body), host=host) + body


def is_outside(answer):
    """Return whether an answer tells a stranger nothing."""
    status, document = answer
    return status >= 400 or document["success"] is False


def login(server, *headers, **given):
    data = {"LOGIN_NAME": "ADMIN", "PASSWORD": server.address.token, **given}
    return post(server, LOGIN, json.dumps({"data": data}).encode(), *headers)


def test_the_question_how_far_a_statement_is_may_have_a_slash_twice(server, guest):
    client, session = guest
    for path in ("/monitoring/queries/x", "/monitoring/queries//x"):
        client.says(head(server, f"GET {path} HTTP/1.1", session))
        assert client.hears()[0] == 200
    client.says(head(server, "GET /monitoring/queries///x HTTP/1.1", session))
    assert client.hears()[0] == 400


# ---- a fixed password

FIXED = "a password of one's own"


@pytest.fixture
def fixed(spy, tmp_path):
    with serve(spy, tmp_path, password=FIXED) as served:
        yield served


def answered(server, raw):
    with closing(Client(server)) as opened:
        opened.says(raw)
        return opened.hears()


@pytest.mark.parametrize("given", [FIXED, None])
def test_a_fixed_password_opens_a_login_beside_the_token(fixed, given):
    status, document = answered(fixed, login(fixed, **({"PASSWORD": given} if given else {})))
    assert (status, document["success"]) == (200, True)


@pytest.mark.parametrize("wrong", [FIXED + " ", FIXED[:-1], "", None, 5, [FIXED]])
def test_another_password_opens_nothing(fixed, wrong):
    assert is_outside(answered(fixed, login(fixed, PASSWORD=wrong)))


@pytest.mark.parametrize("way", ["OAUTH", "PROGRAMMATIC_ACCESS_TOKEN"])
def test_a_fixed_password_is_no_bearer_token(fixed, way):
    given = {"AUTHENTICATOR": way, "TOKEN": FIXED, "PASSWORD": FIXED}
    assert is_outside(answered(fixed, login(fixed, **given)))


def test_a_fixed_password_is_no_token_of_a_header(fixed, spy):
    with closing(Client(fixed)) as opened:
        opened.says(head(fixed, "GET /skills/v1/catalog HTTP/1.1", f"Skills-Token: {FIXED}"))
        assert is_outside(opened.hears())
    assert spy.reached == []


# ---- what a stranger tries


HOSTS = [
    "127.0.0.1/session/v1/login-request?",
    "127.0.0.1:{port}/session/v1/login-request?",
    "127.0.0.1:{port}/session/v1/login-request#",
    "127.0.0.1:{port}/session/v1/login-request;",
    "127.0.0.1:{port}/skills/v1/catalog?x=",
    "localhost:{port}/queries/v1/query-request?a=",
    "127.0.0.1:{port}\\session\\v1\\login-request?",
    "127.0.0.1:{port}@evil.example",
    "evil.example@127.0.0.1:{port}",
    "127.0.0.1:{port}, evil.example",
    "127.0.0.1:{port} evil.example",
    "127.0.0.1:{port}.",
    "127.0.0.1.:{port}",
    "localhost.:{port}",
    "127.0.0.1:0{port}",
    "127.0.0.1:1",
    "127.0.0.1",
    "127.1:{port}",
    "0.0.0.0:{port}",
    "0x7f.0.0.1:{port}",
    "2130706433:{port}",
    "[::ffff:127.0.0.1]:{port}",
    "[::1",
    "::1:{port}",
    "evil.example:{port}",
    "127.0.0.1.evil.example:{port}",
    "localhost:{port}%00",
    "",
]


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("path", [SINGLE_SIGN_ON, LOGIN, "/skills/v1/hello"])
def test_a_host_is_the_served_address_and_never_a_path(server, spy, client, host, path):
    method = "GET" if path.endswith("hello") else "POST"
    host = host.format(port=server.address.port) or " "
    asked = head(server, f"{method} {path} HTTP/1.1", length=0, host=host)
    client.says(asked)
    status, document = client.hears()
    assert status in (400, 403)
    assert set(document) == {"message"}
    assert spy.reached == []


TARGETS = [
    "http://127.0.0.1/session/v1/login-request",
    "http://127.0.0.1:{port}/session/authenticator-request",
    "http://evil.example/skills/v1/catalog",
    "//127.0.0.1/session/v1/login-request",
    "//session/v1/login-request",
    "/session//v1/login-request",
    "/session/v1/login-request//",
    "/session/authenticator-request/../v1/login-request",
    "/session/./v1/login-request",
    "/skills/v1/../v1/catalog",
    "/session/v1/login-request/%2e%2e/login-request",
    "/session%2fv1%2flogin-request",
    "/session/v1/login%2Drequest",
    "/skills/v1%2Fcatalog",
    "/session/v1/login-request;x=/session/authenticator-request",
    "/session/v1/login-request#/session/authenticator-request",
    "/session/v1/login-request?x#y",
    "\\session\\v1\\login-request",
    "/session/v1\\login-request",
    "*",
    "127.0.0.1:{port}",
    "session/v1/login-request",
    "?/session/v1/login-request",
    "/",
    "/session/v1/login-request\x00",
    "/session/v1/login-request?a=%FF",
    "/session/v1/login-request?" + "&".join(f"a{n}=1" for n in range(100)),
]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("method", ["POST", "GET"])
def test_a_target_is_one_plain_path(server, spy, client, target, method):
    target = target.format(port=server.address.port)
    client.says(head(server, f"{method} {target} HTTP/1.1", length=0))
    assert client.hears()[0] == 400
    assert client.hears() is None
    assert spy.reached == []


PREFIXED = [
    "/x/session/v1/login-request",
    "/x/session/authenticator-request",
    "/session/authenticator-request/session/v1/login-request",
    "/session/v1/login-request/session/authenticator-request",
    "/skills/v1/hello/session/v1/login-request",
    "/skills/v1/catalog/session/authenticator-request",
    "/skills/v1/resume",
    "/skills/v1/script",
    "/skills/v1/CATALOG",
    "/Skills/v1/catalog",
    "/SESSION/V1/LOGIN-REQUEST",
    "/skills",
    "/session/token-request",
    "/session/heartbeat",
    "/session",
    "/monitoring/queries/01",
    "/queries/01/result",
    "/queries",
    "/telemetry/send",
    "/nowhere",
]


@pytest.mark.parametrize("path", PREFIXED)
@pytest.mark.parametrize(
    "headers",
    [
        (),
        ('Authorization: Snowflake Token=""',),
        ('Authorization: Snowflake Token="None"',),
        ("Skills-Token: guessed",),
        ("Skills-Token:",),
        ("Skills-Session: wanted",),
        ("X-Original-URL: /session/v1/login-request",),
    ],
)
def test_every_path_but_a_login_s_needs_token_or_session(server, spy, client, path, headers):
    client.says(post(server, path, STRANGER, *headers))
    assert client.hears()[1]["code"] == "390111"
    assert spy.reached == []


def test_single_sign_on_is_refused_and_its_body_unread(server, spy, client):
    client.says(post(server, SINGLE_SIGN_ON, b"\xff" * 100, "Content-Encoding: gzip"))
    status, document = client.hears()
    assert (status, document["success"], document["code"]) == (200, False, "000002")
    assert spy.reached == [("POST", SINGLE_SIGN_ON, {"Host": host_of(server)})]


LINES = [
    ("GET /skills/v1/hello", 400),
    ("GET /skills/v1/hello HTTP/0.9", 505),
    ("PRI * HTTP/2.0", 505),
    ("POST /session/v1/login-request HTTP/1.2", 505),
    ("POST /session/v1/login-request HTTP/1.1 x", 400),
    ("POST  /session/v1/login-request HTTP/1.1", 400),
    ("POST\t/session/v1/login-request\tHTTP/1.1", 400),
    (" POST /session/v1/login-request HTTP/1.1", 400),
    ("post /session/v1/login-request HTTP/1.1", 400),
    ("POST /session/v1/login-request http/1.1", 400),
    ("POST /session/v1/ login-request HTTP/1.1", 400),
    ("OPTIONS /session/v1/login-request HTTP/1.1", 405),
    ("HEAD /session/v1/login-request HTTP/1.1", 405),
    ("PUT /session/v1/login-request HTTP/1.1", 405),
    ("CONNECT 127.0.0.1:80 HTTP/1.1", 405),
    ("TRACE /session/v1/login-request HTTP/1.1", 405),
    ("GET /session/v1/login-request HTTP/1.1", 405),
    ("GET /session/authenticator-request HTTP/1.1", 405),
    ("POST /skills/v1/hello HTTP/1.1", 405),
    ("", 400),
    ("\x16\x03\x01\x02", 400),
    (f"GET /skills/v1/hello?nonce={'a' * 9000} HTTP/1.1", 414),
]


@pytest.mark.parametrize(("line", "status"), LINES)
def test_a_first_line_is_that_of_http_1(server, spy, client, line, status):
    client.says(head(server, line))
    assert client.hears()[0] == status
    assert client.hears() is None
    assert spy.reached == []


HEADERS = [
    (("Host: evil.example",), 400),
    (("host: 127.0.0.1",), 400),
    (("Content-Length: 5",), 400),
    (("Authorization: a", "authorization: b"), 400),
    (("Skills-Token: a", "Skills-Token: b"), 400),
    (("Transfer-Encoding: chunked",), 400),
    (("Transfer-Encoding: identity",), 400),
    (("Transfer-Encoding: \x0bchunked",), 400),
    (("Transfer-Encoding : chunked",), 400),
    (("Content-Encoding: gzip", "Content-Encoding: gzip"), 400),
    (("X: a", " folded: b"), 400),
    (("X: a", "\tfolded"), 400),
    (("no colon",), 400),
    ((": no name",), 400),
    (("X: a\nHost: evil.example",), 400),
    (("X: a\rSkills-Token: b",), 400),
    (("X: \x00",), 400),
    (("Origin: null",), 403),
    (("origin: http://127.0.0.1",), 403),
    (("Sec-Fetch-Dest: empty",), 403),
    (("Sec-WebSocket-Key: x", "Upgrade: websocket", "Connection: Upgrade"), 403),
    (("Referer: http://evil.example/",), 403),
    (("Cookie: a=b",), 403),
    (("Access-Control-Request-Private-Network: true",), 403),
    (("Expect: everything",), 417),
    (tuple(f"X{n}: y" for n in range(200)), 431),
    ((f"X: {'y' * 40_000}",), 431),
]


@pytest.mark.parametrize(("headers", "status"), HEADERS)
def test_headers_say_one_thing_each(server, spy, client, headers, status):
    client.says(login(server, *headers))
    assert client.hears()[0] == status
    assert client.hears() is None
    assert spy.reached == []


def test_a_request_without_a_host_is_refused(server, spy, client):
    client.says(f"POST {LOGIN} HTTP/1.1\r\nContent-Length: 0\r\n\r\n".encode())
    assert client.hears()[0] == 400
    client.says(b"")
    assert spy.reached == []


def test_lines_end_as_http_says(server, spy, client):
    client.says(head(server, f"POST {LOGIN} HTTP/1.1", length=0).replace(b"\r\n", b"\n"))
    client.socket.shutdown(socket.SHUT_WR)
    assert client.hears() is None
    assert spy.reached == []


LENGTHS = [
    ("99999999999", 413),
    ("999999999999999999999", 400),
    ("-1", 413),
    ("+5", 400),
    ("0x10", 400),
    ("1_0", 400),
    ("5, 5", 400),
    ("", 400),
    ("١", 400),
    (str(65 * 1024), 413),
]


@pytest.mark.parametrize(("length", "status"), LENGTHS)
def test_a_length_is_a_number_within_bounds(server, spy, client, length, status):
    raw = head(server, f"POST {LOGIN} HTTP/1.1", length="LENGTH")
    client.says(raw.replace(b"LENGTH", length.encode()) + STRANGER)
    assert client.hears()[0] == status
    assert spy.reached == []


def test_a_get_with_a_body_is_refused_because_the_body_could_be_a_request(server, spy, client):
    inner = login(server)
    client.says(head(server, "GET /skills/v1/hello HTTP/1.1", length=len(inner)) + inner)
    assert client.hears()[0] == 400
    assert client.hears() is None
    assert spy.reached == []


def test_what_follows_a_refused_request_is_not_answered(server, spy, client):
    client.says(post(server, QUERY, b"") + login(server))
    assert client.hears()[1]["code"] == "390111"
    assert client.hears() is None
    assert spy.reached == []


def test_a_body_longer_than_its_length_is_the_next_request_and_judged_as_one(server, spy, client):
    raw = head(server, f"POST {LOGIN} HTTP/1.1", length=2) + b"{}" + b'"}' * 10
    client.says(raw + b"\r\n\r\n")
    assert client.hears()[1]["code"] == "390100"
    assert client.hears()[0] == 400
    assert spy.reached == []


# ---- bodies


def packed(raw):
    return gzip.compress(raw, 9, mtime=0)


BOMB = packed(b"[" + b" " * (40 * MIB))
BODIES = [
    (b"[]", (), 400),
    (b"1", (), 400),
    (b"null", (), 400),
    (b'"x"', (), 400),
    (b"{", (), 400),
    (b'{"data": NaN}', (), 400),
    (b'{"data": {"PASSWORD": Infinity}}', (), 400),
    (b'{"data": {"x": 1e999}}', (), 400),
    (b'{"data": {"x": ' + b"9" * 5000 + b"}}", (), 400),
    (b"[" * 30_000, (), 400),
    (b'{"a":' * 10_000 + b"1" + b"}" * 10_000, (), 400),
    (b'{"data": {"x": ' + b"[" * 100 + b"]" * 100 + b"}}", (), 400),
    (b'{"data": []}', (), 400),
    (b'{"data": "x"}', (), 400),
    (b'{"data": {"LOGIN_NAME": ["ADMIN"]}}', (), 400),
    (b'{"data": {"PASSWORD": {"a": 1}}}', (), 400),
    (b'{"data": {"AUTHENTICATOR": ["SNOWFLAKE_JWT"]}}', (), 400),
    (b'{"data": {"AUTHENTICATOR": "SNOWFLAKE_JWT", "SESSION_PARAMETERS": [1]}}', (), 400),
    (b'{"data": {"AUTHENTICATOR": "SNOWFLAKE_JWT", "SESSION_PARAMETERS": {"A": []}}}', (), 400),
    (b'{"data": {"PASSWORD": "\\ud800"}}', (), 400),
    (b'{"data": {"LOGIN_NAME": "\xff"}}', (), 400),
    (STRANGER.decode().encode("utf-16"), (), 400),
    (STRANGER.decode().encode("utf-16-le"), (), 400),
    (STRANGER.decode().encode("utf-32"), (), 400),
    (b"\xef\xbb\xbf" + STRANGER, (), 400),
    (b"no gzip", ("Content-Encoding: gzip",), 400),
    (packed(STRANGER)[:-4], ("Content-Encoding: gzip",), 400),
    (packed(STRANGER) + packed(b" "), ("Content-Encoding: gzip",), 400),
    (BOMB, ("Content-Encoding: gzip",), 413),
    (zlib.compress(STRANGER), ("Content-Encoding: deflate",), 415),
    (packed(STRANGER), ("Content-Encoding: gzip, gzip",), 415),
    (STRANGER, ("Content-Encoding: br",), 415),
]


@pytest.mark.parametrize(("body", "headers", "status"), BODIES, ids=range(len(BODIES)))
def test_a_stranger_s_body_is_a_small_document(server, spy, client, body, headers, status):
    client.says(post(server, LOGIN, body, *headers))
    assert client.hears()[0] == status
    assert spy.reached == []


@pytest.mark.parametrize(
    "body", [b"{}", b'{"data": {}}', b'{"data": {"PASSWORD": null}}', b'{"data": {"PASSWORD": ""}}']
)
def test_a_login_that_proves_nothing_is_a_wrong_password(server, spy, client, body):
    client.says(post(server, LOGIN, body))
    assert client.hears()[1]["code"] == "390100"
    assert spy.reached == []


@pytest.mark.parametrize(
    "path", [LOGIN, QUERY, SINGLE_SIGN_ON, "/skills/v1/resume", "/telemetry/send"]
)
def test_nobody_unpacks_what_a_stranger_packed(server, spy, client, path):
    bomb = packed(b"[" + b" " * (40 * MIB))
    bomb += b"\x00" * (204_000 - len(bomb))
    tracemalloc.start()
    try:
        client.says(post(server, path, bomb, "Content-Encoding: gzip"))
        assert is_outside(client.hears())
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2 * MIB
    assert spy.reached == []


def test_an_announced_body_takes_no_memory_before_it_comes(server, spy):
    tracemalloc.start()
    clients = [Client(server) for _ in range(20)]
    try:
        for client in clients:
            client.says(head(server, f"POST {LOGIN} HTTP/1.1", length=64_000) + b"{")
        time.sleep(0.3)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
        for client in clients:
            client.close()
    assert peak < 8 * MIB
    assert spy.reached == []


# ---- who was let in is answered, whatever is sent


@pytest.fixture
def guest(server, client):
    """Return a client that logged in, and its header."""
    client.says(login(server))
    _, answer = client.hears()
    return client, f'Authorization: Snowflake Token="{answer["data"]["token"]}"'


GUEST_BODIES = [
    b'{"sqlText": 1}',
    b'{"sqlText": null}',
    b'{"sqlText": ["select 1"]}',
    b'{"sqlText": "select 1", "parameters": []}',
    b'{"sqlText": "select 1", "parameters": {"QUERY_TAG": {}}}',
    b'{"sqlText": "select 1", "bindings": [1]}',
    b'{"sqlText": "select 1", "asyncExec": "yes"}',
    b'{"sqlText": "select NaN", "x": NaN}',
    b"[]",
]


@pytest.mark.parametrize("body", GUEST_BODIES, ids=range(len(GUEST_BODIES)))
def test_a_guest_s_odd_statement_is_refused_without_an_incident(server, guest, caplog, body):
    client, session = guest
    client.says(post(server, QUERY, body, session))
    assert client.hears()[0] == 400
    assert caplog.text == ""


@pytest.mark.parametrize("count", ["many", "1.5", -1, None, True, 1e300])
def test_a_statement_count_that_is_none_is_no_incident(server, guest, caplog, count):
    client, session = guest
    body = {"sqlText": "select 1", "parameters": {"MULTI_STATEMENT_COUNT": count}}
    client.says(post(server, QUERY, json.dumps(body).encode(), session))
    assert client.hears()[1]["code"] != "000603"
    assert caplog.text == ""


def test_a_guest_s_bomb_is_refused(server, guest, spy):
    client, session = guest
    reached = len(spy.reached)
    bomb = packed(b'{"sqlText": "' + b" " * (70 * MIB))
    client.says(post(server, QUERY, bomb, session, "Content-Encoding: gzip"))
    assert client.hears()[0] == 413
    assert len(spy.reached) == reached


def test_a_guest_reaches_none_of_the_owner_s_paths(server, guest):
    client, session = guest
    client.says(post(server, "/skills/v1/catalog", b"{}", session))
    assert client.hears()[1]["code"] == "390111"


@pytest.mark.parametrize(
    "state", [b"{}", b'{"token": 1}', b'{"token": "t", "user": ["ADMIN"]}', b'{"token": {}}']
)
def test_a_session_that_cannot_be_brought_back_is_no_incident(server, client, caplog, state):
    token = f"Skills-Token: {server.address.token}"
    client.says(post(server, "/skills/v1/resume", state, token))
    _, answer = client.hears()
    assert answer["success"] is False
    assert answer["code"] in ("390111", "390100")
    assert caplog.text == ""


def test_a_session_s_end_closes_the_gate(server, guest):
    client, session = guest
    client.says(post(server, "/session?delete=true", b"", session))
    assert client.hears()[1]["success"] is True
    client.says(post(server, QUERY, b'{"sqlText": "select 1"}', session))
    assert client.hears()[1]["code"] == "390111"


def test_only_what_was_judged_is_passed_on(server, guest, spy):
    client, session = guest
    odd = ("X-Original-URL: /skills/v1/script", "Skills-Session: wanted", "User-Agent: Me")
    path = f"{QUERY}/?requestId=a%2Fb&x="
    client.says(post(server, path, b'{"sqlText": "select 1"}', session, *odd))
    assert client.hears()[1]["success"] is True
    name, _, value = session.partition(": ")
    passed = {name: value, "Host": host_of(server)}
    assert spy.reached[-1] == ("POST", f"{QUERY}?requestId=a%2Fb", passed)


def test_several_requests_in_one_piece_are_answered_in_their_order(server, guest):
    client, session = guest
    for n in range(3):
        body = json.dumps({"sqlText": f"select {n}"}).encode()
        client.socket.sendall(post(server, QUERY, body, session))
    assert [client.hears()[1]["data"]["rowset"] for _ in range(3)] == [[["0"]], [["1"]], [["2"]]]


def test_a_client_that_waits_with_its_body_is_invited_only_when_it_may_enter(server, guest):
    client, session = guest
    body = b'{"sqlText": "select 1"}'
    waits = head(
        server, f"POST {QUERY} HTTP/1.1", session, "Expect: 100-continue", length=len(body)
    )
    client.says(waits)
    assert client.file.readline() == b"HTTP/1.1 100 Continue\r\n"
    client.file.readline()
    client.says(body)
    assert client.hears()[1]["data"]["rowset"] == [["1"]]
    client.says(waits.replace(session.encode(), b"X: y"))
    assert client.hears()[1]["code"] == "390111"


def test_a_client_of_http_1_0_is_answered_and_hung_up_on(server, client):
    client.says(head(server, "GET /skills/v1/hello?nonce=1 HTTP/1.0"))
    assert client.hears() == (200, {"proof": server.gate.proof("1")})
    assert client.hears() is None


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "LocalHost", "[::1]"])
def test_the_served_address_has_three_names(server, client, name):
    host = f"{name}:{server.address.port}"
    client.says(head(server, "GET /skills/v1/hello?nonce=1 HTTP/1.1", host=host))
    assert client.hears()[0] == 200


# ---- time


@pytest.fixture
def hasty(monkeypatch):
    from skills_nb.runtime.loopback import client_line, requests

    monkeypatch.setattr(client_line, "_HEAD_S", 0.2)
    monkeypatch.setattr(requests, "_STRANGER_S", 0.2)


def test_a_stranger_that_says_nothing_is_hung_up_on(hasty, server, client):
    assert client.hears() is None


def test_a_head_that_trickles_in_is_cut_off(hasty, server, client, spy):
    for byte in head(server, f"POST {LOGIN} HTTP/1.1", length=0)[:40]:
        client.says(struct.pack("B", byte))
        time.sleep(0.01)
    assert client.hears()[0] == 408
    assert client.hears() is None
    assert spy.reached == []


def test_a_stranger_s_body_that_stays_out_is_cut_off(hasty, server, client, spy):
    client.says(head(server, f"POST {LOGIN} HTTP/1.1", length=1000) + b"{")
    assert client.hears()[0] == 408
    assert spy.reached == []


def test_a_body_that_ends_too_early_is_no_request(server, client, spy):
    client.says(login(server)[:-1])
    client.socket.shutdown(socket.SHUT_WR)
    assert client.hears() is None
    assert spy.reached == []


def test_a_crowd_of_strangers_keeps_nobody_out(monkeypatch, server, guest):
    monkeypatch.setattr(served_account, "_MOST_STRANGERS", 5)
    crowd = [Client(server) for _ in range(20)]
    with closing(Client(server)) as latest:
        latest.says(login(server))
        assert latest.hears()[1]["success"] is True
    client, session = guest
    client.says(post(server, QUERY, b'{"sqlText": "select 1"}', session))
    assert client.hears()[1]["success"] is True
    for each in crowd:
        each.close()


# ---- laws of the readers


@given(st.binary(max_size=300) | st.text(alphabet="GETPOST /:.%?#=a1\r\n\\-_", max_size=80))
def test_every_head_is_one_plain_request_or_refused(raw):
    said = raw.encode() if isinstance(raw, str) else raw
    for text in (said, b"POST " + said + b" HTTP/1.1", b"GET /a HTTP/1.1\r\n" + said):
        try:
            found = request_head.read(text)
        except request_head.RefusedError as refused:
            assert 400 <= refused.status <= 505  # noqa: PT017 - either is right
        else:
            again = request_head.read(f"{found.method} {found.target} HTTP/1.1".encode())
            assert (again.path, again.asked) == (found.path, found.asked)
            assert not {"", ".", ".."} & set(found.path.split("/")[1:])


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(_json | st.fixed_dictionaries({"data": _json}), st.sampled_from(["utf-8", "utf-16"]))
def test_every_body_is_a_document_or_refused(found, encoding):
    raw = json.dumps(found).encode(encoding)
    try:
        document = request_body.document(LOGIN, raw, "", 1000)
    except request_head.RefusedError as refused:
        assert refused.status in (400, 413)  # noqa: PT017 - either is right
    else:
        assert document == found
        assert isinstance(document.get("data", {}), dict)


@pytest.mark.parametrize(("port", "is_right"), [(80, True), (8080, False)])
def test_a_host_leaves_out_the_port_of_http_alone(port, is_right):
    asked = request_head.read(b"GET /skills/v1/hello HTTP/1.1\r\nHost: localhost")
    guard = gate.Gate("token", port)
    if is_right:
        assert guard.way(asked) is gate.Admission.GREETING
    else:
        with pytest.raises(request_head.RefusedError, match=r"127\.0\.0\.1:8080"):
            guard.way(asked)
