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

from skills_nb.commands.home.configuration import shown_path
from skills_nb.errors import SkillsError, SqlError, UsageError
from skills_nb.system import plain_files

if TYPE_CHECKING:
    from skills_nb.embedded.engine.account import Account
    from skills_nb.embedded.session.context import Context
    from skills_nb.embedded.storage.lending import Lender
    from skills_nb.embedded.tools.sharing import SharedAccountWire
    from skills_nb.ports import Wire
    from skills_nb.runtime.loopback.shared_wire import SharedWire

_lock = threading.Lock()
_open: dict[Path, tuple[SharedWire, int]] = {}
"""Wire and number of those who hold it, by folder."""

Fill = Callable[["Account"], None]


def _made(folder: Path) -> Path:
    try:
        place = folder.resolve()
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
    except (OSError, ValueError) as problem:
        why = problem.strerror if isinstance(problem, OSError) else "no file system has such names"
        raise UsageError(
            f"no account can be kept in {shown_path(folder)!r}: {why}",
            hint="name a folder that you may write to, or one that can be made",
        ) from problem
    return place


def share(folder: Path, *, demo: bool, port: int = 0, password: str = "") -> SharedWire:
    """Return the wire to a folder's account, shared in this process; `release` it afterwards.

    The account opens with its first use, in this process or wherever it is open already.

    Args:
        folder: where its files are; made when missing.
        demo: whether a new account starts with the demo data.
        port: where this process serves it, if it comes to; 0 for any free port.
        password: opens logins where this process serves it; empty for this start's token alone.

    Raises:
        UsageError: no folder can be there.
    """
    from skills_nb.runtime.loopback.shared_wire import SharedWire

    place = _made(folder)
    with _lock:
        if place in _open:
            wire, holders = _open[place]
        else:
            opens = _opener(_demo_data if demo else None)
            wire, holders = SharedWire(place, opens, port=port, password=password), 0
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
    from skills_nb.runtime.loopback import folder_lock as locks

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
    from skills_nb.embedded.storage.store import FILE

    return (folder / FILE).exists()


def script_of(wire: Wire) -> str:
    """Return the account behind a wire as a SQL script, whoever holds it.

    Raises:
        SqlError: it holds what cannot be said in a script, or cannot be reached.
    """
    from skills_nb.embedded.tools.sharing import SCRIPT

    script: str = _asked(wire, SCRIPT)["script"]
    return script


def shadow_source(wire: Wire) -> Account:
    """Return the account behind a wire, or its twin without rows where another process has it.

    Raises:
        SqlError: the account cannot be reached.
    """
    from skills_nb.embedded.tools.sharing import CATALOG, twin

    here = _account_here(wire)
    return here if here is not None else twin(_asked(wire, CATALOG)["records"])


def rows_of(wire: Wire) -> Lender:
    """Return who lends the rows of the account behind a wire, whoever holds it."""
    from skills_nb.embedded.storage.lending import AccountRows
    from skills_nb.embedded.tools.far_rows import FarRows
    from skills_nb.embedded.tools.sharing import ROWS

    here = _account_here(wire)
    if here is not None:
        return AccountRows(here)
    return FarRows(lambda question: _asked(wire, ROWS, question))


def _account_here(wire: Wire) -> Account | None:
    """Return the account behind a wire where this process has it."""
    from skills_nb.embedded.tools.sharing import SharedAccountWire
    from skills_nb.runtime.loopback.shared_wire import SharedWire

    here = wire.held() if isinstance(wire, SharedWire) else wire
    return here.account if isinstance(here, SharedAccountWire) else None


def _asked(wire: Wire, path: str, question: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
    method = "GET" if question is None else "POST"
    answer = wire.handle(method, f"http://127.0.0.1{path}", {}, question or {})
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
        from skills_nb.embedded.storage.store import FILE
        from skills_nb.embedded.tools.sharing import SharedAccountWire

        if fill is not None and not (place / FILE).exists():
            _put(place, fill, is_replacing=False)
        wire = SharedAccountWire.open(place)
        let_handlers_in(wire.account)
        return wire

    return opened


def let_handlers_in(account: Account) -> None:
    """Let an account run procedures in Python, whose handlers get a Snowpark session."""
    from skills_nb.runtime.handler_sessions import HandlerSessions

    account.python_session = HandlerSessions(_wire_inside)


def trust_python(wire: Wire) -> None:
    """Let handlers run on an account whatever this machine can keep them from.

    Raises:
        UsageError: another process has the account open.
    """
    account = _account_here(wire)
    if account is None:
        raise UsageError(
            "trust_python: another process has this account open",
            hint="close the account there first, or say trust_python=True where it is opened",
        )
    account.python.trusted = True


def _wire_inside(caller: Context) -> Wire:
    from skills_nb.embedded.wire import InsideWire

    return InsideWire(caller)


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
            plain_files.replace(new, place / new.name)
    finally:
        shutil.rmtree(growing, ignore_errors=True)


def _clear(place: Path) -> None:
    from skills_nb.runtime.loopback import folder_lock as locks

    for old in place.iterdir():
        if old.name == locks.FILE:
            continue
        if old.is_dir() and not old.is_symlink():
            shutil.rmtree(old)
        else:
            old.unlink()


def _grown(growing: Path, fill: Fill) -> None:
    from skills_nb.embedded.engine.account import Account

    growing.mkdir(parents=True, mode=0o700)
    with Account.open(growing) as fresh:
        fill(fresh)


def _demo_data(account: Account) -> None:
    from skills_nb.embedded.tools.demo import seed

    seed(account)


@atexit.register
def _close_all() -> None:
    with _lock:
        left = [wire for wire, _ in _open.values()]
        _open.clear()
    for wire in left:
        wire.close()
