"""Archives: stretches of threads as files, kept beside the store for whoever audits.

Room: work. One JSON document a line, each an event; written whole, flushed to the disk and read
back before anybody refers to it. A reference names the file and its SHA-256.
Spec: Thread Compaction > Archive access.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

from skills_nb.model.events import Event, load_json
from skills_nb.runtime.stores import event_rows, store_places
from skills_nb.runtime.stores.file_errors import damage_error, explain_file_errors
from skills_nb.system import plain_files

_SIGN = "#sha256="


class Archive:
    """The archive folder of a home."""

    def __init__(self, folder: Path) -> None:
        """Remember the folder; it is made when the first archive is written."""
        self._folder = folder

    def write(self, thread_id: str, phase: int, events: Sequence[Event]) -> str:
        """Keep a stretch of a thread, and return what refers to it.

        The same stretch is written again under the same name, so a crash before anybody refers
        to it leaves nothing to tidy up.

        Raises:
            StoreError: it cannot be written, or does not read back as it was written.
            UsageError: the thread id is not one.
        """
        event_rows.check_thread_id(thread_id)
        content = "".join(f"{event_rows.document_of(event)}\n" for event in events).encode()
        name = f"{thread_id}_phase{phase}_{events[0].seq}-{events[-1].seq}.jsonl"
        path = self._folder / name
        with explain_file_errors(path, "write the archive", "the thread is whole in the store"):
            store_places.make_private(self._folder)
            _write(path, content)
        reference = f"{self._folder.name}/{name}{_SIGN}{hashlib.sha256(content).hexdigest()}"
        if self.read(reference) != tuple(events):
            raise damage_error(path, "it does not hold what was written to it")
        return reference

    def read(self, reference: str) -> tuple[Event, ...]:
        """Return the events that a reference stands for, oldest first.

        Raises:
            StoreError: the file is missing, or is not what was written.
        """
        place, _, digest = reference.partition(_SIGN)
        path = self._folder / Path(place).name
        with explain_file_errors(path, "read the archive"):
            content = path.read_bytes()
        if hashlib.sha256(content).hexdigest() != digest:
            raise damage_error(path, "its checksum is not the one that its thread has on record")
        return tuple(load_json(line) for line in content.splitlines())


def _write(path: Path, content: bytes) -> None:
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    partial.unlink(missing_ok=True)
    with open(store_places.open_private(partial), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    plain_files.replace(partial, path)
    plain_files.flush_folder(path.parent)
