"""Types: Snowflake's, and where DuckDB keeps them.

Room: embedded. Pure. Whole numbers are kept as HUGEINT so that all 38 digits fit; semi-structured
values are kept as JSON, moments with a zone of their own as an instant and minutes east of UTC.

See https://docs.snowflake.com/en/sql-reference/intro-summary-data-types
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from skills_nb.embedded import errors

MAX_TEXT = 16_777_216
MAX_BINARY = 8_388_608
MOST_DIGITS = 38
"""Of a FIXED."""


@dataclass(frozen=True, slots=True)
class SfType:
    """A Snowflake type with its parameters."""

    kind: str
    """FIXED, REAL, TEXT, BINARY, BOOLEAN, DATE, TIME, TIMESTAMP_*, VARIANT, OBJECT, ARRAY, …"""
    precision: int | None = None
    """Digits of a FIXED."""
    scale: int | None = None
    """Digits after the point of a FIXED; fractional digits of a time."""
    length: int | None = None
    """Characters of a TEXT, bytes of a BINARY."""

    @property
    def sql(self) -> str:
        """Spell the type as DESCRIBE TABLE does."""
        match self.kind:
            case "FIXED":
                return f"NUMBER({self.precision},{self.scale})"
            case "TEXT":
                return f"VARCHAR({self.length})"
            case "BINARY":
                return f"BINARY({self.length})"
            case "REAL":
                return "FLOAT"
            case "TIME" | "TIMESTAMP_NTZ" | "TIMESTAMP_LTZ" | "TIMESTAMP_TZ":
                return f"{self.kind}({self.scale})"
            case _:
                return self.kind

    @property
    def data_type(self) -> str:
        """Spell the bare type as INFORMATION_SCHEMA.COLUMNS.DATA_TYPE does."""
        return self.sql.partition("(")[0] if self.kind != "TEXT" else "TEXT"

    @property
    def physical(self) -> str:
        """Name the DuckDB type that holds it."""
        if self.kind == "FIXED":
            return "HUGEINT" if not self.scale else f"DECIMAL({self.precision},{self.scale})"
        return _PHYSICAL[self.kind]

    def as_json(self, nullable: bool) -> dict[str, Any]:
        """Give the object that SHOW COLUMNS prints in `data_type`."""
        out: dict[str, Any] = {"type": self.kind}
        if self.precision is not None:
            out["precision"] = self.precision
        if self.scale is not None:
            out["scale"] = self.scale
        if self.length is not None:
            out |= {"length": self.length, "byteLength": min(self.length * 4, MAX_TEXT)}
        return out | {"nullable": nullable}


_PHYSICAL = {
    "REAL": "DOUBLE",
    "TEXT": "VARCHAR",
    "BINARY": "BLOB",
    "BOOLEAN": "BOOLEAN",
    "DATE": "DATE",
    "TIME": "TIME",
    "TIMESTAMP_NTZ": "TIMESTAMP",
    "TIMESTAMP_LTZ": "TIMESTAMPTZ",
    "TIMESTAMP_TZ": "STRUCT(t TIMESTAMPTZ, o SMALLINT)",
    "VARIANT": "JSON",
    "OBJECT": "JSON",
    "ARRAY": "JSON",
    "GEOGRAPHY": "JSON",
    "GEOMETRY": "JSON",
}


def fixed(precision: int = 38, scale: int = 0) -> SfType:
    """Make a NUMBER."""
    return SfType("FIXED", precision=precision, scale=scale)


def text(length: int = MAX_TEXT) -> SfType:
    """Make a VARCHAR."""
    return SfType("TEXT", length=length)


TEXT = text()
INTEGER = fixed()
REAL = SfType("REAL")
BOOLEAN = SfType("BOOLEAN")
DATE = SfType("DATE")
TIME = SfType("TIME", precision=0, scale=9)
NTZ = SfType("TIMESTAMP_NTZ", precision=0, scale=9)
LTZ = SfType("TIMESTAMP_LTZ", precision=0, scale=9)
TZ = SfType("TIMESTAMP_TZ", precision=0, scale=9)
VARIANT = SfType("VARIANT")
OBJECT = SfType("OBJECT")
ARRAY = SfType("ARRAY")
PLACES = frozenset({"GEOGRAPHY", "GEOMETRY"})
"""What is held as GeoJSON."""
SEMI_STRUCTURED = frozenset({"VARIANT", "OBJECT", "ARRAY"}) | PLACES

_WHOLE = ("INT", "INTEGER", "BIGINT", "SMALLINT", "TINYINT", "BYTEINT", "INT64", "INT32")
_DECIMAL = ("NUMBER", "NUMERIC", "DECIMAL", "DEC", "FIXED")
_FLOAT = ("FLOAT", "FLOAT4", "FLOAT8", "DOUBLE", "DOUBLE PRECISION", "REAL")
_TEXTS = (
    *("VARCHAR", "STRING", "TEXT", "NVARCHAR", "NVARCHAR2"),
    *("CHAR VARYING", "CHARACTER VARYING", "NCHAR VARYING"),
)
_CHARS = ("CHAR", "CHARACTER", "NCHAR")
_TIMES: dict[str, SfType] = {
    "DATE": DATE,
    "TIME": TIME,
    "DATETIME": NTZ,
    "TIMESTAMP": NTZ,
    "TIMESTAMPNTZ": NTZ,
    "TIMESTAMP_NTZ": NTZ,
    "TIMESTAMP WITHOUT TIME ZONE": NTZ,
    "TIMESTAMPLTZ": LTZ,
    "TIMESTAMP_LTZ": LTZ,
    "TIMESTAMP WITH LOCAL TIME ZONE": LTZ,
    "TIMESTAMPTZ": TZ,
    "TIMESTAMP_TZ": TZ,
    "TIMESTAMP WITH TIME ZONE": TZ,
}
_SPELLING = re.compile(
    r"\s*([A-Za-z_0-9 ]*[A-Za-z_0-9])\s*(?:\(\s*([^)]*?)\s*\)\s*([A-Za-z ]*?)\s*)?", re.S
)


MOMENTS = frozenset({"DATE", "TIME", "TIMESTAMP_NTZ", "TIMESTAMP_LTZ", "TIMESTAMP_TZ"})
"""Kinds of dates and times."""
TEXT_READ_AS = {
    "FIXED": fixed(38, 5),
    "REAL": REAL,
    "DATE": DATE,
    "TIME": TIME,
    "TIMESTAMP_NTZ": NTZ,
    "TIMESTAMP_LTZ": LTZ,
    "TIMESTAMP_TZ": TZ,
}
"""What a text is read as that meets a value, by the value's kind."""


