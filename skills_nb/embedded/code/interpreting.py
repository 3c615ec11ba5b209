"""Interpreting: a script's steps, one after the other.

Room: embedded. Every SQL statement of a script is a statement of the session: it commits for
itself, is in the history, and is governed like a typed one. Expressions are queries without a
history.

See https://docs.snowflake.com/en/developer-guide/snowflake-scripting
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from skills_nb.embedded import refusals
from skills_nb.embedded.callables import scripts as s
from skills_nb.embedded.callables.scopes import Cursor, Meaning, Record, Scope, Table, Value
from skills_nb.embedded.code import filling, reading
from skills_nb.embedded.code.signals import Left, Raised, Returned
from skills_nb.embedded.statements.objects import type_named
from skills_nb.embedded.types import TEXT, SfType, fixed
from skills_nb.embedded.values import Result
from skills_nb.errors import SqlError
from skills_nb.sql.tokens import tokenize

if TYPE_CHECKING:
    from skills_nb.embedded.session import AccountSession

_DML = ("INSERT", "UPDATE", "DELETE", "MERGE")
STATEMENT_ERROR, EXPRESSION_ERROR, OTHER = "STATEMENT_ERROR", "EXPRESSION_ERROR", "OTHER"


def run(session: AccountSession, text: str, names: dict[str, Value] | None = None) -> Value | Table:
    """Run a block and return what it returns; NULL where it returns nothing.

    Raises:
        SqlError: it cannot be read, or an exception met no handler.
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
        raise refusals.syntax("syntax error: BREAK or CONTINUE outside of a loop.") from left
    return Value(None)


