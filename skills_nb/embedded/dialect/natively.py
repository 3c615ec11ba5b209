"""Functions that the `natives` compute: by name or class, which arguments go where, and as what.

Room: embedded. Pure. An argument with a star is handed over as JSON; dots stand for all the rest.

See https://docs.snowflake.com/en/sql-reference/functions-all
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from skills_nb.embedded.dialect import duck


@dataclass(frozen=True, slots=True)
class Native:
    """How a call is handed over."""

    name: str
    arguments: str
    """Names of the node's arguments, or places in a call by name, with spaces between."""
    to: str = "JSON"
    """The DuckDB type that the answer is read as."""


TYPED: dict[type[exp.Expr], Native] = {
    exp.ArrayCompact: Native("array_compact", "*this"),
    exp.ArrayConcat: Native("array_cat", "*this *expressions"),
    exp.ArrayDistinct: Native("array_distinct", "*this"),
    exp.ArrayExcept: Native("array_except", "*this *expression"),
    exp.ArrayInsert: Native("array_insert", "*this position *expression"),
    exp.ArrayIntersect: Native("array_intersection", "*expressions"),
    exp.ArrayMax: Native("array_max", "*this"),
    exp.ArrayMin: Native("array_min", "*this"),
    exp.ArrayOverlaps: Native("arrays_overlap", "*this *expression", "BOOLEAN"),
    exp.ArrayPosition: Native("array_position", "*expression *this", "HUGEINT"),
    exp.ArrayRemove: Native("array_remove", "*this *expression"),
    exp.ArrayRemoveAt: Native("array_remove_at", "*this position"),
    exp.ArrayReverse: Native("array_reverse", "*this"),
    exp.ArraySlice: Native("array_slice", "*this start end"),
    exp.ArraySort: Native("array_sort", "*this asc nulls_first"),
    exp.ArraysZip: Native("arrays_zip", "*expressions"),
    exp.CheckXml: Native("check_xml", "this", "VARCHAR"),
    exp.Flatten: Native("array_flatten", "*this"),
    exp.GetIgnoreCase: Native("get_ignore_case", "*this expression"),
    exp.MD5NumberLower64: Native("md5_lower", "this", "HUGEINT"),
    exp.MD5NumberUpper64: Native("md5_upper", "this", "HUGEINT"),
    exp.ObjectInsert: Native("object_insert", "*this key *value update_flag"),
    exp.ParseIp: Native("parse_ip", "this type permissive"),
    exp.ParseUrl: Native("parse_url", "this permissive"),
    exp.RegexpCount: Native("regexp_count", "this expression position parameters", "HUGEINT"),
    exp.RegexpExtractAll: Native(
        "regexp_substr_all", "this expression position occurrence parameters group"
    ),
    exp.RegexpInstr: Native(
        "regexp_instr", "this expression position occurrence option parameters group", "HUGEINT"
    ),
    exp.Soundex: Native("soundex", "this", "VARCHAR"),
    exp.SoundexP123: Native("soundex_p123", "this", "VARCHAR"),
    exp.XMLGet: Native("xmlget", "*this expression instance"),
}
NAMED: dict[str, Native] = {
    "ARRAYS_TO_OBJECT": Native("arrays_to_object", "*0 *1"),
    "ARRAY_EXCEPT": Native("array_except", "*0 *1"),
    "OBJECT_DELETE": Native("object_delete", "*0 ..."),
    "OBJECT_PICK": Native("object_pick", "*0 ..."),
    "PARSE_XML": Native("parse_xml", "0"),
    "STRTOK_TO_ARRAY": Native("tokens", "0 1"),
}


def typed(node: exp.Expr) -> exp.Expr:
    """Hand a function over that sqlglot knows by class."""
    native = TYPED[type(node)]
    given = [
        duck.json(one) if word.startswith("*") else one
        for word, one in _given(node, native.arguments.split())
    ]
    return duck.native(native.name, *given, to=native.to)


def _given(node: exp.Expr, words: list[str]) -> list[tuple[str, exp.Expr]]:
    """Pair words with arguments; NULL stands for one that is left out before another."""
    found: list[tuple[str, exp.Expr]] = []
    for word in words:
        value = node.args.get(word.lstrip("*"))
        for argument in value if isinstance(value, list) else [value]:
            found.append((word, argument if isinstance(argument, exp.Expr) else exp.null()))
    while found and isinstance(found[-1][1], exp.Null):
        found.pop()
    return found


def named(node: exp.Anonymous, native: Native) -> exp.Expr:
    """Hand a function over that sqlglot knows by name only."""
    return duck.native(native.name, *_placed(node.expressions, native), to=native.to)


def _placed(given: list[exp.Expr], native: Native) -> Iterator[exp.Expr]:
    words = native.arguments.split()
    for place, argument in enumerate(given):
        word = words[min(place, len(words) - 1)]
        yield duck.json(argument) if word.startswith("*") else argument


def extract(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/regexp_substr."""
    if not any(node.args.get(k) for k in ("position", "occurrence", "parameters", "group")):
        return node
    words = "this expression position occurrence parameters group"
    return _text("regexp_substr", node, words)


def replace(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/regexp_replace."""
    if not any(node.args.get(k) for k in ("position", "occurrence")):
        return node
    words = "this expression replacement position occurrence modifiers"
    return _text("regexp_replace", node, words)


def _text(name: str, node: exp.Expr, words: str) -> exp.Expr:
    given = (one for _, one in _given(node, words.split()))
    return duck.native(name, *given, to="VARCHAR")


def sha2(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/sha2."""
    length = node.args.get("length")
    if length is None or length.name in ("0", "256"):
        return node
    return duck.native("sha2", node.this, length, to="VARCHAR")
