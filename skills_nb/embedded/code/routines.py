"""Routines: CREATE, ALTER and CALL of functions and procedures.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/create-procedure and
https://docs.snowflake.com/en/sql-reference/sql/create-function
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from skills_nb.embedded import names, parsing, refusals
from skills_nb.embedded.callables import python, signatures
from skills_nb.embedded.callables.scopes import Table, Value
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.pipeline_details import RoutineArgument, RoutineDetail
from skills_nb.embedded.code import blocks, interpreting, reading
from skills_nb.embedded.code.filling import literal_of
from skills_nb.embedded.statements import access, objects
from skills_nb.embedded.types import VARIANT, SfType
from skills_nb.embedded.values import Column, Outcome
from skills_nb.embedded.versions.borrowing import borrowed
from skills_nb.sql.governance import ast
from skills_nb.sql.governance.reader import Reader
from skills_nb.sql.governance.routines import read_anonymous
from skills_nb.sql.governance.values import read_arguments
from skills_nb.sql.tokens import opening

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

Given = list[tuple[str | None, Value]]
"""The arguments of a call: each with its name, where one is written."""
_TABLE = re.compile(r"\s*TABLE\s*(\(.*\))\s*", re.I | re.S)
_PYTHON = ("HANDLER", "RUNTIME_VERSION", "PACKAGES")
_TEMPORARY = ("TEMPORARY", "TEMP")
_NULLS = ("STRICT", "RETURNS NULL ON NULL INPUT")
_HARMLESS = ("CALLED ON NULL INPUT", "VOLATILE", "IMMUTABLE", "COPY GRANTS", "NOT NULL")


def create(session: AccountSession, statement: ast.CreateRoutine) -> Outcome:
    """Make a function or procedure."""
    kind = Kind(statement.kind)
    made = _detail(session, statement, kind)
    bare = statement.name[-1]
    full = signatures.signature(bare, (a.type for a in made.arguments))
    named = replace(statement, name=(*statement.name[:-1], full), properties={})
    standing = session.account.catalog.find(kind, session.qualify(named.name))
    if standing is not None:
        access.check_temporary(session, standing, made.temporary)
    kept = access.grants_kept(session, standing) if "COPY GRANTS" in statement.options else []
    outcome = objects.create(
        session,
        named,
        kind,
        lambda: made,
        lambda e: access.give_back(session, e, kept),
        temporary=bool(made.temporary),
    )
    if "already exists" in outcome.rows[0][0]:
        return outcome
    said = f"{kind.title} {bare} successfully created."
    return access.status(said, outcome.statement_type)


def _detail(session: AccountSession, statement: ast.CreateRoutine, kind: Kind) -> RoutineDetail:
    language = statement.language.upper()
    if language not in ("SQL", "PYTHON"):
        raise refusals.unsupported(f"{kind.value} in {language}")
    if set(statement.modifiers) - {"SECURE", *_TEMPORARY}:
        raise refusals.unsupported(f"{statement.modifiers[0]} {kind.value}")
    for option in statement.options:
        if option not in (*_NULLS, *_HARMLESS):
            raise refusals.unsupported(f"{option} of a {kind.value}")
    if statement.body is None:
        raise refusals.unsupported(f"{kind.value} without a body")
    arguments = _arguments(statement.args)
    if any(a.gives_back for a in arguments) and (kind is Kind.FUNCTION or language != "SQL"):
        raise refusals.unsupported(f"OUT arguments of a {kind.value} in {language}")
    returns, columns = _returned(statement.returns)
    made = RoutineDetail(
        statement.name[-1],
        arguments,
        returns,
        statement.body.strip().rstrip(";") if language == "SQL" else statement.body,
        language,
        columns,
        secure="SECURE" in statement.modifiers,
        caller=_caller(statement),
        strict=any(option in _NULLS for option in statement.options),
        volatility=next((o for o in statement.options if o in ("VOLATILE", "IMMUTABLE")), ""),
        not_null="NOT NULL" in statement.options,
        temporary=session.id if set(statement.modifiers) & set(_TEMPORARY) else 0,
        **_python(statement, language),
    )
    _check(session, made, kind)
    return made


def _caller(statement: ast.CreateRoutine) -> bool:
    if statement.execute_as == "RESTRICTED CALLER":
        raise refusals.unsupported("EXECUTE AS RESTRICTED CALLER")
    return statement.execute_as == "CALLER"


def _python(statement: ast.CreateRoutine, language: str) -> dict[str, str]:
    known = _PYTHON if language == "PYTHON" else ()
    for key in statement.properties:
        if key not in known:
            raise refusals.unsupported(f"{key} of a {statement.kind}")
    if language != "PYTHON":
        return {}
    given = statement.properties
    if "HANDLER" not in given:
        raise refusals.invalid_property("Missing option(s): [HANDLER]")
    listed = given.get("PACKAGES", ())
    packages = ", ".join(str(p) for p in listed) if isinstance(listed, tuple) else str(listed)
    return {
        "handler": ast.text_of(given["HANDLER"]),
        "runtime": ast.text_of(given.get("RUNTIME_VERSION", "3.11")),
        "packages": packages,
    }


def _arguments(listed: tuple[ast.Argument, ...]) -> tuple[RoutineArgument, ...]:
    return tuple(
        RoutineArgument(a.name, signatures.typed(a.type), a.default, a.mode != "IN") for a in listed
    )


def _returned(text: str) -> tuple[SfType | None, tuple[RoutineArgument, ...]]:
    found = _TABLE.fullmatch(text)
    if found is None:
        return signatures.typed(text), ()
    return None, _arguments(read_arguments(Reader(found[1], {})))


def _check(session: AccountSession, detail: RoutineDetail, kind: Kind) -> None:
    """Read the body as far as that is possible without running it."""
    if detail.language == "PYTHON":
        python.check(session, detail, kind)
    elif kind is Kind.FUNCTION and detail.returns is None:
        parsing.parse_query(detail.body)
    elif kind is Kind.FUNCTION:
        parsing.parse_expression(f"({detail.body})")
    elif reading.is_block(detail.body):
        reading.read(detail.body)
    else:
        raise refusals.unsupported("PROCEDURE whose body is no block")


# ---- CALL


def call(session: AccountSession, statement: ast.Call) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/call."""
    if statement.into is not None or statement.method is not None:
        raise refusals.unsupported("CALL … INTO outside of a block, or of a method")
    if statement.name[-1].startswith("SYSTEM$"):
        raise refusals.unknown_function(statement.name[-1])
    path = session.qualify(statement.name)
    found = signatures.overloads(session, Kind.PROCEDURE, path, session.active_roles())
    given = _given(session, statement)
    kinds = [(name, value.type) for name, value in given]
    routine = signatures.chosen(found, kinds)
    if routine is None:
        if found:
            shown = ", ".join(signatures.bare(kind) for _, kind in kinds if kind is not None)
            raise refusals.wrong_routine(path[-1], f"({shown})")
        raise refusals.unknown_function(path[-1])
    detail = signatures.detail_of(routine)
    with _as_its_rights_say(session, routine, detail):
        return _called(session, detail, given)


