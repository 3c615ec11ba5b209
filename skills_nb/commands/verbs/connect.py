"""The verb `connect`: choose an account, see where and as whom the session works.

Room: commands. A connection is tried before it replaces the one in use.
"""

from __future__ import annotations

import re
from argparse import Namespace
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from skills_nb.commands.home import connections
from skills_nb.commands.home.connections import Connection
from skills_nb.commands.reply import Reply
from skills_nb.errors import SqlError, UsageError
from skills_nb.runtime.snowpark.connections import names
from skills_nb.views import account_card, message

if TYPE_CHECKING:
    from skills_nb.commands.app_context import AppContext


def connect(app: AppContext, words: Namespace) -> Reply:
    """Choose an account where one is named, and show where and as whom the session works.

    Raises:
        UsageError: a password was written down.
    """
    if words.password is not None:
        raise UsageError(
            "a password is never written in a cell or on a command line",
            hint="keep it where Snowflake's own clients look: snow connection add",
        )
    if words.list:
        return _listed(app)
    if words.session and app.wiring.is_live(app.wiring.variables.get(words.session)):
        return _shown(app)  # it is what commands work through already
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
        chosen = connections.connection_named(before, words.name)
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


def _use(app: AppContext, chosen: Connection) -> None:
    """Try the connection before it replaces the one in use; what fails changes nothing."""
    before = app.wiring.connection
    app.wiring.use(chosen)
    try:
        app.wiring.session.context()
    except (SqlError, UsageError):
        app.wiring.use(before)
        raise
    if chosen.kind not in ("session", "active"):
        connections.remember_connection(app.wiring.home, chosen)


def _shown(app: AppContext) -> Reply:
    session = app.wiring.session
    context = session.context()
    connection = app.wiring.connection
    document = {
        **context.model_dump(mode="json"),
        "connection": {"kind": connection.kind, "name": connection.name},
    }
    return Reply(account_card(context), document)


def _listed(app: AppContext) -> Reply:
    known = list(names())
    present = app.wiring.connection
    lines = [f"{'*' if name == present.name else ' '} {name}" for name in known]
    text = "\n".join(lines) or "Snowflake's configuration names no connection."
    return Reply(message(text), {"connections": known, "current": asdict(present)})
