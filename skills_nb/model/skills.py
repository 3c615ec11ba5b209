"""The four kinds of skills as frozen values, as reading produces them.

Room: ground. Field names are those of the files, so that a reader of a skill finds them here.
Spec: Skill Types; FORMATS, Library on disk.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from skills_nb.model.diagnostics import Span

Mode = Literal["playbook", "guided", "reference"]
CheckpointSeverity = Literal["info", "review", "critical"]
ProbeAction = Literal["pass", "warn", "confirm", "block"]
InputType = Literal[
    "string",
    "integer",
    "boolean",
    "choice",
    "role",
    "warehouse",
    "database",
    "schema",
    "table",
    "scope",
    "column_list",
    "account_locator",
    "mapping",
]

_NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class ExpectedError:
    """An error that a skill's author foresaw, and what to do about it."""

    pattern: str
    """Regular expression, matched without regard to case."""
    recovery: str = ""
    """What repairs it; `{name}` stands for an input or a bound result."""
    retryable: bool = False
    """Whether trying again can help."""
    escalate: bool = True
    """Whether a person is asked when retrying is over or makes no sense."""
    errno: int | None = None
    """Snowflake's error number, where it says more than the text."""


@dataclass(frozen=True, slots=True)
class InputSpec:
    """Something a playbook needs to know. Spec: Playbooks > Input phasing."""

    name: str
    description: str = ""
    type: InputType = "string"
    required: bool = True
    phase: str = "before_start"
    """`before_start` or `step_N`."""
    default: Any = None
    has_default: bool = False
    """True where the file gives `default`, be it null."""
    choices: tuple[Any, ...] = ()
    """Structured choices: values, or the name of a bound list as `{name}`."""
    secret: bool = False
    """The value never reaches a thread."""
    infer_from: tuple[str, ...] = ()
    """Where to look before asking: `intent`, `session.role`, `step_N.…`, in that order."""
    open_ended_because: str = ""
    """Why no choices can be offered."""


@dataclass(frozen=True, slots=True)
class ProbeCheck:
    """A condition on a probe's result and what follows when it is true."""

    condition: str
    action: ProbeAction
    message: str = ""


@dataclass(frozen=True, slots=True)
class ProbeSpec:
    """A read-only query that runs before step 1."""

    id: str
    query: str
    """A SQL template."""
    required: bool = True
    """Whether a failure of the query itself blocks."""
    validate: tuple[ProbeCheck, ...] = ()
    """Evaluated in order; every one whose condition is true counts."""


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """An option that a step adds to its checkpoint."""

    id: str
    description: str
    when: str | None = None
    """Condition; offered always when absent."""
    sets: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    """Inputs that choosing it changes; the step then runs again."""


@dataclass(frozen=True, slots=True)
class CheckpointSpec:
    """A pause after a step. Spec: Checkpoints."""

    severity: CheckpointSeverity = "review"
    present: str = ""
    """What to show; `{name}` stands for an input or a bound result, `{n:row|rows}` for `3 rows`."""
    phrase: str | None = None
    """What a person types at a critical checkpoint."""
    options: tuple[OptionSpec, ...] = ()


@dataclass(frozen=True, slots=True)
class ForEach:
    """`for_each: NAME in PATH`: the step's SQL once per item."""

    name: str
    path: str


@dataclass(frozen=True, slots=True)
class CreatesSpec:
    """An object that the author says a step creates, when the SQL does not show it."""

    type: str
    name: str
    """A SQL template that renders one identifier."""


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A fenced block of a step."""

    language: str
    text: str
    line: int
    """Where its first line of code stands in the file, 1-based."""
    is_template: bool = True
    """False for SQL that is sent as it stands, whatever braces it holds."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a playbook. Spec: Playbooks > Step structure."""

    id: str
    """`"3"`, `"3b"`: a string."""
    title: str
    summary: str = ""
    """The one line that says what it does."""
    references: tuple[str, ...] = ()
    """Bare names of primitives."""
    sql: tuple[CodeBlock, ...] = ()
    """SQL templates, in order."""
    shell: tuple[CodeBlock, ...] = ()
    """Command-line blocks: shown, and run only where shell steps are turned on."""
    when: str | None = None
    role: str | None = None
    """Role the SQL runs as; `{name}` stands for an input or a loop name."""
    for_each: ForEach | None = None
    binds: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    """Name to path of the step's result."""
    expected_errors: tuple[ExpectedError, ...] = ()
    creates: tuple[CreatesSpec, ...] = ()
    compensation: Literal["auto"] | tuple[str, ...] = "auto"
    """SQL templates in place of the derived inverse."""
    verify: str | None = None
    """Read-only SQL template that tells whether the effect is there."""
    checkpoint: CheckpointSpec | None = None
    optional: bool = False
    """Whether a person may skip it after an error."""
    line: int = 1


