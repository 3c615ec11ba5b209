"""A text, statement by statement: names in full, and where the session stands behind each.

Room: sql. What USE, CREATE DATABASE and CREATE SCHEMA do to the session counts for what follows.
Bodies of views, dynamic tables, tasks and alerts, policies and procedures with their owner's rights
are looked up in the schema of their object; a procedure with its caller's rights is left as it is,
because it is meant to work where its caller stands.
Source: Snowflake manual, "Object name resolution", "USE SCHEMA", "CREATE DATABASE".
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from skills_nb.errors import SqlError
from skills_nb.sql.classify import Kind, kind_of
from skills_nb.sql.constant_rows import put_back, set_aside
from skills_nb.sql.governance import ast, parse
from skills_nb.sql.governance.outline import outlines_of, read_creation
from skills_nb.sql.governance.parse import parse_with
from skills_nb.sql.identifiers import render_name
from skills_nb.sql.objects.object_refs import Place
from skills_nb.sql.qualifying.findings import (
    Findings,
    Patch,
    QualifiedText,
    StatementInFull,
    apply_patches,
    moved_to,
)
from skills_nb.sql.qualifying.governance_names import NotingReader, note_names
from skills_nb.sql.qualifying.marked_names import note_clauses, note_marks
from skills_nb.sql.qualifying.object_bodies import Body, bodies_of
from skills_nb.sql.qualifying.query_names import note_query
from skills_nb.sql.statements import split
from skills_nb.sql.tokens import Token, TokenKind, literal, tokenize

_DEEPEST = 5
_STARTS = frozenset({"BEGIN", "THEN", "ELSE", "DO", "LOOP", "REPEAT", ";", "AS"})
_INSIDE_TEXT = (
    "ALTER CALL COMMENT COPY CREATE DELETE DESC DESCRIBE DROP EXECUTE GRANT INSERT MERGE REVOKE "
    "SELECT SHOW TRUNCATE UNDROP UPDATE WITH"
)
_INSIDE = frozenset(_INSIDE_TEXT.split())


# A plan is filled in anew whenever it is looked at, and its statements stay the same.
@lru_cache(maxsize=512)
def qualify(sql: str, database: str | None, schema: str | None) -> QualifiedText:
    """Return a text with its names in full, as `qualifying.qualify` says."""
    place = Place(database, schema)
    patches: list[Patch] = []
    lacking: list[str] = []
    pinned: Place | None = None
    for statement in split(sql):
        found = findings(statement.text, place)
        lacking += found.lacking
        is_pinned = found.is_sure or pinned == place or kind_of(statement.text) is Kind.READ
        if not is_pinned and (pin := _pin(place)):
            patches.append(Patch(statement.offset, statement.offset, f"{pin};\n"))
        patches += (
            Patch(patch.start + statement.offset, patch.end + statement.offset, patch.text)
            for patch in found.patches.values()
        )
        following = place_behind(statement.text, place)
        is_used = following != place or _is_use(statement.text)
        pinned = following if is_used else pinned if found.is_sure else None
        place = following
    return QualifiedText(apply_patches(sql, patches), tuple(lacking), place.database, place.schema)


def in_full(sql: str, place: Place, *, stands: bool) -> tuple[StatementInFull, ...]:
    """Return the statements of a text with their names in full, as `qualifying.in_full` says."""
    found: list[StatementInFull] = []
    for statement in split(sql):
        one = _one_in_full(statement.text, place)
        is_used = one.behind != place or _is_use(statement.text)
        is_moved = bool(one.pin) and not is_used
        pin = "" if stands else one.pin
        stands = is_used or ((stands or bool(pin)) and not is_moved)
        found.append(replace(one, pin=pin, stands=stands))
        place = one.behind
    return tuple(found)


@lru_cache(maxsize=4096)
def _one_in_full(sql: str, place: Place) -> StatementInFull:
    shape, rows = set_aside(sql)
    found = findings(shape, place)
    reads = kind_of(sql) is Kind.READ
    return StatementInFull(
        written=sql,
        sql=put_back(apply_patches(shape, found.patches.values()), rows),
        pin="" if found.is_sure or reads else _pin(place),
        lacking=tuple(found.lacking),
        place=place,
        behind=place_behind(shape, place),
        reads=reads,
        stands=False,
    )


def _pin(place: Place) -> str:
    """Return what puts a session where names mean what they mean now."""
    if place.database is None:
        return ""
    if place.schema is None:
        return f"USE DATABASE {render_name((place.database,))}"
    return f"USE SCHEMA {render_name((place.database, place.schema))}"


def _read(sql: str) -> ast.GovernanceStatement | None:
    try:
        return parse(sql)
    except (SqlError, RecursionError):
        return None


def _is_use(sql: str) -> bool:
    statement = _read(sql)
    return isinstance(statement, ast.Use) and statement.kind in ("DATABASE", "SCHEMA")


def place_behind(sql: str, place: Place) -> Place:
    """Return where a session stands behind one statement."""
    match _read(sql):
        case ast.Use(kind="DATABASE", name=name) | ast.CreateDatabase(name=name):
            return Place(name[-1], "PUBLIC")
        case ast.Use(kind="SCHEMA", name=name) | ast.CreateSchema(name=name):
            return moved_to(place, name)
        case ast.Drop(kind="DATABASE", name=name) if name[-1] == place.database:
            return Place(None, None)
        case ast.Drop(kind="SCHEMA", name=name) if moved_to(place, name) == place:
            return Place(place.database, None)
        case _:
            return place


# ---- one statement


def findings(sql: str, place: Place, depth: int = 0) -> Findings:
    """Return what is found in one statement."""
    found = Findings(place)
    tokens = tokenize(sql)
    if depth > _DEEPEST or any(token.kind is TokenKind.BROKEN for token in tokens):
        found.is_sure = False
    elif _is_block(tokens):
        found.is_sure = False
        _note_inside(found, sql, tokens, depth)
    else:
        _note_statement(found, sql, depth)
    return found


def _is_block(tokens: tuple[Token, ...]) -> bool:
    """Tell a block from `BEGIN TRANSACTION`."""
    ends = len(tokens) > 2 and tokens[-2].word == "END"
    return tokens[0].word == "DECLARE" or (tokens[0].word == "BEGIN" and ends)


def _note_inside(found: Findings, sql: str, tokens: tuple[Token, ...], depth: int) -> None:
    """Read the statements of a block; what it makes of its variables is not known."""
    start: Token | None = None
    for index, token in enumerate(tokens):
        previous = (tokens[index - 1].word or tokens[index - 1].text) if index else ";"
        if start is None and previous in _STARTS and token.word in _INSIDE:
            start = token
        elif start is not None and token.text in (";", ""):
            text = sql[start.start : tokens[index - 1].end]
            found.take(findings(text, found.place, depth + 1), start.start)
            start = None
    found.is_sure = False


def _note_statement(found: Findings, sql: str, depth: int) -> None:
    r = NotingReader(sql)
    try:
        statement = parse_with(r)
    except SqlError:
        found.is_sure = False
        return
    if isinstance(statement, ast.Chain):
        _note_chain(found, sql, statement, depth)
        return
    if statement is None:
        _note_general(found, sql)
    else:
        note_names(found, r, statement)
        _note_body(found, sql, statement, depth)
    if isinstance(statement, ast.Call) and statement.name[0].startswith("SYSTEM$"):
        # Snowflake's own procedures stand in no schema.
        found.patches.clear()
        found.lacking.clear()
    note_marks(found, sql)


def _note_chain(found: Findings, sql: str, chain: ast.Chain, depth: int) -> None:
    at = 0
    for step in chain.steps:
        at = sql.index(step, at)
        found.take(findings(step, found.place, depth + 1), at)
        at += len(step)


def _note_general(found: Findings, sql: str) -> None:
    """Read what the governance parser leaves to others."""
    head = tokenize(sql)[0].word
    if head in ("BEGIN", "COMMIT", "LIST", "LS", "PUT", "GET", "REMOVE", "RM", "ROLLBACK", "START"):
        return
    note_query(found, sql)
    if not (found.is_sure or found.patches):
        _note_target(found, sql)
    if head == "CREATE":
        note_clauses(found, sql)
        if not found.is_sure and not found.patches:
            _note_head(found, sql)


def _note_target(found: Findings, sql: str) -> None:
    """Tell at least where what is written lacks its beginning and nothing completes it."""
    try:
        outlines = outlines_of(sql)
    except SqlError:
        return
    for outline in outlines:
        found.prefix(outline.kind, outline.name)


def _note_head(found: Findings, sql: str) -> None:
    """Complete at least the name of what is made."""
    r = NotingReader(sql)
    try:
        read_creation(r)
    except SqlError:
        return
    note_names(found, r, None)


# ---- bodies


def _note_body(found: Findings, sql: str, statement: ast.GovernanceStatement, depth: int) -> None:
    match statement:
        case ast.ExecuteImmediate(text=str(text)):
            _note_immediate(found, sql, text, depth)
        case ast.ExecuteImmediate() | ast.Call():
            # What a procedure with its caller's rights does depends on where its caller stands.
            found.is_sure = False
        case ast.CreateSemanticView() | ast.CreateInstance():
            found.is_sure = False
        case ast.SetVariables(expressions=expressions):
            is_plain = not any(token.word == "SELECT" for e in expressions for token in tokenize(e))
            found.is_sure = found.is_sure and is_plain
        case _:
            for body in bodies_of(sql, statement):
                _note_one(found, body, depth)


def _note_one(found: Findings, body: Body, depth: int) -> None:
    """Complete the names in a body, in the schema of its object."""
    home = (*found.prefix(body.kind, body.name), *body.name)[:-1]
    inner = findings(body.lead + body.text, found.at(home).place, depth + 1)
    # A body means the same from wherever its object is made.
    inner.is_sure = True
    inner.lacking.clear()
    if body.quotes is None:
        found.take(inner, body.start - len(body.lead))
        return
    whole = apply_patches(body.lead + body.text, inner.patches.values())[len(body.lead) :]
    if whole != body.text:
        is_plain = body.quotes == "$$" and "$$" not in whole
        found.put(body.start, body.end, f"$${whole}$$" if is_plain else literal(whole))


def _note_immediate(found: Findings, sql: str, text: str, depth: int) -> None:
    """Complete the names in the text that EXECUTE IMMEDIATE runs."""
    token = next(t for t in tokenize(sql) if t.kind in (TokenKind.STRING, TokenKind.DOLLAR))
    inner = Findings(found.place)
    patches: list[Patch] = []
    for one in split(text):
        read = findings(one.text, found.place, depth + 1)
        patches += (
            Patch(p.start + one.offset, p.end + one.offset, p.text) for p in read.patches.values()
        )
        inner.lacking += read.lacking
        inner.is_sure = inner.is_sure and read.is_sure
        inner.is_sure = inner.is_sure and place_behind(one.text, found.place) == found.place
    whole = apply_patches(text, patches)
    if patches:
        is_plain = token.kind is TokenKind.DOLLAR and "$$" not in whole
        found.put(token.start, token.end, f"$${whole}$$" if is_plain else literal(whole))
    found.lacking += inner.lacking
    found.is_sure = found.is_sure and inner.is_sure
