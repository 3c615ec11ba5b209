"""Answers: the documents that the connector expects.

Room: embedded. Nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from skills_nb.embedded.authorizer.parameters import KNOWN, effective
from skills_nb.embedded.storage.spooled_rows import SpooledRows
from skills_nb.embedded.types.values import Result
from skills_nb.embedded.wire import arrow_rows, chunks, encoding
from skills_nb.embedded.wire.types import statement_type_id
from skills_nb.errors import SqlError

if TYPE_CHECKING:
    from skills_nb.embedded.engine.session import AccountSession

Document = dict[str, Any]
_IN_PROGRESS = "333334"
_PATIENCE_S = 300


def done(data: Document) -> Document:
    """Answer what was asked."""
    return {"success": True, "code": None, "message": None, "data": data}


def refused(error: SqlError, session: AccountSession | None) -> Document:
    """Answer with an error."""
    code = f"{error.errno:06d}" if error.errno is not None else "000000"
    data: Document = {
        "internalError": False,
        "errorCode": code,
        "sqlState": error.sqlstate or "",
        "queryId": error.query_id,
        "line": -1,
        "pos": -1,
        "type": "COMPILATION",
        **(_where(session) if session else {}),
    }
    return {"success": False, "code": code, "message": error.message, "data": data}


def in_progress(query_id: str) -> Document:
    """Say that a statement is at work, and where its answer will be."""
    return {
        "success": True,
        "code": _IN_PROGRESS,
        "message": "Asynchronous execution in progress. Use provided query id to perform "
        "query monitoring and management.",
        "data": {
            "queryId": query_id,
            "getResultUrl": f"/queries/{query_id}/result",
            "queryAbortsAfterSecs": _PATIENCE_S,
            "progressDesc": None,
        },
    }


FORMAT = "PYTHON_CONNECTOR_QUERY_RESULT_FORMAT"
_READER = "PythonConnector"
"""The client that reads Arrow, where it does not say otherwise."""


def is_columnar(session: AccountSession, body: Mapping[str, Any]) -> bool:
    """Tell whether a client reads Arrow, and neither session nor request ask for JSON."""
    asked = (body.get("parameters") or {}).get(FORMAT, "ARROW")
    forms = {str(asked).upper(), effective(session, FORMAT)}
    is_read = session.client.startswith(_READER) and "JSON" not in forms
    return is_read and arrow_rows.is_at_hand()


def result(session: AccountSession, made: Result, body: Mapping[str, Any]) -> Document:
    """Answer with a statement's result, in the form that its request asks for."""
    return done(
        {
            "rowtype": [encoding.row_type(column) for column in made.columns],
            **_rows(session, made, body),
            "total": len(made.rows),
            "returned": len(made.rows),
            "queryId": made.query_id,
            "statementTypeId": statement_type_id(made.statement_type),
            "arrayBindSupported": session.statement.takes_batches,
            "version": 1,
            **surroundings(session),
            **(made.transfer or {}),
        }
    )


def _rows(session: AccountSession, made: Result, body: Mapping[str, Any]) -> Document:
    """Give a query's rows as Arrow to the client that reads it, all others as JSON."""
    if made.statement_type == "SELECT" and is_columnar(session, body):
        rows = made.rows
        told = chunks.told(made, rows) if isinstance(rows, SpooledRows) else _at_once(made)
        if told is not None:
            return {**told, "queryResultFormat": "arrow"}
    return {"rowset": encoding.row_set(made), "queryResultFormat": "json"}


def _at_once(made: Result) -> Document | None:
    stream = arrow_rows.written(made)
    return None if stream is None else {"rowsetBase64": stream}


def surroundings(session: AccountSession) -> Document:
    """Tell the session's parameters and where it is."""
    return {"parameters": parameters(session), **_where(session)}


def parameters(session: AccountSession) -> list[Document]:
    """Tell the session's parameters, and what the drivers may do with this account."""
    known = [{"name": name, "value": effective(session, name)} for name in KNOWN]
    return [*known, *({"name": name, "value": True} for name in _OF_DRIVERS)]


_OF_DRIVERS = ("PYTHON_SNOWPARK_ENABLE_THREAD_SAFE_SESSION",)
"""A Snowpark session whose threads each have a cursor of their own; without, they share one."""


def _where(session: AccountSession) -> Document:
    return {
        "finalDatabaseName": session.database,
        "finalSchemaName": session.schema,
        "finalWarehouseName": session.warehouse,
        "finalRoleName": session.role,
    }
