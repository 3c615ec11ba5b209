"""Which rows of a table a person means, read from words into a condition.

Room: laws. `rides in Berlin with a fare above 19 last week` names a value that some column holds,
a comparison, and a span of time. What sounds like a condition and could not be read is told: a
number over all rows would be the answer to another question.
Spec: Principles > Lazy context, Factual over advisory.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date

from skills_nb.engine.inputs.wording.named_choices import (
    GROUPING,
    last_word_key,
    mentions,
    spoken_key,
)
from skills_nb.engine.inputs.wording.plain_words import ASKS, PLAIN, RANKING, TELLS_ROWS
from skills_nb.engine.inputs.wording.said_counts import counts_said
from skills_nb.engine.inputs.wording.said_moments import MomentSaid, moments_said
from skills_nb.engine.inputs.wording.said_runs import runs_around, runs_of_words, stretches
from skills_nb.engine.inputs.wording.said_states import BIRTH, states_said
from skills_nb.engine.inputs.wording.said_truths import (
    LEFT_OUT,
    YES_OR_NO,
    said_as_sentence,
    said_keys,
    truth_said,
    yes_and_no,
)
from skills_nb.engine.inputs.wording.table_columns import TableColumn
from skills_nb.sql.identifiers import render_name
from skills_nb.sql.names_in_text import object_names
from skills_nb.sql.tokens import literal

_NUMBER = r"-?\d+(?:\.\d+)?"
_BE = r"(?:is|are|was|were|being|be)"
_SIGNS = {
    ">=": r"at least|no less than|not less than|not below|>=",
    "<=": r"at most|no more than|not more than|not above|up to|<=",
    "<>": rf"(?:{_BE} )?not|other than|different from|<>|!=",
    ">": r"above|over|exceeding|more than|greater than|higher than|larger than|bigger than|>",
    "<": r"below|under|less than|fewer than|lower than|smaller than|<",
    "=": rf"equal to|equals|of exactly|exactly|of|{_BE}|==?|:",
}
"""How each comparison is said, the signs that begin like another after it."""
_COMPARED = re.compile(
    rf"(?:\s*of(?: the| our)?\s{{2,}})?\s*(?:{_BE} )?(?:"
    + "|".join(rf"(?P<s{at}>{said})" for at, said in enumerate(_SIGNS.values()))
    + rf")?\s*(?P<value>{_NUMBER}|'[^'\n]*'|\"[^\"\n]*\")(?![\w.])"
)
_BETWEEN = re.compile(rf"\s*(?:{_BE} )?between ({_NUMBER}) and ({_NUMBER})(?![\w.])")
_MISSING = re.compile(rf"\s*(?:{_BE} )?(not )?(?:missing|empty|null|blank|not set|unknown)\b")
_WITHOUT = re.compile(
    r"\b(?:without(?: an?| any)?|(?:with|have|has|having|had) no|lack(?:s|ing)?(?: an?| any)?) $"
)
_FOLLOWING = re.compile(r" (?:is )?([^\W_]+)(?![\w'’])")
_TIMED = re.compile(r"\W*(?:since|in|on|before|after|until|till|by|within|during|between)\b")


@dataclass(frozen=True, slots=True)
class HeldValue:
    """A value that a column holds, said in a goal."""

    column: str
    """Name of the column."""
    value: str
    """As it is stored."""


@dataclass(frozen=True, slots=True)
class SaidRows:
    """What a goal says of rows."""

    conditions: tuple[str, ...] = ()
    """Conditions in SQL, all of which must hold."""
    unread: tuple[str, ...] = ()
    """What sounds like a condition and could not be read, as it was said."""
    runs: tuple[str, ...] = ()
    """Words, one or more together, that may be values of a column; in small letters."""
    offers: tuple[str, ...] = ()
    """Where only the column of a time is open: the whole condition, for each that it may be."""


@dataclass(slots=True)
class _Reading:
    """A goal while it is read: what is understood of it is crossed out."""

    goal: str
    columns: Sequence[TableColumn]
    text: str = ""
    conditions: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    behind: list[str] = field(default_factory=list)
    """Words that stand behind the name of a column of texts: `shelf A`."""
    moments: list[MomentSaid] = field(default_factory=list)
    """Times that may be about several columns."""

    def cross_out(self, start: int, end: int) -> None:
        self.text = self.text[:start] + " " * (end - start) + self.text[end:]

    def take(self, start: int, end: int, condition: str) -> None:
        self.conditions.append(condition)
        self.cross_out(start, end)

    def leave(self, start: int, end: int) -> None:
        self.unread.append(" ".join(self.goal[start:end].split()))
        self.cross_out(start, end)


def rows_said(
    goal: str,
    columns: Sequence[TableColumn],
    *,
    table: str,
    moment: str | None = None,
    today: date,
    held: Sequence[HeldValue] = (),
) -> SaidRows:
    """Return which rows of a table a goal means.

    Args:
        goal: a person's words.
        columns: those of the table.
        table: its name, which is no condition.
        moment: the column that times are about, where that is settled.
        today: the day on which the words were said.
        held: which of the runs that were returned before some column holds.
    """
    reading = _Reading(goal, columns, goal.lower())
    if len(reading.text) != len(goal):
        reading.text = goal  # a letter that has no small form of its own length
    if (ranking := RANKING.search(reading.text)) is not None:
        reading.cross_out(*ranking.span("verb"))
    for found in [found for asks in ASKS for found in asks.finditer(reading.text)]:
        reading.cross_out(*found.span())
    _cross_out_names(reading, table)
    runs = _read_states(reading, held)
    _read_moments(reading, moment, today)
    for start, end in list(counts_said(reading.text)):
        reading.cross_out(start, end)
    within = {spoken_key(column.name) for column in columns}
    longer = tuple(runs_around(reading.text, within))
    _read_values(reading, [one for one in held if one.value.lower() in longer])
    _read_comparisons(reading, held)
    runs = (*longer, *runs, *reading.behind, *runs_of_words(reading.text))
    _read_values(reading, held)
    _note_unread(reading)
    offers = tuple(_offers(reading)) if not reading.unread else ()
    unread = (*reading.unread, *(_as_said(reading, one) for one in reading.moments))
    conditions = tuple(dict.fromkeys(reading.conditions))
    return SaidRows(conditions, unread, tuple(dict.fromkeys(runs)), offers)


def _cross_out_names(reading: _Reading, table: str) -> None:
    names = {column.name for column in reading.columns}
    for name in object_names(reading.goal):
        is_column = len(name.parts) == 1 and name.parts[0].strip('"') in names
        if not is_column:
            reading.cross_out(name.start, name.end)
    columns = {spoken_key(name): "" for name in names}
    last = {key: table} if (key := last_word_key(table)) else {}
    for start, end, called in mentions(reading.text, last | {spoken_key(table): table} | columns):
        if called:
            reading.cross_out(start, end)


# ---- states


def _read_states(reading: _Reading, held: Iterable[HeldValue]) -> tuple[str, ...]:
    """Read what is said without a column's name; return the words that values may be, too."""
    values = {one.value.lower() for one in held}
    texts = any(column.kind == "text" for column in reading.columns)
    runs = []
    for said in list(states_said(reading.text, reading.columns)):
        is_null = said.condition.endswith(" NULL")
        if is_null and (said.word in values or _is_timed(reading, said.end)):
            # A state that is a value, too, or one at a time: either may be meant.
            reading.leave(said.start, said.end)
        else:
            reading.take(said.start, said.end, said.condition)
        runs += [said.word] if is_null and texts else []
    return tuple(runs)


