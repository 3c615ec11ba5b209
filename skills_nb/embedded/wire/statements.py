"""Statements on the wire: run at once, several in one request, or beside what the client does next.

Room: embedded. An asynchronous statement works in a thread of its own, which takes the account's
lock before its sender hears that it was accepted: what the session does next comes after it, as it
was sent. What became of the latest statements is kept for those who ask later.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from skills_nb.embedded import refusals, watching
from skills_nb.embedded.statements.parameters import effective
from skills_nb.embedded.types import text as text_type
from skills_nb.embedded.values import Column
from skills_nb.embedded.wire import answers, encoding
from skills_nb.embedded.wire.answers import Document
from skills_nb.embedded.wire.types import statement_type_id
from skills_nb.errors import SqlError
from skills_nb.sql.statements import split

if TYPE_CHECKING:
    from skills_nb.embedded.account import Account
    from skills_nb.embedded.session import AccountSession

_KEPT_ANSWERS = 500
_PAUSE_S = 0.005
_MULTIPLE = Column("multiple statement execution", text_type(256))


class Statements:
    """Runs what sessions send, and remembers what became of it."""

    def __init__(self, account: Account, *, nested: bool = False) -> None:
        """Work for this account; `nested` where another statement of the session asks."""
        self._account = account
        self._nested = nested
        self._answers: OrderedDict[str, Document] = OrderedDict()
        self._running: set[str] = set()

    def take(self, session: AccountSession, body: Mapping[str, Any]) -> Document:
        """Answer a request to run statements."""
        query_id = self._account.ids()
        if not body.get("asyncExec"):
            return self._answered(session, body, query_id)
        if watching.is_inside(self._account):
            # A procedure's own code asks: its thread has the lock, so nothing runs beside it.
            self._answered(session, body, query_id)
        else:
            self._begin(session, body, query_id)
        return answers.in_progress(query_id)

    def _begin(self, session: AccountSession, body: Mapping[str, Any], query_id: str) -> None:
        begun = threading.Event()

        def work() -> None:
            try:
                with self._account.lock:
                    begun.set()
                    self._answered(session, body, query_id)
            finally:
                begun.set()
                self._running.discard(query_id)

        self._running.add(query_id)
        threading.Thread(target=work, name=f"skills-{query_id}", daemon=True).start()
        begun.wait()

    def _answered(
        self, session: AccountSession, body: Mapping[str, Any], query_id: str
    ) -> Document:
        answer = self._run(session, body, query_id)
        self._keep(query_id, answer)
        return answer

    def _run(self, session: AccountSession, body: Mapping[str, Any], query_id: str) -> Document:
        given = {str(k).upper(): v for k, v in (body.get("parameters") or {}).items()}
        sql = str(body.get("sqlText", ""))
        wanted = int(
            given.get("MULTI_STATEMENT_COUNT", effective(session, "MULTI_STATEMENT_COUNT"))
        )
        texts = [s.text for s in split(sql)] if wanted != 1 else [sql]
        tag = given.get("QUERY_TAG")
        if wanted != 1 and len(texts) != 1:
            return self._many(session, texts, wanted, tag, query_id)
        return self._one(session, texts[0] if texts else sql, body, tag, query_id)

    def _one(
        self,
        session: AccountSession,
        sql: str,
        body: Mapping[str, Any],
        tag: str | None,
        query_id: str,
    ) -> Document:
        session.client_moves_files = True
        execute = session.nested if self._nested else session.execute
        try:
            made = execute(
                sql,
                bindings=body.get("bindings"),
                query_tag=tag,
                describe_only=bool(body.get("describeOnly")),
                query_id=query_id,
            )
        except SqlError as error:
            return answers.refused(error, session)
        return answers.result(session, made)

    def _many(
        self,
        session: AccountSession,
        texts: list[str],
        wanted: int,
        tag: str | None,
        query_id: str,
    ) -> Document:
        """Run several statements: the answer names the results, which are asked for one by one."""
        if wanted not in (0, len(texts)):
            return answers.refused(refusals.statement_count(len(texts), wanted), session)
        made: list[Document] = []
        for text in texts:
            own_id = self._account.ids()
            answer = self._one(session, text, {}, tag, own_id)
            self._keep(own_id, answer)
            if not answer["success"]:
                return answer
            made.append(answer["data"])
        return answers.done(
            {
                "queryId": query_id,
                "resultIds": ",".join(data["queryId"] for data in made),
                "resultTypes": ",".join(str(data["statementTypeId"]) for data in made),
                "rowtype": [encoding.row_type(_MULTIPLE)],
                "rowset": [["Multiple statements executed successfully."]],
                "total": 1,
                "returned": 1,
                "queryResultFormat": "json",
                "statementTypeId": statement_type_id("MULTI_STATEMENT"),
                **answers.surroundings(session),
            }
        )

    def _keep(self, query_id: str, answer: Document) -> None:
        self._answers[query_id] = answer
        while len(self._answers) > _KEPT_ANSWERS:
            self._answers.popitem(last=False)

    # ---- asked later

    def result(self, session: AccountSession, query_id: str) -> Document:
        """Answer what became of a statement."""
        if query_id in self._running:
            return answers.in_progress(query_id)
        answer = self._answers.get(query_id)
        if answer is None or not self._is_own(session, query_id, answer):
            return answers.refused(refusals.no_result(query_id), session)
        return answer

    def _is_own(self, session: AccountSession, query_id: str, answer: Document) -> bool:
        kept = self._account.results.get(query_id)
        return not answer["success"] or (
            kept is not None
            and kept.user == session.user
            and (kept.role or "PUBLIC") in session.active_roles()
        )

    def status(self, query_id: str) -> Document:
        """Answer how far a statement is."""
        if query_id in self._running:
            return answers.done({"queries": [_status(query_id, "RUNNING", "RUNNING")]})
        answer = self._answers.get(query_id)
        if answer is None:
            return answers.done({"queries": []})
        if answer["success"]:
            return answers.done({"queries": [_status(query_id, "SUCCESS", "SUCCEEDED")]})
        failed = _status(query_id, "FAILED_WITH_ERROR", "FAILED")
        return answers.done(
            {
                "queries": [
                    {**failed, "errorCode": answer["code"], "errorMessage": answer["message"]}
                ]
            }
        )

    def abort(self, session: AccountSession, query_id: str | None) -> Document:
        """End the session's statement, or one by its number; what is over already stays."""
        working = self._account.working
        if query_id is None:
            for watch in watching.of_session(session):
                watch.stop(refusals.canceled())
        else:
            self._await_begin(query_id)
            if query_id in working:
                watching.cancel(session, working[query_id])
        return answers.done({})

    def _await_begin(self, query_id: str) -> None:
        """Wait until an accepted statement can be ended, which is a moment after its acceptance."""
        while query_id in self._running and query_id not in self._account.working:
            time.sleep(_PAUSE_S)


def _status(query_id: str, status: str, state: str) -> Document:
    return {
        "id": query_id,
        "status": status,
        "state": state,
        "errorCode": None,
        "errorMessage": None,
    }
