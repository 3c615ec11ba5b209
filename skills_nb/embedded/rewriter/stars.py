"""Stars in expressions: the columns that `*` stands for, put where it stands.

Room: embedded. A star is expanded once and first, so that each of its columns goes the way of one
that was typed; where none can stand, it is refused, since DuckDB would expand it past the policies.

See https://docs.snowflake.com/en/sql-reference/functions/object_construct and
https://docs.snowflake.com/en/sql-reference/functions/count
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.binder import columns as cols
from skills_nb.embedded.types.scope import Source

_NO_ARGUMENTS = (exp.Connector, exp.Cast, exp.Case, exp.If)
"""What sqlglot takes for functions although it is written with words."""
Sources = tuple[Source, ...]


def is_star(node: exp.Expr) -> bool:
    """Tell whether a node is `*` or `t.*`."""
    return isinstance(node, exp.Star) or (
        isinstance(node, exp.Column) and isinstance(node.this, exp.Star)
    )


def listed(projection: exp.Expr) -> exp.Expr | None:
    """Return the star that a projection is, with or without parentheses around it."""
    while isinstance(projection, exp.Paren):
        projection = projection.this
    return projection if is_star(projection) else None


def is_of_rows(node: exp.Expr) -> bool:
    """Tell whether a node is the star of COUNT(*), which names no column."""
    return _is_bare(node) and isinstance(node.parent, exp.Count)


def spread(star: exp.Expr, sources: Sources) -> list[exp.Expr]:
    """Put columns in the place of a star among the arguments of a function; return what is new.

    Raises:
        SqlError: no star can stand there or it stands for no column (1003), or the function does
            not take so many (939).
    """
    held, parent = star, star.parent
    while isinstance(parent, exp.Paren):
        held, parent = parent, parent.parent
    if isinstance(parent, exp.Count):
        return _counted(held, star, sources)
    if isinstance(parent, (exp.Struct, exp.JSONObject)):
        return _put(held, parent, _pairs(star, sources, type(parent)))
    if isinstance(parent, (exp.Distinct, exp.Func)) and not isinstance(parent, _NO_ARGUMENTS):
        return _put(held, parent, [one.this for one in _columns(star, sources)])
    raise errors.syntax("syntax error line 1 at position 0 unexpected '*'.")


def written_out(node: exp.StarMap, sources: Sources) -> exp.Struct:
    """Spell out OBJECT_CONSTRUCT(*)."""
    return exp.Struct(expressions=_pairs(node.this, sources, exp.Struct))


def _is_bare(star: exp.Expr) -> bool:
    """Tell `*` from one of a table, or with options."""
    return isinstance(star, exp.Star) and not any(star.args.values())


def _counted(held: exp.Expr, star: exp.Expr, sources: Sources) -> list[exp.Expr]:
    """Count rows by `*`, and by what names columns the rows without a NULL in any of them."""
    if _is_bare(star):
        held.replace(exp.Star())
        return []
    made = cols.counted_rows([one.this for one in _columns(star, sources)])
    held.replace(made)
    return [made]


def _columns(star: exp.Expr, sources: Sources) -> list[exp.Expr]:
    """Return the columns of a star with their names."""
    found = list(cols.expand_star(star, sources))
    if not found:
        raise errors.syntax("'*' stands for no column here.")
    return found


def _pairs(star: exp.Expr, sources: Sources, kind: type[exp.Expr]) -> list[exp.Expr]:
    pair = exp.PropertyEQ if kind is exp.Struct else exp.JSONKeyValue
    return [
        pair(this=exp.Literal.string(one.alias), expression=one.this)
        for one in _columns(star, sources)
    ]


def _put(held: exp.Expr, parent: exp.Expr, values: list[exp.Expr]) -> list[exp.Expr]:
    """Put values in the place of one argument."""
    place = held.arg_key or ""
    if isinstance(parent.args.get(place), list):
        before = parent.args[place]
        at = held.index or 0
        parent.set(place, [*before[:at], *values, *before[at + 1 :]])
    elif len(values) == 1:
        held.replace(values[0])
    elif values and isinstance(parent, exp.Func) and parent.is_var_len_args:
        parent.set("expressions", [*values[1:], *parent.expressions])
        held.replace(values[0])
    else:
        raise errors.too_many_arguments(_name(parent), len(values))
    return values


def _name(function: exp.Expr) -> str:
    return function.sql_name() if isinstance(function, exp.Func) else "DISTINCT"
