"""Whether SQL text parses, and what a query names its columns.

Room: sql. The statements that our own parser knows are its business, all others sqlglot's, which
loads on first use.
"""

from __future__ import annotations

import re
from functools import lru_cache

from skills_nb.errors import SqlError
from skills_nb.sql.governance import parse
from skills_nb.sql.query_trees import reading_of

_QUERY = re.compile(r"\s*(?:SELECT|WITH|INSERT|UPDATE|DELETE|MERGE)\b", re.IGNORECASE)
"""What is never a governance statement, so that the other parser is asked at once."""
_TOKEN = re.compile(r"<Token token_type: [^,>]*, text: ([^,>]*),[^>]*>")
_UNSUPPORTED = "0A000"
"""The SQL is understood, only the embedded account cannot do it: no fault of the text."""


@lru_cache(maxsize=4096)
def trouble_of(sql: str) -> str | None:
    """Return why a statement does not parse in one line, or None where it does."""
    if not _QUERY.match(sql):
        try:
            if parse(sql) is not None:
                return None
        except SqlError as error:
            if error.sqlstate == _UNSUPPORTED:
                return None
            return " ".join(error.message.split())
    return _query_trouble(sql)


def _query_trouble(sql: str) -> str | None:
    reading = reading_of(sql)
    if reading.trees is not None:
        return None
    first = reading.trouble.split("\n", 1)[0].replace("\x1b[4m", "")
    return " ".join(_TOKEN.sub(r"'\1'", first).split())


def columns_of(query: str) -> frozenset[str] | None:
    """Return the columns of a plain SELECT in lower case; None where only a run shows them."""
    from sqlglot import exp

    trees = reading_of(query).trees
    tree = trees[0] if trees else None
    if not isinstance(tree, exp.Select) or tree.is_star:
        return None
    return frozenset(
        (column.alias_or_name or column.sql(dialect="snowflake")).lower().removesuffix("()")
        for column in tree.selects
    )
