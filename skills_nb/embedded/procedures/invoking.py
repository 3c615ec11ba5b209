"""Invoking: CALL inside of a script, whose variables take what OUT arguments give back.

Room: embedded.

See https://docs.snowflake.com/en/developer-guide/stored-procedure/stored-procedures-snowflake-scripting
"""

from __future__ import annotations

from collections.abc import Iterable

from skills_nb.embedded.binder import signatures
from skills_nb.embedded.parser import scripts as s
from skills_nb.embedded.parser.scopes import Scope, Table, Value
from skills_nb.embedded.procedures import filling
from skills_nb.embedded.procedures.running import Running
from skills_nb.embedded.types.data_types import TEXT, type_named
from skills_nb.embedded.types.values import Column, Result
from skills_nb.sql.governance import ast
from skills_nb.sql.governance.reader import Reader
from skills_nb.sql.governance.session import read_call
from skills_nb.sql.tokens import TokenKind, tokenize


def read(text: str) -> ast.Call:
    """Read a CALL whose arguments may be variables."""
    return read_call(Reader(text))


def call(running: Running, call: ast.Call, text: str, scope: Scope) -> Result:
    """Call a stored procedure; put what it gives back into the variables it was given."""
    targets = {index: _variable(argument) for index, argument in enumerate(call.arguments)}
    _check(running, _outputs(running, call), targets)
    found = running.sql(text, scope)
    for index, (value, kind) in found.given_back.items():
        _assign(running, targets[index], Value(value, kind), scope)
    return found


def _outputs(running: Running, call: ast.Call) -> Iterable[int]:
    if call.method is not None or (len(call.name) == 1 and "$" in call.name[0]):
        return ()
    return signatures.gives_back(running.session, call.name, len(call.arguments))


def _check(running: Running, outputs: Iterable[int], targets: dict[int, str | None]) -> None:
    for index in outputs:
        if targets.get(index) is None:
            raise running.wrong(f"Output argument {index + 1} needs a variable.")


def _variable(argument: str) -> str | None:
    """Return the variable that an argument is; None for an expression."""
    tokens = list(tokenize(argument))[:-1]
    if len(tokens) > 2 and tokens[1].text == "=>":
        tokens = tokens[2:]
    if tokens and tokens[0].text == ":":
        tokens = tokens[1:]
    if len(tokens) != 1 or tokens[0].kind is not TokenKind.WORD:
        return None
    return tokens[0].word


def _assign(running: Running, name: str | None, given: Value, scope: Scope) -> None:
    standing = running.known(name, scope) if name is not None else None
    if not isinstance(standing, Value):
        raise running.wrong(f"'{name}' cannot be assigned to.")
    text = filling.literal_of(given.value, given.type)
    standing.value = running.value(text, scope, standing.type).value


# ---- procedures inside of a block


def bound(
    running: Running, nested: s.ProcedureOf, call: ast.Call, scope: Scope
) -> dict[str, Value]:
    """Cast the arguments of a nested procedure to their types.

    Raises:
        Raised: their number is not that of its parameters, or an OUT parameter is given no
            variable.
    """
    if len(call.arguments) != len(nested.parameters):
        raise running.wrong(
            f"'{nested.name}' takes {len(nested.parameters)} arguments, not {len(call.arguments)}."
        )
    targets = {index: _variable(argument) for index, argument in enumerate(call.arguments)}
    outputs = (i for i, parameter in enumerate(nested.parameters) if parameter.gives_back)
    _check(running, outputs, targets)
    return {
        parameter.name: running.value(text, scope, type_named(parameter.type))
        for parameter, text in zip(nested.parameters, call.arguments, strict=True)
    }


def give_back(
    running: Running,
    nested: s.ProcedureOf,
    call: ast.Call,
    arguments: dict[str, Value],
    scope: Scope,
) -> None:
    """Put what a nested procedure left in its OUT arguments into the caller's variables."""
    for parameter, text in zip(nested.parameters, call.arguments, strict=True):
        if parameter.gives_back:
            _assign(running, _variable(text), arguments[parameter.name], scope)


def result(nested: s.ProcedureOf, value: Value | Table) -> Result:
    """Dress what a nested procedure returned as the result of its CALL."""
    if isinstance(value, Table):
        return Result(value.columns, value.rows, "CALL", len(value.rows))
    column = Column(nested.name, value.type or TEXT)
    return Result((column,), ((value.value,),), "CALL", 1)
