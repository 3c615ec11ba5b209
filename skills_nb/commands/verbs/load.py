"""The verb `load`: a person's own data become a table, by a plan on a thread.

Room: commands. On the embedded account a new table is made at once, since the command said it all;
rows for a table that is there, and any other account, wait for the approval of the plan.
"""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from skills_nb.commands.loads import staging
from skills_nb.commands.loads.columns import LoadColumn, inferred, notes_of, stored_names
from skills_nb.commands.loads.sources import read_source
from skills_nb.commands.loads.staging import Fitted, Staged
from skills_nb.commands.loads.table_fits import fit_for
from skills_nb.commands.loads.tabled import Rejected, Tabled
from skills_nb.commands.loads.targets import Target, look_up, place_of, refuse_without_right
from skills_nb.commands.reply import Reply
from skills_nb.commands.verbs.thread_reply import reply_of
from skills_nb.errors import UsageError
from skills_nb.sql.identifiers import quote

if TYPE_CHECKING:
    from skills_nb.commands.app_context import AppContext
    from skills_nb.model.state import PlanState, ThreadState
    from skills_nb.views.threads.row_samples import Sample

_SHOWN_ROWS, _SHOWN_COLUMNS, _SHOWN_REJECTED = 3, 40, 5
_NANOSECONDS = re.compile(r"\.\d{6}0*[1-9]")
_PRIMITIVE = "bulk-data-transfer"


@dataclass(frozen=True, slots=True)
class _Load:
    """Everything that is known before anything is sent."""

    data: Tabled
    target: Target
    columns: tuple[LoadColumn, ...]
    made: Fitted
    notes: tuple[str, ...]


def load(app: AppContext, words: Namespace, cell: str | None) -> Reply:
    """Load a file or a DataFrame into a table.

    Raises:
        UsageError: it cannot be read or holds nothing, the table is there and nobody said what to
            do with it, or the role may not do it. Nothing is created then.
    """
    wiring = app.wiring
    data = read_source(words.source, wiring.variables, has_header=not words.no_header)
    is_embedded = wiring.connection.kind == "embedded"
    parts, makes = place_of(wiring.session, words.into, words.source, is_embedded=is_embedded)
    target = look_up(wiring.session, parts, makes_database=makes)
    _refuse_silent_change(target, words)
    refuse_without_right(wiring.session, target, wiring.session.context())
    found = _prepared(data, target)
    if is_embedded:
        found = replace(found, notes=(*found.notes, *_cut_here(found)))
    staging.sweep(wiring.home, _is_over(app))
    files = staging.staged(wiring.home, data, found.made, len(wiring.store.heads()))
    plan = _plan(found, files)
    thread_id = wiring.conductor.propose(plan, dry_run=words.dry_run)
    staging.remember(files, thread_id)
    state = wiring.conductor.advance(thread_id)
    waits = words.dry_run or getattr(words, "waits", False)
    if is_embedded and not target.columns and not waits:
        state = _gone_through(app, state, words)
        staging.sweep(wiring.home, _is_over(app))
    return _shown(reply_of(app, state), found, files)


def _refuse_silent_change(target: Target, words: Namespace) -> None:
    if target.columns and not words.append:
        other = quote(f"{target.parts[2]}_2")
        raise UsageError(
            f"{target.fqn} is there already, and nothing is overwritten",
            hint=f"add the rows to it with --append, or choose another name: "
            f"--into {target.schema}.{other}",
        )
    if words.append and not target.columns:
        raise UsageError(
            f"there is no table {target.fqn} to append to", hint="leave --append out to make it"
        )


def _is_over(app: AppContext) -> Callable[[str], bool]:
    """Return what tells of a thread's id whether that thread has ended."""
    known = {head.thread_id for head in app.wiring.store.heads()}
    load_thread = app.wiring.conductor.load
    return lambda thread_id: thread_id in known and load_thread(thread_id).is_over


