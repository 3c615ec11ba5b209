"""Functions in Python: their calls as DuckDB sees them.

Room: embedded. A call becomes one of a function that hands rows of arguments, packed as JSON, to
the worker that has the handler. Nothing of a handler runs here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import import_module
from inspect import Parameter, Signature
from typing import Any

from sqlglot import exp

from skills_nb.embedded.catalog.entities import Entity
from skills_nb.embedded.catalog.pipeline_details import RoutineDetail
from skills_nb.embedded.errors.python_refusals import RefusalError
from skills_nb.embedded.procedures.python import calling
from skills_nb.embedded.session.context import AccountContext, Context, PythonHandlers
from skills_nb.embedded.translator.python_functions import CALL
from skills_nb.embedded.types import names
from skills_nb.embedded.types.data_types import PLACES, SEMI_STRUCTURED, SfType
from skills_nb.errors import SqlError

_TEXTS = dict.fromkeys((*SEMI_STRUCTURED, "BINARY"), "VARCHAR")
"""What travels back as a text that DuckDB does not read by itself."""


def called(
    session: Context, routine: Entity, detail: RoutineDetail, values: list[exp.Expr], invoker: str
) -> exp.Expr:
    """Return the text that a function's handler will return for these values."""
    calling.refuse_to_reach(session, detail)
    number = session.account.python.number(session, routine.owner, invoker, detail)
    listed = [_packed(v, a.type) for v, a in zip(values, detail.arguments, strict=True)]
    row = _own("json_array", listed)
    assert detail.returns is not None
    physical = _TEXTS.get(detail.returns.kind, detail.returns.physical)
    made = _own(_defined(session.account, physical), [exp.Literal.number(number), row])
    if detail.returns.kind in PLACES:
        return _own(CALL, [exp.Literal.string("geography"), made])
    return _own("unhex", [made]) if detail.returns.kind == "BINARY" else made


def _own(name: str, arguments: list[exp.Expr]) -> exp.Anonymous:
    made = exp.Anonymous(this=name, expressions=arguments)
    made.set(names.GOVERNED, True)
    return made


def _packed(value: exp.Expr, kind: SfType) -> exp.Expr:
    """Write as text what JSON has no word for, and documents, whose null is not SQL's NULL."""
    if kind.kind in SEMI_STRUCTURED:
        return _own("trim", [value])
    return _own("hex", [value]) if kind.kind == "BINARY" else value


def _answers(routines: PythonHandlers, number: int, packed: Sequence[str]) -> list[str | None]:
    """Return what a handler returns for rows; its error travels in a text through DuckDB."""
    try:
        return routines.rows(number, packed)
    except SqlError as error:
        raise RefusalError(error.errno or 0, error.sqlstate or "", error.message) from error


def _defined(account: AccountContext, physical: str) -> str:
    """Return the function that answers in a type of DuckDB's, made known to it once."""
    name = "__python_" + re.sub(r"\W+", "_", physical.lower())
    if name in account.python_functions:
        return name
    routines = account.python

    def batch(numbers: Any, packed: Any) -> Any:
        pyarrow: Any = import_module("pyarrow")  # an extra: without it rows go one by one
        found = _answers(routines, numbers[0].as_py(), packed.to_pylist()) if len(packed) else []
        return pyarrow.array(found, type=pyarrow.string())

    def one(number: int, packed: str) -> str | None:
        return _answers(routines, number, [packed])[0]

    listed = [Parameter(name, Parameter.POSITIONAL_ONLY) for name in ("number", "packed")]
    one.__dict__["__signature__"] = Signature(listed)
    account.store.connection.define_rows(name, one, batch, ["BIGINT", "VARCHAR"], physical)
    account.python_functions.add(name)
    return name
