"""Which account a home folder works with: the embedded one until somebody connects another.

Room: commands. What is kept is a connection's name, never what it logs in with. A notebook's own
session is used by its kernel and not remembered.
"""

from __future__ import annotations

import json
import os
import re
from argparse import Namespace
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, assert_never

from skills_nb.commands.reply import Reply
from skills_nb.errors import SqlError, UsageError

if TYPE_CHECKING:
    from skills_nb.commands.app import App
    from skills_nb.commands.wiring import Wiring
    from skills_nb.model.events import AccountContext
    from skills_nb.model.state import ThreadState
    from skills_nb.ports import SqlReader, SqlSession
    from skills_nb.runtime.costing import Cost
    from skills_nb.runtime.snowpark import SnowparkSession

FILE = "connection.json"
VARIABLE = "SKILLS_NB_CONNECTION"
"""Names the connection of this process, before what is remembered."""
EMBEDDED_ROLE, EMBEDDED_WAREHOUSE = "ACCOUNTADMIN", "COMPUTE_WH"
"""As what a session on the embedded account begins."""
Kind = Literal["embedded", "named", "environment", "session", "active"]


@dataclass(frozen=True, slots=True)
class Connection:
    """How the account is reached."""

    kind: Kind = "embedded"
    name: str = ""
    """A name of `connections.toml`, or of the notebook's variable."""
    production: str = ""
    """Regular expression: accounts and connections that people depend on; empty for the usual."""


def current(home: Path) -> Connection:
    """Return the connection of a home folder: the environment's, else the remembered one."""
    kept = remembered(home)
    named = os.environ.get(VARIABLE)
    if named:
        return replace(kept, kind="named", name=named)
    if kept.kind == "embedded" and not (home / FILE).is_file():
        from skills_nb.runtime.snowpark.connections import is_inside_snowflake

        if is_inside_snowflake():
            return Connection("active")
    return kept


