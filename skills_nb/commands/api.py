"""The Python door: the same calls without words to parse.

Room: commands. Source: FORMATS, One grammar (Python).
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skills_nb.commands.app import App
from skills_nb.commands.reply import Reply
from skills_nb.errors import UsageError

if TYPE_CHECKING:
    from skills_nb.model.library import Library
    from skills_nb.model.routes import Route
    from skills_nb.ports import Wire
    from skills_nb.runtime.mounted_connection import Session


def load_library(path: str | Path | None = None) -> Library:
    """Open a library of skills; the shipped one without a path.

    Raises:
        LibraryError: there is no library there.
    """
    from skills_nb.commands.wiring import shipped_library
    from skills_nb.reading import open_library

    return open_library(Path(path) if path is not None else shipped_library())


def route(intent: str) -> Route:
    """Return what an intent resolves to in the shipped library; nothing is started."""
    from skills_nb.commands.home.prepared_routing import resolve

    return resolve(intent, load_library())


def connect(
    path: str | Path | None = None,
    *,
    user: str | None = None,
    role: str | None = None,
    database: str | None = None,
    schema: str | None = None,
    warehouse: str | None = None,
    trust_python: bool = False,
    **connector_options: Any,
) -> Session:
    """Return a Snowpark session on an embedded account.

    Args:
        path: folder of the account; None: a new one in memory, without demo data.
        user: who logs in; ADMIN when left out.
        role: a role granted to that user; ACCOUNTADMIN for ADMIN when left out.
        database: database to use.
        schema: schema to use.
        warehouse: warehouse to use.
        trust_python: let functions and procedures in Python run where this machine cannot keep
            them from its files and its network; elsewhere they run without.
        connector_options: handed to the connector, such as `session_parameters`.

    Raises:
        snowflake.connector.errors.DatabaseError: the user is unknown, or lacks the role.
        SkillsError: another process holds the account.
        UsageError: the path is empty, or another process has the account open, which would have
            to trust its Python.
    """
    from skills_nb.runtime import mounted_connection

    if path is not None and not str(path).strip():
        raise UsageError(
            "the path of an account is empty", hint="name a folder, or leave `path` out"
        )
    wire = _wire(Path(path) if path is not None else None, trust_python=trust_python)
    name = (user or "ADMIN").upper()
    as_role = role or ("ACCOUNTADMIN" if name == "ADMIN" else None)
    connection = mounted_connection.connect(
        wire,
        user=name,
        role=as_role,
        database=database,
        schema=schema,
        warehouse=warehouse,
        **{"paramstyle": "qmark", **connector_options},  # what Snowpark's `params` are written in
    )
    return mounted_connection.session(connection)


def _wire(folder: Path | None, *, trust_python: bool) -> Wire:
    from skills_nb.commands.home import embedded_accounts
    from skills_nb.embedded.engine.account import Account
    from skills_nb.embedded.wire import EmbeddedWire

    if folder is None:
        account = Account.open(None)
        embedded_accounts.let_handlers_in(account)
        account.python.trusted = trust_python
        return EmbeddedWire(account)
    wire = embedded_accounts.share(folder, demo=False)
    if trust_python:
        embedded_accounts.trust_python(wire)
    return wire


def session() -> Session:
    """Return the Snowpark session that threads use: in a notebook the very one, else this home's.

    In a notebook it is the session of `%skill`, with its role, database and account as they are
    now; what is changed in it is changed for the threads too.

    Raises:
        SkillsError: the account cannot be opened.
    """
    app = _notebook_app() or App()
    return app.wiring.live_session()


def _notebook_app() -> App | None:
    """Return the app of the notebook that this runs in; None elsewhere, or before `%load_ext`."""
    shells = sys.modules.get("IPython")
    shell = shells.get_ipython() if shells is not None else None
    magics = getattr(shell, "_skills_nb_magics", None)
    return magics.door.app if magics is not None else None


@dataclass(frozen=True, slots=True)
class Handle:
    """A thread as a value in a notebook; its repr is the card that the magic shows."""

    app: App
    """The commands of the home folder that the thread lives in."""
    reply: Reply
    """What the last call answered."""

    @property
    def thread_id(self) -> str:
        """Return the thread's id."""
        return self.reply.thread_id or ""

    def respond(self, choice: str, *, phrase: str | None = None, **changes: Any) -> Handle:
        """Answer the open pause and go on; `changes` are inputs for `modify`."""
        words = ["respond", choice, "--thread", self.thread_id]
        words += ["--phrase", phrase] if phrase else []
        for name, value in changes.items():
            words += ["--set", f"{name}={value}"]
        return Handle(self.app, self.app.invoke(words))

    def __repr__(self) -> str:
        from skills_nb.views import render_text

        return render_text(self.reply.view)

    def _repr_html_(self) -> str:
        from skills_nb.views import render_html

        return render_html(self.reply.view)


def start(target_or_intent: str, **inputs: Any) -> Handle:
    """Start a thread and go on to the next pause, as `%skill run` does."""
    app = App()
    words = ["run", target_or_intent]
    for name, value in inputs.items():
        words += ["--input", f"{name}={value}"]
    return Handle(app, app.invoke(words))
