"""Spelling: the parser of queries, which remembers how each result column was written.

Room: embedded. Pure. A column without an alias is called like its text.

See https://docs.snowflake.com/en/sql-reference/sql/select
"""

from __future__ import annotations

from sqlglot import exp
from sqlglot.dialects.snowflake import Snowflake
from sqlglot.parsers.snowflake import SnowflakeParser

TEXT = "text"
"""Where a projection keeps its text."""


class Spelled(Snowflake):
    """Snowflake's SQL, with the text of projections."""

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
