"""Names that nothing in the account has yet, offered for what is to be made beside something.

Room: laws. The name is that of another input's object with a word behind it, numbered where that is
taken: `SALES_DEV`, `SALES_DEV_2`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from skills_nb.model.skills import InputSpec
from skills_nb.sql.identifiers import render_name
from skills_nb.sql.templates import Name
from skills_nb.sql.tokens import literal

_FREE = re.compile(r"\{free name of (?P<source>\w+) and (?P<word>\w+)\}")
_MOST_TRIED = 1000


@dataclass(frozen=True, slots=True)
class FreeName:
    """A name to be found beside another one."""

    beside: Name
    """A database, or a schema or a table with what it is in."""
    word: str
    """What is put behind the name."""

    @property
    def query(self) -> str:
        """Return the query that lists the names which are taken."""
        *place, last = self.beside.parts
        if not place:
            return "SHOW DATABASES"
        if len(place) > 1:
            return f"SHOW OBJECTS IN SCHEMA {render_name(place)} STARTS WITH {literal(last)}"
        return f"SHOW SCHEMAS IN DATABASE {render_name(self.beside.parts[:1])}"

    def among(self, taken: Collection[str]) -> str | None:
        """Return the first name that nothing has, as it is answered; None where there is none.

        Names that differ by case alone are hard to tell apart, so that those count as taken, too.
        """
        known = {name.upper() for name in taken}
        found = (name for name in self._names() if name.upper() not in known)
        name = next(found, None)
        return render_name((*self.beside.parts[:-1], name)) if name is not None else None

    def _names(self) -> Iterator[str]:
        last = self.beside.parts[-1]
        word = self.word if last == last.upper() else self.word.lower()
        yield f"{last}_{word}"
        yield from (f"{last}_{word}_{number}" for number in range(2, _MOST_TRIED))


def free_name_of(spec: InputSpec, bound: Mapping[str, Any]) -> FreeName | None:
    """Return the name that an input offers beside another one's; None where it offers none."""
    asked = _FREE.fullmatch(str(spec.choices[0])) if len(spec.choices) == 1 else None
    beside = bound.get(asked["source"]) if asked is not None else None
    if asked is None or not isinstance(beside, Name) or len(beside.parts) not in (1, 2, 3):
        return None
    return FreeName(beside, asked["word"])


def offers_free_name(spec: InputSpec) -> bool:
    """Tell whether an input offers a name that nothing has yet."""
    return any(_FREE.fullmatch(str(choice)) for choice in spec.choices)
