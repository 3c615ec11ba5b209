"""Reading: staged files as a source of queries, and what INFER_SCHEMA sees in them.

Room: embedded. A location in FROM becomes rows at hand, once the roles of that place (the caller's,
or a view owner's) may read the stage.

See https://docs.snowflake.com/en/user-guide/querying-stage
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.errors import files as wrong
from skills_nb.embedded.parser import stage_locations
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.files import formats
from skills_nb.embedded.storage.files.files import StagedFile
from skills_nb.embedded.storage.files.formats import Format
from skills_nb.embedded.storage.files.opening import OpenStage, opened
from skills_nb.embedded.storage.files.rows import ParsedRow, document_text, rows_of
from skills_nb.embedded.types import data_types, names
from skills_nb.embedded.types.scope import Env
from skills_nb.embedded.types.system_rows import Table
from skills_nb.embedded.types.values import Column

METADATA = (
    Column("METADATA$FILENAME", data_types.TEXT),
    Column("METADATA$FILE_ROW_NUMBER", data_types.INTEGER),
    Column("METADATA$FILE_CONTENT_KEY", data_types.TEXT),
    Column("METADATA$FILE_LAST_MODIFIED", data_types.NTZ),
    Column("METADATA$START_SCAN_TIME", data_types.LTZ),
)
HIDDEN = frozenset(c.name for c in METADATA)
ONLY_FILE = "only_file"
"""Argument of a table node: the one file that a load reads now; no text parses to it."""
DEFAULT_FORMAT = "default_format"
"""Argument of a table node: the format that a load's options say."""


def location_in(node: exp.Table) -> str | None:
    """Return the location that stands in FROM; None for tables."""
    inner = node.this
    is_written = isinstance(inner, exp.Var) or (isinstance(inner, exp.Literal) and inner.is_string)
    found = str(inner.name) if is_written else ""
    return found if stage_locations.is_location(found) else None


def staged(session: Context, node: exp.Table, written: str, env: Env) -> Table:
    """Return the rows of the files at a location.

    Raises:
        SqlError: there is no file (100181), or a row cannot be read.
    """
    location = stage_locations.read(written)
    stage = opened(session, location, "READ", env)
    form = _format(session, node, stage, env)
    only = node.args.get(ONLY_FILE)
    listed = [only] if only is not None else stage.files(_pattern(node))
    if only is None and not listed:
        raise wrong.file_missing(written)
    width = _widest_position(node)
    return rows_at_hand(session, listed, form, width)


def rows_at_hand(session: Context, listed: Iterable[StagedFile], form: Format, width: int) -> Table:
    """Read files into columns `$1`, `$2`, … and the metadata columns.

    Raises:
        SqlError: a row cannot be read (the trouble's own number).
    """
    now = session.account.clock()
    found: list[tuple[tuple[Any, ...], tuple[Any, ...]]] = []
    for file in listed:
        told = (file.digest, file.modified.replace(tzinfo=None), now)
        for number, row in enumerate(rows_of(file.place.read_bytes(), file.name, form), start=1):
            if row.trouble is not None:
                raise bad_row(row, file.name)
            values = row.values if form.type == "CSV" else (document_text(row.values[0]),)
            found.append((values, (file.name, number, *told)))
    wide = max([width, *(len(values) for values, _ in found)])
    kind = data_types.TEXT if form.type == "CSV" else data_types.VARIANT
    columns = (*(Column(f"${i}", kind) for i in range(1, wide + 1)), *METADATA)
    rows = tuple((*v, *((None,) * (wide - len(v))), *told) for v, told in found)
    return columns, rows


def bad_row(row: ParsedRow, file: str) -> Exception:
    """Return the error of a row that stops a statement."""
    assert row.trouble is not None
    trouble = row.trouble
    return wrong.bad_row(
        trouble.message, trouble.code, trouble.sqlstate, file, row.line, trouble.column
    )


def _widest_position(node: exp.Table) -> int:
    """Return the highest `$n` that the query asks for: columns that a file lacks are NULL."""
    select = node.find_ancestor(exp.Select)
    positions = [
        int(found.name)
        for found in (select.find_all(exp.Parameter) if select is not None else ())
        if found.name.isdigit()
    ]
    return max(positions, default=1)


def _pattern(node: exp.Table) -> str | None:
    pattern = node.args.get("pattern")
    return str(pattern.name) if pattern is not None else None


def _format(session: Context, node: exp.Table, stage: OpenStage, env: Env) -> Format:
    given = node.args.get(DEFAULT_FORMAT)
    if given is not None:
        assert isinstance(given, Format)
        return given
    written = node.args.get("format")
    if written is None:
        return format_of(session, formats.of_stage(stage.detail), env)
    name = written.name if isinstance(written, exp.Literal) else None
    path = names.typed_path(name) if name is not None else names.table_path(written)
    return replace(formats.named(session, path, env.roles, session.qualify(path, env)))


def format_of(session: Context, given: Any, env: Env) -> Format:
    """Return the format that options say, by name or in full.

    Raises:
        SqlError: FORMAT_NAME is given with another TYPE (1420), or there is no such format (2003).
    """
    name = formats.given_name(given)
    if name is None:
        return formats.read(given)
    made = formats.named(session, name, env.roles, session.qualify(name, env))
    if "TYPE" in given and formats.type_of(given) != made.type:
        raise errors.invalid_property("FORMAT_NAME and TYPE are mutually exclusive.")
    return formats.read({k: v for k, v in given.items() if k != "FORMAT_NAME"}, made)
