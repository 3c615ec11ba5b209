"""The interpreter of conditions: SQL's three-valued logic over plain values.

Room: sql. None is NULL. Text that looks like a number is compared as one with numbers, as Snowflake
does; what Snowflake would refuse to compare is an error.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from decimal import Decimal, DivisionUndefined, InvalidOperation, Overflow
from typing import Any

from sqlglot import exp

from skills_nb.sql.conditions.condition_error import ConditionError
from skills_nb.sql.conditions.condition_tree import path_of, spellings
from skills_nb.sql.conditions.like_pattern import matches

_COMPARISONS: dict[type[exp.Expr], Callable[[Any, Any], bool]] = {
    exp.EQ: operator.eq,
    exp.NEQ: operator.ne,
    exp.LT: operator.lt,
    exp.LTE: operator.le,
    exp.GT: operator.gt,
    exp.GTE: operator.ge,
}
_ARITHMETIC: dict[type[exp.Expr], Callable[[Decimal, Decimal], Decimal]] = {
    exp.Add: operator.add,
    exp.Sub: operator.sub,
    exp.Mul: operator.mul,
    exp.Div: operator.truediv,
    exp.Mod: operator.mod,
}
_TRUTHS = {"true": True, "false": False}


def evaluate_tree(tree: exp.Expr, names: Mapping[str, Any], condition: str) -> bool | None:
    """Evaluate a tree that `condition_tree.parse` has let through.

    Raises:
        ConditionError: a name is unknown, values cannot be compared, or the nesting is too deep.
    """
    values = {name.lower(): value for name, value in names.items()}
    try:
        return _truth(_Interpreter(values).value(tree))
    except RecursionError as error:
        raise ConditionError(f"the condition is nested too deeply: {condition[:80]!r}") from error


class _Interpreter:
    """Values of nodes, given the values of names (lower-cased)."""

    def __init__(self, names: Mapping[str, Any]) -> None:
        self.names = names

    def value(self, node: exp.Expr) -> Any:
        """Return a node's value; None is NULL."""
        if (path := path_of(node)) is not None:
            return self._name(path)
        for kinds, read in self._readers():
            if isinstance(node, kinds):
                return read(node)
        raise ConditionError(f"{node.sql('snowflake')[:80]!r} may not stand in a condition")

    def _readers(
        self,
    ) -> tuple[tuple[type[exp.Expr] | tuple[type[exp.Expr], ...], Callable[[Any], Any]], ...]:
        return (
            (exp.Literal, _literal),
            (exp.Boolean, lambda node: bool(node.this)),
            (exp.Null, lambda _: None),
            (exp.Paren, lambda node: self.value(node.this)),
            (exp.And, self._and),
            (exp.Or, self._or),
            (exp.Not, lambda node: _negated(_truth(self.value(node.this)))),
            (tuple(_COMPARISONS), self._comparison),
            (exp.Is, self._is),
            (exp.In, self._in),
            (exp.Between, self._between),
            (exp.Escape, self._escape),
            ((exp.Like, exp.ILike), lambda node: self._like(node, None)),
            (tuple(_ARITHMETIC), self._arithmetic),
            (exp.Neg, lambda node: _minus(self.value(node.this))),
            (exp.Length, lambda node: _length(self.value(node.this))),
            (exp.ArraySize, lambda node: _array_size(self.value(node.this))),
        )

    def _name(self, path: tuple[str, ...]) -> Any:
        """Look a dotted name up: its head among the names, the rest inside."""
        head = next((n for n in spellings(path[0]) if n in self.names), None)
        if head is None:
            known = ", ".join(sorted(self.names)[:20])
            raise ConditionError(f"nothing is called {path[0]!r}", hint=f"Known: {known}.")
        value = self.names[head]
        for part in path[1:]:
            value = _inner(value, part, path)
        return _plain(value)

    def _and(self, node: exp.And) -> bool | None:
        left = _truth(self.value(node.left))
        if left is False:
            return False
        right = _truth(self.value(node.right))
        return None if left is None and right is True else right

    def _or(self, node: exp.Or) -> bool | None:
        left = _truth(self.value(node.left))
        if left is True:
            return True
        right = _truth(self.value(node.right))
        return None if left is None and right is False else right

    def _comparison(self, node: exp.Binary) -> bool | None:
        return _compare(type(node), self.value(node.left), self.value(node.right))

    def _is(self, node: exp.Is) -> bool:
        value, wanted = self.value(node.this), node.expression
        if isinstance(wanted, exp.Null):
            return value is None
        if isinstance(wanted, exp.Boolean):
            return _truth(value) is bool(wanted.this)
        raise ConditionError("IS takes NULL, TRUE or FALSE")

    def _in(self, node: exp.In) -> bool | None:
        """Compare with each item; a name that is a list stands for its items."""
        value = self.value(node.this)
        field = node.args.get("field")
        found = [self.value(item) for item in ([field] if field is not None else node.expressions)]
        items = [i for item in found for i in (item if isinstance(item, list) else [item])]
        if value is None:
            return None if items else False
        results = [_compare(exp.EQ, value, _plain(item)) for item in items]
        if True in results:
            return True
        return None if None in results else False

    def _between(self, node: exp.Between) -> bool | None:
        value = self.value(node.this)
        low = _compare(exp.GTE, value, self.value(node.args["low"]))
        high = _compare(exp.LTE, value, self.value(node.args["high"]))
        if False in (low, high):
            return False
        return None if None in (low, high) else True

    def _escape(self, node: exp.Escape) -> bool | None:
        escape = self.value(node.expression)
        if not isinstance(node.this, exp.Like | exp.ILike) or not isinstance(escape, str):
            raise ConditionError("ESCAPE belongs to LIKE and takes one character")
        if len(escape) != 1:
            raise ConditionError("ESCAPE takes one character")
        return self._like(node.this, escape)

    def _like(self, node: exp.Like | exp.ILike, escape: str | None) -> bool | None:
        value, pattern = self.value(node.this), self.value(node.expression)
        if value is None or pattern is None:
            return None
        text, wanted = _text(value), _text(pattern)
        if isinstance(node, exp.ILike):
            text, wanted = text.lower(), wanted.lower()
            escape = escape.lower() if escape else None
        return matches(text, wanted, escape)

    def _arithmetic(self, node: exp.Binary) -> Decimal | None:
        left, right = self.value(node.left), self.value(node.right)
        if left is None or right is None:
            return None
        try:
            return _ARITHMETIC[type(node)](_number(left), _number(right))
        except (ZeroDivisionError, DivisionUndefined, InvalidOperation, Overflow) as error:
            raise ConditionError(f"{node.sql('snowflake')[:80]!r} has no value") from error


