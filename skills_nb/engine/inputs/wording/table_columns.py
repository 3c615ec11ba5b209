"""Columns that words may be about, and which of them a word of the language means.

Room: laws. `older than 60` is about an age and `the cheapest` about a price, whatever the table
calls them; where several columns could be meant, none is.
Spec: Principles > Lazy context.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from skills_nb.engine.inputs.wording.named_choices import says, spoken_key
from skills_nb.sql.identifiers import render_name, split_name

Kind = Literal["number", "moment", "text", "truth", "other"]
_AGE, _PRICE, _SPAN = (
    frozenset({"age"}),
    frozenset({"price", "cost", "fare"}),
    frozenset({"duration", "length"}),
)
_WEIGHT, _HEIGHT = frozenset({"weight"}), frozenset({"height"})
MEASURES: Mapping[str, tuple[str, frozenset[str]]] = {
    "older": (">", _AGE),
    "younger": ("<", _AGE),
    "cheaper": ("<", _PRICE),
    "less expensive": ("<", _PRICE),
    "more expensive": (">", _PRICE),
    "pricier": (">", _PRICE),
    "longer": (">", _SPAN),
    "shorter": ("<", _SPAN),
    "heavier": (">", _WEIGHT),
    "lighter": ("<", _WEIGHT),
    "taller": (">", _HEIGHT),
}
"""What is more or less, how it is compared, and words in the name of the column that holds it."""
_MOST: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("cheapest", "most expensive", "least expensive", "priciest"), _PRICE),
    **dict.fromkeys(("longest", "shortest"), _SPAN),
    **dict.fromkeys(("heaviest", "lightest"), _WEIGHT),
    "tallest": _HEIGHT,
}
"""What is most, and words in the name of the column that says how much."""


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column that conditions may be on."""

    name: str
    """As it is stored."""
    kind: Kind
    """What its values are compared with."""

    @property
    def sql(self) -> str:
        """Return its name as SQL."""
        return render_name((self.name,))

    @property
    def parts(self) -> frozenset[str]:
        """Return the words of its name, as they are said."""
        return frozenset(spoken_key(self.name).split("_"))


def measured_by(goal: str, choices: Iterable[str]) -> tuple[str, ...]:
    """Return the columns that may say how much, where a goal asks for the most or the least.

    Args:
        goal: a person's words.
        choices: names of columns, as SQL.
    """
    wanted = {part for most, parts in _MOST.items() if says(goal, most) for part in parts}
    return tuple(one for one in choices if wanted & set(spoken_key(split_name(one)[-1]).split("_")))
