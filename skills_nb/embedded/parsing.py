"""Parsing of queries and expressions, remembered by text.

Room: embedded. Trees are copied before they are handed out, since the rewrite works in place.
"""

from __future__ import annotations

import logging
import re
from functools import lru_cache
from itertools import takewhile

import sqlglot
from sqlglot import exp
from sqlglot.errors import ParseError, SqlglotError

from skills_nb.embedded import refusals, sugar, wholesale
from skills_nb.embedded.spelling import Spelled
from skills_nb.errors import SqlError
from skills_nb.sql.constant_rows import SHORT, set_aside
from skills_nb.sql.tokens import tokenize

logging.getLogger("sqlglot").setLevel(logging.ERROR)


_STARTS = re.compile(r"^\s*START\s+TRANSACTION\b", re.I)
"""The other words for BEGIN, which the parser does not know."""
_PASSING = frozenset({"OR", "REPLACE", "ALTER", "IF", "NOT", "EXISTS", "TEMP", "TEMPORARY"})
_ABOUT_OBJECTS = frozenset({"CREATE", "DROP", "TRUNCATE", "COMMENT", "REFRESH"})
_NOUNS = frozenset(
    {"ACCOUNT", "FUNCTION", "GROUP", "POLICY", "SERVICE", "SET", "TABLE", "VIEW", "VOLUME"}
)
"""Kinds of objects that have a word of their own before them: EVENT TABLE, JOIN POLICY."""
_OVERWRITES = re.compile(r"\s*INSERT\s+OVERWRITE\b", re.I)
"""What the parser drops in front of INSERT ALL and INSERT FIRST."""


def parse_statement(text: str) -> exp.Expr:
    """Parse one statement.

    Raises:
        SqlError: it cannot be read (1003), or nothing here knows how (0A000).
    """
    return _parsed(text).copy()


def parse_query(text: str) -> exp.Query:
    """Parse a query."""
    tree = parse_statement(text)
    if not isinstance(tree, exp.Query):
        raise refusals.syntax(f"syntax error line 1 at position 0 unexpected '{text.split()[0]}'.")
    return tree


def parse_expression(text: str) -> exp.Expr:
    """Parse a scalar expression."""
    return _expression(text).copy()


def _parsed(text: str) -> exp.Expr:
    return _short(text) if len(text) <= SHORT else _long(text)


def _long_read(text: str) -> exp.Expr:
    """Read a long text, with long runs of constant rows taken as they are written."""
    short, runs = set_aside(text)
    try:
        tree = _read(short)
    except SqlError:
        if not runs:
            raise
        # The refusal is to name a place in the text as it was sent.
        return _read(text)
    return tree if wholesale.put_back(tree, runs) else _read(text)


def _read(text: str) -> exp.Expr:
    try:
        read = _STARTS.sub("BEGIN TRANSACTION", text)
        found = [tree for tree in sqlglot.parse(read, read=Spelled) if tree is not None]
    except ParseError as error:
        raise refusals.syntax(_described(error)) from error
    except (SqlglotError, IndexError, ValueError, TypeError) as error:
        raise refusals.syntax(f"syntax error: {error}") from error
    if not found:
        raise refusals.empty_statement()
    if len(found) > 1:
        raise refusals.statement_count(len(found), 1)
    if isinstance(found[0], exp.Command):
        raise refusals.unsupported(_called(text))
    if isinstance(found[0], exp.MultitableInserts):
        found[0].set("overwrite", _OVERWRITES.match(text) is not None)
    return sugar.plain(found[0])


# Views and policies are read again and again; a tree weighs a hundred times its text.
_short = lru_cache(maxsize=256)(_read)
_long = lru_cache(maxsize=8)(_long_read)


@lru_cache(maxsize=2048)
def _expression(text: str) -> exp.Expr:
    tree = _parsed(f"SELECT {text}")
    if not isinstance(tree, exp.Select) or len(tree.expressions) != 1 or tree.args.get("from_"):
        raise refusals.syntax(f"syntax error line 1 at position 0 unexpected '{text}'.")
    projection = tree.expressions[0]
    found: exp.Expr = projection.this if isinstance(projection, exp.Alias) else projection
    return found


def _called(text: str) -> str:
    """Name a statement by its first words, up to the kind of object that it is about."""
    words = [token.word for token in takewhile(lambda token: token.word, tokenize(text))]
    verb, *rest = words or [text.split(None, 1)[0].upper()]
    rest = [word for word in rest if word not in _PASSING]
    if verb not in _ABOUT_OBJECTS or not rest:
        return verb
    end = next((i for i, word in enumerate(rest[:3]) if word in _NOUNS), 0)
    return " ".join([verb, *rest[: end + 1]])


def _described(error: ParseError) -> str:
    if not error.errors:
        return f"syntax error: {error}"
    first = error.errors[0]
    line, column = first.get("line") or 1, first.get("col") or 0
    return f"syntax error line {line} at position {column} unexpected '{first.get('highlight')}'."