def _literal(node: exp.Literal) -> str | Decimal:
    return str(node.this) if node.is_string else _number(str(node.this))


def _inner(value: Any, part: str, path: tuple[str, ...]) -> Any:
    """Take one step into a mapping (case-insensitively) or a name's public fields."""
    if value is None:
        return None
    if isinstance(value, Mapping):
        for key, item in value.items():
            if str(key).lower() == part:
                return item
    elif part in ("database", "schema", "table", "name", "fqn") and hasattr(value, "parts"):
        return getattr(value, part)
    raise ConditionError(f"{'.'.join(path)!r} leads nowhere: there is no {part!r}")


def _plain(value: Any) -> Any:
    """Bring a value from outside into the interpreter's few types."""
    match value:
        case None | bool() | str():
            return value
        case int() | float() | Decimal():
            return _number(str(value))
        case list() | tuple() | set() | frozenset():
            return list(value)
        case Mapping():
            return value
        case _:
            return str(value)


def _truth(value: Any) -> bool | None:
    match value:
        case None | bool():
            return value
        case Decimal():
            return value != 0
        case str() if value.lower() in _TRUTHS:
            return _TRUTHS[value.lower()]
        case _:
            raise ConditionError(f"{_shown(value)} is neither true nor false")


def _negated(value: bool | None) -> bool | None:
    return None if value is None else not value


def _number(value: Any) -> Decimal:
    if isinstance(value, bool):
        return Decimal(int(value))
    if isinstance(value, Decimal):
        return value
    try:
        number = Decimal(value.strip()) if isinstance(value, str) else None
    except InvalidOperation:
        number = None
    if number is None or not number.is_finite():
        raise ConditionError(f"Numeric value {_shown(value)} is not recognized")
    return number


def _minus(value: Any) -> Decimal | None:
    return None if value is None else -_number(value)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Decimal):
        return format(value, "f")
    raise ConditionError(f"{_shown(value)} is not a text")


def _length(value: Any) -> Decimal | None:
    if isinstance(value, list):
        return Decimal(len(value))
    return None if value is None else Decimal(len(_text(value)))


def _array_size(value: Any) -> Decimal | None:
    """Return a list's length; NULL for anything else, as Snowflake's ARRAY_SIZE does."""
    return Decimal(len(value)) if isinstance(value, list) else None


def _compare(kind: type[exp.Expr], left: Any, right: Any) -> bool | None:
    if left is None or right is None:
        return None
    left, right = _paired(left, right)
    if isinstance(left, list | Mapping) and kind not in (exp.EQ, exp.NEQ):
        raise ConditionError("lists and mappings have no order")
    return _COMPARISONS[kind](left, right)


def _paired(left: Any, right: Any) -> tuple[Any, Any]:
    """Bring two values to one type, or refuse to compare them."""
    if isinstance(left, bool) and isinstance(right, str):
        return left, _truth(right)
    if isinstance(left, str) and isinstance(right, bool):
        return _truth(left), right
    if isinstance(left, bool | Decimal) and isinstance(right, bool | Decimal | str):
        return _number(left), _number(right)
    if isinstance(left, str) and isinstance(right, Decimal):
        return _number(left), right
    if type(left) is type(right) or (isinstance(left, Mapping) and isinstance(right, Mapping)):
        return left, right
    raise ConditionError(f"{_shown(left)} and {_shown(right)} cannot be compared")


def _shown(value: Any) -> str:
    return repr(value)[:60] if not isinstance(value, Decimal) else str(value)
