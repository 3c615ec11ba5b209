"""Benchmarks are claims with a command behind them, not unit tests: a busy machine fails none.

Run them with `python -m pytest -m benchmark -s tests/benchmarks`.
"""

from pathlib import Path

import pytest


def pytest_collection_modifyitems(items):
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.benchmark)
            item.add_marker(pytest.mark.slow)
