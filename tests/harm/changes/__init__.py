"""Every kind of change that SQL can make, and what others may do meanwhile.

All work on the account of `workplace.COMPANY`.
"""

from __future__ import annotations

from tests.harm.changes.change import Change
from tests.harm.changes.pipelines import PIPELINES
from tests.harm.changes.protection import PROTECTION
from tests.harm.changes.rights import RIGHTS
from tests.harm.changes.rows import ROWS
from tests.harm.changes.tables import TABLES
from tests.harm.changes.twice import TWICE

CHANGES: tuple[Change, ...] = (*ROWS, *TABLES, *PROTECTION, *RIGHTS, *PIPELINES, *TWICE)
BY_NAME = {change.name: change for change in CHANGES}

__all__ = ["BY_NAME", "CHANGES", "Change"]
