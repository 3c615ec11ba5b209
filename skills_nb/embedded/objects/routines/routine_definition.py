"""Defining functions and procedures: CREATE and ALTER.

Room: embedded. A body is read as far as that is possible without running it.

See https://docs.snowflake.com/en/sql-reference/sql/create-procedure and
https://docs.snowflake.com/en/sql-reference/sql/create-function
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access
from skills_nb.embedded.binder import signatures
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.pipeline_details import RoutineArgument, RoutineDetail
from skills_nb.embedded.objects.lifecycle import create_steps, creation
from skills_nb.embedded.objects.routines import function_bodies
from skills_nb.embedded.parser import reading
from skills_nb.embedded.procedures.python import calling
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.data_types import SfType
from skills_nb.embedded.types.outcomes import status
from skills_nb.embedded.types.values import Outcome
from skills_nb.sql.governance import ast
from skills_nb.sql.governance.clauses import read_arguments
from skills_nb.sql.governance.reader import Reader

_TABLE = re.compile(r"\s*TABLE\s*(\(.*\))\s*", re.I | re.S)
_PYTHON = ("HANDLER", "RUNTIME_VERSION", "PACKAGES")
_TEMPORARY = ("TEMPORARY", "TEMP")
_NULLS = ("STRICT", "RETURNS NULL ON NULL INPUT")
_HARMLESS = ("CALLED ON NULL INPUT", "VOLATILE", "IMMUTABLE", "COPY GRANTS", "NOT NULL")


def create(session: Context, statement: ast.CreateRoutine) -> Outcome:
    """Make a function or procedure."""
    kind = Kind(statement.kind)
    made = read(session, statement, kind)
    bare = statement.name[-1]
    full = signatures.signature(bare, (a.type for a in made.arguments))
    named = replace(statement, name=(*statement.name[:-1], full), properties={})
    standing = session.account.catalog.find(kind, session.qualify(named.name))
    if standing is not None:
        create_steps.check_temporary(session, standing, made.temporary)
    outcome = creation.create(
        session,
        named,
        kind,
        lambda: made,
        temporary=bool(made.temporary),
        copy_grants="COPY GRANTS" in statement.options,
    )
    if "already exists" in outcome.rows[0][0]:
        return outcome
    said = f"{kind.title} {bare} successfully created."
    return status(said, outcome.statement_type)


def read(session: Context, statement: ast.CreateRoutine, kind: Kind) -> RoutineDetail:
    """Read a routine's statement.

    Raises:
        SqlError: it has a language, an option or a body that the account does not support (0A000).
    """
    language = statement.language.upper()
    if language not in ("SQL", "PYTHON"):
        raise errors.unsupported(f"{kind.value} in {language}")
    if set(statement.modifiers) - {"SECURE", *_TEMPORARY}:
        raise errors.unsupported(f"{statement.modifiers[0]} {kind.value}")
    for option in statement.options:
        if option not in (*_NULLS, *_HARMLESS):
            raise errors.unsupported(f"{option} of a {kind.value}")
    if statement.body is None:
        raise errors.unsupported(f"{kind.value} without a body")
    arguments = _arguments(statement.args)
    if any(a.gives_back for a in arguments) and (kind is Kind.FUNCTION or language != "SQL"):
        raise errors.unsupported(f"OUT arguments of a {kind.value} in {language}")
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
    _check(session, made, kind, statement.name)
    return made


def _caller(statement: ast.CreateRoutine) -> bool:
    if statement.execute_as == "RESTRICTED CALLER":
        raise errors.unsupported("EXECUTE AS RESTRICTED CALLER")
    return statement.execute_as == "CALLER"


def _python(statement: ast.CreateRoutine, language: str) -> dict[str, str]:
    known = _PYTHON if language == "PYTHON" else ()
    for key in statement.properties:
        if key not in known:
            raise errors.unsupported(f"{key} of a {statement.kind}")
    if language != "PYTHON":
        return {}
    given = statement.properties
    if "HANDLER" not in given:
        raise errors.invalid_property("Missing option(s): [HANDLER]")
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


def _check(session: Context, detail: RoutineDetail, kind: Kind, name: tuple[str, ...]) -> None:
    """Read the body as far as that is possible without running it."""
    if detail.language == "PYTHON":
        calling.check(session, detail, kind)
    elif kind is Kind.FUNCTION:
        function_bodies.check(session, detail, session.qualify(name))
    elif reading.is_block(detail.body):
        reading.read(detail.body)
    else:
        raise errors.unsupported("PROCEDURE whose body is no block")


def alter(session: Context, entity: Entity, action: Any) -> bool:
    """See https://docs.snowflake.com/en/sql-reference/sql/alter-procedure.

    Raises:
        SqlError: the action is not supported (0A000), the name is taken (2002), or the role may not
            create it there (3001).
    """
    detail = signatures.detail_of(entity)
    match action:
        case ast.SetExecuteAs():
            if action.rights == "RESTRICTED CALLER":
                raise errors.unsupported("EXECUTE AS RESTRICTED CALLER")
            made = replace(detail, caller=action.rights == "CALLER")
        case ast.SetFlag(flag="SECURE"):
            made = replace(detail, secure=True)
        case ast.UnsetProperties(names=("SECURE",)):
            made = replace(detail, secure=False)
        case ast.RenameTo():
            full = signatures.signature(action.name[-1], (a.type for a in detail.arguments))
            path = session.qualify((*action.name[:-1], full))
            access.require_free(session, entity.kind, path)
            access.require_create(session, entity.kind, path)
            made = replace(detail, name=action.name[-1])
            entity = session.account.catalog.change(entity, path=path)
        case _:
            return False
    session.account.catalog.change(entity, detail=made)
    return True
