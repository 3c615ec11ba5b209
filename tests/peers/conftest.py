"""A served account for each client's test, under a password that a variable holds."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.peers.environments import Served

PASSWORD = "a client's own: 100%"  # needs quotes in TOML, YAML, URLs and shells


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    home = tmp_path_factory.mktemp("served")
    server = subprocess.Popen(
        [sys.executable, "-m", "skills_nb.cli", "account", "serve", "--password-env", "CHOSEN"],
        env={**os.environ, "SKILLS_NB_HOME": str(home), "CHOSEN": PASSWORD},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    try:
        while "Interrupt" not in (line := server.stdout.readline()):
            assert line, "it ended before it served"
        yield _told(home / "account")
    finally:
        server.send_signal(signal.SIGTERM)
        server.communicate(timeout=60)


def _told(folder: Path) -> Served:
    address = json.loads((folder / "address.json").read_text())
    return Served("127.0.0.1", address["port"], PASSWORD, folder)
