"""Cutting: a place in the tokens of a script, and what is read from there.

Room: embedded. Pure.
"""

from __future__ import annotations

from skills_nb.embedded import errors
from skills_nb.embedded.parser import scripts as s
from skills_nb.sql.tokens import Token, TokenKind, tokenize


class Cutter:
    """A place in the tokens of a script."""

    def __init__(self, text: str) -> None:
        """Start at the first token."""
        self.text = text
        self.tokens = tokenize(text)
        self.index = 0

    @property
    def token(self) -> Token:
        """Return the next token."""
        return self.tokens[self.index]

    def ahead(self, count: int) -> Token:
        """Return the token `count` places behind the next."""
        return self.tokens[min(self.index + count, len(self.tokens) - 1)]

    def at(self, *phrases: str) -> bool:
        """Tell whether one of these phrases comes next."""
        return any(self._matches(phrase) for phrase in phrases)

    def _matches(self, phrase: str) -> bool:
        words = phrase.split()
        return all(
            (self.ahead(i).word or self.ahead(i).text) == word for i, word in enumerate(words)
        )

    def accept(self, *phrases: str) -> bool:
        """Read one of these phrases if it comes next."""
        for phrase in phrases:
            if self._matches(phrase):
                self.index += len(phrase.split())
                return True
        return False

    def expect(self, phrase: str) -> None:
        """Read a phrase, which must come next."""
        if not self.accept(phrase):
            self.fail()

    def fail(self) -> None:
        """Refuse the next token.

        Raises:
            SqlError: always (1003); it names the line, the position and what stands there.
        """
        place = self.place()
        raise errors.syntax(
            f"syntax error line {place.line} at position {place.position} "
            f"unexpected '{self.token.text or '<EOF>'}'."
        )

    def place(self) -> s.Place:
        """Tell where the next token stands."""
        start = self.token.start
        before = self.text.rfind("\n", 0, start) + 1
        return s.Place(self.text.count("\n", 0, start) + 1, start - before)

    def name(self) -> str:
        """Read a name as it is stored."""
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
        """Read `USING (a, b)` if it comes next."""
        if not self.accept("USING"):
            return ()
        self.expect("(")
        listed = self.names()
        self.expect(")")
        return listed

    def end(self) -> None:
        """Read the semicolon of a statement."""
        self.expect(";")
