"""Room: large texts that DuckDB would make at once are refused where memory has no room for them.

Room: embedded. DuckDB makes the values of some two thousand rows together before anybody reads one,
and it neither counts what texts take nor can it be interrupted in between.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from skills_nb.embedded.errors.python_refusals import RefusalError
from skills_nb.embedded.physical.connection import Connection
from skills_nb.embedded.translator.dialect.sizes import ROOM

_MOST_TOGETHER = 4 * 2**30
"""Bytes that the values of the rows that are worked on together have at most."""


def define(connection: Connection) -> None:
    """Make the question for room known: for the sizes of values to come, it returns the lengths."""
    connection.define_rows(ROOM, _one, _batch, ["BIGINT", "BIGINT"], "BIGINT", side_effects=False)


def _one(size: int | None, length: int | None) -> int | None:
    return length


def _batch(sizes: Any, lengths: Any) -> Any:
    compute: Any = import_module("pyarrow.compute")
    if (compute.sum(sizes).as_py() or 0) > _MOST_TOGETHER:
        said = "SQL execution error:\nThe statement needs more memory than there is."
        raise RefusalError(100132, "22000", said)
    return lengths
