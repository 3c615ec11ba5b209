"""Streamlit's connection on a served account, as it comes from the index."""

import pytest

from tests.peers.environments import Served, met_by, not_met, python_with

pytestmark = [pytest.mark.peer, pytest.mark.slow]

REQUIREMENTS = (
    "streamlit",
    "snowflake-snowpark-python",
    "snowflake-connector-python[pandas]",
)


def test_streamlit_does_what_it_does_first(served: Served) -> None:
    assert not_met(met_by(python_with(*REQUIREMENTS), "streamlit_client.py", served)) == {}
