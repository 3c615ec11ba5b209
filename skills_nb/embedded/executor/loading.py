"""Loading: COPY INTO a table.

Room: embedded. Every file is cut into rows, every row is converted column by column; what does not
fit is dealt with as ON_ERROR says. Good rows go the way of INSERT, with its checks and rights.

See https://docs.snowflake.com/en/sql-reference/sql/copy-into-table
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.entities import ColumnDef
from skills_nb.embedded.errors import files as wrong
from skills_nb.embedded.executor import dml
from skills_nb.embedded.executor.load_options import LoadOptions, options_of
from skills_nb.embedded.executor.shaping import FileRows, shaped, transformed
from skills_nb.embedded.parser import file_statements, parsing
from skills_nb.embedded.parser.stage_locations import Location
from skills_nb.embedded.parser.stage_locations import read as read_location
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.files import formats, reading, records
from skills_nb.embedded.storage.files.files import StagedFile
from skills_nb.embedded.storage.files.formats import Format
from skills_nb.embedded.storage.files.opening import OpenStage, opened
from skills_nb.embedded.storage.time_travel import writes
from skills_nb.embedded.translator.rows import borrowed, out_columns
from skills_nb.embedded.types import names
from skills_nb.embedded.types.outcomes import status
from skills_nb.embedded.types.result_columns import columns_of
from skills_nb.embedded.types.scope import HeldRows, OutColumn
from skills_nb.embedded.types.values import Column, Outcome

if TYPE_CHECKING:
    from skills_nb.embedded.types.scope import Env

__all__ = ["copy_into", "location_of", "options_of", "rejected", "target_of"]
ANSWER = (
    "file status rows_parsed:n rows_loaded:n error_limit:n errors_seen:n first_error "
    "first_error_line:n first_error_character:n first_error_column_name"
)
ERRORS = (
    "ERROR FILE LINE:n CHARACTER:n BYTE_OFFSET:n CATEGORY CODE:n SQL_STATE COLUMN_NAME "
    "ROW_NUMBER:n ROW_START_LINE:n REJECTED_RECORD"
)


def target_of(session: Context, statement: file_statements.Load) -> dml.Target:
    """Return the table to load into, which the role must hold INSERT on."""
    parts = [names.quoted(part) for part in session.qualify(statement.table)]
    return dml.target_of(session, exp.Table(this=parts[2], db=parts[1], catalog=parts[0]), "INSERT")


def location_of(statement: file_statements.Load) -> Location:
    """Return where files come from, named directly or in a query."""
    if statement.location is not None:
        return statement.location
    return read_location(_written_location(_transformation(statement)))


def _transformation(statement: file_statements.Load) -> exp.Select:
    query = parsing.parse_query(statement.query or "")
    if not isinstance(query, exp.Select):
        raise errors.unsupported("COPY transformation other than SELECT")
    for part in ("where", "group", "having", "qualify", "order", "limit", "joins", "with_"):
        if query.args.get(part):
            raise errors.unsupported(f"COPY transformation with {part.rstrip('_').upper()}")
    return query


def _written_location(query: exp.Select) -> str:
    source = query.args.get("from_")
    found = (
        reading.location_in(source.this) if source and isinstance(source.this, exp.Table) else None
    )
    if found is None:
        raise errors.unsupported("COPY transformation without a stage in FROM")
    return found


def copy_into(
    session: Context, statement: file_statements.Load, pipe_id: int | None = None
) -> Outcome:
    """Load files into a table."""
    target = target_of(session, statement)
    columns = dml.listed_columns(target, statement.columns)
    stage = opened(session, location_of(statement), "READ", session.env())
    options = options_of({**formats.unpacked(stage.detail.copy_options), **statement.options})
    form = _format(session, stage, options, session.env())
    listed = _wanted(stage, options)
    if options.validation_mode:
        return _validated(session, statement, columns, listed, form, options)
    known = _known(session, target, stage, options)
    fresh = [file for file in listed if (file.name, file.digest) not in known]
    if not fresh:
        return status("Copy executed with 0 files processed.", "COPY")
    read = [_read(session, statement, columns, file, form, options) for file in fresh]
    writes.note(session, target.detail.place)
    rows = [_load(session, target, stage, found, options, pipe_id) for found in read]
    if options.purge:
        _purge(session, statement, fresh)
    return Outcome(columns_of(ANSWER), tuple(rows), "COPY", sum(int(row[3]) for row in rows))


def _known(
    session: Context, target: dml.Target, stage: OpenStage, options: LoadOptions
) -> frozenset[tuple[str, str]]:
    if options.force:
        return frozenset()
    return records.loaded(session, target.entity.id, stage.title, session.account.clock())


def _format(session: Context, stage: OpenStage, options: LoadOptions, env: Env) -> Format:
    own = formats.of_stage(stage.detail)
    given = options.file_format
    if formats.given_name(given) is None and "TYPE" not in given:
        given = {**own, **given}
    return reading.format_of(session, given, env)


def _wanted(stage: OpenStage, options: LoadOptions) -> list[StagedFile]:
    if options.files:
        return stage.named(options.files)
    return stage.files(options.pattern)


def _purge(session: Context, statement: file_statements.Load, loaded: list[StagedFile]) -> None:
    """Delete files that were loaded, as far as the role may write to the stage."""
    opened(session, location_of(statement), "WRITE", session.env())
    for file in loaded:
        file.place.unlink()


# ---- one file


def _read(
    session: Context,
    statement: file_statements.Load,
    columns: tuple[ColumnDef, ...],
    file: StagedFile,
    form: Format,
    options: LoadOptions,
) -> FileRows:
    if statement.query is not None:
        return transformed(session, _transformation(statement), columns, file, form)
    return shaped(columns, bool(statement.columns), file, form, options)


def _load(
    session: Context,
    target: dml.Target,
    stage: OpenStage,
    found: FileRows,
    options: LoadOptions,
    pipe_id: int | None,
) -> tuple[Any, ...]:
    """Insert a file's good rows as ON_ERROR says; return the file's row of the answer."""
    refused = found.errors
    if refused and options.stops(len(refused), found.parsed):
        if options.on_error == "ABORT_STATEMENT":
            raise reading.bad_row(refused[0], stage.shown + found.file.name)
        state, count = "LOAD_FAILED", 0
    else:
        count = _insert(session, target, found)
        state = "PARTIALLY_LOADED" if refused else "LOADED"
    first = refused[0] if refused else None
    trouble = first.trouble if first else None
    said = trouble.message if trouble else None
    limit = options.error_limit(found.parsed)
    line, name = (first.line if first else None), (trouble.column if trouble else None)
    made = records.LoadRecord(
        target.entity.id,
        stage.title,
        found.file.name,
        found.file.digest,
        found.file.size,
        session.account.clock(),
        state,
        count,
        found.parsed,
        len(refused),
        limit,
        said,
        line,
        name,
        pipe_id,
    )
    records.add(session, made)
    shown = stage.shown + found.file.name
    place = 1 if first else None
    return shown, state, found.parsed, count, limit, len(refused), said, line, place, name


def insert_rows(
    session: Context,
    target: dml.Target,
    columns: tuple[ColumnDef, ...],
    rows: tuple[tuple[Any, ...], ...],
) -> int:
    """Insert rows at hand into a table; return how many."""
    if not rows:
        return 0
    query, found = session.as_query(_shown(columns), rows)
    return _inserted(session, target, columns, query, found)


def _insert(session: Context, target: dml.Target, found: FileRows) -> int:
    """Insert what a file offers; return how many rows."""
    if found.at_once is None:
        return insert_rows(session, target, found.columns, found.rows)
    with session.cursor.borrowed(found.at_once):
        query = borrowed(_shown(found.columns))
        out = out_columns(_shown(found.columns))
        return _inserted(session, target, found.columns, query, out)


def _shown(columns: tuple[ColumnDef, ...]) -> tuple[Column, ...]:
    return tuple(Column(c.name, c.type, c.nullable) for c in columns)


def _inserted(
    session: Context,
    target: dml.Target,
    columns: tuple[ColumnDef, ...],
    query: exp.Query,
    found: tuple[OutColumn, ...],
) -> int:
    alias = exp.TableAlias(this=names.quoted("L"))
    source = exp.select("*").from_(HeldRows(this=query, alias=alias, found=found))
    path = [names.quoted(part) for part in target.entity.path]
    table = exp.Table(this=path[2], db=path[1], catalog=path[0])
    listed = [names.quoted(c.name) for c in columns]
    tree = exp.Insert(this=exp.Schema(this=table, expressions=listed), expression=source)
    return dml.insert(session, tree).row_count


# ---- VALIDATION_MODE


def _validated(
    session: Context,
    statement: file_statements.Load,
    columns: tuple[ColumnDef, ...],
    listed: list[StagedFile],
    form: Format,
    options: LoadOptions,
) -> Outcome:
    """Say what a load would do, without doing it."""
    if statement.query is not None:
        raise errors.unsupported("VALIDATION_MODE with a COPY transformation")
    if options.match_by != "NONE":
        raise errors.invalid_property("MATCH_BY_COLUMN_NAME cannot be used with VALIDATION_MODE.")
    read = [_read(session, statement, columns, file, form, options) for file in listed]
    troubled = [(found.file, row) for found in read for row in found.errors]
    if options.validation_mode == "RETURN_ROWS":
        if troubled:
            raise reading.bad_row(troubled[0][1], troubled[0][0].name)
        rows = tuple(row for found in read for row in found.rows)[: options.validation_rows]
        return Outcome(_shown(columns), rows, "COPY", len(rows))
    lines = tuple(_error_row(file, row) for file, row in troubled)
    return Outcome(columns_of(ERRORS), lines, "COPY", len(lines))


def rejected(
    session: Context,
    statement: file_statements.Load,
    loaded: frozenset[tuple[str, str]],
    env: Env,
) -> tuple[tuple[Any, ...], ...]:
    """Return the rows that a past load has left out of files, given by name and digest.

    Raises:
        SqlError: the load transformed its rows (0A000), or a file is gone or has changed (100181).

    See https://docs.snowflake.com/en/sql-reference/functions/validate
    """
    if statement.query is not None:
        raise errors.unsupported("VALIDATE of a COPY transformation")
    columns = dml.listed_columns(target_of(session, statement), statement.columns)
    stage = opened(session, location_of(statement), "READ", env)
    options = options_of({**formats.unpacked(stage.detail.copy_options), **statement.options})
    if options.on_error == "ABORT_STATEMENT":
        return ()
    form = _format(session, stage, options, env)
    known = {(file.name, file.digest): file for file in stage.files()}
    if gone := sorted(loaded - known.keys()):
        raise wrong.file_missing(stage.shown + gone[0][0])
    read = [_read(session, statement, columns, known[one], form, options) for one in sorted(loaded)]
    return tuple(_error_row(found.file, row) for found in read for row in found.errors)


def _error_row(file: StagedFile, row: Any) -> tuple[Any, ...]:
    trouble = row.trouble
    place: Mapping[str, int] = {"line": row.line}
    return (
        trouble.message,
        file.name,
        place["line"],
        1,
        0,
        "conversion" if trouble.column else "parsing",
        trouble.code,
        trouble.sqlstate,
        trouble.column,
        row.line,
        row.line,
        row.raw,
    )
