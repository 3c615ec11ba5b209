"""What can be done with the embedded account, from reset to its support table.

Room: commands. Nothing here shows a password: a start's own is in two files, for their owner alone,
and one of somebody's choice is kept nowhere.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skills_nb.commands.home import embedded_accounts, fixed_password
from skills_nb.commands.reply import Reply
from skills_nb.errors import SkillsError, UsageError
from skills_nb.runtime.loopback import client_settings
from skills_nb.runtime.loopback.address_file import HOST
from skills_nb.system import plain_files
from skills_nb.views import message, render_text, rows_table

if TYPE_CHECKING:
    from skills_nb.commands.app_context import AppContext
    from skills_nb.runtime.loopback.address_file import Address

_ENDS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGBREAK") if hasattr(signal, name))
"""How a system says that a program shall end; on Windows, that its console closes."""
_LOOKS_EVERY_S = 0.5


def run(app: AppContext, words: Namespace) -> Reply:
    """Do the sub-command that was parsed.

    Raises:
        UsageError: there is no such sub-command.
    """
    match words.account_command:
        case "reset":
            return _reset(app)
        case "address":
            return _address(app)
        case "serve":
            password = fixed_password.read(words.password_env, words.password_file)
            return _serve(app, words.port or 0, password)
        case "export":
            return _export(app, Path(words.file))
        case "import":
            return _import(app, Path(words.file), is_replacing=words.replace)
        case "support":
            return _support(" ".join(words.about))
        case other:
            raise UsageError(f"unknown command 'account {other}'", hint="account --help")


def _reset(app: AppContext) -> Reply:
    folder = app.wiring.account_folder
    app.close()
    embedded_accounts.reset(folder)
    app.wiring.session.context()
    text = "A new demo account is in place: PROD.CUSTOMER_DATA with customers, orders, employees."
    return _said(text, {"reset": True})


def _address(app: AppContext) -> Reply:
    wire = app.wiring.account
    return _shown(wire.folder, wire.address())


def _serve(app: AppContext, port: int, password: str) -> Reply:
    """Serve until somebody interrupts; where another process does already, say so and return."""
    if port or password:
        # Whatever is open here is on another port, or has a password of its own.
        app.close()
    folder = app.wiring.account_folder
    wire = embedded_accounts.share(folder, demo=True, port=port, password=password)
    try:
        address = wire.address()
        _refuse_other_port(address, port)
        shown = _shown(wire.folder, address)
        if not wire.is_holder:
            _refuse_password(address, password)
            return shown
        sys.stdout.write(render_text(shown.view) + "\nInterrupt (Ctrl-C) to stop serving.\n")
        sys.stdout.flush()
        _wait_for_end()
    except KeyboardInterrupt:
        return _said("Served no more.", {"served": False})
    finally:
        embedded_accounts.release(folder)
    raise AssertionError("waiting for an interrupt ended without one")


def _wait_for_end() -> None:
    """Wait for Ctrl-C, or for the system's word to end where signals arrive here."""
    never = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        never.wait()
    before = {one: signal.signal(one, signal.default_int_handler) for one in _ENDS}
    try:
        # On Windows a wait without an end hears no Ctrl-C.
        while not never.wait(_LOOKS_EVERY_S):
            pass
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def _refuse_other_port(address: Address, port: int) -> None:
    if port not in (0, address.port):
        raise UsageError(
            f"the account is served on port {address.port} already, by process {address.pid}",
            hint="use that port, or end the process first",
        )


def _refuse_password(address: Address, password: str) -> None:
    if password:
        raise UsageError(
            f"the account is served already, by process {address.pid}, without that password",
            hint="end that process first",
        )


def _shown(folder: Path, address: Address) -> Reply:
    client_settings.write_settings(folder, address)
    profile = client_settings.dbt_profile(address.port)
    url = client_settings.sqlalchemy_url(address.port)
    known = {
        "host": HOST,
        "port": address.port,
        "protocol": "http",
        "account": client_settings.NAME,
        "pid": address.pid,
        "connections": str(folder / client_settings.CONNECTIONS),
        "profiles": str(folder / client_settings.PROFILES),
        "dbt_profile": profile,
        "sqlalchemy_url": url,
        "sqlalchemy_connect_args": client_settings.SQLALCHEMY_ARGUMENTS,
    }
    return _said(
        f"The account is served on {HOST}:{address.port} by process {address.pid}.\n"
        f"host {HOST}, port {address.port}, protocol http, account {client_settings.NAME}\n"
        f"Snowflake clients of this machine reach it as the connection `{client_settings.NAME}`, "
        f"and dbt\nas the profile `{client_settings.NAME}`, with\n"
        f"  SNOWFLAKE_HOME={folder}\n"
        f"  DBT_PROFILES_DIR={folder}\n"
        f"The password is in {client_settings.CONNECTIONS} and {client_settings.PROFILES} there: "
        "only you can read them, and it\nchanges with every start. A fixed one that you give with "
        "--password-env or --password-file\nis written nowhere; these take it:\n"
        f"SQLAlchemy: create_engine(url, connect_args={client_settings.SQLALCHEMY_ARGUMENTS}), "
        f"where url is\n  {url}\n"
        f"dbt, in profiles.yml:\n{profile}".rstrip(),
        known,
    )


def _export(app: AppContext, target: Path) -> Reply:
    script = embedded_accounts.script_of(app.wiring.account)
    try:
        descriptor = plain_files.open_bytes(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(script)
    except FileExistsError as problem:
        raise UsageError(f"'{target}' exists", hint="choose another file") from problem
    except OSError as problem:
        raise SkillsError(f"'{target}' cannot be written: {problem}") from problem
    text = f"Wrote the account to {target}, {len(script)} characters of SQL, its rows unmasked."
    return _said(text, {"file": str(target), "characters": len(script)})


def _import(app: AppContext, source: Path, *, is_replacing: bool) -> Reply:
    from skills_nb.embedded.tools.export import load

    try:
        script = source.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise UsageError(f"'{source}' cannot be read: {problem}") from problem
    folder = app.wiring.account_folder
    if embedded_accounts.exists(folder) and not is_replacing:
        raise UsageError(
            "there is an account already, and it would be lost",
            hint=f"account export it first, then: account import {source} --replace",
        )
    app.close()
    embedded_accounts.replace(folder, lambda account: load(account, script))
    return _said(f"The account of {source} is in place.", {"file": str(source)})


def _said(text: str, document: Any) -> Reply:
    return Reply(message(text), document)


def _support(about: str) -> Reply:
    """Show the support table, made from the code that answers."""
    from skills_nb.embedded.tools.support import table

    found = [entry for entry in table() if about.upper() in entry["statement"]]
    if not found:
        raise UsageError(f"no statement or view is called '{about}'", hint="account support")
    rows = [
        (entry["statement"], "yes" if entry["supported"] else "no", entry["note"], entry["docs"])
        for entry in found
    ]
    return Reply(rows_table(("statement", "supported", "note", "manual"), rows), found)
