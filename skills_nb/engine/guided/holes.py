"""The names in an example become typed inputs of a plan.

Room: laws. A name that stands where SQL names an object is a hole: the same name is the same hole
everywhere. What an example creates keeps its last part as the default; what must be there already
is inferred or asked for. A name that also stands inside a text cannot be filled in and stays.
Spec: Principles > Lazy context; FORMATS, Front matter (inputs).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from skills_nb.model.skills import InputSpec, InputType
from skills_nb.sql.governance.kinds import PLURALS, SINGULARS, WITH_ARGUMENTS
from skills_nb.sql.identifiers import split_name
from skills_nb.sql.tokens import Token, TokenKind, tokenize

_PLAIN_WORDS = frozenset({"IF", "NOT", "EXISTS"})
_SOURCES = frozenset({"FROM", "JOIN", "INTO", "UPDATE", "USING", "CLONE", "LIKE"})
_PARTS = {"ROLE": 1, "WAREHOUSE": 1, "DATABASE": 1, "USER": 1, "SCHEMA": 2}
_TYPES: Mapping[str, InputType] = {
    "COLUMN": "column_list",
    "DATABASE": "database",
    "ROLE": "role",
    "SCHEMA": "schema",
    "WAREHOUSE": "warehouse",
}
_INFERRED = {
    "database": ("session.database",),
    "schema": ("session.schema",),
    "warehouse": ("session.warehouse",),
}
_NEVER = frozenset({"SNOWFLAKE", "INFORMATION_SCHEMA"})
_LONGEST_KIND = 4
_PATH = re.compile(r"'(@)(\w+(?:\.\w+)+)(/[\w./-]*)?'")
"""A text that is the path of a stage: it can be put together anew from a name."""
_NAMING = (TokenKind.WORD, TokenKind.QUOTED)


@dataclass(frozen=True, slots=True)
class _Named:
    """A name where a statement names an object."""

    text: str
    kind: str
    start: int
    end: int


def with_holes(
    sqls: Sequence[str], scope: str | None = ""
) -> tuple[tuple[str, ...], tuple[InputSpec, ...]]:
    """Return the statements as templates, and the inputs that fill them, in order.

    Args:
        sqls: the statements of an example, in order.
        scope: the schema that what is created goes to; empty: the session's; None: nobody said.
    """
    created = _created(sqls)
    specs: dict[str, InputSpec] = {}
    for named in (named for sql in sqls for named in _names(sql)):
        key = named.text.upper()
        if key not in specs and not _stands_elsewhere(key, sqls):
            specs[key] = _spec(named, key in created, specs.values(), scope)
    return tuple(_filled(sql, specs) for sql in sqls), _with_intent(specs)


def _stands_elsewhere(key: str, sqls: Iterable[str]) -> bool:
    """Tell whether a name also stands where it cannot be filled in, so that it must stay."""
    for sql in sqls:
        tokens = tokenize(sql)
        places = {named.start for named in _names(sql)}
        for at, token in enumerate(tokens):
            if _is_text(token) and _holds(token, key):
                return True
            is_part = token.text.upper() == key and not _is_dotted(tokens, at)
            if is_part and token.start not in places:
                return True
    return False


def _holds(text: Token, key: str) -> bool:
    """Tell whether a text names an object in a way that cannot be filled in."""
    path = _PATH.fullmatch(text.text)
    is_path = path is not None and path[2].upper() == key
    return (
        not is_path
        and re.search(rf"(?<![\w.]){re.escape(key)}(?![\w.])", text.text.upper()) is not None
    )


def _is_dotted(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether a word is a part of a longer name."""
    return tokens[at + 1].text == "." or (at > 0 and tokens[at - 1].text == ".")


def _is_text(token: Token) -> bool:
    return token.kind in (TokenKind.STRING, TokenKind.DOLLAR)


def _created(sqls: Iterable[str]) -> frozenset[str]:
    """Return the names, as written, of what the statements make."""
    making = (sql for sql in sqls if tokenize(sql)[0].word == "CREATE")
    return frozenset(named.text.upper() for sql in making for named in _names(sql)[:1])


def _names(sql: str) -> list[_Named]:
    tokens = tokenize(sql)
    found: list[_Named] = []
    index = 0
    while index < len(tokens) - 1:
        kind, after = _kind_at(tokens, index)
        if kind is None:
            index = after + 1
            continue
        named, index = _name_at(sql, tokens, after, kind)
        found += [named] if named is not None else []
    return found


