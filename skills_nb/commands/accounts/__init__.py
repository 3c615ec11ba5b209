"""Embedded accounts of this process: one wire per folder, shared by everybody who asks for it.

Room: commands. A notebook's commands and a session from `skills_nb.connect` on the same folder
meet in the same account, and so do other processes: one of them has it open and serves the rest.
It is let go when the last of this process lets go.
"""

from __future__ import annotations

import atexit
import os
import shutil
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skills_nb.errors import SkillsError, SqlError

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from snowflake.snowpark import Session

    from skills_nb.embedded.account import Account
    from skills_nb.embedded.session import AccountSession
    from skills_nb.embedded.sharing import SharedAccountWire
    from skills_nb.ports import Wire
    from skills_nb.runtime.loopback.shared import SharedWire

_lock = threading.Lock()
_open: dict[Path, tuple[SharedWire, int]] = {}
"""Wire and number of those who hold it, by folder."""

Fill = Callable[["Account"], None]


def share(folder: Path, *, demo: bool, port: int = 0) -> SharedWire:
    """Return the wire to a folder's account, shared in this process; `release` it afterwards.

    The account opens with its first use, in this process or wherever it is open already.

    Args:
        folder: where its files are; made when missing.
        demo: whether a new account starts with the demo data.
        port: where this process serves it, if it comes to; 0 for any free port.
    """
    from skills_nb.runtime.loopback.shared import SharedWire

    place = folder.resolve()
    with _lock:
        if place in _open:
            wire, holders = _open[place]
        else:
            wire, holders = SharedWire(place, _opener(_demo_data if demo else None), port=port), 0
        _open[place] = (wire, holders + 1)
        return wire


def release(folder: Path) -> None:
    """Let go of a folder's account; the last one of this process closes it."""
    place = folder.resolve()
    with _lock:
        if place not in _open:
            return
        wire, holders = _open[place]
        if holders > 1:
            _open[place] = (wire, holders - 1)
            return
        del _open[place]
    wire.close()


def replace(folder: Path, fill: Fill | None) -> None:
    """Put a new account in place of a folder's, whoever in this process still holds it.

    Args:
        folder: where its files are.
        fill: puts something into the new account; None makes it at the next use instead.

    Raises:
        SkillsError: another process holds it, or `fill` failed; it is untouched.
    """
    from skills_nb.runtime.loopback import lock as locks

    place = folder.resolve()
    with _lock:
        wire, _ = _open.pop(place, (None, 0))
    if wire is not None:
        wire.close()
    held = locks.FolderLock.take(place)
    if held is None:
        raise _in_use(place, locks.holder(place))
    try:
        _put(place, fill, is_replacing=True)
    finally:
        held.release()


def reset(folder: Path) -> None:
    """Delete a folder's account; the next use makes a new one.

    Raises:
        SkillsError: another process holds it; it is untouched.
    """
    replace(folder, None)


def exists(folder: Path) -> bool:
    """Return whether a folder holds an account."""
    from skills_nb.embedded.store import FILE

    return (folder / FILE).exists()


def script_of(wire: Wire) -> str:
    """Return the account behind a wire as a SQL script, whoever holds it.

    Raises:
        SqlError: it holds what cannot be said in a script, or cannot be reached.
    """
    from skills_nb.embedded.sharing import SCRIPT

    script: str = _asked(wire, SCRIPT)["script"]
    return script


def shadow_source(wire: Wire) -> Account:
    """Return the account behind a wire, or its twin without rows where another process has it.

    Raises:
        SqlError: the account cannot be reached.
    """
    from skills_nb.embedded.sharing import CATALOG, SharedAccountWire, twin
    from skills_nb.runtime.loopback.shared import SharedWire

    here = wire.held() if isinstance(wire, SharedWire) else wire
    if isinstance(here, SharedAccountWire):
        return here.account
    return twin(_asked(wire, CATALOG)["records"])


def _asked(wire: Wire, path: str) -> Mapping[str, Any]:
    answer = wire.handle("GET", f"http://127.0.0.1{path}", {}, {})
    if not answer["success"]:
        raise SqlError(answer["message"], errno=int(answer["code"]))
    data: Mapping[str, Any] = answer["data"]
    return data


def _in_use(folder: Path, holder: int | None) -> SkillsError:
    return SkillsError(
        f"the embedded account in '{folder}' is in use by process {holder}",
        hint="close it there first",
    )


def _opener(fill: Fill | None) -> Callable[[Path], SharedAccountWire]:
    def opened(place: Path) -> SharedAccountWire:
        from skills_nb.embedded.sharing import SharedAccountWire
        from skills_nb.embedded.store import FILE

        if fill is not None and not (place / FILE).exists():
            _put(place, fill, is_replacing=False)
        wire = SharedAccountWire.open(place)
        let_handlers_in(wire.account)
        return wire

    return opened


def let_handlers_in(account: Account) -> None:
    """Let an account run procedures in Python, whose handlers get a Snowpark session."""
    account.python_session = _handlers_session


def _handlers_session(caller: AccountSession) -> AbstractContextManager[Session]:
    # Connector and Snowpark take a while to load, and most accounts never call a procedure.
    from skills_nb.embedded.wire import InsideWire
    from skills_nb.runtime import mount

    return mount.for_handlers(InsideWire)(caller)


def _put(place: Path, fill: Fill | None, *, is_replacing: bool) -> None:
    """Make a new account beside its place and move it there whole; under the folder's lock."""
    growing = place.with_name(f"{place.name}.new-{os.getpid()}")
    shutil.rmtree(growing, ignore_errors=True)
    try:
        if fill is not None:
            _grown(growing, fill)
        if is_replacing:
            _clear(place)
        for new in growing.iterdir() if growing.exists() else ():
            new.rename(place / new.name)
    finally:
        shutil.rmtree(growing, ignore_errors=True)


def _clear(place: Path) -> None:
    from skills_nb.runtime.loopback import lock as locks

    for old in place.iterdir():
        if old.name == locks.FILE:
            continue
        if old.is_dir() and not old.is_symlink():
            shutil.rmtree(old)
        else:
            old.unlink()


def _grown(growing: Path, fill: Fill) -> None:
    from skills_nb.embedded.account import Account

    growing.mkdir(parents=True, mode=0o700)
    with Account.open(growing) as fresh:
        fill(fresh)


def _demo_data(account: Account) -> None:
    from skills_nb.embedded.demo import seed

    seed(account)


@atexit.register
def _close_all() -> None:
    with _lock:
        left = [wire for wire, _ in _open.values()]
        _open.clear()
    for wire in left:
        wire.close()
