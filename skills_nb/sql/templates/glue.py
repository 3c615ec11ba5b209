"""Glue: an output expression must be a token of its own.

Room: sql. A text with marks in it is cut by the SQL lexer: a mark inside a literal, a quoted name
or a comment is refused, and so is one that touches a letter, a digit, a quote or another mark.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from skills_nb.sql.template_problems import TemplateProblem, at_offset
from skills_nb.sql.templates.template_error import TemplateError
from skills_nb.sql.tokens import TokenKind, quotations

MARK = "\x00"
"""Stands around the number of a value; no template may hold it."""

TAG = "\x01"
"""Stands for a statement tag, which prints nothing, when a template is checked without values."""

_WHERE = {
    TokenKind.STRING: "inside a string literal",
    TokenKind.QUOTED: "inside a quoted identifier",
    TokenKind.DOLLAR: "inside a $$ literal",
    TokenKind.COMMENT: "inside a comment",
    TokenKind.BROKEN: "inside an open quote or comment",
}
_INSIDE_HINT = "Take the quotes away: a text value brings its own, and a comment takes none."
_GLUE_HINT = "Build the whole name with ident('prefix_', value), or the whole text with ~."
_TOUCHING = frozenset("'\"$_" + MARK)


def find_enclosed(shape: str) -> TemplateProblem | None:
    """Find the first mark that stands inside quotes or a comment."""
    for token in quotations(shape):
        if MARK in token.text:
            offset = token.start + token.text.index(MARK)
            return at_offset(shape, offset, f"a value stands {_WHERE[token.kind]}", _INSIDE_HINT)
    return None


def touches(neighbour: str, is_name: bool) -> bool:
    """Tell whether a neighbouring character would run into a value."""
    if neighbour == ".":
        return not is_name
    return neighbour != "" and (neighbour.isalnum() or neighbour in _TOUCHING)


def glue_problem(shape: str, offset: int) -> TemplateProblem:
    """Make the problem of a value that touches other text."""
    return at_offset(shape, offset, "a value is set against other text", _GLUE_HINT)


def check_marks(
    shape: str, marked: re.Pattern[str], texts: Sequence[str], is_name: Sequence[bool]
) -> None:
    """Refuse a shape in which a value would not be a token of its own.

    Raises:
        TemplateError: places are those of the rendered text.
    """
    judge = _judged if len(shape) <= _SHORT else _judge
    problem, behind_minus = judge(shape, marked, tuple(is_name))
    for index, offset in behind_minus:
        if texts[index].startswith("-"):
            raise TemplateError(glue_problem(shape, offset))
    if problem is not None:
        raise TemplateError(problem)


def _judge(
    shape: str, marked: re.Pattern[str], is_name: tuple[bool, ...]
) -> tuple[TemplateProblem | None, tuple[tuple[int, int], ...]]:
    """Return the first problem that any values have, and the marks behind a minus before it.

    Those are told by number and offset: a negative number there would make a comment.
    """
    behind_minus: list[tuple[int, int]] = []
    if (problem := find_enclosed(shape)) is not None:
        return problem, ()
    for found in marked.finditer(shape):
        index = int(found.group(1))
        before = shape[found.start() - 1] if found.start() else ""
        after = shape[found.end() : found.end() + 1]
        if touches(before, is_name[index]) or touches(after, is_name[index]):
            return glue_problem(shape, found.start()), tuple(behind_minus)
        if before == "-":
            behind_minus.append((index, found.start()))
    return None, tuple(behind_minus)


_SHORT = 4_000
"""Shapes up to so many characters are those of loops, which come again for every item."""
_judged = lru_cache(maxsize=64)(_judge)
