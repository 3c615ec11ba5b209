"""Sequences.

Room: embedded. A clone goes on where its source is, and so does what an export makes.

See https://docs.snowflake.com/en/sql-reference/sql/create-sequence
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer.parameters import effective
from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.pipeline_details import SequenceDetail
from skills_nb.embedded.objects import properties
from skills_nb.embedded.objects.ddl_words import comment, written_name
from skills_nb.embedded.objects.lifecycle import creation
from skills_nb.embedded.objects.object_kind import (
    Cloning,
    Columns,
    Exporting,
    Listing,
    ObjectKind,
    Phase,
    Row,
    SystemView,
    register,
)
from skills_nb.embedded.objects.view_columns import TIMES, named
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.time_travel.sequences import make, new_place, next_of, quoted
from skills_nb.embedded.types.system_rows import yes
from skills_nb.embedded.types.values import Outcome
from skills_nb.sql.governance import ast
from skills_nb.sql.identifiers import render_name


def detail_of(sequence: Entity) -> SequenceDetail:
    """Return a sequence's detail."""
    assert isinstance(sequence.detail, SequenceDetail)
    return sequence.detail


def create(session: Context, statement: ast.CreateSequence) -> Outcome:
    """Make a sequence, with its place where it counts.

    Raises:
        SqlError: it would stand still (1008), or has a property (1420).
    """
    properties.none(statement.properties)
    if statement.increment == 0:
        raise errors.invalid_value("0", "INCREMENT")

    def detail() -> SequenceDetail:
        ordered = statement.ordered
        if ordered is None:
            ordered = not effective(session, "NOORDER_SEQUENCE_AS_DEFAULT")
        made = SequenceDetail(new_place(session), statement.start, statement.increment, ordered)
        make(session, made, made.start)
        return made

    return creation.create(session, statement, Kind.SEQUENCE, detail)


def alter(session: Context, entity: Entity, action: Any) -> bool:
    """See https://docs.snowflake.com/en/sql-reference/sql/alter-sequence.

    Raises:
        SqlError: it would stand still (1008), or has an unknown property (1420).
    """
    detail = detail_of(entity)
    if not isinstance(action, ast.SetProperties):
        return False
    given = dict(action.properties)
    step = given.pop("INCREMENT", detail.increment)
    ordered = given.pop("ORDER", detail.ordered)
    if not isinstance(step, int) or step == 0:
        raise errors.invalid_value(str(step), "INCREMENT")
    if len(given) == len(action.properties):
        return False
    properties.none({k: v for k, v in given.items() if k != "COMMENT"})
    following = next_of(session, detail)
    made = replace(detail, increment=step, ordered=bool(ordered))
    make(session, made, following)
    said = str(given.get("COMMENT", entity.comment) or "")
    session.account.catalog.change(entity, detail=made, comment=said)
    return True


def _drop(session: Context, sequence: Entity) -> None:
    """Take a sequence out, and the place where it counts."""
    session.run(duck_sql.of("DROP SEQUENCE {name}", name=quoted(detail_of(sequence))))
    session.account.catalog.forget(sequence)


def _row(session: Context, e: Entity) -> Row:
    """See https://docs.snowflake.com/en/sql-reference/sql/show-sequences."""
    d = detail_of(e)
    return (
        e.name,
        e.path[0],
        e.path[1],
        next_of(session, d),
        d.increment,
        e.created_on,
        e.owner,
        e.comment,
        "ROLE",
        "Y" if d.ordered else "N",
    )


def _ddl(session: Context, entity: Entity, qualified: bool) -> str:
    return _written(entity, written_name(entity, qualified=qualified), detail_of(entity).start)


def _going_on(session: Context, entity: Entity) -> str:
    return _written(entity, render_name(entity.path), next_of(session, detail_of(entity)))


def _written(entity: Entity, name: str, start: int) -> str:
    detail = detail_of(entity)
    order = "order" if detail.ordered else "noorder"
    return (
        f"create or replace sequence {name} start with {start} increment by {detail.increment} "
        f"{order}{comment(entity)}"
    )


def _copy(session: Context, detail: SequenceDetail, copies: Mapping[int, int]) -> SequenceDetail:
    made = replace(detail, place=new_place(session))
    make(session, made, next_of(session, detail))
    return made


_COLUMNS: Columns = {
    **named("SEQUENCE"),
    "DATA_TYPE": lambda _: "NUMBER",
    "NUMERIC_PRECISION:n": lambda _: 38,
    "NUMERIC_PRECISION_RADIX:n": lambda _: 10,
    "NUMERIC_SCALE:n": lambda _: 0,
    "START_VALUE": lambda e: str(detail_of(e).start),
    "INCREMENT": lambda e: str(detail_of(e).increment),
    "CYCLE_OPTION": lambda _: "NO",
    **TIMES,
    "ORDERED": lambda e: yes(detail_of(e).ordered),
}
_LISTING = Listing(
    "name database_name schema_name next_value:n interval:n created_on:t owner comment "
    "owner_role_type ordered",
    _row,
)
register(
    ObjectKind(
        kind=Kind.SEQUENCE,
        plurals=("SEQUENCES",),
        create={ast.CreateSequence: create},
        alter=alter,
        drop=_drop,
        listing=_LISTING,
        describe=_LISTING.one,
        ddl=_ddl,
        is_in_schema_ddl=True,
        privileges=("USAGE",),
        clone=Cloning("USAGE", copy=_copy),
        export=Exporting(Phase.EARLY, create=_going_on),
        view=SystemView(_COLUMNS),
    )
)
