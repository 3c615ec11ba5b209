"""The shadow account: the catalog without rows, where planned statements run for real.

Room: embedded. It is driven below the wire: statements go straight to an account session, because
no connector is needed to find out what a catalog would look like.
Source: ARCHITECTURE, Dry run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from skills_nb.embedded import predicting
from skills_nb.embedded.difference import difference_of
from skills_nb.embedded.files.borrowing import BorrowedFiles
from skills_nb.embedded.surveying import survey
from skills_nb.errors import SqlError
from skills_nb.model.events.core import AccountContext
from skills_nb.ports import CatalogDifference, QueryRows, StatementOutcome
from skills_nb.sql.identifiers import resolve
from skills_nb.sql.values import json_safe

if TYPE_CHECKING:
    from skills_nb.embedded.account import Account
    from skills_nb.embedded.catalog.catalog import Catalog
    from skills_nb.embedded.files.files import StageFiles
    from skills_nb.embedded.session import AccountSession


class ShadowAccount:
    """A rehearsal of one account. Implements `ports.RehearsalAccount`."""

    def __init__(
        self,
        shadow: Account,
        session: AccountSession,
        before: Catalog,
        missing: Sequence[str] = (),
    ) -> None:
        """Take over a shadow; `ShadowAccount.of` is the usual door."""
        self._shadow = shadow
        self.missing = tuple(missing)
        self._session = session
        self._before = before

    @classmethod
    def of(
        cls,
        account: Account,
        context: AccountContext,
        files: StageFiles | None = None,
        missing: Sequence[str] = (),
    ) -> ShadowAccount:
        """Return a shadow of an embedded account, entered as the context says.

        Args:
            account: what is rehearsed on; its tables' rows stay where they are.
            context: where and as whom the session works.
            files: the staged files to copy from, where they are not the account's own.
            missing: names of what the account that it stands for has, and it has not.
        """
        shadow = account.snapshot_without_rows()
        shadow.files = BorrowedFiles(files or account.files)
        before = shadow.catalog.copy()
        session = shadow.session(
            context.current_user,
            context.current_role or None,
            context.current_warehouse,
            context.current_database,
            context.current_schema,
        )
        return cls(shadow, session, before, missing)

    def context(self) -> AccountContext:
        """Return where and as whom the shadow's session stands."""
        return AccountContext(
            account_locator=self._shadow.info.locator,
            current_role=self._session.role or "",
            current_warehouse=self._session.warehouse,
            current_database=self._session.database,
            current_schema=self._session.schema,
            current_user=self._session.user,
        )

    def query(self, sql: str, *, role: str | None = None, limit: int = 10_000) -> QueryRows:
        """Run a read-only statement on the shadow."""
        with self._as(role):
            result = self._session.execute(sql)
        rows = tuple(tuple(json_safe(cell) for cell in row) for row in result.rows[:limit])
        names = tuple(column.name for column in result.columns)
        return QueryRows(names, rows, len(result.rows), result.query_id)

    def classified(self, table: str, *, role: str | None) -> QueryRows:
        """Return what SYSTEM$CLASSIFY would find in a table, by names and types alone."""
        with self._as(role):
            text = predicting.classification(self._session, table)
        return QueryRows(("SYSTEM$CLASSIFY",), ((text,),), 1)

    def execute(self, sql: str, *, role: str | None, tag: str) -> StatementOutcome:
        """Run a planned statement on the shadow."""
        with self._as(role):
            result = self._session.execute(sql, query_tag=tag)
        return StatementOutcome(result.query_id, None, 0.0)

    def difference(self) -> CatalogDifference:
        """Return what the planned statements changed."""
        return difference_of(self._before, self._shadow.catalog)

    def survey(self, scope: Sequence[str]) -> Mapping[str, Mapping[str, Any]]:
        """Return what the account held in a scope before anything was planned."""
        return survey(self._before, scope)

    def close(self) -> None:
        """Drop the shadow."""
        self._session.close()
        self._shadow.close()

    @contextmanager
    def _as(self, role: str | None) -> Iterator[None]:
        if role is None:
            yield
            return
        before: tuple[Any, Any] = (self._session.role, self._session.secondary_mode)
        wanted = resolve(role)
        if wanted not in self._session.available_roles():
            raise SqlError(
                f"SQL execution error:\nRequested role '{wanted}' is not assigned to the "
                "executing user. Specify another role to activate.",
                errno=3013,
                sqlstate="02000",
            )
        self._session.role, self._session.secondary_mode = wanted, "NONE"
        try:
            yield
        finally:
            self._session.role, self._session.secondary_mode = before
