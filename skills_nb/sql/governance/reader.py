"""The cursor that every statement reader moves over the tokens.

Room: sql. Words are matched whole and case-insensitively, never inside quotes. `accept` moves on a
match and says whether it did, `expect` insists, `fail` raises what Snowflake would say. Text of
expressions is cut from the source, so that comments and spelling survive.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import NoReturn

from skills_nb.errors import SqlError
from skills_nb.sql.governance.ast import Name
from skills_nb.sql.identifiers import SqlNameError, resolve, split_name
from skills_nb.sql.tokens import Token, TokenKind, tokenize

_NO_NAMES_TEXT = (
    "ALL ALTER AND ANY AS BETWEEN BY CHECK COLUMN CONNECT CREATE CURRENT DELETE DISTINCT DROP ELSE "
    "EXISTS FOLLOWING FOR FROM GRANT GROUP HAVING ILIKE IN INCREMENT INSERT INTERSECT INTO IS LIKE "
    "MINUS NOT NULL OF ON OR ORDER QUALIFY REGEXP REVOKE RLIKE ROW ROWS SAMPLE SELECT SET SOME "
    "START TABLE TABLESAMPLE THEN TO TRIGGER UNION UNIQUE UPDATE VALUES WHENEVER WHERE WITH"
)
_NO_NAMES = frozenset(_NO_NAMES_TEXT.split())
"""Words that name nothing unless quoted; the other reserved words only cannot name a column."""

_OPEN = {"(": ")", "[": "]", "{": "}"}
_CLOSE = frozenset(_OPEN.values())
_TEXTS = frozenset({TokenKind.STRING, TokenKind.DOLLAR})
_IDENTIFIERS = frozenset({TokenKind.WORD, TokenKind.QUOTED})


class SqlSyntaxError(SqlError):
    """The statement cannot be read; in Snowflake's words, position 0-based within the line."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        """Carry Snowflake's error number 1003 and SQL state 42000."""
        super().__init__(
            f"SQL compilation error:\n{message}", errno=1003, sqlstate="42000", hint=hint
        )


class UnsupportedSqlError(SqlError):
    """The statement is understood, and is none that this package can do."""

    def __init__(self, feature: str) -> None:
        """Carry Snowflake's error number 2 and SQL state 0A000."""
        super().__init__(f"Unsupported feature '{feature}'.", errno=2, sqlstate="0A000")


@lru_cache(maxsize=4096)
def _parts(phrase: str) -> list[str]:
    # Statement heads are tried phrase by phrase, the same ones for every statement.
    return phrase.split(" ")


def _spelled(token: Token) -> str:
    if token.kind is TokenKind.WORD:
        return token.text.upper()
    return token.text if token.kind is TokenKind.SYMBOL else ""


