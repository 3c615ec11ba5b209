"""Rows that a step found, shown for the decision at its checkpoint.

Room: laws (views).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from skills_nb.views.sheets import blocks as b
from skills_nb.views.sheets.phrasing import cell, in_words, plural, sentence

if TYPE_CHECKING:
    from skills_nb.model.skills import Playbook
    from skills_nb.model.state import Pause, PlaybookRun

_MOST_SAMPLES = 2
_MOST_ROWS = 50


@dataclass(frozen=True, slots=True)
class Sample:
    """Rows that a step found, for the decision at its checkpoint."""

    name: str
    """What the rows are."""
    columns: tuple[str, ...]
    """Those that differ between the rows."""
    rows: tuple[tuple[str, ...], ...]
    """Those that are shown, as text."""
    row_count: int
    """How many there are in all."""
    shared: tuple[tuple[str, str], ...] = ()
    """Columns that have the same value in every row, said once."""
    unit: str = "row"
    """What a row is."""


def samples_of(
    run: PlaybookRun | None, playbook: Playbook | None, pause: Pause | None
) -> tuple[Sample, ...]:
    """Return the rows found since the last checkpoint, the longest list first."""
    if run is None or playbook is None or pause is None or pause.kind != "checkpoint":
        return ()
    found: list[Sample] = []
    ids = [step.id for step in playbook.steps]
    here = ids.index(pause.step) if pause.step in ids else -1
    for step in reversed(playbook.steps[: here + 1]):
        if step.id != pause.step and step.checkpoint is not None:
            break
        for name, value in run.step(step.id).result.items():
            if (sample := _sample(name, value)) is not None:
                found.append(sample)
    return tuple(sorted(found, key=lambda sample: -sample.row_count)[:_MOST_SAMPLES])


def _sample(name: str, value: Any) -> Sample | None:
    is_rows = isinstance(value, list | tuple) and all(_is_flat(row) for row in value)
    if not is_rows or not value:
        return None
    shared = _shared(value)
    columns = tuple(str(column) for column in value[0] if column not in shared)
    rows = tuple(tuple(cell(row.get(c)) for c in columns) for row in value[:_MOST_ROWS])
    return Sample(in_words(name), columns, rows, len(value), tuple(shared.items()))


def _shared(rows: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return the columns that say the same in every row, where there are rows to compare."""
    if len(rows) < 2:
        return {}
    values = {column: {cell(row.get(column)) for row in rows} for column in rows[0]}
    same = {column: found.pop() for column, found in values.items() if len(found) == 1}
    return {} if len(same) == len(values) else same


def _is_flat(row: Any) -> bool:
    return isinstance(row, Mapping) and not any(
        isinstance(member, Mapping | list | tuple) for member in row.values()
    )


def sample_blocks(samples: Sequence[Sample]) -> list[b.Block]:
    """Return the blocks of samples; all but the first are folded."""
    blocks: list[b.Block] = []
    for sample in samples:
        caption = f"{sentence(sample.name)}: {plural(sample.row_count, sample.unit)}"
        table = b.Table(sample.columns, sample.rows, caption, _sample_note(sample))
        blocks.append(b.Fold(caption, (table,)) if blocks else table)
    return blocks


def _sample_note(sample: Sample) -> str:
    hidden = sample.row_count - len(sample.rows)
    same = ", ".join(f"{name} {value}" for name, value in sample.shared)
    notes = (f"{hidden} more" if hidden else "", f"In every row: {same}" if same else "")
    return ". ".join(note for note in notes if note)
