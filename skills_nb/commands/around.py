"""Verbs about what is around the threads: the account, the library, the last error, the demo.

Room: commands.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from skills_nb.commands import values
from skills_nb.commands.reply import Reply
from skills_nb.errors import UsageError

if TYPE_CHECKING:
    from skills_nb.commands.app import App


def _sql(app: App, words: Namespace, cell: str | None) -> Reply:
    from skills_nb.sql.classify import Kind, kind_of
    from skills_nb.views import rows_table

    text = "\n".join(part for part in (" ".join(words.statement), cell or "") if part).strip()
    if not text:
        raise UsageError("a statement is needed", hint='sql "SHOW ROLES"')
    if kind_of(text) is not Kind.READ:
        raise UsageError(
            "this statement may change the account, and `sql` only reads",
            hint="change it through a playbook, or with your own session: skills_nb.connect()",
        )
    found = app.wiring.session.query(text, role=words.role, limit=values.MOST_ROWS)
    document = {
        "columns": list(found.columns),
        "rows": [list(row) for row in found.rows],
        "row_count": found.row_count,
    }
    context = app.wiring.session.context()
    view = rows_table(found.columns, found.rows, found.row_count, role=words.role, context=context)
    return Reply(view, document)


def _connect(app: App, words: Namespace, cell: str | None) -> Reply:
    from skills_nb.commands.connections import connect

    return connect(app, words)


def _account(app: App, words: Namespace, cell: str | None) -> Reply:
    from skills_nb.commands.accounts import verbs

    return verbs.run(app, words)


def _library(app: App, words: Namespace, cell: str | None) -> Reply:
    from skills_nb.commands.authors import library

    return library(app, words)


def _author(app: App, words: Namespace, cell: str | None) -> Reply:
    from skills_nb.commands.authors import AUTHORS

    return AUTHORS[words.command](app, words)


def _lint(app: App, words: Namespace, cell: str | None) -> Reply:
    from skills_nb.commands.authors import lint

    return lint(app, words)


def _eval(app: App, words: Namespace, cell: str | None) -> Reply:
    from skills_nb.commands.evaluation import evaluation

    return evaluation(app, words, cell)


def _debug(app: App, words: Namespace, cell: str | None) -> Reply:
    import traceback

    from skills_nb.views import message

    if app.last_error is None:
        raise UsageError(
            "nothing has failed here", hint="debug shows the last error of this process"
        )
    text = "".join(traceback.format_exception(app.last_error))
    return Reply(message(text), {"traceback": text})


def _mcp(app: App, words: Namespace, cell: str | None) -> Reply:
    raise UsageError("agents are served by a process of their own", hint="in a terminal: mcp")


def _doctor(app: App, words: Namespace, cell: str | None) -> Reply:
    from skills_nb.commands.doctor import doctor

    return doctor(app, words)


def _demo(app: App, words: Namespace, cell: str | None) -> Reply:
    from skills_nb.commands.demo import play

    return play(app)


AROUND: Mapping[str, Callable[[App, Namespace, str | None], Reply]] = {
    "lint": _lint,
    "new": _author,
    "index": _author,
    "graph": _author,
    "export": _author,
    "import": _author,
    "eval": _eval,
    "debug": _debug,
    "sql": _sql,
    "connect": _connect,
    "account": _account,
    "library": _library,
    "demo": _demo,
    "doctor": _doctor,
    "mcp": _mcp,
}
