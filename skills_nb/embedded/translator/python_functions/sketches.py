"""Bitmaps and sketches: sets of numbers, as BINARY.

Room: embedded. Pure. A sketch keeps every hash, so that its estimate is exact.

See https://docs.snowflake.com/en/user-guide/querying-bitmaps-for-distinct-counts and
https://docs.snowflake.com/en/sql-reference/functions/hll_accumulate
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from skills_nb.embedded.errors.python_refusals import RefusalError
from skills_nb.embedded.translator.python_functions.json_values import read

_POSITIONS = 32_768
_HASH = 16
"""Hexadecimal digits of one hash."""


def _bitmap(listed: str | None) -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/bitmap_construct_agg."""
    if listed is None:
        return None
    positions = {int(position) for position in read(listed) if position is not None}
    for position in positions:
        if not 0 <= position < _POSITIONS:
            said = f"Bitmap position {position} is not within 0 and {_POSITIONS - 1}"
            raise RefusalError(100046, "22003", said)
    return _hexadecimal(sum(1 << position for position in positions))


def _joined(listed: str | None) -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/bitmap_or_agg."""
    if listed is None:
        return None
    found = 0
    for bitmap in read(listed):
        found |= int(bitmap or "0", 16)
    return _hexadecimal(found)


def _hexadecimal(number: int) -> str:
    text = f"{number:x}"
    return text.zfill(len(text) + len(text) % 2)


def _count(bitmap: str | None) -> int | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/bitmap_count."""
    return None if bitmap is None else int(bitmap or "0", 16).bit_count()


def _hashes(listed: str | None) -> str:
    """See https://docs.snowflake.com/en/sql-reference/functions/hll_accumulate."""
    return "".join(sorted(f"{number:0{_HASH}x}" for number in read(listed) or ()))


def _united(listed: str | None) -> set[str]:
    sketches = [sketch for sketch in read(listed) or () if sketch]
    return {
        sketch[at : at + _HASH].lower()
        for sketch in sketches
        for at in range(0, len(sketch), _HASH)
    }


def _combined(listed: str | None) -> str:
    """See https://docs.snowflake.com/en/sql-reference/functions/hll_combine."""
    return "".join(sorted(_united(listed)))


def _estimate(listed: str | None) -> int:
    """See https://docs.snowflake.com/en/sql-reference/functions/hll_estimate."""
    return len(_united(listed))


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "bitmap": _bitmap,
    "bitmap_count": _count,
    "bitmap_or": _joined,
    "hll_accumulate": _hashes,
    "hll_combine": _combined,
    "hll_estimate": _estimate,
}
