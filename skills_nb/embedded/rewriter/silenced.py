"""Failures that tell nothing: what fails for one record under an aggregation policy is NULL.

Room: embedded. Whether a record fails a division or a conversion would tell of that record alone,
whatever the size of its group.

See https://docs.snowflake.com/en/user-guide/aggregation-policies
"""

from __future__ import annotations

from zoneinfo import available_timezones

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.rewriter.requirements import AWAITED
from skills_nb.embedded.types import names
from skills_nb.embedded.types.inference import KIND, data_type, infer

TRY = "try"
OF_ARGUMENTS = "of_arguments"
"""Marks the query of a function's body that reads the columns of its call; holds the name."""
_VALUES = (exp.Column, exp.Literal, exp.Null, exp.Boolean, exp.Star, exp.Identifier, exp.DataType)
_AROUND = (exp.And, exp.Or, exp.Not, exp.Paren, exp.Is, exp.Distinct, exp.Ordered, exp.Tuple)
"""What cannot fail where its parts do not."""
_TESTING = (exp.Where, exp.Having, exp.And, exp.Or, exp.Not)
"""What takes its parts for conditions."""
_STANDING = (exp.Query, exp.AggFunc, exp.Window, exp.In, exp.Exists, exp.Any, exp.All)
_OF_ROWS = (exp.Any, exp.All)
"""What compares with each row of a query."""
_BESIDE = "__beside"
"""What is worked out before an expression is tried."""
_FIELD = "struct_extract"
_COMPARING = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)


def silence_parts(holder: exp.Expr) -> None:
    """Make what fails NULL everywhere below a node, which stays."""
    tests = isinstance(holder, _TESTING)
    for part in list(holder.iter_expressions()):
        part.replace(silenced(_tested(part) if tests else part))


def _tested(part: exp.Expr) -> exp.Expr:
    """Read what stands for a condition as a BOOLEAN, where it is not known to be one."""
    if isinstance(part, (exp.Condition, exp.Query)) and not isinstance(
        part, (exp.Predicate, *_AROUND)
    ):
        known = infer(part)
        if known is None or known.kind != "BOOLEAN":
            return exp.cast(part.copy(), "boolean")
    return part


def silence_rows(query: exp.Query) -> None:
    """Make no rows of a record for which a table function fails."""
    for rows in [node for node in query.walk() if node.args.get(names.ROWS)]:
        if rows.find(exp.Query) is None:
            rows.set(names.ROWS, None)
            tried = _tried(rows)
            tried.set(names.ROWS, True)
            rows.replace(tried)


def silence_arguments(call: exp.Expr) -> None:
    """Make NULL of the arguments of a function that fail."""
    for argument in list(call.iter_expressions()):
        if isinstance(argument, exp.Kwarg):
            argument.set("expression", silenced(argument.expression))
        elif not isinstance(argument, exp.Query):
            argument.replace(silenced(argument))


def silence_aggregate(aggregate: exp.Expr) -> None:
    """Make NULL of what fails in an aggregate, and of texts that are no numbers to add up."""
    silence_parts(aggregate)
    value = aggregate.this
    if isinstance(aggregate, (exp.Sum, exp.Avg)) and isinstance(value, exp.Column):
        known = infer(value)
        if known is not None and known.kind in ("TEXT", "VARIANT"):
            value.replace(exp.TryCast(this=value.copy(), to=exp.DataType.build("double")))


def silenced(value: exp.Expr) -> exp.Expr:
    """Return an expression of one record that is NULL where it would fail.

    Raises:
        SqlError: a function's query would fail for it, or what DuckDB cannot but tell of (3652).
    """
    if isinstance(value, exp.Query) and (called := value.args.get(OF_ARGUMENTS)):
        raise errors.aggregation_violated(called)
    if isinstance(value, (*_VALUES, exp.Query)) or _compares_alike(value):
        return value
    if isinstance(value, _COMPARING):
        _convert_softly(value.this, value.expression)
        _convert_softly(value.expression, value.this)
    if isinstance(value, _AROUND) or _stands(value):
        silence_parts(value)
        return value
    if _can_be_tried(value):
        return _tried(value)
    return _tried_beside(value)


def _stands(value: exp.Expr) -> bool:
    """Tell whether an expression is left where it is, its parts alone tried."""
    if isinstance(value, _STANDING):
        return not _can_be_tried(value)
    return _is_untried(value) or any(isinstance(p, _OF_ROWS) for p in value.iter_expressions())


