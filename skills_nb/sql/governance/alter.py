"""ALTER: one table of actions by phrase, and the kinds they belong to.

Room: sql. What concerns tables' columns and constraints and is no governance may come back as None
(not ours: the general SQL parser reads it).
"""

from __future__ import annotations

from collections.abc import Callable

from skills_nb.sql.governance import ast
from skills_nb.sql.governance.clauses import (
    accept_argument_types,
    read_names,
    read_properties,
    read_tag_values,
    read_triggers,
)
from skills_nb.sql.governance.column_clauses import read_table_action
from skills_nb.sql.governance.entries import (
    ENTRY_ACTIONS,
    GROUP_SET,
    UNSUPPORTED_ENTRY_ACTIONS,
)
from skills_nb.sql.governance.instances import accept_class
from skills_nb.sql.governance.object_kinds import KINDS, TABLE_LIKE, WITH_ARGUMENTS
from skills_nb.sql.governance.pipelines import FROZEN
from skills_nb.sql.governance.reader import Reader, UnsupportedSqlError

_NAMELESS = frozenset({"ACCOUNT", "SESSION"})
_FOREIGN_TABLE_ACTIONS = (
    "ADD CONSTRAINT",
    "ADD PRIMARY",
    "ADD UNIQUE",
    "ADD FOREIGN",
    "DROP CONSTRAINT",
    "DROP PRIMARY",
    "DROP UNIQUE",
    "DROP FOREIGN",
    "RENAME CONSTRAINT",
    "ALTER CONSTRAINT",
    "MODIFY CONSTRAINT",
    "ALTER PRIMARY",
    "MODIFY PRIMARY",
    "ALTER UNIQUE",
    "MODIFY UNIQUE",
    "ALTER FOREIGN",
    "MODIFY FOREIGN",
)
_UNSUPPORTED = (
    "ADD DELEGATED AUTHORIZATION",
    "ADD STORAGE LIFECYCLE POLICY",
    "DISABLE FAILOVER",
    "DISABLE REPLICATION",
    "DROP STORAGE LIFECYCLE POLICY",
    "ENABLE FAILOVER",
    "ENABLE REPLICATION",
    "ENROLL MFA",
    "MODIFY MFA METHOD",
    "RECLUSTER",
    "REMOVE DELEGATED",
    "REMOVE MFA METHOD",
    "RESET PASSWORD",
    "RESUME RECLUSTER",
    "SET CONTACT",
    "SUSPEND RECLUSTER",
    "UNSET CONTACT",
)
"""Actions that are known and not done; some would otherwise read as columns to add or drop."""

_UNSUPPORTED_OF = {
    "ACCOUNT": ("DROP OLD URL", "DROP OLD ORGANIZATION URL"),
    **UNSUPPORTED_ENTRY_ACTIONS,
    "EXTERNAL TABLE": ("ADD FILES", "ADD PARTITION", "DROP PARTITION", "REMOVE FILES"),
    "ICEBERG TABLE": ("CONVERT TO MANAGED", "REFRESH"),
    "USER": tuple(
        f"{verb} {token}"
        for verb in ("ADD", "MODIFY", "REMOVE", "ROTATE")
        for token in ("PROGRAMMATIC ACCESS TOKEN", "PAT")
    ),
    "WAREHOUSE": ("ADD TABLES", "DROP TABLES"),
}
"""The same for one kind; elsewhere the words may name a column."""

_POLICY_SLOTS = (
    "AUTHENTICATION POLICY",
    "FEATURE POLICY",
    "PACKAGES POLICY",
    "PASSWORD POLICY",
    "PRIVACY POLICY",
    "SESSION POLICY",
)


def read_alter(r: Reader) -> ast.Alter | None:
    """Read one ALTER statement."""
    r.expect("ALTER")
    kind = accept_class(r) or r.accept_one((*KINDS, "SESSION")) or r.fail()
    if_exists = r.accept("IF EXISTS")
    name = _read_subject(r, kind)
    arguments = accept_argument_types(r) if kind in WITH_ARGUMENTS else None
    if kind in TABLE_LIKE and r.at(*_FOREIGN_TABLE_ACTIONS):
        return None
    actions: list[ast.Action] = []
    while not r.is_done:
        actions += _read_actions(r, kind)
        r.accept(",")
    if not actions:
        r.fail()
    return ast.Alter(kind, name, tuple(actions), if_exists, arguments)


