"""SK411 to SK419: steps and checkpoints.

Room: lint.
Spec: Playbooks > Step structure, Checkpoint placement; Checkpoints.
"""

from __future__ import annotations

from collections.abc import Iterator

from skills_nb.lint.registry import Finding, rule
from skills_nb.lint.rules.places import PlacedStep, placed_steps
from skills_nb.lint.subject import Subject
from skills_nb.model.diagnostics import Severity
from skills_nb.model.skills import Playbook

MAX_STEPS = 20
ALWAYS_OFFERED = ("approve", "approve_remaining", "modify", "abort", "different-approach")


def every_step(subject: Subject) -> Iterator[tuple[Playbook, PlacedStep]]:
    """Yield every step of every playbook with its place."""
    for playbook, document in subject.playbooks():
        for placed in placed_steps(subject, playbook, document):
            yield playbook, placed


@rule("SK411", "numbered-steps", spec="Playbooks > Step structure")
def numbered_steps(subject: Subject) -> Iterator[Finding]:
    """Steps are numbered 1, 2, 3 without gaps; sub-steps follow theirs as 3a, 3b.

    Fails: 1, 2, 4; 1, 3, 2; two steps 2.
    Passes: 1, 2, 2a, 2b, 3.
    """
    for playbook, document in subject.playbooks():
        before = (0, "")
        for placed in placed_steps(subject, playbook, document):
            digits = placed.step.id.rstrip("abcdefghijklmnopqrstuvwxyz")
            number, letter = int(digits), placed.step.id.removeprefix(digits)
            if (number, letter) not in _after(*before):
                wanted = " or ".join(f"{n}{c}" for n, c in _after(*before) if n)
                last = f"{before[0]}{before[1]}" if before[0] else "the beginning"
                message = f"step '{placed.step.id}' follows {last}"
                yield Finding(placed.span, message, f"Number it {wanted}.")
            before = (number, letter)


def _after(number: int, letter: str) -> tuple[tuple[int, str], ...]:
    """Return the numbers that may follow; a first sub-step may be `b`, for `a` is its step."""
    if not letter:
        following = (number + 1, ""), (number, "a"), (number, "b")
        return following if number else following[:1]
    return (number + 1, ""), (number, chr(ord(letter) + 1))


@rule("SK412", "few-steps", spec="Principles > Small over comprehensive")
def few_steps(subject: Subject) -> Iterator[Finding]:
    """A playbook has at most 20 steps.

    Fails: a playbook of 24 steps.
    Passes: two playbooks of 12 steps, one after the other.
    """
    for playbook, document in subject.playbooks():
        if len(playbook.steps) > MAX_STEPS:
            placed = [*placed_steps(subject, playbook, document)][MAX_STEPS:]
            span = placed[0].span if placed else document.span((1, 1))
            message = f"the playbook has {len(playbook.steps)} steps, more than {MAX_STEPS}"
            yield Finding(span, message, "Split it into two playbooks.")


@rule("SK413", "some-steps", spec="Playbooks > Required sections", requires=("SK201", "SK014"))
def some_steps(subject: Subject) -> Iterator[Finding]:
    """A playbook has steps.

    Fails: `## Steps` with paragraphs only.
    Passes: `## Steps` with `### Step 1: Find the columns`.
    """
    for playbook, document in subject.playbooks():
        section = document.section("Steps")
        if not playbook.steps and section is not None:
            span = document.span((section.line, 1))
            yield Finding(span, "the playbook has no steps", "Write '### Step 1: Title'.")


@rule("SK414", "has-checkpoint", spec="Constraints > Execution constraints 10", requires=("SK413",))
def has_checkpoint(subject: Subject) -> Iterator[Finding]:
    """A playbook stops for a person at least once; `info` alone does not stop.

    Fails: four steps without a checkpoint.
    Passes: `checkpoint: {severity: review, present: "{count} columns found."}` in one of them.
    """
    for playbook, document in subject.playbooks():
        stops = (step.checkpoint for step in playbook.steps if step.checkpoint is not None)
        if playbook.steps and not any(stop.severity != "info" for stop in stops):
            section = document.section("Steps")
            span = document.span((section.line if section is not None else 1, 1))
            message = "no step has a checkpoint that stops"
            yield Finding(span, message, "Add a 'review' checkpoint after what people should see.")


