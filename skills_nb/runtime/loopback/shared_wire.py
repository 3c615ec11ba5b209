"""The shared wire: one account for several processes, here or wherever it is held.

Room: work (runtime, loopback). The first process that needs the account holds its folder and serves
it; the others reach it there. When the holder is gone, the next request of a survivor takes over:
it opens the account, serves it, and brings its own sessions along. A request is sent twice only
where that cannot change anything; else its sender is told that its fate is unknown (250001).
"""

from __future__ import annotations

import os
import sys
import threading
import time
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from skills_nb.errors import SkillsError
from skills_nb.ports import Wire
from skills_nb.runtime.loopback import address_file as addresses
from skills_nb.runtime.loopback import folder_lock as locks
from skills_nb.runtime.loopback.address_file import Address
from skills_nb.runtime.loopback.folder_lock import FolderLock
from skills_nb.runtime.loopback.portable_sessions import Request, Sessions, StateLostError
from skills_nb.runtime.loopback.remote_wire import LostError, NotTakenError, RemoteWire
from skills_nb.runtime.loopback.server import Server, serve

PATIENCE_S = 20.0
"""How long a holder may stay silent before its clients give up."""
_STARTING_S = 60.0
"""How long a holder may take until it serves: a new account is filled first."""
_SETTLING_S = 3.0
"""How long a dead holder's locks may outlive its connections."""
_PAUSE_S = 0.02
_UNKNOWN, _UNREACHABLE, _GONE = "250001", "251011", "390111"
"""Snowflake's numbers: the connection is lost, could not be made, the session is no more."""