class _Interpreter:
    def __init__(self, session: AccountSession) -> None:
        self.session = session
        self.place = s.Place(1, 0)
        self.latest: dict[str, Value] = {
            "SQLROWCOUNT": Value(None),
            "SQLFOUND": Value(None),
            "SQLNOTFOUND": Value(None),
            "SQLID": Value(None),
        }
        self.handling: list[Raised] = []

    # ---- blocks

    def block(self, block: s.Block, outer: Scope) -> None:
        scope = Scope(outer)
        try:
            for place, declaration in block.declarations:
                self.place = place
                self.declare(declaration, scope)
            self.steps(block.body, scope)
        except Raised as raised:
            handler = _handler(block, raised)
            if handler is None:
                raise
            self.handle(handler, raised, scope)

    def handle(self, handler: s.Handler, raised: Raised, scope: Scope) -> None:
        error = raised.error
        scope.names["SQLCODE"] = Value(error.errno)
        scope.names["SQLERRM"] = Value(str(error))
        scope.names["SQLSTATE"] = Value(error.sqlstate)
        self.handling.append(raised)
        try:
            self.steps(handler.body, scope)
        finally:
            self.handling.pop()

    def steps(self, steps: Sequence[s.Step], scope: Scope) -> None:
        for step in steps:
            self.place = step.place
            self.step(step.what, scope)

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
                start = self.value(value, scope, kind) if value is not None else Value(None, kind)
                scope.names[name] = Value(start.value, kind or _widened(start.type))
            case s.CursorOf(name, source):
                scope.names[name] = Cursor(source)
            case s.Rows(name, query):
                scope.names[name] = self.rows(query, scope) if query is not None else Table()
            case s.ExceptionOf(name=name):
                scope.names[name] = declaration

    def let(self, what: s.Let, scope: Scope) -> None:
        self.declare(what.declaration, scope)

    def assign(self, what: s.Assign, scope: Scope) -> None:
        standing = self.known(what.name, scope)
        if isinstance(standing, Table):
            made = self.rows(what.value, scope)
            standing.columns, standing.rows = made.columns, made.rows
            standing.query_id = made.query_id
        elif isinstance(standing, Value):
            standing.value = self.value(what.value, scope, standing.type).value
        else:
            raise self.wrong(f"'{what.name}' cannot be assigned to.")

    def known(self, name: str, scope: Scope) -> Meaning:
        found = scope.find(name)
        if found is None:
            raise self.wrong(
                f"error line {self.place.line} at position {self.place.position}\n"
                f"invalid identifier '{name}'"
            )
        return found

    def wrong(self, message: str) -> Raised:
        return Raised(EXPRESSION_ERROR, refusals.syntax(message), self.place)

    # ---- expressions

    def literal(self, scope: Scope) -> filling.Lookup:
        def lookup(name: str, field: str | None) -> str | None:
            found = scope.find(name) or self.latest.get(name)
            if isinstance(found, Record) and field is not None and field in found.fields:
                held = found.fields[field]
                return filling.literal_of(held.value, held.type)
            if isinstance(found, Value) and field is None:
                return filling.literal_of(found.value, found.type)
            if isinstance(found, Table) and field is None:
                return filling.literal_of(found.query_id)
            return None

        return lookup

    def value(self, text: str, scope: Scope, wanted: SfType | None = None) -> Value:
        made = filling.filled(text, self.literal(scope), bare=True)
        cast = f"CAST(({made}) AS {wanted.sql})" if wanted is not None else f"({made})"
        try:
            outcome = self.session.aside(f"SELECT {cast}")
        except SqlError as error:
            raise Raised(EXPRESSION_ERROR, error, self.place) from error
        return Value(outcome.rows[0][0], wanted or outcome.columns[0].type)

    def is_true(self, text: str, scope: Scope) -> bool:
        return self.value(text, scope).value is True

    # ---- statements

    def sql(
        self, text: str, scope: Scope, bindings: dict[str, Any] | None = None, *, fill: bool = True
    ) -> Result:
        made = filling.filled(text, self.literal(scope), bare=False) if fill else text
        try:
            found = self.session.nested(made, bindings=bindings, shown=text)
        except SqlError as error:
            raise Raised(STATEMENT_ERROR, error, self.place) from error
        self.latest["SQLID"] = Value(found.query_id)
        if found.statement_type in _DML or tokenize(made)[0].word in _DML:
            count = found.row_count
            self.latest["SQLROWCOUNT"] = Value(count)
            self.latest["SQLFOUND"] = Value(count > 0)
            self.latest["SQLNOTFOUND"] = Value(count == 0)
        return found

    def statement(self, what: s.Statement, scope: Scope) -> None:
        found = self.sql(what.text, scope)
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
        self.store(what.into, found.rows[0], scope)

    def store(self, names: tuple[str, ...], row: tuple[Any, ...], scope: Scope) -> None:
        if len(names) != len(row):
            raise self.wrong(f"{len(row)} values cannot fill {len(names)} variables.")
        for name, value in zip(names, row, strict=True):
            standing = self.known(name, scope)
            if not isinstance(standing, Value):
                raise self.wrong(f"'{name}' cannot be assigned to.")
            if standing.type is None:
                standing.value = value
            else:
                literal = filling.literal_of(value)
                standing.value = self.value(literal, scope, standing.type).value

    def immediate(self, what: s.Immediate, scope: Scope) -> Result:
        text = str(self.value(what.text, scope).value)
        bindings: dict[str, Any] = {}
        for number, name in enumerate(what.using, start=1):
            standing = self.known(name, scope)
            if not isinstance(standing, Value):
                raise self.wrong(f"'{name}' cannot be bound.")
            bindings[str(number)] = filling.binding_of(standing.value)
        return self.sql(text, scope, bindings, fill=False)

    def execute(self, what: s.Immediate, scope: Scope) -> None:
        self.immediate(what, scope)

    def rows(self, text: str, scope: Scope) -> Table:
        """Run the query of a resultset."""
        inner = text.strip()
        if inner.startswith("(") and inner.endswith(")"):
            inner = inner[1:-1].strip()
        words = tokenize(inner)
        standing = scope.find(words[0].word)
        if len(words) == 2 and isinstance(standing, Table):
            return standing
        if (words[0].word, words[1].word) == ("EXECUTE", "IMMEDIATE"):
            step = reading.read(f"BEGIN {inner}; END").body[0].what
            assert isinstance(step, s.Immediate)
            found = self.immediate(step, scope)
        else:
            found = self.sql(inner, scope)
        return Table(found.columns, found.rows, found.query_id)

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
        return True

    def while_(self, what: s.While, scope: Scope) -> None:
        while what.before is None or self.is_true(what.before, scope):
            if not self.round(what.body, Scope(scope), what.label):
                return
            if what.after is not None and self.is_true(what.after, scope):
                return

    def for_numbers(self, what: s.ForNumbers, scope: Scope) -> None:
        first = int(self.value(what.first, scope).value)
        last = int(self.value(what.last, scope).value)
        numbers = range(first, last + 1)
        for number in reversed(numbers) if what.reverse else numbers:
            inner = Scope(scope, {what.variable: Value(number)})
            if not self.round(what.body, inner, what.label):
                return

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
            return standing
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
            raise Returned(standing if isinstance(standing, Table) else self.rows(what.rows, scope))
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

    # ---- cursors

    def cursor(self, name: str, scope: Scope) -> Cursor:
        found = self.known(name, scope)
        if not isinstance(found, Cursor):
            raise self.wrong(f"'{name}' is no cursor.")
        return found

    def open(self, what: s.Open, scope: Scope) -> None:
        cursor = self.cursor(what.name, scope)
        if what.using:
            immediate = s.Immediate(filling.literal_of(cursor.source), what.using)
            found = self.immediate(immediate, scope)
            cursor.table = Table(found.columns, found.rows, found.query_id)
        else:
            cursor.table = self.rows(cursor.source, scope)
        cursor.next_row = 0

    def fetch(self, what: s.Fetch, scope: Scope) -> None:
        cursor = self.cursor(what.name, scope)
        if cursor.table is None:
            raise self.wrong(f"Cursor '{what.name}' is not open.")
        if cursor.next_row < len(cursor.table.rows):
            self.store(what.into, cursor.table.rows[cursor.next_row], scope)
            cursor.next_row += 1
        else:
            self.store(what.into, (None,) * len(what.into), scope)

    def close(self, what: s.Close, scope: Scope) -> None:
        cursor = self.cursor(what.name, scope)
        if cursor.table is None:
            raise self.wrong(f"Cursor '{what.name}' is not open.")
        cursor.table = None


def _widened(kind: SfType | None) -> SfType | None:
    """Return the type of a variable that was declared without one: as wide as its kind goes."""
    if kind is not None and kind.kind == "FIXED":
        return fixed(38, kind.scale or 0)
    return TEXT if kind is not None and kind.kind == "TEXT" else kind


def _handler(block: s.Block, raised: Raised) -> s.Handler | None:
    for handler in block.handlers:
        if raised.kind in handler.names or OTHER in handler.names:
            return handler
    return None


_ACTS: dict[type, Callable[[_Interpreter, Any, Scope], None]] = {
    s.Assign: _Interpreter.assign,
    s.Let: _Interpreter.let,
    s.If: _Interpreter.if_,
    s.ForRows: _Interpreter.for_rows,
    s.ForNumbers: _Interpreter.for_numbers,
    s.While: _Interpreter.while_,
    s.Leave: _Interpreter.leave,
    s.Return: _Interpreter.return_,
    s.Open: _Interpreter.open,
    s.Fetch: _Interpreter.fetch,
    s.Close: _Interpreter.close,
    s.Raise: _Interpreter.raise_,
    s.Statement: _Interpreter.statement,
    s.Immediate: _Interpreter.execute,
    s.Nothing: _Interpreter.nothing,
}
