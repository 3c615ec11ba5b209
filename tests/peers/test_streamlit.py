"""Streamlit's connection on a served account, as it comes from the index."""

import pytest

from tests.peers.environments import Served, met_by, not_met, python_with

pytestmark = [pytest.mark.peer, pytest.mark.slow]

KNOWN = {
    "a_page_queries": "fetch_pandas_all",
}
"""`query` asks for Arrow, which the served account does not send; its cursor and session do not."""


REQUIREMENTS = (
    "streamlit",
    "snowflake-snowpark-python",
    "snowflake-connector-python[pandas]",
)


def test_streamlit_does_what_it_does_first(served: Served) -> None:
    failed = not_met(met_by(python_with(*REQUIREMENTS), "streamlit_client.py", served))
    assert failed.keys() == KNOWN.keys(), failed
    assert all(KNOWN[name] in said for name, said in failed.items()), failed
