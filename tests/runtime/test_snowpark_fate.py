"""What became of a statement, as far as the account's histories can prove it."""

from __future__ import annotations

import pytest
from snowflake.connector.errors import OperationalError, ProgrammingError

from skills_nb.ports import Fate
from tests.runtime.scripted_account import opened

LOST = OperationalError(
    msg="Connection is closed", errno=250002, sqlstate="08003", send_telemetry=False
)

HISTORY = [
    "QUERY_ID",
    "QUERY_TYPE",
    "EXECUTION_STATUS",
    "ROWS_PRODUCED",
    "TOTAL_ELAPSED_TIME",
    "ERROR_CODE",
    "ERROR_MESSAGE",
]
INSERTED = (HISTORY, [("01c", "INSERT", "SUCCESS", 5, 1500, None, None)])
NOTHING = (HISTORY, [])
DENIED = ProgrammingError(
    msg="Object does not exist or not authorized.", errno=2003, send_telemetry=False
)
DATABASE = (r"^SELECT CURRENT_DATABASE", (["NAME"], [("PROD",)]))
NO_DATABASE = (r"^SELECT CURRENT_DATABASE", (["NAME"], [(None,)]))
BY_SESSION, RECENT, ARCHIVE = r"QUERY_HISTORY_BY_SESSION", r"\.QUERY_HISTORY\(", "ACCOUNT_USAGE"
COUNT = r"^SELECT COUNT"


def _counted(told, is_old=False):
    return (COUNT, (["TOLD", "IS_OLD"], [(told, is_old)]))


SUCCEEDED = Fate("succeeded", query_id="01c", row_count=5, duration_s=1.5)


@pytest.mark.parametrize("place", [BY_SESSION, RECENT, ARCHIVE])
def test_a_statement_is_found_wherever_it_is_told(place):
    session, _ = opened(_counted(7), (place, INSERTED), DATABASE, (r"QUERY_HISTORY", NOTHING))
    assert session.fate("thr_1:7") == SUCCEEDED


def test_a_statement_is_looked_up_by_tag_and_by_id():
    session, account = opened(DATABASE, (BY_SESSION, INSERTED))
    session.fate("it's", query_id="01c")
    session.fate("thr_1:7")
    wheres = [sql.partition("WHERE ")[2] for _, sql, _ in account.sent if "WHERE" in sql]
    assert wheres == [
        "QUERY_TAG = 'it''s' OR QUERY_ID = '01c' ORDER BY START_TIME DESC",
        "QUERY_TAG = 'thr_1:7' OR QUERY_ID = '' ORDER BY START_TIME DESC",
    ]
    assert {tag for _, _, tag in account.sent} == {None}


@pytest.mark.parametrize(
    ("row", "fate"),
    [
        (
            ("q", "CREATE_TABLE", "SUCCESS", 1, 20, None, None),
            Fate("succeeded", query_id="q", duration_s=0.02),
        ),
        (
            ("q", "CREATE_TABLE", "FAILED_WITH_ERROR", None, 20, "002003", "002003 (42S02): no T"),
            Fate("failed", query_id="q", duration_s=0.02, error="no T", errno=2003),
        ),
        (
            ("q", "INSERT", "FAIL", 0, None, 100038, "Numeric value 'x' is not recognized"),
            Fate(
                "failed",
                query_id="q",
                row_count=0,
                errno=100038,
                error="Numeric value 'x' is not recognized",
            ),
        ),
        (
            ("q", "MERGE", "RUNNING", 0, 9, None, None),
            Fate("running", query_id="q", row_count=0, duration_s=0.009),
        ),
        (
            ("q", "UPDATE", "RESUMING_WAREHOUSE", 0, 0, None, None),
            Fate("running", query_id="q", row_count=0),
        ),
        (
            ("q", "CALL", "DREAMING", 0, 0, None, None),
            Fate("unknown", query_id="q", error="its execution status is 'DREAMING'"),
        ),
    ],
)
def test_what_the_history_says_becomes_a_fate(row, fate):
    session, _ = opened(DATABASE, (BY_SESSION, (HISTORY, [row])))
    assert session.fate("t") == fate


def test_of_several_rows_what_still_runs_and_what_succeeded_count_first():
    failed = ("q1", "INSERT", "FAIL", 0, 1, "1", "no")
    done = ("q2", "INSERT", "SUCCESS", 1, 1, None, None)
    runs = ("q3", "INSERT", "RUNNING", 0, 1, None, None)
    session, account = opened(DATABASE, (BY_SESSION, (HISTORY, [failed, done])))
    assert session.fate("t").query_id == "q2"
    account.answers.insert(0, (BY_SESSION, (HISTORY, [failed, done, runs])))
    assert session.fate("t").query_id == "q3"


ALL, CUT_HOURS, CUT_MINUTES = _counted(9_999), _counted(10_000, True), _counted(10_000)
TOO_MANY = "more than 10000 statements ran since"
SEVEN_DAYS = "only the last seven days could be read: Object does not exist or not authorized."


@pytest.mark.parametrize(
    ("recent", "archive", "fate"),
    [
        (ALL, NOTHING, Fate("absent")),
        (ALL, DENIED, Fate("absent", error=SEVEN_DAYS)),
        (CUT_HOURS, NOTHING, Fate("absent")),
        (CUT_HOURS, DENIED, Fate("unknown", error=TOO_MANY)),
        (CUT_MINUTES, NOTHING, Fate("unknown", error=TOO_MANY)),
        ((r"QUERY_HISTORY", DENIED), NOTHING, Fate("unknown", error=DENIED.raw_msg)),
        ((r"QUERY_HISTORY", DENIED), DENIED, Fate("unknown", error=DENIED.raw_msg)),
    ],
    ids=[
        "all-and-archive",
        "all",
        "hours-and-archive",
        "hours",
        "minutes-and-archive",
        "archive",
        "none",
    ],
)
def test_a_statement_is_absent_only_where_no_gap_could_hide_it(recent, archive, fate):
    session, _ = opened((ARCHIVE, archive), recent, DATABASE, (r"QUERY_HISTORY", NOTHING))
    assert session.fate("t") == fate


def test_without_a_current_database_those_that_can_be_seen_are_tried():
    shown = (r"^SHOW DATABASES", (["created_on", "name"], [(0, "closed"), (0, "OPEN"), (0, "C")]))
    session, account = opened(
        NO_DATABASE, shown, (r'"closed"\.INFORMATION', DENIED), (BY_SESSION, INSERTED)
    )
    assert session.fate("t") == SUCCEEDED
    assert account.sent[-1][1].partition("FROM TABLE(")[2].startswith("OPEN.INFORMATION_SCHEMA.")


def test_without_any_database_the_archive_alone_cannot_prove_absence():
    shown = (r"^SHOW DATABASES", (["name"], []))
    session, account = opened(NO_DATABASE, shown, (ARCHIVE, NOTHING))
    assert session.fate("t") == Fate(
        "unknown", error="no database has an INFORMATION_SCHEMA that could be asked"
    )
    account.answers.insert(0, (ARCHIVE, INSERTED))
    assert session.fate("t") == SUCCEEDED


def test_a_lost_connection_leaves_the_fate_unknown():
    session, _ = opened((r".", LOST))
    assert session.fate("t") == Fate("unknown", error="Connection is closed")
