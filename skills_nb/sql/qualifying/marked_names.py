"""Names that their surroundings give away in any statement: stages, file formats, policies, tags.

Room: sql. No parser is needed: `@` begins a stage, and what stands behind MASKING POLICY in a
CREATE TABLE is one.
Source: Snowflake manual, "Choosing an internal stage for local files" (`@[namespace.]%table`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from skills_nb.errors import SqlError, UsageError
from skills_nb.sql.governance.clauses import read_tag_values
from skills_nb.sql.identifiers import render_name, split_name
from skills_nb.sql.qualifying.findings import Findings
from skills_nb.sql.qualifying.governance_names import NotingReader, note_names
from skills_nb.sql.tokens import Token, TokenKind, literal, tokenize

_NAMING = (TokenKind.WORD, TokenKind.QUOTED)
_HERE = frozenset({"CURRENT_DATABASE", "CURRENT_SCHEMA", "CURRENT_SCHEMAS"})
"""What tells a statement where its session stands."""
_MOVING = frozenset({"COPY", "CREATE", "GET", "LIST", "LS", "PUT", "REMOVE", "RM"})
"""Statements in which a text may be a stage."""
_PATH = re.compile(
    r'@(?P<table>%?)(?P<name>(?:"[^"]+"|\w[\w$]*)(?:\.(?:"[^"]+"|\w[\w$]*))*)(?=/|$)'
)
_FORMATS = frozenset({"FORMAT_NAME", "FILE_FORMAT"})
_POLICIES = (
    "MASKING POLICY",
    "ROW ACCESS POLICY",
    "PROJECTION POLICY",
    "AGGREGATION POLICY",
    "JOIN POLICY",
)


def note_marks(found: Findings, sql: str) -> None:
    """Complete the stages and file formats of one statement."""
    tokens = tokenize(sql)
    is_moving = tokens[0].word in _MOVING
    for at, token in enumerate(tokens):
        if token.word in _HERE:
            found.is_sure = False
        elif token.text == "@" and _begins(sql, token):
            _note_stage(found, sql, tokens, at + 1)
        elif token.kind is TokenKind.STRING and _is_format(tokens, at):
            _note_text(found, token, token.value)
        elif token.kind is TokenKind.STRING and is_moving and _is_place(tokens, at):
            _note_path(found, token)


def _begins(sql: str, token: Token) -> bool:
    """Tell the `@` of a stage from one in the middle of a path."""
    before = sql[token.start - 1 : token.start]
    return not before or before.isspace() or before in "(,=>"


def _note_stage(found: Findings, sql: str, tokens: Sequence[Token], at: int) -> None:
    end = at + 1 if tokens[at].text == "%" else at
    if tokens[end].text == "~":
        return
    first = tokens[end]
    while tokens[end].kind in _NAMING and tokens[end + 1].text == ".":
        # A table's own stage may be told in full: `@DB.S.%T`.
        end += 3 if tokens[end + 2].text == "%" else 2
    try:
        name = split_name(sql[first.start : tokens[end].end].replace("%", ""))
    except UsageError:
        found.is_sure = False
        return
    found.name("STAGE", tokens[at].start, name)


def _is_format(tokens: Sequence[Token], at: int) -> bool:
    return tokens[at - 1].text in ("=", "=>") and tokens[at - 2].word in _FORMATS


def _note_text(found: Findings, token: Token, text: str) -> None:
    """Complete a name that stands in a text."""
    try:
        name = split_name(text)
    except UsageError:
        found.is_sure = False
        return
    if found.prefix("FILE FORMAT", name):
        found.put(token.start, token.end, literal(found.whole("FILE FORMAT", name)))


def _is_place(tokens: Sequence[Token], at: int) -> bool:
    """Tell the path of a stage from other texts that begin with `@`."""
    before = tokens[at - 1]
    if before.text == "=":
        return tokens[at - 2].word in ("LOCATION", "URL")
    if before.text in ("(", ","):
        return _is_imported(tokens, at)
    is_behind = before.word in (*_MOVING, "FROM", "INTO") or before.kind is TokenKind.STRING
    return is_behind and tokens[at - 2].word != "DISTINCT"


def _is_imported(tokens: Sequence[Token], at: int) -> bool:
    """Tell a path in `IMPORTS = ('@…', …)`."""
    while tokens[at].kind is TokenKind.STRING and tokens[at - 1].text == ",":
        at -= 2
    return [token.text.upper() for token in tokens[max(at - 3, 0) : at]] == ["IMPORTS", "=", "("]


def _note_path(found: Findings, token: Token) -> None:
    path = _PATH.match(token.value)
    if token.value.partition("/")[0] == "@~":
        return  # a person's own stage stands in no schema
    if path is None:
        found.is_sure = found.is_sure and not token.value.startswith("@")
        return
    prefix = found.prefix("STAGE", split_name(path["name"]))
    if prefix:
        rest = token.value[path.end() :]
        whole = f"@{render_name(prefix)}.{path['table']}{path['name']}{rest}"
        found.put(token.start, token.end, literal(whole))


def note_clauses(found: Findings, sql: str) -> None:
    """Complete the policies and tags in a CREATE TABLE or CREATE VIEW."""
    r = NotingReader(sql)
    while not r.is_done:
        try:
            if r.accept_one(_POLICIES):
                r.name()
            elif r.accept("TAG ("):
                read_tag_values(r)
            else:
                r.index += 1
        except SqlError:
            found.is_sure = False
            break
    note_names(found, r, None)