# ---- what is loaded


def _prepared(data: Tabled, target: Target) -> _Load:
    """Fit the rows to the table's columns.

    Raises:
        UsageError: there is nothing to load.
    """
    if not data.rows and not data.rejected:
        raise UsageError(
            f"{data.source} has names of columns and no rows",
            hint="nothing was created; an empty table is made with CREATE TABLE",
        )
    if target.columns:
        columns, notes = _of_table(data, target)
    else:
        columns, notes = inferred(data)
    required = frozenset(c.name for c in target.columns if not c.takes_null and not c.has_default)
    made = staging.fitted(data, columns, required)
    if not made.lines:
        raise UsageError(
            f"no row of {data.source} can be loaded; nothing was created",
            hint=_in_words(made.rejected[0]) if made.rejected else None,
        )
    return _Load(data, target, columns, made, (*data.notes, *notes))


def _of_table(data: Tabled, target: Target) -> tuple[tuple[LoadColumn, ...], tuple[str, ...]]:
    """Match the source's columns with the table's, by name.

    Raises:
        UsageError: the source has a column that the table lacks, or none for one that must be
            filled.
    """
    names, _ = stored_names(data.names)
    theirs = {column.name: column for column in target.columns}
    by_capitals = {column.name.upper(): column.name for column in reversed(target.columns)}
    matched = [name if name in theirs else by_capitals.get(name.upper()) for name in names]
    unknown = [quote(name) for name, found in zip(names, matched, strict=True) if found is None]
    if unknown:
        raise UsageError(
            f"{target.fqn} has no column {', '.join(unknown[:5])}",
            hint="its columns: " + ", ".join(quote(name) for name in list(theirs)[:20]),
        )
    columns = tuple(
        LoadColumn(name, fit_for(theirs[name].type, data, place), place)
        for place, name in enumerate(name for name in matched if name is not None)
    )
    missing = [column for column in target.columns if column.name not in matched]
    needed = [quote(c.name) for c in missing if not c.takes_null and not c.has_default]
    if needed:
        raise UsageError(f"{data.source} has no {', '.join(needed)}, which must not be empty")
    empty = ", ".join(quote(column.name) for column in missing[:5])
    notes = (f"Not in {data.source}, and left empty or at their default: {empty}.",)
    return columns, (*notes_of(columns), *(notes if missing else ()))


def _cut_here(found: _Load) -> tuple[str, ...]:
    """Say which moments lose digits on the embedded account, which keeps microseconds."""
    cut = [column.sql for column in found.columns if _has_nanoseconds(found.data, column)]
    if not cut:
        return ()
    said = "an embedded account keeps moments to the microsecond; Snowflake keeps nanoseconds"
    return (f"{', '.join(cut)}: {said}.",)


def _has_nanoseconds(data: Tabled, column: LoadColumn) -> bool:
    if not column.fit.type.startswith("TIME"):
        return False
    values = (row[column.place] for row in data.rows)
    if data.is_text:
        return any(_NANOSECONDS.search(value) is not None for value in values if value)
    return any(getattr(value, "nanosecond", 0) for value in values)


# ---- the plan


def _plan(found: _Load, files: Staged) -> PlanState:
    from skills_nb.engine.guided.plan_documents import plan_from

    count, left = len(found.made.lines), len(found.made.rejected)
    said = f"; {_rows(left)} left out" if left else ""
    plan = plan_from(
        {
            "goal": f"Load {found.data.source} into {found.target.fqn}",
            "steps": [
                {
                    "step": "1",
                    "action": f"{_doing(found.target)} {_rows(count)}{said}",
                    "primitive": _PRIMITIVE,
                    "sql": ";\n".join(staging.statements(found.target, found.columns, files)),
                }
            ],
        }
    )
    assert plan is not None, "the document was made for it"
    return plan