def _is_timed(reading: _Reading, end: int) -> bool:
    """Tell whether a time follows: `not returned since March` is not about what is missing."""
    return _TIMED.match(reading.text, end) is not None


# ---- times


def _read_moments(reading: _Reading, moment: str | None, today: date) -> None:
    for said in sorted(moments_said(reading.text, today), key=lambda one: one.start):
        columns = _columns_of_moment(reading, moment)
        if len(columns) == 1:
            reading.take(said.start, said.end, said.condition(columns[0]))
        elif columns:
            reading.moments.append(said)
            reading.cross_out(said.start, said.end)
        else:
            reading.leave(said.start, said.end)


def _columns_of_moment(reading: _Reading, moment: str | None) -> tuple[str, ...]:
    """Return the columns that a time may be about: those whose name is said, else all."""
    if moment is not None:
        return (render_name((moment,)),)
    dates = [column for column in reading.columns if column.kind == "moment"]
    said = set(spoken_key(reading.goal).split("_"))
    said |= BIRTH if "born" in said else set()
    alike = [one for one in dates if said & (set(spoken_key(one.name).split("_")) - PLAIN)]
    return tuple(column.sql for column in alike or dates)


def _offers(reading: _Reading) -> Iterator[str]:
    """Yield, for each column that the times may be about, all that was said of rows."""
    if reading.moments:
        for column in _columns_of_moment(reading, None):
            moments = (said.condition(column) for said in reading.moments)
            # What tells the offers apart comes first: a button shows the beginning.
            yield " AND ".join(dict.fromkeys((*moments, *reading.conditions)))


