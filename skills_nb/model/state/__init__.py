"""What a thread's events amount to: recomputed from them, never edited.

Room: ground. Everything here is derived; nothing is stored.
Spec: Principles > The agent is a stateless reducer.

- `pause`: where it waits, and what may be chosen
- `records`: what was found out and sent: facts, statements, steps
- `thread`: the whole: the playbook or plan that it goes through, its route, chain and cleanup
"""

from skills_nb.model.state.pause import Pause, PauseKind
from skills_nb.model.state.records import (
    Fact,
    StatementRecord,
    StatementStatus,
    StepState,
    StepStatus,
)
from skills_nb.model.state.thread import (
    ON_SAMPLES,
    AbortState,
    Agreement,
    ChainState,
    PhaseState,
    PlanState,
    PlaybookRun,
    RouteState,
    ThreadState,
    ThreadStatus,
)

__all__ = [
    "ON_SAMPLES",
    "AbortState",
    "Agreement",
    "ChainState",
    "Fact",
    "Pause",
    "PauseKind",
    "PhaseState",
    "PlanState",
    "PlaybookRun",
    "RouteState",
    "StatementRecord",
    "StatementStatus",
    "StepState",
    "StepStatus",
    "ThreadState",
    "ThreadStatus",
]