def _tried_beside(value: exp.Expr) -> exp.Expr:
    """Try an expression without what DuckDB does not try, which is worked out beside it first."""
    held = exp.Paren(this=value.copy())
    fields: list[exp.Expr] = []
    pending = [held.this]
    while pending:
        node = pending.pop()
        if not _stands(node):
            pending.extend(node.iter_expressions())
        elif not isinstance(node, (exp.AggFunc, exp.Window)):
            node.replace(_field_of(len(fields) + 1, node))
            fields.append(silenced(node))
    if not fields or not _can_be_tried(held.this):
        silence_parts(value)
        return value
    body = exp.Lambda(this=_tried(held.this), expressions=[names.quoted(_BESIDE)])
    applied = _own("list_transform", _own("list_value", _own("row", *fields)), body)
    made = _own("list_extract", applied, exp.Literal.number(1))
    if (known := infer(value)) is not None:
        made.meta[KIND] = known
    return made


def _field_of(place: int, value: exp.Expr) -> exp.Expr:
    made = _own(_FIELD, names.quoted(_BESIDE), exp.Literal.number(place))
    if (known := infer(value)) is not None:
        made.meta[KIND] = known
    return made


def _own(function: str, *arguments: exp.Expr) -> exp.Anonymous:
    made = exp.Anonymous(this=function, expressions=list(arguments))
    made.set(names.GOVERNED, True)
    return made


def _tried(value: exp.Expr) -> exp.Anonymous:
    _refuse_untried(value)
    made = _own(TRY, value.copy())
    if (known := infer(value)) is not None:
        made.meta[KIND] = known
    return made


def _refuse_untried(value: exp.Expr) -> None:
    """Refuse what DuckDB cannot but tell of: zones that may be unknown, slices of no length.

    Raises:
        SqlError: a record names a time zone or the length of a slice, or what is named is no zone
            or no length (3652).
    """
    for call in value.find_all(exp.ConvertTimezone):
        zones = (call.args.get("source_tz"), call.args.get("target_tz"))
        if not all(zone is None or _is_zone(zone) for zone in zones):
            raise errors.aggregation_violated("CONVERT_TIMEZONE")
    for slicing in value.find_all(exp.TimeSlice):
        length = slicing.args.get("expression")
        if not (isinstance(length, exp.Literal) and length.name.isdigit() and int(length.name)):
            raise errors.aggregation_violated("TIME_SLICE")


def _is_zone(value: exp.Expr) -> bool:
    return isinstance(value, exp.Literal) and value.name in available_timezones() - {"localtime"}


def without_errors(tree: exp.Expr) -> None:
    """Put NULL where DuckDB would raise an error of our own, in what is silenced."""
    for tried in tree.find_all(exp.Anonymous):
        if tried.this == TRY and tried.args.get(names.GOVERNED):
            for raising in list(tried.find_all(exp.Anonymous)):
                if str(raising.this).lower() == "error":
                    raising.replace(exp.null())


def _compares_alike(value: exp.Expr) -> bool:
    """Tell whether both sides of a comparison are of one kind, so that none is converted."""
    if not isinstance(value, _COMPARING):
        return False
    sides = (value.this, value.expression)
    if not all(isinstance(side, (exp.Column, exp.Literal)) for side in sides):
        return False
    left, right = map(infer, sides)
    return left is not None and right is not None and left.kind == right.kind


def _convert_softly(side: exp.Expr, other: exp.Expr) -> None:
    """Compare NULL for a text that is no number, with a query that cannot be tried as a whole."""
    query = other.find(exp.Select)
    if not isinstance(side, exp.Column) or query is None:
        return
    known = infer(other) or infer(query.expressions[0].unalias())
    if known is not None and known.kind != "TEXT" and getattr(infer(side), "kind", "") == "TEXT":
        side.replace(exp.TryCast(this=side.copy(), to=data_type(known).copy()))


def _can_be_tried(value: exp.Expr) -> bool:
    """Tell whether DuckDB tries an expression: it does so with none that reads or draws lots."""
    return not any(
        isinstance(node, (exp.Query, exp.AggFunc, exp.Window)) or _is_untried(node)
        for node in value.walk()
    )


def _is_own(call: exp.Anonymous) -> bool:
    return bool(call.args.get(names.GOVERNED))


def _is_untried(node: exp.Expr) -> bool:
    return (
        isinstance(node, exp.Rand)
        or node.args.get(AWAITED) is not None
        or (isinstance(node, exp.Anonymous) and _is_own(node) and node.this != _FIELD)
    )
