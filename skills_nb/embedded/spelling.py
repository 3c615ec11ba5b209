"""Spelling: the parser of queries, which remembers how each result column was written.

Room: embedded. Pure. A column without an alias is called like its text.

See https://docs.snowflake.com/en/sql-reference/sql/select
"""

from __future__ import annotations

from sqlglot import exp
from sqlglot.dialects.dialect import DialectType
from sqlglot.dialects.snowflake import Snowflake
from sqlglot.parsers.snowflake import SnowflakeParser
from sqlglot.tokenizer_core import Token, TokenType

TEXT = "text"
"""Where a projection keeps its text."""


def _named(token: Token) -> Token:
    return Token(TokenType.VAR, token.text, token.line, token.col, token.start, token.end)


class Spelled(Snowflake):
    """Snowflake's SQL, with the text of projections."""

    def tokenize(self, sql: str, dialect: DialectType = None) -> list[Token]:
        """Cut the text; what follows `!` is a method's name, whatever it means elsewhere."""
        found = super().tokenize(sql, dialect)
        return [
            _named(token) if at and found[at - 1].token_type is TokenType.EXCLAMATION else token
            for at, token in enumerate(found)
        ]

    class Parser(SnowflakeParser):
        """Reads queries."""

        def _parse_projections(self) -> tuple[list[exp.Expr], list[exp.Expr] | None]:
            return self._parse_csv(self._parse_spelled), None

        def _parse_spelled(self) -> exp.Expr | None:
            start = self._curr
            made: exp.Expr | None = self._parse_expression()
            if made is not None:
                made.meta[TEXT] = " ".join(self._find_sql(start, self._prev).split())
            return made