def _read_subject(r: Reader, kind: str) -> ast.Name:
    """Read the object's name; the current warehouse and user may go unnamed."""
    if kind in _NAMELESS:
        return ()
    if kind in ("WAREHOUSE", "USER") and r.at("SET", "UNSET", "SUSPEND", "RESUME"):
        return ()
    return r.name()


def _read_actions(r: Reader, kind: str) -> list[ast.Action]:
    if (unsupported := r.accept_one(_UNSUPPORTED + _UNSUPPORTED_OF.get(kind, ()))) is not None:
        raise UnsupportedSqlError(f"ALTER {kind} {unsupported}")
    if kind in TABLE_LIKE and (found := read_table_action(r)):
        return list(found)
    for phrase, kinds, read in _ACTIONS:
        if (not kinds or kind in kinds) and r.accept(phrase):
            return [read(r)]
    r.fail()


def _rename(r: Reader) -> ast.Action:
    return ast.RenameTo(r.name())


def _swap(r: Reader) -> ast.Action:
    return ast.SwapWith(r.name())


def _resume(r: Reader) -> ast.Action:
    return ast.Resume(r.accept("IF SUSPENDED"))


def _refresh(r: Reader) -> ast.Action:
    if r.accept("COPY SESSION"):
        return ast.Refresh({"COPY_SESSION": True})
    return ast.Refresh(read_properties(r))


def _set_increment(r: Reader) -> ast.Action:
    r.accept("BY")
    r.accept("=")
    return ast.SetProperties({"INCREMENT": r.integer()})


def _set_values(r: Reader) -> ast.Action:
    return ast.SetProperties({"ALLOWED_VALUES": r.texts()})


def _share_comment(r: Reader) -> ast.Action:
    """Read what may follow `SET ACCOUNTS = …`."""
    r.expect("=")
    return ast.SetProperties({"COMMENT": r.text()})


def _set_body(r: Reader) -> ast.Action:
    return ast.SetBody(r.rest())


def _set_tags(r: Reader) -> ast.Action:
    return ast.SetTags(read_tag_values(r))


def _unset_tags(r: Reader) -> ast.Action:
    return ast.UnsetTags(read_names(r))


def _set(r: Reader) -> ast.Action:
    """Read `KEY = value …`, a policy slot, or a flag."""
    if (slot := r.accept_one(_POLICY_SLOTS)) is not None:
        policy = ast.Ref(r.name())
        return ast.SetProperties({slot: policy}, force=r.accept("FORCE"))
    if (frozen := r.accept_one(FROZEN)) is not None:
        return ast.SetProperties({frozen: r.bracket()})
    properties = read_properties(r)
    triggers = read_triggers(r) if r.at("TRIGGERS", "ON") else ()
    if properties or triggers:
        return ast.SetProperties(properties, triggers)
    return ast.SetFlag(r.word())


def _unset(r: Reader) -> ast.Action:
    names = [r.accept_one((*_POLICY_SLOTS, *FROZEN)) or r.word()]
    while r.accept(","):
        names.append(r.accept_one(_POLICY_SLOTS) or r.word())
    return ast.UnsetProperties(tuple(names))


def _triggers(r: Reader) -> ast.Action:
    return ast.SetProperties({}, read_triggers(r))


def _add_values(r: Reader) -> ast.Action:
    return ast.AddAllowedValues(r.texts())


def _drop_values(r: Reader) -> ast.Action:
    return ast.DropAllowedValues(r.texts())


def _masking_policies(r: Reader) -> tuple[ast.Name, ...]:
    found = [r.name()]
    while r.accept(", MASKING POLICY"):
        found.append(r.name())
    return tuple(found)


def _set_masking(r: Reader) -> ast.Action:
    return ast.SetTagMaskingPolicies(_masking_policies(r), r.accept("FORCE"))


def _unset_masking(r: Reader) -> ast.Action:
    return ast.UnsetTagMaskingPolicies(_masking_policies(r))


def _accounts(r: Reader) -> tuple[ast.Name, ...]:
    r.expect("=")
    return read_names(r)


def _add_accounts(r: Reader) -> ast.Action:
    accounts = _accounts(r)
    return ast.AddAccounts(accounts, read_properties(r))


def _remove_accounts(r: Reader) -> ast.Action:
    return ast.RemoveAccounts(_accounts(r))


def _set_accounts(r: Reader) -> ast.Action:
    return ast.SetAccounts(_accounts(r))


def _add_lists(r: Reader) -> ast.Action:
    return ast.AddToLists(read_properties(r) or r.fail())