def remembered(home: Path) -> Connection:
    """Return what was chosen for a home folder.

    Raises:
        UsageError: the note of it cannot be read.
    """
    note = home / FILE
    if not note.is_file():
        return Connection()
    try:
        return Connection(**json.loads(note.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as problem:
        raise UsageError(
            f"'{note}' does not say which account is in use",
            hint="choose again: connect --embedded",
        ) from problem


def remember(home: Path, chosen: Connection) -> None:
    """Keep a choice for later commands and kernels.

    Raises:
        UsageError: the home folder cannot be written.
    """
    try:
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        text = json.dumps(asdict(chosen), indent=2) + "\n"
        (home / FILE).write_text(text, encoding="utf-8")
    except OSError as problem:
        raise UsageError(f"'{home}' cannot be written: {problem.strerror}") from problem


def connect(app: App, words: Namespace) -> Reply:
    """Choose an account where one is named, and show where and as whom the session works."""
    if words.password is not None:
        raise UsageError(
            "a password is never written in a cell or on a command line",
            hint="keep it where Snowflake's own clients look: snow connection add",
        )
    if words.list:
        return _listed(app)
    chosen = _chosen(words, app.wiring.connection)
    if chosen != app.wiring.connection:
        _use(app, chosen)
    return _shown(app)


def _chosen(words: Namespace, before: Connection) -> Connection:
    named = [bool(words.name), words.embedded, words.environment, bool(words.session)]
    if sum(named) > 1:
        raise UsageError(
            "one account at a time",
            hint="connect NAME, or --embedded, --environment, --session VAR",
        )
    chosen = before
    if words.name:
        chosen = replace(before, kind="named", name=words.name)
    elif words.embedded:
        chosen = replace(before, kind="embedded", name="")
    elif words.environment:
        chosen = replace(before, kind="environment", name="")
    elif words.session:
        chosen = replace(before, kind="session", name=words.session)
    if words.production is not None:
        _refuse_odd_pattern(words.production)
        chosen = replace(chosen, production=words.production)
    return chosen


def _refuse_odd_pattern(pattern: str) -> None:
    try:
        re.compile(pattern)
    except re.error as problem:
        raise UsageError(
            f"'{pattern}' is no regular expression: {problem}",
            hint="such as --production 'ACME-.*'",
        ) from problem


def _use(app: App, chosen: Connection) -> None:
    """Try the connection before it replaces the one in use; what fails changes nothing."""
    before = app.wiring.connection
    app.wiring.use(chosen)
    try:
        app.wiring.session.context()
    except (SqlError, UsageError):
        app.wiring.use(before)
        raise
    if chosen.kind not in ("session", "active"):
        remember(app.wiring.home, chosen)


def _shown(app: App) -> Reply:
    from skills_nb.views import account_card

    session = app.wiring.session
    context = session.context().model_copy(update={"edition": edition(session)})
    connection = app.wiring.connection
    document = {
        **context.model_dump(mode="json"),
        "connection": {"kind": connection.kind, "name": connection.name},
    }
    return Reply(account_card(context), document)


def _listed(app: App) -> Reply:
    from skills_nb.runtime.snowpark import connections
    from skills_nb.views import message

    known = list(connections.names())
    present = app.wiring.connection
    lines = [f"{'*' if name == present.name else ' '} {name}" for name in known]
    text = "\n".join(lines) or "Snowflake's configuration names no connection."
    return Reply(message(text), {"connections": known, "current": asdict(present)})


def edition(session: SqlReader) -> str | None:
    """Return the account's edition where the role may know it, else None.

    Source: the manual's SHOW ACCOUNTS, which is for organization administrators.
    """
    try:
        found = session.query("SHOW ACCOUNTS")
    except SqlError:
        return None
    rows: list[Mapping[str, Any]] = [
        dict(zip(found.columns, row, strict=True)) for row in found.rows
    ]
    locator = session.context().account_locator
    here = [row for row in rows if row.get("account_locator") == locator]
    return str(here[0]["edition"]) if here and here[0].get("edition") else None


def opened(connection: Connection, variables: Mapping[str, Any], timeout_s: str = "") -> SqlSession:
    """Return the session port of an account that is not the embedded one.

    Args:
        connection: how it is reached.
        variables: of the notebook, where `session` is looked up.
        timeout_s: seconds after which the account gives a statement up; empty: as it is set there.

    Raises:
        UsageError: it names nothing that can be reached.
        SqlError: the account refused the login.
    """
    from skills_nb.runtime.snowpark import SnowparkSession
    from skills_nb.runtime.snowpark import connections as known
    from skills_nb.runtime.snowpark.reopening import ReopeningSession

    def logged_in(standing: Mapping[str, str]) -> SnowparkSession:
        match connection.kind:
            case "named":
                return limited(
                    alone(SnowparkSession(known.by_name(connection.name, standing))), timeout_s
                )
            case "environment":
                return limited(alone(SnowparkSession(known.by_environment(standing))), timeout_s)
            case "session":
                found = known.given(connection.name, _variable(connection.name, variables))
                return SnowparkSession(found, is_ours=False)
            case "active":
                return SnowparkSession(known.active(), is_ours=False)
            case "embedded":
                raise AssertionError("the embedded account is opened by the wiring")
            case _:
                assert_never(connection.kind)

    return ReopeningSession(logged_in)


def alone(session: SnowparkSession) -> SnowparkSession:
    """Leave a session the one role that it works as.

    With secondary roles on, checking what a restricted role sees would show what the person sees.
    """
    session.query("USE SECONDARY ROLES NONE")
    return session


def limited(session: SnowparkSession, timeout_s: str) -> SnowparkSession:
    """Let the account give a session's statements up after so many seconds, if any were set."""
    if timeout_s:
        seconds = _seconds(timeout_s)
        session.query(f"ALTER SESSION SET STATEMENT_TIMEOUT_IN_SECONDS = {seconds}")
    return session


def _seconds(said: str) -> int:
    if not said.isdecimal():
        raise UsageError(
            f"'{said}' is no number of seconds", hint="statement_timeout_s = 600 in config.toml"
        )
    return int(said)


def _variable(name: str, variables: Mapping[str, Any]) -> object:
    if name not in variables:
        raise UsageError(
            f"there is no variable '{name}' here",
            hint="only a notebook has variables; name a connection instead: connect NAME",
        )
    return variables[name]


def marked(connection: Connection, told: AccountContext) -> AccountContext:
    """Return the context with what the person's pattern says of production."""
    if not connection.production:
        return told
    known = (told.account_name, told.account_locator, connection.name)
    found = any(re.search(connection.production, name, re.IGNORECASE) for name in known if name)
    return told.model_copy(update={"is_production": found})


def announced(connection: Connection) -> AccountContext:
    """Return what is known of an account before it is opened: what was configured.

    Raises:
        UsageError: no file of the connector names it.
        SqlError: the connector refuses a file.
    """
    from skills_nb.model.events import AccountContext

    if connection.kind == "embedded":
        from skills_nb.embedded.values import AccountInfo

        info = AccountInfo()
        return AccountContext(
            account_name=f"{info.organization}-{info.name}",
            account_locator=info.locator,
            current_role=EMBEDDED_ROLE,
            current_warehouse=EMBEDDED_WAREHOUSE,
        )
    if connection.kind in ("session", "active"):
        whose = f"of the session '{connection.name}'" if connection.name else "of this process"
        return AccountContext(account_name=whose)
    from skills_nb.runtime.snowpark import connections as known

    told = known.described(connection.name if connection.kind == "named" else None)
    return AccountContext(
        account_name=told.get("account") or connection.name,
        current_role=told.get("role", ""),
        current_warehouse=told.get("warehouse"),
    )


def cost_on(wiring: Wiring, state: ThreadState) -> Cost | None:
    """Return what a finished thread cost on an account that bills; None for any other thread."""
    if state.status != "completed" or wiring.connection.kind == "embedded":
        return None
    from skills_nb.runtime.costing import Cost, cost_of

    events = wiring.store.load(state.thread_id)
    try:
        return cost_of(wiring.session, state.thread_id, events)
    except (SqlError, UsageError) as problem:
        return Cost(None, f"the account cannot be asked ({problem.message})")


def secrets(connection: Connection) -> Mapping[str, str]:
    """Return what a connection logs in with, to be kept out of threads."""
    from skills_nb.runtime.snowpark import connections as known

    if connection.kind not in ("named", "environment"):
        return {}
    name = connection.name if connection.kind == "named" else None
    return {f"connection {at}": value for at, value in enumerate(known.secrets_of(name))}
