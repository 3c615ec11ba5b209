"""What a value must be to go into a column that is there already.

Room: commands (loads). Nothing is rounded, cut or guessed: what does not fit is left out, and said.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from skills_nb.commands.loads.columns import fit_of
from skills_nb.commands.loads.tabled import Fit, Read, Tabled, shortened
from skills_nb.commands.loads.text_moments import as_moment
from skills_nb.commands.loads.text_numbers import as_number, has_decimal_commas, without_commas
from skills_nb.commands.loads.typed_values import value_fit

_TYPE = re.compile(r"(?P<kind>[A-Z_ ]+?)\s*(?:\((?P<sizes>[\d, ]+)\))?")
_TRUE = frozenset({"true", "t", "yes", "y", "1"})
_FALSE = frozenset({"false", "f", "no", "n", "0"})


def fit_for(sql_type: str, data: Tabled, place: int) -> Fit:
    """Return what a column of a table that is there makes of a source's column.

    Texts are read as they would be for a new table first: so 1,5 is a number, and the days of a
    column tell what 03/04 is.
    """
    into = reader_of(sql_type)
    if not data.is_text:
        return Fit(sql_type, into)
    values = [value for value in data.column(place) if value is not None]
    own = fit_of(data, place)
    kind = sql_type.partition("(")[0]
    if own.type != "VARCHAR" and kind not in ("VARCHAR", "TEXT", "BINARY"):
        return Fit(sql_type, lambda value: into(own.read(value)), own.note)
    if kind in ("NUMBER", "FLOAT") and has_decimal_commas(values):
        return Fit(sql_type, lambda value: into(without_commas(value)))
    return Fit(sql_type, into)


def reader_of(sql_type: str) -> Read:
    """Return what writes a value for a column of a type, or says why it does not fit."""
    found = _TYPE.fullmatch(sql_type.upper())
    kind = found["kind"] if found is not None else sql_type.upper()
    sizes = [int(size) for size in re.findall(r"\d+", (found and found["sizes"]) or "")]
    return _READERS.get(kind, _text)(kind, sizes)


def _plain(value: Any) -> str:
    """Return a value as SQL's texts have it."""
    return value if isinstance(value, str) else value_fit([value]).read(value) or ""


def _text(kind: str, sizes: list[int]) -> Read:
    most = sizes[0] if sizes else 16_777_216

    def read(value: Any) -> str:
        text = _plain(value)
        if len(text) > most:
            raise ValueError(f"it has {len(text)} characters, and the column takes {most}")
        return text

    return read


def _number(kind: str, sizes: list[int]) -> Read:
    precision, scale = (*sizes, *(38, 0)[len(sizes) :])

    def read(value: Any) -> str:
        number = as_number(_plain(value))
        cut = format(number.normalize() if number else number, "f")
        whole, _, behind = cut.lstrip("-").partition(".")
        if len(behind) > scale:
            raise ValueError(f"'{shortened(value)}' has more than {scale} digits behind the point")
        if len(whole.lstrip("0")) > precision - scale:
            raise ValueError(f"'{shortened(value)}' is too large for NUMBER({precision},{scale})")
        return cut

    return read


def _float(kind: str, sizes: list[int]) -> Read:
    def read(value: Any) -> str:
        try:
            float(_plain(value))
        except ValueError:
            raise ValueError(f"'{shortened(value)}' is no number") from None
        return _plain(value).strip()

    return read


def _boolean(kind: str, sizes: list[int]) -> Read:
    def read(value: Any) -> str:
        low = _plain(value).strip().lower()
        if low not in _TRUE | _FALSE:
            raise ValueError(f"'{shortened(value)}' is neither true nor false")
        return "true" if low in _TRUE else "false"

    return read


def _moment(kind: str, sizes: list[int]) -> Read:
    return lambda value: as_moment(_plain(value), kind)


def _binary(kind: str, sizes: list[int]) -> Read:
    def read(value: Any) -> str:
        try:
            return bytes.fromhex(_plain(value)).hex().upper()
        except ValueError:
            raise ValueError(f"'{shortened(value)}' is not hexadecimal") from None

    return read


def _variant(kind: str, sizes: list[int]) -> Read:
    def read(value: Any) -> str:
        if not isinstance(value, str):
            plain = float(value) if isinstance(value, Decimal) else value
            return value_fit([plain]).read(plain) or "" if _is_nested(plain) else json.dumps(plain)
        try:
            json.loads(value)
        except ValueError:
            return json.dumps(value, ensure_ascii=False)
        return value

    return read


def _is_nested(value: Any) -> bool:
    return isinstance(value, list | tuple | dict) or hasattr(value, "tolist")


_READERS: Mapping[str, Callable[[str, list[int]], Read]] = {
    "NUMBER": _number,
    "FLOAT": _float,
    "BOOLEAN": _boolean,
    "BINARY": _binary,
    **dict.fromkeys(("DATE", "TIME", "TIMESTAMP_NTZ", "TIMESTAMP_LTZ", "TIMESTAMP_TZ"), _moment),
    **dict.fromkeys(("VARIANT", "OBJECT", "ARRAY"), _variant),
}
"""By the type's name, as DESCRIBE TABLE tells it."""
