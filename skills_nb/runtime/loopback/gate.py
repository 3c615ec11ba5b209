"""The gate: who may enter a served account.

Room: work (runtime, loopback). It judges a request by its head, before a byte of the body is read;
only a login's body, which holds the proof, is read for a stranger. The ways in: the token as the
password, the OAuth token or the programmatic access token of a login; the token in a header; a
fixed password, where the server was started with one, which opens logins alone; or a session that a
login opened, which opens the connector's paths alone. A login by key pair is let
through to the account, which verifies it against the user's public key; so is a question for single
sign-on, to be refused. Whatever comes out of a browser stays outside: a page cannot leave out
`Origin`, and a name that was bent to 127.0.0.1 shows in `Host`.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Container, Mapping
from enum import Enum, auto
from typing import Any

from skills_nb.runtime.loopback.protocol import (
    HELLO,
    LOGIN,
    LOGOUT,
    OWN,
    RESULTS,
    SESSION,
    SINGLE_SIGN_ON,
    TOKEN_HEADER,
    TRANSFERS,
)
from skills_nb.runtime.loopback.request_head import Head, RefusedError

_NAMES = ("127.0.0.1", "localhost", "[::1]")
_OWN_NAME = re.compile(r"(?:127\.0\.0\.1|localhost|\[::1\])(?::[0-9]{1,5})?\Z", re.IGNORECASE)
_MOST_KEYS = 1_000
"""So many results may be read in pieces at a time."""
_HTTP_PORT = 80
"""The port that a client leaves out of `Host`."""
_BROWSER_HEADERS = frozenset(
    {"origin", "referer", "cookie", "access-control-request-method"}
    | {"access-control-request-headers", "access-control-request-private-network"}
)
"""What a browser sends, beside everything that begins with `Sec-`."""
_KEY_PAIR = "SNOWFLAKE_JWT"
_BEARERS = {
    "OAUTH": ("390303", "Invalid OAuth access token."),
    "PROGRAMMATIC_ACCESS_TOKEN": ("394400", "Programmatic access token is invalid."),
}
"""Ways to log in with a token instead of a password, and how a wrong one is answered."""
_WRONG_PASSWORD = ("390100", "Incorrect username or password was specified.")
_NO_SESSION = ("390111", "Session no longer exists.  New login required to access the service.")
_AUTHORIZATION = re.compile(r'Snowflake Token="([!#-~]+)"')
_BEARER = re.compile(r"Bearer ([!-~]+)")


class Admission(Enum):
    """How a request may go on."""

    GREETING = auto()
    """It is asked whether the token is known here; that needs no token."""
    LOGIN = auto()
    """A stranger's login: its body may be read, within a login's bounds, and must prove itself."""
    SINGLE_SIGN_ON = auto()
    """A stranger's question, answered without its body."""
    GUEST = auto()
    """It carries a session that a login opened here."""
    OWNER = auto()
    """It carries the token."""


