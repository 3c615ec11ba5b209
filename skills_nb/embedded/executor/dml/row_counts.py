"""What a change answers: how many rows it inserted, updated, deleted.

Room: embedded.
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded.types.data_types import INTEGER
from skills_nb.embedded.types.values import Column, Outcome

COUNT_NAMES: dict[type[exp.Expr], tuple[str, ...]] = {
    exp.Insert: ("number of rows inserted",),
    exp.Update: ("number of rows updated", "number of multi-joined rows updated"),
    exp.Delete: ("number of rows deleted",),
    exp.Merge: ("number of rows inserted", "number of rows updated"),
}


def count_columns(listed: tuple[str, ...]) -> tuple[Column, ...]:
    """Return the columns of a change's answer."""
    return tuple(Column(name, INTEGER, nullable=False) for name in listed)


def counted(listed: tuple[str, ...], counts: tuple[int, ...], word: str) -> Outcome:
    """Answer a change with its counts."""
    return Outcome(
        count_columns(listed),
        (counts,),
        word,
        counts[0] if len(counts) == 1 else counts[0] + (counts[1] if word == "MERGE" else 0),
    )
