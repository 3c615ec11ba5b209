"""Where a name stands in a sentence: what rows come from, and where they go.

Room: laws. `upsert STAGING.NEW into CORE.GUESTS` reads from the one and changes the other.
Spec: Principles > Lazy context.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from skills_nb.engine.inputs.wording.plain_words import PLAIN
from skills_nb.sql.identifiers import split_name
from skills_nb.sql.names_in_text import ObjectName, object_names

SOURCE, DESTINATION = "intent.source", "intent.destination"
"""In `infer_from`: the name that rows come from, and the one that they go to."""
_KIND = (
    r"(?:the |my |our |its |their |role |table |view |stage |stream |schema |database "
    r"|files (?:in|on) |rows (?:in|of) |changes (?:in|of) )*@?\"?$"
)
_FROM = re.compile(rf"\b(?:from|out of) {_KIND}", re.IGNORECASE)
_INTO = re.compile(rf"\b(?:into|onto|to) {_KIND}", re.IGNORECASE)
_IN = re.compile(rf"\b(?:in|on|over|against|as) {_KIND}", re.IGNORECASE)
_USUAL = frozenset(
    ["analytics", "data", "dev", "prod", "public", "raw", "reporting", "shared", "staging", "test"]
)
"""Names of schemas and databases that are words of many sentences."""
_SHORTEST = 3
"""Letters that such a name has at least to be told from a word in small letters."""


def named_at(goal: str, source: str) -> Iterator[str]:
    """Yield the tables, stages, … that a goal names as where rows come from or go to.

    Args:
        goal: a person's words.
        source: `SOURCE` or `DESTINATION`.
    """
    names = list(object_names(goal))
    into = _destination(goal, names)
    if source == DESTINATION:
        chosen = [into] if into is not None else []
    else:
        left = [name for name in names if name != into]
        behind = [name for name in left if _FROM.search(goal[: name.start])]
        # Who names one thing alone has said what it is about, not where rows come from.
        chosen = behind or (left if len(names) > 1 else [])
    yield from (".".join(name.parts) for name in chosen)


def _destination(goal: str, names: list[ObjectName]) -> ObjectName | None:
    for form in (_INTO, _IN):
        found = [name for name in names if form.search(goal[: name.start])]
        if found:
            return found[-1]
    return None


def places_named(goal: str, places: Iterable[str]) -> tuple[str, ...]:
    """Return the databases and schemas that a goal names by one word, as they are written.

    Of a database and a schema in it that are both named, the schema is meant.
    """
    last = {place: split_name(place)[-1] for place in places}
    said = [place for place, name in last.items() if _says_name(goal, name)]
    return tuple(
        place for place in said if not any(other.startswith(f"{place}.") for other in said)
    )


def _says_name(goal: str, name: str) -> bool:
    """Tell whether a goal says a name by itself, in its own letters or in small ones.

    A word that is said of much else, such as `public`, is a name in its own letters only.
    """
    is_usual = name.lower() in _USUAL | PLAIN or len(name) < _SHORTEST
    forms = [name] if is_usual and name.isupper() else [name, name.lower()]
    forms = [f'"{name}"'] if is_usual and not name.isupper() else forms
    return any(re.search(rf"(?<![\w.$]){re.escape(one)}(?![\w$]|\.\w)", goal) for one in forms)
