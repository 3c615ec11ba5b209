"""Prohibited actions, wherever they hide.

Room: sql. Tokens are searched and not text, so comments, case and blanks hide nothing; literals
that run as SQL (EXECUTE IMMEDIATE, bodies of procedures, statements handed to a CALL) are searched
too. SQL whose text is made at run time is refused, since no plan shows it.
Spec: Guided mode > Guardrails.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from skills_nb.sql.classify.kind import DynamicSqlError
from skills_nb.sql.classify.procedure_handlers import methods_in, sql_in
from skills_nb.sql.classify.readability import unreadable
from skills_nb.sql.governance import SqlSyntaxError
from skills_nb.sql.statements import split
from skills_nb.sql.tokens import Token, TokenKind, tokenize

_DEEPEST = 20
_TEXTS = (TokenKind.STRING, TokenKind.DOLLAR)
_BODIES = frozenset({"ALERT", "PROCEDURE", "TASK"})
"""What runs statements of its own; functions only compute."""
_AFTER_TEXT = frozenset({"", "USING", "INTO"})
_ENDS = frozenset({"", ";", ")"})
_JOINS = "||"
_BETWEEN_DROP = frozenset({"TRANSIENT"})
_VERBS = frozenset({"ALTER", "BEGIN", "CREATE", "DROP", "EXECUTE", "GRANT"})
_AFTER_A_DATABASE: tuple[list[str], ...] = ([], [""], ["CASCADE"], ["RESTRICT"])
_A_NAME = '"'
_AFTER_PRIVILEGES = frozenset({"GRANT", "ON", "TO"})
_FOREIGN_WORD = re.compile(r"[A-Za-z_$][\w$]*|[^\s\w]")
_PART_OF_NAME = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


@dataclass(frozen=True, slots=True)
class _Hidden:
    """A literal that runs as SQL."""

    text: str
    language: str


def prohibited_action(sql: str, actions: Iterable[str]) -> str | None:
    """Return the first of the prohibited actions that the text would do, in the text's order.

    Args:
        sql: One statement or several.
        actions: Leading words of statements, like `DROP DATABASE`.

    Raises:
        DynamicSqlError: some SQL is made at run time; or runs in a language that is not SQL.
        SqlSyntaxError: the text cannot be cut into tokens.
    """
    wanted = {tuple(action.upper().split()): action for action in actions}
    return _search(sql, wanted, 0)


def hidden_sql(sql: str) -> tuple[str, ...]:
    """Return the literals of a text that run as SQL, also those inside one another.

    Raises:
        DynamicSqlError: some SQL is made at run time, or runs in a language that is not SQL.
    """
    return tuple(_nested(sql, 0))


def _nested(sql: str, depth: int) -> Iterator[str]:
    if depth > _DEEPEST:
        raise DynamicSqlError(_TOO_DEEP)
    for statement in split(sql):
        for hidden in _hidden(tokenize(statement.text)):
            for text in (hidden.text,) if hidden.language == "SQL" else _sent_by(hidden):
                yield text
                yield from _nested(text, depth + 1)


_Wanted = dict[tuple[str, ...], str]
_TOO_DEEP = f"SQL is nested deeper than {_DEEPEST} levels of EXECUTE IMMEDIATE"


def _search(sql: str, wanted: _Wanted, depth: int) -> str | None:
    if depth > _DEEPEST:
        raise DynamicSqlError(_TOO_DEEP)
    for statement in split(sql):
        if (found := _search_statement(statement.text, wanted, depth)) is not None:
            return found
    return None


def _search_statement(sql: str, wanted: _Wanted, depth: int) -> str | None:
    """Search one statement's own tokens, then what hides in its literals."""
    tokens = tokenize(sql)
    if tokens[-2].kind is TokenKind.BROKEN:
        raise SqlSyntaxError(f"parse error near {tokens[-2].text[:20]!r}: a quote is not closed.")
    if (found := _direct(tokens, wanted) or _in_function(tokens, wanted)) is not None:
        return found
    for hidden in _hidden(tokens):
        if hidden.language == "SQL":
            found = _search(hidden.text, wanted, depth + 1)
        else:
            found = _search_foreign(hidden, wanted, depth)
        if found is not None:
            return found
    return None


