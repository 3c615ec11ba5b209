"""Sharing: what an account tells other processes beyond what the connector asks.

Room: embedded. A process that loses the account's holder comes back with its sessions: each answer
carries what is needed to open the session again elsewhere, and the address that takes it back. What
cannot be carried (an open transaction, temporary objects) is named, never silently missing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

from skills_nb.embedded import errors
from skills_nb.embedded.catalog import codec
from skills_nb.embedded.catalog.entities import Entity
from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.embedded.session.session_state import Frame
from skills_nb.embedded.storage.store import Store
from skills_nb.embedded.tools import export, far_rows
from skills_nb.embedded.types import default_clock
from skills_nb.embedded.wire import EmbeddedWire
from skills_nb.errors import SqlError

Document = dict[str, Any]

CATALOG = "/skills/v1/catalog"
"""Address of the catalog's records, for a rehearsal in another process."""
SCRIPT = "/skills/v1/script"
"""Address of the account as a SQL script."""
ROWS = "/skills/v1/rows"
"""Address of rows, for a rehearsal in another process."""
RESUME = "/skills/v1/resume"
"""Address that takes a session back."""
ASKS_STATE = "Skills-Session"
"""Header of a request whose answer is to carry the session's state."""
_STATEFUL = ("/session/v1/login-request", "/queries/v1/query-request")


class SharedAccountWire(EmbeddedWire):
    """An account for several processes. Implements `ports.Wire`."""

    def __init__(self, account: Account) -> None:
        """Answer for this account."""
        super().__init__(account)
        self._owners: frozenset[int] = frozenset()
        self._owners_of = -1

    @classmethod
    def open(cls, folder: Path) -> SharedAccountWire:
        """Open the account kept in a folder.

        Raises:
            SkillsError: its file is damaged, or another process has it open.
        """
        return cls(Account.open(folder))

    @property
    def account(self) -> Account:
        """Return the account behind the wire."""
        return self._account

    def handle(
        self, method: str, url: str, headers: Mapping[str, str], body: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Answer one request; answers that change a session carry its state."""
        path = urlparse(url).path.rstrip("/")
        if path == CATALOG:
            return _done({"records": self._records()})
        if path == SCRIPT:
            return self._script()
        if path == ROWS:
            return _done(far_rows.answer(self._account, body))
        if path == RESUME:
            return self._resumed(body)
        answer = super().handle(method, url, headers, body)
        if ASKS_STATE in headers and path in _STATEFUL and answer["success"]:
            token = answer["data"].get("token") or self._token(headers)
            answer["data"]["session"] = {"resume": RESUME, "state": self._state(token)}
        return answer

    def close(self) -> None:
        """End every session and close the account."""
        with self._account.lock:
            for session in self._sessions.values():
                session.close()
            self._sessions.clear()
            self._account.close()

    def abandon(self) -> None:
        """Let go of the parent's lock in a forked child, and of nothing else."""
        self._account.store.abandon()

    def _records(self) -> list[str]:
        with self._account.lock:
            return [codec.dump(record) for record in self._account.catalog.records()]

    def _script(self) -> Document:
        try:
            return _done({"script": "".join(export.export(self._account))})
        except SqlError as error:
            return _refused(error)

    def _state(self, token: str) -> Document:
        session = self._sessions[token]
        frame = session.frame
        return {
            "token": token,
            "user": session.user,
            "role": frame.role,
            "warehouse": frame.warehouse,
            "database": frame.database,
            "schema": frame.schema,
            "secondary_mode": frame.secondary_mode,
            "secondary_list": list(frame.secondary_list),
            "client": session.client,
            "knows_clouds_alone": session.knows_clouds_alone,
            "parameters": dict(session.parameters),
            "variables": {name: _sql(value) for name, value in frame.variables.items()},
            "lost": list(self._unportable(session)),
        }

    def _unportable(self, session: AccountSession) -> Iterable[str]:
        if session.in_transaction:
            yield "open transaction"
        if session.id in self._temporary_owners():
            yield "temporary objects"

    def _temporary_owners(self) -> frozenset[int]:
        """Return the sessions that have temporary objects, looked up once per catalog version."""
        catalog = self._account.catalog
        if self._owners_of != catalog.version:
            found = {getattr(e.detail, "temporary", 0) for e in catalog.all(Entity)}
            self._owners, self._owners_of = frozenset(found - {0}), catalog.version
        return self._owners

    def _resumed(self, state: Mapping[str, Any]) -> Document:
        """Open a session again as it was; one that is still here goes on."""
        token = str(state.get("token"))
        if token in self._sessions:
            return _done({"lost": []})
        try:
            lost = list(state["lost"])
            self._sessions[token] = self._reopened(state)
        except SqlError as error:
            return _refused(error)
        except (LookupError, TypeError, ValueError):
            # Not a state that was told here, as another release's may be.
            return _refused(errors.session_gone())
        return _done({"lost": lost})

    def _reopened(self, state: Mapping[str, Any]) -> AccountSession:
        session = self._account.session(str(state["user"]))
        if state["role"] not in session.available_roles():
            session.close()
            raise errors.session_gone()
        session.frame = Frame(
            state["role"],
            state["warehouse"],
            database=state["database"],
            schema=state["schema"],
            secondary_mode=state["secondary_mode"],
            secondary_list=tuple(state["secondary_list"]),
            variables={n: session.parse_expression(t) for n, t in state["variables"].items()},
        )
        session.client = state["client"]
        session.knows_clouds_alone = bool(state["knows_clouds_alone"])
        session.parameters.update(state["parameters"])
        return session


def twin(records: Iterable[str]) -> Account:
    """Return an account in memory with a catalog that was read from `CATALOG`, and no rows."""
    account = Account(Store(None), clock=default_clock.system_clock, ids=default_clock.system_ids)
    for record in records:
        account.catalog.put(codec.load(record))
    account.catalog.take_journal()
    account.postpone_tables()
    return account


def _sql(value: Any) -> str:
    return value.sql("snowflake") if hasattr(value, "sql") else json.dumps(value)


def _refused(error: SqlError) -> Document:
    code = f"{error.errno or 0:06d}"
    return {"success": False, "code": code, "message": error.message, "data": {}}


def _done(data: Document) -> Document:
    return {"success": True, "code": None, "message": None, "data": data}
