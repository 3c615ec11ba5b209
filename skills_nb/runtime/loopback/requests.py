"""Requests: one HTTP/1.1 conversation with a client of a served account.

Room: work (runtime, loopback). Every request is answered or the line is cut; a request that came
too late is told so, which lets the client send it elsewhere.
"""

from __future__ import annotations

import json
import logging
import socket
import zlib
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from skills_nb.runtime.loopback import gate
from skills_nb.runtime.loopback.protocol import HELLO

if TYPE_CHECKING:
    from skills_nb.runtime.loopback.server import Server

MOST_BYTES = 1 << 30
"""Largest body, compressed or not."""
_IDLE_S = 3600.0
_log = logging.getLogger(__name__)


class _TooLargeError(Exception):
    """A body is larger than anything that a connector sends."""


class _Conversation(BaseHTTPRequestHandler):
    """Answers requests of one connection until the client hangs up."""

    protocol_version = "HTTP/1.1"
    server_version = "skills-nb"
    sys_version = ""
    timeout = _IDLE_S
    disable_nagle_algorithm = True
    wbufsize = -1
    server: Any

    def do_GET(self) -> None:
        """Answer a request without a body."""
        self._answer({})

    def do_POST(self) -> None:
        """Answer a request with a JSON body."""
        try:
            body = _document(self._bytes(), self.headers.get("Content-Encoding", ""))
        except _TooLargeError:
            self._send(413, {"message": "the body is too large"}, hang_up=True)
        except (ValueError, zlib.error):
            self._send(400, {"message": "the body is no JSON document"}, hang_up=True)
        else:
            self._answer(body)

    def _answer(self, body: Mapping[str, Any]) -> None:
        server: Server = self.server
        asked = urlsplit(self.path)
        path = asked.path.rstrip("/")
        headers = {name.title(): value for name, value in self.headers.items()}
        if gate.is_from_browser(headers):
            self._send(403, {"message": "this address is not for browsers"}, hang_up=True)
        elif path == HELLO:
            nonce = parse_qs(asked.query).get("nonce", [""])[0]
            self._send(200, {"proof": server.gate.proof(nonce)})
        elif not server.gate.may_enter(path, headers, body):
            self._send(200, gate.refusal(path, body))
        elif not server.begin():
            self._send(503, {"message": "the account is closing"}, hang_up=True)
        else:
            try:
                self._send(200, self._handled(server, path, headers, body))
            finally:
                server.end()

    def _handled(
        self, server: Server, path: str, headers: Mapping[str, str], body: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        url = f"http://{self.headers['Host']}{self.path}"
        try:
            answer = server.wire.handle(self.command, url, headers, body)
        except Exception:  # noqa: BLE001 - a cut line would make the client send it again
            _log.exception("a request failed: %s %s", self.command, path)
            return _INCIDENT
        server.gate.note(path, answer)
        return answer

    def _bytes(self) -> bytes:
        if "Transfer-Encoding" in self.headers:
            raise ValueError("a body needs its length")
        length = int(self.headers.get("Content-Length") or 0)
        if not 0 <= length <= MOST_BYTES:
            raise _TooLargeError
        return self.rfile.read(length)

    def _send(self, status: int, document: Mapping[str, Any], *, hang_up: bool = False) -> None:
        payload = json.dumps(document, default=str).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        if hang_up:
            self.send_header("Connection", "close")
            self.close_connection = True
        self.end_headers()
        self.wfile.write(payload)
        self.wfile.flush()

    def log_message(self, format: str, *args: Any) -> None:
        """Write requests to the debug log, not to the terminal."""
        _log.debug(format, *args)


_INCIDENT: Mapping[str, Any] = {
    "success": False,
    "code": "000603",
    "message": "SQL execution internal error:\nProcessing aborted by a defect of the embedded "
    "account; the log of its process has the details.",
    "data": {"errorCode": "000603", "sqlState": "XX000"},
}


def converse(server: Server, connection: socket.socket) -> None:
    """Answer a client until it or the server hangs up."""
    try:
        _Conversation(connection, connection.getpeername(), server)  # type: ignore[arg-type]
    except OSError:
        # The client is gone; it asks again, or does not want to know.
        return


def _document(raw: bytes, encoding: str) -> Mapping[str, Any]:
    if not raw:
        return {}
    if encoding.lower() == "gzip":
        unpacker = zlib.decompressobj(wbits=31)
        raw = unpacker.decompress(raw, MOST_BYTES)
        if unpacker.unconsumed_tail:
            raise _TooLargeError
    found = json.loads(raw)
    if not isinstance(found, dict):
        raise ValueError("a JSON object is needed")
    return found
