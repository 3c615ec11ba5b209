"""SK111 to SK119: the edges of the DAG.

Room: lint.
Spec: Architecture > Edge rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from skills_nb.lint.registry import Finding, rule
from skills_nb.lint.subject import (
    TYPES,
    Subject,
    front_span,
    front_texts,
    front_value,
    key_span,
)
from skills_nb.model.diagnostics import Severity
from skills_nb.model.documents import Document
from skills_nb.model.graphs import find_cycles


@rule("SK111", "meta-router-to-routers", spec="Constraints > Skill constraints 10")
def meta_router_to_routers(subject: Subject) -> Iterator[Finding]:
    """The meta-router leads to domain routers only, each of which exists.

    Fails: `router: playbooks/secure-sensitive-data`.
    Passes: `router: routers/data-security`.
    """
    for document, name, value in _domain_routers(subject):
        kind, _, target = value.partition("/")
        span = front_span(document, "domains", name, "router")
        if kind != "routers" or not target:
            message = f"domain '{name}' leads to '{value}', which is no router"
            yield Finding(span, message, "Write 'router: routers/NAME'.")
        elif value not in subject.skills:
            message = f"domain '{name}' leads to '{value}', which does not exist"
            yield Finding(span, message, f"Write '{value}/router.md', or correct the name.")


def _domain_routers(subject: Subject) -> Iterator[tuple[Document, str, str]]:
    for document in subject.documents.of_kind("meta-router", "index"):
        table = front_value(document, "domains")
        for name, row in table.items() if isinstance(table, dict) else ():
            value = row.get("router") if isinstance(row, dict) else None
            if isinstance(value, str):
                yield document, name, value


@rule("SK112", "router-edges", spec="Architecture > Edge rules")
def router_edges(subject: Subject) -> Iterator[Finding]:
    """A router leads to playbooks and primitives, by `{type}/{name}`, never to a router.

    Fails: `routes_to: [routers/data-security, masking-policies]`.
    Passes: `routes_to: [playbooks/secure-sensitive-data, primitives/masking-policies]`.
    """
    for _, document in subject.of_kind("routers"):
        for number, target in enumerate(front_texts(document, "routes_to")):
            span = front_span(document, "routes_to", number)
            kind, _, name = target.partition("/")
            if kind == "routers":
                message = f"a router leads to the router '{target}'"
                yield Finding(span, message, "Lead to a playbook or a primitive.")
            elif kind not in TYPES or not name:
                message = f"'{target}' is not of the form type/name"
                yield Finding(span, message, "Write 'primitives/NAME' or 'playbooks/NAME'.")
            elif target not in subject.skills:
                yield Finding(span, f"'{target}' does not exist", _nearest(subject, target))


@rule("SK113", "playbook-edges", spec="Constraints > Skill constraints 2 and 3")
def playbook_edges(subject: Subject) -> Iterator[Finding]:
    """A playbook depends on primitives, by bare name: never on a router or another playbook.

    Fails: `depends_on: [primitives/tags, secure-sensitive-data]`.
    Passes: `depends_on: [tags]`.
    """
    for name, document in subject.of_kind("playbooks"):
        for number, target in enumerate(front_texts(document, "depends_on")):
            finding = _dependency(subject, name, target)
            if finding is not None:
                yield Finding(front_span(document, "depends_on", number), *finding)


def _dependency(subject: Subject, name: str, target: str) -> tuple[str, str] | None:
    kind, slash, rest = target.partition("/")
    bare = rest if slash else target
    if (kind == "playbooks" and slash) or f"playbooks/{bare}" in subject.skills:
        what = "itself" if bare == name else f"the playbook '{bare}'"
        if f"primitives/{bare}" not in subject.skills or slash:
            return f"the playbook depends on {what}", "Depend on the primitives it uses."
    if kind == "routers" and slash:
        return f"the playbook depends on the router '{bare}'", "Drop it."
    if slash:
        return f"'{target}' is not a bare name", f"Write '{bare}'."
    if f"primitives/{bare}" in subject.skills:
        return None
    if f"routers/{bare}" in subject.skills:
        return f"the playbook depends on the router '{bare}'", "Drop it."
    return f"'primitives/{bare}' does not exist", _nearest(subject, f"primitives/{bare}")


@rule("SK114", "primitive-is-leaf", spec="Constraints > Skill constraints 2")
def primitive_is_leaf(subject: Subject) -> Iterator[Finding]:
    """A primitive has no edges; a router has no `depends_on`, a playbook no `routes_to`.

    Fails: a primitive with `depends_on: [tags]`.
    Passes: a primitive that names `primitives/tags` in its text.
    """
    forbidden = {
        "primitives": ("depends_on", "routes_to"),
        "routers": ("depends_on",),
        "playbooks": ("routes_to",),
    }
    for folder, fields in forbidden.items():
        for _, document in subject.of_kind(folder):
            for field in fields:
                if front_value(document, field) is not None:
                    message = f"a {TYPES[folder]} has the field '{field}'"
                    yield Finding(key_span(document, field), message, "Drop the field.")


@rule("SK115", "no-cycle", spec="Constraints > Skill constraints 1")
def no_cycle(subject: Subject) -> Iterator[Finding]:
    """No skill leads back to itself along `router`, `routes_to` and `depends_on`.

    Fails: playbook `a` depends on `b`, playbook `b` on `a`.
    Passes: both depend on the primitive that they share.
    """
    for cycle in find_cycles(_edges(subject)):
        document = subject.skills[cycle[0]]
        shown = " -> ".join((*cycle, cycle[0]))
        message = f"'{cycle[0]}' leads back to itself: {shown}"
        field = "routes_to" if document.kind == "router" else "depends_on"
        yield Finding(key_span(document, field), message, "Remove one of these edges.")


def _edges(subject: Subject) -> Mapping[str, tuple[str, ...]]:
    """Return the declared edges between existing skills, forbidden ones included."""
    edges: dict[str, tuple[str, ...]] = {}
    for ref, document in subject.skills.items():
        routes = front_texts(document, "routes_to")
        names = front_texts(document, "depends_on")
        candidates = [*routes, *names, *(f"{kind}/{name}" for name in names for kind in TYPES)]
        edges[ref] = tuple(sorted({each for each in candidates if each in subject.skills}))
    return edges


@rule(
    "SK116",
    "reachable-skill",
    spec="Architecture > Agent Traversal",
    severity=Severity.WARNING,
    needs=("meta-router", "index", "router", "playbook"),
)
def reachable_skill(subject: Subject) -> Iterator[Finding]:
    """Some router leads to every skill, or some playbook builds on it.

    Fails: a primitive that stands in no `routes_to` and no `depends_on`.
    Passes: the same primitive in the `routes_to` of its domain's router.
    """
    linked = {target for targets in _edges(subject).values() for target in targets}
    linked |= {value for _, _, value in _domain_routers(subject)}
    for ref in subject.library.index:
        if ref in subject.skills and ref not in linked:
            span = subject.skills[ref].span((1, 1))
            hint = "Add it to the router of its domain."
            if ref.startswith("routers/"):
                hint = "Declare a domain with it in router.md."
            yield Finding(span, f"nothing leads to '{ref}'", hint)


@rule("SK117", "decidable-option", spec="Routers > Routing logic rules")
def decidable_option(subject: Subject) -> Iterator[Finding]:
    """An option's target is one of `routes_to`; an option of the meta-router names a domain.

    Fails: `target: primitives/tags` where `routes_to` has no such target.
    Passes: `target: primitives/tags`, and the same in `routes_to`.
    """
    for _, document in subject.of_kind("routers"):
        allowed = set(front_texts(document, "routes_to"))
        for path, target in _targets(document):
            if target not in allowed:
                message = f"the option's target '{target}' is not in routes_to"
                yield Finding(front_span(document, *path), message, "Add it there, or correct it.")
    if subject.meta is not None:
        yield from _meta_targets(subject, subject.meta)


def _meta_targets(subject: Subject, meta: Document) -> Iterator[Finding]:
    domains = subject.library.meta.domains
    aliases = subject.library.vocabulary.aliases
    for path, target in _targets(meta):
        if aliases.get(target, target) not in domains:
            message = f"the option's target '{target}' is no domain"
            yield Finding(front_span(meta, *path), message, f"Use one of {', '.join(domains)}.")


def _targets(document: Document) -> Iterator[tuple[tuple[str | int, ...], str]]:
    parameters = front_value(document, "parameters")
    for number, parameter in enumerate(parameters if isinstance(parameters, list) else ()):
        options = parameter.get("options") if isinstance(parameter, dict) else None
        for place, option in enumerate(options if isinstance(options, list) else ()):
            target = option.get("target") if isinstance(option, dict) else None
            if isinstance(target, str):
                yield ("parameters", number, "options", place, "target"), target


def _nearest(subject: Subject, target: str) -> str:
    kind = target.partition("/")[0]
    same = [ref for ref in subject.skills if ref.startswith(f"{kind}/")]
    near = get_close_matches(target, same, 1, 0.6)
    return f"Did you mean '{near[0]}'?" if near else "Write the skill, or drop the reference."
