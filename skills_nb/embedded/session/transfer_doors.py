"""Doors: what lets a client put files on a stage, or fetch them, over HTTP.

Room: embedded. A client that moves files through a cloud's storage gets an address and a key with
the answer to its PUT or GET. They open one stage's folder, for writing or for reading, as long as
the account is open and not too many others were made since.
"""

from __future__ import annotations

import hmac
import secrets
import threading
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path

_MOST = 1_000


@dataclass(frozen=True, slots=True)
class Door:
    """A way into one stage's folder."""

    name: str
    """What it is called in addresses."""
    key: str
    """What opens it; nobody else is told."""
    folder: Path
    """Where the stage's files are."""
    is_for_writing: bool
    """Whether files may be put there; else they may be read."""


class TransferDoors:
    """The doors of an account, the newest of them."""

    def __init__(self) -> None:
        """Begin without any."""
        self._doors: OrderedDict[str, Door] = OrderedDict()
        self._lock = threading.Lock()

    def made(self, folder: Path, *, is_for_writing: bool) -> Door:
        """Return a new door to a folder."""
        door = Door(secrets.token_hex(8), secrets.token_urlsafe(32), folder, is_for_writing)
        with self._lock:
            self._doors[door.name] = door
            while len(self._doors) > _MOST:
                self._doors.popitem(last=False)
        return door

    def opened(self, name: str, key: str) -> Door | None:
        """Return the door of this name; None where there is none, or the key is another's."""
        with self._lock:
            door = self._doors.get(name)
        is_right = door is not None and hmac.compare_digest(door.key.encode(), key.encode())
        return door if is_right else None
