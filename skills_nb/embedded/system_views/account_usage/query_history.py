"""QUERY_HISTORY: what became of statements, as the view and the table functions show it.

Room: embedded. What is not measured here (scanned bytes, partitions, waiting) is 0 or NULL. The
size of a warehouse is its present one, and only statements that compute have it.

See https://docs.snowflake.com/en/sql-reference/account-usage/query_history and
https://docs.snowflake.com/en/sql-reference/functions/query_history
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import Any

from skills_nb.embedded.catalog.entities import Kind, UserDetail, WarehouseDetail
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.session.metering import COMPUTING
from skills_nb.embedded.system_views import statement_history
from skills_nb.embedded.types.system_rows import Rows, laid_out

_Found = dict[str, Any]
_Columns = dict[str, Callable[[_Found], Any]]


def _held(*names: str) -> _Columns:
    """Return columns that the history keeps under their own names."""
    return {name: itemgetter(name.partition(":")[0].lower()) for name in names}


def _always(value: object, *names: str) -> _Columns:
    return {name: lambda _: value for name in names}


def _elapsed(found: _Found) -> int:
    return int((found["end_time"] - found["start_time"]).total_seconds() * 1000)


def _hashed(place: int) -> Callable[[_Found], str]:
    return lambda f: statement_history.hashes(f["query_text"])[place]


def _changed(*words: str) -> Callable[[_Found], int]:
    """Count the rows of statements of some types."""
    return lambda f: (f["rows_produced"] or 0) if f["query_type"] in words else 0


def _numbers(session: Context) -> _Columns:
    catalog = session.account.catalog

    def place(kind: Kind, *keys: str) -> Callable[[_Found], int | None]:
        def read(found: _Found) -> int | None:
            path = tuple(found[key] or "" for key in keys)
            entity = catalog.find(kind, path)
            return entity.id if entity is not None else None

        return read

    return {
        "DATABASE_ID:n": place(Kind.DATABASE, "database_name"),
        "SCHEMA_ID:n": place(Kind.SCHEMA, "database_name", "schema_name"),
        "WAREHOUSE_ID:n": place(Kind.WAREHOUSE, "warehouse_name"),
    }


def _warehouse(session: Context) -> _Columns:
    def computes(found: _Found) -> WarehouseDetail | None:
        if found["query_type"] not in COMPUTING or found["warehouse_name"] is None:
            return None
        entity = session.account.catalog.find(Kind.WAREHOUSE, (found["warehouse_name"],))
        detail = entity.detail if entity is not None else None
        return detail if isinstance(detail, WarehouseDetail) else None

    def told(read: Callable[[WarehouseDetail], Any]) -> Callable[[_Found], Any]:
        def of(found: _Found) -> Any:
            detail = computes(found)
            return read(detail) if detail is not None else None

        return of

    return {
        "WAREHOUSE_SIZE": told(lambda d: d.size),
        "WAREHOUSE_TYPE": told(lambda d: d.type),
        "CLUSTER_NUMBER:n": told(lambda _: 1),
    }


def _user_type(session: Context) -> Callable[[_Found], str | None]:
    def read(found: _Found) -> str | None:
        user = session.account.catalog.find(Kind.USER, (found["user_name"],))
        detail = user.detail if user is not None else None
        return detail.type or None if isinstance(detail, UserDetail) else None

    return read


def _columns(session: Context) -> _Columns:
    """Return all columns, in the order of the view."""
    number = _numbers(session)
    return {
        **_held("QUERY_ID", "QUERY_TEXT"),
        "DATABASE_ID:n": number["DATABASE_ID:n"],
        **_held("DATABASE_NAME"),
        "SCHEMA_ID:n": number["SCHEMA_ID:n"],
        **_held("SCHEMA_NAME", "QUERY_TYPE", "SESSION_ID:n", "USER_NAME", "ROLE_NAME"),
        "WAREHOUSE_ID:n": number["WAREHOUSE_ID:n"],
        **_held("WAREHOUSE_NAME"),
        **_warehouse(session),
        **_held("QUERY_TAG", "EXECUTION_STATUS", "ERROR_CODE", "ERROR_MESSAGE"),
        **_held("START_TIME:t", "END_TIME:t"),
        "TOTAL_ELAPSED_TIME:n": _elapsed,
        **_always(0, "BYTES_SCANNED:n"),
        **_always(0.0, "PERCENTAGE_SCANNED_FROM_CACHE:r"),
        **_always(0, "BYTES_WRITTEN:n", "BYTES_WRITTEN_TO_RESULT:n", "BYTES_READ_FROM_RESULT:n"),
        **_held("ROWS_PRODUCED:n"),
        "ROWS_INSERTED:n": _changed("INSERT", "COPY", "MULTI_TABLE_INSERT"),
        "ROWS_UPDATED:n": _changed("UPDATE"),
        "ROWS_DELETED:n": _changed("DELETE"),
        "ROWS_UNLOADED:n": _changed("UNLOAD"),
        **_always(0, "BYTES_DELETED:n"),
        **_always(None, "PARTITIONS_SCANNED:n", "PARTITIONS_TOTAL:n"),
        **_always(0, "BYTES_SPILLED_TO_LOCAL_STORAGE:n", "BYTES_SPILLED_TO_REMOTE_STORAGE:n"),
        **_always(0, "BYTES_SENT_OVER_THE_NETWORK:n", "COMPILATION_TIME:n"),
        "EXECUTION_TIME:n": _elapsed,
        **_always(
            0, "QUEUED_PROVISIONING_TIME:n", "QUEUED_REPAIR_TIME:n", "QUEUED_OVERLOAD_TIME:n"
        ),
        **_always(0, "TRANSACTION_BLOCKED_TIME:n"),
        **_transfers("OUTBOUND"),
        **_transfers("INBOUND"),
        **_always(0, "LIST_EXTERNAL_FILES_TIME:n"),
        **_always(0.0, "CREDITS_USED_CLOUD_SERVICES:r"),
        **_always(None, "RELEASE_VERSION"),
        **_external_functions(),
        **_always(None, "QUERY_LOAD_PERCENT:n"),
        **_always(False, "IS_CLIENT_GENERATED_STATEMENT:b"),
        **_always(0, "QUERY_ACCELERATION_BYTES_SCANNED:n"),
        **_always(0, "QUERY_ACCELERATION_PARTITIONS_SCANNED:n"),
        **_always(0, "QUERY_ACCELERATION_UPPER_LIMIT_SCALE_FACTOR:n"),
        **_held("TRANSACTION_ID"),
        **_always(0, "CHILD_QUERIES_WAIT_TIME:n"),
        **_always("ROLE", "ROLE_TYPE"),
        "QUERY_HASH": _hashed(0),
        **_always(1, "QUERY_HASH_VERSION:n"),
        "QUERY_PARAMETERIZED_HASH": _hashed(1),
        **_always(1, "QUERY_PARAMETERIZED_HASH_VERSION:n"),
        **_always(None, "SECONDARY_ROLE_STATS"),
        "ROWS_WRITTEN_TO_RESULT:n": _changed("SELECT"),
        **_always(0, "QUERY_RETRY_TIME:n"),
        **_always(None, "QUERY_RETRY_CAUSE"),
        **_always(0, "FAULT_HANDLING_TIME:n"),
        "USER_TYPE": _user_type(session),
    }


def _transfers(way: str) -> _Columns:
    return {
        **_always(None, f"{way}_DATA_TRANSFER_CLOUD", f"{way}_DATA_TRANSFER_REGION"),
        **_always(0, f"{way}_DATA_TRANSFER_BYTES:n"),
    }


def _external_functions() -> _Columns:
    counted = ("INVOCATIONS", "SENT_ROWS", "RECEIVED_ROWS", "SENT_BYTES", "RECEIVED_BYTES")
    return _always(0, *(f"EXTERNAL_FUNCTION_TOTAL_{word}:n" for word in counted))


_ONLY_OF_VIEW = frozenset(
    {
        "DATABASE_ID:n",
        "SCHEMA_ID:n",
        "WAREHOUSE_ID:n",
        "PERCENTAGE_SCANNED_FROM_CACHE:r",
        "BYTES_WRITTEN:n",
        "ROWS_UPDATED:n",
        "ROWS_DELETED:n",
        "PARTITIONS_SCANNED:n",
        "PARTITIONS_TOTAL:n",
        "BYTES_SPILLED_TO_LOCAL_STORAGE:n",
        "BYTES_SPILLED_TO_REMOTE_STORAGE:n",
        "BYTES_SENT_OVER_THE_NETWORK:n",
        "QUERY_LOAD_PERCENT:n",
        "USER_TYPE",
    }
)


_OF_FUNCTIONS = {"FAIL": "FAILED_WITH_ERROR", "INCIDENT": "FAILED_WITH_INCIDENT"}
"""How the table functions call an end that the view calls otherwise."""


def _end(found: _Found) -> str:
    status: str = found["execution_status"]
    return _OF_FUNCTIONS.get(status, status)


def all_queries(session: Context) -> Rows:
    """Return every statement.

    See https://docs.snowflake.com/en/sql-reference/account-usage/query_history
    """
    return laid_out(_columns(session), statement_history.stored(session))


def shown(session: Context, found: Iterable[_Found]) -> Rows:
    """Return statements as the table functions show them."""
    columns = {k: v for k, v in _columns(session).items() if k not in _ONLY_OF_VIEW}
    columns["EXECUTION_STATUS"] = _end
    return laid_out(columns, found)
