"""The lock of an account's folder: whoever has it is the account's holder.

Room: work (runtime, loopback). The kernel releases it when its process dies, however it dies. The
file stays when the account is replaced, so that nobody ever locks a file that is gone.
"""

from __future__ import annotations

import os
from pathlib import Path

from skills_nb.runtime.stores.store_places import open_private
from skills_nb.system import file_locks, plain_files

FILE = "holder.lock"


class FolderLock:
    """A folder's lock, held."""

    def __init__(self, descriptor: int) -> None:
        """Take over a locked descriptor; `take` is the usual door."""
        self._descriptor = descriptor

    @classmethod
    def take(cls, folder: Path) -> FolderLock | None:
        """Lock the folder for this process, or return None where another has it.

        Raises:
            OSError: the folder cannot be written.
        """
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor = open_private(folder / FILE)
        try:
            file_locks.take(descriptor)
        except BlockingIOError:
            os.close(descriptor)
            return None
        plain_files.name_holder(descriptor)
        return cls(descriptor)

    def release(self) -> None:
        """Let other processes in."""
        os.close(self._descriptor)


def holder(folder: Path) -> int | None:
    """Return the process that took the lock last."""
    try:
        return int((folder / FILE).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None
