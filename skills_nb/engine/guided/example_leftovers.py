"""What of an example is only the example's: it never reaches a plan.

Room: laws. Examples write keywords in capitals and names in small letters, and their texts are
values of the example's own business. Comments go; whatever else is left after the holes were made
means that the example tells another story than the goal.
Spec: Guided Mode Execution > Guardrails.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from skills_nb.sql.tokens import Token, TokenKind, tokenize

_HOLE = re.compile(r"\{\{.*?\}\}", re.DOTALL)
_COMMENT = re.compile(r"\s*,?\s*\bCOMMENT\s*=?\s*'(?:[^']|'')*'")
_ANYBODYS = re.compile(
    r"\W*|\d+ ?(?:second|minute|hour|day|week|month)s?|USING CRON .*|(?:day|hour|week|month|year)",
    re.IGNORECASE | re.DOTALL,
)
"""Texts that are no example's: marks, durations, schedules, parts of a date."""

_ALIAS = 2
"""Letters of an alias that says nothing; a longer one is the name of an example's column."""


def without_comments(sql: str) -> str:
    """Return a statement without the comments that an example gives to what it makes."""
    return _COMMENT.sub("", sql)


def leftover_of(template: str, defined: Collection[str]) -> str | None:
    """Return the first word or text that only the example says, or None.

    Args:
        template: a statement, with holes where inputs go.
        defined: words that the statement itself defines, such as aliases, in capitals.
    """
    tokens = tokenize(_HOLE.sub("HOLE", template))
    return next((token.text for token in _leftovers(tokens, defined)), None)


def _leftovers(tokens: Collection[Token], defined: Collection[str]) -> Iterator[Token]:
    for token in tokens:
        match token.kind:
            case TokenKind.STRING:
                is_left = not _ANYBODYS.fullmatch(token.text[1:-1])
            case TokenKind.WORD:
                is_left = token.text != token.text.upper() and not (
                    token.word in defined and len(token.text) <= _ALIAS
                )
            case kind:
                is_left = kind in (TokenKind.DOLLAR, TokenKind.QUOTED)
        if is_left:
            yield token
