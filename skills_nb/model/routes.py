"""What routing yields: targets with a mode, or a question.

Room: ground. Spec: Agent Traversal > Three routing modes; FORMATS, One grammar (`route --json`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

RouteMode = Literal["playbook", "guided", "reference", "chain", "clarify"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A target that the intent could mean."""

    target: str
    """`playbooks/x` or `primitives/y`."""
    mode: Literal["playbook", "guided", "reference"]
    """How the target would be gone through."""
    domain: str
    """The domain that it belongs to."""
    confidence: float
    """0 to 1, calibrated."""
    description: str = ""
    """What choosing it does, for people."""


@dataclass(frozen=True, slots=True)
class ClarifyOption:
    """A structured choice when the intent is unclear."""

    id: str
    """The word to answer with."""
    description: str
    """What choosing it means, for people."""
    target: str | None = None
    """None for `none-of-these` and `abort`."""
    mode: str | None = None
    """Mode of the target; None where there is no target."""
    not_covered: tuple[str, ...] = ()
    """Wishes that choosing it leaves out, in the person's words."""


@dataclass(frozen=True, slots=True)
class Route:
    """The answer of `route`: deterministic, and able to say why."""

    mode: RouteMode
    """`chain` where there are several domains, `clarify` where a person must choose first."""
    domains: tuple[str, ...]
    """In the order of execution; empty for `clarify`."""
    targets: tuple[str | None, ...]
    """One per domain; None where it is left open."""
    confidence: float
    """0 to 1, calibrated; of a chain that of its weakest part."""
    modes: tuple[str, ...] = ()
    """Mode of each target (a chain has several)."""
    alternatives: tuple[Candidate, ...] = ()
    """Other candidates, best first."""
    options: tuple[ClarifyOption, ...] = ()
    """Filled for `clarify`."""
    why: tuple[str, ...] = ()
    """What decided, one sentence a line, strongest first."""
    suggest_dry_run: str = ""
    """Why a dry run is worth it first; empty where it is not."""

    parts: tuple[str, ...] = ()
    """Of a chain, what of the person's words is about each domain; empty where that is open."""
    not_covered: tuple[str, ...] = ()
    """Wishes that no target meets, in the person's words."""
    limits: tuple[str, ...] = ()
    """What must not be done, or what is left out of a wish, in the person's words."""

    unheard: tuple[str, ...] = ()
    """Words that mean nothing to the library, such as the names of somebody's tables."""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON shape of `route --json`."""
        return {
            "mode": self.mode,
            "domains": list(self.domains),
            "targets": list(self.targets),
            "confidence": round(self.confidence, 3),
            "alternatives": [
                {
                    "target": other.target,
                    "mode": other.mode,
                    "domain": other.domain,
                    "confidence": round(other.confidence, 3),
                }
                for other in self.alternatives
            ],
            "options": [
                {
                    "id": option.id,
                    "description": option.description,
                    "target": option.target,
                    **({"not_covered": list(option.not_covered)} if option.not_covered else {}),
                }
                for option in self.options
            ],
            "why": list(self.why),
            "not_covered": list(self.not_covered),
            "limits": list(self.limits),
        }
