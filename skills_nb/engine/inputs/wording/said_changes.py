"""Which column of a table a person wants changed, to what, and in which rows.

Room: laws. `set status to closed where …` names the column, `rename Bern to Berne in CLIENTS` only
the value that goes, `fill missing prices with 0` the rows. What is left of the words when the
change is taken out says which rows are meant.
Spec: Principles > Lazy context.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from skills_nb.engine.inputs.wording.named_choices import mentions, spoken_key
from skills_nb.sql.identifiers import split_name

CHANGED = "changed"
"""The input that holds the column."""
NEW_VALUE = "new_value"
"""The input that holds what goes into it."""
_PLEASE = r"(?:please |pls |plz |can you |could you |i want (?:you )?to |we need to )*"
_SETS = r"set|update|change|put|fill(?: in| up)?|impute|replace|overwrite|correct|fix|make"
_SWAPS = r"rename|replace|change|update|correct|fix|turn"
_MISSING = r"missing|empty|null|blank|unset|unknown"
_FILLS = rf"(?:the|all|any|every|each|our|their|its|values?|columns?|of|in|for|{_MISSING}|nulls)"
_SET_BEFORE = re.compile(rf"(?:^|[\s,;:.])(?P<verb>{_SETS}) (?:{_FILLS} )*[\"']?$", re.IGNORECASE)
_SWAP_BEFORE = re.compile(
    rf"(?:^|[\s,;:.])(?:{_SWAPS}) (?:(?:the|our|all) )*[\"']?$", re.IGNORECASE
)
_END = (
    r"(?=[,;]|\s+(?:where|when|whose|if|for|in|on|of|from|with|that|which|who|only)\b"
    r"|\s*[.!?]?\s*$)"
)
_TEXT = r"(?:'(?:[^'\n]|'')*'|\"[^\"\n]*\"|[^\s,;'\"][^,;'\"\n]*?)"
_NEW = rf"(?:back )?(?:to|with|by|as|into|=|:=)(?: be)?\s*(?P<new>{_TEXT}){_END}"
_SET_BEHIND = re.compile(
    rf"[?!\"']*(?P<between>(?:\s+(?:of|in|for|where|on)\b[^;]{{1,80}}?)?)\s*{_NEW}", re.IGNORECASE
)
_SWAP_BEHIND = re.compile(
    rf"[?!\"']*\s+(?:from )?(?P<former>(?!of\b|in\b|for\b|on\b|where\b|column\b){_TEXT})\s+{_NEW}",
    re.IGNORECASE,
)
_SWAPPED = re.compile(
    rf"^\W*{_PLEASE}(?:{_SWAPS}) (?:(?:the|all|every|value|values) )*"
    rf"(?P<former>(?!(?:the )?(?:column|table|view|schema|database|role)\b){_TEXT})\s+{_NEW}",
    re.IGNORECASE,
)
_MARKED = re.compile(
    rf"^\W*{_PLEASE}(?:mark|flag) (?P<rows>[^;]{{1,80}}?) as (?P<new>{_TEXT}){_END}", re.IGNORECASE
)
_BEGINS = re.compile(
    rf"^\W*{_PLEASE}(?:(?:in|for|on|update) [^,;:]{{1,60}}?[,:]? )?(?:[^\s,;:]+ ?: ?)?"
    rf"(?:{_SETS}|{_SWAPS}|mark|flag)\b",
    re.IGNORECASE,
)
_UPDATES = re.compile(rf"^\W*{_PLEASE}update\b", re.IGNORECASE)
_TO = re.compile(r"(?:\b(?:to|with|by|as|into)\b|=)", re.IGNORECASE)
_IT = re.compile(rf"\b(?:it|they|that|those)(?= (?:is|are|was|were) (?:{_MISSING})\b)", re.I)
_IS_MISSING = re.compile(rf"\b(?:{_MISSING}|nulls)\b", re.IGNORECASE)
_INTO_COLUMN = re.compile(r"^\s*(?:in|of|for)(?: (?:the|column|field|values? of))* \"?$", re.I)
_EVERY = re.compile(r"\b(?:all|every|each|everywhere)\b", re.IGNORECASE)
_NULLS = frozenset({"null", "nothing", "none", "empty", "blank"})


@dataclass(frozen=True, slots=True)
class ChangeSaid:
    """A change of values that a goal asks for."""

    column: str
    """The column, as SQL; empty where only a value of it is said."""
    value: str
    """What goes into it, as it was said, without quotes."""
    former: str
    """The value that goes, where it is said; else empty."""
    rows: str
    """The goal without the change, which says which rows are meant."""


def may_change(goal: str) -> bool:
    """Tell whether a goal begins as if values were to change: whether they do, columns tell."""
    found = _BEGINS.match(goal)
    return found is not None and _TO.search(goal, found.end()) is not None


def change_said(goal: str, columns: Iterable[str]) -> ChangeSaid | None:
    """Return the change that a goal asks for; None where it asks for none of these columns.

    Args:
        goal: a person's words.
        columns: those of the table, as SQL.
    """
    if not may_change(goal):
        return None
    by_key = {spoken_key(split_name(column)[-1]): column for column in columns}
    for start, end, column in mentions(goal, by_key):
        if (said := _of_column(goal, start, end, column)) is not None:
            return said
    return _swapped_in(goal, by_key)


def value_swapped(goal: str) -> ChangeSaid | None:
    """Return the change of a value whose column is not said: `rename Bern to Berne in CLIENTS`."""
    found = _SWAPPED.match(goal)
    if found is None:
        return None
    former = _bare(found["former"])
    rows = f"{goal[: found.start('former')]}{former}{goal[found.end() :]}"
    return ChangeSaid("", _bare(found["new"]), former, _without_verb(rows))


def value_marked(goal: str) -> ChangeSaid | None:
    """Return the change by which rows are marked: `mark invoice 2 as paid`."""
    found = _MARKED.match(goal)
    if found is None:
        return None
    return ChangeSaid("", _bare(found["new"]), "", f"{found['rows']}{goal[found.end() :]}")


def is_of_every_row(goal: str) -> bool:
    """Tell whether a goal says that every row is meant."""
    return _EVERY.search(goal) is not None


def is_no_value(text: str) -> bool:
    """Tell whether a value stands for none: `set the owner to null`."""
    return text.lower() in _NULLS


def _of_column(goal: str, start: int, end: int, column: str) -> ChangeSaid | None:
    before, behind = goal[:start], goal[end:]
    if (swap := _SWAP_BEHIND.match(behind)) and _SWAP_BEFORE.search(before):
        former = _bare(swap["former"])
        kept = f"where {goal[start:end]} is {former} ;"
        rows = f"{_SWAP_BEFORE.sub(' ', before)} {kept} {behind[swap.end() :]}"
        return ChangeSaid(column, _bare(swap["new"]), former, rows)
    led, told = _SET_BEFORE.search(before), _SET_BEHIND.match(behind)
    if led is None or told is None:
        return None
    name = goal[start:end]
    missing = f"{name} is missing ;" if _IS_MISSING.search(led[0]) else ""
    rest = _IT.sub(name, behind[told.end() :])
    head = _UPDATES.sub(" ", before[: led.start()])
    rows = f"{head} {told['between']} ; {missing} {rest}"
    return ChangeSaid(column, _bare(told["new"]), "", rows)


def _swapped_in(goal: str, by_key: dict[str, str]) -> ChangeSaid | None:
    """Return the change of a value whose column stands behind: `replace A by B in the city`."""
    found = _SWAPPED.match(goal)
    if found is None:
        return None
    behind = goal[found.end() :]
    for start, end, column in mentions(behind, by_key):
        if _INTO_COLUMN.match(behind[:start]) is not None:
            former = _bare(found["former"])
            rows = f"where {behind[start:end]} is {former} ; {behind[end:]}"
            return ChangeSaid(column, _bare(found["new"]), former, rows)
    return None


def _without_verb(rows: str) -> str:
    return re.sub(rf"^\W*{_PLEASE}(?:{_SWAPS})\b", " ", rows, flags=re.IGNORECASE)


def _bare(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text
