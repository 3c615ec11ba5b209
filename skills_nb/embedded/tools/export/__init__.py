"""Portable accounts: everything that an account holds as one SQL script, and back.

Room: embedded. The script speaks Snowflake SQL and nothing else. Before anything is handed out, its
statements without the rows build a second account, and the two are compared: what would be lost in
the script is refused by name instead. Not part of it: passwords, times and grantors, what was
dropped, temporary objects, the query history, secrets' values, and what streams have yet to give.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from skills_nb.embedded import errors
from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.objects.object_kind import Phase
from skills_nb.embedded.tools.export import (
    attached,
    exported_rights,
    further,
    objects,
    others,
    portrait,
    rows,
)
from skills_nb.errors import SkillsError
from skills_nb.sql.statements import split

__all__ = ["export", "load"]

_HEADER = "-- A Snowflake account as SQL, to be run by ACCOUNTADMIN in a new account.\n"
_END = ";\n"


def export(account: Account) -> Iterator[str]:
    """Return the script of an account, piece by piece.

    Raises:
        SqlError: the account holds something that the script cannot make again (0A000).
    """
    with account.lock, Account.open(None) as fresh:
        before, after = _definitions(account, fresh)
        _rehearse(account, (*before, *after))
        yield _HEADER
        for statement in before:
            yield statement + _END
        for statement in rows.inserts(account):
            yield statement + _END
        for statement in after:
            yield statement + _END


def load(account: Account, script: str) -> None:
    """Run an exported script in a new account, whose query history begins afterwards.

    Raises:
        SqlError: a statement is refused.
        SkillsError: the account is not new.
    """
    with Account.open(None) as fresh:
        if portrait.of(fresh.catalog) != portrait.of(account.catalog):
            raise SkillsError(
                "the account is not new: a script can only be imported into a new one",
                hint="choose another folder, or reset the account first",
            )
    _run(account, (statement.text for statement in split(script)))
    rows.count_on(account)
    account.store.forget_history()


def _definitions(account: Account, fresh: Account) -> tuple[list[str], list[str]]:
    """Return what comes before the rows and what comes after them."""
    objects.refuse_others(account)
    before = [*further.monitors(account), *objects.account_level(account, fresh)]
    before += [*objects.containers(account, fresh), *further.database_roles(account, fresh)]
    before += [*others.creations(account, Phase.EARLY), *objects.tables(account)]
    before += objects.foreign_keys(account)
    over_views = objects.over_views(account)
    after = [*others.creations(account, Phase.CODE, lambda e: e.id not in over_views)]
    after += [*further.metrics(account), *objects.views(account)]
    after += others.creations(account, Phase.CODE, lambda e: e.id in over_views)
    after += attached.definitions(account, fresh)
    after += [*others.creations(account, Phase.LATE), *further.instances(account, fresh)]
    after += [*attached.uses(account), *others.states(account), *further.shares(account)]
    after += [*exported_rights.statements(account, fresh), *further.consumers(account)]
    return before, after


def _rehearse(account: Account, statements: Iterable[str]) -> None:
    with Account.open(None) as copy:
        _run(copy, statements)
        lost = portrait.of(account.catalog) - portrait.of(copy.catalog)
        added = portrait.of(copy.catalog) - portrait.of(account.catalog)
    if lost or added:
        first = min(lost or added)
        raise errors.unsupported(f"export of an account with {first}")


def _run(account: Account, statements: Iterable[str]) -> None:
    session = account.session("ADMIN", "ACCOUNTADMIN")
    for statement in statements:
        session.execute(statement)
    session.close()