def _given(session: AccountSession, statement: ast.Call) -> Given:
    """Evaluate the arguments of a call."""
    found: Given = []
    for name, text in map(_argument, statement.arguments):
        outcome = session.aside(f"SELECT {text}")
        found.append((name, Value(outcome.rows[0][0], outcome.columns[0].type)))
    return found


def _called(session: AccountSession, detail: RoutineDetail, given: Given) -> Outcome:
    arguments = _bound(session, detail, given)
    outcome = _answer(session, detail, _run(session, detail, arguments))
    names_ = [name or detail.arguments[index].name for index, (name, _) in enumerate(given)]
    outputs = {a.name: (arguments[a.name].value, a.type) for a in detail.arguments if a.gives_back}
    back = {index: outputs[name] for index, name in enumerate(names_) if name in outputs}
    return replace(outcome, given_back=back)


def anonymous(session: AccountSession, text: str) -> Outcome:
    """Run `WITH name AS PROCEDURE … CALL name(…)`, with the rights of who sends it.

    See https://docs.snowflake.com/en/sql-reference/sql/call-with
    """
    statement, call = read_anonymous(Reader(text, session.variable_texts()))
    if call.name != statement.name:
        raise refusals.unknown_function(call.name[-1])
    detail = _detail(session, statement, Kind.PROCEDURE)
    given = _given(session, call)
    if not signatures.fits(detail, [(name, value.type) for name, value in given]):
        shown = ", ".join(signatures.bare(v.type) for _, v in given if v.type is not None)
        raise refusals.wrong_routine(call.name[-1], f"({shown})")
    return _called(session, detail, given)