def parse_type(spelling: str) -> SfType | None:
    """Read a type as written in a column definition or cast; None for what is not a type."""
    found = _SPELLING.fullmatch(spelling)
    if not found:
        return None
    tail = f" {found[3]}" if found[3] else ""
    name = re.sub(r"\s+", " ", found[1] + tail).upper()
    inside = found[2] or ""
    numbers = [int(n) for n in re.findall(r"\d+", inside)] if inside[:1].isdigit() else []
    return _named(name, numbers)


def _named(name: str, numbers: list[int]) -> SfType | None:
    if name in _WHOLE:
        return INTEGER
    if name in _DECIMAL:
        return fixed(*(numbers[:2] or (38,)))
    if name in _FLOAT:
        return REAL
    if name in _TEXTS:
        return text(numbers[0]) if numbers else TEXT
    if name in _CHARS:
        return text(numbers[0] if numbers else 1)
    if name in ("BINARY", "VARBINARY"):
        return SfType("BINARY", length=numbers[0] if numbers else MAX_BINARY)
    if name in _TIMES:
        found = _TIMES[name]
        return SfType(found.kind, precision=0, scale=numbers[0]) if numbers else found
    if name in ("BOOLEAN", "BOOL"):
        return BOOLEAN
    return SfType(name) if name in SEMI_STRUCTURED else None


_FROM_DUCKDB: dict[str, SfType] = {
    **dict.fromkeys(
        ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT"), INTEGER
    ),
    **dict.fromkeys(("UINTEGER", "UBIGINT", "UHUGEINT", "BIGNUM", "INTEGER_LITERAL"), INTEGER),
    "DOUBLE": REAL,
    "FLOAT": REAL,
    "BOOLEAN": BOOLEAN,
    "DATE": DATE,
    "TIME": TIME,
    "TIMESTAMP": NTZ,
    "TIMESTAMP_NS": NTZ,
    "TIMESTAMP_MS": NTZ,
    "TIMESTAMP_S": NTZ,
    "TIMESTAMP WITH TIME ZONE": LTZ,
    "STRUCT(t TIMESTAMP WITH TIME ZONE, o SMALLINT)": TZ,
    "JSON": VARIANT,
    "BLOB": SfType("BINARY", length=MAX_BINARY),
}


def is_plain(duckdb_type: str) -> bool:
    """Tell whether it is a type that the account keeps a value of its own as, or a text."""
    if duckdb_type in ("VARCHAR", "NULL", '"NULL"') or duckdb_type in _FROM_DUCKDB:
        return duckdb_type not in ("BIGNUM", "UHUGEINT", "INTEGER_LITERAL")
    return duckdb_type.startswith("DECIMAL(")


def from_physical(duckdb_type: str) -> SfType:
    """Name the Snowflake type of a DuckDB result column."""
    found = _FROM_DUCKDB.get(duckdb_type)
    if found:
        return found
    if numbers := re.fullmatch(r"DECIMAL\((\d+),\s*(\d+)\)", duckdb_type):
        return fixed(int(numbers[1]), int(numbers[2]))
    if duckdb_type.endswith("[]"):
        return ARRAY
    if duckdb_type.startswith(("STRUCT", "MAP")):
        return OBJECT
    return TEXT


def type_named(spelling: str) -> SfType:
    """Read a type, or refuse it.

    Raises:
        SqlError: the account has no such type (0A000).
    """
    found = parse_type(spelling)
    if found is None:
        raise errors.unsupported(f"data type {spelling}")
    return found
