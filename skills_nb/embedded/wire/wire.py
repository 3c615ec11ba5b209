"""The wire itself: requests in, documents out.

Room: embedded. A path is a route as a whole or none at all: whoever lets requests in has judged
that very path. Whatever goes wrong is an answer with Snowflake's number: a connector that meets an
exception instead would send the request again.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qs, urlparse

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer.parameters import KNOWN, checked
from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.embedded.wire import answers, chunks, logins, transfers
from skills_nb.embedded.wire.answers import Document
from skills_nb.embedded.wire.client_options import is_clients_own, knows_clouds_alone
from skills_nb.embedded.wire.repeats import Repeats
from skills_nb.embedded.wire.statements import Statements
from skills_nb.errors import SqlError
from skills_nb.sql.identifiers import SqlNameError, resolve

_LOG = logging.getLogger("skills_nb.embedded")
_OF_QUERY = re.compile(
    r"(?P<monitoring>/monitoring)?/queries/(?P<id>[^/]+)(?P<wish>/result|/abort-request)?"
)


class EmbeddedWire:
    """One account, as the connector sees it."""

    def __init__(self, account: Account) -> None:
        """Answer for this account."""
        self._account = account
        self._sessions: dict[str, AccountSession] = {}
        self._statements = Statements(account)
        self._repeats = Repeats()

    def handle(
        self, method: str, url: str, headers: Mapping[str, str], body: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Answer one request; errors are answers with `success: false`, never exceptions."""
        try:
            made = chunks.addressed(self._routed(method, url, headers, body), url, headers)
            return transfers.addressed(made, headers)
        except SqlError as error:
            return answers.refused(error, None)
        except Exception as error:  # noqa: BLE001 - told to the client, and kept in the log
            refusal = errors.incident(self._account.ids())
            _LOG.error("%s in %s %s", refusal.message, method, url, exc_info=error)
            return answers.refused(refusal, None)

    def _routed(
        self, method: str, url: str, headers: Mapping[str, str], body: Mapping[str, Any]
    ) -> Document:
        parsed = urlparse(url)
        asked = {key: values[0] for key, values in parse_qs(parsed.query).items()}
        path = parsed.path.rstrip("/")
        answer = self._routes().get(path)
        if answer is not None:
            return answer(asked, headers, body)
        if path.startswith(transfers.PREFIX):
            doors = self._account.files.doors
            return dict(transfers.answered(doors, method, path, headers, body))
        piece = chunks.PATH.fullmatch(path)
        if piece is not None:
            return self._statements.chunk(piece["id"], int(piece["number"]), self._token(headers))
        one = _OF_QUERY.fullmatch(path)
        if one is not None:
            return self._query_route(one, headers)
        raise errors.unsupported(f"{method} {path}")

    def _routes(self) -> Mapping[str, Callable[..., Document]]:
        return {
            "/session/v1/login-request": self._login,
            "/session/authenticator-request": self._single_sign_on,
            "/queries/v1/query-request": self._query,
            "/queries/v1/abort-request": self._abort,
            "/session/token-request": self._renew,
            "/session/heartbeat": self._heartbeat,
            "/session": self._session,
            "/telemetry/send": lambda *_: answers.done({}),
            "/session/logout-request": self._logout,
        }

    # ---- sessions

    def _login(
        self, asked: Mapping[str, str], headers: Mapping[str, str], body: Mapping[str, Any]
    ) -> Document:
        given = body.get("data", {})
        name, client = str(given.get("LOGIN_NAME", "")), given.get("CLIENT_APP_ID")
        about = (client, given.get("CLIENT_APP_VERSION"))
        try:
            session = self._entered(name, asked, given)
        except SqlError as error:
            self._note(name.upper(), None, about, error)
            raise
        self._note(session.user, session.id, about, None)
        session.client = f"{client} {given.get('CLIENT_APP_VERSION')}"
        session.knows_clouds_alone = knows_clouds_alone(session.client, given)
        return self._begun(session)

    def _single_sign_on(
        self, asked: Mapping[str, str], headers: Mapping[str, str], body: Mapping[str, Any]
    ) -> Document:
        raise errors.unsupported("single sign-on")

    def _begun(self, session: AccountSession) -> Document:
        token = self._account.ids()
        self._sessions[token] = session
        return answers.done(self._welcome(session, token))

    def _entered(
        self, name: str, asked: Mapping[str, str], given: Mapping[str, Any]
    ) -> AccountSession:
        user = self._account.user_by_login(name)
        if user is None:
            raise errors.bad_login()
        logins.check(self._account, user, given)
        session = self._account.session(
            user.name,
            _stored(asked.get("roleName")),
            _stored(asked.get("warehouse")),
            _stored(asked.get("databaseName")),
            _stored(asked.get("schemaName")),
        )
        _set_parameters(session, given.get("SESSION_PARAMETERS") or {})
        return session

    def _note(
        self, user: str, session: int | None, about: tuple[Any, ...], error: SqlError | None
    ) -> None:
        """Remember the login for LOGIN_HISTORY."""
        code, said = (error.errno, error.message) if error else (None, None)
        with self._account.lock:
            moment = self._account.clock()
            self._account.store.append_login((moment, user, session, *about, code, said))

    def _welcome(self, session: AccountSession, token: str) -> Document:
        return {
            "token": token,
            "masterToken": token,
            "validityInSeconds": 3600,
            "masterValidityInSeconds": 14400,
            "displayUserName": session.user,
            "serverVersion": self._account.info.version,
            "sessionId": session.id,
            "parameters": answers.parameters(session),
            "sessionInfo": {
                "databaseName": session.database,
                "schemaName": session.schema,
                "warehouseName": session.warehouse,
                "roleName": session.role,
            },
        }

    def _token(self, headers: Mapping[str, str]) -> str:
        value = str(headers.get("Authorization", ""))
        return value.partition('Token="')[2].rstrip('"')

    def _session_of(self, headers: Mapping[str, str]) -> AccountSession:
        session = self._sessions.get(self._token(headers))
        if session is None:
            raise errors.session_gone()
        self._admit(session)
        return session

    def _admit(self, session: AccountSession) -> None:
        """Refuse a session whose user was disabled or dropped since it began."""
        session.require_user()

    def _renew(
        self, asked: Mapping[str, str], headers: Mapping[str, str], body: Mapping[str, Any]
    ) -> Document:
        token = str(body.get("oldSessionToken") or self._token(headers))
        if token not in self._sessions:
            raise errors.session_gone()
        self._admit(self._sessions[token])
        return answers.done(
            {
                "sessionToken": token,
                "masterToken": token,
                "validityInSecondsST": 3600,
                "validityInSecondsMT": 14400,
                "sessionId": self._sessions[token].id,
            }
        )

    def _heartbeat(
        self, asked: Mapping[str, str], headers: Mapping[str, str], body: Mapping[str, Any]
    ) -> Document:
        self._session_of(headers)
        return answers.done({})

    def _session(
        self, asked: Mapping[str, str], headers: Mapping[str, str], body: Mapping[str, Any]
    ) -> Document:
        if asked.get("delete") == "true":
            return self._logout(asked, headers, body)
        return self._heartbeat(asked, headers, body)

    def _logout(
        self, asked: Mapping[str, str], headers: Mapping[str, str], body: Mapping[str, Any]
    ) -> Document:
        session = self._sessions.pop(self._token(headers), None)
        if session is not None:
            session.close()
        return answers.done({})

    # ---- statements

    def _query(
        self, asked: Mapping[str, str], headers: Mapping[str, str], body: Mapping[str, Any]
    ) -> Document:
        session = self._session_of(headers)
        return self._repeats.once(
            self._token(headers),
            asked.get("requestId", ""),
            lambda: self._statements.take(session, body),
        )

    def _abort(
        self, asked: Mapping[str, str], headers: Mapping[str, str], body: Mapping[str, Any]
    ) -> Document:
        return self._statements.abort(self._session_of(headers), None)

    def _query_route(self, asked: re.Match[str], headers: Mapping[str, str]) -> Document:
        """Answer `/monitoring/queries/ID`, and `/queries/ID` with what may follow it."""
        query_id = asked["id"]
        session = self._session_of(headers)
        if asked["monitoring"]:
            return self._statements.status(session, query_id)
        if asked["wish"] == "/abort-request":
            return self._statements.abort(session, query_id)
        return self._statements.result(session, query_id)


def _set_parameters(session: AccountSession, given: Mapping[str, Any]) -> None:
    """Take a login's parameters; one that the account knows and cannot follow is refused."""
    for name, value in given.items():
        if name.upper() in KNOWN or not is_clients_own(name.upper()):
            session.parameters[name.upper()] = checked(name.upper(), value)


def _stored(given: str | None) -> str | None:
    """Return the stored name for what a connect string says."""
    if not given:
        return None
    try:
        return resolve(given)
    except SqlNameError:
        return given
