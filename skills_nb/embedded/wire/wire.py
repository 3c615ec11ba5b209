"""The wire itself: requests in, documents out.

Room: embedded. Statements run when they arrive, also those that the client calls asynchronous: by
the time it asks, the answer is there.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qs, urlparse

from skills_nb.embedded import refusals
from skills_nb.embedded.account import Account
from skills_nb.embedded.session import AccountSession
from skills_nb.embedded.statements.parameters import KNOWN, checked, effective
from skills_nb.embedded.types import text as text_type
from skills_nb.embedded.values import Column
from skills_nb.embedded.wire import encoding
from skills_nb.embedded.wire.types import statement_type_id
from skills_nb.errors import SqlError
from skills_nb.sql.identifiers import SqlNameError, resolve
from skills_nb.sql.statements import split

Document = dict[str, Any]
_KEPT_ANSWERS = 500


class EmbeddedWire:
    """One account, as the connector sees it."""

    def __init__(self, account: Account) -> None:
        """Answer for this account."""
        self._account = account
        self._sessions: dict[str, AccountSession] = {}
        self._answers: OrderedDict[str, Document] = OrderedDict()

    def handle(
        self, method: str, url: str, headers: Mapping[str, str], body: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Answer one request; errors are answers with `success: false`, never exceptions."""
        parsed = urlparse(url)
        asked = {key: values[0] for key, values in parse_qs(parsed.query).items()}
        path = parsed.path.rstrip("/")
        for ending, answer in self._routes():
            if path.endswith(ending):
                return answer(asked, headers, body)
        if "/queries/" in path:
            return self._query_route(path, headers)
        return _refused(refusals.unsupported(f"{method} {path}"), None)

    def _routes(self) -> tuple[tuple[str, Callable[..., Document]], ...]:
        return (
            ("/session/v1/login-request", self._login),
            ("/queries/v1/query-request", self._query),
            ("/queries/v1/abort-request", self._abort),
            ("/session/token-request", self._renew),
            ("/session/heartbeat", self._heartbeat),
            ("/session", self._session),
            ("/telemetry/send", lambda *_: _done({})),
            ("/session/logout-request", self._logout),
        )

    # ---- sessions

    def _login(
        self, asked: Mapping[str, str], headers: Mapping[str, str], body: Mapping[str, Any]
    ) -> Document:
        given = body.get("data", {})
        try:
            user = self._account.user_by_login(str(given.get("LOGIN_NAME", "")))
            if user is None:
                raise refusals.bad_login()
            session = self._account.session(
                user.name,
                _stored(asked.get("roleName")),
                _stored(asked.get("warehouse")),
                _stored(asked.get("databaseName")),
                _stored(asked.get("schemaName")),
            )
            self._set_parameters(session, given.get("SESSION_PARAMETERS") or {})
        except SqlError as error:
            return _refused(error, None)
        session.client = f"{given.get('CLIENT_APP_ID')} {given.get('CLIENT_APP_VERSION')}"
        token = self._account.ids()
        self._sessions[token] = session
        return _done(self._welcome(session, token))

    def _set_parameters(self, session: AccountSession, given: Mapping[str, Any]) -> None:
        for name, value in given.items():
            if name.upper() in KNOWN:
                session.parameters[name.upper()] = checked(name.upper(), value)

    def _welcome(self, session: AccountSession, token: str) -> Document:
        return {
            "token": token,
            "masterToken": token,
            "validityInSeconds": 3600,
            "masterValidityInSeconds": 14400,
            "displayUserName": session.user,
            "serverVersion": self._account.info.version,
            "sessionId": session.id,
            "parameters": _parameters(session),
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
            raise refusals.session_gone()
        return session

    def _renew(
        self, asked: Mapping[str, str], headers: Mapping[str, str], body: Mapping[str, Any]
    ) -> Document:
        token = str(body.get("oldSessionToken") or self._token(headers))
        if token not in self._sessions:
            return _refused(refusals.session_gone(), None)
        return _done(
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
        try:
            self._session_of(headers)
        except SqlError as error:
            return _refused(error, None)
        return _done({})

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
        return _done({})

    # ---- statements

    def _query(
        self, asked: Mapping[str, str], headers: Mapping[str, str], body: Mapping[str, Any]
    ) -> Document:
        try:
            session = self._session_of(headers)
        except SqlError as error:
            return _refused(error, None)
        answer = self._run(session, body)
        self._keep(answer["data"].get("queryId"), answer)
        if body.get("asyncExec"):
            return self._accepted(session, answer)
        return answer

    def _run(self, session: AccountSession, body: Mapping[str, Any]) -> Document:
        given = {str(k).upper(): v for k, v in (body.get("parameters") or {}).items()}
        sql = str(body.get("sqlText", ""))
        wanted = int(
            given.get("MULTI_STATEMENT_COUNT", effective(session, "MULTI_STATEMENT_COUNT"))
        )
        tag = given.get("QUERY_TAG")
        texts = [s.text for s in split(sql)] if wanted != 1 else [sql]
        if wanted != 1 and len(texts) != 1:
            return self._many(session, texts, wanted, tag)
        return self._one(session, texts[0] if texts else sql, body, tag)

    def _one(
        self, session: AccountSession, sql: str, body: Mapping[str, Any], tag: str | None
    ) -> Document:
        session.client_moves_files = True
        try:
            result = session.execute(
                sql,
                bindings=body.get("bindings"),
                query_tag=tag,
                describe_only=bool(body.get("describeOnly")),
            )
        except SqlError as error:
            return _refused(error, session)
        data = {
            "parameters": _parameters(session),
            "rowtype": [encoding.row_type(column) for column in result.columns],
            "rowset": encoding.row_set(result),
            "total": len(result.rows),
            "returned": len(result.rows),
            "queryId": result.query_id,
            "queryResultFormat": "json",
            "statementTypeId": statement_type_id(result.statement_type),
            "version": 1,
            **_where(session),
            **(result.transfer or {}),
        }
        return _done(data)

    def _many(
        self, session: AccountSession, texts: list[str], wanted: int, tag: str | None
    ) -> Document:
        """Run several statements: the answer names the results, which are asked for one by one."""
        if wanted not in (0, len(texts)):
            return _refused(refusals.statement_count(len(texts), wanted), session)
        answers: list[Document] = []
        for text in texts:
            answer = self._one(session, text, {}, tag)
            self._keep(answer["data"].get("queryId"), answer)
            if not answer["success"]:
                return answer
            answers.append(answer)
        kinds = [str(a["data"]["statementTypeId"]) for a in answers]
        data = {
            "parameters": _parameters(session),
            "queryId": self._account.ids(),
            "resultIds": ",".join(a["data"]["queryId"] for a in answers),
            "resultTypes": ",".join(kinds),
            "rowtype": [encoding.row_type(_MULTIPLE)],
            "rowset": [["Multiple statements executed successfully."]],
            "total": 1,
            "returned": 1,
            "queryResultFormat": "json",
            "statementTypeId": statement_type_id("MULTI_STATEMENT"),
            **_where(session),
        }
        return _done(data)

    def _keep(self, query_id: str | None, answer: Document) -> None:
        if query_id:
            self._answers[query_id] = answer
            while len(self._answers) > _KEPT_ANSWERS:
                self._answers.popitem(last=False)

    def _accepted(self, session: AccountSession, answer: Document) -> Document:
        query_id = answer["data"].get("queryId")
        return {
            "success": True,
            "code": "333334",
            "message": "Asynchronous execution in progress. Use provided query id to perform "
            "query monitoring and management.",
            "data": {
                "queryId": query_id,
                "getResultUrl": f"/queries/{query_id}/result",
                "queryAbortsAfterSecs": 300,
                "progressDesc": None,
            },
        }

    def _query_route(self, path: str, headers: Mapping[str, str]) -> Document:
        """Answer `/queries/ID/result`, `/monitoring/queries/ID` and `/queries/ID`."""
        parts = path.split("/")
        query_id = parts[parts.index("queries") + 1]
        try:
            session = self._session_of(headers)
        except SqlError as error:
            return _refused(error, None)
        if "monitoring" in parts:
            return self._monitored(session, query_id)
        answer = self._answers.get(query_id)
        if answer is None or not self._is_own(session, query_id, answer):
            return _refused(refusals.no_result(query_id), session)
        return answer

    def _is_own(self, session: AccountSession, query_id: str, answer: Document) -> bool:
        kept = self._account.results.get(query_id)
        return not answer["success"] or (
            kept is not None
            and kept.user == session.user
            and (kept.role or "PUBLIC") in session.active_roles()
        )

    def _monitored(self, session: AccountSession, query_id: str) -> Document:
        answer = self._answers.get(query_id)
        if answer is None:
            return _done({"queries": []})
        failed = not answer["success"]
        query = {
            "id": query_id,
            "status": "FAILED_WITH_ERROR" if failed else "SUCCESS",
            "state": "FAILED" if failed else "SUCCEEDED",
            "errorCode": answer.get("code"),
            "errorMessage": answer.get("message"),
        }
        return _done({"queries": [query]})

    def _abort(
        self, asked: Mapping[str, str], headers: Mapping[str, str], body: Mapping[str, Any]
    ) -> Document:
        try:
            self._session_of(headers).cursor.interrupt()
        except SqlError as error:
            return _refused(error, None)
        return _done({})


_MULTIPLE = Column("multiple statement execution", text_type(256))


def _stored(given: str | None) -> str | None:
    """Return the stored name for what a connect string says."""
    if not given:
        return None
    try:
        return resolve(given)
    except SqlNameError:
        return given


def _parameters(session: AccountSession) -> list[Document]:
    return [{"name": name, "value": effective(session, name)} for name in KNOWN]


def _where(session: AccountSession) -> Document:
    return {
        "finalDatabaseName": session.database,
        "finalSchemaName": session.schema,
        "finalWarehouseName": session.warehouse,
        "finalRoleName": session.role,
    }


def _done(data: Document) -> Document:
    return {"success": True, "code": None, "message": None, "data": data}


def _refused(error: SqlError, session: AccountSession | None) -> Document:
    code = f"{error.errno:06d}" if error.errno is not None else "000000"
    data: Document = {
        "internalError": False,
        "errorCode": code,
        "sqlState": error.sqlstate or "",
        "queryId": error.query_id,
        "line": -1,
        "pos": -1,
        "type": "COMPILATION",
        **(_where(session) if session else {}),
    }
    return {"success": False, "code": code, "message": str(error), "data": data}
