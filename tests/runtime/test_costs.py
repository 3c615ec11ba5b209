"""What a thread has cost: attributed, estimated, or said to be unknown."""

from __future__ import annotations

import pytest

from skills_nb.errors import SqlError
from skills_nb.model import events as ev
from skills_nb.ports import QueryRows
from skills_nb.runtime.costs import Cost, cost_of
from tests.builders import CONTEXT

WAREHOUSES = QueryRows(("name", "size"), ((CONTEXT.current_warehouse, "Small"),), 1)


class Asked:
    """An account that answers by what a query begins with."""

    def __init__(self, attribution, warehouses=WAREHOUSES):
        self.attribution, self.warehouses = attribution, warehouses

    def context(self):
        return CONTEXT

    def query(self, sql, *, role=None, limit=10_000):
        if "QUERY_ATTRIBUTION_HISTORY" in sql:
            answer = self.attribution
            assert "STARTSWITH(QUERY_TAG, 'it''s:')" in sql
        else:
            answer = self.warehouses if sql.startswith("SHOW WAREHOUSES") else SqlError("no")
        if isinstance(answer, Exception):
            raise answer
        return answer

    def close(self):
        """Nothing is open."""


def ran(key, sql, duration_s):
    """Return the events of a statement that succeeded."""
    begun = ev.StatementStarted(step="1", ordinal=1, sql=sql, kind="once", effect_key=key)
    return begun, ev.StatementCompleted(effect_key=key, query_id="01b", duration_s=duration_s)


EVENTS = (
    *ran("it's:1", "INSERT INTO T SELECT 1", 30.0),
    *ran("it's:3", "CREATE ROLE R", 2.0),
    *ran("it's:5", "CREATE TABLE U AS SELECT * FROM T", 6.0),
)


def told(count, credits):
    return QueryRows(("COUNT", "CREDITS"), ((count, credits),), 1)


def test_credits_come_as_the_account_attributes_them():
    found = cost_of(Asked(told(2, 0.0123)), "it's", EVENTS)
    assert found == Cost(0.0123, "attributed to 2 of its statements by the account")
    assert found.words == (
        "It cost 0.0123 credits: attributed to 2 of its statements by the account."
    )


@pytest.mark.parametrize(
    ("attribution", "why"),
    [
        (told(0, 0), "the account attributes credits up to eight hours later"),
        (SqlError("not authorized", errno=2003), "the role may not read query attribution"),
    ],
)
def test_what_is_not_attributed_is_estimated_from_measured_times(attribution, why):
    found = cost_of(Asked(attribution), "it's", EVENTS)
    basis = (
        f"estimated from 36.0 s of 2 statements on {CONTEXT.current_warehouse} (Small), "
        f"idle time left out; {why}"
    )
    assert found == Cost(36 * 2 / 3600, basis, is_estimate=True)
    assert found.words.startswith("It cost about 0.0200 credits: estimated from")


def test_a_warehouse_that_cannot_be_seen_leaves_the_cost_unknown():
    found = cost_of(Asked(SqlError("no"), SqlError("no")), "it's", EVENTS)
    assert found.credits is None
    assert found.words == (
        "Its cost is not known: the role may not read query attribution, and the warehouse's "
        "size could not be read."
    )


def test_statements_on_the_catalog_alone_cost_nothing():
    found = cost_of(Asked(SqlError("not asked")), "it's", ran("it's:1", "CREATE ROLE R", 1.0))
    assert found == Cost(
        0.0, "its statements worked on the catalog alone, which needs no warehouse"
    )
