"""The composition root: the only place that knows every implementation and plugs it into a port.

Room: commands. Everything opens on first use, so a command pays for what it needs: `route` never
opens an account, `threads` never loads Snowpark.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skills_nb.commands import documents
from skills_nb.commands.home import connections, embedded_accounts
from skills_nb.commands.home.configuration import (
    Configuration,
    compact_after,
    person_of,
    read_configuration,
)
from skills_nb.commands.home.connections import Connection
from skills_nb.commands.home.library_choice import LibraryChoice, remembered_library
from skills_nb.commands.home.shown_rows import ShownRows
from skills_nb.commands.home.store_address import store_at
from skills_nb.model.library import Library
from skills_nb.ports import Clock, Fate, Human, Ports, QueryRows, SqlSession, StatementOutcome
from skills_nb.visible import visible

if TYPE_CHECKING:
    from skills_nb.model.events import AccountContext
    from skills_nb.model.routes import Route
    from skills_nb.model.state import ThreadState
    from skills_nb.ports import Rehearsal, RehearsalAccount, Resolver, ThreadStore, Wire
    from skills_nb.runtime.conductor import Conductor
    from skills_nb.runtime.loopback.shared_wire import SharedWire
    from skills_nb.runtime.mounted_connection import Session
    from skills_nb.runtime.tracing import Watcher
    from skills_nb.runtime.wire_session import WireSession

_LOG = logging.getLogger(__name__)
HOME_VARIABLE = "SKILLS_NB_HOME"
FOLDER = ".skills"


def home_folder() -> Path:
    """Return where threads and the account live: `.skills` here, or as the variable says."""
    named = os.environ.get(HOME_VARIABLE)
    return Path(named).expanduser() if named else Path.cwd() / FOLDER


def shipped_library() -> Path:
    """Return the library that travels with the package."""
    package = Path(str(files("skills_nb")))
    packed = package / "_library"
    return packed if packed.is_dir() else package.parent / "library"


class Wiring:
    """One set of implementations for one home folder."""

    def __init__(
        self, home: Path | None = None, human: Human | None = None, library: Path | None = None
    ) -> None:
        """Remember what to open; nothing is opened yet."""
        self.home = home or home_folder()
        self._human = human
        self._given = library
        self._connection: Connection | None = None
        self.variables: Mapping[str, Any] = {}
        """What a notebook's names stand for; a person may give a session by one."""
        self.most_rows = documents.MOST_ROWS
        """How many rows a query fetches that a person asks."""
        self.actor = ""
        """Who else than a person works here, as events name them."""
        self.on_change: Callable[[ThreadState], None] | None = None
        self.shown_rows = ShownRows()

    @cached_property
    def chosen(self) -> LibraryChoice:
        """Return the library that a person chose for this home; a given one goes before it."""
        return (
            LibraryChoice(self._given) if self._given is not None else remembered_library(self.home)
        )

    @property
    def library_folder(self) -> Path:
        """Return where the library is: the shipped one where none was chosen."""
        return self.chosen.library or shipped_library()

    @cached_property
    def library(self) -> Library:
        """Return the library, its routing part read."""
        from skills_nb.reading import open_library

        return open_library(self.library_folder, self.chosen.overlay)

    @cached_property
    def configuration(self) -> Configuration:
        """Return what was set for this home."""
        return read_configuration(self.home)

    @cached_property
    def resolver(self) -> Resolver | None:
        """Return the model that is asked at the joints; None where none was set."""
        from skills_nb.commands.home.model_choice import resolver_for

        return resolver_for(self.configuration, self.session, self.clock)

    @cached_property
    def clock(self) -> Clock:
        """Return this machine's clock."""
        from skills_nb.runtime.system_ports import SystemClock

        return SystemClock()

    @cached_property
    def store(self) -> ThreadStore:
        """Return the thread store: a team's where one is set, else the home folder's own."""
        return store_at(self.configuration.store, self.home)

    @property
    def notice(self) -> str | None:
        """Return why the store is elsewhere than in the home folder, where it is."""
        return getattr(self.__dict__.get("store"), "notice", None)

    @property
    def account_folder(self) -> Path:
        """Return where the embedded account's files are."""
        return self.home / "account"

    @property
    def connection(self) -> Connection:
        """Return how the account is reached."""
        if self._connection is None:
            self._connection = connections.current(self.home)
        return self._connection

    def use(self, connection: Connection) -> None:
        """Reach the account in another way from now on; it opens with the first statement."""
        self._close("session")
        for name in ("login", "snowpark", "conductor", "resolver"):
            self.__dict__.pop(name, None)
        self._connection = connection

    @cached_property
    def account(self) -> SharedWire:
        """Return the wire to the home folder's account; a new account holds the demo data."""
        return embedded_accounts.share(self.account_folder, demo=True)

    @cached_property
    def login(self) -> WireSession:
        """Return the login on the embedded account, as its administrator; threads work on it."""
        from skills_nb.runtime.wire_session import WireSession

        session = WireSession(
            self.account,
            user="ADMIN",
            role=connections.EMBEDDED_ROLE,
            warehouse=connections.EMBEDDED_WAREHOUSE,
        )
        # A step's role must be all that it runs with: with secondary roles on, checking what a
        # restricted role sees would show what the person sees.
        session.cursor().execute("USE SECONDARY ROLES NONE")
        return session

    @cached_property
    def snowpark(self) -> Session:
        """Return Snowpark on the login that threads work on, in the embedded account."""
        from skills_nb.runtime import mounted_connection

        joined = mounted_connection.join(self.account, self.login.tokens, user=self.login.user)
        return mounted_connection.session(joined)

    @cached_property
    def session(self) -> SqlSession:
        """Return the session port; the account opens with the first statement."""
        return LazySession(
            self._open_session,
            lambda told: connections.mark_production(self.connection, told),
            lambda session: connections.edition_on(self.connection, session),
        )

    def live_session(self) -> Session:
        """Return the very Snowpark session that threads send their statements through."""
        session = self.session
        assert isinstance(session, LazySession), "it was made here"
        if self.connection.kind == "embedded":
            return self.snowpark
        opened: Session = session.snowpark
        return opened

    def is_live(self, session: object) -> bool:
        """Tell whether a value is the session that threads work through; none is opened for it."""
        return self.told is not None and session is self.live_session()

    @property
    def told(self) -> AccountContext | None:
        """Return what the open session last said of itself; None where none is open."""
        session = self.__dict__.get("session")
        return session.told if isinstance(session, LazySession) else None

    def _open_session(self) -> SqlSession:
        from skills_nb.runtime.snowpark import SnowparkSession

        timeout_s = self.configuration.statement_timeout_s
        limit_s = connections.probe_limit(self.configuration.probe_timeout_s)
        if self.connection.kind != "embedded":
            return connections.open_session(self.connection, self.variables, timeout_s, limit_s)
        session = SnowparkSession(self.login, probe_limit_s=limit_s)
        return connections.limit_statements(session, timeout_s)

    @property
    def rehearsal(self) -> Rehearsal:
        """Return what makes shadows of the account."""
        if self.connection.kind != "embedded":
            return MirroredRehearsal()
        return EmbeddedRehearsal(lambda: self.account)

    @cached_property
    def conductor(self) -> Conductor:
        """Return what drives the threads of this home."""
        from skills_nb.runtime.archive import Archive
        from skills_nb.runtime.compactor import Compactor
        from skills_nb.runtime.conductor import Conductor
        from skills_nb.runtime.system_ports import NoHuman, RandomIds

        ports = Ports(
            session=self.session,
            store=self.store,
            clock=self.clock,
            ids=RandomIds(),
            human=self._human or NoHuman(),
            router=_routed,
            rehearsal=self.rehearsal,
            resolver=self.resolver,
            secrets=connections.secrets(self.connection),
            person=self.actor or f"human:{person_of(self.configuration) or 'local'}",
            show_rows=self.shown_rows.taker,
        )
        every = compact_after(self.configuration)
        compactor = Compactor(self.library, Archive(self.home / "archive"), every)
        return Conductor(self.library, ports, self._changed, compactor, self.watcher)

    @cached_property
    def watcher(self) -> Watcher:
        """Return what tells operators; nothing, where they did not ask."""
        from skills_nb.runtime.tracing import watcher

        return watcher(self.configuration.log, self.configuration.traces)

    def _changed(self, state: ThreadState) -> None:
        if self.on_change is not None:
            self.on_change(state)

    def forget_library(self) -> None:
        """Read the library anew when it is next needed; threads go on under the new one."""
        for name in ("library", "conductor"):
            self.__dict__.pop(name, None)

    def forget_threads(self) -> None:
        """Read the threads anew: one of them ends elsewhere than it did."""
        self.__dict__.pop("conductor", None)

    def close(self) -> None:
        """Close what was opened."""
        opened = self.__dict__
        # The session port ends the login that it wraps, and with it what joined it.
        for name in ("session", "store", "watcher"):
            self._close(name)
        if opened.pop("account", None) is not None:
            embedded_accounts.release(self.account_folder)
        for name in ("login", "snowpark", "conductor"):
            opened.pop(name, None)

    def _close(self, name: str) -> None:
        part = self.__dict__.pop(name, None)
        if part is not None:
            part.close()


