"""Conditions as trees: parsing, the allow-list, names.

Room: sql.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from skills_nb.sql.conditions.condition_error import ConditionError
from skills_nb.sql.template_problems import TemplateProblem, at_offset

MOST_CHARACTERS = 10_000
Path = tuple[str, ...]
"""A dotted name, lower-cased."""

_NODES = (
    exp.Add,
    exp.And,
    exp.ArraySize,
    exp.Between,
    exp.Boolean,
    exp.Column,
    exp.Div,
    exp.Dot,
    exp.EQ,
    exp.Escape,
    exp.GT,
    exp.GTE,
    exp.Identifier,
    exp.ILike,
    exp.In,
    exp.Is,
    exp.LT,
    exp.LTE,
    exp.Length,
    exp.Like,
    exp.Literal,
    exp.Mod,
    exp.Mul,
    exp.NEQ,
    exp.Neg,
    exp.Not,
    exp.Null,
    exp.Or,
    exp.Paren,
    exp.Sub,
    exp.Tuple,
)
_HINT = "Use comparisons, AND, OR, NOT, IN, BETWEEN, LIKE, IS NULL, arithmetic, literals and names."
_CONTEXT_NAMES = {
    f"current_{name}()"
    for name in ("account", "database", "region", "role", "schema", "user", "version", "warehouse")
}


def parse(condition: str) -> exp.Expr:
    """Read a condition and hold it against the allow-list.

    Raises:
        ConditionError: it cannot be read, or uses more than conditions may.
    """
    if len(condition) > MOST_CHARACTERS:
        raise ConditionError(f"the condition is longer than {MOST_CHARACTERS} characters")
    try:
        tree = sqlglot.parse_one(condition, dialect="snowflake", into=exp.Condition)
    except (SqlglotError, RecursionError) as error:
        raise ConditionError(f"{condition[:200]!r} is not a condition", hint=_HINT) from error
    _refuse_unlisted(tree, condition)
    return tree


def _refuse_unlisted(tree: exp.Expr, condition: str) -> None:
    pending: list[exp.Expr] = [tree]
    while pending:
        node = pending.pop()
        if context_name(node) is not None:
            continue
        is_query = isinstance(node, exp.In) and (node.args.get("query") or node.args.get("unnest"))
        if is_query or not isinstance(node, _NODES):
            raise ConditionError(
                f"{node.sql('snowflake')[:80]!r} may not stand in a condition: {condition[:200]!r}",
                hint=_HINT,
            )
        pending += node.iter_expressions()


def context_name(node: exp.Expr) -> str | None:
    """Return `current_role()` and the like for the call of a context function."""
    if not isinstance(node, exp.Func) or isinstance(node, exp.Length | exp.ArraySize):
        return None
    name = node.name if isinstance(node, exp.Anonymous) else node.sql_name()
    has_arguments = any(True for _ in node.iter_expressions())
    found = f"{name.lower()}()"
    return found if found in _CONTEXT_NAMES and not has_arguments else None


def path_of(node: exp.Expr) -> Path | None:
    """Return the dotted name that a node is, or None."""
    if (context := context_name(node)) is not None:
        return (context,)
    if isinstance(node, exp.Column):
        return tuple(part.name.lower() for part in node.parts)
    if isinstance(node, exp.Dot):
        left = path_of(node.this)
        right = node.expression
        is_plain = left is not None and isinstance(right, exp.Identifier)
        return (*(left or ()), right.name.lower()) if is_plain else None
    return None


def paths_in(node: exp.Expr) -> Iterator[Path]:
    """Yield every dotted name that a tree reads, in no order."""
    pending = [node]
    while pending:
        current = pending.pop()
        if (path := path_of(current)) is not None:
            yield path
        else:
            pending += current.iter_expressions()


def conjuncts(tree: exp.Expr) -> Iterator[exp.Expr]:
    """Yield the parts of a condition that AND joins; the condition itself where none does."""
    match tree:
        case exp.And(this=left, expression=right):
            yield from conjuncts(left)
            yield from conjuncts(right)
        case exp.Paren(this=inner):
            yield from conjuncts(inner)
        case _:
            yield tree


def spellings(name: str) -> tuple[str, ...]:
    """Return what a name may stand as: `role`, `current_role`, `current_role()`."""
    if name.startswith("current_"):
        short = name.removeprefix("current_").removesuffix("()")
        return (name, f"current_{short}()", short)
    return (name, f"current_{name}()") if f"current_{name}()" in _CONTEXT_NAMES else (name,)


def problems_of(condition: str, known: frozenset[str]) -> tuple[TemplateProblem, ...]:
    """Find what is wrong with a condition; `known` is lower-cased."""
    try:
        paths = sorted(set(paths_in(parse(condition))))
    except ConditionError as error:
        return (TemplateProblem(1, 1, error.message, error.hint),)
    unknown = [path[0] for path in paths if known.isdisjoint(spellings(path[0]))]
    hint = "Use one of: " + ", ".join(sorted(known)[:20]) + "." if known else None
    return tuple(
        at_offset(condition, _offset(condition, name), f"nothing is called {name!r}", hint)
        for name in dict.fromkeys(unknown)
    )


def _offset(condition: str, name: str) -> int:
    found = re.search(rf"(?<![\w.$]){re.escape(name.removesuffix('()'))}", condition, re.IGNORECASE)
    return found.start() if found else 0
