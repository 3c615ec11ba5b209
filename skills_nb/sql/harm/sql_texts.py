"""Texts: each statement of one, also those in blocks, in literals that run, and in bodies.

Room: sql.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from skills_nb.errors import SqlError
from skills_nb.sql import governance
from skills_nb.sql.classify import DynamicSqlError
from skills_nb.sql.classify.prohibition import hidden_sql
from skills_nb.sql.classify.readability import unclear_end
from skills_nb.sql.governance import ast
from skills_nb.sql.harm import (
    called_code,
    object_changes,
    stage_files,
    stored_bodies,
    unparsed_statements,
)
from skills_nb.sql.harm.harm_value import Harm
from skills_nb.sql.objects import changes_of
from skills_nb.sql.objects.statements_in_blocks import statements_within
from skills_nb.sql.statements import split
from skills_nb.sql.tokens import Token, tokenize

_DEEPEST = 10
_IN_BLOCKS = frozenset(
    {
        "ALTER",
        "CALL",
        "DELETE",
        "DROP",
        "EXECUTE",
        "GRANT",
        "MERGE",
        "OVERWRITE",
        "PURGE",
        "REMOVE",
        "REVOKE",
        "RM",
        "SWAP",
        "TRUNCATE",
        "UNDROP",
        "UPDATE",
    }
)
"""Words that are told of a block where they belong to no statement that was found in it."""


def of_text(sql: str, database: str | None, schema: str | None, depth: int = 0) -> Iterator[Harm]:
    """Yield what a text does."""
    if depth > _DEEPEST:
        yield Harm("run SQL that is nested too deeply to be read")
        return
    if unclear_end(sql) is not None:
        yield Harm("run SQL whose comments end where nobody sees it")
    for statement in split(sql):
        tokens = tokenize(statement.text)
        if tokens[0].word in ("BEGIN", "DECLARE") and len(tokens) > 2:
            yield from _of_block(statement.text, tokens, database, schema, depth)
            continue
        inner = _inner(statement.text, tokens)
        if inner is None:
            yield Harm("run SQL that is made while it runs")
        for text in inner or ():
            yield from of_text(text, database, schema, depth + 1)
        if not inner:
            yield from _of_statement(statement.text, tokens, database, schema, depth)


def of_routine(sql: str, database: str | None, schema: str | None) -> Iterator[Harm] | None:
    """Return what a routine does when it runs, by the statement that makes it; None: not known."""
    found = stored_bodies.of_routine(sql)
    if found is None:
        return None
    return (harm for text in found for harm in of_text(text, database, schema))


def _inner(sql: str, tokens: tuple[Token, ...]) -> tuple[str, ...] | None:
    """Return the statements that one consists of; () where it is plain, None where not known."""
    if tokens[0].word == "EXECUTE" and tokens[1].word == "IMMEDIATE":
        try:
            return hidden_sql(sql)[:1] or None
        except DynamicSqlError:
            return None
    try:
        statement = governance.parse(sql) if "->>" in sql else None
    except (SqlError, RecursionError):
        return None
    return statement.steps if isinstance(statement, ast.Chain) else ()


def _of_block(
    sql: str, tokens: tuple[Token, ...], database: str | None, schema: str | None, depth: int
) -> Iterator[Harm]:
    """Yield what the statements of a block do, and what of it belongs to none of them."""
    left = _words_in(tokens)
    for text in statements_within(sql):
        if text != sql:
            left -= _words_in(tokenize(text))
            yield from of_text(text, database, schema, depth + 1)
    if _is_made_while_it_runs(sql):
        yield Harm("run SQL that is made while it runs")
    if left:
        yield Harm(f"run a block that holds {', '.join(left)}")


def _words_in(tokens: tuple[Token, ...]) -> Counter[str]:
    """Count the words of statements among tokens; what stands behind a dot is a name."""
    pairs = zip((tokens[0], *tokens), tokens, strict=False)
    found = (token.word for before, token in pairs if before.text != ".")
    return Counter(word for word in found if word in _IN_BLOCKS)


def _is_made_while_it_runs(sql: str) -> bool:
    try:
        hidden_sql(sql)
    except DynamicSqlError:
        return True
    return False


def _of_statement(
    sql: str, tokens: tuple[Token, ...], database: str | None, schema: str | None, depth: int
) -> Iterator[Harm]:
    yield from called_code.of_run(sql, tokens, database, schema)
    yield from stage_files.of_files(sql, tokens)
    words = [token.word for token in tokens]
    changes = changes_of(sql, database, schema)
    for change in changes:
        harm = object_changes.of_change(change, tokens)
        if harm is not None:
            yield harm
    yield from object_changes.of_swap(sql, database, schema)
    for maker, body in stored_bodies.that_run_by_themselves(sql):
        for harm in of_text(body, database, schema, depth + 1):
            yield stored_bodies.later(maker, harm)
    if not changes and (text := unparsed_statements.without_names(sql, words)):
        yield Harm(f"{text} ({unparsed_statements.shorten(sql)})")
