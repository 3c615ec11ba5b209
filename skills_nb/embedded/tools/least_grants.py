"""Which grants a role needs for statements: found by being refused.

Room: embedded. The statements are sent as a role that holds next to nothing, on an account that
may be spoilt. Where one is refused, the rights say what they answered `no` to; the first grant
that gets the statement further is needed, because without it the statement was refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from skills_nb.embedded.catalog.entities import OWNERSHIP, Entity, Kind
from skills_nb.embedded.catalog.lacks import ANYTHING, Lack
from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.files.borrowing import BorrowedFiles
from skills_nb.embedded.storage.lending import Lender
from skills_nb.errors import SqlError
from skills_nb.sql.identifiers import quote, render_name

_MOST = 40
"""So many grants one statement may need before it is given up."""
_TO_KNOW_OF = {
    Kind.TABLE: "SELECT",
    Kind.VIEW: "SELECT",
    Kind.DYNAMIC_TABLE: "SELECT",
    Kind.STREAM: "SELECT",
    Kind.SEMANTIC_VIEW: "SELECT",
    Kind.STAGE: "READ",
    Kind.TASK: "MONITOR",
    Kind.PIPE: "MONITOR",
}
"""The least that lets a role know of an object; for others USAGE, for policies and tags APPLY."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A statement that was sent."""

    sql: str
    """As it was sent."""
    role: str
    """Whom it ran as."""


@dataclass(slots=True)
class Needed:
    """What a role needs."""

    grants: list[str] = field(default_factory=list)
    """GRANT statements, in the order in which they were found."""
    beyond: list[tuple[str, str]] = field(default_factory=list)
    """(statement, refusal) where no grant helped."""


def practice_account(account: Account, rows: Lender | None) -> Account:
    """Return a copy of an account that may be spoilt; rows are lent to it as it asks for them.

    Args:
        account: what is copied; nothing of it is changed.
        rows: who lends the rows; where nobody does, its tables are empty.
    """
    copy = account.snapshot_without_rows()
    copy.files = BorrowedFiles(account.files)
    copy.lender = rows
    if rows is not None:
        rows.begin(copy.store.connection)
    return copy


def least_grants(
    account: Account, role: str, warehouse: str | None, sent: Iterable[Sent], given: Sequence[str]
) -> Needed:
    """Return the grants that make statements work; the account is changed by both.

    Args:
        account: holds what the statements are about, and the role, which holds nothing.
        role: who needs the grants.
        warehouse: what the role works with; None for none.
        sent: the statements, each of which its administrator could run.
        given: grants to begin with.
    """
    needed = Needed()
    admin = account.session("ADMIN", "ACCOUNTADMIN", warehouse)
    for grant in given:
        admin.execute(grant)
        needed.grants.append(grant)
    runner = account.session("ADMIN", role, warehouse)
    runner.execute("USE SECONDARY ROLES NONE")
    try:
        for one in sent:
            _run(account, admin, runner, one, role, needed)
    finally:
        runner.close()
        admin.close()
    return needed


def _run(
    account: Account, admin: Context, runner: Context, one: Sent, role: str, needed: Needed
) -> None:
    who = one.role or role
    refusal, lacks = _try(account, runner, one.sql, who)
    for _ in range(_MOST):
        if refusal is None:
            return
        further = _further(account, admin, runner, one.sql, who, refusal, lacks)
        if further is None:
            break
        grant, refusal, lacks = further
        needed.grants.append(grant)
    if refusal is not None:
        needed.beyond.append((one.sql, refusal))


def _further(
    account: Account,
    admin: Context,
    runner: Context,
    sql: str,
    role: str,
    refusal: str,
    lacks: list[Lack],
) -> tuple[str, str | None, list[Lack]] | None:
    """Return the first grant that gets the statement further, and how it ends with it."""
    for grant, back in _candidates(lacks, role):
        try:
            admin.execute(grant)
        except SqlError:
            continue
        after, still = _try(account, runner, sql, role)
        if after is None or after != refusal or _keys(still) != _keys(lacks):
            return grant, after, still
        if back:
            admin.execute(back)
    return None


def _try(account: Account, runner: Context, sql: str, role: str) -> tuple[str | None, list[Lack]]:
    """Run a statement as a role; return how it is refused, and what the rights said no to."""
    before = runner.role
    lacks: list[Lack] = []
    account.catalog.lacks = lacks
    try:
        if before != role:
            runner.execute(f"USE ROLE {quote(role)}")
        lacks.clear()
        runner.execute(sql)
    except SqlError as problem:
        # The name of a key or a moment may differ from try to try; the rights do not.
        return problem.message, list({_key(lack): lack for lack in lacks}.values())
    finally:
        account.catalog.lacks = None
        if before != role and before is not None:
            runner.execute(f"USE ROLE {quote(before)}")
    return None, []


def _key(lack: Lack) -> tuple[str, int]:
    return lack.privilege, lack.entity.id if lack.entity is not None else 0


def _keys(lacks: Iterable[Lack]) -> set[tuple[str, int]]:
    return {_key(lack) for lack in lacks}


# ---- what may help


def _candidates(lacks: Iterable[Lack], role: str) -> Iterator[tuple[str, str]]:
    """Yield grants with what takes them back, the smaller ones first."""
    seen: set[str] = set()
    for lack in sorted(lacks, key=_weight):
        privilege = _privilege(lack)
        if lack.entity is not None and lack.entity.kind is Kind.ROLE and privilege != OWNERSHIP:
            continue
        on = "ACCOUNT" if lack.entity is None else _object(lack.entity)
        grant = f"GRANT {privilege} ON {on} TO ROLE {quote(role)}"
        back = f"REVOKE {privilege} ON {on} FROM ROLE {quote(role)}"
        if privilege == OWNERSHIP:
            # Rows, grants and policies stay; only who decides about the object changes.
            owner = lack.entity.owner if lack.entity is not None else ""
            grant += " COPY CURRENT GRANTS"
            back = f"GRANT OWNERSHIP ON {on} TO ROLE {quote(owner)} COPY CURRENT GRANTS"
        if grant not in seen:
            seen.add(grant)
            yield grant, back


def _weight(lack: Lack) -> tuple[int, int]:
    """Return how much a grant gives away, and how far in its object lies."""
    depth = len(lack.entity.path) if lack.entity is not None else 0
    if lack.privilege == OWNERSHIP:
        return 3, depth
    if lack.privilege == "MANAGE GRANTS":
        return 2, depth
    return (1 if lack.entity is None else 0), depth


def _privilege(lack: Lack) -> str:
    if lack.privilege != ANYTHING or lack.entity is None:
        return lack.privilege
    kind = lack.entity.kind
    is_attached = kind is Kind.TAG or kind.value.endswith("POLICY")
    return "APPLY" if is_attached else _TO_KNOW_OF.get(kind, "USAGE")


def _object(entity: Entity) -> str:
    return f"{entity.kind.value} {render_name(entity.path)}"
