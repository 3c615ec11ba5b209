"""What a dry run says of a warehouse: which steps use one, and what that costs."""

import pytest

from skills_nb.runtime.rehearsal.estimates import Estimates, computes

SIZED = Estimates(warehouse="BIG_WH", size="Large")
READS = "SELECT COUNT(*) FROM T"
SHOWS = "SHOW TABLES IN SCHEMA S"


@pytest.mark.parametrize(
    "sql",
    [
        READS,
        "-- a remark\n(SELECT 1 FROM T)",
        "WITH a AS (SELECT 1) SELECT * FROM a",
        "{% if wide %}\nSELECT A FROM T{% endif %}",
        "INSERT INTO T VALUES (1)",
        "CREATE TABLE T AS SELECT 1 AS A",
        "CREATE TABLE T USING TEMPLATE (SELECT ARRAY_AGG(OBJECT_CONSTRUCT(*)) FROM TABLE(F()))",
        "CALL SYSTEM$CLASSIFY('T', {})",
        'SHOW ROLES ->> SELECT "name" FROM $1',
        "EXECUTE IMMEDIATE $$BEGIN DELETE FROM T; END$$",
    ],
)
def test_what_reads_or_writes_rows_needs_a_warehouse(sql: str) -> None:
    assert computes(sql)


@pytest.mark.parametrize(
    "sql",
    [
        SHOWS,
        "SELECT CURRENT_ACCOUNT(), CURRENT_ROLE()",
        "CREATE TABLE T (A INT)",
        "CREATE VIEW V AS SELECT * FROM T",
        "GRANT SELECT ON TABLE T TO ROLE R",
        "BEGIN",
        "BEGIN TRANSACTION",
        "DESCRIBE TABLE T",
        "",
    ],
)
def test_what_stays_in_the_catalog_does_not(sql: str) -> None:
    assert not computes(sql)


def test_the_steps_that_use_it_are_named_with_the_price() -> None:
    sent = {"load": {"1": [READS], "2": [SHOWS], "3": [READS], "4": [READS], "5": [READS]}}
    assert SIZED.compute(sent, by_probes=True) == (
        "0.13 to 0.27 credits for the probes and steps 1 and 3 to 5 on BIG_WH (Large, 8 credits "
        "an hour), billed by the second, 60 s at least"
    )


def test_steps_of_several_playbooks_are_told_apart() -> None:
    sent = {"load": {"1": [READS]}, "mask": {"1": [SHOWS], "2": [READS]}}
    told = SIZED.compute(sent, by_probes=False)
    assert "for step 1 of load and step 2 of mask on BIG_WH" in told


def test_nothing_but_the_catalog_costs_nothing() -> None:
    told = SIZED.compute({"look": {"1": [SHOWS], "2": []}}, by_probes=False)
    assert told == "none: statements on the catalog alone need no warehouse"


@pytest.mark.parametrize(
    ("estimates", "told"),
    [
        (Estimates(), "unknown: a warehouse is needed for step 1"),
        (
            Estimates(warehouse="W"),
            "unknown: W, whose size could not be read, is needed for step 1",
        ),
    ],
)
def test_a_price_that_cannot_be_known_is_not_told(estimates: Estimates, told: str) -> None:
    assert estimates.compute({"look": {"1": [READS]}}, by_probes=False) == told
