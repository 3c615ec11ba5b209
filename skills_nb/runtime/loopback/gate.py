"""The gate: who may enter a served account.

Room: work (runtime, loopback). The ways in: the token as the password, the OAuth token or the
programmatic access token of a login; the token in a header; or a session that a login opened, which
opens the connector's paths alone. A login by key pair is let through to the account, which verifies
it against the user's public key; so is a question for single sign-on, to be refused. Whatever
comes out of a browser stays outside: a page cannot leave out `Origin`, and a name that was bent to
127.0.0.1 shows in `Host`.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from skills_nb.runtime.loopback.protocol import LOGIN, OWN, SINGLE_SIGN_ON, TOKEN_HEADER

_OWN_NAMES = ("127.0.0.1", "localhost")
_BROWSER_HEADERS = ("Origin", "Sec-Fetch-Site", "Sec-Fetch-Mode")
_KEY_PAIR = "SNOWFLAKE_JWT"
_BEARERS = {
    "OAUTH": ("390303", "Invalid OAuth access token."),
    "PROGRAMMATIC_ACCESS_TOKEN": ("394400", "Programmatic access token is invalid."),
}
"""Ways to log in with a token instead of a password, and how a wrong one is answered."""
_WRONG_PASSWORD = ("390100", "Incorrect username or password was specified.")
_SESSION_PREFIX = 'Snowflake Token="'


class Gate:
    """Knows the token, and the sessions that were opened with it."""

    def __init__(self, token: str) -> None:
        """Guard with this token."""
        self._token = token.encode()
        self._sessions: set[str] = set()

    def proof(self, nonce: str) -> str:
        """Return what only somebody who knows the token can answer to a nonce."""
        return proof(self._token.decode(), nonce)

    def may_enter(self, path: str, headers: Mapping[str, str], body: Mapping[str, Any]) -> bool:
        """Return whether a request carries the token or an opened session."""
        if self._is_token(headers.get(TOKEN_HEADER)):
            return True
        if path.endswith(LOGIN):
            data = body.get("data")
            return isinstance(data, Mapping) and self._may_log_in(data)
        if path.startswith(OWN):
            return False
        if path.endswith(SINGLE_SIGN_ON):
            return True
        given = headers.get("Authorization") or ""
        return given.removeprefix(_SESSION_PREFIX).rstrip('"') in self._sessions

    def _may_log_in(self, data: Mapping[str, Any]) -> bool:
        way = _way_of(data)
        if way == _KEY_PAIR:
            return True
        return self._is_token(data.get("TOKEN" if way in _BEARERS else "PASSWORD"))

    def note(self, path: str, answer: Mapping[str, Any]) -> None:
        """Remember the session that a login opened."""
        if path.endswith(LOGIN) and answer.get("success"):
            self._sessions.add(str(answer["data"]["token"]))

    def _is_token(self, given: object) -> bool:
        return isinstance(given, str) and hmac.compare_digest(given.encode(), self._token)


def is_from_browser(headers: Mapping[str, str]) -> bool:
    """Return whether a browser sent the request, or it was addressed to another name."""
    if any(name in headers for name in _BROWSER_HEADERS):
        return True
    try:
        return urlsplit(f"//{headers.get('Host') or ''}").hostname not in _OWN_NAMES
    except ValueError:
        return True


def proof(token: str, nonce: str) -> str:
    """Return the keyed digest of a nonce."""
    return hmac.new(token.encode(), nonce.encode(), "sha256").hexdigest()


def _way_of(data: Mapping[str, Any]) -> str:
    return str(data.get("AUTHENTICATOR") or "").upper()


def refusal(path: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """Return Snowflake's answer to a wrong password or token, or to a session that is not there."""
    if path.endswith(LOGIN):
        code, text = _BEARERS.get(_way_of(body.get("data") or {}), _WRONG_PASSWORD)
    else:
        code = "390111"
        text = "Session no longer exists.  New login required to access the service."
    return {"success": False, "code": code, "message": text, "data": {"sqlState": "08001"}}
