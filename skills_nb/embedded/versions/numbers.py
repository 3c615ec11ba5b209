"""Sequences: NEXTVAL and GETNEXTVAL.

Room: embedded. A sequence is a DuckDB sequence: its numbers are never given twice, and a
transaction that rolls back does not give them back.

See https://docs.snowflake.com/en/user-guide/querying-sequences
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from skills_nb.embedded import names, refusals, types
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.pipeline_details import SequenceDetail
from skills_nb.embedded.inference import data_type

if TYPE_CHECKING:
    from skills_nb.embedded.lookups import Lookups
    from skills_nb.embedded.scope import Env


def usable(session: Lookups, path: tuple[str, ...], env: Env) -> Entity:
    """Return the sequence, which the roles must hold USAGE on.

    Raises:
        SqlError: it is missing, hidden, or only seen.
    """
    full = session.qualify(path, env)
    rights = session.account.rights
    found = session.account.catalog.find(Kind.SEQUENCE, full)
    if found is None or not (
        rights.reachable(env.roles, found) and rights.has_any(env.roles, found)
    ):
        raise refusals.not_found("Sequence", full)
    if not rights.has(env.roles, "USAGE", found):
        raise refusals.insufficient_privileges("SEQUENCE", found.name)
    return found


def next_value(session: Lookups, path: tuple[str, ...], env: Env) -> exp.Expr:
    """Return what stands for `sequence.NEXTVAL`: another number in every row."""
    detail = usable(session, path, env).detail
    assert isinstance(detail, SequenceDetail)
    call = exp.Anonymous(this="nextval", expressions=[exp.Literal.string(quoted(detail))])
    call.set(names.GOVERNED, True)
    wide = exp.DataType.build("HUGEINT", dialect="duckdb")
    made = exp.Cast(this=call, to=wide)
    made.type = data_type(types.INTEGER)
    return made


_LEAST, _MOST = -(2**63), 2**63 - 1


def make(session: Lookups, detail: SequenceDetail, start: int) -> None:
    """Make the DuckDB sequence, or make it anew."""
    session.run(
        f"CREATE OR REPLACE SEQUENCE {quoted(detail)} INCREMENT BY {detail.increment} "
        f"MINVALUE {_LEAST} MAXVALUE {_MOST} START WITH {start}"
    )


def next_of(session: Lookups, detail: SequenceDetail) -> int:
    """Return the number that a sequence gives next."""
    row = session.run(
        "SELECT coalesce(last_value + increment_by, start_value) FROM duckdb_sequences() "
        "WHERE schema_name = '_account' AND sequence_name = ?",
        [detail.place],
    ).fetchone()
    assert row is not None
    return int(row[0])


def new_place(session: Lookups) -> str:
    """Return a name that no DuckDB sequence has had."""
    return f"sequence_{session.account.catalog.new_id()}"


def quoted(detail: SequenceDetail) -> str:
    """Name the DuckDB sequence, quoted."""
    return f'"_account"."{detail.place}"'
