"""Embedded accounts of this process: one per folder, shared by everybody who opens it.

Room: commands. A notebook's commands and a session from `skills_nb.connect` on the same folder
meet in the same account; it is closed when the last of them lets go.
"""

from __future__ import annotations

import os
import shutil
import threading
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from skills_nb.embedded.account import Account

_lock = threading.Lock()
_open: dict[Path, tuple[Account, int]] = {}
"""Account and number of holders, by folder."""


def acquire(folder: Path, *, demo: bool) -> Account:
    """Return the account of a folder, opened by the first who asks; `release` it afterwards.

    Args:
        folder: where its files are; made when missing.
        demo: whether a new account starts with the demo data.

    Raises:
        SkillsError: another process holds it, or its file is damaged.
    """
    from skills_nb.embedded.account import Account

    place = folder.resolve()
    with _lock:
        if place in _open:
            account, holders = _open[place]
        else:
            if demo and not place.exists():
                _grow(place)
            place.mkdir(parents=True, exist_ok=True, mode=0o700)
            account, holders = Account.open(place), 0
        _open[place] = (account, holders + 1)
        return account


def release(folder: Path) -> None:
    """Let go of a folder's account; the last one closes it."""
    place = folder.resolve()
    with _lock:
        if place not in _open:
            return
        account, holders = _open[place]
        if holders > 1:
            _open[place] = (account, holders - 1)
            return
        del _open[place]
        account.close()


def reset(folder: Path) -> None:
    """Delete a folder's account, whoever in this process still holds it.

    Raises:
        SkillsError: another process holds it; it is untouched.
    """
    acquire(folder, demo=False)
    place = folder.resolve()
    with _lock:
        account, _ = _open.pop(place)
        account.close()
        shutil.rmtree(place)


def _grow(place: Path) -> None:
    """Seed a new account beside its place, so that nobody ever opens it half done."""
    from skills_nb.embedded.account import Account
    from skills_nb.embedded.demo import seed

    growing = place.with_name(f"{place.name}.new-{os.getpid()}")
    shutil.rmtree(growing, ignore_errors=True)
    growing.mkdir(parents=True, mode=0o700)
    with Account.open(growing) as fresh:
        seed(fresh)
    try:
        growing.rename(place)
    except OSError:
        shutil.rmtree(growing, ignore_errors=True)
        if not place.exists():
            raise