def _routed(intent: str, library: Library) -> Route:
    from skills_nb.commands.home.prepared_routing import resolve

    return resolve(intent, library)


class LazySession:
    """A session that is opened by its first use. Implements `ports.SqlSession`."""

    def __init__(
        self,
        opens: Callable[[], SqlSession],
        marks: Callable[[AccountContext], AccountContext] = lambda told: told,
        edition: Callable[[SqlSession], str | None] = lambda session: None,
    ) -> None:
        """Remember how to open it.

        Args:
            opens: opens it.
            marks: adds what the account itself does not tell.
            edition: asks for the account's edition, which does not change while it is open.
        """
        self._opens = opens
        self._marks = marks
        self._asks_edition = edition
        self._edition: tuple[str | None] | None = None
        self._opened: SqlSession | None = None
        self.told: AccountContext | None = None
        """Where and as whom it worked when somebody last asked; None before."""

    def _session(self) -> SqlSession:
        if self._opened is None:
            self._opened = self._opens()
        return self._opened

    @property
    def snowpark(self) -> Any:
        """Return Snowpark's session, opened now if it was not."""
        return getattr(self._session(), "snowpark")  # noqa: B009 - the port does not promise one

    def context(self) -> AccountContext:
        """Return where and as whom the session works."""
        session = self._session()
        told = session.context()
        if self._edition is None:
            self._edition = (told.edition or self._asks_edition(session),)
        self.told = self._marks(told.model_copy(update={"edition": self._edition[0]}))
        return self.told

    def query(self, sql: str, *, role: str | None = None, limit: int = 10_000) -> QueryRows:
        """Run a read-only statement."""
        return self._session().query(sql, role=role, limit=limit)

    def execute(self, sql: str, *, role: str | None, tag: str) -> StatementOutcome:
        """Run a statement that may change the account."""
        return self._session().execute(sql, role=role, tag=tag)

    def submit(self, sql: str, *, role: str | None, tag: str) -> str:
        """Send a statement that may take long; return its query id."""
        return self._session().submit(sql, role=role, tag=tag)

    def outcome(self, query_id: str) -> StatementOutcome:
        """Wait for the statement that was submitted last."""
        return self._session().outcome(query_id)

    def fate(self, tag: str, *, query_id: str | None = None, sql: str | None = None) -> Fate:
        """Look a statement up in the query history."""
        return self._session().fate(tag, query_id=query_id, sql=sql)

    def close(self) -> None:
        """End the session if it was opened."""
        if self._opened is not None:
            self._opened.close()


