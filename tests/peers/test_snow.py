"""The command line of Snowflake on a served account, as it comes from the index."""

import pytest

from tests.peers.environments import Served, met_by, not_met, python_with

pytestmark = [pytest.mark.peer, pytest.mark.slow]

KNOWN = {
    "objects_are_created_and_dropped": "AssertionError",
}
"""`snow object create` speaks Snowflake's REST interface for resources, which is not served."""


def test_snow_does_what_it_does_first(served: Served) -> None:
    failed = not_met(met_by(python_with("snowflake-cli"), "snow_client.py", served))
    assert failed.keys() == KNOWN.keys(), failed
    assert all(KNOWN[name] in said for name, said in failed.items()), failed
