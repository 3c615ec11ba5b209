"""Calling procedures: CALL, and WITH … AS PROCEDURE … CALL.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/call
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.binder import signatures
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.pipeline_details import RoutineDetail
from skills_nb.embedded.objects.routines import routine_definition
from skills_nb.embedded.parser import parsing
from skills_nb.embedded.parser.scopes import Table, Value
from skills_nb.embedded.procedures import blocks, interpreting
from skills_nb.embedded.procedures.filling import literal_of
from skills_nb.embedded.procedures.python import calling
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.session.impersonation import borrowed
from skills_nb.embedded.types import names
from skills_nb.embedded.types.data_types import VARIANT
from skills_nb.embedded.types.values import Column, Outcome
from skills_nb.sql.governance import ast
from skills_nb.sql.governance.reader import Reader
from skills_nb.sql.governance.routines import read_anonymous

Given = list[tuple[str | None, Value]]
"""The arguments of a call: each with its name, where one is written."""


def call(session: Context, statement: ast.Call) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/call.

    Raises:
        SqlError: there is no such procedure (2140), none that takes these arguments (1044), or INTO
            is written outside of a block (0A000).
    """
    if statement.into is not None or statement.method is not None:
        raise errors.unsupported("CALL … INTO outside of a block, or of a method")
    if statement.name[-1].startswith("SYSTEM$"):
        raise errors.unknown_function(statement.name[-1])
    path = session.qualify(statement.name)
    found = signatures.overloads(session, Kind.PROCEDURE, path, session.active_roles())
    given = _given(session, statement)
    kinds = [(name, value.type) for name, value in given]
    routine = signatures.chosen(found, kinds)
    if routine is None:
        if found:
            shown = ", ".join(signatures.bare(kind) for _, kind in kinds if kind is not None)
            raise errors.wrong_routine(path[-1], f"({shown})")
        raise errors.unknown_function(path[-1])
    detail = signatures.detail_of(routine)
    with _as_its_rights_say(session, routine, detail):
        return _called(session, detail, given)


def _given(session: Context, statement: ast.Call) -> Given:
    """Evaluate the arguments of a call."""
    found: Given = []
    for name, text in map(_argument, statement.arguments):
        outcome = session.aside(f"SELECT {text}")
        found.append((name, Value(outcome.rows[0][0], outcome.columns[0].type)))
    return found


def _called(session: Context, detail: RoutineDetail, given: Given) -> Outcome:
    arguments = _bound(session, detail, given)
    outcome = _answer(session, detail, _run(session, detail, arguments))
    names_ = [name or detail.arguments[index].name for index, (name, _) in enumerate(given)]
    outputs = {a.name: (arguments[a.name].value, a.type) for a in detail.arguments if a.gives_back}
    back = {index: outputs[name] for index, name in enumerate(names_) if name in outputs}
    return replace(outcome, given_back=back)


def anonymous(session: Context, text: str) -> Outcome:
    """Run `WITH name AS PROCEDURE … CALL name(…)`, with the rights of who sends it.

    Raises:
        SqlError: another procedure is called (2140), or with other arguments (1044).

    See https://docs.snowflake.com/en/sql-reference/sql/call-with
    """
    statement, call = read_anonymous(Reader(text, session.variable_texts()))
    if call.name != statement.name:
        raise errors.unknown_function(call.name[-1])
    detail = routine_definition.read(session, statement, Kind.PROCEDURE)
    given = _given(session, call)
    if not signatures.fits(detail, [(name, value.type) for name, value in given]):
        shown = ", ".join(signatures.bare(v.type) for _, v in given if v.type is not None)
        raise errors.wrong_routine(call.name[-1], f"({shown})")
    return _called(session, detail, given)


def _argument(text: str) -> tuple[str | None, str]:
    """Split `name => value`."""
    tree = parsing.parse_expression(f"f({text})")
    inner = tree.expressions[0] if isinstance(tree, exp.Anonymous) and tree.expressions else None
    if isinstance(inner, exp.Kwarg):
        return names.stored(inner.this), inner.expression.sql("snowflake")
    return None, text


def _bound(session: Context, detail: RoutineDetail, given: Given) -> dict[str, Value]:
    """Cast the arguments to their types and fill in defaults."""
    made: dict[str, Value] = {}
    by_name = {name: value for name, value in given if name is not None}
    positional = [value for name, value in given if name is None]
    for index, argument in enumerate(detail.arguments):
        if index < len(positional):
            text = literal_of(positional[index].value, positional[index].type)
        elif argument.name in by_name:
            text = literal_of(by_name[argument.name].value, by_name[argument.name].type)
        else:
            text = argument.default or "NULL"
        outcome = session.aside(f"SELECT CAST(({text}) AS {argument.type.sql})")
        made[argument.name] = Value(outcome.rows[0][0], argument.type)
    return made


@contextmanager
def _as_its_rights_say(session: Context, routine: Entity, detail: RoutineDetail) -> Iterator[None]:
    """Run as the owner's role in the procedure's schema, or as the caller."""
    if detail.caller:
        yield
        return
    with borrowed(session, routine.owner, routine.path[:2], routine=True):
        yield


def _run(session: Context, detail: RoutineDetail, arguments: dict[str, Value]) -> Value | Table:
    if detail.strict and any(value.value is None for value in arguments.values()):
        return Value(None, detail.returns)
    with session.own_transactions():
        if detail.language == "PYTHON":
            return calling.call(session, detail, arguments)
        return interpreting.run(session, detail.body, arguments)


def _answer(session: Context, detail: RoutineDetail, returned: Value | Table) -> Outcome:
    if isinstance(returned, Table):
        if detail.returns is not None:
            raise errors.invalid_property(
                f"Procedure {detail.name} returned rows where {detail.returns.sql} is declared."
            )
        if detail.columns and len(detail.columns) != len(returned.columns):
            raise errors.wrong_count("Declared and returned columns differ in number.")
        listed = detail.columns
        columns = tuple(Column(a.name, a.type) for a in listed) if listed else returned.columns
        return Outcome(columns, returned.rows, "CALL", len(returned.rows))
    if detail.returns is None:
        raise errors.invalid_property(f"Procedure {detail.name} must return a table.")
    text = literal_of(returned.value, returned.type)
    kind = detail.returns
    if kind.kind == VARIANT.kind:
        outcome = session.aside(f"SELECT TO_VARIANT({text})")
    else:
        outcome = session.aside(f"SELECT CAST(({text}) AS {kind.sql})")
    return blocks.answered(detail.name, Value(outcome.rows[0][0], kind), kind, "CALL")
