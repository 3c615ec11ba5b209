"""CREATE of policies with a body, and of tags.

Room: sql.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from skills_nb.sql.governance import ast
from skills_nb.sql.governance.clauses import read_arguments, read_properties, take_comment
from skills_nb.sql.governance.reader import Reader
from skills_nb.sql.tokens import TokenKind

_TRAILING = ("COMMENT =", "EXEMPT_OTHER_POLICIES =")
_OPERATOR_WORDS = frozenset({"AND", "OR", "NOT", "THEN", "ELSE", "WHEN", "IN", "LIKE", "BETWEEN"})
_VALUE_KINDS = frozenset(
    {TokenKind.STRING, TokenKind.DOLLAR, TokenKind.NUMBER, TokenKind.QUOTED, TokenKind.VARIABLE}
)


def read_policy(
    build: Callable[..., ast.CreatePolicy],
) -> Callable[[Reader, dict[str, Any]], ast.CreatePolicy]:
    """Make the reader of `AS (…) RETURNS type -> body [COMMENT = …]`."""

    def read(r: Reader, header: dict[str, Any]) -> ast.CreatePolicy:
        r.expect("AS")
        args = read_arguments(r)
        r.expect("RETURNS")
        returns = r.until("->")
        r.expect("->")
        body = r.cut(lambda: r.at(*_TRAILING) and _ends_value(r))
        options = read_properties(r)
        comment = take_comment(options)
        return build(
            **header, args=args, returns=returns, body=body, comment=comment, properties=options
        )

    return read


def _ends_value(r: Reader) -> bool:
    """Tell `… END COMMENT = 'x'` from `a = 1 AND comment = 'x'`."""
    token = r.ahead(-1)
    if token.word:
        return token.word not in _OPERATOR_WORDS
    return token.kind in _VALUE_KINDS or token.text in (")", "]")


def read_tag(r: Reader, header: dict[str, Any]) -> ast.CreateTag:
    """Read `[ALLOWED_VALUES …] [PROPAGATE = …] [COMMENT = …]`."""
    options = read_properties(r)
    allowed = r.texts() if r.accept("ALLOWED_VALUES") else None
    options |= read_properties(r)
    comment = take_comment(options)
    return ast.CreateTag(**header, allowed_values=allowed, comment=comment, properties=options)
