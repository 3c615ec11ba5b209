"""Converting: what a file says into what a column holds.

Room: embedded. Pure.

See https://docs.snowflake.com/en/user-guide/date-time-input-output
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import Context, Decimal, InvalidOperation
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.entities import ColumnDef
from skills_nb.embedded.storage.files.formats import Format
from skills_nb.embedded.storage.files.rows import Trouble, document_text
from skills_nb.embedded.types.data_types import MAX_TEXT, SEMI_STRUCTURED, SfType


class ConversionError(Exception):
    """A value does not fit its column."""

    def __init__(self, message: str, code: int, sqlstate: str = "22018") -> None:
        """Carry Snowflake's words, number and state."""
        super().__init__(message)
        self.code = code
        self.sqlstate = sqlstate


def converted(value: Any, column: ColumnDef, form: Format) -> Any:
    """Return the column's value.

    Raises:
        ConversionError: there is none.
    """
    if value is None:
        if not column.nullable:
            raise ConversionError("NULL result in a non-nullable column", 100072, "22000")
        return None
    return _READERS[_family(column.type)](value, column.type, form)


def trouble_of(error: ConversionError, column: str) -> Trouble:
    """Return the row's trouble for an error in a column."""
    return Trouble(str(error), error.code, error.sqlstate, column)


def _family(sf_type: SfType) -> str:
    return "VARIANT" if sf_type.kind in SEMI_STRUCTURED else sf_type.kind


def _text_of(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (dict, list, Decimal)):
        return document_text(value)
    return str(value)


def _text(value: Any, sf_type: SfType, form: Format) -> str:
    text = _text_of(value)
    limit = sf_type.length or MAX_TEXT
    if len(text) > limit:
        raise ConversionError(
            f"User character length limit ({limit}) exceeded by string '{text[:50]}'", 100074
        )
    return text


_WIDE = Context(prec=100)
"""More digits than a NUMBER has: usually Python refuses to round one of more than 28."""


def _number(value: Any, sf_type: SfType, form: Format) -> Decimal:
    text = _text_of(value).strip()
    try:
        number = Decimal(text.lstrip("+$") if text.startswith("+") else text)
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite() or "_" in text:
        raise ConversionError(f"Numeric value '{text}' is not recognized", 100038)
    scale, precision = sf_type.scale or 0, sf_type.precision or 38
    rounded = (
        number.quantize(Decimal(1).scaleb(-scale), rounding="ROUND_HALF_UP", context=_WIDE)
        if number.adjusted() < 40
        else number
    )
    if rounded.adjusted() + 1 > precision - scale and rounded != 0:
        raise ConversionError(f"Number out of representable range: {text}", 100132, "22003")
    return rounded


def _float(value: Any, sf_type: SfType, form: Format) -> float:
    text = _text_of(value).strip()
    try:
        return float(text)
    except ValueError:
        raise ConversionError(f"Numeric value '{text}' is not recognized", 100038) from None


_TRUE = frozenset({"true", "t", "yes", "y", "on", "1"})
_FALSE = frozenset({"false", "f", "no", "n", "off", "0"})


def _boolean(value: Any, sf_type: SfType, form: Format) -> bool:
    text = _text_of(value).strip()
    if text.lower() in _TRUE:
        return True
    if text.lower() in _FALSE:
        return False
    raise ConversionError(f"Boolean value '{text}' is not recognized", 100037)


_ELEMENTS = (
    ("YYYY", "%Y"),
    ("YY", "%y"),
    ("MMMM", "%B"),
    ("MON", "%b"),
    ("MM", "%m"),
    ("DD", "%d"),
    ("DY", "%a"),
    ("HH24", "%H"),
    ("HH12", "%I"),
    ("MI", "%M"),
    ("SS", "%S"),
    ("AM", "%p"),
    ("PM", "%p"),
    ("TZHTZM", "%z"),
    ("TZH:TZM", "%z"),
    ("TZH", "%z"),
)


def strptime_format(written: str) -> str:
    """Turn Snowflake's format elements into Python's."""
    found = re.sub(
        r"\.?FF\d?", lambda m: ".%f" if m[0].startswith(".") else "%f", written, flags=re.I
    )
    out, position = "", 0
    while position < len(found):
        rest = found[position:].upper()
        match = next((pair for pair in _ELEMENTS if rest.startswith(pair[0])), None)
        if found[position] == "%":
            out, position = out + found[position : position + 2], position + 2
        elif found[position] == '"':
            end = found.find('"', position + 1)
            out, position = out + found[position + 1 : end], end + 1
        else:
            out += match[1] if match else found[position]
            position += len(match[0]) if match else 1
    return out


_DATES = ("%Y-%m-%d", "%d-%b-%Y", "%m/%d/%Y")


def _date(value: Any, sf_type: SfType, form: Format) -> date:
    text = _text_of(value).strip()
    formats = _DATES if is_auto(form.date_format) else (strptime_format(form.date_format),)
    for one in formats:
        try:
            return datetime.strptime(text, one).date()
        except ValueError:
            continue
    if is_auto(form.date_format):
        try:
            return _instant(_MORE.sub(r"\1", text)).date()
        except ValueError:
            pass
    raise ConversionError(f"Date '{text}' is not recognized", 100040)


