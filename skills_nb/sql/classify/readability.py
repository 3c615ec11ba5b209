"""Whether it can be told what a text does: the shape of every statement, not its meaning.

Room: sql. Stricter than the account where a text tries to look like something else (look-alike
letters, templates, client variables), and more generous where an object is newer than our parser:
verb and kind of object are enough to judge it by.
Source: Snowflake manual, "SQL command reference", "Identifier requirements".
"""

from __future__ import annotations

import re
from functools import lru_cache

from skills_nb.sql.governance.object_kinds import PLURALS, SINGULARS
from skills_nb.sql.statements import Statement, split
from skills_nb.sql.syntax import trouble_of
from skills_nb.sql.tokens import Token, TokenKind, scan, tokenize
from skills_nb.sql.unseen_text import unseen_in_code

_HEADS_TEXT = (
    "ALTER ATTACH BEGIN CALL COMMENT COMMIT COPY CREATE DECLARE DELETE DESC DESCRIBE DETACH DROP "
    "EXECUTE EXPLAIN GET GRANT INSERT LIST LS MERGE PUT REMOVE REVOKE RM ROLLBACK SELECT SET SHOW "
    "START TRUNCATE UNDROP UNSET UPDATE USE VALUES WITH"
)
_HEADS = frozenset(_HEADS_TEXT.split())
_OTHER_HEADS = frozenset({"ABORT", "FROM", "LET", "LOCK", "RENAME", "REPLACE", "RETURN", "UNLOAD"})
"""Rarer than the others, or of scripts: not known to be wrong."""
_BY_KIND = frozenset({"ALTER", "CREATE", "DROP", "UNDROP"})
_LOOKING_BY_KIND = frozenset({"DESC", "DESCRIBE", "SHOW"})
_BEFORE_KIND_TEXT = (
    "OR REPLACE ALTER SECURE TEMPORARY TEMP LOCAL GLOBAL VOLATILE TRANSIENT AGGREGATE VERSIONED "
    "RECURSIVE ORGANIZATION MANAGED"
)
_BEFORE_KIND = frozenset(_BEFORE_KIND_TEXT.split())
_NEWER_TEXT = (
    "AGENT|APPLICATION|APPLICATION PACKAGE|APPLICATION ROLE|BACKUP SET|CATALOG INTEGRATION|"
    "COMPUTE POOL|CONNECTION|CONTACT|CORTEX SEARCH SERVICE|DATASET|DBT PROJECT|"
    "DYNAMIC ICEBERG TABLE|EXTERNAL AGENT|EXTERNAL LISTING|EXTERNAL VOLUME|FAILOVER GROUP|"
    "FEATURE POLICY|GATEWAY|"
    "GIT REPOSITORY|IMAGE REPOSITORY|INTERACTIVE TABLE|INTERACTIVE WAREHOUSE|LISTING|MCP SERVER|"
    "MODEL|MODEL MONITOR|NOTEBOOK|NOTEBOOK PROJECT|ONLINE FEATURE TABLE|OPENFLOW CONNECTOR|"
    "OPENFLOW DEPLOYMENT|OPENFLOW RUNTIME|POSTGRES INSTANCE|REPLICATION GROUP|SEMANTIC VIEW|"
    "SERVICE|SNAPSHOT|SNAPSHOT POLICY|SNAPSHOT SET|STREAMLIT|TYPE|WORKSPACE"
)
_NEWER = frozenset(tuple(kind.split()) for kind in _NEWER_TEXT.split("|"))
"""Kinds whose statements have forms that our parser does not know."""
_LONGEST_KIND = 4
_PAIRS = {")": "(", "]": "[", "}": "{"}
_TEMPLATES = frozenset({"{{", "{%", "{#"})
_CONTROL = frozenset(map(chr, (*range(32), 127))) - frozenset("\t\n\r\f")
_LINE_ENDS = re.compile("[\0\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_ALONE = re.compile(r"\r(?!\n)")
_TEXTS = (TokenKind.COMMENT, TokenKind.STRING, TokenKind.DOLLAR)
"""What has no name of an object in it: that may be called by whatever its maker typed."""
_MEANT = (TokenKind.SYMBOL, TokenKind.WORD, TokenKind.NUMBER, TokenKind.VARIABLE)


@lru_cache(maxsize=1024)
def unreadable(sql: str) -> str | None:
    """Return why it cannot be told what a text does, or None where it can."""
    trouble = _trouble_of_tokens(sql)
    if trouble is not None:
        return trouble
    found = (_trouble_of_statement(statement) for statement in split(sql))
    return next((text for text in found if text is not None), None)


def _trouble_of_tokens(sql: str) -> str | None:
    """Look for what no Snowflake statement has outside of its literals and comments."""
    before = ""
    for token in scan(sql):
        if token.kind is TokenKind.BROKEN:
            return f"a quote or comment is not closed: {token.text[:20]!r}"
        if token.kind in _MEANT and not token.text.isascii():
            return f"{token.text[:20]!r} is no SQL: names outside of quotes are plain letters"
        if token.kind in (TokenKind.SYMBOL, TokenKind.SPACE) and _CONTROL & set(token.text):
            return f"a control character stands in it: {token.text!r}"
        if before + token.text[:1] in _TEMPLATES:
            return "a plan is plain SQL, not a template"
        if token.text == "&":
            return "a client's variable (&) is filled in where nobody sees it"
        before = token.text if token.kind is TokenKind.SYMBOL else ""
    return unclear_end(sql) or _trouble_of_brackets(tokenize(sql))


def hidden_in_texts(sql: str) -> str | None:
    """Return what nobody would see in the comments and literals of a person's SQL, or None.

    Not of SQL that is made: a probe holds the name of an object as a literal.
    """
    texts = (token.text for token in scan(sql) if token.kind in _TEXTS)
    found = (unseen_in_code(text) for text in texts)
    return next((unseen.message for unseen in found if unseen is not None), None)


def no_statement(sql: str) -> str | None:
    """Return why a text is no statement at all, by its first word and its brackets, or None.

    For what our parsers let through because they do not know it.
    """
    tokens = tokenize(sql)
    head = tokens[0]
    if head.word and head.word not in _HEADS | _OTHER_HEADS:
        return f"no statement begins with '{head.text[:20]}'"
    return _trouble_of_brackets(tokens)


def is_of_newer_kind(sql: str) -> bool:
    """Tell a statement about a kind of object that our parsers do not know, or not in full."""
    tokens = tokenize(sql)
    if tokens[0].word not in _BY_KIND:
        return False
    is_managed = [token.word for token in tokens[1:3]] == ["MANAGED", "ACCOUNT"]
    kind = _kind(tokens)
    return is_managed or not kind or kind in _NEWER


def unclear_end(sql: str) -> str | None:
    """Return why it cannot be told where a comment of one line ends, or None where it can.

    What one reader takes for the rest of a comment, another may take for the next line.
    """
    is_in_line = False
    for token in scan(sql):
        is_comment = token.kind is TokenKind.COMMENT and not token.text.startswith("/*")
        if (is_comment and _LINE_ENDS.search(token.text)) or (
            is_in_line and _ALONE.match(token.text)
        ):
            return "a comment ends in a character that only some take for the end of a line"
        is_in_line = is_comment
    return None


def _trouble_of_brackets(tokens: tuple[Token, ...]) -> str | None:
    open_ones: list[str] = []
    for token in tokens:
        if token.kind is not TokenKind.SYMBOL:
            continue
        if token.text in _PAIRS.values():
            open_ones.append(token.text)
        elif token.text in _PAIRS and (not open_ones or open_ones.pop() != _PAIRS[token.text]):
            return f"a '{token.text}' closes nothing"
    return f"a '{open_ones[-1]}' is not closed" if open_ones else None


def _trouble_of_statement(statement: Statement) -> str | None:
    tokens = tokenize(statement.text)
    head = tokens[0].word
    if tokens[0].text == "(":
        return trouble_of(statement.text)
    if head not in _HEADS:
        return f"no statement begins with {tokens[0].text[:20]!r}"
    if _is_block(tokens) or _defines_a_procedure(tokens) or _moves_files(tokens):
        return None
    kind = _kind(tokens) if head in _BY_KIND | _LOOKING_BY_KIND else ()
    if head in _BY_KIND and not kind:
        return f"what kind of object '{head}' is about is not known"
    return None if kind in _NEWER else trouble_of(statement.text)


def _is_block(tokens: tuple[Token, ...]) -> bool:
    """Tell a scripting block from a statement; its own statements are searched, not parsed."""
    return tokens[0].word == "DECLARE" or (tokens[0].word == "BEGIN" and tokens[-2].word == "END")


def _defines_a_procedure(tokens: tuple[Token, ...]) -> bool:
    """Tell `WITH p AS PROCEDURE … CALL p()`, which only looks like a query."""
    words = [token.word for token in tokens]
    return words[0] == "WITH" and words[2:4] == ["AS", "PROCEDURE"]


def _moves_files(tokens: tuple[Token, ...]) -> bool:
    """Tell `COPY FILES INTO @stage FROM …`, which our parsers do not know."""
    return [token.word for token in tokens[:3]] == ["COPY", "FILES", "INTO"]


def _kind(tokens: tuple[Token, ...]) -> tuple[str, ...]:
    """Return the words of the kind of object that a statement is about; () for none."""
    words = [token.word for token in tokens[1:12]]
    while words and words[0] in _BEFORE_KIND:
        words.pop(0)
    if words[:2] == ["SNOWFLAKE", ""] or words[:1] == ["SESSION"]:
        # An instance of a class is created by the class's name.
        return (words[0],)
    for length in range(_LONGEST_KIND, 0, -1):
        kind = SINGULARS.get(" ".join(words[:length]), " ".join(words[:length]))
        if tuple(kind.split()) in _NEWER or kind in PLURALS:
            return tuple(kind.split())
    return ()
