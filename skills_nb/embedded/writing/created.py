"""Created: the CREATE of an object that nothing hangs on but its comment, by its detail.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/functions/get_ddl
"""

from __future__ import annotations

from skills_nb.embedded import refusals
from skills_nb.embedded.catalog.catalog import Catalog
from skills_nb.embedded.catalog.entities import Entity, WarehouseDetail
from skills_nb.embedded.catalog.object_details import (
    EntryDetail,
    FileFormatDetail,
    PipeDetail,
    StageDetail,
)
from skills_nb.embedded.catalog.pipeline_details import (
    AlertDetail,
    RoutineDetail,
    SequenceDetail,
    StreamDetail,
    TaskDetail,
)
from skills_nb.embedded.catalog.semantic_details import SemanticDetail
from skills_nb.embedded.writing import entries, moving
from skills_nb.embedded.writing.semantic import semantic_view
from skills_nb.embedded.writing.warehouses import warehouse
from skills_nb.sql.identifiers import split_name


def created(catalog: Catalog, entity: Entity, name: str) -> str:
    """Return the CREATE of an object that nothing hangs on but its comment."""
    match entity.detail:
        case SequenceDetail() as detail:
            return moving.sequence(entity, detail, name)
        case StreamDetail() as detail:
            return moving.stream(catalog, entity, detail, name)
        case TaskDetail() as detail:
            return moving.task(catalog, entity, detail, name)
        case AlertDetail() as detail:
            return moving.alert(entity, detail, name)
        case PipeDetail() as detail:
            return moving.pipe(entity, detail, name)
        case FileFormatDetail() as detail:
            return moving.file_format(entity, detail, name)
        case StageDetail() as detail:
            return moving.stage(entity, detail, name)
        case RoutineDetail() as detail:
            return moving.routine(entity, detail, split_name(name))
        case SemanticDetail() as detail:
            return semantic_view(entity, detail, name)
        case WarehouseDetail() as detail:
            return warehouse(entity, detail, name)
        case EntryDetail():
            return entries.entry(entity, name)
        case _:
            raise refusals.unsupported(f"GET_DDL of {entity.kind.value}")