class EmbeddedRehearsal:
    """Shadow accounts of the embedded account: its catalog, and the rows that are touched."""

    def __init__(self, account: Callable[[], Wire]) -> None:
        """Remember how to reach the account."""
        self._account = account

    def shadow(self, session: SqlSession, scope: object) -> RehearsalAccount:
        """Return a shadow that stands where the session stands."""
        from skills_nb.embedded.tools.rehearsal import ShadowAccount

        wire = self._account()
        source, rows = embedded_accounts.shadow_source(wire), embedded_accounts.rows_of(wire)
        return ShadowAccount.of(source, session.context(), rows=rows)


class MirroredRehearsal:
    """Shadow accounts of any account: what its session may see, without rows."""

    def shadow(self, session: SqlSession, scope: Sequence[str]) -> RehearsalAccount:
        """Return a shadow that stands where the session stands."""
        from skills_nb.embedded.tools.mirror import mirrored
        from skills_nb.embedded.tools.rehearsal import ShadowAccount

        context = session.context()
        twin = mirrored(session, context, scope)
        for what in twin.left_out:
            _LOG.warning("not in the rehearsal, because it cannot be made there: %s", visible(what))
        try:
            return ShadowAccount.of(twin.account, context, missing=twin.missing)
        finally:
            twin.account.close()