def _doing(target: Target) -> str:
    if target.columns:
        return f"Add to {target.parts[2]}:"
    database = f"{target.parts[0]} and " if target.makes_database else ""
    return f"Make {database}{target.parts[2]} and load"


def _rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count:,} rows"


def _gone_through(app: AppContext, state: ThreadState, words: Namespace) -> ThreadState:
    """Approve the plan and its step in the words of the command, which named all that it does."""
    from skills_nb.engine.respond import Answer

    conductor = app.wiring.conductor
    for _ in range(2):
        pause = conductor.pause(state)
        is_expected = pause is not None and pause.kind in ("plan_proposed", "checkpoint")
        if pause is None or not is_expected or pause.phrase is not None:
            return state
        said = Answer("approve", at=pause.at, comment=f"said with the command: load {words.source}")
        conductor.answer(state.thread_id, said)
        state = conductor.advance(state.thread_id)
    return state


# ---- what is shown


def _shown(reply: Reply, found: _Load, files: Staged) -> Reply:
    from skills_nb.views import ThreadCard

    document = {**reply.document, **_document(found, files)}
    if not isinstance(reply.view, ThreadCard):
        return replace(reply, document=document)
    said = (*reply.view.warnings, *_left_out(found, files), *found.notes)
    view = replace(reply.view, samples=(_preview(found), *_rejects(found)), warnings=said)
    return replace(reply, view=view, document=document)


def _left_out(found: _Load, files: Staged) -> tuple[str, ...]:
    rejected = found.made.rejected
    if not rejected:
        return ()
    kept = staging.shown_path(files.left_out) if files.left_out is not None else ""
    count = len(found.made.lines) + len(rejected)
    first = _in_words(rejected[0])
    said = f"{len(rejected):,} of {_rows(count)} {'is' if len(rejected) == 1 else 'are'} left out"
    return (f"{said}; {first}. What is left out is kept in {kept}, each row with its reason.",)


def _in_words(one: Rejected) -> str:
    where = f"row {one.row}" + (f", {quote(one.column)}" if one.column else "")
    return f"{where}: {one.why}"


def _preview(found: _Load) -> Sample:
    """Return the columns with their types and first values, a column a row."""
    from skills_nb.views.threads.row_samples import Sample

    first = found.data.rows[:_SHOWN_ROWS]
    titles = tuple(f"Row {n}" for n in found.data.numbers[:_SHOWN_ROWS])
    rows = tuple(
        (column.name, column.fit.type, *(_cell(row[column.place], column) for row in first))
        for column in found.columns[:_SHOWN_COLUMNS]
    )
    name = f"what goes into {found.target.parts[2]}"
    return Sample(name, ("Column", "Type", *titles), rows, len(found.columns), unit="column")


def _cell(value: Any, column: LoadColumn) -> str:
    """Return a value as it is loaded; as it stands where it does not fit."""
    from skills_nb.views.sheets.phrasing import cell

    try:
        return cell(None if value is None else column.fit.read(value))
    except ValueError:
        return f"{cell(value)} (left out)"


def _rejects(found: _Load) -> Sequence[Sample]:
    from skills_nb.views.threads.row_samples import Sample

    rejected = found.made.rejected
    if not rejected:
        return ()
    shown = tuple((str(r.row), r.column, r.value, r.why) for r in rejected[:_SHOWN_REJECTED])
    return (Sample("left out", ("Row", "Column", "Value", "Why"), shown, len(rejected)),)


def _document(found: _Load, files: Staged) -> dict[str, Any]:
    return {
        "source": found.data.source,
        "table": found.target.fqn,
        "is_new": not found.target.columns,
        "columns": [{"name": c.name, "type": c.fit.type} for c in found.columns],
        "rows": len(found.made.lines),
        "rejected": [
            {"row": r.row, "column": r.column, "value": r.value, "why": r.why}
            for r in found.made.rejected
        ],
        "rejected_file": str(files.left_out) if files.left_out is not None else None,
        "notes": list(found.notes),
    }
