"""dbt on a served account, as it comes from the index."""

import pytest

from tests.peers.environments import Served, met_by, not_met, python_with

pytestmark = [pytest.mark.peer, pytest.mark.slow]

REQUIREMENTS = ("dbt-snowflake", "dbt-core<1.12")
"""dbt-core 1.12 takes its parser from outside of the index, which has 1.11 whole."""


def test_dbt_does_what_it_does_first(served: Served) -> None:
    assert not_met(met_by(python_with(*REQUIREMENTS), "dbt_client.py", served)) == {}
