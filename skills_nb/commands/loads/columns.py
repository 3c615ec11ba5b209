"""The columns that a table is made with: their names, their types, and what was noticed.

Room: commands (loads).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from skills_nb.commands.loads.tabled import Fit, Tabled
from skills_nb.commands.loads.text_moments import moment_fit
from skills_nb.commands.loads.text_money import money_fit, unsigned
from skills_nb.commands.loads.text_numbers import is_doubtful, near_number, number_fit
from skills_nb.commands.loads.typed_values import json_text_fit, value_fit
from skills_nb.sql.identifiers import MAX_LENGTH, quote

_BARE = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*")
_TRUE_FALSE = frozenset({"true", "false"})


@dataclass(frozen=True, slots=True)
class LoadColumn:
    """A column of the table that data go into."""

    name: str
    """As it is stored."""
    fit: Fit
    """What its values are kept as."""
    place: int
    """Which of the source's columns fills it, from 0."""

    @property
    def sql(self) -> str:
        """Return its name as SQL."""
        return quote(self.name)


def stored_names(names: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names that columns get, and what a person should know of them.

    A name that SQL takes without quotes is in capitals, so that it may be typed in any case.
    """
    made: list[str] = []
    notes: list[str] = []
    for number, given in enumerate(names, start=1):
        plain = re.sub(r"[\s\x00-\x1f]+", " ", given).strip()[:MAX_LENGTH]
        name = plain.upper() if _BARE.fullmatch(plain) else plain
        if not name:
            name = f"C{number}"
            notes.append(f"Column {number} has no name and is called {name}.")
        free = _free(name, {each.upper() for each in made})
        if free != name:
            notes.append(f"The name '{given}' is given twice; column {number} is called {free}.")
        made.append(free)
    quoted = [quote(name) for name in made if quote(name) != name]
    if quoted:
        more = f" and {len(quoted) - 3} more" if len(quoted) > 3 else ""
        notes.append(f"In SQL these names need their quotes: {', '.join(quoted[:3])}{more}.")
    return tuple(made), tuple(notes)


def _free(name: str, taken: set[str]) -> str:
    if name.upper() not in taken:
        return name
    return next(f"{name}_{n}" for n in range(2, 10_000) if f"{name}_{n}".upper() not in taken)


def inferred(data: Tabled) -> tuple[tuple[LoadColumn, ...], tuple[str, ...]]:
    """Return the columns of a table that holds the data, and what a person should know of them."""
    names, notes = stored_names(data.names)
    fits = [fit_of(data, place) for place in range(len(names))]
    if any(fit.has_comma for fit in fits):
        fits = [_doubted(fit, data, place) for place, fit in enumerate(fits)]
    columns = tuple(LoadColumn(name, fits[n], n) for n, name in enumerate(names))
    return columns, (*notes, *notes_of(columns))


def notes_of(columns: Sequence[LoadColumn]) -> tuple[str, ...]:
    """Return why columns are what they are, where somebody may expect another type."""
    noted = [column for column in columns if column.fit.note]
    noted.sort(key=lambda column: column.fit.type != "VARCHAR")
    return tuple(map(_note, noted))


def _note(column: LoadColumn) -> str:
    kept = "stays text" if column.fit.type == "VARCHAR" else f"is {column.fit.type}"
    return f"{column.sql} {kept}: {column.fit.note}."


def fit_of(data: Tabled, place: int) -> Fit:
    """Return what the values of a column are kept as, by what they are themselves."""
    present = [
        (number, row[place])
        for number, row in zip(data.numbers, data.rows, strict=True)
        if row[place] is not None
    ]
    values = [value for _, value in present]
    if not values:
        return Fit("VARCHAR", str, "it holds no values")
    if data.is_text:
        return _of_texts(present)
    if all(isinstance(value, str) for value in values) and data.dates_are_texts:
        return json_text_fit(values) or value_fit(values)
    return value_fit(values)


def _of_texts(present: Sequence[tuple[int, str]]) -> Fit:
    values = [value for _, value in present]
    if all(value.strip().lower() in _TRUE_FALSE for value in values):
        return Fit("BOOLEAN", lambda value: value.strip().lower())
    found = number_fit(values) or money_fit(values) or moment_fit(values)
    return found or Fit("VARCHAR", str, near_number(present))


def _doubted(fit: Fit, data: Tabled, place: int) -> Fit:
    """Keep 1.234 as text where other columns have a comma before their decimals."""
    if not fit.type.startswith("NUMBER") or fit.has_comma:
        return fit
    doubt = is_doubtful([unsigned(value) for value in data.column(place) if value is not None])
    why = f"'{doubt}' may be a thousand or a fraction"
    return fit if doubt is None else replace(fit, type="VARCHAR", read=_as_it_is, note=why)


def _as_it_is(value: Any) -> str:
    return str(value)
