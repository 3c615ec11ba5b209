"""Statements on the wire: run at once, several in one request, or beside what the client does next.

Room: embedded. An asynchronous statement works in a thread of its own, which takes the account's
lock before its sender hears that it was accepted: what the session does next comes after it, as it
was sent. What became of the latest statements is kept for those who ask later.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer.parameters import checked, effective
from skills_nb.embedded.engine import cancellation
from skills_nb.embedded.session.session_state import Mover
from skills_nb.embedded.types.data_types import text as text_type
from skills_nb.embedded.types.values import Column, Result
from skills_nb.embedded.wire import answers, chunks, encoding
from skills_nb.embedded.wire.answers import Document
from skills_nb.embedded.wire.types import statement_type_id
from skills_nb.errors import SqlError
from skills_nb.sql.statements import split

if TYPE_CHECKING:
    from skills_nb.embedded.engine.account import Account
    from skills_nb.embedded.engine.session import AccountSession

_KEPT_ANSWERS = 500
_PAUSE_S = 0.005
_COUNT = "MULTI_STATEMENT_COUNT"
_LIMIT = "STATEMENT_TIMEOUT_IN_SECONDS"
_MULTIPLE = Column("multiple statement execution", text_type(256))


class Statements:
    """Runs what sessions send, and remembers what became of it."""

    def __init__(self, account: Account, *, nested: bool = False) -> None:
        """Work for this account; `nested` where another statement of the session asks."""
        self._account = account
        self._nested = nested
        self._answers: OrderedDict[str, tuple[int, Document]] = OrderedDict()
        """What became of statements, each with the number of its user."""
        self._running: dict[str, int] = {}
        """Statements at work, with the numbers of their users."""

    def take(self, session: AccountSession, body: Mapping[str, Any]) -> Document:
        """Answer a request to run statements."""
        query_id = self._account.ids()
        if not body.get("asyncExec"):
            return self._answered(session, body, query_id)
        if cancellation.is_inside(self._account):
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
                self._running.pop(query_id, None)

        self._running[query_id] = session.user_id
        threading.Thread(target=work, name=f"skills-{query_id}", daemon=True).start()
        begun.wait()

    def _answered(
        self, session: AccountSession, body: Mapping[str, Any], query_id: str
    ) -> Document:
        answer = self._run(session, body, query_id)
        self._keep(session, query_id, answer)
        return answer

    def _run(self, session: AccountSession, body: Mapping[str, Any], query_id: str) -> Document:
        try:
            session.require_user()
            given = _parameters(body)
        except SqlError as error:
            return answers.refused(error, session)
        sql = str(body.get("sqlText", ""))
        wanted = given.get(_COUNT, effective(session, _COUNT))
        texts = [s.text for s in split(sql)] if wanted != 1 else [sql]
        tag = str(given["QUERY_TAG"]) if "QUERY_TAG" in given else None
        session.statement_limit_s = given.get(_LIMIT, 0)
        if wanted != 1 and len(texts) != 1:
            return self._many(session, texts, wanted, tag, query_id, body)
        return self._one(session, texts[0] if texts else sql, body, tag, query_id)

    def _one(
        self,
        session: AccountSession,
        sql: str,
        body: Mapping[str, Any],
        tag: str | None,
        query_id: str,
    ) -> Document:
        if self._nested:
            execute: Callable[..., Result] = partial(session.nested, mover=Mover.CLIENT)
            tag = session.statement.tag if tag is None else tag
        else:
            session.moves_files = Mover.CLIENT
            execute = partial(session.execute, columnar=answers.is_columnar(session, body))
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
        return answers.result(session, made, body)

    def _many(
        self,
        session: AccountSession,
        texts: list[str],
        wanted: int,
        tag: str | None,
        query_id: str,
        body: Mapping[str, Any],
    ) -> Document:
        """Run several statements: the answer names the results, which are asked for one by one."""
        alike = {"describeOnly": body.get("describeOnly")}
        if wanted not in (0, len(texts)):
            return answers.refused(errors.statement_count(len(texts), wanted), session)
        made: list[Document] = []
        for text in texts:
            own_id = self._account.ids()
            answer = self._one(session, text, alike, tag, own_id)
            self._keep(session, own_id, answer)
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

    def _keep(self, session: AccountSession, query_id: str, answer: Document) -> None:
        self._answers[query_id] = session.user_id, answer
        while len(self._answers) > _KEPT_ANSWERS:
            self._answers.popitem(last=False)

    # ---- asked later

    def chunk(self, query_id: str, number: int, key: str) -> Document:
        """Answer with a piece of a result, to whoever was told its key.

        Raises:
            SqlError: there is no such piece, or not any more (709).
        """
        kept = self._account.results.get(query_id)
        content = chunks.content(kept, number, key) if kept is not None else None
        if content is None:
            raise errors.no_result(query_id)
        return {"success": True, "content": content}

    def result(self, session: AccountSession, query_id: str) -> Document:
        """Answer what became of a statement of the same user; of others' nothing is known."""
        if self._is_running(session, query_id):
            return answers.in_progress(query_id)
        answer = self._answer_of(session, query_id)
        if answer is None:
            return answers.refused(errors.no_result(query_id), session)
        if answer["success"]:
            try:
                session.kept_result(query_id)
            except SqlError as error:
                return answers.refused(error, session)
        return answer

    def _is_running(self, session: AccountSession, query_id: str) -> bool:
        return self._running.get(query_id) == session.user_id

    def _answer_of(self, session: AccountSession, query_id: str) -> Document | None:
        user_id, answer = self._answers.get(query_id, (0, None))
        return answer if user_id == session.user_id else None

    def status(self, session: AccountSession, query_id: str) -> Document:
        """Answer how far a statement of the same user is; of others' nothing is known."""
        if self._is_running(session, query_id):
            return answers.done({"queries": [_status(query_id, "RUNNING", "RUNNING")]})
        answer = self._answer_of(session, query_id)
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
            for watch in cancellation.of_session(session):
                watch.stop(errors.canceled())
        else:
            self._await_begin(query_id)
            if query_id in working:
                cancellation.cancel(session, working[query_id])
        return answers.done({})

    def _await_begin(self, query_id: str) -> None:
        """Wait until an accepted statement can be ended, which is a moment after its acceptance."""
        while query_id in self._running and query_id not in self._account.working:
            time.sleep(_PAUSE_S)


def _parameters(body: Mapping[str, Any]) -> dict[str, Any]:
    """Read the parameters that hold for one request.

    Raises:
        SqlError: they do not have the form of parameters (1003), or one has a value that it cannot
            have (1008).
    """
    given = body.get("parameters") or {}
    if not isinstance(given, Mapping):
        raise errors.bad_parameters()
    found = {str(name).upper(): value for name, value in given.items() if value is not None}
    for name in (_COUNT, _LIMIT):
        if name in found:
            found[name] = checked(name, found[name])
    return found


def _status(query_id: str, status: str, state: str) -> Document:
    return {
        "id": query_id,
        "status": status,
        "state": state,
        "errorCode": None,
        "errorMessage": None,
    }
