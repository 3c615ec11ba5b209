"""Reading: from the text of a block to its steps.

Room: embedded. Pure. Recursive descent over the tokens; what it does not know is left to the
executor as an SQL statement, and what Snowflake has and this account has not is refused by name.

See https://docs.snowflake.com/en/developer-guide/snowflake-scripting/blocks
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from skills_nb.embedded.parser import scripts as s
from skills_nb.embedded.parser.cutting import Cutter
from skills_nb.sql.tokens import TokenKind, leading_tokens

_PLAIN_BEGIN = frozenset({"TRANSACTION", "WORK", "NAME"})


def is_block(text: str) -> bool:
    """Tell whether a text is a block rather than a statement."""
    tokens = leading_tokens(text, 2)
    if tokens[0].word == "DECLARE":
        return True
    following = tokens[1] if len(tokens) > 1 else tokens[0]
    is_end = following.kind is TokenKind.END or following.text == ";"
    return tokens[0].word == "BEGIN" and not is_end and following.word not in _PLAIN_BEGIN


def is_anonymous_procedure(text: str) -> bool:
    """Tell `WITH name AS PROCEDURE` from a query."""
    words = [token.word for token in leading_tokens(text, 4)]
    return words[:1] == ["WITH"] and words[2:] == ["AS", "PROCEDURE"]


@lru_cache(maxsize=256)
def read(text: str) -> s.Block:
    """Read a block.

    Raises:
        SqlError: it cannot be read (1003), or has what this account lacks (0A000).
    """
    reader = _Reader(text)
    block = reader.block()
    reader.accept(";")
    if reader.token.kind is not TokenKind.END:
        reader.fail()
    return block


class _Reader(Cutter):
    """Reads the statements of a script."""

    # ---- blocks

    def block(self) -> s.Block:
        declarations: list[tuple[s.Place, s.Declaration]] = []
        if self.accept("DECLARE"):
            while not self.at("BEGIN"):
                place = self.place()
                declarations.append((place, self.declaration()))
                self.end()
        self.expect("BEGIN")
        body = self.steps("END", "EXCEPTION")
        handlers: list[s.Handler] = []
        if self.accept("EXCEPTION"):
            while self.accept("WHEN"):
                handlers.append(self.handler())
        self.expect("END")
        if self.token.kind is TokenKind.WORD:
            self.index += 1
        return s.Block(tuple(declarations), body, tuple(handlers))

    def handler(self) -> s.Handler:
        names = [self.name()]
        while self.accept("OR"):
            names.append(self.name())
        goes_on = self.accept("CONTINUE")
        self.accept("EXIT")
        self.expect("THEN")
        return s.Handler(tuple(names), self.steps("WHEN", "END"), goes_on)

    def declaration(self) -> s.Declaration:
        name = self.name()
        if self.accept("CURSOR FOR"):
            return s.CursorOf(name, self.until(";"))
        if self.accept("RESULTSET"):
            if not self.accept(":=", "DEFAULT"):
                return s.Rows(name, None)
            is_async = self.accept("ASYNC")
            return s.Rows(name, self.until(";"), is_async)
        if self.accept("PROCEDURE"):
            return self.procedure(name)
        if self.accept("EXCEPTION"):
            return self.exception(name)
        type_ = None if self.at(":=", "DEFAULT") else self.until(";", ":=", "DEFAULT")
        value = self.until(";") if self.accept(":=", "DEFAULT") else None
        return s.Variable(name, type_, value)

    def procedure(self, name: str) -> s.ProcedureOf:
        """See https://docs.snowflake.com/en/developer-guide/snowflake-scripting/blocks."""
        self.expect("(")
        parameters: list[s.Parameter] = []
        while not self.accept(")"):
            parameters.append(self.parameter())
            self.accept(",")
        self.expect("RETURNS")
        returns = self.until("AS")
        self.expect("AS")
        return s.ProcedureOf(name, tuple(parameters), returns, self.block())

    def parameter(self) -> s.Parameter:
        name = self.name()
        gives_back = self.accept("OUT", "OUTPUT", "INOUT")
        self.accept("IN", "INPUT")
        return s.Parameter(name, self.until(",", ")"), gives_back)

    def exception(self, name: str) -> s.ExceptionOf:
        if not self.accept("("):
            return s.ExceptionOf(name)
        sign = -1 if self.accept("-") else 1
        if not self.token.text.isdecimal():
            self.fail()
        number = sign * int(self.token.text)
        self.index += 1
        message = ""
        if self.accept(","):
            message = self.token.value
            self.index += 1
        self.expect(")")
        return s.ExceptionOf(name, number, message)

    def steps(self, *ends: str) -> tuple[s.Step, ...]:
        found: list[s.Step] = []
        while not self.at(*ends):
            if self.accept(";"):
                continue
            place = self.place()
            found.append(s.Step(place, self.step()))
            self.end()
        return tuple(found)

    # ---- statements

    def step(self) -> s.What:
        word = self.token.word
        if word == "BEGIN" and (self.ahead(1).text == ";" or self.ahead(1).word in _PLAIN_BEGIN):
            return s.Statement(self.until(";"))
        if word in _STEPS and self.ahead(1).text != ":=":
            return _STEPS[word](self)
        if self.ahead(1).text == ":=":
            return self.assignment()
        if self.at("EXECUTE IMMEDIATE FROM"):
            return s.Statement(self.until(";"))
        if self.accept("EXECUTE IMMEDIATE"):
            return s.Immediate(self.until(";", "USING"), self.using())
        return self.statement()

    def assignment(self) -> s.What:
        name = self.name()
        self.expect(":=")
        is_async = self.accept("ASYNC")
        return s.Assign(name, self.until(";"), is_async)

    def let(self) -> s.What:
        self.expect("LET")
        return s.Let(self.declaration())

    def if_(self) -> s.What:
        self.expect("IF")
        branches = [self.branch()]
        while self.accept("ELSEIF"):
            branches.append(self.branch())
        otherwise = self.steps("END") if self.accept("ELSE") else ()
        self.expect("END IF")
        return s.If(tuple(branches), otherwise)

    def branch(self, subject: str | None = None) -> tuple[str, tuple[s.Step, ...]]:
        condition = self.until("THEN")
        self.expect("THEN")
        if subject is not None:
            condition = f"({subject}) = ({condition})"
        return condition, self.steps("ELSEIF", "ELSE", "END", "WHEN")

    def case(self) -> s.What:
        self.expect("CASE")
        subject = None if self.at("WHEN") else self.until("WHEN")
        branches: list[tuple[str, tuple[s.Step, ...]]] = []
        while self.accept("WHEN"):
            branches.append(self.branch(subject))
        has_else = self.accept("ELSE")
        otherwise = self.steps("END") if has_else else ()
        self.expect("END")
        self.accept("CASE")
        return s.If(tuple(branches), otherwise, needs_branch=not has_else)

    def for_(self) -> s.What:
        self.expect("FOR")
        variable = self.name()
        self.expect("IN")
        reverse = self.accept("REVERSE")
        source = self.until("TO", "DO", "LOOP")
        if self.accept("TO"):
            last = self.until("DO", "LOOP")
            body, label = self.loop_body("FOR")
            return s.ForNumbers(variable, source, last, reverse, body, label)
        body, label = self.loop_body("FOR")
        return s.ForRows(variable, source, body, label)

    def loop_body(self, closing: str) -> tuple[tuple[s.Step, ...], str]:
        opened = "LOOP" if self.at("LOOP") else closing
        if not self.accept("DO", "LOOP"):
            self.fail()
        body = self.steps("END")
        self.expect("END")
        if not self.accept(opened, closing):
            self.fail()
        return body, self.label()

    def label(self) -> str:
        return "" if self.at(";") else self.name()

    def while_(self) -> s.What:
        self.expect("WHILE")
        condition = self.until("DO", "LOOP")
        body, label = self.loop_body("WHILE")
        return s.While(condition, None, body, label)

    def repeat(self) -> s.What:
        self.expect("REPEAT")
        body = self.steps("UNTIL")
        self.expect("UNTIL")
        condition = self.until("END")
        self.expect("END REPEAT")
        return s.While(None, condition, body, self.label())

    def loop(self) -> s.What:
        self.expect("LOOP")
        body = self.steps("END")
        self.expect("END LOOP")
        return s.While(None, None, body, self.label())

    def leave(self) -> s.What:
        goes_on = self.name() in ("CONTINUE", "ITERATE")
        return s.Leave(goes_on, self.label())

    def return_(self) -> s.What:
        self.expect("RETURN")
        if self.at(";"):
            return s.Return(None)
        if self.at("TABLE ("):
            self.index += 2
            rows = self.until(")")
            self.expect(")")
            return s.Return(None, rows)
        return s.Return(self.until(";"))

    def open(self) -> s.What:
        self.expect("OPEN")
        return s.Open(self.name(), self.using())

    def fetch(self) -> s.What:
        self.expect("FETCH")
        name = self.name()
        self.expect("INTO")
        return s.Fetch(name, self.names())

    def close(self) -> s.What:
        self.expect("CLOSE")
        return s.Close(self.name())

    def raise_(self) -> s.What:
        self.expect("RAISE")
        return s.Raise(None if self.at(";") else self.name())

    def async_(self) -> s.What:
        self.expect("ASYNC")
        return s.Async(self.until(";"))

    def await_(self) -> s.What:
        self.expect("AWAIT")
        return s.Await(None if self.accept("ALL") else self.name())

    def cancel(self) -> s.What:
        self.expect("CANCEL")
        return s.Cancel(self.name())

    def null(self) -> s.What:
        self.expect("NULL")
        return s.Nothing()

    def statement(self) -> s.What:
        """Cut an SQL statement; the INTO of a SELECT or CALL goes to the script's variables."""
        first = self.index
        if not self.at("SELECT", "WITH", "CALL"):
            return s.Statement(self.until(";"))
        text = self.until(";", "INTO")
        if not self.accept("INTO"):
            return s.Statement(text)
        into = self.names()
        if self.at(";"):
            return s.Statement(text, into)
        start = self.tokens[first].start
        rest = self.until(";")
        return s.Statement(f"{self.text[start : start + len(text)]} {rest}", into)


_STEPS: dict[str, Callable[[_Reader], s.What]] = {
    "LET": _Reader.let,
    "IF": _Reader.if_,
    "CASE": _Reader.case,
    "FOR": _Reader.for_,
    "WHILE": _Reader.while_,
    "REPEAT": _Reader.repeat,
    "LOOP": _Reader.loop,
    "BREAK": _Reader.leave,
    "EXIT": _Reader.leave,
    "CONTINUE": _Reader.leave,
    "ITERATE": _Reader.leave,
    "RETURN": _Reader.return_,
    "OPEN": _Reader.open,
    "FETCH": _Reader.fetch,
    "CLOSE": _Reader.close,
    "RAISE": _Reader.raise_,
    "NULL": _Reader.null,
    "ASYNC": _Reader.async_,
    "AWAIT": _Reader.await_,
    "CANCEL": _Reader.cancel,
    "DECLARE": _Reader.block,
    "BEGIN": _Reader.block,
}
