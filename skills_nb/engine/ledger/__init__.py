"""What the thread changed in the account and has not taken back, and how to take it back.

Room: laws. The ledger is the difference between the statements that succeeded and those that
were compensated; modify, re-routing and abort all work on it.
Spec: Compensation and Rollback; Execution constraint 12.
"""

from __future__ import annotations

from skills_nb.engine.ledger.entries import Entry, entries, standing_entries
from skills_nb.engine.ledger.inverses import Irreversible, inverse_of, restore_point, retention_of
from skills_nb.engine.ledger.known_objects import (
    changes,
    changes_by,
    created_by,
    dependants_before,
    evidence,
    exists,
    fact_before,
    made_by_thread,
    missing_probes,
    prior,
    where_of,
)

__all__ = [
    "Entry",
    "Irreversible",
    "changes",
    "changes_by",
    "created_by",
    "dependants_before",
    "entries",
    "evidence",
    "exists",
    "fact_before",
    "inverse_of",
    "made_by_thread",
    "missing_probes",
    "prior",
    "restore_point",
    "retention_of",
    "standing_entries",
    "where_of",
]
