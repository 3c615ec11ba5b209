"""A twin without rows of any account that answers SQL: what a dry run rehearses on.

Room: embedded. It is made of what the session's role may see: roles, users, warehouses and
monitors by SHOW, the databases of the scope by GET_DDL and what that leaves out by SHOW, rights by
SHOW GRANTS. Definitions that the embedded account refuses are left out and named, never guessed.
Source: ARCHITECTURE, Dry run; the manual's GET_DDL, SHOW ROLES, SHOW GRANTS.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.embedded.tools.mirror import databases, holders, mirrored_rights
from skills_nb.errors import SqlError
from skills_nb.model.events.values import AccountContext
from skills_nb.ports import SqlReader
from skills_nb.sql.objects import changes_of

_NAME = r'(?:"(?:[^"]|"")*"|[\w$])(?:\.?(?:"(?:[^"]|"")*"|[\w$]))*'
_LIST = r"\((?:'(?:[^']|'')*'|[^()'])*\)"
_PROTECTED = re.compile(
    rf"\s+WITH\s+(?:TAG\s*{_LIST}"
    rf"|(?:MASKING|PROJECTION|AGGREGATION|JOIN|ROW\s+ACCESS)\s+POLICY\s+{_NAME}"
    rf"(?:\s+(?:ON|USING|ENTITY\s+KEY)\s*{_LIST})*)",
    re.I,
)
"""What GET_DDL tells of the policies and tags of a table and its columns."""


@dataclass(slots=True)
class Mirrored:
    """The twin, and what could not be taken into it."""

    account: Account
    """The twin, with definitions and without rows."""
    left_out: list[str] = field(default_factory=list)
    """First line of each definition that was refused, and why."""
    missing: list[str] = field(default_factory=list)
    """Names of the objects that these would have made."""


def mirrored(reader: SqlReader, context: AccountContext, scope: Sequence[str]) -> Mirrored:
    """Return a twin of the account behind a session.

    Args:
        reader: the session.
        context: where and as whom it works.
        scope: databases whose objects matter; where empty, the current one; the others are there
            by name.

    Raises:
        SqlError: the account cannot be asked at all.
    """
    made = Mirrored(Account.open(None))
    twin = made.account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH", None, None)
    try:
        _take_all(made, twin, list(_definitions(reader, context, scope)))
    except BaseException:
        made.account.close()
        raise
    finally:
        twin.close()
    return made


def _definitions(reader: SqlReader, context: AccountContext, scope: Sequence[str]) -> Iterator[str]:
    roles = holders.roles(reader, context)
    current = [context.current_database] if context.current_database else []
    wanted = sorted({*(scope or current)})
    yield from holders.definitions(reader, context, roles)
    yield from databases.definitions(reader, wanted)
    yield from mirrored_rights.definitions(reader, context, roles, wanted)


def _take_all(made: Mirrored, twin: AccountSession, definitions: list[str]) -> None:
    """Take definitions; what needs a policy or tag that the role may not see, without it."""
    refused = _in_rounds(twin, definitions)
    bare = {sql: _PROTECTED.sub("", sql) for sql in refused}
    still = _in_rounds(twin, list(bare.values()))
    for sql, why in refused.items():
        if bare[sql] in still:
            changes = changes_of(sql, None, None)
            made.missing += [change.target.fqn for change in changes if change.action == "create"]
            why = still[bare[sql]]
        elif bare[sql] == sql:
            # It only waited for something that is taken now.
            continue
        made.left_out.append(f"{sql.splitlines()[0][:80]}: {' '.join(why.message.split())}")


def _in_rounds(twin: AccountSession, definitions: list[str]) -> dict[str, SqlError]:
    """Return what is refused for good: one definition may need what stands after it."""
    refused: dict[str, SqlError] = {}
    while definitions:
        refused = {sql: why for sql in definitions if (why := _refusal(twin, sql)) is not None}
        if len(refused) == len(definitions):
            break
        definitions = list(refused)
    return refused


def _refusal(twin: AccountSession, sql: str) -> SqlError | None:
    try:
        twin.execute(sql)
    except SqlError as problem:
        return problem
    return None
