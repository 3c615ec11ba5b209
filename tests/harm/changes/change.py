"""What a change is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Change:
    """One kind of change: the steps of a plan, and what others may do to it."""

    name: str
    steps: tuple[str, ...]
    """The SQL of each step."""
    others: Mapping[str, str] = field(default_factory=dict)
    """What somebody else does after the steps, by a word for it."""
    setup: str = ""
    """What the company has besides."""
    before: Mapping[str, str] = field(default_factory=dict)
    """What somebody else does between the proposal and the first step."""
    is_playbooks: bool = False
    """Whether no guided plan may do it."""


def on_table(table: str, values: str, column: str, kind: str = "TABLE") -> dict[str, str]:
    """Return what others may do to a table that the thread made."""
    new = 'SHOP.OPS."their copy"'
    return {
        "adds rows": f"INSERT INTO {table} VALUES ({values})",
        "looks through a view": f"CREATE VIEW SHOP.OPS.THEIR_VIEW AS SELECT * FROM {table}",
        "follows it": f"CREATE STREAM SHOP.OPS.THEIR_STREAM ON {kind} {table}",
        "clones it": f"CREATE TABLE {new} CLONE {table}",
        "grants on it": f"GRANT SELECT ON {kind} {table} TO ROLE CLERK",
        "gives it away": f"GRANT OWNERSHIP ON {kind} {table} TO ROLE KEEPER",
        "replaces it": f"CREATE OR REPLACE TABLE {table} (OTHER INT); INSERT INTO {table} VALUES (9)",
        "drops it": f"DROP TABLE {table}",
        "renames it": f"ALTER TABLE {table} RENAME TO SHOP.OPS.RENAMED",
        "masks it": f"ALTER TABLE {table} MODIFY COLUMN {column} SET MASKING POLICY SHOP.OPS.HIDE",
        "tags it": f"ALTER TABLE {table} SET TAG SHOP.OPS.TIER = 'gold'",
        "comments on it": f"COMMENT ON TABLE {table} IS 'ours now'",
        "adds a column": f"ALTER TABLE {table} ADD COLUMN THEIRS INT",
    }


def some(found: Mapping[str, str], *words: str) -> dict[str, str]:
    """Return some of what others may do."""
    return {word: found[word] for word in words}


def without(found: Mapping[str, str], *words: str) -> dict[str, str]:
    """Return what others may do, but for some of it."""
    return {word: script for word, script in found.items() if word not in words}
