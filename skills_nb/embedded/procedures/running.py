"""Running: what every statement of a script needs, its variables, expressions and SQL.

Room: embedded. Every SQL statement is a statement of the session; an expression is a query without
a history.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.parser import reading
from skills_nb.embedded.parser import scripts as s
from skills_nb.embedded.parser.scopes import (
    Meaning,
    Record,
    Scope,
    Table,
    Value,
)
from skills_nb.embedded.procedures import filling
from skills_nb.embedded.procedures.signals import Raised
from skills_nb.embedded.session.bound_values import Bindings, Bound
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.data_types import SfType
from skills_nb.embedded.types.values import Result
from skills_nb.errors import SqlError
from skills_nb.sql.tokens import tokenize

STATEMENT_ERROR, EXPRESSION_ERROR = "STATEMENT_ERROR", "EXPRESSION_ERROR"
COUNTS = ("SQLROWCOUNT", "SQLFOUND", "SQLNOTFOUND", "ACTIVITY_COUNT")
"""What statements leave of their counts; to the last, the rows of a query count, too."""
_DML = ("INSERT", "UPDATE", "DELETE", "MERGE")
_QUERIES = ("SELECT", "WITH")


@dataclass(eq=False, slots=True)
class Job:
    """A statement that ASYNC started."""

    table: Table
    """Where its rows are; empty for a statement without any."""
    raised: Raised | None = None
    """Why it failed; None where it did not."""
    counts: dict[str, Value] = field(default_factory=dict)
    """What it leaves in SQLROWCOUNT and its kin, once it is awaited."""


class Running:
    """A script's place, its latest counts, and how its texts become values and rows."""

    def __init__(self, session: Context) -> None:
        """Start before the first statement."""
        self.session = session
        self.place = s.Place(1, 0)
        self.latest: dict[str, Value] = {name: Value(None) for name in (*COUNTS, "SQLID")}
        self.jobs: list[Job] = []

    def known(self, name: str, scope: Scope) -> Meaning:
        """Return what a name stands for.

        Raises:
            Raised: nothing is called so.
        """
        found = scope.find(name)
        if found is None:
            raise self.wrong(
                f"error line {self.place.line} at position {self.place.position}\n"
                f"invalid identifier '{name}'"
            )
        return found

    def wrong(self, message: str) -> Raised:
        """Make the exception of an expression that cannot be evaluated."""
        return Raised(EXPRESSION_ERROR, errors.syntax(message), self.place)

    # ---- expressions

    def literal(self, scope: Scope) -> filling.Lookup:
        """Make the lookup of variables as literals."""

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
        """Evaluate an expression, cast to a type if one is wanted.

        Raises:
            Raised: the expression cannot be evaluated (EXPRESSION_ERROR).
        """
        made = filling.filled(text, self.literal(scope), bare=True)
        cast = f"CAST(({made}) AS {wanted.sql})" if wanted is not None else f"({made})"
        try:
            outcome = self.session.aside(f"SELECT {cast}")
        except SqlError as error:
            raise Raised(EXPRESSION_ERROR, error, self.place) from error
        return Value(outcome.rows[0][0], wanted or outcome.columns[0].type)

    def is_true(self, text: str, scope: Scope) -> bool:
        """Evaluate a condition; NULL is not true."""
        return self.value(text, scope).value is True

    # ---- statements

    def sql(
        self, text: str, scope: Scope, bindings: Bindings | None = None, *, fill: bool = True
    ) -> Result:
        """Run a statement of the session with the script's variables in it.

        Raises:
            Raised: the account refuses the statement (STATEMENT_ERROR).
        """
        made = filling.filled(text, self.literal(scope), bare=False) if fill else text
        try:
            found = self.session.nested(made, bindings=bindings, shown=text)
        except SqlError as error:
            raise Raised(STATEMENT_ERROR, error, self.place) from error
        self.latest["SQLID"] = Value(found.query_id)
        self._count(found, tokenize(made)[0].word)
        return found

    def _count(self, found: Result, word: str) -> None:
        """Note how many rows a statement changed or read; of what is no DML the former is NULL.

        See https://docs.snowflake.com/en/developer-guide/snowflake-scripting/dml-status
        """
        is_dml = found.statement_type in _DML or word in _DML
        count = found.row_count if is_dml else None
        self.latest["SQLROWCOUNT"] = Value(count)
        self.latest["SQLFOUND"] = Value(None if count is None else count > 0)
        self.latest["SQLNOTFOUND"] = Value(None if count is None else count == 0)
        if is_dml or word in _QUERIES:
            self.latest["ACTIVITY_COUNT"] = Value(count if is_dml else len(found.rows))

    def store(
        self, names: tuple[str, ...], row: tuple[Any, ...], kinds: tuple[SfType, ...], scope: Scope
    ) -> None:
        """Put a row, whose columns are of these types, into variables, each cast to its type.

        Raises:
            Raised: there are more or fewer values than variables, or a name stands for no variable.
        """
        if len(names) != len(row):
            raise self.wrong(f"{len(row)} values cannot fill {len(names)} variables.")
        self.store_by_place(names, row, kinds, scope)

    def store_by_place(
        self, names: tuple[str, ...], row: tuple[Any, ...], kinds: tuple[SfType, ...], scope: Scope
    ) -> None:
        """Put a row into variables; what one of the two has more stays as it is.

        Raises:
            Raised: a name stands for no variable.
        """
        for name, value, kind in zip(names, row, kinds, strict=False):
            standing = self.known(name, scope)
            if not isinstance(standing, Value):
                raise self.wrong(f"'{name}' cannot be assigned to.")
            if standing.type is None:
                standing.value = value
            else:
                literal = filling.literal_of(value, kind if value is not None else None)
                standing.value = self.value(literal, scope, standing.type).value

    def immediate(self, what: s.Immediate, scope: Scope) -> Result:
        """Run EXECUTE IMMEDIATE.

        Raises:
            Raised: a name behind USING stands for no value, or the statement fails.
        """
        text = str(self.value(what.text, scope).value)
        bindings: dict[str, Bound] = {}
        for number, name in enumerate(what.using, start=1):
            standing = self.known(name, scope)
            if not isinstance(standing, Value):
                raise self.wrong(f"'{name}' cannot be bound.")
            bindings[str(number)] = filling.binding_of(standing.value)
        return self.sql(text, scope, bindings, fill=False)

    def rows(self, text: str, scope: Scope) -> Table:
        """Run the query of a resultset."""
        inner = text.strip()
        if inner.startswith("(") and inner.endswith(")"):
            inner = inner[1:-1].strip()
        words = tokenize(inner)
        standing = scope.find(words[0].word)
        if len(words) == 2 and isinstance(standing, Table):
            return self.awaited(standing, inner)
        if (words[0].word, words[1].word) == ("EXECUTE", "IMMEDIATE"):
            step = reading.read(f"BEGIN {inner}; END").body[0].what
            assert isinstance(step, s.Immediate)
            found = self.immediate(step, scope)
        else:
            found = self.sql(inner, scope)
        return Table(found.columns, found.rows, found.query_id)

    def awaited(self, table: Table, name: str) -> Table:
        """Return a resultset whose job was awaited.

        Raises:
            Raised: it was not awaited yet.
        """
        if not table.awaited:
            raise self.wrong(f"The query of '{name}' runs; AWAIT it before its rows are read.")
        return table
