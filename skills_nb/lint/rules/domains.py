"""SK121 to SK124: domains, what they produce, require and hand over.

Room: lint.
Spec: Architecture > Cross-domain execution; Meta-Router > Design rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from skills_nb.lint.registry import Finding, rule
from skills_nb.lint.subject import Subject, front_span, front_value, key_span
from skills_nb.model.circles import circles_of
from skills_nb.model.diagnostics import Severity, Span


@rule("SK121", "no-domain-cycle", spec="Cross-domain execution > How chaining works")
def no_domain_cycle(subject: Subject) -> Iterator[Finding]:
    """Domains can be put in an order in which each comes after those that produce what it needs.

    `requires` and `uses` both order. A resource that several domains produce is met by any of
    them, so a circle is one only when no producer outside it is left.

    Fails: `a` requires what only `b` produces, and `b` what only `a` produces.
    Passes: `b` drops its requirement, or a third domain produces what it needs.
    """
    for circle in circles_of(subject.library.meta.domains):
        yield Finding(_domain_span(subject, circle.names[0]), circle.message, circle.resolution)


@rule(
    "SK122",
    "produced-resource",
    spec="Architecture > Cross-domain execution",
    severity=Severity.WARNING,
)
def produced_resource(subject: Subject) -> Iterator[Finding]:
    """What a domain requires or uses is produced by some domain.

    In a chain a requirement that nothing provides is asked for, so this is a warning; more often
    than not it is a misspelt resource.

    Fails: `requires: [table]` where domains produce `tables`.
    Passes: `requires: [tables]`.
    """
    domains = subject.library.meta.domains
    produced = {resource for domain in domains.values() for resource in domain.produces}
    for domain in domains.values():
        for resource in (*domain.requires, *domain.uses):
            if resource not in produced:
                message = f"no domain produces '{resource}', which '{domain.name}' needs"
                span = _domain_span(subject, domain.name, "requires")
                yield Finding(span, message, _produced_hint(resource, produced))


def _produced_hint(resource: str, produced: set[str]) -> str:
    near = get_close_matches(resource, sorted(produced), 1, 0.6)
    return f"Write '{near[0]}'." if near else f"Add '{resource}' to 'produces' of a domain."


@rule(
    "SK123",
    "mapped-context",
    spec="Cross-domain execution > Context handoff between phases",
    needs=("meta-router", "index", "playbook"),
)
def mapped_context(subject: Subject) -> Iterator[Finding]:
    """A context mapping takes an output that another domain has to an input of its own.

    Outputs are those that a domain declares, the resources it produces and what its playbooks
    produce; inputs are those of the domain's playbooks.

    Fails: `{from: created_table, to: target_scope}` where the output is `created_tables`.
    Passes: `{from: created_tables, to: target_scope}`.
    """
    for domain in subject.library.meta.domains.values():
        if not domain.context_mapping:
            continue
        outputs = _outputs(subject, domain.name)
        inputs = _inputs(subject, domain.name)
        for number, mapping in enumerate(domain.context_mapping):
            path = ("context_mapping", number)
            if mapping.source not in outputs:
                message = f"no other domain has an output '{mapping.source}'"
                hint = f"Outputs are {', '.join(sorted(outputs)) or 'not declared anywhere'}."
                yield Finding(_domain_span(subject, domain.name, *path, "from"), message, hint)
            if mapping.target not in inputs:
                message = f"no playbook of '{domain.name}' has an input '{mapping.target}'"
                hint = f"Inputs are {', '.join(sorted(inputs)) or 'not there yet'}."
                yield Finding(_domain_span(subject, domain.name, *path, "to"), message, hint)


def _outputs(subject: Subject, name: str) -> set[str]:
    found: set[str] = set()
    for domain in subject.library.meta.domains.values():
        if domain.name != name:
            found |= {*domain.produces, *(output.name for output in domain.outputs)}
    for playbook, _ in subject.playbooks():
        if playbook.domain != name:
            found |= {production.name for production in playbook.produces}
    return found


def _inputs(subject: Subject, name: str) -> set[str]:
    books = (playbook for playbook, _ in subject.playbooks() if playbook.domain == name)
    return {spec.name for playbook in books for spec in playbook.inputs}


@rule(
    "SK124",
    "declared-domain",
    spec="Skill Types > Meta-Router",
    requires=("SK108",),
    needs=("meta-router", "index"),
)
def declared_domain(subject: Subject) -> Iterator[Finding]:
    """The meta-router declares the domain of every skill.

    Fails: a router with `domain: migration`, and no `migration` under `domains` of `router.md`.
    Passes: both are there.
    """
    declared = subject.library.meta.domains
    reported: set[str] = set()
    for ref, entry in subject.library.index.items():
        document = subject.skills.get(ref)
        if entry.domain and entry.domain not in {*declared, *reported} and document:
            reported.add(entry.domain)
            message = f"domain '{entry.domain}' is not declared in router.md"
            hint = f"Add '{entry.domain}:' with its router under 'domains'."
            yield Finding(front_span(document, "domain"), message, hint)


def _domain_span(subject: Subject, name: str, *path: str | int) -> Span:
    aliases = subject.library.vocabulary.aliases
    for document in subject.documents.of_kind("meta-router", "index"):
        table = front_value(document, "domains")
        for written in table if isinstance(table, dict) else ():
            if aliases.get(written, written) == name:
                found = front_span if path else key_span
                return found(document, "domains", written, *path)
    return Span("router.md")
