"""Requests: one HTTP/1.1 conversation with a client of a served account.

Room: work (runtime, loopback). In this order: the head is read, once; the gate judges it; only then
the body is read, within the bounds of whoever sends it; the wire is handed the path that was
judged, and of the headers the session and the host. Every request is answered or the line is cut; a
request that came too late is told so, which lets the client send it elsewhere.
"""

from __future__ import annotations

import json
import logging
import socket
from collections.abc import Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from skills_nb.runtime.loopback import gate, request_body, request_head
from skills_nb.runtime.loopback.client_line import ClientLine, CutError
from skills_nb.runtime.loopback.gate import Admission
from skills_nb.runtime.loopback.protocol import ASKS_STATE, BYTES, JSON, LOGIN, RESULTS, TRANSFERS
from skills_nb.runtime.loopback.request_head import Head, RefusedError

if TYPE_CHECKING:
    from skills_nb.runtime.loopback.served_account import ServedAccount

_IDLE_S = 3600.0
"""How long somebody who was let in may say nothing."""
_STRANGER_S = 10.0
"""How long a stranger may say nothing, and how long a login's body may take."""
_BODY_S = 60.0
"""How long a body that was let in may stop."""
_log = logging.getLogger(__name__)


class _Conversation:
    """Answers the requests of one connection until a side hangs up."""

    def __init__(self, serving: ServedAccount, connection: socket.socket) -> None:
        self._serving = serving
        self._connection = connection
        self._line = ClientLine(connection)
        self._unread = 0
        """Bytes of the body that are still to come."""
        self._is_known = False
        """Whether somebody who was let in speaks."""

    def hold(self) -> None:
        """Answer one request after the other."""
        while self._goes_on():
            self._unread = 0

    def _goes_on(self) -> bool:
        try:
            raw = self._line.head(_IDLE_S if self._is_known else _STRANGER_S)
            return raw is not None and self._answered(request_head.read(raw))
        except RefusedError as refused:
            self._send(refused.status, refused.document, True)
            self._line.last(min(self._unread, request_body.MOST_BYTES))
            return False

    def _answered(self, head: Head) -> bool:
        """Answer a request; return whether the next may come."""
        self._unread = head.length
        way = self._serving.gate.way(head)
        if way is Admission.GREETING:
            self._send(200, {"proof": self._serving.gate.proof(head.field("nonce"))}, head.is_last)
        else:
            self._work(head, way)
        return not head.is_last

    def _work(self, head: Head, way: Admission) -> None:
        if way in (Admission.GUEST, Admission.OWNER):
            self._let_in()
        body = self._body(head, way)
        if way is Admission.LOGIN and not self._serving.gate.may_log_in(body):
            self._send(200, gate.refusal(head.path, body), head.is_last)
            return
        if not self._serving.begin():
            raise RefusedError(503, "the account is closing")
        try:
            answer = self._handled(head, way, body)
            self._send(_status(head, answer), answer, head.is_last)
        finally:
            self._serving.end()

    def _body(self, head: Head, way: Admission) -> Mapping[str, Any]:
        """Read a body as far as whoever sends it is trusted."""
        is_trusted = way in (Admission.GUEST, Admission.OWNER)
        is_file = head.path.startswith(TRANSFERS)
        most = request_body.MOST_BYTES if is_trusted else request_body.MOST_LOGIN_BYTES
        most = request_body.MOST_FILE_BYTES if is_file else most
        if head.length > most:
            raise RefusedError(413, "the body is too large")
        self._invite(head)
        within_s = _BODY_S if is_trusted else _STRANGER_S
        raw = self._line.body(head.length, within_s, is_trusted=is_trusted)
        self._unread = 0
        if way is Admission.SINGLE_SIGN_ON:
            return {}
        if is_file:
            return {"content": raw}
        return request_body.document(head.path, raw, head.headers.get("content-encoding", ""), most)

    def _invite(self, head: Head) -> None:
        """Tell a client that waits with its body that it is welcome."""
        expected = head.headers.get("expect")
        if expected is None:
            return
        if expected.lower() != "100-continue":
            raise RefusedError(417, "the header Expect can only say 100-continue")
        self._line.send(b"HTTP/1.1 100 Continue\r\n\r\n")

    def _handled(self, head: Head, way: Admission, body: Mapping[str, Any]) -> Mapping[str, Any]:
        try:
            answer = self._serving.wire.handle(
                head.method, head.target, _passed_on(head, way), body
            )
        except Exception:  # noqa: BLE001 - a cut line would make the client send it again
            _log.exception("a request failed: %s %s", head.method, head.path)
            return _INCIDENT
        self._serving.gate.note(head, answer)
        if head.path == LOGIN and answer.get("success"):
            self._let_in()
        return answer

    def _let_in(self) -> None:
        if not self._is_known:
            self._is_known = True
            self._serving.let_in(self._connection)

    def _send(self, status: int, document: Mapping[str, Any], is_last: bool) -> None:
        piece = document.get("content")
        payload = json.dumps(document, default=str).encode() if piece is None else piece
        lines = [
            f"HTTP/1.1 {status} {HTTPStatus(status).phrase}",
            "Server: skills-nb",
            f"Content-Type: {JSON if piece is None else BYTES}",
            f"Content-Length: {document.get('length', len(payload))}",
            "Cache-Control: no-store",
            "X-Content-Type-Options: nosniff",
            *(["Connection: close"] if is_last else []),
        ]
        self._line.send("\r\n".join([*lines, "", ""]).encode() + payload)


def _status(head: Head, answer: Mapping[str, Any]) -> int:
    """Return the status of an answer; what is no document says by it alone that it failed."""
    if answer["success"]:
        return 200
    if head.path.startswith(TRANSFERS):
        return int(answer.get("status", 500))
    return 404 if head.path.startswith(RESULTS) else 200


_INCIDENT: Mapping[str, Any] = {
    "success": False,
    "code": "000603",
    "message": "SQL execution internal error:\nProcessing aborted by a defect of the embedded "
    "account; the log of its process has the details.",
    "data": {"errorCode": "000603", "sqlState": "XX000"},
}


def converse(serving: ServedAccount, connection: socket.socket) -> None:
    """Answer a client until it or the server hangs up."""
    try:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        _Conversation(serving, connection).hold()
    except (OSError, CutError):
        # The client is gone; it asks again, or does not want to know.
        return


_OF_FILES = {
    "authorization": "Authorization",
    "x-goog-if-generation-match": "x-goog-if-generation-match",
}
"""Headers that tell something about a file."""


def _passed_on(head: Head, way: Admission) -> Mapping[str, str]:
    """Return the headers that the account needs, written anew from what was judged."""
    session = gate.session_of(head)
    passed = {"Authorization": f'Snowflake Token="{session}"'} if session else {}
    passed["Host"] = head.headers["host"]
    if way is Admission.OWNER and ASKS_STATE.lower() in head.headers:
        passed[ASKS_STATE] = "wanted"
    if head.path.startswith(TRANSFERS):
        passed |= {name: head.headers[at] for at, name in _OF_FILES.items() if at in head.headers}
    return passed
