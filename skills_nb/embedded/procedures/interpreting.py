"""Interpreting: a script's steps, one after the other.

Room: embedded. Every SQL statement of a script is a statement of the session: it commits for
itself, is in the history, and is governed like a typed one. Expressions are queries without a
history.

See https://docs.snowflake.com/en/developer-guide/snowflake-scripting
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.parser import reading
from skills_nb.embedded.parser import scripts as s
from skills_nb.embedded.parser.scopes import (
    Cursor,
    Procedure,
    Record,
    Scope,
    Table,
    Value,
)
from skills_nb.embedded.procedures import (
    cursors,
    guarding,
    invoking,
    jobs,
)
from skills_nb.embedded.procedures.running import STATEMENT_ERROR, Running
from skills_nb.embedded.procedures.signals import Left, Raised, Returned
from skills_nb.embedded.procedures.stopping import stopped
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.data_types import (
    REAL,
    TEXT,
    SfType,
    fixed,
    type_named,
)
from skills_nb.embedded.types.values import Result
from skills_nb.errors import SqlError
from skills_nb.sql.tokens import TokenKind, tokenize


def run(session: Context, text: str, names: dict[str, Value] | None = None) -> Value | Table:
    """Run a block and return what it returns; NULL where it returns nothing.

    Raises:
        SqlError: it cannot be read (1003), an exception met no handler, or the statement was
            canceled (604) or took too long (630).
    """
    block = reading.read(text)
    scope = Scope(names=dict(names or {}))
    try:
        _Interpreter(session).block(block, scope)
    except Returned as returned:
        return returned.value
    except Raised as raised:
        raise raised.uncaught() from raised
    except Left as left:
        raise errors.syntax("syntax error: BREAK or CONTINUE outside of a loop.") from left
    return Value(None)


class _Interpreter(Running):
    def __init__(self, session: Context) -> None:
        super().__init__(session)
        self.handling: list[Raised] = []
        self.guards: guarding.Guards = ()

    # ---- blocks

    def block(self, block: s.Block, outer: Scope) -> None:
        scope = Scope(outer)
        for place, declaration in block.declarations:
            self.place = place
            self.declare(declaration, scope)
        standing = self.guards
        self.guards = (*standing, guarding.Guard(block, scope))
        try:
            # What LET declares is not known to the handlers.
            self.steps(block.body, Scope(scope), goes_on=True)
        except Raised as raised:
            handler = guarding.handler_of(block, raised) if raised.reaches(len(standing)) else None
            if handler is None:
                raise
            self.handle(handler, raised, scope, standing)
        finally:
            self.guards = standing

    def handle(
        self, handler: s.Handler, raised: Raised, scope: Scope, outer: guarding.Guards
    ) -> None:
        """Run a handler; what fails in it is for the blocks around its own."""
        error, standing = raised.error, self.guards
        about = {"SQLCODE": error.errno, "SQLERRM": error.message, "SQLSTATE": error.sqlstate}
        inner = Scope(scope, {name: Value(value) for name, value in about.items()})
        self.handling.append(raised)
        self.guards = outer
        try:
            self.steps(handler.body, inner)
        except Raised as again:
            again.reach = min(again.reach, len(outer))
            raise
        finally:
            self.guards = standing
            self.handling.pop()

    def steps(self, steps: Sequence[s.Step], scope: Scope, *, goes_on: bool = False) -> None:
        """Run statements; those of a block's body `goes_on` where a CONTINUE handler says so."""
        for step in steps:
            if (reason := stopped(self.session)) is not None:  # which no handler catches
                raise reason
            self.place = step.place
            try:
                self.step(step.what, scope)
            except Raised as raised:
                if not (goes_on and self.continues(raised)):
                    raise

    def continues(self, raised: Raised) -> bool:
        """Run the CONTINUE handler that an exception meets first, if it meets one.

        See https://docs.snowflake.com/en/sql-reference/snowflake-scripting/exception
        """
        met = guarding.met(self.guards, raised)
        if met is None or not met.handler.goes_on:
            return False
        self.handle(met.handler, raised, met.scope, self.guards[: met.depth])
        return True

    def step(self, what: s.What, scope: Scope) -> None:
        if isinstance(what, s.Block):
            self.block(what, scope)
            return
        _ACTS[type(what)](self, what, scope)

    # ---- declarations and assignments

    def declare(self, declaration: s.Declaration, scope: Scope) -> None:
        match declaration:
            case s.Variable(name, type_, value):
                kind = type_named(type_) if type_ is not None else None
                kind = REAL if kind is None and _is_fraction(value) else kind
                start = self.value(value, scope, kind) if value is not None else Value(None, kind)
                scope.names[name] = Value(start.value, kind or _widened(start.type))
            case s.CursorOf(name, source):
                scope.names[name] = Cursor(source)
            case s.Rows(name, query, is_async):
                scope.names[name] = table = Table()
                if query is not None:
                    self.fill(table, query, scope, is_async=is_async)
            case s.ProcedureOf(name=name):
                scope.names[name] = Procedure(declaration, scope)
            case s.ExceptionOf(name=name):
                scope.names[name] = declaration

    def fill(self, table: Table, query: str, scope: Scope, *, is_async: bool) -> None:
        if is_async:
            jobs.start(self, table, query, scope)
            return
        made = self.rows(query, scope)
        table.columns, table.rows, table.query_id = made.columns, made.rows, made.query_id
        table.awaited = True

    def let(self, what: s.Let, scope: Scope) -> None:
        self.declare(what.declaration, scope)

    def assign(self, what: s.Assign, scope: Scope) -> None:
        standing = self.known(what.name, scope)
        if isinstance(standing, Table):
            self.fill(standing, what.value, scope, is_async=what.is_async)
        elif isinstance(standing, Value):
            standing.value = self.value(what.value, scope, standing.type).value
        else:
            raise self.wrong(f"'{what.name}' cannot be assigned to.")

    # ---- statements

    def statement(self, what: s.Statement, scope: Scope) -> None:
        found = self.called(what.text, scope) or self.sql(what.text, scope)
        if not what.into:
            return
        if len(found.rows) != 1:
            error = SqlError(
                f"A SELECT INTO statement expects exactly 1 returned row, but got "
                f"{len(found.rows)}.",
                errno=90225,
                sqlstate="22000",
            )
            raise Raised(STATEMENT_ERROR, error, self.place)
        self.store(what.into, found.rows[0], tuple(c.type for c in found.columns), scope)

    def called(self, text: str, scope: Scope) -> Result | None:
        """Call a nested procedure, or one with OUT arguments; None for other statements."""
        if tokenize(text)[0].word != "CALL":
            return None
        call = invoking.read(text)
        nested = scope.find(call.name[-1]) if len(call.name) == 1 else None
        if not isinstance(nested, Procedure):
            return invoking.call(self, call, text, scope)
        arguments = invoking.bound(self, nested.declared, call, scope)
        value = self.within(nested, arguments)
        invoking.give_back(self, nested.declared, call, arguments, scope)
        return invoking.result(nested.declared, value)

    def within(self, nested: Procedure, arguments: dict[str, Value]) -> Value | Table:
        """Run a nested procedure; handlers around its call see it as one statement."""
        standing, self.guards = self.guards, ()
        try:
            self.block(nested.declared.body, Scope(nested.home, dict(arguments)))
        except Returned as returned:
            return returned.value
        finally:
            self.guards = standing
        return Value(None)

    def execute(self, what: s.Immediate, scope: Scope) -> None:
        self.immediate(what, scope)

    # ---- control

    def if_(self, what: s.If, scope: Scope) -> None:
        for condition, body in what.branches:
            if self.is_true(condition, scope):
                self.steps(body, scope)
                return
        if what.needs_branch:
            raise self.wrong("CASE has no branch that matches, and no ELSE.")
        self.steps(what.otherwise, scope)

    def round(self, body: Sequence[s.Step], scope: Scope, label: str) -> bool:
        """Run a loop's body once; tell whether the loop goes on."""
        try:
            self.steps(body, scope)
        except Left as left:
            if left.leave.label and left.leave.label != label:
                raise
            return left.leave.goes_on
        except Raised as raised:
            if not self.continues(raised):
                raise
        return True

    def while_(self, what: s.While, scope: Scope) -> None:
        while what.before is None or self.is_true(what.before, scope):
            if not self.round(what.body, Scope(scope), what.label):
                return
            if what.after is not None and self.is_true(what.after, scope):
                return

    def for_numbers(self, what: s.ForNumbers, scope: Scope) -> None:
        first, last = self.whole(what.first, scope), self.whole(what.last, scope)
        numbers = range(first, last + 1)
        for number in reversed(numbers) if what.reverse else numbers:
            inner = Scope(scope, {what.variable: Value(number)})
            if not self.round(what.body, inner, what.label):
                return

    def whole(self, text: str, scope: Scope) -> int:
        value = self.value(text, scope).value
        try:
            return int(value)
        except (TypeError, ValueError, OverflowError):
            raise self.wrong(f"FOR counts from one number to another, not '{text}'.") from None

    def for_rows(self, what: s.ForRows, scope: Scope) -> None:
        table = self.iterated(what.source, scope)
        names = [column.name for column in table.columns]
        kinds = [column.type for column in table.columns]
        for row in table.rows:
            values = (Value(v, k) for v, k in zip(row, kinds, strict=True))
            record = Record(dict(zip(names, values, strict=True)))
            inner = Scope(scope, {what.variable: record})
            if not self.round(what.body, inner, what.label):
                return

    def iterated(self, source: str, scope: Scope) -> Table:
        standing = scope.find(tokenize(source)[0].word)
        if isinstance(standing, Table):
            return self.awaited(standing, source)
        if isinstance(standing, Cursor):
            return standing.table or self.rows(standing.source, scope)
        raise self.wrong(f"'{source}' is no cursor and no resultset.")

    def leave(self, what: s.Leave, scope: Scope) -> None:
        raise Left(what)

    def return_(self, what: s.Return, scope: Scope) -> None:
        if what.rows is not None:
            standing = scope.find(tokenize(what.rows)[0].word)
            if isinstance(standing, Cursor):
                standing = standing.table or self.rows(standing.source, scope)
            if isinstance(standing, Table):
                raise Returned(self.awaited(standing, what.rows))
            raise Returned(self.rows(what.rows, scope))
        raise Returned(self.value(what.value, scope) if what.value is not None else Value(None))

    def raise_(self, what: s.Raise, scope: Scope) -> None:
        if what.name is None:
            if not self.handling:
                raise self.wrong("RAISE without an exception is only for handlers.")
            raise self.handling[-1]
        found = self.known(what.name, scope)
        if not isinstance(found, s.ExceptionOf):
            raise self.wrong(f"'{what.name}' is no exception.")
        error = SqlError(found.message, errno=found.number, sqlstate="P0001")
        raise Raised(found.name, error, self.place)

    def nothing(self, what: s.Nothing, scope: Scope) -> None:
        """NULL does nothing."""


