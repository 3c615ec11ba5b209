"""Sequences: NEXTVAL and GETNEXTVAL.

Room: embedded. A sequence is a DuckDB sequence: its numbers are never given twice, and a
transaction that rolls back does not give them back.

See https://docs.snowflake.com/en/user-guide/querying-sequences
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from skills_nb.embedded.authorizer import name_resolution
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.pipeline_details import SequenceDetail
from skills_nb.embedded.catalog.table_details import ColumnDef
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.duck_sql import DuckSql, Place
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types import data_types, names
from skills_nb.embedded.types.inference import data_type

if TYPE_CHECKING:
    from skills_nb.embedded.types.scope import Env


def usable(session: Context, path: tuple[str, ...], env: Env) -> Entity:
    """Return the sequence, which the roles must hold USAGE on.

    Raises:
        SqlError: it is missing or hidden (2003), or only seen (3001).
    """
    full = session.qualify(path, env)
    return name_resolution.usable(session, Kind.SEQUENCE, full, "USAGE", env.roles)


def next_value(session: Context, path: tuple[str, ...], env: Env) -> exp.Expr:
    """Return what stands for `sequence.NEXTVAL`: another number in every row."""
    detail = usable(session, path, env).detail
    assert isinstance(detail, SequenceDetail)
    return _next_of(quoted(detail))


def _next_of(sequence: DuckSql) -> exp.Expr:
    call = exp.Anonymous(this="nextval", expressions=[exp.Literal.string(sequence.text)])
    call.set(names.GOVERNED, True)
    wide = exp.DataType.build("HUGEINT", dialect="duckdb")
    made = exp.Cast(this=call, to=wide)
    made.type = data_type(data_types.INTEGER)
    return made


def next_identity(session: Context, place: Place, column: ColumnDef) -> exp.Expr:
    """Return what stands for the next number of an AUTOINCREMENT column.

    Numbers that rows were given by hand count only in a clone or a copy of an account, which has
    its rows before it counts on.
    """
    name = _identity(place, column.name)
    if session.cursor.execute(_KNOWN, [name]).fetchone() is None:
        count_on(session, place, column)
    return _next_of(duck_sql.place(("_account", name)))


def count_on(session: Context, place: Place, column: ColumnDef) -> None:
    """Let a column count behind the numbers that its rows have: they came from another account."""
    make_identity(session, place, column, _first_free(session, place, column))


def make_identity(session: Context, place: Place, column: ColumnDef, first: int) -> None:
    """Make the DuckDB sequence that numbers a column's rows."""
    _, step = column.identity or (1, 1)
    _make(session, duck_sql.place(("_account", _identity(place, column.name))), step, first)


def _first_free(session: Context, place: Place, column: ColumnDef) -> int:
    start, step = column.identity or (1, 1)
    name = duck_sql.name(column.name)
    last = duck_sql.of("max({c})", c=name) if step > 0 else duck_sql.of("min({c})", c=name)
    asked = duck_sql.of("SELECT {last} FROM {table}", last=last, table=duck_sql.place(place))
    row = session.cursor.execute(asked).fetchone()
    if row is None or row[0] is None:
        return start
    later = int(row[0]) + step
    return max(start, later) if step > 0 else min(start, later)


def _identity(place: Place, column: str) -> str:
    return f"identity {place[0]}.{place[1]} {column}"


_KNOWN = duck_sql.of(
    "SELECT 1 FROM duckdb_sequences() WHERE schema_name = '_account' AND sequence_name = ?"
)
_LEAST, _MOST = -(2**63), 2**63 - 1


def make(session: Context, detail: SequenceDetail, start: int) -> None:
    """Make the DuckDB sequence, or make it anew."""
    _make(session, quoted(detail), detail.increment, start)


def _make(session: Context, name: DuckSql, step: int, start: int) -> None:
    session.run(
        duck_sql.of(
            "CREATE OR REPLACE SEQUENCE {name} INCREMENT BY {step} "
            "MINVALUE {least} MAXVALUE {most} START WITH {start}",
            name=name,
            step=step,
            least=_LEAST,
            most=_MOST,
            start=start,
        )
    )


def next_of(session: Context, detail: SequenceDetail) -> int:
    """Return the number that a sequence gives next."""
    row = session.run(
        duck_sql.of(
            "SELECT coalesce(last_value + increment_by, start_value) FROM duckdb_sequences() "
            "WHERE schema_name = '_account' AND sequence_name = ?"
        ),
        [detail.place],
    ).fetchone()
    assert row is not None
    return int(row[0])


def new_place(session: Context) -> str:
    """Return a name that no DuckDB sequence has had."""
    return f"sequence_{session.account.catalog.new_id()}"


def quoted(detail: SequenceDetail) -> DuckSql:
    """Name the DuckDB sequence, quoted."""
    return duck_sql.place(("_account", detail.place))
