"""Scripts: Snowflake Scripting as typed values.

Room: embedded. Expressions and statements stay source text, since other readers own them.

See https://docs.snowflake.com/en/sql-reference/sql-snowflake-scripting
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Place:
    """Where a statement begins, counted from 1 and from 0 as Snowflake does."""

    line: int
    position: int


@dataclass(frozen=True, slots=True)
class Variable:
    """`name [type] [DEFAULT | := expression]`."""

    name: str
    type: str | None
    value: str | None


@dataclass(frozen=True, slots=True)
class CursorOf:
    """`name CURSOR FOR query | resultset`."""

    name: str
    source: str


@dataclass(frozen=True, slots=True)
class Rows:
    """`name RESULTSET [:= (query)]`, in a declaration or a LET."""

    name: str
    query: str | None
    is_async: bool = False


@dataclass(frozen=True, slots=True)
class Parameter:
    """An argument of a nested procedure."""

    name: str
    type: str
    gives_back: bool = False


@dataclass(frozen=True, slots=True)
class ProcedureOf:
    """`name PROCEDURE (…) RETURNS type AS block`."""

    name: str
    parameters: tuple[Parameter, ...]
    returns: str
    body: Block


@dataclass(frozen=True, slots=True)
class ExceptionOf:
    """`name EXCEPTION [(number, 'message')]`."""

    name: str
    number: int = -20000
    message: str = ""


@dataclass(frozen=True, slots=True)
class Assign:
    """`name := expression`, for a resultset `name := [ASYNC] (query)`."""

    name: str
    value: str
    is_async: bool = False


@dataclass(frozen=True, slots=True)
class Let:
    """`LET` and what it declares."""

    declaration: Variable | CursorOf | Rows | ExceptionOf | ProcedureOf


@dataclass(frozen=True, slots=True)
class If:
    """IF and CASE: the first condition that is true."""

    branches: tuple[tuple[str, tuple[Step, ...]], ...]
    otherwise: tuple[Step, ...] = ()
    needs_branch: bool = False
    """True for CASE, which fails where nothing matches and there is no ELSE."""


@dataclass(frozen=True, slots=True)
class ForRows:
    """`FOR r IN cursor DO …`."""

    variable: str
    source: str
    body: tuple[Step, ...]
    label: str = ""


@dataclass(frozen=True, slots=True)
class ForNumbers:
    """`FOR i IN [REVERSE] a TO b DO …`."""

    variable: str
    first: str
    last: str
    reverse: bool
    body: tuple[Step, ...]
    label: str = ""


@dataclass(frozen=True, slots=True)
class While:
    """WHILE, REPEAT and LOOP."""

    before: str | None
    """Condition under which a round begins."""
    after: str | None
    """Condition that ends the loop behind a round."""
    body: tuple[Step, ...]
    label: str = ""


@dataclass(frozen=True, slots=True)
class Leave:
    """BREAK and CONTINUE."""

    goes_on: bool
    label: str = ""


@dataclass(frozen=True, slots=True)
class Return:
    """`RETURN expression`, `RETURN TABLE(resultset)`."""

    value: str | None
    rows: str | None = None


@dataclass(frozen=True, slots=True)
class Open:
    """`OPEN cursor [USING (…)]`."""

    name: str
    using: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fetch:
    """`FETCH cursor INTO v, …`."""

    name: str
    into: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Close:
    """`CLOSE cursor`."""

    name: str


@dataclass(frozen=True, slots=True)
class Raise:
    """`RAISE exception`, or again the one being handled."""

    name: str | None


@dataclass(frozen=True, slots=True)
class Statement:
    """An SQL statement, perhaps with the variables that its one row fills."""

    text: str
    into: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Immediate:
    """`EXECUTE IMMEDIATE expression [USING (…)]`."""

    text: str
    using: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Async:
    """`ASYNC (statement)`."""

    text: str


@dataclass(frozen=True, slots=True)
class Await:
    """`AWAIT ALL`, or `AWAIT resultset`."""

    name: str | None


@dataclass(frozen=True, slots=True)
class Cancel:
    """`CANCEL resultset`."""

    name: str


@dataclass(frozen=True, slots=True)
class Nothing:
    """NULL."""


@dataclass(frozen=True, slots=True)
class Handler:
    """`WHEN a OR b [EXIT | CONTINUE] THEN …`."""

    names: tuple[str, ...]
    body: tuple[Step, ...]
    goes_on: bool = False
    """True for CONTINUE: the block goes on behind the statement that failed."""


@dataclass(frozen=True, slots=True)
class Block:
    """`[DECLARE …] BEGIN … [EXCEPTION …] END`."""

    declarations: tuple[tuple[Place, Declaration], ...]
    body: tuple[Step, ...]
    handlers: tuple[Handler, ...] = ()


Declaration: TypeAlias = Variable | CursorOf | Rows | ExceptionOf | ProcedureOf
What: TypeAlias = (
    Assign
    | Let
    | If
    | ForRows
    | ForNumbers
    | While
    | Leave
    | Return
    | Open
    | Fetch
    | Close
    | Raise
    | Statement
    | Immediate
    | Async
    | Await
    | Cancel
    | Nothing
    | Block
)


@dataclass(frozen=True, slots=True)
class Step:
    """One statement of a script and its place."""

    place: Place
    what: What
