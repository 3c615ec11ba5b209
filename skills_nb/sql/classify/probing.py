"""Whether a text may be asked of an account that nobody has approved anything on: a probe.

Room: sql. Stricter than `Kind.READ`: a probe is sent in a dry run, too, so what cannot be proven to
read and nothing else is refused. That is one query, SHOW, DESCRIBE, EXPLAIN or LIST that calls
Snowflake's own functions only. Functions of somebody's own cannot write tables, but may reach out
of the account or never end; a procedure may do anything; a model's answer costs.
Source: Snowflake manual, "Introduction to user-defined functions", "Introduction to external
functions".
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from sqlglot import exp

from skills_nb.errors import SqlError
from skills_nb.sql import governance
from skills_nb.sql.classify.kind import Kind
from skills_nb.sql.classify.read_only_queries import (
    READING_SYSTEM,
    READING_TABLES,
    is_snowflakes,
    name_of,
    query_of,
    split_qualified_call,
    trees_of,
)
from skills_nb.sql.classify.readability import unclear_end, unreadable
from skills_nb.sql.classify.snowflake_functions import BUILTINS
from skills_nb.sql.classify.statement_kinds import kind_of
from skills_nb.sql.governance import ast
from skills_nb.sql.statements import split
from skills_nb.sql.tokens import Token, TokenKind, tokenize

_KNOWN = (BUILTINS | READING_TABLES | READING_SYSTEM) - {"TO_QUERY"}
_ACTING_TEXT = (
    "AIAgg AIClassify AIEmbed AIForecast AIGenerate AISimilarity AISummarizeAgg Execute "
    "GenerateBool GenerateDouble GenerateEmbedding GenerateInt GenerateTable GenerateText "
    "MLForecast MLTranslate Predict ReadCSV ReadParquet VectorSearch"
)
_ACTING = frozenset(_ACTING_TEXT.split())
"""What sqlglot knows by name and what asks a model or reads files; some are other systems'."""
_HEADS_IN_WORDS = {"EXECUTE": "runs SQL that it is handed as a text", "CALL": "calls a procedure"}


@lru_cache(maxsize=2048)
def why_no_probe(sql: str) -> str | None:
    """Return why a text is not provably one read, to follow its name; None where it is one."""
    statements = split(sql)
    if not statements:
        return "asks nothing"
    if len(statements) > 1:
        return f"holds {len(statements)} statements, and a probe is one"
    text = statements[0].text
    trouble = unclear_end(sql) or unreadable(text)
    return f"cannot be read: {trouble}" if trouble is not None else _why_not_one(text)


def _why_not_one(sql: str) -> str | None:
    tokens = tokenize(sql)
    head = tokens[0].word
    if head in _HEADS_IN_WORDS:
        return _HEADS_IN_WORDS[head]
    if (odd := _odd_call(tokens)) is not None:
        return f"calls {odd}, which may do more than read"
    if head == "EXPLAIN":
        return _why_not_explained(sql, tokens)
    called = next((name for step in _steps(sql) if (name := _foreign_call(step))), None)
    if called is not None:
        return f"calls {called}, which may do more than read"
    if kind_of(sql) is not Kind.READ:
        return f"may change the account: it begins with '{' '.join(sql.split()[:3])[:60]}'"
    return None


def _why_not_explained(sql: str, tokens: tuple[Token, ...]) -> str | None:
    """Return what stands against explaining a statement: functions run while it is planned."""
    if kind_of(sql) is not Kind.READ:
        return f"may change the account: it begins with '{' '.join(sql.split()[:3])[:60]}'"
    first = 3 if tokens[1].word == "USING" else 1
    trees = trees_of(sql[tokens[first].start :])
    if trees is None or len(trees) != 1 or isinstance(trees[0], exp.Command | None):
        return "explains what cannot be read"
    called = next((name for node in trees[0].walk() if (name := _foreign(node))), None)
    return None if called is None else f"calls {called}, which may do more than read"


def _odd_call(tokens: tuple[Token, ...]) -> str | None:
    """Return a call of somebody's own that only looks like one of Snowflake's.

    A name in quotes keeps its letters: `"count"(1)` is no `COUNT(1)`.
    """
    for token, following in pairwise(tokens):
        name = token.text[1:-1]
        is_called = following.text == "(" and token.kind is TokenKind.QUOTED
        if is_called and name != name.upper() and name.upper() in exp.FUNCTION_BY_NAME:
            return token.text
    words = [token.word for token in tokens]
    is_result = words[0] in ("DESC", "DESCRIBE") and words[1] == "RESULT"
    is_called = is_result and any(token.text == "(" for token in tokens)
    return words[2] if is_called and words[2] != "LAST_QUERY_ID" else None


def _steps(sql: str) -> tuple[str, ...]:
    """Return the statements that a chain of `->>` is made of; else the statement alone."""
    try:
        statement = governance.parse(sql)
    except (SqlError, RecursionError):
        return (sql,)
    return statement.steps if isinstance(statement, ast.Chain) else (sql,)


def _foreign_call(sql: str) -> str | None:
    """Return what a query calls that is not provably harmless, or None."""
    tree = query_of(sql)
    if tree is None:
        return None
    return next((name for node in tree.walk() if (name := _foreign(node)) is not None), None)


def _foreign(node: exp.Expr) -> str | None:
    if isinstance(node, exp.ModelAttribute):
        return node.sql(dialect="snowflake").partition("(")[0]
    if isinstance(node, exp.DynamicIdentifier):
        is_called = node.args.get("expressions") is not None
        return node.sql(dialect="snowflake") if is_called else None
    if isinstance(node, exp.Func) and type(node).__name__ in _ACTING:
        return name_of(node)
    if isinstance(node, exp.Dot) and isinstance(node.expression, exp.Func):
        path, called = split_qualified_call(node)
        known = isinstance(called, exp.Func) and bool(path) and is_snowflakes(path, called)
        return None if known else ".".join((*path, _said(called)))
    if isinstance(node, exp.Anonymous) and not _is_qualified(node):
        return None if name_of(node) in _KNOWN else name_of(node)
    return None


def _said(called: exp.Expr) -> str:
    return name_of(called) if isinstance(called, exp.Func) else called.name


def _is_qualified(node: exp.Anonymous) -> bool:
    """Tell a call whose path was looked at with it, or is looked at where it is a table's."""
    parent = node.parent
    if isinstance(parent, exp.Dot):
        return parent.expression is node
    return isinstance(parent, exp.Table) and parent.args.get("db") is not None