def is_auto(written: str) -> bool:
    """Tell whether a format option leaves the form to Snowflake."""
    return written.upper() in ("AUTO", "")


def _instant(text: str) -> datetime:
    if re.fullmatch(r"-?\d+", text):
        return _EPOCH + timedelta(microseconds=_counted(int(text)))
    cut = re.sub(r"\s+([+-]\d{2}:?\d{2})$", r"\1", text)
    return datetime.fromisoformat(cut)


_EPOCH = datetime(1970, 1, 1)
_YEARS = 31_536_000_000
"""Numbers below are seconds; below its thousandfold and so on milliseconds and what comes next."""


def _counted(number: int) -> int:
    """Count a number since 1970 in microseconds.

    Raises:
        SqlError: it is one of nanoseconds that make no whole number of them (0A000).

    See https://docs.snowflake.com/en/sql-reference/date-time-input-output (auto-detection)
    """
    size = abs(number)
    for factor, below in ((10**6, _YEARS), (10**3, _YEARS * 10**3), (1, _YEARS * 10**6)):
        if size < below:
            return number * factor
    if number % 1000:
        raise errors.unsupported("nanoseconds below a microsecond")
    return number // 1000


def _time(value: Any, sf_type: SfType, form: Format) -> time:
    text = _text_of(value).strip()
    try:
        if is_auto(form.time_format):
            return _cut_time(time.fromisoformat(_kept(text, sf_type)), sf_type)
        found = datetime.strptime(_kept(text, sf_type), strptime_format(form.time_format))
    except ValueError:
        raise ConversionError(f"Time '{text}' is not recognized", 100108) from None
    return _cut_time(found.time(), sf_type)


_MORE = re.compile(r"(\.\d{6})(\d+)")


def _kept(text: str, sf_type: SfType) -> str:
    """Cut a moment's text to microseconds, below which only a type of fewer digits lets go.

    Raises:
        SqlError: the value would lose what its type keeps (0A000).
    """
    more = _MORE.search(text)
    keeps = sf_type.scale is None or sf_type.scale > 6
    if more is not None and more[2].strip("0") and keeps:
        raise errors.unsupported("nanoseconds below a microsecond")
    return _MORE.sub(r"\1", text)


def _cut_time(found: time, sf_type: SfType) -> time:
    return found.replace(microsecond=_cut(found.microsecond, sf_type))


def _cut(micros: int, sf_type: SfType) -> int:
    """Leave out the digits that a type does not keep."""
    step: int = 10 ** max(6 - (6 if sf_type.scale is None else sf_type.scale), 0)
    return micros - micros % step


def _timestamp(value: Any, sf_type: SfType, form: Format) -> datetime:
    text = _text_of(value).strip()
    try:
        if is_auto(form.timestamp_format):
            found = _instant(_kept(text, sf_type))
        else:
            written = strptime_format(form.timestamp_format)
            found = datetime.strptime(_kept(text, sf_type), written)
    except (ValueError, OverflowError):
        raise ConversionError(f"Timestamp '{text}' is not recognized", 100035) from None
    found = found.replace(microsecond=_cut(found.microsecond, sf_type))
    if sf_type.kind == "TIMESTAMP_NTZ":
        return found.replace(tzinfo=None)
    return found  # without a zone it is in the session's


def _binary(value: Any, sf_type: SfType, form: Format) -> bytes:
    if isinstance(value, bytes):  # what a query over the file has made of it
        return value
    text = _text_of(value).strip()
    try:
        match form.binary_format:
            case "BASE64":
                return base64.b64decode(text, validate=True)
            case "HEX":
                return bytes.fromhex(text)
            case _:
                return text.encode()
    except (ValueError, binascii.Error):
        raise ConversionError(
            f"The following string is not a legal hex-encoded value: '{text}'", 100115
        ) from None


def _variant(value: Any, sf_type: SfType, form: Format) -> str:
    if not isinstance(value, str):
        return document_text(value)
    if sf_type.kind == "VARIANT" and form.type != "CSV":
        return json.dumps(value, ensure_ascii=False)
    try:
        return document_text(json.loads(value, parse_float=Decimal))
    except json.JSONDecodeError as error:
        said = f"Error parsing JSON: {error.msg.lower()}, pos {error.pos + 1}"
        raise ConversionError(said, 100069, "22P02") from None


_READERS: dict[str, Callable[[Any, SfType, Format], Any]] = {
    "TEXT": _text,
    "FIXED": _number,
    "REAL": _float,
    "BOOLEAN": _boolean,
    "DATE": _date,
    "TIME": _time,
    "TIMESTAMP_NTZ": _timestamp,
    "TIMESTAMP_LTZ": _timestamp,
    "TIMESTAMP_TZ": _timestamp,
    "BINARY": _binary,
    "VARIANT": _variant,
}