def _widened(kind: SfType | None) -> SfType | None:
    """Return the type of a variable that was declared without one: as wide as its kind goes."""
    if kind is not None and kind.kind == "FIXED":
        return fixed(38, kind.scale or 0)
    return TEXT if kind is not None and kind.kind == "TEXT" else kind


def _is_fraction(text: str | None) -> bool:
    """Tell whether an expression is a number with a point, which makes a FLOAT.

    See https://docs.snowflake.com/en/developer-guide/snowflake-scripting/variables
    """
    tokens = [token for token in tokenize(text or "")[:-1] if token.text not in ("+", "-")]
    return [token.kind for token in tokens] == [TokenKind.NUMBER] and "." in tokens[0].text


_ACTS: dict[type, Callable[[_Interpreter, Any, Scope], None]] = {
    s.Assign: _Interpreter.assign,
    s.Let: _Interpreter.let,
    s.If: _Interpreter.if_,
    s.ForRows: _Interpreter.for_rows,
    s.ForNumbers: _Interpreter.for_numbers,
    s.While: _Interpreter.while_,
    s.Leave: _Interpreter.leave,
    s.Return: _Interpreter.return_,
    s.Open: cursors.open_,
    s.Fetch: cursors.fetch,
    s.Close: cursors.close,
    s.Async: jobs.run,
    s.Await: jobs.await_,
    s.Cancel: jobs.cancel,
    s.Raise: _Interpreter.raise_,
    s.Statement: _Interpreter.statement,
    s.Immediate: _Interpreter.execute,
    s.Nothing: _Interpreter.nothing,
}
