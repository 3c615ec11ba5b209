"""A sequence that grows at its end without a copy of what it holds.

Room: ground. A thread of ten thousand facts has ten thousand states while it is folded, and each
holds one fact more than the one before; tuples would copy fifty million entries for that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Generic, TypeVar, overload

_T = TypeVar("_T")


class Grown(Sequence[_T], Generic[_T]):
    """Like a tuple to whoever reads it; `plus` shares the entries with the one before."""

    __slots__ = ("_entries", "_length")

    def __init__(self, entries: Sequence[_T] = ()) -> None:
        """Hold these entries."""
        self._entries = list(entries)
        self._length = len(self._entries)

    def plus(self, entry: _T) -> Grown[_T]:
        """Return these entries and one more; this one stays as it is."""
        made: Grown[_T] = Grown.__new__(Grown)
        made._entries, made._length = self._entries, self._length + 1
        if len(self._entries) == self._length:
            self._entries.append(entry)
        # Somebody else may have gone on from here already, also in another thread.
        if self._entries[self._length] is not entry:
            made._entries = [*self._entries[: self._length], entry]
        return made

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[_T]:
        return islice(self._entries, self._length)

    def __reversed__(self) -> Iterator[_T]:
        return (self._entries[at] for at in range(self._length - 1, -1, -1))

    @overload
    def __getitem__(self, at: int) -> _T: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[_T, ...]: ...

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return tuple(self._entries[place] for place in range(*at.indices(self._length)))
        return self._entries[range(self._length)[at]]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (Grown, tuple)):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(tuple(self))
