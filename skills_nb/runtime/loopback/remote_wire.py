"""The remote wire: an account that another process serves, reached over HTTP.

Room: work (runtime, loopback). It never guesses: a request that was certainly not taken raises
`NotTakenError`, one whose fate nobody knows raises `LostError`. Proxies of the environment are not
asked, because the address is this machine's.
"""

from __future__ import annotations

import http.client
import json
import secrets
import select
import socket
import sys
import threading
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode, urlsplit

from skills_nb.runtime.loopback.address_file import HOST, Address
from skills_nb.runtime.loopback.gate import proof
from skills_nb.runtime.loopback.protocol import ASKS_STATE, BYTES, HELLO, TOKEN_HEADER

_HELLO_S = 2.0
_BODY_S = 60.0


class NotTakenError(Exception):
    """The request did not reach the account."""


class LostError(Exception):
    """The connection was lost while the account may have worked on the request."""


class SilentError(LostError):
    """The process is there and does not react any more."""


class RemoteWire:
    """An account served by another process. Implements `ports.Wire`."""

    def __init__(self, address: Address, *, patience_s: float = 10.0) -> None:
        """Remember where; `patience_s` is how long a process may stay silent altogether."""
        self.address = address
        self._patience_s = patience_s
        self._idle: list[http.client.HTTPConnection] = []
        self._lock = threading.Lock()

    def greet(self) -> None:
        """Make sure that the account answers at the address.

        Raises:
            NotTakenError: nobody, or somebody else, answers there.
        """
        # Not kept: a server hangs up on whoever greets it and then asks nothing.
        self._connected().close()

    def handle(
        self, method: str, url: str, headers: Mapping[str, str], body: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Answer one request.

        Raises:
            NotTakenError: it was not taken, and may be sent again anywhere.
            LostError: nobody knows what became of it.
        """
        connection = self._take()
        try:
            answer = self._asked(connection, method, url, headers, body)
        except BaseException:
            connection.close()
            raise
        self._give_back(connection)
        return answer

    def close(self) -> None:
        """Hang up."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _asked(
        self,
        connection: http.client.HTTPConnection,
        method: str,
        url: str,
        headers: Mapping[str, str],
        body: Mapping[str, Any],
    ) -> Mapping[str, Any]:
        given = {TOKEN_HEADER: self.address.token, ASKS_STATE: "wanted"}
        if authorization := headers.get("Authorization"):
            given["Authorization"] = authorization
        parts = urlsplit(url)
        target = f"{parts.path}?{parts.query}" if parts.query else parts.path
        payload = json.dumps(body) if method == "POST" else None
        try:
            connection.request(method, target, payload, given)
            self._await(connection)
            response = connection.getresponse()
            raw = response.read()
        except (OSError, http.client.HTTPException) as problem:
            raise LostError(f"the connection to {_named(self.address)} was lost") from problem
        if response.status == http.HTTPStatus.SERVICE_UNAVAILABLE:
            raise NotTakenError(f"{_named(self.address)} is closing the account")
        if response.getheader("Content-Type") == BYTES:
            return {"success": True, "content": raw}
        answer: Mapping[str, Any] = json.loads(raw)
        return answer

    def _await(self, connection: http.client.HTTPConnection) -> None:
        """Wait for an answer as long as the process lives: a long statement is no silence."""
        while not _is_readable(connection.sock, self._patience_s / 2):
            begin = time.monotonic()
            while not self._is_awake():
                if time.monotonic() - begin >= self._patience_s / 2:
                    raise SilentError(f"{_named(self.address)} does not react")

    def _is_awake(self) -> bool:
        try:
            self._connected().close()
        except NotTakenError:
            return False
        return True

    # ---- connections

    def _take(self) -> http.client.HTTPConnection:
        while True:
            with self._lock:
                connection = self._idle.pop() if self._idle else None
            if connection is None:
                return self._connected()
            if not _is_readable(connection.sock):
                return connection
            # The other side hung up, or said something that nobody asked for.
            connection.close()

    def _give_back(self, connection: http.client.HTTPConnection) -> None:
        if connection.sock is None:
            return
        with self._lock:
            self._idle.append(connection)

    def _connected(self) -> http.client.HTTPConnection:
        """Connect, and let the server prove that it knows the token before it is told."""
        connection = http.client.HTTPConnection(HOST, self.address.port, timeout=_HELLO_S)
        nonce = secrets.token_hex(16)
        try:
            connection.request("GET", f"{HELLO}?{urlencode({'nonce': nonce})}")
            answer = json.loads(connection.getresponse().read())
            is_account = answer["proof"] == proof(self.address.token, nonce)
            connection.sock.settimeout(_BODY_S)
            connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError) as problem:
            connection.close()
            raise NotTakenError(f"{_named(self.address)} does not answer") from problem
        if not is_account:
            connection.close()
            raise NotTakenError(f"another program answers on port {self.address.port}")
        return connection


def _is_readable(connection: socket.socket, within_s: float = 0.0) -> bool:
    if sys.platform == "win32":
        return bool(select.select([connection], [], [], within_s)[0])
    # Not `select`, which refuses file numbers above 1023 here.
    poll = select.poll()
    poll.register(connection, select.POLLIN)
    return bool(poll.poll(within_s * 1000))


def _named(address: Address) -> str:
    return f"process {address.pid}, which holds the account,"
