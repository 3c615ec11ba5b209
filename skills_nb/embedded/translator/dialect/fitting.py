"""Fitting: a text has to have room in the type that it becomes, and so has what a policy makes.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/functions/cast and
https://docs.snowflake.com/en/release-notes/bcr-bundles/2024_04/bcr-1355
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded.errors.pipelines import untried
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.translator.dialect import duck
from skills_nb.embedded.types.data_types import MAX_BINARY, MAX_TEXT, SfType
from skills_nb.embedded.types.inference import KIND, WRITTEN, infer

FITS = "fits"
"""Says of a cast that it fails where it would cut; no text parses to it."""
_WRONG = {
    "TEXT": duck_sql.of(
        "CASE WHEN length(__made) > :most THEN error(concat('String ', chr(39), __made, chr(39), "
        "' is too long and would be truncated')) ELSE __made END"
    ),
    "BINARY": duck_sql.of(
        "CASE WHEN octet_length(__made) > :most THEN CAST(error(concat('Binary ', chr(39), "
        "hex(__made), chr(39), ' is too long and would be truncated')) AS BLOB) ELSE __made END"
    ),
    "FIXED": duck_sql.of(
        "CASE WHEN abs(__made) >= :most THEN error(concat('Number out of representable range: "
        "type ', :kind, ', value ', CAST(__made AS VARCHAR))) ELSE __made END"
    ),
}
_ONCE = {
    kind: duck_sql.of("list_transform([:value], lambda __made: {fails})[1]", fails=fails)
    for kind, fails in _WRONG.items()
}
"""The value is computed once, however often it is looked at: it may be a query."""
_TRIED = {
    "TEXT": duck_sql.of(
        "list_transform([:value], lambda __made: "
        "CASE WHEN length(__made) <= :most THEN __made END)[1]"
    ),
    "BINARY": duck_sql.of(
        "list_transform([:value], lambda __made: "
        "CASE WHEN octet_length(__made) <= :most THEN __made END)[1]"
    ),
}


def room(value: exp.Expr, node: exp.Cast) -> exp.Expr:
    """Return a text or bytes that fail, or are NULL if only tried, where the type has no room.

    See https://docs.snowflake.com/en/sql-reference/functions/try_cast
    """
    target = infer(node)
    if target is None or _has_room(infer(node.this), target):
        return value
    how = _TRIED if isinstance(node, exp.TryCast) else _ONCE
    plain = duck.cast(value, target.physical)
    checked = duck.template(how[target.kind], value=plain, most=exp.Literal.number(target.length))
    made = duck.cast(checked, target.physical)
    made.meta[KIND] = target
    return made


def check_tried(node: exp.Cast) -> None:
    """Refuse TRY_CAST of what is no text.

    See https://docs.snowflake.com/en/sql-reference/functions/try_cast

    Raises:
        SqlError: the value is of a type that is known, and no text (1065).
    """
    if not isinstance(node, exp.TryCast) or not node.meta.get(WRITTEN):
        return
    found, target = infer(node.this), infer(node)
    if found is None or target is None or found.kind == "TEXT" or isinstance(node.this, exp.Null):
        return
    raise untried("TRY_CAST", found.sql, target.sql)


def fit(node: exp.Cast) -> exp.Expr | None:
    """Return a cast that fails where the value has no room; None where all values have it."""
    target = infer(node)
    if target is None or _has_room(infer(node.this), target):
        return None
    return duck.cast(duck.template(_ONCE[target.kind], **_parts(node, target)), target.physical)


def _has_room(found: SfType | None, target: SfType) -> bool:
    """Tell whether the types alone say that every value fits."""
    same = found if found is not None and found.kind == target.kind else None
    match target.kind:
        case "TEXT" | "BINARY":
            widest = MAX_TEXT if target.kind == "TEXT" else MAX_BINARY
            most = target.length or widest
            return most >= widest or (same is not None and (same.length or widest) <= most)
        case "FIXED":
            room = _whole_digits(target)
            return room >= 38 or (same is not None and _whole_digits(same) <= room)
        case _:
            return True


def _whole_digits(kind: SfType) -> int:
    return (kind.precision or 38) - (kind.scale or 0)


def _parts(node: exp.Cast, target: SfType) -> dict[str, exp.Expr]:
    if target.kind != "FIXED":
        plain = "VARCHAR" if target.kind == "TEXT" else "BLOB"
        return {"value": duck.cast(node.this, plain), "most": exp.Literal.number(target.length)}
    scale = target.scale or 0
    wide = f"DECIMAL(38, {scale})" if scale else "HUGEINT"
    return {
        "value": duck.cast(node.this, wide),
        "most": exp.Literal.number("1" + "0" * _whole_digits(target)),
        "kind": duck.text(f"FIXED({target.precision},{scale})"),
    }
