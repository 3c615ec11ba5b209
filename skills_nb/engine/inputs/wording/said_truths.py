"""What is true of rows, by a column that is true or false: `tasks that are not done`.

Room: laws. Pure.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from skills_nb.engine.inputs.wording.named_choices import short_key, spoken_key
from skills_nb.engine.inputs.wording.table_columns import TableColumn
from skills_nb.sql.tokens import literal

LEFT_OUT = re.compile(
    r"\b(?:not|except|excluding|without|besides|no)(?: (?:in|at|from|for|of|those|the|by|any))*\W*$"
)
"""What stands before something that is left out."""
_BEFORE = re.compile(r"^(?:is|has|was)[_ ]", re.IGNORECASE)
_ONLY_NAMED = re.compile(r"\b(?:per|by|each|every|columns?)(?: the)?\W*$")
_COLUMN = re.compile(r"\W*columns?\b")
_YES = frozenset({"y", "yes", "true", "t", "1", "ja", "oui", "j"})
_NO = frozenset({"n", "no", "false", "f", "0", "nein", "non"})
YES_OR_NO = tuple(sorted(_YES | _NO))
"""Texts in small letters that say whether something is so."""
_VALUE = re.compile(r"\s*(?:is|are|was|were|be|=|:)?\s*(?:(?:true|yes)|(?P<no>false|no))\b")


def said_keys(columns: Iterable[TableColumn]) -> Iterator[tuple[str, str]]:
    """Yield how each column is said, and its name; IS_ACTIVE also as `active`, FEE_EUR as `fee`.

    What a column is called counts more than how another is said: it comes later.
    """
    listed = tuple(columns)
    for column in listed:
        key = spoken_key(_BEFORE.sub("", column.name))
        if column.kind in ("truth", "text"):
            yield f"un{key}", column.name
            yield f"non_{key}", column.name
        if column.kind == "truth":
            yield key, column.name
    counted = Counter(short_key(column.name) for column in listed)
    for column in listed:
        short = short_key(column.name)
        if column.kind == "number" and counted[short] == 1:
            yield short, column.name
    yield from ((spoken_key(column.name), column.name) for column in listed)


def yes_and_no(values: Iterable[str]) -> tuple[str, str] | None:
    """Return which of a column's texts say yes and no; None where they do not say both once."""
    listed = set(values)
    yes = [one for one in listed if one.lower() in _YES]
    no = [one for one in listed if one.lower() in _NO]
    return (yes[0], no[0]) if len(yes) == len(no) == 1 else None


def said_as_sentence(text: str, column: TableColumn) -> re.Match[str] | None:
    """Return where the name of a column is said as a sentence: `the lid was not shut`, of LID_SHUT.

    Its group `no` holds what denies it.
    """
    first, _, last = spoken_key(column.name).partition("_")
    if column.kind not in ("truth", "text") or not last or "_" in last:
        return None
    said = rf"\b{first}s? (?:is|are|was|were|has been|have been) (?P<no>not )?{last}\b"
    return re.search(said, text)


def truth_said(
    text: str, start: int, end: int, column: TableColumn, words: tuple[str, str] | None = None
) -> tuple[int, int, str] | None:
    """Return the stretch around a column's name that says whether it is true, and its SQL.

    Args:
        text: a goal in small letters.
        start: where the name begins.
        end: where it ends.
        column: what is called so.
        words: what says yes and no in it, where it holds texts.
    """
    is_named = _ONLY_NAMED.search(text[:start]) or _COLUMN.match(text, end)
    if (column.kind != "truth" and words is None) or is_named:
        return None
    yes, no = map(literal, words) if words is not None else ("TRUE", "FALSE")
    if text[start:end].startswith(("un", "non")) and not _is_called(text[start:end], column):
        return start, end, f"{column.sql} = {no}"
    if (value := _VALUE.match(text, end)) is not None:
        return start, value.end(), f"{column.sql} = {no if value['no'] else yes}"
    if (left_out := LEFT_OUT.search(text[:start])) is not None:
        return left_out.start(), end, f"{column.sql} IS DISTINCT FROM {yes}"
    return start, end, f"{column.sql} = {yes}"


def _is_called(said: str, column: TableColumn) -> bool:
    """Tell whether a column's own name is said: UNIT is no negation of IT."""
    return spoken_key(said) in (spoken_key(column.name), spoken_key(_BEFORE.sub("", column.name)))
