"""Procedures in Python: read when they are made, run when they are called.

Room: embedded. A handler's session sends its statements over the pipe; they are sent on by the
session that called, with the role that the procedure runs as.

See https://docs.snowflake.com/en/developer-guide/stored-procedure/python/procedure-python-overview
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.entities import Kind
from skills_nb.embedded.catalog.pipeline_details import RoutineDetail
from skills_nb.embedded.confined.processes import Worker
from skills_nb.embedded.confined.worker_pipes import BrokenPipeEndError, Patience, parsed
from skills_nb.embedded.parser.scopes import Value
from skills_nb.embedded.procedures.python import asking
from skills_nb.embedded.procedures.python.asking import Handler
from skills_nb.embedded.procedures.python.routines import dumped
from skills_nb.embedded.procedures.python.stage_files import Transfers
from skills_nb.embedded.procedures.stopping import stopped
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.data_types import SfType
from skills_nb.ports import Wire
from skills_nb.sql.classify.procedure_handlers import stays_inside

_SAYS = ("asks", "gets", "puts", "returned")


def check(session: Context, detail: RoutineDetail, kind: Kind) -> None:
    """Refuse what cannot run here, and code that cannot be read; none of it is run.

    Raises:
        SqlError: the code is no Python (100357), or has what this account lacks (0A000).
    """
    if kind is Kind.FUNCTION and detail.returns is None:
        raise errors.unsupported("table functions in PYTHON")
    if kind is Kind.PROCEDURE and session.account.python_session is None:
        raise errors.unsupported("procedures in PYTHON without Snowpark")
    routines = session.account.python
    if kind is Kind.PROCEDURE:
        routines.expect(session)
    if not routines.is_on():
        return  # what cannot be run can be defined; calling it says why it does not run
    patience = Patience(routines.function_s, lambda: stopped(session))
    with asking.in_words(detail, routines.function_s):
        worker = routines.begun(session, is_rich=False)
        try:
            worker.pipe.send({"do": "read"}, _code(detail), patience)
            asking.heard(worker, detail, patience, "done")
        finally:
            worker.end()


def _code(detail: RoutineDetail) -> bytes:
    return detail.body.encode("utf-8", "surrogatepass")


def refuse_to_reach(session: Context, detail: RoutineDetail) -> None:
    """Refuse, in a rehearsal, code that may do something outside of the account.

    Raises:
        SqlError: it may (0A000).
    """
    if session.account.is_rehearsal and not stays_inside(detail.body):
        raise errors.unsupported("rehearsing Python that may reach beyond the account")


def call(session: Context, detail: RoutineDetail, arguments: Mapping[str, Value]) -> Value:
    """Run a procedure's handler with a Snowpark session as its first argument.

    Args:
        session: whose statement calls.
        detail: the procedure.
        arguments: by name, in the order in which it declares them.

    Raises:
        SqlError: no Snowpark is at hand, or its code would reach out of the account (0A000), or the
            handler raises, ends or takes too long (100357).
    """
    opens = session.account.python_session
    if opens is None:
        raise errors.unsupported("procedures in PYTHON without Snowpark")
    refuse_to_reach(session, detail)
    routines = session.account.python
    with asking.in_words(detail, routines.procedure_s):
        worker = routines.begun(session, is_rich=True)
    given = [
        _sent(v.value, a.type) for v, a in zip(arguments.values(), detail.arguments, strict=True)
    ]
    patience = Patience(routines.procedure_s, lambda: stopped(session))
    try:
        with asking.in_words(detail, routines.procedure_s):
            returned = _talked(worker, Handler(1, detail), opens.wire(session), given, patience)
    finally:
        worker.end()
    return Value(returned, detail.returns)


def _talked(
    worker: Worker, handler: Handler, wire: Wire, given: list[Any], patience: Patience
) -> Any:
    """Call the handler, and answer its session until it returns."""
    asking.load(worker, handler, patience)
    worker.pipe.send({"do": "call", "number": handler.number}, dumped(given), patience)
    transfers = Transfers()
    while True:
        said, about, body = asking.heard(worker, handler.detail, patience, *_SAYS)
        if said == "returned":
            return _received(parsed(body))
        worker.pipe.send({}, _answer(said, about, body, wire, transfers), patience)
        reason = patience.stopped()
        if reason is not None:
            raise reason


def _answer(said: str, about: Any, body: bytes, wire: Wire, transfers: Transfers) -> bytes:
    """Answer what a handler's session asks for, as far as its statements allow that."""
    match said:
        case "asks":
            return dumped(transfers.noted(wire.handle(*_request(parsed(body)))))
        case "gets":
            return transfers.get(about)
        case _:
            transfers.put(about, body)
            return b""


def _request(told: Any) -> tuple[str, str, Mapping[str, str], Mapping[str, Any]]:
    """Read a request, as a stranger wrote it."""
    match told:
        case [str(method), str(url), dict(headers), dict(body)]:
            texts = {str(name): str(value) for name, value in headers.items()}
            return method, url, texts, body
        case _:
            raise BrokenPipeEndError


def _sent(value: Any, kind: SfType) -> Any:
    """Write an argument as DuckDB writes those of functions."""
    match value:
        case bytes():
            return value.hex()
        case datetime() if kind.kind == "TIMESTAMP_TZ":
            offset = value.utcoffset() or timedelta()
            moment = value if value.tzinfo is not None else value.replace(tzinfo=UTC)
            return {"t": moment.isoformat(" "), "o": int(offset.total_seconds() // 60)}
        case date() | time():
            return value.isoformat()
        case Decimal() if kind.kind == "FIXED" and not kind.scale:
            return int(value)
        case float() | Decimal():
            return str(value)
        case _:
            return value


_READ: dict[str, Any] = {
    "int": int,
    "Decimal": Decimal,
    "float": float,
    "bytes": bytes.fromhex,
    "datetime": datetime.fromisoformat,
    "date": date.fromisoformat,
    "time": time.fromisoformat,
    "json": str,
}


def _received(told: Any) -> Any:
    """Read what a handler returned, as a stranger wrote it."""
    match told:
        case ["plain", None | bool() | str() as value]:
            return value
        case [str(kind), str(text)] if kind in _READ:
            try:
                return _READ[kind](text)
            except (ValueError, InvalidOperation, OverflowError) as error:
                raise BrokenPipeEndError from error
        case _:
            raise BrokenPipeEndError
