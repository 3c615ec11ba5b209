"""Names of a person's own objects in a sentence: they say where, never what is wanted.

Room: SQL. `drop table CLINIC.RAW.STAFF` speaks neither of raw data nor of staff. A name is
recognised by its form alone: parts joined by dots, double quotes, or capitals behind the kind of
object that it names. What Snowflake itself has named (`ACCOUNT_USAGE.QUERY_HISTORY`), files and
hosts stay words, since they tell what is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

_QUOTED = r'"(?:[^"\n]|"")+"'
_BARE = r"[^\W\d][\w$]*"
_PART = rf"(?:{_QUOTED}|{_BARE})"
_JOINED = re.compile(rf"(?<![\w.$/:\\'\"-]){_PART}(?:\.\.?{_PART}){{1,3}}(?![\w\"@]|\.\w)")
_ALONE = re.compile(rf'(?<![\w"]){_QUOTED}(?![\w"])')
_KINDS = "table view column schema database warehouse role user stage task stream pipe procedure"
_SAYS = re.compile(r"\b(?:gets?|got|getting|says?|said|saying|errors?|message|throws?):? ?$")
"""What stands behind these in quotes was said by somebody."""
_BEHIND_KIND = re.compile(
    rf"\b(?i:{'|'.join(_KINDS.split())}) (?!(?:FROM|IN|INTO|ON|AS|TO|WITH|FOR|AND|OR|NOT|IF)\b)"
    r"(?P<name>[A-Z][A-Z\d_$]+)(?![\w.])"
)
_BEHIND_EXCEPTION = re.compile(
    r"\b(?:(?:everyone|everybody|nobody|anyone|anybody|all) but|except(?: for)?|apart from"
    r"|other than) (?:the )?(?:role )?(?P<name>[A-Z][A-Z\d_$]+)(?![\w.])"
)
"""Capitals behind what excepts somebody: `hide it from everyone but BILLING`."""
_WAREHOUSE = re.compile(r"(?<![\w.\"])(?:warehouse )?[^\W\d]\w*_WH(?![\w.\"])", re.IGNORECASE)
_SPLIT = re.compile(rf"{_QUOTED}|[^.]+")
_SYSTEM_TEXT = (
    "information_schema account_usage organization_usage data_sharing_usage reader_account_usage"
)
_SYSTEM = frozenset(_SYSTEM_TEXT.split())
"""Schemas that Snowflake fills, wherever they stand."""
_PRODUCTS = frozenset({"cortex", "snowpark"})
"""What stands before the only dot in names that Snowflake has given."""
_CODE = frozenset({"streamlit", "snow", "st", "pd", "np", "df", "session"})
"""The same in programs, which are written in small letters: `ML.PUBLIC.SCORES` is a table."""
_ENDINGS_TEXT = (
    "ai app avro bz2 cloud co com csv dev edu eu exe gov gz html io ipynb jar java js json log md "
    "net orc org parquet pdf pkl png py sh sql svg tar toml ts tsv txt whl xls xlsx xml yaml yml "
    "zip zst"
)
_ENDINGS = frozenset(_ENDINGS_TEXT.split())
_SHORTEST = 2
"""Letters that a part of a name in two parts has at least: `e.g.` is none."""
_IN_SCHEMA = 2
"""Parts of a name with its schema."""
_WORDS_IN_QUOTES = 4
"""So many words in quotes are something that somebody said, not a name."""


class ObjectName(NamedTuple):
    """Where an intent names an object of the account."""

    start: int
    """Of its first character, 0-based."""
    end: int
    """Behind its last character."""
    parts: tuple[str, ...]
    """As written, quotes included."""


def object_names(text: str) -> tuple[ObjectName, ...]:
    """Return the names of objects in an intent, in the order of speaking."""
    return tuple(sorted(_found(text)))


def without_names(text: str) -> str:
    """Return an intent without the names of objects in it; `CLINIC_WH` says warehouse, no more."""
    for name in reversed(object_names(text)):
        text = f"{text[: name.start]} {text[name.end :]}"
    return _WAREHOUSE.sub("warehouse", text)


def without_dotted_names(text: str) -> str:
    """Return an intent without the names of several parts in it: what is left stands alone."""
    for name in reversed(object_names(text)):
        if len(name.parts) > 1:
            text = f"{text[: name.start]} {text[name.end :]}"
    return text


def _found(text: str) -> Iterator[ObjectName]:
    taken: list[tuple[int, int]] = []
    for found in _JOINED.finditer(text):
        parts = tuple(_SPLIT.findall(found[0]))
        if _is_own(parts):
            taken.append(found.span())
            yield ObjectName(*found.span(), parts)
    alone = (form.finditer(text) for form in (_ALONE, _BEHIND_KIND, _BEHIND_EXCEPTION))
    for found in chain.from_iterable(alone):
        name = found.groupdict().get("name") or found[0]
        start = found.end() - len(name)
        is_taken = any(begin < found.end() and start < end for begin, end in taken)
        is_said = " " in name and bool(_SAYS.search(text[:start]))
        if not (is_taken or is_said) and len(name.split()) < _WORDS_IN_QUOTES:
            yield ObjectName(start, found.end(), (name,))


def _is_own(parts: tuple[str, ...]) -> bool:
    """Tell a name from what Snowflake has named, from files and hosts, and from sentences."""
    plain = [part.lower() for part in parts]
    if not _SYSTEM.isdisjoint(plain[:2]) or plain[-1] in _ENDINGS or _is_ours(parts):
        return False
    if len(parts) > _IN_SCHEMA:
        return True
    is_sentence = parts[0].islower() and parts[1].istitle()
    return not is_sentence and min(map(len, parts)) >= _SHORTEST


def _is_ours(parts: tuple[str, ...]) -> bool:
    """Tell whether the first part belongs to Snowflake or to a program, not to a database."""
    first = parts[0].lower()
    is_product = first in _PRODUCTS and len(parts) == _IN_SCHEMA
    return first == "snowflake" or is_product or parts[0] in _CODE
