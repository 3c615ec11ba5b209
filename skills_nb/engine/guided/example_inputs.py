"""The names in an example become typed inputs of a plan.

Room: laws. A name that stands where SQL names an object is a hole: the same name is the same hole
everywhere. What an example creates keeps its last part as the default; what must be there already
is inferred or asked for. A name that also stands inside a text cannot be filled in and stays.
Spec: Principles > Lazy context; FORMATS, Front matter (inputs).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from skills_nb.engine.guided.example_columns import columns_of
from skills_nb.engine.inputs.questions import columns_choice
from skills_nb.model.skills import InputSpec, InputType
from skills_nb.sql.governance.object_kinds import PLURALS, SINGULARS, WITH_ARGUMENTS
from skills_nb.sql.identifiers import render_name, split_name
from skills_nb.sql.statements import split
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
_WHOLE = 3
"""Parts of a name with its schema and database."""
_PLACES = {"SCHEMA": 2, "DATABASE": 1}
"""Kinds of what a name lies in, and how many of its parts name that."""
_WITH_ROWS = frozenset(
    {"TABLE", "VIEW", "DYNAMIC TABLE", "MATERIALIZED VIEW", "EXTERNAL TABLE", "ICEBERG TABLE"}
)
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


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a person named."""

    said: Mapping[str, str] = field(default_factory=dict)
    """Names with their schemas, in the order of the words, each with the word before it."""

    @property
    def objects(self) -> tuple[str, ...]:
        """Return the names."""
        return tuple(self.said)

    def is_of(self, name: str, kind: str) -> bool:
        """Tell whether a name is one of a kind, as far as the word before it and its parts say."""
        word = self.said[name].upper()
        is_other = word in SINGULARS and kind not in (word, "") and word not in _WITH_ROWS
        return len(split_name(name)) == _WHOLE and not is_other

    def of(self, kind: str) -> str | None:
        """Return what fills a hole of a kind whose objects have no rows."""
        if kind in _PLACES:
            paths = [split_name(name)[: _PLACES[kind]] for name in self.said]
            return next((render_name(path) for path in paths if len(path) == _PLACES[kind]), None)
        return next((name for name, word in self.said.items() if word.upper() == kind), None)


def with_holes(
    sqls: Sequence[str], wanted: Wanted | None = None
) -> tuple[tuple[str, ...], tuple[InputSpec, ...]]:
    """Return the statements as templates, and the inputs that fill them, in order.

    Args:
        sqls: the statements of an example, in order.
        wanted: what a person named, which fills the holes of its kind in their order.
    """
    wanted = wanted or Wanted()
    created = _created(sqls)
    specs: dict[str, InputSpec] = {}
    kinds: dict[str, str] = {}
    for named in (named for sql in sqls for named in _names(sql)):
        key = named.text.upper()
        if key in specs or _stands_elsewhere(key, sqls):
            continue
        if same := _same(key, (k for k in specs if kinds[specs[k].name] == named.kind)):
            specs[key] = specs[same]
        else:
            specs[key] = _spec(named, key in created, specs.values())
            kinds[specs[key].name] = named.kind
    inputs = _with_named(specs, kinds, wanted)
    spans = [[(named.start, named.end) for named in _names(sql)] for sql in sqls]
    columns: dict[str, InputSpec] = {}
    places = columns_of(sqls, spans)
    for sql, found in zip(sqls, places, strict=True):
        for start, end in found:
            word = sql[start:end].upper()
            if word not in columns:
                taken = {spec.name for spec in (*inputs, *columns.values())}
                columns[word] = _column(sql[start:end], taken, wanted.objects)
    filled = tuple(
        _filled(sql, specs, {place: columns[sql[slice(*place)].upper()] for place in found})
        for sql, found in zip(sqls, places, strict=True)
    )
    return filled, (*inputs, *columns.values())


def _column(text: str, taken: set[str], objects: Sequence[str]) -> InputSpec:
    whole = next((one for one in objects if len(split_name(one)) == _WHOLE), None)
    return InputSpec(
        name=_unused(text.lower(), taken),
        type="identifier",
        description=f"Column that stands for {text} of the example",
        choices=(columns_choice(whole),) if whole else (),
        open_ended_because="A column that is not listed",
    )


