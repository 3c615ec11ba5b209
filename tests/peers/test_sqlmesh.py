"""SQLMesh on a served account, as it comes from the index."""

import pytest

from tests.peers.environments import Served, met_by, not_met, python_with

pytestmark = [pytest.mark.peer, pytest.mark.slow]


def test_sqlmesh_does_what_it_does_first(served: Served) -> None:
    assert not_met(met_by(python_with("sqlmesh[snowflake]"), "sqlmesh_client.py", served)) == {}
