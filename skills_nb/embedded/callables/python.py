"""Python: handlers of functions and procedures, run in this process.

Room: embedded. The code is its author's, and runs with what this process may do. A handler of a
function gets only values that the query may see; a procedure's session is governed like any other.

See https://docs.snowflake.com/en/developer-guide/udf/python/udf-python-introduction
"""

from __future__ import annotations

import json
from collections.abc import Callable
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any

from skills_nb.embedded import refusals
from skills_nb.embedded.callables.scopes import Table, Value
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.pipeline_details import RoutineDetail
from skills_nb.embedded.natives import moments
from skills_nb.embedded.types import SEMI_STRUCTURED, SfType
from skills_nb.errors import SqlError

if TYPE_CHECKING:
    from skills_nb.embedded.lookups import Lookups
    from skills_nb.embedded.session import AccountSession


def check(session: AccountSession, detail: RoutineDetail, kind: Kind) -> None:
    """Refuse what cannot run here, and code that cannot be read.

    Raises:
        SqlError: the code is no Python (100357), or has what this account lacks (0A000).
    """
    if kind is Kind.FUNCTION and detail.returns is None:
        raise refusals.unsupported("table functions in PYTHON")
    if kind is Kind.PROCEDURE and session.account.python_session is None:
        raise refusals.unsupported("procedures in PYTHON without Snowpark")
    try:
        compile(detail.body, f"<{detail.name}>", "exec")
    except SyntaxError as error:
        raise failed(detail, error) from error


def failed(detail: RoutineDetail, error: BaseException) -> SqlError:
    """Return the error of a handler that raised."""
    return SqlError(
        f"Python Interpreter Error:\n{type(error).__name__}: {error} in function {detail.name} "
        f"with handler {detail.handler}",
        errno=100357,
        sqlstate="P0000",
    )


def handler_of(detail: RoutineDetail) -> Callable[..., Any]:
    """Load the handler."""
    place: dict[str, Any] = {"__name__": detail.name}
    try:
        exec(compile(detail.body, f"<{detail.name}>", "exec"), place)  # noqa: S102 - its very task
        found = place[detail.handler]
    except Exception as error:
        raise failed(detail, error) from error
    handler: Callable[..., Any] = found
    return handler


def taken(value: Any, kind: SfType) -> Any:
    """Give a stored value the form that a handler expects."""
    if value is not None and kind.kind in SEMI_STRUCTURED and isinstance(value, str):
        return json.loads(value)
    return moments.seen(value) if isinstance(value, dict) else value


def given(value: Any, kind: SfType | None) -> Any:
    """Give what a handler returns the form that is stored."""
    if value is not None and kind is not None and kind.kind in SEMI_STRUCTURED:
        return json.dumps(value, default=str)
    if kind is not None and kind.kind == "TIMESTAMP_TZ":
        return moments.held(value)
    return str(value) if kind is not None and kind.kind == "TEXT" and value is not None else value


def registered(session: Lookups, routine: Entity, detail: RoutineDetail) -> str:
    """Make a function known to DuckDB; return the name that only the account uses."""
    name = f"__python_{routine.id}_{abs(hash(detail))}"
    if name in session.account.python_functions:
        return name
    handler = handler_of(detail)
    kinds = [a.type for a in detail.arguments]

    def run(*values: Any) -> Any:
        if detail.strict and any(value is None for value in values):
            return None
        try:
            read = (taken(v, k) for v, k in zip(values, kinds, strict=True))
            return given(handler(*read), detail.returns)
        except Exception as error:
            raise failed(detail, error) from error

    assert detail.returns is not None
    listed = [Parameter(f"a{i}", Parameter.POSITIONAL_ONLY) for i in range(len(kinds))]
    run.__dict__["__signature__"] = Signature(listed)  # DuckDB counts the parameters
    make: Any = session.account.store.connection.create_function
    make(
        name,
        run,
        [_physical(kind) for kind in kinds],
        _physical(detail.returns),
        null_handling="special",
        side_effects=True,
    )
    session.account.python_functions.add(name)
    return name


def _physical(kind: SfType) -> str:
    return "VARCHAR" if kind.kind in SEMI_STRUCTURED else kind.physical


def call(
    session: AccountSession, detail: RoutineDetail, arguments: dict[str, Value]
) -> Value | Table:
    """Run a procedure's handler with a Snowpark session as its first argument."""
    open_session = session.account.python_session
    if open_session is None:
        raise refusals.unsupported("procedures in PYTHON without Snowpark")
    handler = handler_of(detail)
    read = [
        taken(v.value, a.type) for v, a in zip(arguments.values(), detail.arguments, strict=True)
    ]
    with open_session(session) as snowpark:
        try:
            returned = handler(snowpark, *read)
        except SqlError:
            raise
        except Exception as error:
            raise failed(detail, error) from error
    return Value(given(returned, detail.returns), detail.returns)
