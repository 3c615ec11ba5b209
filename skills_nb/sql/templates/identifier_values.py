"""Names as values: what a template renders as an identifier.

Room: sql.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from skills_nb.sql.identifiers import MAX_PARTS, SqlNameError, quote, render_name, split_name

_Kind = Literal["object", "scope"]


@dataclass(frozen=True, slots=True)
class Name:
    """A dotted name of stored parts; renders as an identifier, quoted only where needed.

    Its attributes are plain text, so `{{ t.name }}` renders a string constant, as a query on
    INFORMATION_SCHEMA wants it, and `{{ t }}` or `{{ ident(t.name) }}` an identifier.
    """

    parts: tuple[str, ...]
    """Stored parts, database first, one to four."""
    kind: _Kind = field(default="object", compare=False)
    """`object`: the last part is the object. `scope`: the first part is the database."""

    def __post_init__(self) -> None:
        """Refuse what is no name: no part, too many, or one that Snowflake could not hold."""
        object.__setattr__(self, "parts", tuple(self.parts))
        if not 0 < len(self.parts) <= MAX_PARTS:
            raise SqlNameError(f"{self.parts!r} is not a name of 1 to {MAX_PARTS} parts")
        for part in self.parts:
            quote(part)

    @classmethod
    def parse(cls, text: str) -> Name:
        """Read a name as typed: `prod."My S".t`."""
        return cls(split_name(text))

    @classmethod
    def scope(cls, parts: Iterable[str]) -> Name:
        """Make the name of a database, a schema in it, or an object in that."""
        return cls(tuple(parts), "scope")

    @property
    def name(self) -> str:
        """The last part."""
        return self.parts[-1]

    @property
    def table(self) -> str | None:
        """The object's own part."""
        return self.parts[-1] if self.kind == "object" else self._left(2)

    @property
    def schema(self) -> str | None:
        """The schema's part, where the name has one."""
        return self._right(2) if self.kind == "object" else self._left(1)

    @property
    def database(self) -> str | None:
        """The database's part, where the name has one."""
        return self._right(3) if self.kind == "object" else self._left(0)

    @property
    def container(self) -> Name | None:
        """The name of what it lies in: of the schema, for a table; None for a single part."""
        return Name(self.parts[:-1]) if len(self.parts) > 1 else None

    @property
    def fqn(self) -> str:
        """The whole name as SQL text."""
        return render_name(self.parts)

    def _left(self, index: int) -> str | None:
        return self.parts[index] if index < len(self.parts) else None

    def _right(self, count: int) -> str | None:
        return self.parts[-count] if count <= len(self.parts) else None

    def __str__(self) -> str:
        """Return the whole name as SQL text."""
        return self.fqn


def identifier(part: str) -> Name:
    """Make the name of one stored part."""
    return Name((part,))