def _kind_at(tokens: Sequence[Token], index: int) -> tuple[str | None, int]:
    """Return the kind of object that is named next, and where the name begins."""
    if index > 0 and tokens[index - 1].text == ".":
        return None, index
    if tokens[index].word == "QUERY_WAREHOUSE":
        return "WAREHOUSE", _past_plain_words(tokens, index + 1)
    for length in range(_LONGEST_KIND, 0, -1):
        phrase = " ".join(token.word for token in tokens[index : index + length])
        if phrase in SINGULARS:
            return None, index + length - 1
        if phrase in PLURALS:
            return phrase, _past_plain_words(tokens, index + length)
    is_source = tokens[index].word in _SOURCES
    return ("TABLE", index + 1) if is_source else (None, index)


def _past_plain_words(tokens: Sequence[Token], index: int) -> int:
    while tokens[index].word in _PLAIN_WORDS or tokens[index].text == "=":
        index += 1
    return index


def _name_at(sql: str, tokens: Sequence[Token], index: int, kind: str) -> tuple[_Named | None, int]:
    """Return the name that begins at a token, unless it is none, and where to go on."""
    end = index
    while tokens[end].kind in _NAMING and tokens[end + 1].text == ".":
        end += 2
    if tokens[end].kind not in _NAMING:
        return None, index
    parts = (end - index) // 2 + 1
    text = sql[tokens[index].start : tokens[end].end]
    is_ours = _NEVER.isdisjoint(text.upper().split(".")) and parts <= _PARTS.get(kind, 3)
    if not is_ours or _is_keyword(tokens[index], kind, parts) or "{" in text:
        return None, index
    if tokens[end + 1].text == "(" and kind in WITH_ARGUMENTS:
        return None, end + 1
    return _Named(text, kind, tokens[index].start, tokens[end].end), end + 1


_KEYWORDS_TEXT = (
    "ACCOUNT ADD ALL AS AT BEFORE BY COLUMN CURRENT FOR FROM FUTURE IN INPUT LATERAL MODIFY NULL "
    "ON OR POLICY SELECT SET TABLE TAG TO TYPE UNSET USING VALUES WHEN WHERE WITH"
)
_KEYWORDS = frozenset(_KEYWORDS_TEXT.split())


def _is_keyword(token: Token, kind: str, parts: int) -> bool:
    if token.kind is TokenKind.QUOTED or parts > 1:
        return False
    # An unqualified word behind FROM is as likely an alias of something defined above.
    return token.word in _KEYWORDS or (kind == "TABLE" and parts == 1)


def _spec(
    named: _Named, is_created: bool, others: Iterable[InputSpec], scope: str | None
) -> InputSpec:
    kind = named.kind
    name = _unused(kind.lower().replace(" ", "_"), {spec.name for spec in others})
    type_: InputType = _TYPES.get(kind, "table")
    spec = InputSpec(
        name=name,
        type=type_,
        description=f"{kind.capitalize()}, in the example {named.text}",
        infer_from=_INFERRED.get(type_, ()),
        open_ended_because="only you know which one is meant",
    )
    if is_created:
        *container, last = split_name(named.text)
        is_in_schema = bool(container) and type_ == "table"
        spec = replace(spec, infer_from=(), description=f"{kind.capitalize()} to create")
        if not is_in_schema or scope is not None:
            default = f"{scope}.{last}" if is_in_schema and scope else last
            return replace(spec, default=default, has_default=True)
    return spec


def _is_new(spec: InputSpec) -> bool:
    return spec.description.endswith(" to create")


def _unused(name: str, taken: set[str]) -> str:
    free = (f"{name}_{n}" if n > 1 else name for n in range(1, len(taken) + 2))
    return next(candidate for candidate in free if candidate not in taken)


def _with_intent(specs: dict[str, InputSpec]) -> tuple[InputSpec, ...]:
    """Let the goal tell the first object that must be there; it can name no second one."""
    for key, spec in specs.items():
        if spec.type == "table" and not spec.has_default and not _is_new(spec):
            specs[key] = replace(spec, infer_from=("intent",))
            break
    return tuple(specs.values())


def _filled(sql: str, specs: Mapping[str, InputSpec]) -> str:
    """Put each hole where its name stands, also as the path of a stage in a text."""
    places = [(named.start, named.end, ("", named.text, "")) for named in _names(sql)]
    for token in tokenize(sql):
        path = _PATH.fullmatch(token.text) if token.kind is TokenKind.STRING else None
        if path is not None:
            places.append((token.start, token.end, (path[1], path[2], path[3] or "")))
    parts: list[str] = []
    at = 0
    for start, end, (before, name, after) in sorted(places):
        spec = specs.get(name.upper())
        if spec is not None:
            around = [f"'{before}'" * bool(before), spec.name, f"'{after}'" * bool(after)]
            parts += [sql[at:start], "{{ " + " ~ ".join(filter(None, around)) + " }}"]
            at = end
    return "".join([*parts, sql[at:]])
