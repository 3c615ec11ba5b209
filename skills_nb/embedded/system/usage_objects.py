"""Stages, file formats, pipes, sequences, functions and procedures in the system's views.

Room: embedded. One table of columns a kind serves both INFORMATION_SCHEMA, which shows what the
role may see, and ACCOUNT_USAGE, which adds numbers and the time of the end.

See https://docs.snowflake.com/en/sql-reference/info-schema
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.catalog.object_details import FileFormatDetail, PipeDetail, StageDetail
from skills_nb.embedded.catalog.pipeline_details import RoutineDetail, SequenceDetail
from skills_nb.embedded.files import formats
from skills_nb.embedded.system.information_schema import Roles, visible
from skills_nb.embedded.system_rows import Rows, laid_out, yes

if TYPE_CHECKING:
    from skills_nb.embedded.lookups import Lookups

_Columns = dict[str, Callable[[Entity], Any]]
"""Column of a view, with its type as `columns_of` reads it, to how it is read."""


def _routine(entity: Entity) -> RoutineDetail:
    assert isinstance(entity.detail, RoutineDetail)
    return entity.detail


def _named(word: str, name: Callable[[Entity], str] = lambda e: e.name) -> _Columns:
    return {
        f"{word}_CATALOG": lambda e: e.path[0],
        f"{word}_SCHEMA": lambda e: e.path[1],
        f"{word}_NAME": name,
        f"{word}_OWNER": lambda e: e.owner,
    }


_TIMES: _Columns = {
    "CREATED:t": lambda e: e.created_on,
    "LAST_ALTERED:t": lambda e: e.altered_on or e.created_on,
    "COMMENT": lambda e: e.comment or None,
}


def _signature(entity: Entity) -> str:
    listed = (f"{a.name} {a.type.data_type}" for a in _routine(entity).arguments)
    return f"({', '.join(listed)})"


def _returned(entity: Entity) -> str:
    detail = _routine(entity)
    if detail.returns is not None:
        return detail.returns.data_type
    return f"TABLE ({', '.join(f'{c.name} {c.type.data_type}' for c in detail.columns)})"


def _of_return(kind: str, field: str) -> Callable[[Entity], Any]:
    """Read a part of what is returned, where it is of that kind."""

    def read(entity: Entity) -> Any:
        returns = _routine(entity).returns
        return getattr(returns, field) if returns is not None and returns.kind == kind else None

    return read


def _routines(word: str) -> _Columns:
    return {
        **_named(word, lambda e: _routine(e).name),
        "ARGUMENT_SIGNATURE": _signature,
        "DATA_TYPE": _returned,
        "CHARACTER_MAXIMUM_LENGTH:n": _of_return("TEXT", "length"),
        "NUMERIC_PRECISION:n": _of_return("FIXED", "precision"),
        "NUMERIC_SCALE:n": _of_return("FIXED", "scale"),
        f"{word}_LANGUAGE": lambda e: _routine(e).language,
        f"{word}_DEFINITION": lambda e: _routine(e).body,
        "IS_SECURE": lambda e: yes(_routine(e).secure),
        "RUNTIME_VERSION": lambda e: _routine(e).runtime or None,
        "PACKAGES": lambda e: _routine(e).packages or None,
        **_TIMES,
    }


def _sequence(entity: Entity) -> SequenceDetail:
    assert isinstance(entity.detail, SequenceDetail)
    return entity.detail


def _stage(entity: Entity) -> StageDetail:
    assert isinstance(entity.detail, StageDetail)
    return entity.detail


def _pipe(entity: Entity) -> PipeDetail:
    assert isinstance(entity.detail, PipeDetail)
    return entity.detail


def _format(entity: Entity) -> FileFormatDetail:
    assert isinstance(entity.detail, FileFormatDetail)
    return entity.detail


COLUMNS: dict[Kind, _Columns] = {
    Kind.FUNCTION: {
        **_routines("FUNCTION"),
        "VOLATILITY": lambda e: _routine(e).volatility or "VOLATILE",
        "IS_NULL_CALL": lambda e: yes(not _routine(e).strict),
        "IS_EXTERNAL": lambda _: "NO",
    },
    Kind.PROCEDURE: _routines("PROCEDURE"),
    Kind.SEQUENCE: {
        **_named("SEQUENCE"),
        "DATA_TYPE": lambda _: "NUMBER",
        "NUMERIC_PRECISION:n": lambda _: 38,
        "NUMERIC_PRECISION_RADIX:n": lambda _: 10,
        "NUMERIC_SCALE:n": lambda _: 0,
        "START_VALUE": lambda e: str(_sequence(e).start),
        "INCREMENT": lambda e: str(_sequence(e).increment),
        "CYCLE_OPTION": lambda _: "NO",
        **_TIMES,
        "ORDERED": lambda e: yes(_sequence(e).ordered),
    },
    Kind.STAGE: {
        **_named("STAGE"),
        "STAGE_URL": lambda e: _stage(e).url or None,
        "STAGE_REGION": lambda _: None,
        "STAGE_TYPE": lambda e: "External Named" if _stage(e).url else "Internal Named",
        "DIRECTORY_ENABLED": lambda e: yes(_stage(e).directory),
        **_TIMES,
    },
    Kind.PIPE: {
        **_named("PIPE"),
        "DEFINITION": lambda e: _pipe(e).body,
        "IS_AUTOINGEST_ENABLED": lambda _: "NO",
        "NOTIFICATION_CHANNEL_NAME": lambda _: None,
        **_TIMES,
    },
    Kind.FILE_FORMAT: {
        **_named("FILE_FORMAT"),
        "FILE_FORMAT_TYPE": lambda e: _format(e).type,
        "FIELD_DELIMITER": lambda e: formats.of_entity(e).field_delimiter,
        "RECORD_DELIMITER": lambda e: formats.of_entity(e).record_delimiter,
        "SKIP_HEADER:n": lambda e: formats.of_entity(e).skip_header,
        "DATE_FORMAT": lambda e: formats.of_entity(e).date_format,
        "TIME_FORMAT": lambda e: formats.of_entity(e).time_format,
        "TIMESTAMP_FORMAT": lambda e: formats.of_entity(e).timestamp_format,
        "TRIM_SPACE": lambda e: yes(formats.of_entity(e).trim_space),
        "NULL_IF": lambda e: str(list(formats.of_entity(e).null_if)),
        "COMPRESSION": lambda e: formats.of_entity(e).compression,
        **_TIMES,
    },
}


def shown(kind: Kind) -> Callable[[Lookups, Roles, str], Rows]:
    """Return the reader of a kind's view in INFORMATION_SCHEMA."""

    def read(session: Lookups, roles: Roles, database: str) -> Rows:
        columns = dict(COLUMNS[kind])
        if kind in (Kind.FUNCTION, Kind.PROCEDURE):
            # Only its owner reads the code of a secure one.
            columns[f"{kind.value}_DEFINITION"] = lambda e: (
                _routine(e).body if not _routine(e).secure or e.owner in roles else None
            )
        return laid_out(columns, visible(session, roles, kind, (database,)))

    return read


def used(kind: Kind) -> Callable[[Lookups], Rows]:
    """Return the reader of a kind's view in ACCOUNT_USAGE."""
    word = kind.value.replace(" ", "_")

    def read(session: Lookups) -> Rows:
        catalog = session.account.catalog

        def number(kind_of_place: Kind, depth: int) -> Callable[[Entity], int | None]:
            def find(entity: Entity) -> int | None:
                place = catalog.find(kind_of_place, entity.path[:depth])
                return place.id if place is not None else None

            return find

        columns: _Columns = {
            f"{word}_ID:n": lambda e: e.id,
            f"{word}_SCHEMA_ID:n": number(Kind.SCHEMA, 2),
            f"{word}_CATALOG_ID:n": number(Kind.DATABASE, 1),
            **COLUMNS[kind],
            "DELETED:t": lambda _: None,
        }
        return laid_out(columns, catalog.within(kind))

    return read
