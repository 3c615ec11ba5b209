"""Spooled rows: a query's rows as DuckDB gave them, in pieces of Arrow, read again piece by piece.

Room: embedded. Few are in memory, more in a file without a name, which is gone with whoever holds
it: so a result of any length takes the same memory. Whoever wants a row gets it as Python values,
made when it is asked for.
"""

from __future__ import annotations

import secrets
import tempfile
import threading
import weakref
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any, overload

from skills_nb.embedded.translator.python_functions.moment_functions import seen
from skills_nb.embedded.types.data_types import SEMI_STRUCTURED
from skills_nb.embedded.types.values import Column

PIECE = 131_072
"""Rows of a piece, at most."""
_IN_MEMORY = 8 << 20
"""Bytes that are held in memory; beyond, all are in the file."""
Show = Callable[[Any], Any]
Extent = tuple[int, int]
"""The least and the greatest of a column's numbers, each without its point."""


class SpooledRows(Sequence[tuple[Any, ...]]):
    """Rows that read like a tuple of tuples, and may be taken as Arrow."""

    def __init__(self, columns: Sequence[Column], batches: Iterable[Any]) -> None:
        """Take the rows of all batches, and close nothing."""
        self.columns = tuple(columns)
        self.schema: Any = None
        self.extents: list[Extent | None] = [None] * len(self.columns)
        """Of each column of numbers, once it has one."""
        self.show: Show = _as_it_is
        """Prints a semi-structured value."""
        self.key = secrets.token_urlsafe(24)
        """Opens the pieces to whoever was told it."""
        self._file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 - kept open
        weakref.finalize(self, self._file.close)
        self._places: list[tuple[int, int]] = []
        self._lock = threading.Lock()
        counts = [self._put(batch) for batch in _pieces(batches)]
        self._ends = list(accumulate(counts))

    def _put(self, batch: Any) -> int:
        """Write a batch behind the others, and return how many rows it has."""
        self.schema = batch.schema
        content = batch.serialize()
        self._places.append((self._file.tell(), content.size))
        self._file.write(content)
        for i, column in enumerate(self.columns):
            if column.type.kind == "FIXED":
                self.extents[i] = _wider(self.extents[i], _extent(batch.column(i)))
        return int(batch.num_rows)

    # ---- as pieces of Arrow

    @property
    def pieces(self) -> list[int]:
        """Return how many rows each piece has."""
        return [end - begin for begin, end in zip([0, *self._ends], self._ends, strict=False)]

    @property
    def bytes(self) -> int:
        """Return how many bytes all pieces have."""
        return sum(size for _, size in self._places)

    def size(self, number: int) -> int:
        """Return how many bytes a piece has."""
        return self._places[number][1]

    def piece(self, number: int) -> Any:
        """Return a piece as a record batch."""
        import pyarrow  # type: ignore[import-untyped]

        begin, size = self._places[number]
        with self._lock:
            self._file.seek(begin)
            content = self._file.read(size)
        return pyarrow.ipc.read_record_batch(pyarrow.py_buffer(content), self.schema)

    # ---- as rows

    def __len__(self) -> int:
        """Count the rows."""
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, index: int) -> tuple[Any, ...]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[tuple[Any, ...]]: ...
    def __getitem__(self, index: int | slice) -> tuple[Any, ...] | Sequence[tuple[Any, ...]]:
        """Return a row, or some of them; all of them are these very rows."""
        if isinstance(index, slice):
            begin, end, step = index.indices(len(self))
            if (begin, end, step) == (0, len(self), 1):
                return self
            return tuple(self._between(begin, end))[::step]
        place = range(len(self))[index]
        return next(self._between(place, place + 1))

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        """Read row after row, a piece at a time."""
        return self._between(0, len(self))

    def _between(self, begin: int, end: int) -> Iterator[tuple[Any, ...]]:
        number = bisect_right(self._ends, begin)
        while begin < end:
            first = self._ends[number - 1] if number else 0
            piece = self.piece(number).slice(begin - first, end - begin)
            yield from self._rows(piece)
            begin, number = begin + piece.num_rows, number + 1

    def _rows(self, piece: Any) -> Iterator[tuple[Any, ...]]:
        listed = [
            python_values(piece.column(i), column, self.show)
            for i, column in enumerate(self.columns)
        ]
        return zip(*listed, strict=True)


def _pieces(batches: Iterable[Any]) -> Iterator[Any]:
    """Put small batches together; DuckDB gives one for each part of a UNION."""
    held: list[Any] = []
    for batch in batches:
        if held and sum(one.num_rows for one in held) + batch.num_rows > PIECE:
            yield from _joined(held)
            held = []
        held += [batch] if batch.num_rows else []
    yield from _joined(held)


def _joined(batches: list[Any]) -> Iterator[Any]:
    import pyarrow

    if len(batches) < 2:
        yield from batches
        return
    yield from pyarrow.Table.from_batches(batches).combine_chunks().to_batches()


def python_values(array: Any, column: Column, show: Show) -> list[Any]:
    """Return a column's values as DuckDB's own rows have them, semi-structured ones printed."""
    values: list[Any] = array.to_pylist()
    kind = column.type.kind
    if kind == "FIXED" and getattr(array.type, "scale", None) == 0:
        return [None if value is None else int(value) for value in values]
    if kind == "TIMESTAMP_TZ":
        return [seen(value) if isinstance(value, dict) else value for value in values]
    return [show(value) for value in values] if kind in SEMI_STRUCTURED else values


def unscaled(array: Any) -> Any:
    """Return decimals without their point, as decimals; other numbers as they are."""
    import pyarrow

    if not pyarrow.types.is_decimal128(array.type) or not array.type.scale:
        return array
    whole, bits = pyarrow.decimal128(38, 0), array.buffers()
    return pyarrow.Array.from_buffers(whole, len(array), bits, array.null_count, array.offset)


def _extent(array: Any) -> Extent | None:
    from pyarrow import compute

    if array.null_count == len(array):
        return None
    found = compute.min_max(unscaled(array)).as_py()
    return (int(found["min"]), int(found["max"]))


def _wider(one: Extent | None, other: Extent | None) -> Extent | None:
    if one is None or other is None:
        return one or other
    return min(one[0], other[0]), max(one[1], other[1])


def _as_it_is(value: Any) -> Any:
    return value
