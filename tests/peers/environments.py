"""Environments of their own for clients, and their scripts run against a served account.

A client is fetched from the package index as anybody would fetch it; where that cannot be done, its
test is skipped with the reason. `SKILLS_NB_PEERS` names a folder that keeps environments for the
next run.
"""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

CLIENTS = Path(__file__).parent / "clients"
_READY = "ready"
_FETCHED_WITHIN_S, _DONE_WITHIN_S = 900, 600


@dataclass(frozen=True)
class Served:
    """A served account."""

    host: str
    port: int
    password: str
    folder: Path
    """Where the connection file and the profile are."""


@cache
def _kept() -> Path:
    named = os.environ.get("SKILLS_NB_PEERS")
    return Path(named).resolve() if named else Path(tempfile.mkdtemp(prefix="peers"))


def python_with(*requirements: str) -> Path:
    """Return a Python that has these packages, fetched now or kept from before; skips without."""
    said = " ".join((sys.version, *requirements))
    place = _kept() / hashlib.sha256(said.encode()).hexdigest()[:16]
    python = place / "bin" / "python"
    if not (place / _READY).exists():
        _run(sys.executable, "-m", "venv", "--clear", str(place))
        quiet = ("--quiet", "--disable-pip-version-check", "--no-input")
        _run(str(python), "-m", "pip", "install", *quiet, *requirements)
        (place / _READY).write_text("\n".join(requirements))
    return python


def _run(*command: str) -> None:
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_FETCHED_WITHIN_S, env=_clean()
        )
    except subprocess.TimeoutExpired:
        pytest.skip(f"{command[-1]} was not fetched within {_FETCHED_WITHIN_S} s")
    if done.returncode:
        told = [line for line in done.stderr.splitlines() if "ERROR" in line or "error" in line]
        pytest.skip(f"{command[-1]} cannot be fetched: {(told or ['no reason given'])[-1]}")


def _clean() -> dict[str, str]:
    """Return the environment without what points to this project's own packages."""
    ours = ("VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME")
    return {name: value for name, value in os.environ.items() if name not in ours}


def met_by(python: Path, script: str, served: Served) -> dict[str, str]:
    """Run a client's script; return what each of its checks met, `ok` or the problem."""
    told = {
        "PEER_HOST": served.host,
        "PEER_PORT": str(served.port),
        "PEER_PASSWORD": served.password,
        "SNOWFLAKE_HOME": str(served.folder),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run(
        [str(python), "-W", "ignore", script],
        cwd=CLIENTS,
        env={**_clean(), **told},
        capture_output=True,
        text=True,
        timeout=_DONE_WITHIN_S,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    met: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
    assert met, "the script checked nothing"
    return met


def not_met(met: dict[str, str]) -> dict[str, str]:
    """Return the checks that failed, with their problems."""
    return {name: said for name, said in met.items() if said != "ok"}
