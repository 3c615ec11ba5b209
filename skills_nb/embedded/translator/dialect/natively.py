"""Functions of `python_functions.CALLS`: their arguments in their places.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/functions-all
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.translator.dialect import duck
from skills_nb.embedded.translator.python_functions import CALLS
from skills_nb.embedded.translator.python_functions.calls import Call, key_of
from skills_nb.embedded.translator.python_functions.patterns import is_pattern

TYPED = {cls: call for cls, call in CALLS.items() if not isinstance(cls, str)}
NAMED = {name: call for name, call in CALLS.items() if isinstance(name, str)}


def typed(node: exp.Expr) -> exp.Expr:
    """Hand a function over that sqlglot knows by class."""
    call = TYPED[type(node)]
    given = [
        duck.json(one) if word.startswith("*") else one
        for word, one in _given(node, call.arguments.split())
    ]
    return duck.native(key_of(type(node)), *given, to=call.to)


def _given(node: exp.Expr, words: list[str]) -> list[tuple[str, exp.Expr]]:
    """Pair words with arguments; NULL stands for one that is left out before another."""
    found: list[tuple[str, exp.Expr | None]] = []
    for word in words:
        value = node.args.get(word.lstrip("*"))
        for argument in value if isinstance(value, list) else [value]:
            found.append((word, argument if isinstance(argument, exp.Expr) else None))
    while found and found[-1][1] is None:
        found.pop()
    return [(word, exp.null() if one is None else one) for word, one in found]


def named(node: exp.Anonymous, name: str) -> exp.Expr:
    """Hand a function over that sqlglot knows by name only."""
    call = NAMED[name]
    return duck.native(key_of(name), *_placed(node.expressions, call), to=call.to)


def _placed(given: list[exp.Expr], call: Call) -> Iterator[exp.Expr]:
    words = call.arguments.split()
    for place, argument in enumerate(given):
        word = words[min(place, len(words) - 1)]
        yield duck.json(argument) if word.startswith("*") else argument


def extract(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/regexp_substr."""
    if not any(node.args.get(k) for k in ("position", "occurrence", "parameters", "group")):
        return node
    words = "this expression position occurrence parameters group"
    return _text("regexp_substr", node, words)


def position(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/regexp_instr.

    Whether a column's text holds a match DuckDB tells with the same library; where is asked of
    the few that do.
    """
    within, pattern = node.this, node.expression
    is_plain = len(_given(node, TYPED[type(node)].arguments.split())) == 2
    if is_plain and isinstance(within, exp.Column) and _is_sound(pattern):
        within.replace(duck.cast(within, "VARCHAR"))
        return duck.template(_POSITION, v=node.this, p=pattern, found=typed(node))
    return typed(node)


_POSITION = duck_sql.of(
    "CASE WHEN regexp_matches(:v, :p) THEN :found WHEN :v IS NULL THEN NULL ELSE 0 END"
)


def _is_sound(pattern: object) -> bool:
    return isinstance(pattern, exp.Literal) and pattern.is_string and is_pattern(pattern.name)


def replace(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/regexp_replace."""
    if not any(node.args.get(k) for k in ("position", "occurrence")):
        return node
    words = "this expression replacement position occurrence modifiers"
    return _text("regexp_replace", node, words)


def like(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/regexp_like.

    What is written out DuckDB takes itself; parameters of a column it would pass over.
    """
    if isinstance(node.args.get("flag"), (exp.Literal, type(None))):
        return node
    given = (one for _, one in _given(node, ["this", "expression", "flag"]))
    return duck.native("regexp_like", *given, to="BOOLEAN")


def _text(name: str, node: exp.Expr, words: str) -> exp.Expr:
    given = (one for _, one in _given(node, words.split()))
    return duck.native(name, *given, to="VARCHAR")


def sha2(node: exp.Expr) -> exp.Expr:
    """See https://docs.snowflake.com/en/sql-reference/functions/sha2."""
    length = node.args.get("length")
    if length is None or length.name in ("0", "256"):
        return node
    return duck.native("sha2", node.this, length, to="VARCHAR")