def whole_names(sql: str) -> frozenset[str]:
    """Return the names of objects that a text says with their schema, in capitals."""
    found = (named.text.upper() for one in split(sql) for named in _names(one.text))
    return frozenset(name for name in found if "." in name and '"' not in name)


def names_of(sql: str) -> frozenset[str]:
    """Return the names of objects that one statement says, in capitals."""
    return frozenset(named.text.upper() for named in _names(sql))


def created_by(sql: str) -> str | None:
    """Return the name, in capitals, of what a statement makes; None where it makes nothing."""
    return next(iter(_created([sql])), None)


def names_in(sql: str, parts: int) -> frozenset[str]:
    """Return the last parts of the names that a text says, in capitals, as many as wanted."""
    found = (named.text.upper().split(".") for one in split(sql) for named in _names(one.text))
    return frozenset(".".join(name[-parts:]) for name in found if len(name) >= parts)


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
    if tokens[index].text == "@":
        return "STAGE", index + 1
    is_swap = index > 0 and (tokens[index - 1].word, tokens[index].word) == ("SWAP", "WITH")
    is_source = tokens[index].word in _SOURCES or is_swap
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


def _spec(named: _Named, is_created: bool, others: Iterable[InputSpec]) -> InputSpec:
    kind = named.kind
    name = _unused(kind.lower().replace(" ", "_"), {spec.name for spec in others})
    type_: InputType = _TYPES.get(kind, "table")
    spec = InputSpec(
        name=name,
        type=type_,
        description=f"{kind.capitalize()}, in the example {named.text}",
        infer_from=_INFERRED.get(type_, ()),
        open_ended_because="One that is not listed",
    )
    if is_created:
        asked = f"Name of the {kind.lower()} to create, with its schema where it has one"
        return replace(
            spec, infer_from=(), description=asked, open_ended_because="A name of your own"
        )
    if kind in _WITH_ROWS:
        return replace(spec, choices=("{tables}",))
    return spec


def _is_new(spec: InputSpec) -> bool:
    return spec.open_ended_because == "A name of your own"


def _unused(name: str, taken: set[str]) -> str:
    free = (f"{name}_{n}" if n > 1 else name for n in range(1, len(taken) + 2))
    return next(candidate for candidate in free if candidate not in taken)


def _same(key: str, specs: Iterable[str]) -> str | None:
    """Return the name that an example says of the same object with more or fewer parts."""
    return next((k for k in specs if k.endswith(f".{key}") or key.endswith(f".{k}")), None)


def _with_named(
    specs: Mapping[str, InputSpec], kinds: Mapping[str, str], wanted: Wanted
) -> tuple[InputSpec, ...]:
    """Let the objects that a person named, and their places, tell what must be there."""
    tables = iter(one for one in wanted.objects if wanted.is_of(one, "TABLE"))
    is_first = True
    found: dict[str, InputSpec] = {}
    for spec in specs.values():
        if spec.name in found:
            continue
        found[spec.name] = spec
        if _is_new(spec) or spec.has_default:
            continue
        if kinds[spec.name] in _WITH_ROWS:
            named = next(tables, None)
            if named is None and is_first:
                found[spec.name] = replace(spec, infer_from=("intent",))
            is_first = False
        else:
            named = wanted.of(kinds[spec.name])
        if named is not None:
            found[spec.name] = replace(spec, default=named, has_default=True)
    return tuple(found.values())


def _filled(
    sql: str, specs: Mapping[str, InputSpec], columns: Mapping[tuple[int, int], InputSpec]
) -> str:
    """Put each hole where its name stands, also as the path of a stage in a text."""
    places = [(named.start, named.end, ("", named.text, "")) for named in _names(sql)]
    for token in tokenize(sql):
        path = _PATH.fullmatch(token.text) if token.kind is TokenKind.STRING else None
        if path is not None:
            places.append((token.start, token.end, (path[1], path[2], path[3] or "")))
    places += [(start, end, ("", "", "")) for start, end in columns]
    parts: list[str] = []
    at = 0
    for start, end, (before, name, after) in sorted(places):
        spec = columns.get((start, end)) or specs.get(name.upper())
        if spec is not None:
            around = [f"'{before}'" * bool(before), spec.name, f"'{after}'" * bool(after)]
            parts += [sql[at:start], "{{ " + " ~ ".join(filter(None, around)) + " }}"]
            at = end
    return "".join([*parts, sql[at:]])