def _remove_lists(r: Reader) -> ast.Action:
    return ast.RemoveFromLists(read_properties(r) or r.fail())


def _add_after(r: Reader) -> ast.Action:
    return ast.AddAfter(read_names(r))


def _remove_after(r: Reader) -> ast.Action:
    return ast.RemoveAfter(read_names(r))


def _modify_body(r: Reader) -> ast.Action:
    return ast.ModifyBody(r.rest())


def _modify_when(r: Reader) -> ast.Action:
    return ast.ModifyCondition(r.rest())


def _modify_exists(r: Reader) -> ast.Action:
    return ast.ModifyCondition(r.bracket())


def _execute_as(r: Reader) -> ast.Action:
    return ast.SetExecuteAs(r.expect_one(("OWNER", "CALLER", "RESTRICTED CALLER")))


_Row = tuple[str, frozenset[str], Callable[[Reader], ast.Action]]
_ANY: frozenset[str] = frozenset()


def _only(*kinds: str) -> frozenset[str]:
    return frozenset(kinds)


_RUNNING = _only(
    "WAREHOUSE",
    "TASK",
    "ALERT",
    "DYNAMIC TABLE",
    "MATERIALIZED VIEW",
    "COMPUTE POOL",
    "SERVICE",
)

_ACTIONS: tuple[_Row, ...] = (
    *ENTRY_ACTIONS,
    ("SET MASKING POLICY", _only("TAG"), _set_masking),
    ("UNSET MASKING POLICY", _only("TAG"), _unset_masking),
    ("ADD ALLOWED_VALUES", _only("TAG"), _add_values),
    ("DROP ALLOWED_VALUES", _only("TAG"), _drop_values),
    ("SET ALLOWED_VALUES", _only("TAG"), _set_values),
    ("SET INCREMENT", _only("SEQUENCE"), _set_increment),
    ("COMMENT", _only("SHARE"), _share_comment),
    ("SET TAG", _ANY, _set_tags),
    ("UNSET TAG", _ANY, _unset_tags),
    ("SET BODY ->", _ANY, _set_body),
    ("SET ACCOUNTS", _only("SHARE"), _set_accounts),
    GROUP_SET,
    ("SET", _ANY, _set),
    ("UNSET", _ANY, _unset),
    ("RENAME TO", _ANY, _rename),
    ("SWAP WITH", _only("TABLE", "SCHEMA", "DATABASE", "DYNAMIC TABLE"), _swap),
    ("SUSPEND", _RUNNING, lambda _: ast.Suspend()),
    ("RESUME", _RUNNING, _resume),
    ("ABORT ALL QUERIES", _only("WAREHOUSE", "USER"), lambda _: ast.AbortAllQueries()),
    ("REFRESH", _only("DYNAMIC TABLE", "PIPE", "STAGE", "EXTERNAL TABLE", "DATABASE"), _refresh),
    ("TRIGGERS", _only("RESOURCE MONITOR"), _triggers),
    ("ADD ACCOUNTS", _only("SHARE"), _add_accounts),
    ("ADD ACCOUNT", _only("SHARE"), _add_accounts),
    ("REMOVE ACCOUNTS", _only("SHARE"), _remove_accounts),
    ("REMOVE ACCOUNT", _only("SHARE"), _remove_accounts),
    ("ADD AFTER", _only("TASK"), _add_after),
    ("REMOVE AFTER", _only("TASK"), _remove_after),
    ("REMOVE WHEN", _only("TASK"), lambda _: ast.ModifyCondition(None)),
    ("MODIFY AS", _only("TASK"), _modify_body),
    ("MODIFY WHEN", _only("TASK"), _modify_when),
    ("MODIFY CONDITION EXISTS", _only("ALERT"), _modify_exists),
    ("MODIFY ACTION", _only("ALERT"), _modify_body),
    ("ENABLE MANAGED ACCESS", _only("SCHEMA"), lambda _: ast.SetManagedAccess(True)),
    ("DISABLE MANAGED ACCESS", _only("SCHEMA"), lambda _: ast.SetManagedAccess(False)),
    ("EXECUTE AS", _only("PROCEDURE"), _execute_as),
    ("ADD", _only("NETWORK POLICY", "USER", "SECRET"), _add_lists),
    ("REMOVE", _only("NETWORK POLICY", "USER", "SECRET"), _remove_lists),
)
"""Phrase, kinds it belongs to (none: all), reader; the first that matches wins."""