class Reader:
    """A place in the tokens of one statement."""

    def __init__(self, sql: str, variables: Mapping[str, str] | None = None) -> None:
        """Take one statement; `variables` are values for `IDENTIFIER($name)`, by stored name."""
        self.sql = sql
        self.variables = variables or {}
        self.tokens = tokenize(sql)
        self.index = 0
        self._spelled = [_spelled(token) for token in self.tokens]
        """What a phrase is compared with: upper-cased words, symbols, '' for anything else."""

    # Where it stands

    @property
    def token(self) -> Token:
        """The token to be read next; the END token for ever at the end."""
        return self.ahead(0)

    def ahead(self, count: int) -> Token:
        """Return the token `count` further on."""
        return self.tokens[min(self.index + count, len(self.tokens) - 1)]

    @property
    def is_done(self) -> bool:
        """Whether nothing but `;` follows."""
        index = self.index
        while self.tokens[index].text == ";":
            index += 1
        return self.tokens[index].kind is TokenKind.END

    def at(self, *phrases: str) -> bool:
        """Tell whether one of the phrases (words and symbols, spaced) comes next."""
        return any(self._matches(_parts(phrase)) for phrase in phrases)

    def _matches(self, parts: list[str]) -> bool:
        return self._spelled[self.index : self.index + len(parts)] == parts

    @property
    def _symbol(self) -> str:
        return self.token.text if self.token.kind is TokenKind.SYMBOL else ""

    # Words and symbols

    def accept(self, phrase: str) -> bool:
        """Read the phrase if it comes next."""
        parts = _parts(phrase)
        found = self._matches(parts)
        self.index += len(parts) if found else 0
        return found

    def accept_one(self, phrases: tuple[str, ...]) -> str | None:
        """Read the first of the phrases that comes next; longer ones must stand first."""
        return next((phrase for phrase in phrases if self.accept(phrase)), None)

    def expect(self, phrase: str) -> None:
        """Read the phrase, or fail at the first token that differs."""
        for part in phrase.split(" "):
            if not self.accept(part):
                self.fail()

    def expect_one(self, phrases: tuple[str, ...]) -> str:
        """Read the first of the phrases that comes next, or fail."""
        return self.accept_one(phrases) or self.fail()

    def word(self) -> str:
        """Read any bare word, upper-cased."""
        if not self.token.word:
            self.fail()
        self.index += 1
        return self.tokens[self.index - 1].word

    # Names

    def identifier(self, *, any_word: bool = False) -> str:
        """Read one identifier; its stored name. A reserved word is one only where `any_word`."""
        token = self.token
        if token.kind not in _IDENTIFIERS or (token.word in _NO_NAMES and not any_word):
            self.fail()
        try:
            stored = resolve(token.text)
        except SqlNameError:
            self.fail()
        self.index += 1
        return stored

    def name(self, parts: int = 3, *, any_word: bool = False) -> Name:
        """Read a dotted name of at most `parts` parts, or `IDENTIFIER('…')`."""
        if self.at("IDENTIFIER (") and self.ahead(2).kind in _TEXTS | {TokenKind.VARIABLE}:
            return self._indirect_name(parts)
        start = self.index
        found = [self.identifier(any_word=any_word)]
        while self.accept("."):
            if self.at(".") and len(found) == 1:  # DB..T is in the schema PUBLIC
                found.append("PUBLIC")
            else:
                found.append(self.identifier(any_word=any_word))
        if len(found) > parts:
            self.fail(self.tokens[start])
        return tuple(found)

    def schema_name(self, parts: int, *ends: str) -> Name:
        """Read a name that may be a schema's; `DB..` before one of the phrases is PUBLIC in DB."""
        start = self.index
        if self.token.kind in _IDENTIFIERS and self.ahead(1).text == self.ahead(2).text == ".":
            database = self.identifier()
            self.index += 2
            if self.is_done or self.at(*ends):
                return database, "PUBLIC"
            self.index = start
        return self.name(parts)

    def _indirect_name(self, parts: int) -> Name:
        """Read `IDENTIFIER('name')` or `IDENTIFIER($variable)`."""
        token = self.ahead(2)
        text: str | None = token.value
        if token.kind is TokenKind.VARIABLE:
            text = self.variables.get(token.text[1:].upper())
        if text is None:
            raise SqlError(
                f"SQL compilation error: error line {self.place(token)}\n"
                f"Session variable '{token.text.upper()}' does not exist",
                errno=2211,
                sqlstate="02000",
            )
        try:
            found = split_name(text)
        except SqlNameError:
            self.fail(token)
        if len(found) > parts:
            self.fail(token)
        self.index += 3
        self.expect(")")
        return found

    def many(self, read: Callable[[], Name]) -> tuple[Name, ...]:
        """Read one or more names with commas between."""
        found = [read()]
        while self.accept(","):
            found.append(read())
        return tuple(found)

    def columns(self) -> tuple[str, ...]:
        """Read `(a, b, …)`; stored column names."""
        self.expect("(")
        found = [self.identifier()]
        while self.accept(","):
            found.append(self.identifier())
        self.expect(")")
        return tuple(found)

    # Literals

    @property
    def is_text(self) -> bool:
        """Whether a string literal comes next."""
        return self.token.kind in _TEXTS

    def text(self) -> str:
        """Read a string literal; its value."""
        if not self.is_text:
            self.fail()
        self.index += 1
        return self.tokens[self.index - 1].value

    def texts(self) -> tuple[str, ...]:
        """Read one or more string literals with commas between."""
        found = [self.text()]
        while self.accept(","):
            found.append(self.text())
        return tuple(found)

    def integer(self) -> int:
        """Read a whole number, perhaps signed."""
        negative = self.accept("-")
        if self.token.kind is not TokenKind.NUMBER or not _is_whole(self.token.text):
            self.fail()
        self.index += 1
        value = int(self.tokens[self.index - 1].text)
        return -value if negative else value

    # Source text

    def until(self, *phrases: str) -> str:
        """Cut the source up to the first of the phrases outside brackets and CASE, or the end."""
        return self.cut(lambda: self.at(*phrases))

    def rest(self) -> str:
        """Cut the source up to the end."""
        return self.cut(lambda: False)

    def cut(self, stops: Callable[[], bool]) -> str:
        """Cut the source up to where `stops` holds outside brackets and CASE; never empty."""
        first = self.index
        while not self.is_done and not stops() and self._symbol not in _CLOSE:
            self.skip_one()
        if self.index == first:
            self.fail()
        return self.between(first, self.index)

    def between(self, first: int, last: int) -> str:
        """Return the source from one token up to, not including, another."""
        if first >= last:
            return ""
        return self.sql[self.tokens[first].start : self.tokens[last - 1].end]

    def skip_one(self) -> None:
        """Move over one token, or a whole bracket or CASE … END."""
        expected: list[str] = []
        while True:
            self._nest(expected)
            self.index += 1
            if not expected:
                return

    def _nest(self, expected: list[str]) -> None:
        token, symbol = self.token, self._symbol
        if token.kind in (TokenKind.BROKEN, TokenKind.END):
            self.fail()
        mark = symbol or token.word
        if expected and mark == expected[-1]:
            expected.pop()
        elif symbol in _OPEN:
            expected.append(_OPEN[symbol])
        elif token.word == "CASE" and self.tokens[self.index - 1].text != ".":
            expected.append("END")
        elif symbol in _CLOSE:
            self.fail()

    def bracket(self) -> str:
        """Read `( … )`; the source between the parentheses, perhaps empty."""
        if not self.at("("):
            self.fail()
        first = self.index
        self.skip_one()
        return self.between(first + 1, self.index - 1)

    def listed(self) -> tuple[str, ...]:
        """Read `(a, b, …)`; the source of each item."""
        self.expect("(")
        found: list[str] = []
        while not self.accept(")"):
            found.append(self.until(","))
            if not self.accept(",") and not self.at(")"):
                self.fail()
        return tuple(found)

    # Trouble

    def place(self, token: Token) -> str:
        """Say where a token stands, as Snowflake does."""
        line = self.sql.count("\n", 0, token.start) + 1
        position = token.start - (self.sql.rfind("\n", 0, token.start) + 1)
        return f"{line} at position {position}"

    def fail(self, token: Token | None = None) -> NoReturn:
        """Refuse the statement at a token, the next one unless said otherwise.

        Raises:
            SqlSyntaxError: always; it names the line, the position and what stands there.
        """
        found = token or self.token
        if found.kind is TokenKind.BROKEN:
            raise SqlSyntaxError(f"parse error line {self.place(found)} near '<EOF>'.")
        unexpected = found.text if found.kind is not TokenKind.END else "<EOF>"
        raise SqlSyntaxError(
            f"syntax error line {self.place(found)} unexpected '{unexpected[:100]}'."
        )

    def finish(self) -> None:
        """Insist that nothing follows."""
        while self.accept(";"):
            pass
        if self.token.kind is not TokenKind.END:
            self.fail()


def _is_whole(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 38
