"""What runs code that a statement does not show: calls, tasks, functions of the system's.

Room: sql.
"""

from __future__ import annotations

from collections.abc import Iterator

from skills_nb.errors import SqlError
from skills_nb.sql import governance
from skills_nb.sql.classify.read_only_queries import READING_SYSTEM, acts
from skills_nb.sql.governance import ast
from skills_nb.sql.harm.harm_value import Harm
from skills_nb.sql.objects.object_refs import Place
from skills_nb.sql.tokens import Token, TokenKind

_HARMLESS_CALLS = frozenset({"SYSTEM$CLASSIFY"})
_WAITING = frozenset({"SYSTEM$WAIT", "SYSTEM$WAIT_FOR_SERVICES"})
"""What only takes time; a rehearsal does not ask it, since it may take minutes."""
_QUERYING = frozenset({"SELECT", "WITH", "VALUES", "INSERT", "CREATE", "UPDATE", "DELETE", "MERGE"})


def of_run(
    sql: str, tokens: tuple[Token, ...], database: str | None, schema: str | None
) -> Iterator[Harm]:
    """Yield what runs code that the statement does not show."""
    words = [token.word for token in tokens]
    place = Place(database, schema)
    if words[0] == "CALL":
        yield from _of_call(sql, tokens, place)
    elif words[0] == "WITH" and words[2:4] == ["AS", "PROCEDURE"]:
        yield Harm("call a procedure, whose code is not shown")
    elif words[0] == "EXECUTE" and words[1] != "IMMEDIATE":
        yield _of_execute(sql, tokens, place)
    else:
        yield from _of_functions(sql, tokens)


def _of_call(sql: str, tokens: tuple[Token, ...], place: Place) -> Iterator[Harm]:
    written = _name_behind(tokens[1:])
    if written in _HARMLESS_CALLS:
        return
    full, count = written, None
    call = _parsed(sql)
    if isinstance(call, ast.Call) and call.method is None:
        full, count = place.ref("PROCEDURE", call.name).fqn, len(call.arguments)
    words = f"call {written or 'a procedure'}, whose code is not shown"
    yield Harm(words, called=full, arguments=count)


def _of_execute(sql: str, tokens: tuple[Token, ...], place: Place) -> Harm:
    statement = _parsed(sql)
    kind, full = tokens[1].word, ""
    if isinstance(statement, ast.ExecuteTask | ast.ExecuteAlert):
        full = place.ref(kind, statement.name).fqn
    named = _name_behind(tokens[2:])
    return Harm(f"run {kind.lower()} {named}, whose code is not shown", called=full)


def _name_behind(tokens: tuple[Token, ...]) -> str:
    """Return the name that tokens begin with, as it is written."""
    name, is_open = "", True
    for token in tokens:
        is_part = token.kind in (TokenKind.WORD, TokenKind.QUOTED)
        if token.text not in (".", "!") and not (is_part and is_open):
            break
        name += token.word or token.text
        is_open = not is_part
    return name


def _of_functions(sql: str, tokens: tuple[Token, ...]) -> Iterator[Harm]:
    """Yield functions of the system's that act, and what FROM may call."""
    words = [token.word for token in tokens]
    acting = [
        word
        for word, then in zip(words, tokens[1:], strict=False)
        if word.startswith("SYSTEM$") and then.text == "(" and word not in READING_SYSTEM | _WAITING
    ]
    if acting:
        yield Harm(f"call {acting[0]}, which may do more than read")
    elif words[0] in _QUERYING and ({"TABLE", "LATERAL", "INTO"} & set(words)) and acts(sql):
        yield Harm("call a function in FROM that may be a procedure")


def _parsed(sql: str) -> ast.GovernanceStatement | None:
    try:
        return governance.parse(sql)
    except (SqlError, RecursionError):
        return None
