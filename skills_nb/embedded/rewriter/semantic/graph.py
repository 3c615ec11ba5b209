"""The graph of a semantic view: logical tables, many-to-one relationships, members by name.

Room: embedded. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.semantic_details import SemanticDetail
from skills_nb.sql.governance.ast.create_semantic_view import (
    SemanticMember,
    SemanticRelationship,
    SemanticTable,
)

Steps = tuple[SemanticRelationship, ...]


class Graph:
    """Questions about one semantic view."""

    def __init__(self, detail: SemanticDetail) -> None:
        """Answer from this definition."""
        self.tables: dict[str, SemanticTable] = {t.alias: t for t in detail.tables}
        self.members = detail.members
        self._named = {(m.table, m.name): m for m in detail.members}
        self._from: dict[str, list[SemanticRelationship]] = {}
        for relationship in detail.relationships:
            self._from.setdefault(relationship.table, []).append(relationship)

    def member(self, table: str, name: str) -> SemanticMember | None:
        """Return the member of a table, or with '' the metric of the view itself."""
        return self._named.get((table, name))

    def unique(self, name: str) -> SemanticMember:
        """Return the only member of that name.

        Raises:
            SqlError: there is none (904), or more than one (1052).
        """
        found = [m for m in self.members if m.name == name]
        if len(found) > 1:
            raise errors.ambiguous(name)
        if not found:
            raise errors.invalid_identifier(name)
        return found[0]

    def steps(self, start: str, end: str) -> Steps | None:
        """Return the relationships from many to one; None where there is no way.

        Raises:
            SqlError: there is more than one way (0A000).
        """
        found = list(self._ways(start, end, ()))
        if len(found) > 1:
            raise errors.unsupported(f"several relationship paths from {start} to {end}")
        return found[0] if found else None

    def _ways(self, start: str, end: str, trail: Steps) -> Iterable[Steps]:
        if start == end:
            yield trail
            return
        for step in self._from.get(start, ()):
            if step not in trail:
                yield from self._ways(step.referenced, end, (*trail, step))

    def finest(self, tables: Iterable[str]) -> str | None:
        """Return the table from which all the others can be reached; None without one."""
        listed = sorted(set(tables), key=list(self.tables).index)
        for table in listed:
            if all(self.steps(table, other) is not None for other in listed):
                return table
        return None

    def is_cyclic(self) -> bool:
        """Tell whether some table refers back to itself through others."""
        return any(
            self.steps(step.referenced, table) is not None
            for table, steps in self._from.items()
            for step in steps
        )
