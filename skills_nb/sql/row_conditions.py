"""A condition on the rows of one table, as a value that a template may put behind WHERE.

Room: sql. A template never splices text: what renders here was read as one condition that asks no
other table and calls Snowflake's own functions only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from skills_nb.errors import SqlError
from skills_nb.sql.classify import why_no_probe
from skills_nb.sql.tokens import TokenKind, scan

if TYPE_CHECKING:
    from sqlglot import exp

_MOST_CHARACTERS = 4_000
_PARTS = frozenset({"expressions", "from_", "from", "where", "kind", "hint", "distinct", "limit"})
_HIDING = frozenset(
    {TokenKind.COMMENT, TokenKind.VARIABLE, TokenKind.BROKEN, TokenKind.DOLLAR, TokenKind.END}
)
_ASK = "Give it as SQL, such as: AMOUNT > 10 AND CITY = 'Oslo'"


@dataclass(frozen=True, slots=True)
class RowCondition:
    """One condition; renders in parentheses."""

    sql: str
    """Its text, which `read_condition` has accepted."""

    def __str__(self) -> str:
        """Return its text in parentheses."""
        return f"({self.sql})"


def read_condition(text: str) -> RowCondition:
    """Return a condition on rows from its SQL.

    Raises:
        SqlError: it is more than one condition on the columns of one table.
    """
    from skills_nb.sql.classify.read_only_queries import query_of

    sql = text.strip()
    if not sql or len(sql) > _MOST_CHARACTERS or not _is_whole(sql):
        raise SqlError("this is not one condition on rows", hint=_ASK)
    query = f"SELECT 1 FROM T WHERE ({sql})"
    if (trouble := why_no_probe(query)) is not None:
        raise SqlError(f"the condition {trouble}", hint=_ASK)
    tree = query_of(query)
    if tree is None or not _asks_rows(tree):
        raise SqlError("this is not one condition on rows", hint=_ASK)
    return RowCondition(sql)


def _is_whole(sql: str) -> bool:
    """Tell whether a text closes what it opens, ends nothing and hides nothing in a comment."""
    depth = 0
    for token in scan(sql):
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        if depth < 0 or token.kind in _HIDING or token.text in (";", "?"):
            return False
    return depth == 0


def _asks_rows(tree: exp.Expr) -> bool:
    from sqlglot import exp

    is_plain = isinstance(tree, exp.Select) and all(
        name in _PARTS for name, value in tree.args.items() if value
    )
    others = (exp.Select, exp.Subquery, exp.Placeholder, exp.Parameter, exp.Star, exp.Window)
    inner = (node for node in tree.walk() if node is not tree)
    return is_plain and not any(isinstance(node, (*others, exp.AggFunc)) for node in inner)
