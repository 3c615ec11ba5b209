"""Routers: how an intent comes from the top of a library to one playbook.

Room: ground.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from skills_nb.model.skills import NOTHING, Mode, Skill


@dataclass(frozen=True, slots=True)
class RouteOption:
    """One answer to a router's question, and the evidence for it."""

    id: str
    """Name of the answer."""
    description: str
    """When it is the right answer, as people read it."""
    examples: tuple[str, ...] = ()
    """Sentences that people might say."""
    keywords: tuple[str, ...] = ()
    """Words and phrases that suggest it."""
    target: str | None = None
    """`playbooks/NAME` or `primitives/NAME`; in the meta-router, a domain."""
    mode: Mode | None = None
    """How the target is used; by default, as its kind suggests."""


@dataclass(frozen=True, slots=True)
class RouteParameter:
    """A question that a router asks, with its options."""

    name: str
    """Name of the question."""
    description: str
    """The question, as people read it."""
    options: tuple[RouteOption, ...] = ()
    """The answers, in file order."""


@dataclass(frozen=True, slots=True)
class Router(Skill):
    """Resolves an intent within one domain."""

    parameters: tuple[RouteParameter, ...] = ()
    """Questions, in file order."""
    routes_to: tuple[str, ...] = ()
    """Targets, each with its kind: `playbooks/NAME`, `primitives/NAME`."""
    sections: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    """Section title to its Markdown, in file order."""

    @property
    def ref(self) -> str:
        """Return `routers/{name}`."""
        return f"routers/{self.name}"


@dataclass(frozen=True, slots=True)
class ContextMapping:
    """Which output of an earlier domain fills which input of this one."""

    source: str
    """Name of the output."""
    target: str
    """Name of the input."""


@dataclass(frozen=True, slots=True)
class DomainOutput:
    """Output that a domain declares."""

    name: str
    """Name that later domains use."""
    type: str = ""
    """What it holds, in the author's words."""
    description: str = ""
    """What it is, as people read it."""


@dataclass(frozen=True, slots=True)
class Domain:
    """Domain as declared by the meta-router."""

    name: str
    """Name from the vocabulary."""
    router: str
    """`routers/NAME`, the router for the domain."""
    description: str = ""
    """What it is about, as people read it."""
    produces: tuple[str, ...] = ()
    """Resources that later domains may need."""
    requires: tuple[str, ...] = ()
    """Resources that have to exist before it starts."""
    uses: tuple[str, ...] = ()
    """Resources that affect only the order: it runs after the domains that produce them."""
    context_mapping: tuple[ContextMapping, ...] = ()
    """How outputs of earlier domains fill its inputs."""
    outputs: tuple[DomainOutput, ...] = ()
    """Outputs for later domains."""


@dataclass(frozen=True, slots=True)
class MetaRouter(Skill):
    """The single entry point of a library, with its settings."""

    parameters: tuple[RouteParameter, ...] = ()
    """Questions, in file order."""
    domains: Mapping[str, Domain] = field(default_factory=lambda: MappingProxyType({}))
    """Domains by name, in file order."""
    confidence_threshold: float = 0.5
    """Routing asks if its confidence is lower."""
    ambiguity_threshold: float = 0.1
    """Routing asks if two candidates are this close."""
    guided_max_steps: int = 8
    """A longer plan is rejected, unless a person accepts the risk."""
    guided_prohibited_actions: tuple[str, ...] = (
        "DROP DATABASE",
        "DROP SCHEMA",
        "GRANT OWNERSHIP",
        "ALTER ACCOUNT",
    )
    """How statements begin that no plan may contain."""
    dry_run_enabled: bool = True
    """Whether a dry run is offered."""
    staleness_threshold_days: int = 180
    """Age in days after which an unreviewed primitive causes a warning."""
    sections: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    """Section title to its Markdown, in file order."""
