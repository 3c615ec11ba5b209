"""Written: what moves and holds data beside tables: streams, tasks, pipes, stages, routines, ….

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/functions/get_ddl
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from skills_nb.embedded.catalog.catalog import Catalog
from skills_nb.embedded.catalog.entities import Entity, Kind, TableDetail
from skills_nb.embedded.catalog.object_details import FileFormatDetail, PipeDetail, StageDetail
from skills_nb.embedded.catalog.pipeline_details import (
    AlertDetail,
    RoutineArgument,
    RoutineDetail,
    SequenceDetail,
    StreamDetail,
    TaskDetail,
)
from skills_nb.embedded.writing.values import comment, value
from skills_nb.sql.identifiers import quote, render_name
from skills_nb.sql.tokens import literal

_HEAD = "create or replace "


def sequence(entity: Entity, detail: SequenceDetail, name: str, start: int | None = None) -> str:
    """Write a sequence; `start` for one that goes on where this one is."""
    first = detail.start if start is None else start
    order = "order" if detail.ordered else "noorder"
    return (
        f"{_HEAD}sequence {name} start with {first} increment by {detail.increment} {order}"
        f"{comment(entity)}"
    )


def stream(catalog: Catalog, entity: Entity, detail: StreamDetail, name: str) -> str:
    """Write a stream, which begins when the statement runs."""
    source = catalog.by_id(detail.source_id)
    on = "table <dropped>" if source is None else f"{_source(source)} {render_name(source.path)}"
    flags = [
        f" {key} = true"
        for key, is_on in (
            ("append_only", detail.append_only),
            ("show_initial_rows", detail.show_initial_rows),
        )
        if is_on
    ]
    return f"{_HEAD}stream {name} on {on}{''.join(flags)}{comment(entity)}"


def _source(source: Entity) -> str:
    return "view" if source.kind is Kind.VIEW else source.kind.value.lower()


def task(catalog: Catalog, entity: Entity, detail: TaskDetail, name: str) -> str:
    """Write a task; it is suspended when it is made."""
    parts = [f"{_HEAD}task {name}"]
    parts += [f"\t{key.lower()} = {value(given)}" for key, given in _task_options(detail)]
    finalized = catalog.by_id(detail.finalizes) if detail.finalizes else None
    if finalized is not None:
        parts.append(f"\tfinalize = {render_name(finalized.path)}")
    if entity.comment:
        parts.append(comment(entity, "\t"))
    after = [t for t in (catalog.by_id(number) for number in detail.after) if t is not None]
    if after:
        parts.append(f"\tafter {', '.join(render_name(t.path) for t in after)}")
    if detail.when:
        parts.append(f"\twhen {detail.when}")
    return "\n".join([*parts, f"\tas {detail.body}"])


def graph_order(tasks: Iterable[Entity]) -> list[Entity]:
    """Put tasks behind those that they follow or finalize."""
    waiting = sorted(tasks, key=lambda entity: entity.id)
    found: list[Entity] = []
    while waiting:
        numbers = {entity.id for entity in waiting}
        ready = [entity for entity in waiting if not numbers & _before(entity)]
        found += ready
        waiting = [entity for entity in waiting if entity not in ready]
    return found


def _before(entity: Entity) -> set[int]:
    detail = entity.detail
    return {*detail.after, detail.finalizes} if isinstance(detail, TaskDetail) else set()


def _task_options(detail: TaskDetail) -> list[tuple[str, Any]]:
    usual = TaskDetail("")
    listed = [
        ("WAREHOUSE", detail.warehouse, usual.warehouse),
        ("USER_TASK_MANAGED_INITIAL_WAREHOUSE_SIZE", detail.managed_size, usual.managed_size),
        ("SCHEDULE", detail.schedule, usual.schedule),
        ("CONFIG", detail.config, usual.config),
        ("ALLOW_OVERLAPPING_EXECUTION", detail.allow_overlap, usual.allow_overlap),
        ("SUSPEND_TASK_AFTER_NUM_FAILURES", detail.suspend_after, usual.suspend_after),
        ("TASK_AUTO_RETRY_ATTEMPTS", detail.auto_retry, usual.auto_retry),
        ("USER_TASK_TIMEOUT_MS", detail.timeout_ms, usual.timeout_ms),
    ]
    return [(key, given) for key, given, default in listed if given != default]


def alert(entity: Entity, detail: AlertDetail, name: str) -> str:
    """Write an alert; it is suspended when it is made."""
    options = [("warehouse", detail.warehouse), ("schedule", detail.schedule)]
    listed = "".join(f"\n\t{key} = {value(given)}" for key, given in options if given)
    return (
        f"{_HEAD}alert {name}{listed}{comment(entity, chr(10) + chr(9))}\n"
        f"\tif (exists ({detail.condition}))\n\tthen {detail.action}"
    )


def pipe(entity: Entity, detail: PipeDetail, name: str) -> str:
    """Write a pipe."""
    return f"{_HEAD}pipe {name}{comment(entity)} as {detail.body}"


def file_format(entity: Entity, detail: FileFormatDetail, name: str) -> str:
    """Write a file format."""
    return (
        f"{_HEAD}file format {name} type = {detail.type}{_options(detail.options)}{comment(entity)}"
    )


def _options(packed: str) -> str:
    return "".join(f" {key} = {value(given)}" for key, given in json.loads(packed).items())


def stage(entity: Entity, detail: StageDetail, name: str) -> str:
    """Write a stage, without its files; credentials are not known."""
    parts = [f"{_HEAD}stage {name} encryption = (type = {literal(detail.encryption)})"]
    if detail.url:
        parts = [f"{_HEAD}stage {name} url = {literal(detail.url)}"]
    if detail.integration:
        parts.append(f"storage_integration = {quote(detail.integration)}")
    if detail.directory:
        parts.append("directory = (enable = true)")
    given = json.loads(detail.file_format)
    if given:
        parts.append(f"file_format = {value(given)}")
    copying = json.loads(detail.copy_options)
    if copying:
        parts.append(f"copy_options = {value(copying)}")
    return " ".join(parts) + comment(entity)


def dynamic_table(entity: Entity, detail: TableDetail, name: str, attached: str) -> str:
    """Write a dynamic table; `attached` is what hangs on it."""
    part = detail.dynamic
    assert part is not None
    columns = ", ".join(
        quote(c.name) + (f" comment {literal(c.comment)}" if c.comment else "")
        for c in detail.columns
    )
    transient = "transient " if detail.transient else ""
    cluster = f" cluster by {detail.cluster_by}" if detail.cluster_by else ""
    return (
        f"{_HEAD}{transient}dynamic table {name} ({columns})"
        f" target_lag = {literal(part.target_lag)}"
        f" refresh_mode = {part.asked_mode} initialize = {part.initialize}"
        f" warehouse = {quote(part.warehouse)}{cluster}{attached}{comment(entity)}"
        f" as\n{part.query}"
    )


def routine(entity: Entity, detail: RoutineDetail, name: tuple[str, ...]) -> str:
    """Write a function or procedure; the last part of its name is that of all its overloads."""
    secure = "secure " if detail.secure else ""
    words = [f"{_HEAD}{secure}{entity.kind.value.lower()} {render_name((*name[:-1], detail.name))}"]
    words[0] += f"({', '.join(_argument(a) for a in detail.arguments)})"
    columns = ", ".join(f"{quote(c.name)} {c.type.sql}" for c in detail.columns)
    returned = detail.returns.sql if detail.returns is not None else f"table ({columns})"
    words.append(f"returns {returned}" + (" not null" if detail.not_null else ""))
    words.append(f"language {detail.language}")
    words += [
        word for word in ("strict" if detail.strict else "", detail.volatility.lower()) if word
    ]
    if detail.language == "PYTHON":
        listed = [part.strip() for part in detail.packages.split(",") if part.strip()]
        words.append(f"runtime_version = {literal(detail.runtime)}")
        words.append(f"packages = {value(listed)}")
        words.append(f"handler = {literal(detail.handler)}")
    if entity.comment:
        words.append(comment(entity, ""))
    if entity.kind is Kind.PROCEDURE:
        words.append(f"execute as {'caller' if detail.caller else 'owner'}")
    return "\n".join([*words, f"as {literal(detail.body)}"])


def _argument(argument: RoutineArgument) -> str:
    default = f" default {argument.default}" if argument.default is not None else ""
    mode = " out" if argument.gives_back else ""
    return f"{quote(argument.name)}{mode} {argument.type.sql}{default}"
