"""A shadow that is told secrets as the account is, so that it finds the rows that are meant.

Room: work. Nothing of a shadow is written down but what a store takes secrets out of.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from skills_nb.engine.inputs.secrecy import fill_secrets, secrets_in, stand_in
from skills_nb.model.events import AccountContext
from skills_nb.ports import (
    CatalogDifference,
    QueryRows,
    RehearsalAccount,
    RehearsedOutcome,
    SeenRows,
)


class ConfidingShadow:
    """Puts secrets where their stand-ins are. Implements `ports.RehearsalAccount`."""

    def __init__(self, shadow: RehearsalAccount, secrets: Mapping[str, str]) -> None:
        """Work through a shadow; a secret that is not known keeps its stand-in."""
        self._shadow = shadow
        self._secrets = secrets

    @property
    def missing(self) -> Sequence[str]:
        """Return the qualified names of what the account has and the shadow cannot have."""
        return self._shadow.missing

    def context(self) -> AccountContext:
        """Return where and as whom the shadow works."""
        return self._shadow.context()

    def query(self, sql: str, *, role: str | None = None, limit: int = 10_000) -> QueryRows:
        """Run a read-only statement.

        Raises:
            SqlError: the account would refuse it.
        """
        return self._shadow.query(self._filled(sql), role=role, limit=limit)

    def execute(self, sql: str, *, role: str | None, tag: str) -> RehearsedOutcome:
        """Run a planned statement.

        Raises:
            SqlError: the account would refuse it.
        """
        return self._shadow.execute(self._filled(sql), role=role, tag=tag)

    def _filled(self, sql: str) -> str:
        known = {name: self._secrets.get(name, stand_in(name)) for name in secrets_in(sql)}
        return fill_secrets(sql, known)

    def has_rows_of(self, name: Sequence[str]) -> bool:
        """Return whether the shadow holds a table's rows as they would be by now."""
        return self._shadow.has_rows_of(name)

    def classified(self, table: str, *, role: str | None) -> QueryRows:
        """Return what SYSTEM$CLASSIFY would find in a table, by names and types alone.

        Raises:
            SqlError: the account would refuse it.
        """
        return self._shadow.classified(table, role=role)

    def difference(self) -> CatalogDifference:
        """Return what the statements so far changed."""
        return self._shadow.difference()

    def access(self) -> Sequence[Mapping[str, Any]]:
        """Return for which roles and columns the statements so far change what is seen."""
        return self._shadow.access()

    def seen_rows(self, access: Sequence[Mapping[str, Any]]) -> Sequence[SeenRows]:
        """Return a few rows as roles see them before and after the statements so far."""
        return self._shadow.seen_rows(access)

    def lineage(self) -> Mapping[str, Any]:
        """Return what feeds the objects that the statements so far touch, and what they feed."""
        return self._shadow.lineage()

    def survey(self, scope: Sequence[str]) -> Mapping[str, Mapping[str, Any]]:
        """Return what the account held before, by object and property."""
        return self._shadow.survey(scope)

    def close(self) -> None:
        """Give the shadow up."""
        self._shadow.close()
