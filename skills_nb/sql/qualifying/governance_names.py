"""Names in governance and administration statements: where their own parser reads them.

Room: sql. The parser says where a name stands; what stands before it says of what kind it is. A
name whose kind cannot be told makes the statement one that is not sure.
"""

from __future__ import annotations

from skills_nb.sql.governance import ast
from skills_nb.sql.governance.ast import Name
from skills_nb.sql.governance.object_kinds import PLURALS, SINGULARS
from skills_nb.sql.governance.reader import Reader
from skills_nb.sql.qualifying.findings import Findings
from skills_nb.sql.tokens import Token

_LONGEST_KIND = 4
_PLAIN = frozenset({"IF", "NOT", "EXISTS"})
_SUBJECT = "the kind of the statement's own object"
_LAST = "the kind of the name before"
_UNTOLD = "unknown"
_AFTER = {
    "AFTER": "TASK",
    "CALL": "PROCEDURE",
    "DESC": "TABLE",
    "DESCRIBE": "TABLE",
    "FROM": "ROLE",
    "TO": "ROLE",
    "CLONE": _SUBJECT,
    "USE": "DATABASE",
    ",": _LAST,
}
"""What is named behind a word that is no kind itself."""
_OF_PROPERTY = {
    "ALLOWED_AUTHENTICATION_SECRETS": "SECRET",
    "ALLOWED_NETWORK_RULE_LIST": "NETWORK RULE",
    "ALLOWED_NETWORK_RULES": "NETWORK RULE",
    "BLOCKED_NETWORK_RULE_LIST": "NETWORK RULE",
    "FILE_FORMAT": "FILE FORMAT",
    "FORMAT_NAME": "FILE FORMAT",
    "NETWORK_RULES": "NETWORK RULE",
    "SECRETS": "SECRET",
    "ALLOWED_API_AUTHENTICATION_INTEGRATIONS": "INTEGRATION",
}
"""Properties whose values are names of objects in a schema; the others name none."""


class NotingReader(Reader):
    """A reader that notes every name it reads, by its first token."""

    def __init__(self, sql: str) -> None:
        """Take one statement."""
        super().__init__(sql)
        self.named: dict[int, Name] = {}

    def name(self, parts: int = 3, *, any_word: bool = False) -> Name:
        """Read a name and note it."""
        first = self.index
        found = super().name(parts, any_word=any_word)
        self.named[first] = found
        return found


def note_names(found: Findings, r: NotingReader, statement: ast.GovernanceStatement | None) -> None:
    """Complete the names that were read of a statement."""
    last = ""
    for at, name in sorted(r.named.items()):
        kind = _kind_before(r.tokens, at)
        kind = _subject(statement) if kind is _SUBJECT else last if kind is _LAST else kind
        if kind == _UNTOLD:
            found.is_sure = False
        elif kind:
            _complete(found, r, at, kind, name)
        last = kind


def _complete(found: Findings, r: NotingReader, at: int, kind: str, name: Name) -> None:
    token = r.tokens[at]
    if token.word == "IDENTIFIER" and r.tokens[at + 1].text == "(":
        text = r.tokens[at + 2]
        whole = found.whole(kind, name)
        found.put(text.start, text.end, "'" + whole.replace("'", "''") + "'")
    else:
        found.name(kind, token.start, name)


def _kind_before(tokens: tuple[Token, ...], at: int) -> str:
    """Return of what kind a name is; '' for none that a schema or database holds."""
    end = at
    while end and tokens[end - 1].word in _PLAIN:
        end -= 1
    if end and tokens[end - 1].text == "=":
        return _of_property(tokens[end - 2].word)
    if end and tokens[end - 1].text == "(":
        return _in_brackets(tokens, end - 1)
    words = [token.word for token in tokens[max(end - _LONGEST_KIND, 0) : end]]
    for length in range(len(words), 0, -1):
        phrase = " ".join(words[-length:])
        if phrase in PLURALS or phrase in SINGULARS:
            return SINGULARS.get(phrase, phrase)
    before = tokens[end - 1].text.upper() if end else ""
    if words[-2:] in (["RENAME", "TO"], ["SWAP", "WITH"]):
        return _SUBJECT
    return _AFTER.get(before, _UNTOLD)


def _of_property(key: str) -> str:
    return _OF_PROPERTY.get(key, key.replace("_", " ") if key.endswith("POLICY") else "")


def _in_brackets(tokens: tuple[Token, ...], bracket: int) -> str:
    """Return what is listed in `TAG (…)` or `SECRETS = (…)`."""
    word = tokens[bracket - 1].word
    if tokens[bracket - 1].text == "=":
        return _of_property(tokens[bracket - 2].word)
    return "TAG" if word == "TAG" else _UNTOLD


def _subject(statement: ast.GovernanceStatement | None) -> str:
    match statement:
        case ast.CreateClone(object_kind=kind) | ast.Alter(kind=kind):
            return kind
        case ast.Create():
            return statement.kind
        case _:
            return _UNTOLD
