"""Counts: how many rows a statement changed, as an account's answer to it tells.

Room: sql. The account answers DML with a row of counts, COPY INTO with a row for every file, and
with a sentence where there was no file.
Source: the manual's INSERT, UPDATE, DELETE, MERGE and COPY INTO <table>, Output.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_COUNT = "number of "
_NO_MORE_ROWS = "number of multi-joined rows updated"
"""Rows that met several others: they are among the rows updated already."""
_NO_FILES = "copy executed with 0 files processed"


def is_counted(columns: Sequence[str]) -> bool:
    """Return whether an answer with these columns may tell how many rows were changed."""
    names = {name.lower() for name in columns}
    return any(name.startswith(_COUNT) for name in names) or bool(names & {"rows_loaded", "status"})


def counts_of(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> Mapping[str, int] | None:
    """Return an answer's counts by their names; None where it is no answer to a change of rows."""
    names = [name.lower() for name in columns]
    if any(name.startswith(_COUNT) for name in names):
        row = rows[0] if rows else ()
        return {name: int(cell or 0) for name, cell in zip(columns, row, strict=False)}
    if "rows_loaded" in names:
        place = names.index("rows_loaded")
        return {"rows_loaded": sum(int(row[place] or 0) for row in rows)}
    is_idle = names == ["status"] and rows and str(rows[0][0]).lower().startswith(_NO_FILES)
    return {"rows_loaded": 0} if is_idle else None


def total_of(counts: Mapping[str, int]) -> int:
    """Return how many rows were changed in all."""
    return sum(count for name, count in counts.items() if name.lower() != _NO_MORE_ROWS)
