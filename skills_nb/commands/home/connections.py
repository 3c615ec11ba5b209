"""Which account a home folder works with: the embedded one until somebody connects another.

Room: commands. What is kept is a connection's name, never what it logs in with. A notebook's own
session is used by its kernel and not remembered.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, assert_never

from skills_nb.errors import SqlError, UsageError

if TYPE_CHECKING:
    from skills_nb.model.events import AccountContext
    from skills_nb.ports import SqlReader, SqlSession
    from skills_nb.runtime.mounted_connection import Session
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
    """Where the account comes from."""
    name: str = ""
    """A name of `connections.toml`, or of the notebook's variable."""
    production: str = ""
    """Regular expression: accounts and connections that people depend on; empty for the usual."""


def current(home: Path) -> Connection:
    """Return the connection of a home folder: the environment's, else the remembered one."""
    kept = remembered_connection(home)
    named = os.environ.get(VARIABLE)
    if named:
        return connection_named(kept, named)
    if kept.kind == "embedded" and not (home / FILE).is_file():
        from skills_nb.runtime.snowpark.connections import is_inside_snowflake

        if is_inside_snowflake():
            return Connection("active")
    return kept


def remembered_connection(home: Path) -> Connection:
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


def remember_connection(home: Path, chosen: Connection) -> None:
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


def connection_named(before: Connection, name: str) -> Connection:
    """Return the connection of a name, in the case in which a file has it.

    `embedded` that no file names is the account that needs none.
    """
    from skills_nb.runtime.snowpark import connections as known

    names = tuple(known.names())
    alike = [one for one in names if one.casefold() == name.casefold()]
    if name not in names and len(alike) == 1:
        return replace(before, kind="named", name=alike[0])
    if not alike and name.casefold() == "embedded":
        return replace(before, kind="embedded", name="")
    return replace(before, kind="named", name=name)


def edition_on(connection: Connection, session: SqlReader) -> str | None:
    """Return the edition of the account that is connected to; the embedded one knows its own."""
    if connection.kind == "embedded":
        from skills_nb.embedded.types.values import AccountInfo

        return AccountInfo().edition
    return edition(session)


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


def open_session(
    connection: Connection,
    variables: Mapping[str, Any],
    timeout_s: str = "",
    probe_limit_s: int | None = None,
) -> SqlSession:
    """Return the session port of an account that is not the embedded one.

    Args:
        connection: how it is reached.
        variables: of the notebook, where `session` is looked up.
        timeout_s: seconds after which the account gives a statement up; empty: as it is set there.
        probe_limit_s: seconds that what only looks may take; None: as it is set there.

    Raises:
        UsageError: it names nothing that can be reached.
        SqlError: the account refused the login.
    """
    from skills_nb.runtime.snowpark import SnowparkSession
    from skills_nb.runtime.snowpark import connections as known
    from skills_nb.runtime.snowpark.reopening_session import ReopeningSession

    def ported(session: Session, *, is_ours: bool = True) -> SnowparkSession:
        return SnowparkSession(session, is_ours=is_ours, probe_limit_s=probe_limit_s)

    def logged_in(standing: Mapping[str, str]) -> SnowparkSession:
        match connection.kind:
            case "named":
                return limit_statements(
                    drop_other_roles(ported(known.by_name(connection.name, standing))), timeout_s
                )
            case "environment":
                return limit_statements(
                    drop_other_roles(ported(known.by_environment(standing))), timeout_s
                )
            case "session":
                found = known.session_in_variable(
                    connection.name, _variable(connection.name, variables)
                )
                return ported(found, is_ours=False)
            case "active":
                return ported(known.active(), is_ours=False)
            case "embedded":
                raise AssertionError("the embedded account is opened by the wiring")
            case _:
                assert_never(connection.kind)

    return ReopeningSession(logged_in)


def drop_other_roles(session: SnowparkSession) -> SnowparkSession:
    """Leave a session the one role that it works as.

    With secondary roles on, checking what a restricted role sees would show what the person sees.
    """
    session.query("USE SECONDARY ROLES NONE")
    return session


def limit_statements(session: SnowparkSession, timeout_s: str) -> SnowparkSession:
    """Let the account give a session's statements up after so many seconds, if any were set."""
    if timeout_s:
        seconds = _seconds(timeout_s)
        session.query(f"ALTER SESSION SET STATEMENT_TIMEOUT_IN_SECONDS = {seconds}")
    return session


def probe_limit(said: str) -> int:
    """Return how many seconds what only looks may take.

    Raises:
        UsageError: what was set is no number of seconds.
    """
    return _seconds(said, "probe_timeout_s") if said else _PROBE_LIMIT_S


_PROBE_LIMIT_S = 60


def _seconds(said: str, setting: str = "statement_timeout_s") -> int:
    if not said.isdecimal() or not int(said):
        raise UsageError(
            f"'{said}' is no number of seconds", hint=f"{setting} = 600 in config.toml"
        )
    return int(said)


def _variable(name: str, variables: Mapping[str, Any]) -> object:
    if name not in variables:
        raise UsageError(
            f"there is no variable '{name}' here",
            hint="only a notebook has variables; name a connection instead: connect NAME",
        )
    return variables[name]


def mark_production(connection: Connection, told: AccountContext) -> AccountContext:
    """Return the context with what the person's pattern says of production."""
    if not connection.production:
        return told
    known = (told.account_name, told.account_locator, connection.name)
    found = any(re.search(connection.production, name, re.IGNORECASE) for name in known if name)
    return told.model_copy(update={"is_production": found})


def configured_context(connection: Connection) -> AccountContext:
    """Return what is known of an account before it is opened: what was configured.

    Raises:
        UsageError: no file of the connector names it.
        SqlError: the connector refuses a file.
    """
    from skills_nb.model.events import AccountContext

    if connection.kind == "embedded":
        from skills_nb.embedded.types.values import AccountInfo

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

    told = known.describe_connection(connection.name if connection.kind == "named" else None)
    return AccountContext(
        account_name=told.get("account") or connection.name,
        current_role=told.get("role", ""),
        current_warehouse=told.get("warehouse"),
    )


def secrets(connection: Connection) -> Mapping[str, str]:
    """Return what a connection logs in with, to be kept out of threads."""
    from skills_nb.runtime.snowpark import connections as known

    if connection.kind not in ("named", "environment"):
        return {}
    name = connection.name if connection.kind == "named" else None
    return {f"connection {at}": value for at, value in enumerate(known.secrets_of(name))}