class Gate:
    """Knows the token, and the sessions that were opened with it."""

    def __init__(self, token: str, port: int, password: str = "") -> None:
        """Guard an address with this token, and with a password of its owner's choice if any.

        The password is kept as its digest alone.
        """
        self._token = token.encode()
        self._fixed = hashlib.sha256(password.encode()).digest() if password else None
        self._address = f"{_NAMES[0]}:{port}"
        self._hosts = {f"{name}:{port}" for name in _NAMES}
        if port == _HTTP_PORT:
            self._hosts.update(_NAMES)
        self._key = secrets.token_bytes(32)
        self._sessions: set[bytes] = set()
        self._keys: dict[bytes, None] = {}
        """What opens the pieces of results, the oldest first."""
        self._doors: dict[bytes, None] = {}
        """What opens stages for files, the oldest first."""

    def proof(self, nonce: str) -> str:
        """Return what only somebody who knows the token can answer to a nonce."""
        return proof(self._token.decode(), nonce)

    def way(self, head: Head) -> Admission:
        """Return how a request may go on.

        Raises:
            RefusedError: it may not.
        """
        self._refuse_browsers(head)
        if head.path == HELLO:
            return _only(head, "GET", Admission.GREETING)
        if head.path in (LOGIN, SINGLE_SIGN_ON) and head.method != "POST":
            raise RefusedError(405, "this path takes POST")
        given = head.headers.get(TOKEN_HEADER.lower())
        if given is not None:
            return self._owner(head, given)
        if head.path == LOGIN:
            return Admission.LOGIN
        if head.path == SINGLE_SIGN_ON:
            return Admission.SINGLE_SIGN_ON
        if head.path.startswith(TRANSFERS):
            return self._transfer(head)
        shown = self._digest(session_of(head))
        known: Container[bytes] = self._keys if head.path.startswith(RESULTS) else self._sessions
        if head.path.startswith(OWN) or shown not in known:
            raise RefusedError(200, refusal(head.path, {}))
        return Admission.GUEST

    def _owner(self, head: Head, given: str) -> Admission:
        if not self._is_token(given):
            raise RefusedError(200, refusal(head.path, {}))
        return Admission.OWNER

    def _transfer(self, head: Head) -> Admission:
        given = _BEARER.fullmatch(head.headers.get("authorization", ""))
        if given is None or self._digest(given[1]) not in self._doors:
            raise RefusedError(403, "the key of this stage is unknown here")
        if head.method not in ("GET", "HEAD", "PUT"):
            raise RefusedError(405, "a file is read or put")
        return Admission.GUEST

    def _refuse_browsers(self, head: Head) -> None:
        """Refuse what a page could send, and what was addressed to another name or port."""
        host = head.headers.get("host")
        if host is None:
            raise RefusedError(400, "the request names no Host")
        is_sent_by_page = any(
            name in _BROWSER_HEADERS or name.startswith("sec-") for name in head.headers
        )
        if is_sent_by_page or not _OWN_NAME.match(host):
            raise RefusedError(403, "this address is not for browsers")
        if host.lower() not in self._hosts:
            raise RefusedError(403, f"this address is {self._address}; the Host names another")

    def may_log_in(self, body: Mapping[str, Any]) -> bool:
        """Return whether a login's body carries the token, or what the account verifies."""
        data = body.get("data")
        if not isinstance(data, Mapping):
            return False
        way = _way_of(data)
        if way == _KEY_PAIR:
            return True
        if way in _BEARERS:
            return self._is_token(data.get("TOKEN"))
        given = data.get("PASSWORD")
        # Both are compared whatever the first says: the time tells nothing.
        return self._is_token(given) | self._is_fixed(given)

    def note(self, head: Head, answer: Mapping[str, Any]) -> None:
        """Remember the session that a login opened; forget the one that ended."""
        if not answer.get("success"):
            return
        data = answer.get("data") or {}
        key = (data.get("chunkHeaders") or {}).get("Authorization", "")
        if told := _AUTHORIZATION.fullmatch(key):
            self._remember(self._keys, told[1])
        door = ((data.get("stageInfo") or {}).get("creds") or {}).get("GCS_ACCESS_TOKEN")
        if door:
            self._remember(self._doors, door)
        if head.path == LOGIN:
            self._sessions.add(self._digest(str(answer["data"]["token"])))
        elif head.path == LOGOUT or (head.path == SESSION and head.field("delete") == "true"):
            self._sessions.discard(self._digest(session_of(head)))

    def _remember(self, keys: dict[bytes, None], key: str) -> None:
        keys[self._digest(key)] = None
        if len(keys) > _MOST_KEYS:
            del keys[next(iter(keys))]

    def _digest(self, session: str) -> bytes:
        # How long a look-up takes tells nothing about what was given.
        return hmac.digest(self._key, session.encode(), "sha256")

    def _is_token(self, given: object) -> bool:
        return _is_known(given, hashlib.sha256(self._token).digest())

    def _is_fixed(self, given: object) -> bool:
        return self._fixed is not None and _is_known(given, self._fixed)


def _is_known(given: object, digest: bytes) -> bool:
    if not isinstance(given, str):
        return False
    # Digests, because the comparison's time tells the lengths.
    sent = hashlib.sha256(given.encode("utf-8", "replace")).digest()
    return hmac.compare_digest(sent, digest)


def session_of(head: Head) -> str:
    """Return the session's token that a request carries; empty where it carries none."""
    found = _AUTHORIZATION.fullmatch(head.headers.get("authorization", ""))
    return found[1] if found else ""


def proof(token: str, nonce: str) -> str:
    """Return the keyed digest of a nonce."""
    return hmac.new(token.encode(), nonce.encode(), "sha256").hexdigest()


def refusal(path: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """Return Snowflake's answer to a wrong password or token, or to a session that is not there."""
    code, text = _NO_SESSION
    if path == LOGIN:
        data = body.get("data")
        code, text = _BEARERS.get(
            _way_of(data) if isinstance(data, Mapping) else "", _WRONG_PASSWORD
        )
    return {"success": False, "code": code, "message": text, "data": {"sqlState": "08001"}}


def _only(head: Head, method: str, way: Admission) -> Admission:
    if head.method != method:
        raise RefusedError(405, f"this path takes {method}")
    return way


def _way_of(data: Mapping[str, Any]) -> str:
    return str(data.get("AUTHENTICATOR") or "").upper()