@rule("SK415", "sound-checkpoint", spec="Checkpoints > Checkpoint severity levels")
def sound_checkpoint(subject: Subject) -> Iterator[Finding]:
    """A critical checkpoint asks for a phrase, others do not; each says what it presents.

    Fails: `{severity: critical, present: "Policies go live."}`.
    Passes: the same with `phrase: "protect {target_scope}"`.
    """
    for _, placed in every_step(subject):
        stop = placed.step.checkpoint
        if stop is None:
            continue
        span = placed.field_span("checkpoint")
        if stop.severity == "critical" and not stop.phrase:
            message = f"the critical checkpoint of step {placed.step.id} asks for no phrase"
            yield Finding(span, message, "Add 'phrase'.")
        if stop.severity != "critical" and stop.phrase:
            message = f"a phrase at the {stop.severity} checkpoint of step {placed.step.id}"
            yield Finding(placed.field_span("phrase"), message, "Make it critical, or drop it.")
        if not stop.present.strip():
            message = f"the checkpoint of step {placed.step.id} presents nothing"
            yield Finding(span, message, "Add 'present'.")


@rule("SK416", "exit-and-pivot", spec="Constraints > Execution constraints 13")
def exit_and_pivot(subject: Subject) -> Iterator[Finding]:
    """The ways out of a checkpoint keep their meaning: a step adds options, it redefines none.

    `approve`, `approve_remaining`, `modify`, `abort` and `different-approach` are always offered.

    Fails: `options: [{id: abort, description: "Go on without"}]`.
    Passes: `options: [{id: include-medium, description: "Also medium confidence"}]`.
    """
    for _, placed in every_step(subject):
        stop = placed.step.checkpoint
        seen: set[str] = set()
        for option in stop.options if stop is not None else ():
            span = placed.field_span("options")
            if option.id in ALWAYS_OFFERED:
                yield Finding(span, f"option '{option.id}' is always offered", "Drop it.")
            elif option.id in seen:
                yield Finding(span, f"a second option '{option.id}'", "Give it another id.")
            elif not option.description.strip():
                message = f"option '{option.id}' has no description"
                yield Finding(span, message, "Say what choosing it does.")
            seen.add(option.id)


@rule("SK417", "settable-option", spec="Checkpoints > Checkpoint options are dynamic")
def settable_option(subject: Subject) -> Iterator[Finding]:
    """An option sets inputs that are there.

    Fails: `sets: {confidense: MEDIUM}`.
    Passes: `sets: {confidence: MEDIUM}`.
    """
    for playbook, placed in every_step(subject):
        stop = placed.step.checkpoint
        for option in stop.options if stop is not None else ():
            for name in option.sets:
                if playbook.input(name) is None:
                    message = f"option '{option.id}' sets '{name}', which is no input"
                    known = ", ".join(spec.name for spec in playbook.inputs) or "none"
                    yield Finding(placed.field_span(name), message, f"Inputs: {known}.")


@rule("SK418", "summed-up-step", spec="Playbooks > Step structure")
def summed_up_step(subject: Subject) -> Iterator[Finding]:
    """A step says in one line what it does, and a title says what it is.

    Fails: `### Step 2: Create policies` followed by its `yaml` block.
    Passes: the same with "Create one policy per data type." in between.
    """
    for _, placed in every_step(subject):
        if not placed.step.title:
            yield Finding(placed.span, f"step {placed.step.id} has no title", "Add one.")
        if not placed.step.summary:
            message = f"step {placed.step.id} does not say what it does"
            yield Finding(placed.span, message, "Add one line under the heading.")


@rule(
    "SK419",
    "acting-step",
    spec="Playbooks > Step structure",
    severity=Severity.WARNING,
    requires=("SK014",),
)
def acting_step(subject: Subject) -> Iterator[Finding]:
    """A step shows SQL or a command, or is a decision and has a checkpoint.

    Fails: a step of prose alone.
    Passes: the step with a block of SQL, or with a checkpoint at which a person decides.
    """
    for _, placed in every_step(subject):
        step = placed.step
        shown = any(
            placed.section.line < fence.line <= placed.section.end
            for fence in placed.document.fences
            if fence.language not in ("yaml", "yml")
        )
        if not shown and step.checkpoint is None:
            message = f"step {step.id} has neither code nor a checkpoint"
            yield Finding(placed.span, message, "Show its SQL, or add a checkpoint.")
