"""Verbs about the account that the session works on: ask it, choose it, look after it.

Room: commands.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from typing import TYPE_CHECKING

from skills_nb.commands import documents
from skills_nb.commands.reply import Reply
from skills_nb.errors import UsageError

if TYPE_CHECKING:
    from skills_nb.commands.app_context import AppContext, Verb


def _sql(app: AppContext, words: Namespace, cell: str | None) -> Reply:
    from skills_nb.sql.classify import Kind, kind_of
    from skills_nb.sql.statements import split
    from skills_nb.views import rows_table

    text = "\n".join(part for part in (" ".join(words.statement), cell or "") if part).strip()
    if not text:
        raise UsageError("a statement is needed", hint='sql "SHOW ROLES"')
    if len(split(text)) > 1:
        raise UsageError("`sql` asks one thing at a time", hint="leave the other statements out")
    if kind_of(text) is not Kind.READ:
        raise UsageError(
            "this statement may change the account, and `sql` only reads",
            hint="change it through a playbook, or in Python: skills_nb.session().sql(…).collect()",
        )
    found = app.wiring.session.query(text, role=words.role, limit=app.wiring.most_rows)
    shown = found.rows[: documents.MOST_ROWS]
    document = {
        "columns": list(found.columns),
        "rows": [list(row) for row in shown],
        "row_count": found.row_count,
    }
    context = app.wiring.session.context()
    view = rows_table(found.columns, found.rows, found.row_count, role=words.role, context=context)
    return Reply(view, document, rows=found)


def _connect(app: AppContext, words: Namespace, cell: str | None) -> Reply:
    from skills_nb.commands.verbs.connect import connect

    return connect(app, words)


def _account(app: AppContext, words: Namespace, cell: str | None) -> Reply:
    from skills_nb.commands.verbs import account_verbs

    return account_verbs.run(app, words)


def _load(app: AppContext, words: Namespace, cell: str | None) -> Reply:
    from skills_nb.commands.verbs.load import load

    return load(app, words, cell)


SESSION_VERBS: Mapping[str, Verb] = {
    "sql": _sql,
    "load": _load,
    "connect": _connect,
    "account": _account,
}
