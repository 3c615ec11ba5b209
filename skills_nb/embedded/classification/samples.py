"""What a classifier sees of a column: its name, its type and the values that were sampled.

Room: embedded (classification). Pure. A value is judged as text, once per distinct text and
weighted by how often it occurs, so the order of the rows cannot matter and ten thousand rows of
a country column cost a few comparisons.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from enum import StrEnum, auto

MAX_VALUE_LENGTH = 256
"""Longer strings count as invalid values. Snowflake: SYSTEM$GET_CLASSIFICATION_RESULT."""

SCREEN_SIZE = 48
"""How many distinct values decide whether a rule without name evidence is worth a full look."""


class Family(StrEnum):
    """Groups of data types that a category can be stored in."""

    TEXT = auto()
    NUMBER = auto()
    DATE = auto()
    TIMESTAMP = auto()
    BOOLEAN = auto()
    SEMI_STRUCTURED = auto()
    UNSUPPORTED = auto()


_FAMILIES = {
    Family.TEXT: ("VARCHAR", "CHAR", "CHARACTER", "STRING", "TEXT", "NVARCHAR", "NCHAR"),
    Family.NUMBER: (
        *("NUMBER", "DECIMAL", "NUMERIC", "FIXED", "INT", "INTEGER", "BIGINT", "SMALLINT"),
        *("TINYINT", "BYTEINT", "HUGEINT", "FLOAT", "REAL", "DOUBLE", "DECFLOAT"),
    ),
    Family.DATE: ("DATE",),
    Family.TIMESTAMP: (
        *("TIMESTAMP", "DATETIME", "TIMESTAMP_NTZ", "TIMESTAMP_LTZ", "TIMESTAMP_TZ"),
    ),
    Family.BOOLEAN: ("BOOLEAN", "BOOL"),
    Family.SEMI_STRUCTURED: ("VARIANT", "OBJECT", "ARRAY"),
}
_FAMILY_OF = {name: family for family, names in _FAMILIES.items() for name in names}


def family_of(type_name: str) -> Family:
    """Find the family of a type as DESCRIBE prints it: `VARCHAR(20)`, `NUMBER(38,0)`, `DATE`.

    Binary, geospatial, vector, file and time columns, and names that are not known, are
    UNSUPPORTED.
    """
    words = type_name.upper().replace("(", " ").split()
    return _FAMILY_OF.get(words[0], Family.UNSUPPORTED) if words else Family.UNSUPPORTED


@dataclass(frozen=True)
class ColumnSample:
    """One column and the values sampled from it."""

    name: str
    """The column's name as stored."""
    type: str
    """The data type as DESCRIBE prints it."""
    values: Sequence[object]
    """The sampled values in any order, None for NULL; empty when there are no rows."""


def text_of(value: object) -> str:
    """Write a value the way the rules read it: trimmed, width-folded, whole numbers undotted."""
    match value:
        case None:
            return ""
        case str():
            text = value.strip()
            return text if text.isascii() else unicodedata.normalize("NFKC", text).strip()
        case bool():
            return "true" if value else "false"
        case Decimal() | float():
            return _number_text(value)
        case datetime() | date() | time():
            return value.isoformat()
        case _:
            return str(value).strip()


def _number_text(value: Decimal | float) -> str:
    """Write a fraction plainly, so that 20.0 reads 20 and 1E+3 reads 1000."""
    number = value if isinstance(value, Decimal) else Decimal(float.__repr__(value))
    if not number.is_finite() or number.adjusted() > MAX_VALUE_LENGTH:
        return str(value)
    return f"{number:f}".rstrip("0").rstrip(".") if "." in f"{number:f}" else f"{number:f}"


class Values:
    """The distinct valid texts of one column with their counts."""

    def __init__(self, column: ColumnSample) -> None:
        """Count the column's texts; NULL, empty and overlong ones are invalid and left out."""
        counts = Counter(map(text_of, column.values))
        self._counts: Mapping[str, int] = {
            text: count for text, count in counts.items() if 0 < len(text) <= MAX_VALUE_LENGTH
        }
        self._sampled = len(column.values)
        self._screen: tuple[str, ...] | None = None
        self.valid = sum(self._counts.values())
        """How many sampled values are valid."""

    @property
    def distinct(self) -> int:
        """Count the different valid values."""
        return len(self._counts)

    @property
    def valid_ratio(self) -> float:
        """Give the share of sampled values that are valid; 0 when nothing was sampled."""
        return rounded(self.valid / self._sampled) if self._sampled else 0.0

    def screen(self) -> tuple[str, ...]:
        """Pick evenly spaced distinct values in sorted order, the same ones for the same set."""
        if self._screen is None:
            ordered = sorted(self._counts)
            step = max(1, len(ordered) // SCREEN_SIZE)
            self._screen = tuple(ordered[::step][:SCREEN_SIZE])
        return self._screen

    def matching(self, accepts: Callable[[str], bool]) -> frozenset[str]:
        """Collect the distinct values that a check accepts."""
        return frozenset(text for text in self._counts if accepts(text))

    def share(self, texts: frozenset[str]) -> float:
        """Give the share of valid values that these distinct ones stand for."""
        if not self.valid:
            return 0.0
        counts = self._counts
        return rounded(sum(counts[text] for text in texts) / self.valid)


def rounded(share: float) -> float:
    """Round a share to four places, as far as a sample can tell anything."""
    return round(share, 4)
