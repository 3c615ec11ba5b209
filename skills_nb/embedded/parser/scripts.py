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
    """From 1."""
    position: int
    """In its line, from 0."""


@dataclass(frozen=True, slots=True)
class Variable:
    """`name [type] [DEFAULT | := expression]`."""

    name: str
    type: str | None
    value: str | None
    """Source text of its first value; None for NULL."""


@dataclass(frozen=True, slots=True)
class CursorOf:
    """`name CURSOR FOR query | resultset`."""

    name: str
    source: str
    """Source text of the query, or the name of a resultset."""


@dataclass(frozen=True, slots=True)
class Rows:
    """`name RESULTSET [:= (query)]`, in a declaration or a LET."""

    name: str
    query: str | None
    is_async: bool = False
    """Whether the query is only started, and AWAIT waits for it."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """An argument of a nested procedure."""

    name: str
    """Its stored name."""
    type: str
    """Source text."""
    gives_back: bool = False
    """True for OUT: what the procedure leaves in it goes to the caller's variable."""


@dataclass(frozen=True, slots=True)
class ProcedureOf:
    """`name PROCEDURE (…) RETURNS type AS block`."""

    name: str
    parameters: tuple[Parameter, ...]
    """In the order of the declaration."""
    returns: str
    body: Block
    """What a call of it runs."""


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
    """Source text of the expression or query."""
    is_async: bool = False
    """Whether the query is only started, and AWAIT waits for it."""


@dataclass(frozen=True, slots=True)
class Let:
    """`LET` and what it declares."""

    declaration: Variable | CursorOf | Rows | ExceptionOf | ProcedureOf


@dataclass(frozen=True, slots=True)
class If:
    """IF and CASE: the first condition that is true."""

    branches: tuple[tuple[str, tuple[Step, ...]], ...]
    """Condition and what is done, in order."""
    otherwise: tuple[Step, ...] = ()
    """What ELSE does; empty for none."""
    needs_branch: bool = False
    """True for CASE, which fails where nothing matches and there is no ELSE."""


@dataclass(frozen=True, slots=True)
class ForRows:
    """`FOR r IN cursor DO …`."""

    variable: str
    """Stored name of the row, known in the loop alone."""
    source: str
    """Name of a cursor or resultset."""
    body: tuple[Step, ...]
    """What each round does."""
    label: str = ""
    """Stored name that BREAK and CONTINUE refer to; empty for none."""


@dataclass(frozen=True, slots=True)
class ForNumbers:
    """`FOR i IN [REVERSE] a TO b DO …`."""

    variable: str
    """Stored name of the counter, known in the loop alone."""
    first: str
    """Source text of the expression at the lower end."""
    last: str
    """Source text of the expression at the upper end, which is still taken."""
    reverse: bool
    body: tuple[Step, ...]
    """What each round does."""
    label: str = ""
    """Stored name that BREAK and CONTINUE refer to; empty for none."""


@dataclass(frozen=True, slots=True)
class While:
    """WHILE, REPEAT and LOOP."""

    before: str | None
    """Condition under which a round begins."""
    after: str | None
    """Condition that ends the loop behind a round."""
    body: tuple[Step, ...]
    """What each round does."""
    label: str = ""
    """Stored name that BREAK and CONTINUE refer to; empty for none."""


@dataclass(frozen=True, slots=True)
class Leave:
    """BREAK and CONTINUE."""

    goes_on: bool
    """True for CONTINUE, which begins the next round."""
    label: str = ""
    """Stored name of the loop that is meant; empty for the innermost."""


@dataclass(frozen=True, slots=True)
class Return:
    """`RETURN expression`, `RETURN TABLE(resultset)`."""

    value: str | None
    """Source text of the expression; None for a bare RETURN, and where rows are returned."""
    rows: str | None = None
    """Name of a resultset or cursor, or a query; None where a value is returned."""


@dataclass(frozen=True, slots=True)
class Open:
    """`OPEN cursor [USING (…)]`."""

    name: str
    """The cursor's stored name."""
    using: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fetch:
    """`FETCH cursor INTO v, …`."""

    name: str
    """The cursor's stored name."""
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
    """Source text without INTO."""
    into: tuple[str, ...] = ()
    """Stored names of the variables behind INTO; empty for none."""


@dataclass(frozen=True, slots=True)
class Immediate:
    """`EXECUTE IMMEDIATE expression [USING (…)]`."""

    text: str
    """Source text of the expression that gives the statement."""
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
    """Upper case: a declared exception, `STATEMENT_ERROR`, `EXPRESSION_ERROR` or `OTHER`."""
    body: tuple[Step, ...]
    """What is done in place of the rest of the block."""
    goes_on: bool = False
    """True for CONTINUE: the block goes on behind the statement that failed."""


@dataclass(frozen=True, slots=True)
class Block:
    """`[DECLARE …] BEGIN … [EXCEPTION …] END`."""

    declarations: tuple[tuple[Place, Declaration], ...]
    """In order, each with its place."""
    body: tuple[Step, ...]
    """In order; at least one."""
    handlers: tuple[Handler, ...] = ()
    """In order: the first that fits takes an exception."""


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
    """Where it begins, for messages."""
    what: What
    """The statement itself, without its place."""
