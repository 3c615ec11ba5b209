"""Statements that the general SQL parser reads: tables, views, changes of rows, transactions.

Room: embedded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.entities import Entity, Shelved, TableDetail
from skills_nb.embedded.executor import dml, merging, multi_insert
from skills_nb.embedded.objects.relations.table import constraints
from skills_nb.embedded.objects.statements import create_relation
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.time_travel import images, streams
from skills_nb.embedded.types.outcomes import DONE, STATUS_COLUMNS, status
from skills_nb.embedded.types.values import Outcome
from skills_nb.errors import SqlError
from skills_nb.sql.governance import ast

STATUS = Outcome(STATUS_COLUMNS, (), "UNKNOWN", 0)
Clauses = tuple[ast.TableAction, ...]
_NO_STATEMENTS = (exp.Condition, exp.Alias, exp.Identifier, exp.Tuple)
"""What the general parser reads where no statement begins: `SAVEPOINT a` as `a` for SAVEPOINT."""


def run(session: Context, tree: exp.Expr, clauses: Clauses, text: str) -> Outcome:
    """Run a parsed statement that is no query.

    Raises:
        SqlError: the account does not support the statement (0A000), or it is none (1003).
    """
    if isinstance(tree, exp.Create):
        outcome = create_relation.run(session, tree, clauses, text)
        if outcome.statement_type == "CREATE_TABLE_AS_SELECT":
            streams.consume(session)
        return outcome
    handler = _HANDLERS.get(type(tree))
    if handler is None:
        raise _refusal(tree, text)
    outcome = handler(session, tree)
    streams.consume(session)
    return outcome


def _refusal(tree: exp.Expr, text: str) -> SqlError:
    """Say of a statement that it is not supported, and of anything else that it is none."""
    if isinstance(tree, _NO_STATEMENTS):
        word = text.split(maxsplit=1)[0]
        return errors.syntax(f"syntax error line 1 at position 0 unexpected '{word}'.")
    return errors.unsupported(type(tree).__name__.upper())


def described(session: Context, tree: exp.Expr) -> Outcome:
    """Say which columns a statement would answer with, without running it."""
    names = dml.COUNT_NAMES.get(type(tree))
    if names is None:
        return STATUS
    return Outcome(dml.count_columns(names), (), "UNKNOWN", 0)


def _begin(session: Context, tree: exp.Expr) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/begin.

    Raises:
        SqlError: anything but a name follows (1003).
    """
    words = " ".join(str(mode) for mode in tree.args.get("modes") or ()).split()
    if words and (len(words) != 2 or words[0].upper() != "NAME"):
        raise errors.syntax(f"syntax error: unexpected '{words[0]}'.")
    session.open_transaction(words[1].upper() if words else None)
    return status(DONE, "BEGIN_TRANSACTION")


def _commit(session: Context, tree: exp.Expr) -> Outcome:
    session.close_transaction(commit=True)
    return status(DONE, "COMMIT")


def _rollback(session: Context, tree: exp.Expr) -> Outcome:
    session.close_transaction(commit=False)
    return status(DONE, "ROLLBACK")


_HANDLERS: dict[type[exp.Expr], Callable[[Context, Any], Outcome]] = {
    exp.Alter: constraints.alter,
    exp.Insert: dml.insert,
    exp.Update: dml.update,
    exp.Delete: dml.delete,
    exp.Merge: merging.merge,
    exp.MultitableInserts: multi_insert.insert,
    exp.TruncateTable: dml.truncate,
    exp.Transaction: _begin,
    exp.Commit: _commit,
    exp.Rollback: _rollback,
}


def handlers() -> dict[type[exp.Expr], Callable[[Context, Any], Outcome]]:
    """Return what carries out which tree, CREATE aside."""
    return dict(_HANDLERS)


def drop_temporary(session: Context) -> None:
    """Drop the session's temporary objects for good."""
    catalog = session.account.catalog
    own = [e for e in catalog.all(Entity) if getattr(e.detail, "temporary", 0) == session.id]
    for entity in own:
        if isinstance(entity.detail, TableDetail):
            images.forget(session, entity.detail.place)
        shelved = catalog.get(Shelved, entity.id)
        if shelved is not None:
            catalog.remove(shelved)
        catalog.forget(entity)
        session.account.store.write(session.cursor, catalog.take_journal())
        session.end_work(commit=True)