def _as_said(reading: _Reading, moment: MomentSaid) -> str:
    return " ".join(reading.goal[moment.start : moment.end].split())


# ---- comparisons


def _read_comparisons(reading: _Reading, held: Iterable[HeldValue]) -> None:
    columns = dict(said_keys(reading.columns))
    known = {column.name: column for column in reading.columns}
    values = tuple(held)
    _read_parted_truths(reading, values)
    for start, end, name in list(mentions(reading.text, columns)):
        column = known[name]
        behind = end + (reading.text[end : end + 1] == '"')
        is_grouping = GROUPING.search(reading.text[:start]) is not None
        yes_no = None if is_grouping else _yes_and_no(reading, column, values)
        found = (
            _comparison(reading, start, behind, column)
            or truth_said(reading.text, start, behind, column, yes_no)
            or _named_value(reading, start, behind, column, values)
        )
        if found is not None:
            reading.take(found[0], found[1], found[2])
        else:
            reading.cross_out(start, end)


def _read_parted_truths(reading: _Reading, held: Sequence[HeldValue]) -> None:
    for column in reading.columns:
        said = said_as_sentence(reading.text, column)
        yes_no = _yes_and_no(reading, column, held) if said is not None else None
        if said is not None and (column.kind == "truth" or yes_no is not None):
            yes, no = map(literal, yes_no) if yes_no is not None else ("TRUE", "FALSE")
            reading.take(*said.span(), f"{column.sql} = {no if said['no'] else yes}")


def _yes_and_no(
    reading: _Reading, column: TableColumn, held: Sequence[HeldValue]
) -> tuple[str, str] | None:
    """Return what says yes and no in a column of texts that is named; it is looked up first."""
    if column.kind != "text":
        return None
    reading.behind += YES_OR_NO
    return yes_and_no(one.value for one in held if one.column == column.name)


def _named_value(
    reading: _Reading, start: int, end: int, column: TableColumn, held: Sequence[HeldValue]
) -> tuple[int, int, str] | None:
    """Return a value that stands right behind its column's name, however plain a word it is."""
    following = _FOLLOWING.match(reading.text, end) if column.kind == "text" else None
    if following is None:
        return None
    word = following[1]
    reading.behind.append(word)
    values = [one.value for one in held if one.column == column.name and one.value.lower() == word]
    return (start, following.end(), _among(column.name, values, False)) if values else None