def _search_foreign(hidden: _Hidden, wanted: _Wanted, depth: int) -> str | None:
    """Search the code of a handler: its words as they stand, then the SQL that it sends."""
    words = [word.upper() for word in _FOREIGN_WORD.findall(hidden.text)]
    methods = [_words_of(name) for name in methods_in(hidden.language, hidden.text)]
    for each in (words, *methods):
        if (found := _phrase_in(each, wanted)) is not None:
            return found
    found_in = (_search(text, wanted, depth + 1) for text in _sent_by(hidden))
    return next((found for found in found_in if found is not None), None)


def _words_of(method: str) -> list[str]:
    """Return the words of a method's name: `drop_database` and `dropDatabase` say what they do."""
    return [word.upper() for word in _PART_OF_NAME.findall(method)]


def _sent_by(hidden: _Hidden) -> tuple[str, ...]:
    """Return the SQL that a handler sends."""
    sent = sql_in(hidden.language, hidden.text) if hidden.text else None
    if sent is None:
        raise DynamicSqlError(
            f"a procedure in {hidden.language} makes its SQL at run time",
            hint="Write it in SQL, or run its statements as steps of their own.",
        )
    return sent


def _in_function(tokens: tuple[Token, ...], wanted: _Wanted) -> str | None:
    """Search the body of a function: no statement runs there, but nobody means it well."""
    is_function = tokens[0].word == "CREATE" and "FUNCTION" in [t.word for t in tokens[:6]]
    if not is_function or _language(tokens) != "SQL":
        return None
    bodies = (token for token in tokens if token.kind is TokenKind.DOLLAR)
    found = (_direct(tokenize(body.value), wanted) for body in bodies)
    return next((action for action in found if action is not None), None)


# What stands in the open


def _direct(tokens: tuple[Token, ...], wanted: _Wanted) -> str | None:
    return _phrase_in([_keyword(tokens, index) for index in range(len(tokens))], wanted)


def _phrase_in(words: list[str], wanted: _Wanted) -> str | None:
    for index in range(len(words)):
        for phrase, action in wanted.items():
            if _says(words, index, phrase):
                return action
    return None


def _keyword(tokens: tuple[Token, ...], index: int) -> str:
    """Return a token's word; what stands behind a dot is a name, and so is what is quoted."""
    is_name = index > 0 and tokens[index - 1].text == "."
    if tokens[index].kind is TokenKind.QUOTED:
        return _A_NAME
    return "" if is_name else tokens[index].word


def _says(words: list[str], index: int, phrase: tuple[str, ...]) -> bool:
    """Tell whether a phrase, or what does the same, starts here."""
    if not phrase:
        return False
    end = index + len(phrase)
    if words[index:end] == list(phrase):
        return not _is_longer_kind(words[end - 1 : end + 2])
    verb, rest = phrase[0], list(phrase[1:])
    if words[index] == "CREATE" and verb == "DROP":
        return _replaces(words[index + 1 : index + 5 + len(rest)], rest)
    if words[index] == verb == "GRANT":
        return _grants(words, index + 1, rest)
    return words[index] == verb == "ALTER" and words[index + 1 : index + 3] == [
        "ORGANIZATION",
        *rest,
    ]


def _grants(words: list[str], start: int, privilege: list[str]) -> bool:
    """Tell whether a privilege is among those of one GRANT, however many it lists."""
    end = next((at for at in range(start, len(words)) if words[at] in _AFTER_PRIVILEGES), start)
    listed = set(words[start:end]) if words[end : end + 1] == ["ON"] else set()
    return bool(privilege) and listed.issuperset(privilege)


