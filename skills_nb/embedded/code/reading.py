"""Reading: from the text of a block to its steps.

Room: embedded. Pure. Recursive descent over the tokens; what it does not know is left to the
executor as an SQL statement, and what Snowflake has and this account has not is refused by name.

See https://docs.snowflake.com/en/developer-guide/snowflake-scripting/blocks
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from skills_nb.embedded import refusals
from skills_nb.embedded.callables import scripts as s
from skills_nb.sql.tokens import Token, TokenKind, tokenize

_PLAIN_BEGIN = frozenset({"TRANSACTION", "WORK", "NAME"})
_REFUSED = {"ASYNC": "ASYNC", "AWAIT": "AWAIT", "CANCEL": "CANCEL of a resultset"}


def is_block(text: str) -> bool:
    """Tell whether a text is a block rather than a statement."""
    tokens = tokenize(text)
    if tokens[0].word == "DECLARE":
        return True
    following = tokens[1] if len(tokens) > 1 else tokens[0]
    is_end = following.kind is TokenKind.END or following.text == ";"
    return tokens[0].word == "BEGIN" and not is_end and following.word not in _PLAIN_BEGIN


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


class _Reader:
    """A place in the tokens of a script."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokenize(text)
        self.index = 0

    # ---- tokens

    @property
    def token(self) -> Token:
        return self.tokens[self.index]

    def ahead(self, count: int) -> Token:
        return self.tokens[min(self.index + count, len(self.tokens) - 1)]

    def at(self, *phrases: str) -> bool:
        return any(self._matches(phrase) for phrase in phrases)

    def _matches(self, phrase: str) -> bool:
        words = phrase.split()
        return all(
            (self.ahead(i).word or self.ahead(i).text) == word for i, word in enumerate(words)
        )

    def accept(self, *phrases: str) -> bool:
        for phrase in phrases:
            if self._matches(phrase):
                self.index += len(phrase.split())
                return True
        return False

    def expect(self, phrase: str) -> None:
        if not self.accept(phrase):
            self.fail()

    def fail(self) -> None:
        place = self.place()
        raise refusals.syntax(
            f"syntax error line {place.line} at position {place.position} "
            f"unexpected '{self.token.text or '<EOF>'}'."
        )

    def place(self) -> s.Place:
        start = self.token.start
        before = self.text.rfind("\n", 0, start) + 1
        return s.Place(self.text.count("\n", 0, start) + 1, start - before)

    def name(self) -> str:
        token = self.token
        self.index += 1
        if token.kind is TokenKind.QUOTED:
            return token.text[1:-1].replace('""', '"')
        if token.kind is not TokenKind.WORD:
            self.index -= 1
            self.fail()
        return token.word

    def until(self, *stops: str) -> str:
        """Cut the source up to a word or symbol outside brackets and CASE; leave it unread."""
        first, depth = self.index, 0
        while self.token.kind is not TokenKind.END:
            word = self.token.word or self.token.text
            if depth == 0 and word in stops:
                break
            depth += (word in ("(", "[", "CASE")) - (word in (")", "]"))
            depth -= word == "END" and depth > 0
            self.index += 1
        if self.index == first or self.token.kind is TokenKind.END:
            self.fail()
        return self.text[self.tokens[first].start : self.tokens[self.index - 1].end]

    def names(self) -> tuple[str, ...]:
        """Read `a, b`, each perhaps behind a colon."""
        found: list[str] = []
        while True:
            self.accept(":")
            found.append(self.name())
            if not self.accept(","):
                return tuple(found)

    def using(self) -> tuple[str, ...]:
        if not self.accept("USING"):
            return ()
        self.expect("(")
        listed = self.names()
        self.expect(")")
        return listed

    def end(self) -> None:
        self.expect(";")

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
        if self.at("CONTINUE"):
            raise refusals.unsupported("CONTINUE exception handlers")
        self.accept("EXIT")
        self.expect("THEN")
        return s.Handler(tuple(names), self.steps("WHEN", "END"))

    def declaration(self) -> s.Declaration:
        name = self.name()
        if self.accept("CURSOR FOR"):
            return s.CursorOf(name, self.until(";"))
        if self.accept("RESULTSET"):
            has_query = self.accept(":=", "DEFAULT")
            return s.Rows(name, self.query() if has_query else None)
        if self.accept("EXCEPTION"):
            return self.exception(name)
        type_ = None if self.at(":=", "DEFAULT") else self.until(";", ":=", "DEFAULT")
        value = self.until(";") if self.accept(":=", "DEFAULT") else None
        return s.Variable(name, type_, value)

    def query(self) -> str:
        """Read `(query)`, `(EXECUTE IMMEDIATE …)` or a bare query."""
        if self.at("ASYNC"):
            raise refusals.unsupported("ASYNC")
        return self.until(";")

    def exception(self, name: str) -> s.ExceptionOf:
        if not self.accept("("):
            return s.ExceptionOf(name)
        sign = -1 if self.accept("-") else 1
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
        if word in _REFUSED:
            raise refusals.unsupported(_REFUSED[word])
        if word == "BEGIN" and (self.ahead(1).text == ";" or self.ahead(1).word in _PLAIN_BEGIN):
            return s.Statement(self.until(";"))
        if word in _STEPS and self.ahead(1).text != ":=":
            return _STEPS[word](self)
        if self.ahead(1).text == ":=":
            return self.assignment()
        if self.at("EXECUTE IMMEDIATE"):
            self.index += 2
            if self.at("FROM"):
                raise refusals.unsupported("EXECUTE IMMEDIATE FROM")
            return s.Immediate(self.until(";", "USING"), self.using())
        return self.statement()

    def assignment(self) -> s.What:
        name = self.name()
        self.expect(":=")
        if self.at("ASYNC"):
            raise refusals.unsupported("ASYNC")
        return s.Assign(name, self.until(";"))

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
    "DECLARE": _Reader.block,
    "BEGIN": _Reader.block,
}