def _comparison(
    reading: _Reading, start: int, end: int, column: TableColumn
) -> tuple[int, int, str] | None:
    """Return the stretch of a comparison on a column that is said there, and its SQL."""
    text = reading.text
    if (missing := _MISSING.match(text, end)) is not None:
        return start, missing.end(), f"{column.sql} IS {'NOT ' if missing[1] else ''}NULL"
    if (without := _WITHOUT.search(text[:start])) is not None:
        return without.start(), end, f"{column.sql} IS NULL"
    if column.kind == "number" and (between := _BETWEEN.match(text, end)) is not None:
        sql = f"{column.sql} BETWEEN {between[1]} AND {between[2]}"
        return start, between.end(), sql
    compared = _COMPARED.match(text, end)
    if compared is None or not _fits(column, compared["value"]):
        return None
    signs = (sign for at, sign in enumerate(_SIGNS) if compared[f"s{at}"] is not None)
    value = reading.goal[slice(*compared.span("value"))]
    return start, compared.end(), f"{column.sql} {next(signs, '=')} {_sql_of(value)}"


def _fits(column: TableColumn, value: str) -> bool:
    return value[0] in "'\"" if column.kind == "text" else column.kind == "number"


def _sql_of(value: str) -> str:
    return literal(value[1:-1]) if value[0] in "'\"" else value


# ---- values


def _read_values(reading: _Reading, held: Iterable[HeldValue]) -> None:
    by_run: dict[str, list[HeldValue]] = {}
    for one in held:
        by_run.setdefault(one.value.lower(), []).append(one)
    found: dict[tuple[str, bool], list[str]] = {}
    for run in sorted(by_run, key=lambda text: -len(text)):
        for at in _places(reading.text, run):
            column = _column_of_value(reading, {one.column for one in by_run[run]})
            if column is None:
                reading.leave(at, at + len(run))
                continue
            left_out = LEFT_OUT.search(reading.text[:at])
            values = [one.value for one in by_run[run] if one.column == column]
            found.setdefault((column, left_out is not None), []).extend(values)
            reading.cross_out(left_out.start() if left_out else at, at + len(run))
    for (column, is_left_out), values in found.items():
        reading.conditions.append(_among(column, sorted(set(values)), is_left_out))


def _places(text: str, run: str) -> list[int]:
    return [found.start() for found in re.finditer(rf"(?<!\w){re.escape(run)}(?!\w)", text)]


def _column_of_value(reading: _Reading, columns: set[str]) -> str | None:
    """Return the column that holds a value; of several, the one that the goal names."""
    if len(columns) == 1:
        return next(iter(columns))
    keys = {spoken_key(name): name for name in columns}
    named = {name for _, _, name in mentions(reading.goal.lower(), keys)}
    return next(iter(named)) if len(named) == 1 else None


def _among(column: str, values: Sequence[str], is_left_out: bool) -> str:
    name = render_name((column,))
    listed = ", ".join(literal(value) for value in values)
    if len(values) == 1:
        return f"{name} {'IS DISTINCT FROM' if is_left_out else '='} {listed}"
    return f"NOT COALESCE({name} IN ({listed}), FALSE)" if is_left_out else f"{name} IN ({listed})"


# ---- what could not be read


def _note_unread(reading: _Reading) -> None:
    """Note the rest that may say which rows are meant: the answer would be to something else."""
    parts = {part for one in reading.columns for part in spoken_key(one.name).split("_")}
    parts |= BIRTH if parts & BIRTH else set()
    for words in stretches(reading.text):
        telling = [word for word in words if _tells(reading, word, parts)]
        if telling:
            reading.unread.append(reading.goal[telling[0].start() : telling[-1].end()])
    told = TELLS_ROWS.search(reading.goal)
    if told is not None and not (reading.unread or reading.conditions or reading.moments):
        reading.unread.append(told[0].strip())


def _tells(reading: _Reading, word: re.Match[str], parts: set[str]) -> bool:
    """Tell whether a word may say which rows are meant; one of a column's name only names it."""
    return word[0] not in PLAIN and spoken_key(word[0]) not in parts
