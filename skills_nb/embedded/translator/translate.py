"""Translation: DuckDB's errors in Snowflake's words.

Room: embedded. Where a policy took part in the statement, values are left out of the text, so that
an error cannot tell what a query may not show.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import duckdb

from skills_nb.embedded.errors import unsupported
from skills_nb.embedded.translator import python_functions
from skills_nb.embedded.translator.dialect import early_sizes
from skills_nb.embedded.types import lob_limit
from skills_nb.errors import SqlError

_HIDDEN = "***"
_OF_VALUES = 100_000
"""Errors from this number on are about values."""


class _Hidden:
    """Stands for what an error was found by where its values are not told."""

    def __getitem__(self, group: int) -> str:
        """Return the same for every part, however long it was."""
        return _HIDDEN


_Words = Callable[[re.Match[str] | _Hidden], str]
_Rule = tuple[re.Pattern[str], int, str, _Words]


def _rule(pattern: str, errno: int, state: str, words: _Words) -> _Rule:
    return (re.compile(pattern, re.S), errno, state, words)


def _stored(name: str) -> str:
    """Leave out what tells a name from one in another case."""
    return re.sub(r"~\d+$", "", name)


_NUMBERS = r"(?:INT\d+|HUGEINT|INT|BIGINT|DOUBLE|FLOAT|DECIMAL\([\d,]+\)|UINT\d+)"
_RULES: tuple[_Rule, ...] = (
    _rule(
        r"executing the UDF: SqlError: (.*)",
        100357,
        "P0000",
        lambda m: m[1],
    ),
    _rule(
        rf"[Cc]ould not convert string ['\"]\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[Ee][+-]?\d+)?)\s*['\"]"
        rf" to {_NUMBERS}",
        100039,
        "22003",
        lambda m: f"Numeric value '{m[1]}' is out of range",
    ),
    _rule(
        rf"[Cc]ould not convert string ['\"](.*?)\x1f?['\"] to {_NUMBERS}",
        100038,
        "22018",
        lambda m: f"Numeric value '{m[1]}' is not recognized",
    ),
    _rule(
        r"[Cc]ould not convert string ['\"](.*?)['\"] to BOOL",
        100037,
        "22018",
        lambda m: f"Boolean value '{m[1]}' is not recognized",
    ),
    _rule(
        r"Could not choose a best candidate function for the function call \"(.*?)\"",
        1044,
        "42P13",
        lambda m: (
            "SQL compilation error: error line 1 at position 0\n"
            f"Invalid argument types for function '{m[1].partition('(')[0].upper()}'"
        ),
    ),
    _rule(
        r"(?:invalid|could not|Could not).*?(?:date|DATE)\D*?['\"](.*?)['\"]",
        100040,
        "22007",
        lambda m: f"Date '{m[1]}' is not recognized",
    ),
    _rule(
        r"(?:invalid|could not|Could not).*?(?:timestamp|TIMESTAMP)\D*?['\"](.*?)['\"]",
        100035,
        "22007",
        lambda m: f"Timestamp '{m[1]}' is not recognized",
    ),
    _rule(
        r"NOT NULL constraint failed",
        100072,
        "22000",
        lambda m: "NULL result in a non-nullable column",
    ),
    _rule(r"Malformed JSON.*?(?=\n|$)", 100069, "22P02", lambda m: f"Error parsing JSON: {m[0]}"),
    _rule(
        r"String '((?s:.*))' is too long and would be truncated",
        100078,
        "22000",
        lambda m: f"String '{m[1]}' is too long and would be truncated",
    ),
    _rule(
        r"Binary '(.*)' is too long and would be truncated",
        100078,
        "22000",
        lambda m: f"Binary '{m[1]}' is too long and would be truncated",
    ),
    _rule(
        r"Number out of representable range: type (.*), value (.*)",
        100046,
        "22003",
        lambda m: f"Number out of representable range: type {m[1]}, value {m[2]}",
    ),
    _rule(
        r"(Max LOB size \(\d+\) exceeded, actual size of parsed column is \d+)",
        100082,
        "22000",
        lambda m: m[1],
    ),
    _rule(r"(Invalid floating point operation: .*)", 100041, "22003", lambda m: m[1]),
    _rule(
        r"Unsupported feature: (nanoseconds below a microsecond)",
        2,
        "0A000",
        lambda m: f"SQL compilation error:\nUnsupported feature '{m[1]}'.",
    ),
    _rule(
        r"Invalid Input Error: ((?:missing [\])]|unexpected \)|no argument for repetition|"
        r"bad repetition|invalid (?:escape|character class|perl|named|UTF-8|repetition)).*)",
        100048,
        "2201B",
        lambda m: f"Invalid regular expression: {m[1]}",
    ),
    _rule(r"[Dd]ivision by zero", 100051, "22012", lambda m: "Division by zero"),
    _rule(
        r"More than one row returned by a subquery",
        90150,
        "22000",
        lambda m: "Single-row subquery returns more than one row.",
    ),
    _rule(
        r"(?:Scalar|Aggregate|Table|Macro) Function with name (\w+) does not exist",
        2140,
        "42601",
        lambda m: f"SQL compilation error:\nUnknown function {m[1].upper()}",
    ),
    _rule(
        r"No function matches the given name and argument types '(.*?)'",
        1044,
        "42P13",
        lambda m: (
            "SQL compilation error: error line 1 at position 0\n"
            f"Invalid argument types for function {m[1]}"
        ),
    ),
    _rule(
        r"column \"?(.*?)\"? must appear in the GROUP BY clause",
        979,
        "42601",
        lambda m: f"SQL compilation error:\n'{_stored(m[1])}' is not a valid group by expression",
    ),
    _rule(
        r"Referenced column \"(.*?)\" not found",
        904,
        "42000",
        lambda m: f"SQL compilation error: error line 1 at position 0\ninvalid identifier '{m[1]}'",
    ),
    _rule(
        r"(?:Conflict|write-write conflict)",
        625,
        "57014",
        lambda m: "Statement was aborted because another transaction changed the same rows.",
    ),
    _rule(r"INTERRUPT|Interrupted", 604, "57014", lambda m: "SQL execution canceled"),
    _rule(
        r"[Oo]ut of [Rr]ange|[Oo]verflow|Could not cast value [-\d.e+naif]+ to DECIMAL",
        100046,
        "22003",
        lambda m: "Number out of representable range",
    ),
)


def translated(error: Exception, *, hide_values: bool) -> SqlError:
    """Return the error that the user sees."""
    if isinstance(error, SqlError):
        return error
    assert isinstance(error, duckdb.Error)
    text = str(error)
    if (refused := python_functions.carried(text)) is not None:
        errno, state, said = refused
        return SqlError(_HIDDEN if hide_values else said, errno=errno, sqlstate=state)
    if (size := early_sizes.told(text)) is not None:
        said = _HIDDEN if hide_values else lob_limit.exceeded(size)
        return SqlError(said, errno=100082, sqlstate="22000")
    for pattern, errno, state, words in _RULES:
        if found := pattern.search(text):
            hidden = hide_values and errno >= _OF_VALUES
            return SqlError(words(_Hidden() if hidden else found), errno=errno, sqlstate=state)
    return _unknown(error)


_COMPILED = (
    duckdb.BinderException,
    duckdb.ParserException,
    duckdb.CatalogException,
    duckdb.SyntaxException,
)


def _unknown(error: duckdb.Error) -> SqlError:
    """Say what kind of trouble it was; DuckDB's own words are about other types and functions."""
    if isinstance(error, _COMPILED):
        return unsupported("an expression of this statement")
    return SqlError(f"SQL execution error:\n{_said(error)}", errno=100132, sqlstate="22000")


def _said(error: duckdb.Error) -> str:
    match error:
        case duckdb.ConversionException():
            return "A value cannot be converted to the type that it is needed as."
        case duckdb.OutOfMemoryException():
            return "The statement needs more memory than there is."
        case duckdb.InvalidInputException() | duckdb.InvalidTypeException():
            return "A function does not take one of the values it is given."
        case _:
            return "The statement cannot be computed for these values."
