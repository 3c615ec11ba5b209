"""A way to a served account on which things go wrong, as they do between a desk and a cloud.

It passes HTTP requests on and, where its plan says so, cuts the line before or after the account
has worked, answers 503, dawdles, or says that the session's token is no longer known.
"""

from __future__ import annotations

import http.client
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

FAULTS = ("cut_before", "cut_after", "unavailable", "slow", "expired")
_SLOW_S = 0.3
_EXPIRED = {
    "success": False,
    "code": "390112",
    "message": "Your session has expired. Please login again.",
    "data": None,
}


class FaultyWay(ThreadingHTTPServer):
    """Passes requests on to a port of this machine; `plan` says what goes wrong with which."""

    daemon_threads = True

    def __init__(self, port: int, plan=lambda number, path, text: None) -> None:
        super().__init__(("127.0.0.1", 0), _Passing)
        self.behind, self.plan = port, plan
        self.number = 0
        self.met: list[tuple[str, str]] = []
        """Faults that happened, and on which statement."""
        self.lock = threading.Lock()
        self.thread = threading.Thread(target=self.serve_forever, daemon=True)
        self.thread.start()

    def fault(self, path: str, text: str) -> str | None:
        with self.lock:
            self.number += 1
            found = self.plan(self.number, path, text)
            if found:
                self.met.append((found, text))
            return found

    def handle_error(self, request, client_address) -> None:
        """A client that hung up is not news here."""

    def close(self) -> None:
        self.shutdown()
        self.thread.join()
        self.server_close()


class _Passing(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self._pass()

    def do_POST(self):
        self._pass()

    def _pass(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = urlsplit(self.path).path
        fault = self.server.fault(path, _text(body, self.headers.get("Content-Encoding")))
        if fault == "cut_before":
            return self._cut()
        if fault == "unavailable":
            return self._say(503, b"{}")
        if fault == "expired":
            return self._say(200, json.dumps(_EXPIRED).encode())
        if fault == "slow":
            time.sleep(_SLOW_S)
        status, answer = self._behind(body)
        return self._cut() if fault == "cut_after" else self._say(status, answer)

    def _behind(self, body):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.behind)
        # Whoever is behind wants to be addressed itself.
        own = ("connection", "host")
        headers = {k: v for k, v in self.headers.items() if k.lower() not in own}
        connection.request(self.command, self.path, body, headers)
        with connection.getresponse() as answer:
            found = answer.status, answer.read()
        connection.close()
        return found

    def _cut(self):
        self.close_connection = True
        self.connection.close()

    def _say(self, status, answer):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *args):
        pass


def _text(body: bytes, encoding: str | None) -> str:
    import gzip

    if encoding == "gzip":
        body = gzip.decompress(body)
    try:
        return str(json.loads(body).get("sqlText") or "")
    except (ValueError, AttributeError):
        return ""
