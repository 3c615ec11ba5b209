"""Benchmarks are claims with a command behind them, not unit tests: a busy machine fails none.

Run them with `python -m pytest -m benchmark -s tests/benchmarks`.
"""

import subprocess
import sys
from pathlib import Path

import pytest


def pytest_collection_modifyitems(items):
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.benchmark)
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def peer(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the Python of an environment that has the peer."""
    place = tmp_path_factory.mktemp("peer")
    subprocess.run([sys.executable, "-m", "venv", place], check=True)
    wanted = ["fakesnow[server]", "snowflake-snowpark-python"]
    made = subprocess.run(
        [place / "bin" / "pip", "install", "-q", *wanted], capture_output=True, text=True
    )
    if made.returncode:
        pytest.skip(f"the peer cannot be installed: {made.stderr.strip().splitlines()[-1]}")
    return str(place / "bin" / "python")
