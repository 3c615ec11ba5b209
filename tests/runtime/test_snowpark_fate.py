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
    "QUERY_TEXT",
    "START_TIME",
]
CALL = "CALL d.public.p()"


def _told(*rows):
    """Return what a history answers; of a short row the text is CALL, and it began first."""
    return HISTORY, [(*row, *(CALL, 0)[len(row) - 7 :]) for row in rows]


INSERTED = _told(("01c", "INSERT", "SUCCESS", 5, 1500, None, None))
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
    first = "ORDER BY IFF(QUERY_ID = '{}', 0, 1), START_TIME LIMIT 100"
    assert wheres == [
        "QUERY_ID = '01c' OR QUERY_TAG = 'it''s' " + first.format("01c"),
        "QUERY_ID = '' OR QUERY_TAG = 'thr_1:7' " + first.format(""),
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
            ("q", "CALL", "FAILED_WITH_ERROR", 0, 5, "-20002", "-20002 (P0001): Uncaught"),
            Fate("failed", query_id="q", duration_s=0.005, error="Uncaught", errno=-20002),
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
    session, _ = opened(DATABASE, (BY_SESSION, _told(row)))
    assert session.fate("t") == fate


FAILED = ("q1", "CALL", "FAILED_WITH_ERROR", 0, 9, "2003", "no")
INNER = ("q2", "INSERT", "SUCCESS", 1, 1, None, None, "INSERT INTO t VALUES (1)", 1)
RUNS = ("q3", "CALL", "RUNNING", 0, 1, None, None)
ONLY_OTHERS = Fate(
    "unknown",
    error="the query history has statements with this one's tag, such as what it ran inside, but "
    "cannot tell this one itself",
)


def _fate(*rows, query_id=None, sql=CALL):
    session, _ = opened(DATABASE, (COUNT, _counted(7)[1]), (r"QUERY_HISTORY", _told(*rows)))
    return session.fate("t", query_id=query_id, sql=sql)


@pytest.mark.parametrize("sql", [CALL, f"  {CALL} ;\n", None])
@pytest.mark.parametrize("rows", [(FAILED, INNER), (INNER, FAILED)])
def test_what_a_failed_call_ran_inside_does_not_make_it_succeed(rows, sql):
    assert _fate(*rows, sql=sql) == Fate("failed", "q1", None, 0.009, "no", 2003)
    assert _fate(*rows, sql=sql, query_id="q1") == Fate("failed", "q1", None, 0.009, "no", 2003)


def test_what_failed_inside_does_not_make_a_call_fail_that_caught_it():
    caught = ("q2", "INSERT", "FAIL", 0, 1, "2003", "no", "INSERT INTO nope VALUES (1)", 1)
    succeeded = ("q1", "CALL", "SUCCESS", 1, 9, None, None)
    assert _fate(caught, succeeded).status == "succeeded"


def test_a_call_runs_as_long_as_it_says_so_itself():
    assert _fate(RUNS, INNER).status == "running"


def test_a_statement_s_own_id_outranks_every_tag_and_text():
    other = ("q9", "CALL", "SUCCESS", 0, 1, None, None, CALL, -5)
    assert _fate(other, FAILED, INNER, query_id="q1").query_id == "q1"
    assert _fate(other, INNER, query_id="q1") == ONLY_OTHERS


def test_of_a_recursion_the_first_call_is_the_statement():
    deeper = ("q2", "CALL", "SUCCESS", 0, 1, None, None, CALL, 1)
    assert _fate(deeper, FAILED).query_id == "q1"


def test_a_statement_that_cannot_be_told_from_what_it_ran_is_unknown():
    assert _fate(INNER) == ONLY_OTHERS
    together = ("q2", "CALL", "SUCCESS", 0, 1, None, None)
    assert _fate(FAILED, together) == ONLY_OTHERS


def test_the_archive_is_asked_where_recent_history_has_only_the_inner_ones():
    rows = (BY_SESSION, _told(INNER)), (RECENT, _told(INNER)), (ARCHIVE, _told(FAILED, INNER))
    session, _ = opened(DATABASE, *rows)
    assert session.fate("t", sql=CALL).query_id == "q1"


@pytest.mark.parametrize(
    ("sql", "kept", "is_found"),
    [
        ("CREATE USER u PASSWORD = 'a''b'", "CREATE USER u PASSWORD = '***'", True),
        ("CREATE USER u PASSWORD = 'x'", "CREATE USER v PASSWORD = '***'", False),
        ("CALL p('«secret:pin»')", "CALL p('1234')", True),
        ("CALL p(«redacted»)", "CALL p('1234', 5)", True),
        ("CALL p('2')", "CALL p('1')", False),
        ("EXECUTE IMMEDIATE 'x'", "x", False),
        ("INSERT INTO t VALUES (1) -- " + "x" * 100_000, "INSERT INTO t VALUES (1) -- x", False),
        ("INSERT INTO t VALUES ('" + "x" * 100_000, "INSERT INTO t VALUES ('" + "x" * 99_977, True),
    ],
)
def test_a_text_is_the_statement_s_own_whatever_was_taken_out_of_it(sql, kept, is_found):
    row = ("q1", "CALL", "SUCCESS", 0, 1, None, None, kept)
    assert (_fate(row, sql=sql).status == "succeeded") is is_found


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
