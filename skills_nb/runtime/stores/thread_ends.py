"""What was acknowledged of each thread, in a small file of its own beside the database.

Room: work (runtime, stores). A log that lost its last frames reads as a shorter, sound history;
only something outside of it knows better. Rules: an end is written after its events are on the
disk, so it never claims too much: after a crash between the two it lags, and the next append moves
it on. It is flushed when its thread is released, not with every append, which would double the
cost of one: a power cut may leave it behind by what was appended since, never ahead. What cannot be
read, is missing or was copied under another name claims nothing.
"""

from __future__ import annotations

import os
import re
import stat
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from skills_nb.runtime.stores import store_places
from skills_nb.runtime.stores.digest_chain import End
from skills_nb.system import plain_files

_FORM = re.compile(r"(\d{12}) ([0-9a-f]{64}|-{64}) ([0-9a-f]{8})\n")
_BYTES = 87
"""All ends are of one length, so that one is replaced by a single write within its block."""


_MOST_OPEN = 16
"""Files that are kept open; opening one anew for every append would cost a tenth of it."""


@dataclass(slots=True)
class _Open:
    descriptor: int
    written: bytes = b""
    """What this process wrote last."""
    end: End | None = None
    """What that says."""
    is_flushed: bool = True


class ThreadEnds:
    """The ends of one store's threads. One thread at a time, and whoever notes has the lock."""

    def __init__(self, folder: Path) -> None:
        """Keep them in a folder, which `prepare` makes."""
        self._folder = folder
        self._open: dict[str, _Open] = {}

    def prepare(self) -> None:
        """Make the folder.

        Raises:
            OSError: it cannot be made.
        """
        store_places.make_private_within(self._folder.parent, self._folder.name)

    def of(self, thread_id: str) -> End | None:
        """Return where a thread was acknowledged to end; None where nothing is known of it."""
        mine = self._open.get(thread_id)
        if "/" in thread_id or "\0" in thread_id:  # no thread id, and a way out of the folder
            return None
        try:
            if mine is None:
                return _read(thread_id, self._content(thread_id))
            content = plain_files.read_at(mine.descriptor, _BYTES, 0)
        except OSError:
            return None
        return mine.end if content == mine.written else _read(thread_id, content)

    def _content(self, thread_id: str) -> bytes:
        path = self._folder / thread_id
        if not stat.S_ISREG(path.lstat().st_mode):
            return b""  # a link leads elsewhere, and a pipe never ends
        with path.open("rb") as held:
            return held.read(_BYTES)

    def names(self) -> tuple[str, ...]:
        """Return the threads of which something was noted once, sorted."""
        try:
            return tuple(sorted(n for n in os.listdir(self._folder) if not n.startswith(".")))
        except OSError:
            return ()

    def promised(self) -> tuple[str, ...]:
        """Return the threads of which events were acknowledged."""
        ends = ((name, self.of(name)) for name in self.names())
        return tuple(name for name, end in ends if end is not None and end.seq)

    def unreadable(self) -> Iterator[Path]:
        """Yield the files that hold something else than an end."""
        for name in self.names():
            path = self._folder / name
            if path.lstat().st_size and self.of(name) is None:
                yield path

    def note(self, thread_id: str, end: End) -> None:
        """Note where a thread ends now, after its events are on the disk.

        It never fails: the events are kept, and an end that lags is moved on by the next append.
        """
        content = _written(thread_id, end)
        with suppress(OSError):
            mine = self._open.get(thread_id) or self._opened(thread_id)
            plain_files.write_at(mine.descriptor, content, 0)
            mine.written, mine.end, mine.is_flushed = content, end, False

    def flush(self, thread_id: str | None = None) -> None:
        """Make what was noted of a thread, or of all, survive a power cut, and let go of it.

        It never fails: an end that did not reach the disk lags.
        """
        for name in list(self._open) if thread_id is None else [thread_id]:
            mine = self._open.pop(name, None)
            if mine is not None:
                with suppress(OSError):
                    if not mine.is_flushed:
                        os.fsync(mine.descriptor)
                with suppress(OSError):
                    os.close(mine.descriptor)

    def _opened(self, thread_id: str) -> _Open:
        if len(self._open) >= _MOST_OPEN:
            self.flush()
        path = self._folder / thread_id
        is_new = not path.exists()
        mine = self._open[thread_id] = _Open(store_places.open_private(path))
        if is_new:
            plain_files.flush_folder(self._folder)
        return mine


def _written(thread_id: str, end: End) -> bytes:
    said = f"{end.seq:012} {end.digest or '-' * 64}"
    return f"{said} {_sum(thread_id, said)}\n".encode()


def _read(thread_id: str, content: bytes) -> End | None:
    found = _FORM.fullmatch(content.decode("ascii", "replace"))
    if found is None or found[3] != _sum(thread_id, f"{found[1]} {found[2]}"):
        return None
    return End(int(found[1]), None if found[2].startswith("-") else found[2])


def _sum(thread_id: str, said: str) -> str:
    return f"{zlib.crc32(f'{thread_id} {said}'.encode()):08x}"
