"""The shadow account: a copy of the catalog, where planned statements run for real.

Rows come along for the tables that statements touch, where somebody lends them.

Room: embedded. It is driven below the wire: statements go straight to an account session, because
no connector is needed to find out what a catalog would look like.
Source: ARCHITECTURE, Dry run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from skills_nb.embedded.catalog.difference import difference_of
from skills_nb.embedded.catalog.entities import Entity, Kind, TableDetail
from skills_nb.embedded.catalog.surveying import survey
from skills_nb.embedded.storage.files.borrowing import BorrowedFiles
from skills_nb.embedded.storage.lending import Lender
from skills_nb.embedded.tools import predicting
from skills_nb.embedded.tools.access_changes import access_changes
from skills_nb.embedded.tools.lineage import lineage
from skills_nb.embedded.tools.seen_columns import Onlooker
from skills_nb.embedded.tools.seen_rows import Copies, seen_rows
from skills_nb.errors import SqlError
from skills_nb.model.events.values import AccountContext
from skills_nb.ports import (
    CatalogDifference,
    InnerStatement,
    QueryRows,
    RehearsedOutcome,
    SeenRows,
)
from skills_nb.sql.identifiers import resolve
from skills_nb.sql.json_values import json_safe
from skills_nb.sql.result_counts import counts_of, total_of

if TYPE_CHECKING:
    from skills_nb.embedded.catalog.catalog import Catalog
    from skills_nb.embedded.engine.account import Account
    from skills_nb.embedded.engine.session import AccountSession
    from skills_nb.embedded.storage.files.files import StageFiles


_LIMIT_S = 300
"""How long one statement is tried: a loop without an end must not hang a dry run."""
_NO_ROWS = (
    "This account is rehearsed on a copy without its rows, and it is not asked as another role, so "
    "no rows are shown."
)


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
        # What is planned may change it; whose eyes these are does not change.
        self._active_role = session.role

    @classmethod
    def of(
        cls,
        account: Account,
        context: AccountContext,
        files: StageFiles | None = None,
        rows: Lender | None = None,
        missing: Sequence[str] = (),
    ) -> ShadowAccount:
        """Return a shadow of an embedded account, entered as the context says.

        Args:
            account: what is rehearsed on; nothing of it is changed.
            context: where and as whom the session works.
            files: the staged files to copy from, where they are not the account's own.
            rows: who lends the rows of the tables that statements touch; where nobody does, they
                are empty.
            missing: names of what the account that it stands for has, and it has not.
        """
        shadow = account.snapshot_without_rows()
        shadow.is_rehearsal = True
        shadow.files = BorrowedFiles(files or account.files)
        shadow.lender = rows
        if rows is not None:
            rows.begin(shadow.store.connection)
        before = shadow.catalog.copy()
        session = shadow.session(
            context.current_user,
            context.current_role or None,
            context.current_warehouse,
            context.current_database,
            context.current_schema,
        )
        session.statement_limit_s = _LIMIT_S
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

    def execute(self, sql: str, *, role: str | None, tag: str) -> RehearsedOutcome:
        """Run a planned statement on the shadow."""
        account, inner = self._shadow, list[InnerStatement]()
        account.touched.clear()
        account.read_from.clear()
        newest = account.catalog.new_id()
        self._session.inner = inner
        try:
            with self._as(role):
                result = self._session.execute(sql, query_tag=tag)
        finally:
            self._session.inner = None
            are_known = account.short.isdisjoint(account.read_from)
            if not are_known:
                self._doubt(newest)
        counts = counts_of([column.name for column in result.columns], result.rows)
        count = None if counts is None else total_of(counts)
        return RehearsedOutcome(
            result.query_id, count, 0.0, counts or {}, are_known, tuple(inner[:-1])
        )

    def _doubt(self, newest: int) -> None:
        """What was written from rows that are not all here is not to be believed either."""
        account = self._shadow
        tables = (e for e in account.catalog.all(Entity) if isinstance(e.detail, TableDetail))
        account.short |= account.touched | {e.id for e in tables if e.id > newest}

    def has_rows_of(self, name: Sequence[str]) -> bool:
        """Return whether the shadow holds a table's rows as they would be by now."""
        account, path = self._shadow, tuple(name)
        one = account.catalog.find(Kind.TABLE, path)
        found = [one] if one is not None else account.catalog.within(Kind.TABLE, path)
        far = account.short | (account.unmade if account.lender is None else set())
        return all(entity.id not in far for entity in found)

    def difference(self) -> CatalogDifference:
        """Return what the planned statements changed."""
        return difference_of(self._before, self._shadow.catalog)

    def access(self) -> Sequence[Mapping[str, Any]]:
        """Return for which roles and columns the planned statements change what is seen."""
        earlier = self._shadow.snapshot_without_rows(self._before)
        before, after = (Onlooker(one, self._session.user) for one in (earlier, self._shadow))
        try:
            return access_changes(before, after)
        finally:
            before.close()
            after.close()
            earlier.close()

    def seen_rows(self, access: Sequence[Mapping[str, Any]]) -> Sequence[SeenRows]:
        """Return a few rows as roles see them before and after the planned statements."""
        lender, role = self._shadow.lender, self._active_role
        if lender is None or role is None:
            told = (one for one in access if "table" in one)
            return [SeenRows(str(one["table"]), why=_NO_ROWS) for one in told]
        earlier = self._shadow.snapshot_without_rows(self._before)
        try:
            earlier.is_rehearsal = True
            earlier.lender = lender
            lender.begin(earlier.store.connection)
            return seen_rows(Copies(earlier, self._shadow, self._session.user, role), access)
        finally:
            earlier.close()

    def lineage(self) -> Mapping[str, Any]:
        """Return what feeds the objects that the planned statements touch, and what they feed."""
        return lineage(self._before, self._shadow.catalog, self.difference())

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
        before = self._session.frame
        wanted = resolve(role)
        if wanted not in self._session.available_roles():
            raise SqlError(
                f"SQL execution error:\nRequested role '{wanted}' is not assigned to the "
                "executing user. Specify another role to activate.",
                errno=3013,
                sqlstate="02000",
            )
        self._session.frame = replace(before, role=wanted, secondary_mode="NONE")
        try:
            yield
        finally:
            self._session.frame = replace(
                self._session.frame, role=before.role, secondary_mode=before.secondary_mode
            )
