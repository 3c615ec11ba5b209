"""Whether what the thread did may be taken back: nobody else has touched it since.

Room: laws. An entry is taken back only when the account shows that what it touched is as the
thread left it, that nothing of others lies in or rests on what would be dropped, and that the rows
which would be put back are still the thread's. In doubt it is left alone, and named.
Spec: Compensation and Rollback.
"""

from skills_nb.engine.cleanup.conflicts.examination import examine_entry
from skills_nb.engine.cleanup.conflicts.verdicts import Verdict

__all__ = [
    "Verdict",
    "examine_entry",
]
