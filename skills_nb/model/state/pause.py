"""Where a thread waits for somebody, and what may be chosen.

Room: ground.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from skills_nb.model.events.values import Foreseen, Option

PauseKind = Literal[
    "checkpoint",
    "probe_checkpoint",
    "plan_proposed",
    "plan_rejected",
    "dry_run_summary",
    "error_escalated",
    "cleanup_proposed",
    "routing_ambiguous",
    "input_question",
    "staleness_warning",
]


@dataclass(frozen=True, slots=True)
class Pause:
    """Where a thread waits for somebody, and what may be chosen."""

    kind: PauseKind
    """Why it waits; most of the options follow from that."""
    at: str
    """Names the pause in `respond --at`: `3`, `3#2` (second time), `input:NAME`, `probes`, …"""
    severity: Literal["info", "review", "critical"] = "review"
    """How much a person is needed: `info` goes on by itself, `critical` wants a phrase."""
    present: str = ""
    """What to show."""
    options: tuple[Option, ...] = ()
    """What may be answered, in the order in which it is offered."""
    step: str | None = None
    """The step it belongs to, where it belongs to one."""
    is_before: bool = False
    """Whether that step has not begun, or stopped on its way, because of what it would send."""
    foreseen: tuple[Foreseen, ...] | None = None
    """What an approval lets through; None where nobody looked."""
    added: tuple[str, ...] = ()
    """Statements that would be sent and were not approved."""
    removed: tuple[str, ...] = ()
    """Statements that were approved and would not be sent."""
    needs_person: bool = False
    """Whether no approval of the rest answers it."""
    warnings: tuple[str, ...] = ()
    """Surfaced beside what is presented."""
    seq: int = 0
    """The event that opened it; 0 for a question that follows from the state alone."""

    @property
    def phrase(self) -> str | None:
        """Return what must be typed to approve, or None."""
        return next((o.phrase for o in self.options if o.requires_confirmation), None)

    def option(self, choice: str) -> Option | None:
        """Return the option with that id, or None."""
        return next((option for option in self.options if option.id == choice), None)
