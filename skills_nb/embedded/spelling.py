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


_LISTED = """
APPROX_DISTINCT APPROX_QUANTILE APPROX_QUANTILES ARGMAX ARGMIN ARG_MAX ARG_MIN ARRAY_ALL
ARRAY_ANY ARRAY_CONCAT ARRAY_CONCAT_AGG ARRAY_FILTER ARRAY_FIRST ARRAY_HAS ARRAY_JOIN
ARRAY_LAST ARRAY_LENGTH ARRAY_OVERLAPS ARRAY_SUM BIT_AND BIT_OR BIT_XOR BITWISE_AND_AGG
BITWISE_COUNT BITWISE_OR_AGG BITWISE_XOR_AGG BOOL_AND BOOL_OR COSINE_DISTANCE COUNTIF
DATE_BIN DATE_FROM_UNIX_DATE DATE_STR_TO_DATE DATE_TO_DATE_STR DATE_TO_DI DI_TO_DATE
EUCLIDEAN_DISTANCE EXPLODE EXPLODE_OUTER FORMAT FROM_BASE64 FROM_JSON GENERATE_DATE_ARRAY
GENERATE_SERIES GEN_RANDOM_UUID GLOB GROUP_CONCAT IF IIF ISINF ISNAN IS_INF IS_NAN
JSON_EXTRACT JSON_EXTRACT_SCALAR JSON_KEYS JSON_PARSE JSON_TYPE LCASE LEVENSHTEIN LIST
LOCATE LOG10 LOG2 LOGICAL_AND LOGICAL_OR MAKE_INTERVAL MAP MD5_DIGEST OVERLAY POSEXPLODE
QUANTILE RAND REGEXP_EXTRACT REGEXP_FULL_MATCH REGEXP_SPLIT SAFE_DIVIDE
SORT_ARRAY STRING_TO_ARRAY STRPOS STRUCT STRUCT_EXTRACT STR_POSITION STR_SPLIT STR_TO_TIME
SUBSTRING_INDEX TO_BASE64 TO_HEX TS_OR_DS_ADD TS_OR_DS_TO_DATE UCASE UNHEX UNIX_SECONDS
VAR_MAP XOR
"""
_FOREIGN = frozenset(_LISTED.split())
"""Functions of other databases that the parser knows and Snowflake does not."""


def _to_char(arguments: list[exp.Expr]) -> exp.ToChar:
    """Keep the format as it is written, which the parser would put in other words."""
    value, form, *_ = (*arguments, None, None)
    return exp.ToChar(this=value, format=form)


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

        FUNCTIONS = {  # noqa: RUF012 - the parser's own form
            **{n: build for n, build in SnowflakeParser.FUNCTIONS.items() if n not in _FOREIGN},
            **dict.fromkeys(("TO_CHAR", "TO_VARCHAR"), _to_char),
        }
        FUNCTION_PARSERS = {  # noqa: RUF012
            name: read
            for name, read in SnowflakeParser.FUNCTION_PARSERS.items()
            if name not in _FOREIGN
        }

        def _parse_projections(self) -> tuple[list[exp.Expr], list[exp.Expr] | None]:
            return self._parse_csv(self._parse_spelled), None

        def _parse_spelled(self) -> exp.Expr | None:
            start = self._curr
            made: exp.Expr | None = self._parse_expression()
            if made is not None:
                made.meta[TEXT] = " ".join(self._find_sql(start, self._prev).split())
            return made
