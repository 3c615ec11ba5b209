"""An object that is in the way is replaced, where that destroys nothing.

Room: laws. A plain CREATE that met an existing object may become CREATE OR REPLACE when the thread
itself made that object, or when its DDL was captured so that compensation can restore it; never
for what holds rows or other objects.
Source: FORMATS, Library on disk (recovery "use CREATE OR REPLACE").
"""

from __future__ import annotations

from functools import lru_cache

from skills_nb.engine import ledger
from skills_nb.model.state import ThreadState
from skills_nb.sql.objects import ObjectRef, ddl_probe_for, probe_for
from skills_nb.sql.tokens import tokenize

_HOLDS_OBJECTS = frozenset({"database", "schema"})
_HOLDS_ROWS = frozenset({"table", "hybrid_table", "iceberg_table", "dynamic_table", "event_table"})


@lru_cache(maxsize=4096)
def replacement_of(sql: str) -> str | None:
    """Return a plain CREATE as CREATE OR REPLACE; None for any other statement."""
    words = [token for token in tokenize(sql) if token.word][:4]
    plain = [token.word for token in words]
    if plain[:1] != ["CREATE"] or plain[1:2] == ["OR"]:
        return None
    end = words[0].end
    return f"{sql[:end]} OR REPLACE{sql[end:]}"


def is_harmless(state: ThreadState, sql: str) -> bool:
    """Return whether a CREATE OR REPLACE takes nothing away that could not be brought back.

    Its targets must have been probed; see `ledger.missing_probes`.
    """
    changes = ledger.changes(state, sql)
    return bool(changes) and all(
        change.action == "create"
        and change.replaces
        and change.target.type not in _HOLDS_OBJECTS
        and _can_come_back(state, change.target)
        for change in changes
    )


def _can_come_back(state: ThreadState, target: ObjectRef) -> bool:
    if target.type in _HOLDS_ROWS and not _is_empty(state, target):
        return False
    return ledger.made_by_thread(state, target) or _has_ddl(state, target)


def _is_empty(state: ThreadState, target: ObjectRef) -> bool:
    fact = ledger.fact_before(state, probe_for(target), state.seq + 1)
    rows = fact.rows if fact is not None and fact.error is None else []
    return len(rows) == 1 and str(rows[0].get("rows")) == "0"


def _has_ddl(state: ThreadState, target: ObjectRef) -> bool:
    fact = ledger.fact_before(state, ddl_probe_for(target), state.seq + 1)
    return fact is not None and fact.error is None and fact.row_count == 1
