"""The connector's newest version by itself on a served account."""

import pytest

from tests.peers.environments import Served, met_by, not_met, python_with

pytestmark = [pytest.mark.peer, pytest.mark.slow]


def test_the_newest_connector_moves_files_frames_and_batches(served: Served) -> None:
    python = python_with("snowflake-connector-python[pandas]>=5")
    assert not_met(met_by(python, "connector_client.py", served)) == {}
