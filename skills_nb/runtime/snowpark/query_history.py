"""What became of a statement, told by the account's query history.

Room: work (runtime, snowpark). A statement that was submitted is judged by its query id alone;
what it ran inside says nothing about it. One that is not found is *absent* only where the history
that was read is known to reach back without a gap; otherwise it is *unknown*.
Source: THREADS, Crash window; the manual's QUERY_HISTORY table functions (7 days, at most 10,000
rows, of the user and what the role may monitor) and ACCOUNT_USAGE.QUERY_HISTORY (a year, up to 45
minutes late). Neither keeps every short statement that works on hybrid tables alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from skills_nb.errors import SqlError
from skills_nb.ports import Fate
from skills_nb.runtime.refusal_texts import number_of, words_of
from skills_nb.runtime.snowpark.parent_queries import SoughtStatement, parent
from skills_nb.sql.identifiers import quote

Status = Literal["succeeded", "failed", "running", "unknown"]

Ask = Callable[[str, Sequence[Any]], Sequence[Mapping[str, Any]]]
"""Runs a query with parameters; rows by column name. Raises `SqlError`."""

LIMIT = 10_000
"""Rows that a table function returns at most; filters come after it."""

_DATABASES_TRIED = 3
_COLUMNS = (
    "QUERY_ID, QUERY_TEXT, QUERY_TYPE, EXECUTION_STATUS, START_TIME, ROWS_PRODUCED, "
    "TOTAL_ELAPSED_TIME, ERROR_CODE, ERROR_MESSAGE"
)
_WHERE = (
    "WHERE QUERY_ID = %s OR QUERY_TAG = %s ORDER BY IFF(QUERY_ID = %s, 0, 1), START_TIME LIMIT 100"
)
"""The statement began before what it ran inside."""
# An hour less than the seven days that may be asked for, because clocks differ.
_SINCE = "END_TIME_RANGE_START => DATEADD('hour', -167, CURRENT_TIMESTAMP())"
_ARCHIVE = "SNOWFLAKE.ACCOUNT_USAGE.QUERY_HISTORY"

_STATUS: Mapping[str, Status] = {
    "SUCCESS": "succeeded",
    "FAIL": "failed",
    "FAILED_WITH_ERROR": "failed",
    "FAILED_WITH_INCIDENT": "failed",
    "INCIDENT": "failed",
    "ABORTED": "failed",
    "RUNNING": "running",
    "QUEUED": "running",
    "QUEUED_REPARING_WAREHOUSE": "running",
    "QUEUED_REPAIRING_WAREHOUSE": "running",
    "RESUMING_WAREHOUSE": "running",
    "BLOCKED": "running",
    "ABORTING": "running",
}
_ROW_CHANGING = frozenset({"INSERT", "UPDATE", "DELETE", "MERGE", "COPY", "MULTI_TABLE_INSERT"})


_ONLY_OTHERS = (
    "the query history has statements with this one's tag, such as what it ran inside, but cannot "
    "tell this one itself"
)

Reach = Literal["all", "hours", "nothing"]
"""Of its seven days a table function told all, or cut old ones off, or told nothing."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """What one history said of a statement."""

    rows: Sequence[Mapping[str, Any]] = ()
    reach: Reach = "nothing"
    trouble: str = ""
    """Why it could not be read; empty where it was."""


def find_fate(ask: Ask, sought: SoughtStatement) -> Fate:
    """Look a statement up by its query id, else by tag and text: recent history, then the archive.

    An absent statement's `error` says how far back was looked, where that is not a year; an
    unknown one's says why nothing is known.
    """
    recent = _recent(ask, sought)
    row = parent(recent.rows, sought)
    if row is not None:
        return _fate_of(row)
    archive = _archive(ask, sought)
    row = parent(archive.rows, sought)
    if row is not None:
        return _fate_of(row)
    if recent.rows or archive.rows:
        return Fate("unknown", error=_ONLY_OTHERS)
    return _not_found(recent, archive)


def _told(ask: Ask, table: str, sought: SoughtStatement) -> Sequence[Mapping[str, Any]]:
    query_id = sought.query_id or ""
    return ask(f"SELECT {_COLUMNS} FROM {table} {_WHERE}", (query_id, sought.tag, query_id))


def _recent(ask: Ask, sought: SoughtStatement) -> _Answer:
    """Ask the table functions, in the first database that lets us."""
    trouble = "no database has an INFORMATION_SCHEMA that could be asked"
    try:
        databases = _databases(ask)
    except SqlError as problem:
        return _Answer(trouble=problem.message)
    for database in databases:
        try:
            return _recent_in(ask, f"{quote(database)}.INFORMATION_SCHEMA", sought)
        except SqlError as problem:
            trouble = problem.message
    return _Answer(trouble=trouble)


def _recent_in(ask: Ask, schema: str, sought: SoughtStatement) -> _Answer:
    options = f"({_SINCE}, RESULT_LIMIT => {LIMIT})"
    all_sessions = f"TABLE({schema}.QUERY_HISTORY{options})"
    for table in (f"TABLE({schema}.QUERY_HISTORY_BY_SESSION{options})", all_sessions):
        rows = _told(ask, table, sought)
        if rows:
            return _Answer(rows)
    (told,) = ask(
        "SELECT COUNT(*) AS TOLD, "
        "COALESCE(MIN(START_TIME) < DATEADD('hour', -3, CURRENT_TIMESTAMP()), FALSE) AS IS_OLD "
        f"FROM {all_sessions}",
        (),
    )
    if int(told["TOLD"]) < LIMIT:
        return _Answer(reach="all")
    return _Answer(
        reach="hours" if told["IS_OLD"] else "nothing",
        trouble=f"more than {LIMIT} statements ran since",
    )


def _archive(ask: Ask, sought: SoughtStatement) -> _Answer:
    try:
        return _Answer(_told(ask, _ARCHIVE, sought), reach="all")
    except SqlError as problem:
        return _Answer(trouble=problem.message)


def _not_found(recent: _Answer, archive: _Answer) -> Fate:
    # The archive is up to 45 minutes late, so it proves nothing without recent history.
    if not archive.trouble and recent.reach != "nothing":
        return Fate("absent")
    if recent.reach == "all":
        return Fate("absent", error=f"only the last seven days could be read: {archive.trouble}")
    return Fate("unknown", error=recent.trouble or archive.trouble)


def _databases(ask: Ask) -> Sequence[str]:
    """Return the current database, or else a few of those that can be seen."""
    (current,) = ask("SELECT CURRENT_DATABASE() AS NAME", ())
    if current["NAME"]:
        return [current["NAME"]]
    return [str(row["name"]) for row in ask("SHOW DATABASES", ())][:_DATABASES_TRIED]


def _fate_of(row: Mapping[str, Any]) -> Fate:
    said = str(row["EXECUTION_STATUS"]).upper()
    status: Status = _STATUS.get(said, "unknown")
    changes_rows = str(row["QUERY_TYPE"]).upper() in _ROW_CHANGING
    message = words_of(str(row["ERROR_MESSAGE"] or ""))
    return Fate(
        status,
        query_id=str(row["QUERY_ID"]),
        row_count=int(row["ROWS_PRODUCED"] or 0) if changes_rows else None,
        duration_s=int(row["TOTAL_ELAPSED_TIME"] or 0) / 1000,
        error=message if status != "unknown" else f"its execution status is '{said}'",
        errno=number_of(row["ERROR_CODE"] or ""),
    )
