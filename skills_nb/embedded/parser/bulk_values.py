"""Wholesale: runs of constant rows in VALUES that go to DuckDB without a tree for each constant.

Room: embedded. Pure. The constants mean the same there. They travel as JSON, column by column, for
DuckDB's own VALUES takes kilobytes and microseconds for each of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from sqlglot import exp

from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.duck_sql import DuckSql, Written
from skills_nb.embedded.types import data_types, names
from skills_nb.embedded.types.data_types import SfType
from skills_nb.embedded.types.inference import infer
from skills_nb.sql.constant_rows import ConstantRows

_RUN = "run"
_TOGETHER = 5_000
"""So many rows travel at once."""
_BOOLEANS = frozenset({"TRUE", "FALSE"})
_FAMILIES = {"FIXED": "number", "REAL": "number", "TEXT": "text", "BOOLEAN": "boolean"}
_Typed = tuple[str, str]
"""A family, and the DuckDB type of a column; two empty texts where all is NULL."""


def put_back(tree: exp.Expr, runs: Sequence[ConstantRows]) -> bool:
    """Put the runs in the places of their marks, each as one node.

    Returns:
        Whether every run stood in VALUES, where rows may be taken as they are; else the statement
        is to be read as it was sent.
    """
    known = {run.mark: run for run in runs}
    places = [
        (row, run)
        for values in tree.find_all(exp.Values)
        if not _is_shown(values)
        for row in values.expressions
        if (run := known.get(_only(row))) is not None
    ]
    if len(places) < len(runs):
        return False
    for row, run in places:
        made = exp.Var(this=run.rows)
        made.meta[_RUN] = run
        row.replace(made)
    return True


def width_of(node: exp.Expr) -> int | None:
    """Return how many constants each row of a run has; None for anything else."""
    run = _run_of(node)
    return run.width if run is not None else None


NOTHING = SfType("NULL")
"""Stands for a column of a run that says nothing of its type."""


def number_at(row: exp.Expr, place: int) -> SfType | None:
    """Return the type of a run's column of numbers; None for other columns."""
    run = _run_of(row)
    if run is None:
        return NOTHING
    typed = _typed([cells[place] for cells in run.constants()])
    if typed is None or typed[0] not in ("", "number"):
        return None
    if not typed[1]:
        return NOTHING
    scale = typed[1].partition(", ")[2].rstrip(")")
    return data_types.fixed(38, int(scale or 0))


def unnested(values: exp.Values) -> exp.Query | None:
    """Return a query of the same rows in which no run is spelled out.

    Returns:
        None where there is no run, or where only DuckDB can tell the type that rows share.
    """
    runs = [run for row in values.expressions if (run := _run_of(row)) is not None]
    plain = [row for row in values.expressions if _run_of(row) is None]
    known = [[*map(_typed, zip(*run.constants(), strict=True))] for run in runs]
    families = [*([_family(cell) for cell in _cells(row)] for row in plain)]
    families += [[one[0] if one is not None else None for one in typed] for typed in known]
    shared = [
        {family for family in column if family != ""} for column in zip(*families, strict=True)
    ]
    if (
        not runs
        or values.args.get("joins")
        or any(None in column or len(column) > 1 for column in shared)
    ):
        return None
    if any(not any(one and one[1] for one in typed) for typed in known):
        return None
    parts: list[exp.Query] = []
    kinds = iter(known)
    for is_run, rows in groupby(values.expressions, key=lambda row: _run_of(row) is not None):
        if is_run:
            parts += [one for row in rows for one in _read(_run_of(row), next(kinds))]
        else:
            parts.append(_spelled(list(rows)))
    made = parts[0]
    for part in parts[1:]:
        made = exp.Union(this=made, expression=part, distinct=False)
    return made


def spell_out(values: exp.Values) -> None:
    """Put a run's constants in its place, where its rows share types that only DuckDB can tell."""
    for row in values.expressions:
        run = _run_of(row)
        if run is not None:
            rows = (duck_sql.listed(map(duck_sql.constant, cells)) for cells in run.constants())
            listed = duck_sql.listed(duck_sql.of("({row})", row=one) for one in rows)
            row.replace(Written(this=listed))


