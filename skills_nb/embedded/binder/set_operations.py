"""Set operations: which columns the two sides yield together, and of which types.

Room: embedded. Pure. A text that meets a number, a date or a moment is read as one, so that a text
that is none is refused; DuckDB would write the others as texts.

See https://docs.snowflake.com/en/sql-reference/operators-query
"""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.types import data_types, names
from skills_nb.embedded.types.data_types import SfType
from skills_nb.embedded.types.inference import data_type, infer
from skills_nb.embedded.types.scope import OutColumn, stricter

_Pair = tuple[OutColumn | None, OutColumn | None]


def united(
    query: exp.SetOperation, left: tuple[OutColumn, ...], right: tuple[OutColumn, ...]
) -> tuple[OutColumn, ...]:
    """Return the columns of both sides together; texts on either side are read as they must.

    Raises:
        SqlError: the sides have different numbers of columns (2020).
    """
    if query.args.get("by_name"):
        return tuple(_met(pair) for pair in _by_name(query, left, right))
    if len(left) != len(right):
        raise errors.wrong_count(
            "invalid number of result columns for set operator input "
            f"branches, expected {len(left)}, got {len(right)} in "
            "branch {2}"
        )
    return tuple(
        _met(_paired(query, (place, place), ours, right)) for place, ours in enumerate(left)
    )


def _paired(
    query: exp.SetOperation, places: tuple[int, int], ours: OutColumn, right: tuple[OutColumn, ...]
) -> _Pair:
    """Return the columns at two places, once a text among them is read as the other is."""
    theirs = right[places[1]]
    return (
        _read(query.left, places[0], ours, theirs),
        _read(query.right, places[1], theirs, ours),
    )


def read_as_moments(values: tuple[exp.Expr, ...]) -> tuple[exp.Expr, ...]:
    """Read the texts among the values of one column of VALUES as the days or moments they meet."""
    found = [infer(value) for value in values]
    kinds = {one.kind for one in found if one is not None} - {"TEXT"}
    if len(kinds) != 1 or not kinds <= data_types.MOMENTS:
        return values
    wanted = data_types.TEXT_READ_AS[kinds.pop()]
    made = []
    for value, kind in zip(values, found, strict=True):
        if kind is None or kind.kind != "TEXT":
            made.append(value)
            continue
        cast = exp.Cast(this=value.copy(), to=data_type(wanted))
        value.replace(cast)
        made.append(cast)
    return tuple(made)


def _by_name(
    query: exp.SetOperation, left: tuple[OutColumn, ...], right: tuple[OutColumn, ...]
) -> list[_Pair]:
    """Pair the columns by their names, in the order in which they are first met."""
    others = {column.name: place for place, column in enumerate(right)}
    pairs: list[_Pair] = []
    for place, ours in enumerate(left):
        there = others.pop(ours.name, None)
        pairs.append((ours, None) if there is None else _paired(query, (place, there), ours, right))
    return [*pairs, *((None, right[place]) for place in others.values())]


def _met(pair: _Pair) -> OutColumn:
    """Return the column that two make; where one side has none, it is NULL there."""
    ours, theirs = pair
    one = ours or theirs
    assert one is not None, "a column is of one side at least"
    if ours is None or theirs is None:
        return OutColumn(one.name, one.type, restricted=one.restricted, worked=one.worked)
    return OutColumn(
        ours.name,
        _shared(ours.type, theirs.type),
        ours.nullable or ours.type != theirs.type,
        ours.certain and theirs.certain,
        restricted=stricter((ours.restricted, theirs.restricted)),
        worked=max(ours.worked, theirs.worked),
    )


def _shared(mine: SfType | None, other: SfType | None) -> SfType | None:
    """Return the type of both; numbers have as many digits behind the point as either."""
    if mine == other:
        return mine
    if mine is None or other is None or (mine.kind, other.kind) != ("FIXED", "FIXED"):
        return None
    return data_types.fixed(38, max(mine.scale or 0, other.scale or 0))


def _read(side: exp.Expr, place: int, mine: OutColumn, other: OutColumn) -> OutColumn:
    """Read a side's text as what the other side's column holds; return the column as it is then.

    NULL has the other side's type.
    """
    if mine.type is None and other.type is not None and _is_null(side, place):
        return replace(mine, type=other.type)
    wanted = data_types.TEXT_READ_AS.get(other.type.kind) if other.type is not None else None
    if other.type is not None and other.type.kind == "VARIANT":
        wanted = data_types.VARIANT
    is_text = mine.type is not None and mine.type.kind == "TEXT"
    if not is_text or wanted is None or not _cast(side, place, wanted):
        return mine
    return replace(mine, type=wanted)


def _is_null(side: exp.Expr, place: int) -> bool:
    if isinstance(side, exp.Subquery) and isinstance(side.this, exp.Query):
        return _is_null(side.this, place)
    if isinstance(side, exp.SetOperation):
        return _is_null(side.left, place) and _is_null(side.right, place)
    if not isinstance(side, exp.Select) or place >= len(side.expressions):
        return False
    return isinstance(side.expressions[place].unalias(), exp.Null)


def _cast(side: exp.Expr, place: int, wanted: SfType) -> bool:
    """Cast a column of every query that a side is made of; tell whether that could be done."""
    if isinstance(side, exp.Subquery) and isinstance(side.this, exp.Query):
        return _cast(side.this, place, wanted)
    if isinstance(side, exp.SetOperation):
        return all(_cast(one, place, wanted) for one in (side.left, side.right))
    if not isinstance(side, exp.Select) or place >= len(side.expressions):
        return False
    shown = side.expressions[place]
    value = shown.this if isinstance(shown, exp.Alias) else shown
    made = exp.Cast(this=value.copy(), to=data_type(wanted))
    side.expressions[place].replace(exp.alias_(made, names.quoted(shown.alias_or_name)))
    return True
