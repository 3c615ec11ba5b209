"""What is in the way of a CREATE: looked at, and shown beside what was wanted.

Room: laws. Nothing that replaces is ever a retry; a person compares the two and decides.
Spec: Error Handling.
"""

from __future__ import annotations

from typing import Any

from skills_nb.engine import ledger
from skills_nb.model.state import Fact, ThreadState
from skills_nb.sql.objects import ObjectRef, ddl_probe_for, probe_for


def looks(state: ThreadState, sql: str, role: str | None, since_seq: int) -> tuple[str, ...]:
    """Return the queries about what a CREATE found there that were not asked since an event."""
    asked = {fact.query for fact in state.facts if fact.seq > since_seq and fact.role == role}
    return tuple(
        query for ref in _wanted(state, sql) for query in _about(ref) if query not in asked
    )


def describe_existing(state: ThreadState, sql: str, since_seq: int) -> list[dict[str, Any]]:
    """Return what is there: name, owner, moment of its making, and definition as far as known."""
    found: list[dict[str, Any]] = []
    for ref in _wanted(state, sql):
        shown = _newest(state, probe_for(ref), since_seq)
        if shown is None or not shown.rows:
            continue
        row = shown.rows[0]
        definition = _newest(state, ddl_probe_for(ref), since_seq)
        found.append(
            {
                "type": ref.type,
                "fqn": ref.fqn,
                "owner": row.get("owner"),
                "created_on": row.get("created_on"),
                "definition": next(iter(definition.rows[0].values()))
                if definition is not None and definition.rows
                else None,
                "wanted": sql,
            }
        )
    return found


def _wanted(state: ThreadState, sql: str) -> list[ObjectRef]:
    return [change.target for change in ledger.changes(state, sql) if change.action == "create"]


def _about(ref: ObjectRef) -> list[str]:
    return [query for query in (probe_for(ref), ddl_probe_for(ref)) if query is not None]


def _newest(state: ThreadState, query: str | None, since_seq: int) -> Fact | None:
    fact = ledger.fact_before(state, query, state.seq + 1)
    return fact if fact is not None and fact.seq > since_seq and fact.error is None else None
