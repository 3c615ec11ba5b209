"""What whoever measures needs to know of a run.

Room: work (bench). Pure.
"""

from __future__ import annotations

from dataclasses import dataclass

from skills_nb.bench.tasks.loading import TaskSet
from skills_nb.bench.tasks.values import TaskType

SALESFORCE = frozenset({TaskType.APEX, TaskType.LWC, TaskType.FLOW, TaskType.ARCHITECTURE})
OWN = frozenset({TaskType.ROUTING, TaskType.PLAYBOOK})
"""Tasks that the library itself answers."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What whoever measures an instance needs to know; it travels to other processes."""

    functional: bool
    snowflake: str = "embedded"
    """`embedded` or `snowflake`."""
    connection: str = ""
    """Name of the connection to a real account."""
    salesforce: str = "offline"
    """`org`, `offline`, or `simulated` where the org is on this machine."""
    folder: str = ""
    """The run directory."""
    tasks_root: str = ""
    target_org: str = ""
    dev_hub: str = ""
    evaluation_id: str = ""
    library: str = ""
    """Where the skill library is."""
    overlay: str = ""
    skills: bool = False
    """Whether models are told the pages of the library that their task leads to."""

    def backend(self, tasks: TaskSet) -> str:
        """Return the backends that the set's types need, as one word."""
        types = {task.type for task in tasks.tasks}
        used = [
            self.snowflake if TaskType.SNOWFLAKE in types else "",
            self.salesforce if types & SALESFORCE else "",
            "library" if types & OWN else "",
        ]
        return "+".join(filter(None, used))
