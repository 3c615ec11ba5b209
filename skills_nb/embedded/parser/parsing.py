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

from skills_nb.embedded import errors
from skills_nb.embedded.parser import bulk_values, desugar, recursive_views
from skills_nb.embedded.parser.desugar.column_titles import Spelled
from skills_nb.embedded.types.tree_copies import copied
from skills_nb.errors import SqlError
from skills_nb.sql.constant_rows import SHORT, set_aside
from skills_nb.sql.identifiers import with_public
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
_MOST_CASTS = 300
"""Casts of one value in turn; each is written around all that it casts."""
_OVERWRITES = re.compile(r"\s*INSERT\s+OVERWRITE\b", re.I)
"""What the parser drops in front of INSERT ALL and INSERT FIRST."""


def shared_statement(text: str) -> exp.Expr:
    """Parse one statement; the tree is everybody's, and is copied before it is changed.

    Raises:
        SqlError: it cannot be read (1003), or nothing here knows how (0A000).
    """
    return _parsed(text)


def parse_statement(text: str) -> exp.Expr:
    """Parse one statement.

    Raises:
        SqlError: it cannot be read (1003), or nothing here knows how (0A000).
    """
    return copied(_parsed(text))


def parse_query(text: str) -> exp.Query:
    """Parse a query.

    Raises:
        SqlError: the text is no query (1003).
    """
    tree = parse_statement(text)
    if not isinstance(tree, exp.Query):
        raise errors.syntax(f"syntax error line 1 at position 0 unexpected '{text.split()[0]}'.")
    return tree


def parse_expression(text: str) -> exp.Expr:
    """Parse a scalar expression."""
    return copied(_expression(text))


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
    return tree if bulk_values.put_back(tree, runs) else _read(text)


def _read(text: str) -> exp.Expr:
    try:
        read = _STARTS.sub("BEGIN TRANSACTION", with_public(text))
        plain = recursive_views.without_word(read)
        is_recursive, read = plain != read, plain
        found = [tree for tree in sqlglot.parse(read, read=Spelled) if tree is not None]
    except ParseError as error:
        raise errors.syntax(_described(error)) from error
    except RecursionError as error:
        raise errors.too_deep() from error
    except SqlglotError as error:
        raise errors.syntax(f"syntax error: {error}") from error
    except (AttributeError, IndexError, KeyError, ValueError, TypeError) as error:
        # The general parser meets what it did not think of; its words are no help.
        raise errors.syntax("syntax error: the statement cannot be read.") from error
    if not found:
        raise errors.empty_statement()
    if len(found) > 1:
        raise errors.statement_count(len(found), 1)
    if isinstance(found[0], exp.Command):
        raise errors.unsupported(_called(text))
    if isinstance(found[0], exp.MultitableInserts):
        found[0].set("overwrite", _OVERWRITES.match(text) is not None)
    if is_recursive:
        recursive_views.closed(found[0])
    if text.count("::") > _MOST_CASTS and _casts_in_turn(found[0]) > _MOST_CASTS:
        raise errors.too_deep()
    return desugar.plain(found[0])


def _casts_in_turn(tree: exp.Expr) -> int:
    """Count the longest run of casts of casts, outermost first."""
    lengths: dict[int, int] = {}
    for node in tree.find_all(exp.Cast, bfs=True):
        lengths[id(node)] = lengths.get(id(node.parent), 0) + 1
    return max(lengths.values(), default=0)


# Views and policies are read again and again; a tree weighs a hundred times its text.
_short = lru_cache(maxsize=256)(_read)
_long = lru_cache(maxsize=8)(_long_read)


@lru_cache(maxsize=2048)
def _expression(text: str) -> exp.Expr:
    tree = _parsed(f"SELECT {text}")
    if not isinstance(tree, exp.Select) or len(tree.expressions) != 1 or tree.args.get("from_"):
        raise errors.syntax(f"syntax error line 1 at position 0 unexpected '{text}'.")
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