@dataclass(frozen=True, slots=True)
class Production:
    """An output of a domain phase: a name, and where it comes from."""

    name: str
    source: str
    """A path, such as `step_3.created_objects.table`."""


@dataclass(frozen=True, slots=True)
class Skill:
    """What all four kinds have."""

    name: str
    domain: str
    title: str
    description: str
    span: Span
    """Where the file begins."""


@dataclass(frozen=True, slots=True)
class Primitive(Skill):
    """Factual reference for one Snowflake concept; a leaf."""

    expected_errors: tuple[ExpectedError, ...] = ()
    snowflake_docs: tuple[str, ...] = ()
    last_reviewed: str | None = None
    """ISO date."""
    tested_on: str | None = None
    sections: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    """Section title to its Markdown, in file order."""

    @property
    def ref(self) -> str:
        """Return `primitives/{name}`."""
        return f"primitives/{self.name}"


@dataclass(frozen=True, slots=True)
class Playbook(Skill):
    """An end-to-end procedure over primitives."""

    depends_on: tuple[str, ...] = ()
    inputs: tuple[InputSpec, ...] = ()
    prerequisites: tuple[str, ...] = ()
    probes: tuple[ProbeSpec, ...] = ()
    produces: tuple[Production, ...] = ()
    steps: tuple[Step, ...] = ()
    sections: Mapping[str, str] = field(default_factory=lambda: _NOTHING)

    @property
    def ref(self) -> str:
        """Return `playbooks/{name}`."""
        return f"playbooks/{self.name}"

    def step(self, step_id: str) -> Step | None:
        """Return the step with that id, or None."""
        return next((step for step in self.steps if step.id == step_id), None)

    def input(self, name: str) -> InputSpec | None:
        """Return the input with that name, or None."""
        return next((spec for spec in self.inputs if spec.name == name), None)


@dataclass(frozen=True, slots=True)
class RouteOption:
    """One answer to a router's question, and what makes it decidable."""

    id: str
    description: str
    examples: tuple[str, ...] = ()
    """Sentences as people say them."""
    keywords: tuple[str, ...] = ()
    target: str | None = None
    """`playbooks/x` or `primitives/y`; for the meta-router a domain."""
    mode: Mode | None = None


@dataclass(frozen=True, slots=True)
class RouteParameter:
    """A question that a router asks, with its options."""

    name: str
    description: str
    options: tuple[RouteOption, ...] = ()


@dataclass(frozen=True, slots=True)
class Router(Skill):
    """Resolves an intent inside one domain."""

    parameters: tuple[RouteParameter, ...] = ()
    routes_to: tuple[str, ...] = ()
    """Type-prefixed targets."""
    sections: Mapping[str, str] = field(default_factory=lambda: _NOTHING)

    @property
    def ref(self) -> str:
        """Return `routers/{name}`."""
        return f"routers/{self.name}"


@dataclass(frozen=True, slots=True)
class ContextMapping:
    """How an output of an earlier domain phase meets an input of this one."""

    source: str
    """Name of the output (`from` in the file)."""
    target: str
    """Name of the input (`to` in the file)."""


@dataclass(frozen=True, slots=True)
class DomainOutput:
    """An output that a domain declares."""

    name: str
    type: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class Domain:
    """A domain as the meta-router declares it."""

    name: str
    router: str
    """`routers/{name}`."""
    description: str = ""
    produces: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    """Orders only: after the domains that produce it, when both are in a chain."""
    context_mapping: tuple[ContextMapping, ...] = ()
    outputs: tuple[DomainOutput, ...] = ()


@dataclass(frozen=True, slots=True)
class MetaRouter(Skill):
    """The single entry point of a library, with its settings."""

    parameters: tuple[RouteParameter, ...] = ()
    domains: Mapping[str, Domain] = field(default_factory=lambda: MappingProxyType({}))
    confidence_threshold: float = 0.5
    """Below it, routing asks."""
    ambiguity_threshold: float = 0.1
    """Two candidates within it: routing asks."""
    guided_max_steps: int = 8
    guided_prohibited_actions: tuple[str, ...] = (
        "DROP DATABASE",
        "DROP SCHEMA",
        "GRANT OWNERSHIP",
        "ALTER ACCOUNT",
    )
    dry_run_enabled: bool = True
    staleness_threshold_days: int = 180
    sections: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
