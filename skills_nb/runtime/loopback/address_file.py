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
CONNECTIONS = "connections.toml"
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
    _replace(folder / FILE, json.dumps(asdict(address)))


def remove(folder: Path, address: Address) -> None:
    """Take the address away if it is still this one."""
    if read(folder) == address:
        (folder / FILE).unlink(missing_ok=True)


def retire(folder: Path, address: Address) -> None:
    """Note that this server took its last request, and answered everything that it took."""
    _replace(folder / RETIRED, _fingerprint(address))


def is_retired(folder: Path, address: Address) -> bool:
    """Return whether this server answered all that it took, and did nothing else."""
    try:
        return (folder / RETIRED).read_text(encoding="ascii") == _fingerprint(address)
    except (OSError, UnicodeDecodeError):
        return False


def _fingerprint(address: Address) -> str:
    return hashlib.sha256(address.token.encode()).hexdigest()


def connections_toml(address: Address) -> str:
    """Return the connection file that any Snowflake client on this machine understands."""
    return (
        "# The embedded account, as long as its process runs. Behind an HTTP proxy, set\n"
        f"# NO_PROXY={HOST}, or the proxy would see the password.\n"
        "[embedded]\n"
        'account = "embedded"\n'
        f'host = "{HOST}"\n'
        f"port = {address.port}\n"
        'protocol = "http"\n'
        'user = "ADMIN"\n'
        f'password = "{address.token}"\n'
        'role = "ACCOUNTADMIN"\n'
        'warehouse = "COMPUTE_WH"\n'
    )


def write_connections(folder: Path, address: Address) -> Path:
    """Write the connection file into the folder and return where it is.

    Raises:
        OSError: the folder cannot be written.
    """
    _replace(folder / CONNECTIONS, connections_toml(address))
    return folder / CONNECTIONS


def _replace(path: Path, text: str) -> None:
    half = path.with_name(f"{path.name}.{os.getpid()}")
    descriptor = open_private(half)
    try:
        os.ftruncate(descriptor, 0)
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)
    plain_files.replace(half, path)
