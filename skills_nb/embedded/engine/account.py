"""The account: what all sessions share.

Room: embedded. One lock serialises statements: an account in the process has one writer, and a
reader never sees half a statement.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.catalog import Catalog
from skills_nb.embedded.catalog.entities import (
    Entity,
    Kind,
    TableDetail,
    UserDetail,
)
from skills_nb.embedded.catalog.protection import Protection, protection_of
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.embedded.objects import bootstrap
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.connection import BEGIN, COMMIT
from skills_nb.embedded.physical.duck_sql import DuckSql
from skills_nb.embedded.procedures.python.routines import PythonRoutines
from skills_nb.embedded.session.context import PythonHandlers, PythonSession, Work
from skills_nb.embedded.storage.files.files import StageFiles
from skills_nb.embedded.storage.lending import Lender
from skills_nb.embedded.storage.physical_tables import make_place
from skills_nb.embedded.storage.spooled_rows import SpooledRows
from skills_nb.embedded.storage.store import Store
from skills_nb.embedded.storage.time_travel import images
from skills_nb.embedded.types import default_clock
from skills_nb.embedded.types.values import AccountInfo, AiHandler, KeptResult

_KEPT_RESULTS = 200
_KEPT_BYTES = 4 << 30
"""How large kept results may be together; the latest one is always kept."""


class Account:
    """An embedded Snowflake account."""

    def __init__(
        self,
        store: Store,
        *,
        clock: default_clock.Clock,
        ids: default_clock.Ids,
        info: AccountInfo | None = None,
    ) -> None:
        """Take over an open store; `Account.open` is the usual door."""
        self.store = store
        self.clock = clock
        self.ids = ids
        self.info: AccountInfo = info or AccountInfo()
        self.files = StageFiles(store.folder)
        self.catalog = Catalog()
        self.lock = threading.RLock()
        self.results: OrderedDict[str, KeptResult] = OrderedDict()
        self.working: dict[str, Work] = {}
        """Statements at work by query id: one, and those inside which it runs."""
        store.is_ending = self._is_ending
        self.cancelled: dict[str, int] = {}
        """Statements that somebody ended, with their sessions."""
        self.unmade: set[int] = set()
        """Numbers of the tables that DuckDB does not know yet."""
        self.lender: Lender | None = None
        """Who has the rows of the tables that DuckDB does not know yet; None where nobody has."""
        self.short: set[int] = set()
        """Numbers of the tables whose rows are not all here."""
        self.touched: set[int] = set()
        """Numbers of the tables that statements looked at or changed, until somebody clears it."""
        self.read_from: set[int] = set()
        """Those of them whose rows were read."""
        self._sessions = 0
        self.python_functions: set[str] = set()
        """Handlers that DuckDB knows by now."""
        self.ai_handler: AiHandler | None = None
        self.python_session: PythonSession | None = None
        """Opens a Snowpark session over one of this account's, for procedures in Python."""
        self.python: PythonHandlers = PythonRoutines()
        """Handlers in Python, in processes of their own."""
        self.is_rehearsal = False
        """Whether what runs here is only tried: nothing of it may reach beyond the account."""
        self._latest: datetime | None = store.latest_statement()
        self._protections: dict[int, Protection] = {}
        self._protections_of = -1

    @classmethod
    def open(
        cls,
        path: Path | None = None,
        *,
        clock: default_clock.Clock = default_clock.system_clock,
        ids: default_clock.Ids = default_clock.system_ids,
        info: AccountInfo | None = None,
    ) -> Account:
        """Open the account kept in a folder, or a new one in memory.

        Raises:
            SkillsError: another process holds the folder, or its file is damaged.
        """
        account = cls(Store(path), clock=clock, ids=ids, info=info)
        records = account.store.load()
        if records:
            images.adopt(account.store.connection)
            for record in records:
                account.catalog.put(record)
            account.catalog.take_journal()
            bootstrap.found_viewers(account.catalog, account.clock())
            account._forget_temporary()
        else:
            account._found()
        return account

    def _found(self) -> None:
        bootstrap.found(self.catalog, self.clock())
        self._persist(())

    @contextmanager
    def seen_by(self, session: int) -> Iterator[None]:
        """Let a session's temporary objects stand before lasting ones while it works."""
        before, self.catalog.viewer = self.catalog.viewer, session
        try:
            yield
        finally:
            self.catalog.viewer = before

    def _forget_temporary(self) -> None:
        """Drop what sessions left behind whose process died."""
        places = []
        for entity in self.catalog.all(Entity):
            if not getattr(entity.detail, "temporary", 0):
                continue
            if isinstance(entity.detail, TableDetail):
                places.append(duck_sql.place(entity.detail.place))
            self.catalog.forget(entity)
        self._persist(places)

    def _persist(self, places: Iterable[DuckSql]) -> None:
        cursor = self.store.cursor()
        cursor.execute(BEGIN)
        for place in places:
            cursor.execute(duck_sql.of("DROP TABLE IF EXISTS {place}", place=place))
        self.store.write(cursor, self.catalog.take_journal())
        cursor.execute(COMMIT)

    def _is_ending(self) -> bool:
        return any(work.reason is not None for work in [*self.working.values()])

    def instant(self) -> datetime:
        """Return an instant after every earlier one: when a statement happens."""
        now = self.clock()
        if self._latest is not None and now <= self._latest:
            now = self._latest + timedelta(microseconds=1)
        self._latest = now
        return now

    # ---- sessions

    def session(
        self,
        user: str,
        role: str | None = None,
        warehouse: str | None = None,
        database: str | None = None,
        schema: str | None = None,
    ) -> AccountSession:
        """Log a user in; names are stored names.

        Raises:
            SqlError: the user is unknown (390100) or disabled (390101), or does not hold the role
                (390189).
        """
        with self.lock:
            entity = self.catalog.find(Kind.USER, (user,))
            if entity is None or not isinstance(entity.detail, UserDetail):
                raise errors.bad_login()
            expires = entity.detail.expires_at
            if entity.detail.disabled or (expires is not None and expires <= self.clock()):
                raise errors.disabled_user()
            self._sessions += 1
            return AccountSession(self, entity, self._sessions).enter(
                role, warehouse, database, schema
            )

    def user_by_login(self, login: str) -> Entity | None:
        """Return the user who logs in with this name, in any case."""
        for user in self.catalog.children(Kind.USER):
            detail = user.detail
            if isinstance(detail, UserDetail) and detail.login_name.upper() == login.upper():
                return user
        return None

    def answer_ai(self, handler: AiHandler | None) -> None:
        """Let a handler answer AI_COMPLETE and its kin; None takes it away again.

        The handler gets an `AiCall` and returns what the function returns: text for AI_COMPLETE, a
        boolean for AI_FILTER, a mapping for AI_CLASSIFY. Without one these functions are refused.
        """
        self.ai_handler = handler

    def keep_result(self, query_id: str, kept: KeptResult) -> None:
        """Remember a result for RESULT_SCAN; the oldest go first."""
        self.results[query_id] = kept
        while len(self.results) > _KEPT_RESULTS:
            self.results.popitem(last=False)
        if isinstance(kept.rows, SpooledRows):
            self._make_room(kept.rows.bytes)

    def _make_room(self, size: int) -> None:
        """Let go of the oldest results where all together are too large with the latest one."""
        for query_id, kept in reversed(list(self.results.items())[:-1]):
            size += kept.rows.bytes if isinstance(kept.rows, SpooledRows) else 0
            if size > _KEPT_BYTES:
                del self.results[query_id]

    def policies_of(self, entity: Entity) -> Protection:
        """Return what protects a table or view, policies of tags included."""
        if self._protections_of != self.catalog.version:
            self._protections, self._protections_of = {}, self.catalog.version
        if entity.id not in self._protections:
            self._protections[entity.id] = protection_of(self.catalog, entity)
        return self._protections[entity.id]

    # ---- whole-account views

    def fingerprint(self) -> Mapping[str, Any]:
        """Return the catalog as plain values by class and key: for comparing, not for reading."""
        return self.catalog.fingerprint()

    clone_metadata = fingerprint

    def snapshot_without_rows(self, catalog: Catalog | None = None) -> Account:
        """Return an account in memory with the same catalog and empty tables.

        DuckDB learns of a table when a statement first touches its rows, which most never do.

        Args:
            catalog: what it holds in place of the account's own, such as an earlier state of it.
        """
        with self.lock:
            shadow = Account(Store(None), clock=self.clock, ids=self.ids, info=self.info)
            shadow.ai_handler = self.ai_handler
            shadow.python_session = self.python_session
            shadow.python.trusted = self.python.trusted
            for record in (catalog or self.catalog).records():
                shadow.catalog.put(record)
            shadow.catalog.take_journal()
        shadow.postpone_tables()
        return shadow

    def postpone_tables(self) -> None:
        """Leave every table of the catalog, which has no rows, to `make_places`."""
        tables = (e for e in self.catalog.all(Entity) if isinstance(e.detail, TableDetail))
        self.unmade.update(entity.id for entity in tables)

    def make_places(self, touched: Iterable[int]) -> bool:
        """Make what DuckDB does not know yet of the tables touched, or of all if none is.

        Their rows come with them where somebody lends them.

        Returns:
            Whether anything was made.
        """
        wanted = self.unmade.intersection(touched) or set(self.unmade)
        for number in wanted:
            entity = self.catalog.by_id(number)
            if entity is not None and isinstance(entity.detail, TableDetail):
                make_place(self.store.connection, entity.detail)
                self._borrow(entity, entity.detail)
        self.unmade -= wanted
        return bool(wanted)

    def _borrow(self, entity: Entity, detail: TableDetail) -> None:
        self.touched.add(entity.id)
        if self.lender is None or not self.lender.lend(detail.place, self.store.connection):
            self.short.add(entity.id)

    def lent_rows(self, entities: Iterable[Entity]) -> dict[int, int]:
        """Count the rows of tables that are with whoever lends them still, by number."""
        far = self.unmade | self.short
        places = {
            entity.detail.place: entity.id
            for entity in entities
            if entity.id in far and isinstance(entity.detail, TableDetail)
        }
        if self.lender is None or not places:
            return dict.fromkeys(places.values(), 0)
        counts = self.lender.counts(places)
        return {number: counts.get(place, 0) for place, number in places.items()}

    def close(self) -> None:
        """Close the account; its sessions end."""
        with self.lock:
            self.store.close()
            self.files.close()

    def __enter__(self) -> Account:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
