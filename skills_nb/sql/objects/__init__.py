"""What a statement touches, how to look at it beforehand, and how to take it back.

Room: sql. Pure text work: the queries and inverse statements it returns are for others to run.
Spec: the contract's "Front matter" (compensation, recovery).
"""

from __future__ import annotations

from skills_nb.sql.objects.changes import changes_of
from skills_nb.sql.objects.compensation import compensation_of
from skills_nb.sql.objects.probes import ddl_probe_for, probe_for
from skills_nb.sql.objects.refs import Change, ObjectRef

__all__ = [
    "Change",
    "ObjectRef",
    "changes_of",
    "compensation_of",
    "ddl_probe_for",
    "probe_for",
]
