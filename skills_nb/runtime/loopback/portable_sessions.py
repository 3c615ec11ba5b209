"""Sessions that outlive their holder: what each needs to go on elsewhere.

Room: work (runtime, loopback). The state comes with the answers of a remote wire and goes back as
it came; nobody here reads it, except for what it says cannot come along.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

from skills_nb.ports import Wire
from skills_nb.runtime.loopback.protocol import LOGIN, LOGOUT, QUERY
from skills_nb.sql.classify import Kind, kind_of


class StateLostError(Exception):
    """A session went on elsewhere, without all of its state."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a connector asked."""

    method: str
    """HTTP's, upper case."""
    url: str
    """With its query, as the connector wrote it."""
    headers: Mapping[str, str]
    """By name, as the connector wrote them."""
    body: Mapping[str, Any]
    """The JSON that was sent, unpacked; empty where there was none."""

    @property
    def path(self) -> str:
        """Return the path, without a slash at its end."""
        return urlsplit(self.url).path.rstrip("/")

    @property
    def token(self) -> str:
        """Return the session's token; empty before it has one."""
        return str(self.headers.get("Authorization", "")).partition('Token="')[2].rstrip('"')

    @property
    def is_farewell(self) -> bool:
        """Return whether the session ends with it."""
        asked = parse_qs(urlsplit(self.url).query)
        return self.path == LOGOUT or asked.get("delete") == ["true"]

    def is_repeatable(self) -> bool:
        """Return whether doing it twice changes no more than doing it once."""
        if self.path != QUERY or self.body.get("describeOnly"):
            return True
        return kind_of(str(self.body.get("sqlText", ""))) is Kind.READ


@dataclass(slots=True)
class _Known:
    state: dict[str, Any]
    resume: str
    wire: Wire
    """Where the session is."""


class Sessions:
    """The sessions of this process, by token."""

    def __init__(self) -> None:
        """Start with none."""
        self._known: dict[str, _Known] = {}
        self._lock = threading.Lock()

    def note(self, request: Request, answer: Mapping[str, Any], wire: Wire) -> None:
        """Remember what an answer says of its session."""
        if request.is_farewell:
            self._known.pop(request.token, None)
            return
        told = (answer.get("data") or {}).get("session")
        if told is not None:
            known = _Known(dict(told["state"]), told["resume"], wire)
            self._known[known.state["token"]] = known

    def bring(self, request: Request, wire: Wire) -> None:
        """Make sure that a request's session is where the request goes.

        Raises:
            StateLostError: the session is there now, without all of its state.
            NotTakenError: the wire is not there any more.
        """
        known = self._known.get(request.token)
        if known is None or known.wire is wire or request.path == LOGIN:
            return
        with self._lock:
            if known.wire is wire:
                return
            answer = wire.handle("POST", f"http://127.0.0.1{known.resume}", {}, known.state)
            known.wire = wire
        if not answer["success"]:
            # The account refused it; the request itself will be told that it has no session.
            self._known.pop(request.token, None)
            return
        lost, known.state["lost"] = answer["data"]["lost"], []
        if lost and not request.is_farewell:
            raise StateLostError(
                f"the process that held the account ended, and with it this session's "
                f"{' and '.join(lost)}"
            )
