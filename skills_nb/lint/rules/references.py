"""SK131 to SK135: references in the text of skills.

Room: lint.
Spec: Conventions > References.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

from skills_nb.lint.registry import Finding, rule
from skills_nb.lint.rules.places import placed_steps
from skills_nb.lint.subject import TYPES, BodyReference, Subject, front_span, quoted
from skills_nb.model.diagnostics import Severity
from skills_nb.model.documents import Document
from skills_nb.model.utterances import placed_utterances

_ALLOWED = {
    "router": ("playbooks", "primitives"),
    "playbook": ("primitives",),
    "primitive": ("primitives",),
}
_PATH = re.compile(
    r"(?<![\w./:-])\.{1,2}/[\w./-]*"
    r"|(?<![\w./:-])(?:primitives|playbooks|routers)/[\w-]+/[\w./-]*"
    r"|(?<![\w./:-])[\w-]+/(?:skill|playbook|router)\.md"
)
_OUTSIDE = re.compile(r"https?://\S+|`[^`\n]*`")


@rule("SK131", "downward-reference", spec="Constraints > Skill constraints 2")
def downward_reference(subject: Subject) -> Iterator[Finding]:
    """Text names skills downwards only, and only those that exist.

    Routers name playbooks and primitives, playbooks primitives, primitives other primitives.

    Fails: a playbook's step that says "see `routers/data-security`".
    Passes: a playbook's step that says "Reference: `primitives/tags`".
    """
    for found in subject.body_references:
        kind = _owner_kind(found.document)
        span = found.document.span(found.place)
        if found.kind not in _ALLOWED[kind]:
            message = f"a {kind} refers to '{found.ref}'"
            names = " or ".join(f"{each}/NAME" for each in _ALLOWED[kind])
            yield Finding(span, message, f"Refer to {names} only, or say it without a reference.")
        elif found.ref not in subject.skills:
            message = f"{quoted(found.ref)} does not exist"
            yield Finding(span, message, _nearest(subject, found))


def _owner_kind(document: Document) -> str:
    """Return the kind of the skill whose text it is; a part belongs to its skill."""
    if document.kind != "part":
        return document.kind
    return TYPES[document.path.split("/")[-4]]


def _nearest(subject: Subject, found: BodyReference) -> str:
    same = [ref for ref in subject.skills if ref.startswith(f"{found.kind}/")]
    near = get_close_matches(found.ref, same, 1, 0.6)
    return f"Did you mean '{near[0]}'?" if near else "Write the skill, or drop the reference."


@rule("SK132", "no-file-path", spec="Constraints > Skill constraints 9")
def no_file_path(subject: Subject) -> Iterator[Finding]:
    """References are `{type}/{name}`, never the path of a file.

    Fails: `[tags](../tags/skill.md)` or `primitives/tags/skill.md`.
    Passes: `primitives/tags`.
    """
    for document in subject.documents.of_kind("router", "playbook", "primitive", "part"):
        code = {n for fence in document.fences for n in range(fence.line, fence.end + 1)}
        for number, line in enumerate(document.text.split("\n"), 1):
            if "/" in line and number not in code:
                for found in _PATH.finditer(_without_addresses(line)):
                    path = found[0].rstrip(".")
                    span = document.span((number, found.start() + 1))
                    yield Finding(
                        span,
                        f"{quoted(path)} is the path of a file",
                        f"Write '{_reference_for(path)}'.",
                    )


def _without_addresses(line: str) -> str:
    """Blank out web addresses, and code that is not itself a path of a skill."""

    def blank(found: re.Match[str]) -> str:
        shown = found[0]
        keeps = shown.startswith("`") and shown.endswith((".md`", "/`"))
        return shown if keeps else " " * len(shown)

    return _OUTSIDE.sub(blank, line)


def _reference_for(path: str) -> str:
    parts = [part for part in path.split("/") if part not in ("", ".", "..")]
    names = [part for part in parts if not part.endswith(".md")]
    kind = next((part for part in names if part in ("primitives", "playbooks")), "primitives")
    name = next((part for part in reversed(names) if part != kind), "NAME")
    return f"{kind}/{name[:80]}"


@rule("SK133", "declared-dependency", spec="Architecture > Playbooks", requires=("SK131",))
def declared_dependency(subject: Subject) -> Iterator[Finding]:
    """The primitives that steps refer to are in `depends_on`.

    Fails: "Reference: `primitives/tags`" in a step, and no `tags` in `depends_on`.
    Passes: both.
    """
    for playbook, document in subject.playbooks():
        for placed in placed_steps(subject, playbook, document):
            for name in placed.step.references:
                if name not in playbook.depends_on:
                    step_id = placed.step.id
                    message = f"step {step_id} refers to '{name}', which is not in depends_on"
                    yield Finding(placed.field_span("reference"), message, f"Add '{name}' there.")


@rule(
    "SK134",
    "used-dependency",
    spec="Architecture > Playbooks",
    severity=Severity.WARNING,
    requires=("SK113",),
)
def used_dependency(subject: Subject) -> Iterator[Finding]:
    """Every primitive in `depends_on` is referred to by some step.

    Fails: `depends_on: [tags]`, and no step with "Reference: `primitives/tags`".
    Passes: a step refers to it.
    """
    for playbook, document in subject.playbooks():
        used = {name for step in playbook.steps for name in step.references}
        for number, name in enumerate(playbook.depends_on):
            if name not in used and playbook.steps:
                span = front_span(document, "depends_on", number)
                hint = f"Refer to 'primitives/{name}' in a step, or drop it."
                yield Finding(span, f"no step refers to '{name}'", hint)


@rule("SK135", "known-utterance", spec="Architecture > Discovery", needs=("index",))
def known_utterance(subject: Subject) -> Iterator[Finding]:
    """Sentences that people say stand under a playbook or primitive that exists, and under one.

    Fails: "- hide the salaries" in `routers/data-security/utterances.md` under `## masking`.
    Passes: the same under `## primitives/masking-policies`.
    """
    meant: dict[str, str] = {}
    for document in subject.documents.of_kind("utterances"):
        for line, skill, sentence in placed_utterances(document.text):
            span = document.span((line, 1))
            plain = " ".join(sentence.lower().split())
            if skill not in subject.skills or skill.startswith("routers/"):
                message = f"{quoted(sentence)} stands under no playbook or primitive"
                yield Finding(span, message, "Put it under '## primitives/NAME'.")
            elif meant.setdefault(plain, skill) != skill:
                message = f"{quoted(sentence)} stands under '{meant[plain]}' too"
                yield Finding(span, message, "Keep it where most people mean it.")
