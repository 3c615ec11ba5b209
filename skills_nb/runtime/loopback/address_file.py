"""The address file: where an account is served, and the token that lets one in.

Room: work (runtime, loopback). The file appears whole and only its owner may read it; it is taken
away by the server that wrote it. One that a dead process left is harmless: its token opens nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from skills_nb.runtime.stores.store_places import open_private
from skills_nb.system import plain_files, processes

FILE = "address.json"
RETIRED = "address.retired"
"""Names the last server that answered everything before it hung up."""
HOST = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Address:
    """Where an account is served."""

    port: int
    """On this machine's own address only."""
    token: str
    """Password of every login, and key of the proof that the server is the account's."""
    pid: int
    """Process that serves."""
    started: str
    """When it began, in UTC."""


def read(folder: Path) -> Address | None:
    """Return the address in a folder; None where there is none that could be right."""
    try:
        known = json.loads((folder / FILE).read_text(encoding="utf-8"))
        found = Address(**known)
    except (OSError, ValueError, TypeError):
        return None
    return found if processes.is_alive(found.pid) else None


def write(folder: Path, address: Address) -> None:
    """Put the address into the folder, in place of any other.

    Raises:
        OSError: the folder cannot be written.
    """
    write_private(folder / FILE, json.dumps(asdict(address)))


def remove(folder: Path, address: Address) -> None:
    """Take the address away if it is still this one."""
    if read(folder) == address:
        (folder / FILE).unlink(missing_ok=True)


def retire(folder: Path, address: Address) -> None:
    """Note that this server took its last request, and answered everything that it took."""
    write_private(folder / RETIRED, _fingerprint(address))


def is_retired(folder: Path, address: Address) -> bool:
    """Return whether this server answered all that it took, and did nothing else."""
    try:
        return (folder / RETIRED).read_text(encoding="ascii") == _fingerprint(address)
    except (OSError, UnicodeDecodeError):
        return False


def _fingerprint(address: Address) -> str:
    return hashlib.sha256(address.token.encode()).hexdigest()


def write_private(path: Path, text: str) -> None:
    """Put a file that only its owner can read in place of any other.

    Raises:
        OSError: the folder cannot be written.
    """
    half = path.with_name(f"{path.name}.{os.getpid()}")
    descriptor = open_private(half)
    try:
        os.ftruncate(descriptor, 0)
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)
    plain_files.replace(half, path)