class HeldAccount(Wire, Protocol):
    """An account that this process has open."""

    def close(self) -> None:
        """Close it."""
        ...

    def abandon(self) -> None:
        """Let go of what a forked child inherited, and of nothing else."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class _Here:
    wire: HeldAccount
    server: Server
    lock: FolderLock

    @property
    def address(self) -> Address:
        return self.server.address

    def close(self) -> None:
        self.server.close()
        self.wire.close()
        self.lock.release()

    def abandon(self) -> None:
        self.server.abandon()
        self.wire.abandon()
        self.lock.release()


@dataclass(frozen=True, slots=True, eq=False)
class _There:
    wire: RemoteWire

    @property
    def address(self) -> Address:
        return self.wire.address

    def close(self) -> None:
        self.wire.close()

    def abandon(self) -> None:
        self.wire.close()


class SharedWire:
    """The account of a folder, whoever holds it. Implements `ports.Wire`."""

    def __init__(
        self,
        folder: Path,
        opens: Callable[[Path], HeldAccount],
        *,
        port: int = 0,
        password: str = "",
        patience_s: float = PATIENCE_S,
    ) -> None:
        """Remember the folder; nothing is opened yet.

        Args:
            folder: where the account's files are; made when missing.
            opens: opens the account in this process; called by whoever has the folder's lock.
            port: where to serve it, if this process comes to hold it; 0 for any free one.
            password: a fixed one that opens logins, if this process comes to hold it.
            patience_s: how long a holder may stay silent.
        """
        self.folder = folder
        self._opens = opens
        self._port = port
        self._password = password
        self._patience_s = patience_s
        self._lock = threading.RLock()
        self._place: _Here | _There | None = None
        self._sessions = Sessions()
        self._is_closed = False
        _every.add(self)

    def handle(
        self, method: str, url: str, headers: Mapping[str, str], body: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Answer one request; errors are answers with `success: false`, never exceptions."""
        if self._is_closed:
            return _refusal(_GONE, "Session no longer exists.  New login required.")
        try:
            return self._answered(Request(method, url, headers, body))
        except LostError as problem:
            return _refusal(_UNKNOWN, f"{problem}: nobody knows whether the statement ran")
        except StateLostError as problem:
            return _refusal(_UNKNOWN, f"{problem}; the statement did not run")
        except SkillsError as problem:
            return _refusal(_UNREACHABLE, f"{problem.message}; {problem.hint or ''}".rstrip("; "))

    @property
    def is_holder(self) -> bool:
        """Return whether this process holds the account now."""
        return isinstance(self._place, _Here)

    def address(self) -> Address:
        """Return where the account is served; it is opened here if nobody has it.

        Raises:
            SkillsError: it cannot be opened, or its holder does not react.
        """
        return self._present().address

    def held(self) -> HeldAccount | None:
        """Return the account itself where this process holds it, opened if nobody has it.

        Raises:
            SkillsError: it cannot be opened, or its holder does not react.
        """
        place = self._present()
        return place.wire if isinstance(place, _Here) else None

    def close(self) -> None:
        """Let go: the account is closed where it was open here; another process goes on with it."""
        with self._lock:
            self._is_closed = True
            place, self._place = self._place, None
        if place is not None:
            place.close()

    def forget(self) -> None:
        """Forget in a forked child what belongs to its parent; the next request goes there."""
        place, self._place = self._place, None
        self._lock = threading.RLock()
        if place is not None:
            # Kept, because its end would close the parent's database.
            _abandoned.append(place)
            place.abandon()

    # ---- requests

    def _answered(self, request: Request) -> Mapping[str, Any]:
        while True:
            place = self._present()
            try:
                self._sessions.bring(request, place.wire)
                answer = place.wire.handle(
                    request.method, request.url, request.headers, request.body
                )
            except NotTakenError:
                self._leave(place)
            except LostError:
                self._leave(place)
                was_taken = not addresses.is_retired(self.folder, place.address)
                if was_taken and not request.is_repeatable():
                    raise
            else:
                self._sessions.note(request, answer, place.wire)
                return answer

    def _leave(self, place: _Here | _There) -> None:
        with self._lock:
            if self._place is place:
                self._place = None
        place.close()
        time.sleep(_PAUSE_S)

    # ---- where the account is

    def _present(self) -> _Here | _There:
        with self._lock:
            if self._place is None:
                self._place = self._found()
            return self._place

    def _found(self) -> _Here | _There:
        """Take the folder, or reach who has it; both may take a while after a change of holders."""
        begin = time.monotonic()
        while True:
            lock = FolderLock.take(self.folder)
            if lock is not None:
                return self._opened(lock)
            there = self._reached()
            if there is not None:
                return there
            self._refuse_if_late(time.monotonic() - begin)
            time.sleep(_PAUSE_S)

    def _opened(self, lock: FolderLock) -> _Here:
        try:
            wire = self._settled()
        except BaseException:
            lock.release()
            raise
        try:
            served = serve(wire, self.folder, port=self._port, password=self._password)
            return _Here(wire, served, lock)
        except BaseException:
            wire.close()
            lock.release()
            raise

    def _settled(self) -> HeldAccount:
        """Open the account; a holder that just died may not have let go of all its files."""
        was_served = (self.folder / addresses.FILE).exists()
        deadline = time.monotonic() + (_SETTLING_S if was_served else 0.0)
        while True:
            try:
                return self._opens(self.folder)
            except SkillsError:
                if time.monotonic() >= deadline:
                    raise
            time.sleep(_PAUSE_S)

    def _reached(self) -> _There | None:
        address = addresses.read(self.folder)
        if address is None:
            return None
        wire = RemoteWire(address, patience_s=self._patience_s)
        try:
            wire.greet()
        except NotTakenError:
            return None
        return _There(wire)

    def _refuse_if_late(self, waited_s: float) -> None:
        is_starting = addresses.read(self.folder) is None
        if waited_s < (_STARTING_S if is_starting else self._patience_s):
            return
        holder = locks.holder(self.folder) or "unknown"
        raise SkillsError(
            f"the embedded account in '{self.folder}' is held by process {holder}, "
            f"which did not react for {waited_s:.0f} seconds",
            hint=f"see whether process {holder} is stopped or stuck; wake it or end it, then go on",
        )


_every: weakref.WeakSet[SharedWire] = weakref.WeakSet()
_abandoned: list[_Here | _There] = []


def _forget_after_fork() -> None:
    for shared in list(_every):
        shared.forget()


if sys.platform != "win32":
    os.register_at_fork(after_in_child=_forget_after_fork)


def _refusal(code: str, text: str) -> dict[str, Any]:
    return {
        "success": False,
        "code": code,
        "message": text,
        "data": {"errorCode": code, "sqlState": "08006", "queryId": None},
    }
