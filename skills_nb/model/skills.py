"""The four kinds of skills as frozen values, as reading produces them.

Room: ground. Field names are those of the files, so that a reader of a skill finds them here.
Spec: Skill Types; FORMATS, Library on disk.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
    "identifier",
    "column_list",
    "text_list",
    "condition",
    "account_locator",
    "mapping",
]

NOTHING: Mapping[str, Any] = MappingProxyType({})
"""What a field holds where nothing is given."""


@dataclass(frozen=True, slots=True)
class ExpectedError:
    """An error that the author of a skill expects, and what to do about it."""

    pattern: str
    """Regular expression; case is ignored."""
    recovery: str = ""
    """How to repair it; `{name}` stands for an input or a bound result."""
    retryable: bool = False
    """Whether trying again can help."""
    escalate: bool = True
    """Whether to ask a person when retries are used up or pointless."""
    errno: int | None = None
    """Snowflake's error number, if it says more than the text."""


@dataclass(frozen=True, slots=True)
class InputSpec:
    """Something a playbook needs to know. Spec: Playbooks > Input phasing."""

    name: str
    """Name used in templates and conditions."""
    description: str = ""
    """The question, as people read it."""
    type: InputType = "string"
    """Which values are valid, and how they are written into SQL."""
    required: bool = True
    """Whether the playbook waits until it is known."""
    phase: str = "before_start"
    """`before_start` or `step_N`."""
    default: Any = None
    """Value to use if no other is known."""
    has_default: bool = False
    """True if the file gives `default`, even as null."""
    choices: tuple[Any, ...] = ()
    """Values to choose from, or the name of a bound list as `{name}`."""
    secret: bool = False
    """Whether to keep the value out of the thread."""
    infer_from: tuple[str, ...] = ()
    """Where to look before asking: `intent`, `session.role`, `step_N.…`, in that order."""
    open_ended_because: str = ""
    """Why it cannot offer choices."""
    when: str | None = None
    """Boolean SQL over the inputs before it; where it is not true, nobody is asked."""


@dataclass(frozen=True, slots=True)
class ProbeCheck:
    """A condition on a probe's result, and what to do if it is true."""

    condition: str
    """An SQL boolean expression over the probe's result and the inputs."""
    action: ProbeAction
    """What to do if the condition is true."""
    message: str = ""
    """Message for the person; `{name}` stands for a value."""


@dataclass(frozen=True, slots=True)
class ProbeSpec:
    """A read-only query that runs before step 1."""

    id: str
    """Identifier, unique in its playbook."""
    query: str
    """A SQL template."""
    required: bool = True
    """Whether the playbook stops if the query itself fails."""
    validate: tuple[ProbeCheck, ...] = ()
    """Checks, in order; each one whose condition is true applies."""
    every_role: bool = False
    """Whether it is asked with all roles of the user, for what the session's alone does not see."""
    role: str | None = None
    """Role that it is asked as, such as `{admin_role}`; the session's where None."""
    may_be_missing: bool = False
    """Whether what it asks about may not be there, which is then neither told nor a hindrance."""


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """An option that a step adds to its checkpoint."""

    id: str
    """The answer that chooses it; unique at its checkpoint."""
    description: str
    """What choosing it does, as people read it."""
    when: str | None = None
    """Condition under which it is offered; without one, always."""
    sets: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
    """Inputs that it changes; the steps that read them then run again."""


@dataclass(frozen=True, slots=True)
class CheckpointSpec:
    """A pause after a step. Spec: Checkpoints."""

    severity: CheckpointSeverity = "review"
    """How it waits: `info` continues automatically, `critical` asks for a phrase."""
    present: str = ""
    """What to show; `{name}` stands for an input or a bound result, `{n:row|rows}` for `3 rows`."""
    phrase: str | None = None
    """What a person has to type at a critical checkpoint."""
    options: tuple[OptionSpec, ...] = ()
    """Options in addition to those that every checkpoint has."""


@dataclass(frozen=True, slots=True)
class ForEach:
    """`for_each: NAME in PATH`: the step's SQL once per item."""

    name: str
    """What the template calls the item."""
    path: str
    """Where the list is found: a name or a dotted path; `[a, b]` for a list as written."""