def _run_of(row: exp.Expr) -> ConstantRows | None:
    run: ConstantRows | None = row.meta.get(_RUN)
    return run


def _only(row: exp.Expr) -> str:
    """Return the only constant of a row."""
    inner = row.expressions[0] if len(row.expressions) == 1 else row.this
    return inner.name if isinstance(inner, exp.Literal) else ""


def _is_shown(node: exp.Expr) -> bool:
    """Tell whether the text around a node may become the name of a result's column."""
    while (above := node.parent) is not None:
        if isinstance(above, exp.Select) and node.arg_key == "expressions":
            return True
        node = above
    return False


def _cells(row: exp.Expr) -> list[exp.Expr]:
    return row.expressions if isinstance(row, exp.Tuple) else [row.unnest()]


def _family(cell: exp.Expr) -> str | None:
    """Return what a constant may share a column with; '' for all, None where that is unsure."""
    if isinstance(cell, exp.Null):
        return ""
    found = infer(cell)
    return _FAMILIES.get(found.kind) if found is not None else None


def _typed(constants: Sequence[str]) -> _Typed | None:
    """Return what a column of constants holds; None where it is of several kinds."""
    held = [one for one in constants if one.upper() != "NULL"]
    if not held:
        return "", ""
    if all(one.startswith("'") for one in held):
        return "text", "VARCHAR"
    if all(one.upper() in _BOOLEANS for one in held):
        return "boolean", "BOOLEAN"
    if any(one.startswith("'") or one.upper() in _BOOLEANS for one in held):
        return None
    return _numeric(held)


def _numeric(held: Sequence[str]) -> _Typed | None:
    parts = [one.lstrip("-").partition(".") for one in held]
    whole, scale = max(len(one[0]) for one in parts), max(len(one[2]) for one in parts)
    if whole + scale > 38:
        return None
    if scale:
        return "number", f"DECIMAL({whole + scale}, {scale})"
    return "number", "INTEGER" if whole < 10 else "BIGINT" if whole < 19 else "HUGEINT"


def _spelled(rows: list[exp.Expr]) -> exp.Query:
    alias = exp.TableAlias(this=names.quoted("spelled"))
    source = exp.Values(expressions=rows, alias=alias)
    return exp.Select(expressions=[exp.Star()], from_=exp.From(this=source))


def _read(run: ConstantRows | None, typed: Sequence[_Typed | None]) -> Iterator[exp.Query]:
    """Yield queries over a run's rows."""
    assert run is not None, "only runs are read"
    rows = run.constants()
    shown = [_shown(f"c{i}", one) for i, one in enumerate(typed)]
    shape = duck_sql.text(json.dumps({f"c{i}": ["VARCHAR"] for i in range(run.width)}))
    for first in range(0, len(rows), _TOGETHER):
        columns = zip(*rows[first : first + _TOGETHER], strict=True)
        packed = {f"c{i}": _plain(column) for i, column in enumerate(columns)}
        text = duck_sql.text(json.dumps(packed, ensure_ascii=False))
        read = duck_sql.of("from_json({text}, {shape}) AS held", text=text, shape=shape)
        held = exp.Select(expressions=[Written(this=read)])
        source = exp.Subquery(this=held, alias=exp.TableAlias(this=names.quoted("run")))
        values = [Written(this=value) for value in shown]
        yield exp.Select(expressions=values, from_=exp.From(this=source))


def _shown(column: str, typed: _Typed | None) -> DuckSql:
    if typed is None or not typed[1]:
        return duck_sql.of("NULL")
    kind = duck_sql.kind(typed[1])
    return duck_sql.of("unnest(held.{c})::{kind}", c=duck_sql.name(column), kind=kind)


def _plain(constants: Iterable[str]) -> list[str | None]:
    return [
        None
        if one.upper() == "NULL"
        else one[1:-1].replace("''", "'")
        if one.startswith("'")
        else one
        for one in constants
    ]
