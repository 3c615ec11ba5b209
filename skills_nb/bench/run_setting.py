"""What whoever measures needs to know of a run.

Room: work (bench). Pure.
"""

from __future__ import annotations

from dataclasses import dataclass

from skills_nb.bench.tasks.loading import TaskSet
from skills_nb.bench.tasks.task_values import TaskType

SALESFORCE = frozenset({TaskType.APEX, TaskType.LWC, TaskType.FLOW, TaskType.ARCHITECTURE})
OWN = frozenset({TaskType.ROUTING, TaskType.PLAYBOOK})
"""Tasks that the library itself answers."""


@dataclass(frozen=True, slots=True)
class RunSetting:
    """What whoever measures an instance needs to know; it travels to other processes."""

    functional: bool
    """Whether outcomes are measured."""
    snowflake: str = "embedded"
    """`embedded` or `snowflake`."""
    connection: str = ""
    """Name of the connection to a real account."""
    salesforce: str = "offline"
    """`org`, `offline`, or `simulated` where the org is on this machine."""
    folder: str = ""
    """The run directory."""
    tasks_root: str = ""
    """What relative repositories of tasks are relative to; empty for none."""
    target_org: str = ""
    """Alias of the Salesforce org that is deployed to; empty where none is used."""
    dev_hub: str = ""
    """Alias of the Dev Hub that scratch orgs are made from; empty where none is used."""
    evaluation_id: str = ""
    """Name of the run; names of what it makes hold it."""
    library: str = ""
    """Where the skill library is."""
    overlay: str = ""
    """What is laid over the library; empty for nothing."""
    skills: bool = False
    """Whether models are told the pages of the library that their task leads to."""
    is_uncontained: bool = False
    """Whether an answer's code may run where this machine cannot contain it: a person said so."""

    def backend(self, tasks: TaskSet) -> str:
        """Return the backends that the set's types need, as one word."""
        types = {task.type for task in tasks.tasks}
        used = [
            self.snowflake if TaskType.SNOWFLAKE in types else "",
            self.salesforce if types & SALESFORCE else "",
            "library" if types & OWN else "",
        ]
        return "+".join(filter(None, used))