@dataclass(frozen=True, slots=True)
class CreatesSpec:
    """An object that a step creates although its SQL does not show it."""

    type: str
    """Kind of object in snake case: `table`, `masking_policy`."""
    name: str
    """SQL template that renders one identifier."""


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A fenced block of a step."""

    language: str
    """First word of the info string, lower case: `sql`, `bash`."""
    text: str
    """The code between the fences."""
    line: int
    """Where its first line of code stands in the file, 1-based."""
    is_template: bool = True
    """False for SQL that is sent as it stands, whatever braces it holds."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a playbook. Spec: Playbooks > Step structure."""

    id: str
    """Step id, a string: `"3"`, `"3b"`."""
    title: str
    """The heading, without `Step N:`."""
    summary: str = ""
    """One line that says what it does."""
    references: tuple[str, ...] = ()
    """Names of primitives, without `primitives/`."""
    sql: tuple[CodeBlock, ...] = ()
    """SQL templates, in order."""
    shell: tuple[CodeBlock, ...] = ()
    """Shell commands: shown, and run only if shell steps are turned on."""
    when: str | None = None
    """Condition; if it is false, the step is skipped."""
    role: str | None = None
    """Role the SQL runs as; `{name}` stands for an input or a loop name."""
    for_each: ForEach | None = None
    """`NAME in PATH`: run the SQL once for each item."""
    binds: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    """Names for parts of the step's result, each with its path."""
    expected_errors: tuple[ExpectedError, ...] = ()
    """Errors to expect, in order; the first that matches applies."""
    creates: tuple[CreatesSpec, ...] = ()
    """Objects that the step creates, if its SQL does not show them."""
    compensation: Literal["auto"] | tuple[str, ...] = "auto"
    """SQL templates that undo the step, instead of the derived inverse."""
    verify: str | None = None
    """Read-only SQL template that checks whether the step took effect."""
    checkpoint: CheckpointSpec | None = None
    """The pause after the step."""
    optional: bool = False
    """Whether a person may skip the step after an error."""
    recount: bool = False
    """Whether the rows that it reads are read again behind a wait, before anything is changed."""
    line: int = 1
    """Of its heading, 1-based."""


@dataclass(frozen=True, slots=True)
class Production:
    """An output of a domain phase: a name, and where it comes from."""

    name: str
    """Name that other domains use."""
    source: str
    """Path, such as `step_3.created_objects.table`."""


@dataclass(frozen=True, slots=True)
class Skill:
    """What all four kinds have."""

    name: str
    """Name without the kind: `data-masking`."""
    domain: str
    """Name of its domain in the vocabulary; empty for the meta-router."""
    title: str
    """First heading of the file."""
    description: str
    """What it is for, from the front matter."""
    span: Span
    """Where the file begins."""


@dataclass(frozen=True, slots=True)
class PlannedWork:
    """One step of a plan that a primitive offers."""

    action: str
    """What it does, as people read it."""
    sql: CodeBlock
    """Its statements, a template over the inputs of the plan."""


@dataclass(frozen=True, slots=True)
class PlanTemplate:
    """A small job that a primitive knows how to do: a guided plan with typed inputs."""

    title: str
    """What it does, as people read it."""
    said: tuple[str, ...] = ()
    """Phrases; a goal that holds every word of one of them wants it."""
    inputs: tuple[InputSpec, ...] = ()
    """Inputs, in the order in which they are asked for."""
    steps: tuple[PlannedWork, ...] = ()
    """In file order."""
    line: int = 1
    """Of its heading."""
    unless: tuple[str, ...] = ()
    """Phrases; a goal that holds every word of one of them wants something else."""


@dataclass(frozen=True, slots=True)
class Primitive(Skill):
    """Reference page of facts about one Snowflake concept."""

    expected_errors: tuple[ExpectedError, ...] = ()
    """Errors to expect, in order; the first that matches applies."""
    sources: tuple[str, ...] = ()
    """URLs of the pages against which its claims were checked."""
    last_reviewed: str | None = None
    """Date of the last review, in ISO format."""
    tested_on: str | None = None
    """Where its examples were run, in the author's words."""
    plans: tuple[PlanTemplate, ...] = ()
    """Small jobs that it knows how to do, in file order."""
    sections: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    """Section title to its Markdown, in file order."""

    @property
    def ref(self) -> str:
        """Return `primitives/{name}`."""
        return f"primitives/{self.name}"


@dataclass(frozen=True, slots=True)
class Playbook(Skill):
    """End-to-end procedure that builds on primitives."""

    depends_on: tuple[str, ...] = ()
    """Names of primitives, without `primitives/`."""
    inputs: tuple[InputSpec, ...] = ()
    """Inputs, in the order in which they are asked for."""
    prerequisites: tuple[str, ...] = ()
    """What has to be in place before it starts, in the author's words."""
    probes: tuple[ProbeSpec, ...] = ()
    """Probes, in the order in which they run."""
    produces: tuple[Production, ...] = ()
    """Outputs that later domains of a chain can use."""
    steps: tuple[Step, ...] = ()
    """In file order."""
    sections: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    """Section title to its Markdown, in file order."""
    is_plan: bool = False
    """Whether it is a guided plan, which no library holds."""

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

    def secret_inputs(self) -> frozenset[str]:
        """Return the names of the inputs whose values no thread may hold."""
        return secret_names(self.inputs)


def secret_names(inputs: Iterable[InputSpec]) -> frozenset[str]:
    """Return the names of the inputs whose values no thread may hold."""
    return frozenset(spec.name for spec in inputs if spec.secret)
