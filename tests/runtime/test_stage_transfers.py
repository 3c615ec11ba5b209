"""Files of stages over HTTP, for clients that know a cloud's storage alone."""

from __future__ import annotations

import http.client
import json
from contextlib import closing

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.tools.sharing import SharedAccountWire
from skills_nb.runtime.loopback import request_body
from skills_nb.runtime.loopback.server import serve

CLOUDY = {"CLIENT_APP_ID": "PythonConnector", "CLIENT_APP_VERSION": "5.2.0"}
WITHIN = {
    "CLIENT_APP_ID": "SnowflakeSQLAlchemy",
    "CLIENT_APP_VERSION": "2.1.0",
    "CLIENT_ENVIRONMENT": {"CORE_VERSION": "0.1.0"},
}
LOCAL = {
    "CLIENT_APP_ID": "PythonConnector",
    "CLIENT_APP_VERSION": "4.8.0",
    "CLIENT_ENVIRONMENT": {"CORE_VERSION": "0.0.1", "CORE_FILE_NAME": "libsf_mini_core.so"},
}


class Client:
    """A client that logged in."""

    def __init__(self, server, about):
        self.server, self.headers = server, {}
        data = {"LOGIN_NAME": "ADMIN", "PASSWORD": server.address.token, **about}
        told = self.posts("/session/v1/login-request?roleName=ACCOUNTADMIN", {"data": data})
        self.headers = {"Authorization": f'Snowflake Token="{told["data"]["token"]}"'}
        for sql in ("create database mill", "create stage mill.public.sacks"):
            self.runs(sql)

    def posts(self, path, document):
        _, _, answer = self.sends("POST", path, json.dumps(document).encode(), self.headers)
        return json.loads(answer)

    def runs(self, sql):
        return self.posts("/queries/v1/query-request", {"sqlText": sql})

    def sends(self, method, path, body=b"", headers=None):
        """Return status, headers and body of an answer."""
        place = ("127.0.0.1", self.server.address.port)
        with closing(http.client.HTTPConnection(*place, timeout=15)) as line:
            line.request(method, path, body or None, headers or {})
            answer = line.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()

    def door(self, sql):
        """Return where a PUT or GET lets the client in, and the header that opens it."""
        info = self.runs(sql)["data"]["stageInfo"]
        assert info["locationType"] == "GCS"
        assert info["endPoint"] == f"http://127.0.0.1:{self.server.address.port}/transfers"
        bucket = info["location"].split("/")[0]
        return f"/transfers/{bucket}", {
            "Authorization": f"Bearer {info['creds']['GCS_ACCESS_TOKEN']}"
        }


@pytest.fixture
def server(tmp_path):
    with Account.open() as account, serve(SharedAccountWire(account), tmp_path) as served:
        yield served


@pytest.fixture
def client(server):
    return Client(server, CLOUDY)


PUT = "put file:///tmp/any.csv @mill.public.sacks"
GET = "get @mill.public.sacks file:///tmp/"


def test_a_file_is_put_seen_listed_and_fetched(client):
    place, key = client.door(PUT)
    name = f"{place}/in%20dir/a%20%C3%BC%25.csv"
    assert client.sends("HEAD", name, headers=key)[0] == 404
    assert client.sends("PUT", name, b"1,x\n", key)[0] == 200
    status, headers, body = client.sends("HEAD", name, headers=key)
    assert (status, headers["Content-Length"], body) == (200, "4", b"")
    listed = client.runs("list @mill.public.sacks")["data"]["rowset"]
    assert [row[0] for row in listed] == ["sacks/in dir/a ü%.csv"]
    place, key = client.door(GET)
    assert client.sends("GET", f"{place}/in%20dir/a%20%C3%BC%25.csv", headers=key)[2] == b"1,x\n"


def test_a_file_that_is_there_stays_where_only_a_new_one_is_wanted(client):
    place, key = client.door(PUT)
    only_new = {**key, "x-goog-if-generation-match": "0"}
    assert client.sends("PUT", f"{place}/a.csv", b"first", only_new)[0] == 200
    assert client.sends("PUT", f"{place}/a.csv", b"second", only_new)[0] == 412
    assert client.sends("PUT", f"{place}/a.csv", b"third", key)[0] == 200
    place, key = client.door(GET)
    assert client.sends("GET", f"{place}/a.csv", headers=key)[2] == b"third"


def test_a_door_for_reading_takes_nothing_and_one_for_writing_gives_nothing(client):
    writes, writing = client.door(PUT)
    assert client.sends("PUT", f"{writes}/a.csv", b"1", writing)[0] == 200
    assert client.sends("GET", f"{writes}/a.csv", headers=writing)[0] == 404
    reads, reading = client.door(GET)
    assert client.sends("PUT", f"{reads}/a.csv", b"2", reading)[0] == 403
    assert client.sends("GET", f"{reads}/a.csv", headers=reading)[2] == b"1"


@pytest.mark.parametrize(
    "given", [{}, {"Authorization": "Bearer guessed"}, {"Authorization": "Basic QTpC"}]
)
def test_without_its_key_a_door_is_shut(client, given):
    place, _ = client.door(PUT)
    for method in ("GET", "HEAD", "PUT"):
        assert client.sends(method, f"{place}/a.csv", b"", given)[0] == 403


def test_the_key_of_a_door_opens_no_other_and_no_session_opens_any(client):
    place, key = client.door(PUT)
    other, _ = client.door(PUT)
    assert client.sends("PUT", f"{other}/a.csv", b"1", key)[0] == 403
    assert client.sends("PUT", f"{place}/a.csv", b"1", client.headers)[0] == 403
    assert client.sends("POST", f"{place}/a.csv", b"1", key)[0] == 405
    told = client.sends("POST", "/queries/v1/query-request", b'{"sqlText": "select 1"}', key)
    assert json.loads(told[2])["success"] is False


@pytest.mark.parametrize(
    "name", ["..", "../a", "a/../../b", "%2e%2e/a", "a%2fb", "a%5cb", "a%00b", "a//b", "%zz", "%ff"]
)
def test_a_name_that_leads_elsewhere_is_refused(client, name):
    place, key = client.door(PUT)
    assert client.sends("PUT", f"{place}/{name}", b"1", key)[0] == 400
    assert client.runs("list @mill.public.sacks")["data"]["rowset"] == []


@pytest.mark.parametrize("method", ["PUT", "HEAD"])
def test_elsewhere_there_is_nothing_to_put_or_look_at(client, method):
    assert client.sends(method, "/queries/v1/query-request", b"", client.headers)[0] == 405


def test_a_file_beyond_all_bounds_is_not_taken(client, monkeypatch):
    monkeypatch.setattr(request_body, "MOST_FILE_BYTES", 10)
    place, key = client.door(PUT)
    assert client.sends("PUT", f"{place}/a.csv", b"12345678901", key)[0] == 413


def test_who_lacks_the_stage_gets_no_door(client):
    assert client.runs("put file:///tmp/any.csv @mill.public.nowhere")["code"] == "002003"


def test_a_client_that_knows_folders_of_this_machine_is_told_one(server):
    info = Client(server, LOCAL).runs(PUT)["data"]["stageInfo"]
    assert (info["locationType"], info["creds"]) == ("LOCAL_FS", {})


def test_a_client_within_another_program_is_told_the_same(server):
    place, key = Client(server, WITHIN).door(PUT)
    assert place.startswith("/transfers/")
    assert set(key) == {"Authorization"}
