"""Outlines of statements that the general SQL parser reads: what they create or write.

Room: sql. Only the head is read, so any tail will do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from skills_nb.sql.governance import ast
from skills_nb.sql.governance.object_kinds import KINDS
from skills_nb.sql.governance.reader import Reader

_MODIFIERS = (
    "LOCAL",
    "GLOBAL",
    "TEMPORARY",
    "TEMP",
    "VOLATILE",
    "TRANSIENT",
    "SECURE",
    "RECURSIVE",
)
_TEMPORARY = frozenset({"TEMPORARY", "TEMP", "VOLATILE"})


@dataclass(frozen=True, slots=True)
class Outline:
    """What a statement does to one object."""

    action: Literal["create", "alter", "write"]
    """What is done: `write` changes rows."""
    kind: str
    """Singular, as SQL writes it: `TABLE`, `MASKING POLICY`; of a write always `TABLE`."""
    name: ast.Name
    """The object, unqualified as written."""
    or_replace: bool = False
    """Whether OR REPLACE or OR ALTER was written."""
    if_not_exists: bool = False
    """Of a creation; False for anything else."""
    temporary: bool = False
    """Whether what is made goes with its session."""


def read_creation(r: Reader) -> Outline | None:
    """Read `CREATE … <kind> [IF NOT EXISTS] name`; None where this is no CREATE of a known kind."""
    if not r.accept("CREATE"):
        return None
    or_replace = r.accept("OR REPLACE") or r.accept("OR ALTER")
    modifiers: set[str] = set()
    while modifier := r.accept_one(_MODIFIERS):
        modifiers.add(modifier)
    kind = r.accept_one(KINDS)
    if kind is None:
        return None
    if_not_exists = r.accept("IF NOT EXISTS")
    temporary = not _TEMPORARY.isdisjoint(modifiers)
    return Outline("create", kind, r.name(), or_replace, if_not_exists, temporary)


def outlines_of(sql: str) -> tuple[Outline, ...]:
    """Return what one statement creates, alters or writes; () where it is of another family.

    Raises:
        SqlSyntaxError: its head cannot be read.
    """
    r = Reader(sql)
    head = r.token.word
    if head == "CREATE":
        created = read_creation(r)
        return (created,) if created is not None else ()
    if head == "ALTER":
        return (_read_alteration(r),)
    return _read_writes(r) if head in _WRITES else ()


def _read_alteration(r: Reader) -> Outline:
    r.expect("ALTER")
    kind = r.expect_one(KINDS)
    r.accept("IF EXISTS")
    return Outline("alter", kind, r.name())


_WRITES = {
    "INSERT": ("INSERT OVERWRITE INTO", "INSERT INTO"),
    "UPDATE": ("UPDATE",),
    "DELETE": ("DELETE FROM",),
    "MERGE": ("MERGE INTO",),
    "COPY": ("COPY INTO",),
    "TRUNCATE": ("TRUNCATE TABLE IF EXISTS", "TRUNCATE TABLE", "TRUNCATE IF EXISTS", "TRUNCATE"),
}
"""What stands before the written table, longest first."""


def _read_writes(r: Reader) -> tuple[Outline, ...]:
    if r.at("INSERT ALL", "INSERT FIRST", "INSERT OVERWRITE ALL", "INSERT OVERWRITE FIRST"):
        return _read_inserts(r)
    r.expect_one(_WRITES[r.token.word])
    if r.token.text == "@":
        return ()  # unloading into a stage changes no table
    return (Outline("write", "TABLE", r.name()),)


def _read_inserts(r: Reader) -> tuple[Outline, ...]:
    """Read the tables of a multi-table INSERT."""
    found: dict[ast.Name, None] = {}
    while not r.is_done and not r.at("SELECT"):
        if r.accept("INTO"):
            found.setdefault(r.name())
        else:
            r.skip_one()
    return tuple(Outline("write", "TABLE", name) for name in found)
