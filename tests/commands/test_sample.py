"""A dry run looks at rows only where somebody allows it, and tells none of them."""

import json

import pytest

from skills_nb.errors import UsageError
from tests.commands.flow import SCOPE, begin


def events(app, kind):
    found = app.invoke(["show", "job"]).document["events"]
    return [event for event in found if event["type"] == kind]


def remarks(app):
    return " ".join(event["action"] for event in events(app, "step_planned"))


def opted(app):
    return [e["value"] for e in events(app, "input_gathered") if e["name"] == "dry_run"]


def values(app, column):
    rows = app.wiring.snowpark.sql(f"SELECT {column} FROM {SCOPE}.CUSTOMERS").collect()
    return {str(row[0]) for row in rows if row[0] is not None}


@pytest.mark.slow
def test_without_leave_no_row_is_looked_at(app):
    begin(app, "--dry-run")
    assert opted(app) == [True]
    assert "SYSTEM$CLASSIFY finds, from names and types" in remarks(app)
    asked = [event["query"] for event in events(app, "environment_probed")]
    assert not any("EXTRACT_SEMANTIC_CATEGORIES" in query for query in asked)


@pytest.mark.slow
def test_a_sample_that_is_allowed_is_on_record_and_none_of_its_values_is(app):
    begin(app, "--dry-run", "--sample")
    assert opted(app) == ["on samples"]
    assert "SYSTEM$CLASSIFY finds, from a sample of 1000 rows a table" in remarks(app)
    told = json.dumps(app.invoke(["show", "job"]).document["events"])
    for column in ("EMAIL", "PHONE", "LAST_NAME"):
        assert {value for value in values(app, column) if f'"{value}"' in told} == set()


def test_a_sample_is_for_a_dry_run_only(app):
    with pytest.raises(UsageError, match="--sample is for a dry run"):
        begin(app, "--sample")
    with pytest.raises(UsageError, match="--sample is for a dry run"):
        app.invoke(["plan", "--sample"], cell="goal: g")
    assert app.invoke(["threads"]).document == []