def is_anonymous(text: str) -> bool:
    """Tell `WITH name AS PROCEDURE` from a query."""
    words = [token.word for token in opening(text, 4)]
    return words[:1] == ["WITH"] and words[2:] == ["AS", "PROCEDURE"]


def _argument(text: str) -> tuple[str | None, str]:
    """Split `name => value`."""
    tree = parsing.parse_expression(f"f({text})")
    inner = tree.expressions[0] if isinstance(tree, exp.Anonymous) and tree.expressions else None
    if isinstance(inner, exp.Kwarg):
        return names.stored(inner.this), inner.expression.sql("snowflake")
    return None, text


def _bound(session: AccountSession, detail: RoutineDetail, given: Given) -> dict[str, Value]:
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
def _as_its_rights_say(
    session: AccountSession, routine: Entity, detail: RoutineDetail
) -> Iterator[None]:
    """Run as the owner's role in the procedure's schema, or as the caller."""
    if detail.caller:
        yield
        return
    with borrowed(session, routine.owner, routine.path[:2]):
        yield


def _run(
    session: AccountSession, detail: RoutineDetail, arguments: dict[str, Value]
) -> Value | Table:
    if detail.strict and any(value.value is None for value in arguments.values()):
        return Value(None, detail.returns)
    if detail.language == "PYTHON":
        return python.call(session, detail, arguments)
    return interpreting.run(session, detail.body, arguments)


def _answer(session: AccountSession, detail: RoutineDetail, returned: Value | Table) -> Outcome:
    if isinstance(returned, Table):
        if detail.returns is not None:
            raise refusals.invalid_property(
                f"Procedure {detail.name} returned rows where {detail.returns.sql} is declared."
            )
        if detail.columns and len(detail.columns) != len(returned.columns):
            raise refusals.wrong_count("Declared and returned columns differ in number.")
        listed = detail.columns
        columns = tuple(Column(a.name, a.type) for a in listed) if listed else returned.columns
        return Outcome(columns, returned.rows, "CALL", len(returned.rows))
    if detail.returns is None:
        raise refusals.invalid_property(f"Procedure {detail.name} must return a table.")
    text = literal_of(returned.value, returned.type)
    kind = detail.returns
    if kind.kind == VARIANT.kind:
        outcome = session.aside(f"SELECT TO_VARIANT({text})")
    else:
        outcome = session.aside(f"SELECT CAST(({text}) AS {kind.sql})")
    return blocks.answered(detail.name, Value(outcome.rows[0][0], kind), kind, "CALL")


# ---- ALTER


def alter(session: AccountSession, entity: Entity, action: Any) -> bool:
    """See https://docs.snowflake.com/en/sql-reference/sql/alter-procedure."""
    detail = signatures.detail_of(entity)
    match action:
        case ast.SetExecuteAs():
            if action.rights == "RESTRICTED CALLER":
                raise refusals.unsupported("EXECUTE AS RESTRICTED CALLER")
            made = replace(detail, caller=action.rights == "CALLER")
        case ast.SetFlag(flag="SECURE"):
            made = replace(detail, secure=True)
        case ast.UnsetProperties(names=("SECURE",)):
            made = replace(detail, secure=False)
        case ast.RenameTo():
            full = signatures.signature(action.name[-1], (a.type for a in detail.arguments))
            path = session.qualify((*action.name[:-1], full))
            if session.account.catalog.find(entity.kind, path) is not None:
                raise refusals.already_exists(entity.kind.value, path)
            access.may_create(session, entity.kind, path)
            made = replace(detail, name=action.name[-1])
            entity = session.account.catalog.change(entity, path=path)
        case _:
            return False
    session.account.catalog.change(entity, detail=made)
    return True
