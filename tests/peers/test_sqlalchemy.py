"""SQLAlchemy on a served account, with the connector that its dialect brings."""

import pytest

from tests.peers.environments import Served, met_by, not_met, python_with

pytestmark = [pytest.mark.peer, pytest.mark.slow]


def test_sqlalchemy_does_what_it_does_first(served: Served) -> None:
    assert (
        not_met(
            met_by(python_with("snowflake-sqlalchemy", "pandas"), "sqlalchemy_client.py", served)
        )
        == {}
    )
