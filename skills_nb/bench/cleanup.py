"""`cleanup.jsonl`: what a run makes outside of its directory, noted before it is used.

Room: work (bench). Whoever measures an instance adds lines; each is on disk when it is added.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from skills_nb.system import plain_files

CLEANUP = "cleanup.jsonl"


def note(folder: Path, kind: str, **fields: str) -> None:
    """Add a line to `cleanup.jsonl`; it is on disk when this returns."""
    descriptor = plain_files.open_bytes(
        folder / CLEANUP, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644
    )
    try:
        os.write(descriptor, (json.dumps({"kind": kind, **fields}) + "\n").encode())
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