def _replaces(words: list[str], kind: list[str]) -> bool:
    """Tell whether CREATE OR REPLACE drops what stood there before."""
    if words[:2] != ["OR", "REPLACE"]:
        return False
    start = 3 if words[2:3] and words[2] in _BETWEEN_DROP else 2
    end = start + len(kind)
    is_kind = bool(kind) and words[start:end] == kind
    return is_kind and not _is_longer_kind(words[end - 1 : end + 2])


def _is_longer_kind(words: list[str]) -> bool:
    """Tell a DATABASE ROLE from a database, even from one that is called ROLE."""
    return words[:2] == ["DATABASE", "ROLE"] and words[2:] not in _AFTER_A_DATABASE


# What hides in literals


def _hidden(tokens: tuple[Token, ...]) -> Iterator[_Hidden]:
    for index, token in enumerate(tokens):
        if token.word == "EXECUTE" and tokens[index + 1].word == "IMMEDIATE":
            yield _immediate(tokens, index + 2)
        elif token.word == "AS" and tokens[index + 1].kind in _TEXTS and _has_body(tokens, index):
            yield _Hidden(tokens[index + 1].value, _language(tokens))
        elif token.word == "LANGUAGE" and _is_bodiless(tokens, index):
            yield _Hidden("", tokens[index + 1].word)
        elif token.word == "CALL" or _runs_notebook(tokens, index):
            yield from _handed_over(tokens, index + 1)


def _immediate(tokens: tuple[Token, ...], index: int) -> _Hidden:
    """Return the literal of EXECUTE IMMEDIATE; anything but a lone literal is made at run time."""
    token, following = tokens[index], tokens[min(index + 1, len(tokens) - 1)]
    is_alone = following.word in _AFTER_TEXT and (following.word or following.text in _ENDS)
    if token.kind in _TEXTS and is_alone:
        return _Hidden(token.value, "SQL")
    raise DynamicSqlError(
        f"EXECUTE IMMEDIATE runs {token.text[:40]!r}, whose text the plan does not show",
        hint="Write the statement itself.",
    )


def _is_bodiless(tokens: tuple[Token, ...], index: int) -> bool:
    """Tell a procedure whose code lies in a file, where no plan shows it."""
    is_procedure = "PROCEDURE" in [token.word for token in tokens[:6]]
    if not is_procedure or tokens[index + 1].word in ("", "SQL"):
        return False
    return not any(
        token.word == "AS" and tokens[at + 1].kind in _TEXTS for at, token in enumerate(tokens)
    )


def _runs_notebook(tokens: tuple[Token, ...], index: int) -> bool:
    return tokens[index].word == "EXECUTE" and tokens[index + 1].word in ("NOTEBOOK", "TASK")


def _handed_over(tokens: tuple[Token, ...], index: int) -> Iterator[_Hidden]:
    """Yield the arguments of a CALL that are statements: a procedure may run them.

    Texts that are put together (`'DROP ' || 'SCHEMA s'`) are one argument.
    """
    for text in _texts(tokens[index:]):
        if _is_statement(text):
            yield _Hidden(text, "SQL")


def _texts(tokens: Sequence[Token]) -> list[str]:
    """Return the texts of one statement, each with what is joined to it; a value is a name."""
    found: list[str] = []
    for at, token in enumerate(tokens):
        if token.text == ";":
            break
        if token.text == _JOINS and found and tokens[at + 1].kind not in _TEXTS:
            found.append(found.pop() + "x")
        if token.kind not in _TEXTS:
            continue
        is_joined = bool(found) and tokens[at - 1].text == _JOINS
        found.append(found.pop() + token.value if is_joined else token.value)
    return found


def _is_statement(text: str) -> bool:
    """Tell a statement from words that only begin like one."""
    return tokenize(text)[0].word in _VERBS and unreadable(text) is None


def _has_body(tokens: tuple[Token, ...], index: int) -> bool:
    """Tell whether a literal behind AS is the body of something that runs statements."""
    return any(token.word in _BODIES for token in tokens[:index])


def _language(tokens: tuple[Token, ...]) -> str:
    for index, token in enumerate(tokens):
        if token.word == "LANGUAGE":
            return tokens[index + 1].word or "SQL"
    return "SQL"
