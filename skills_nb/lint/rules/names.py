"""SK107 to SK109: names of directories, files and domains.

Room: lint.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

from skills_nb.lint.registry import Finding, rule
from skills_nb.lint.subject import TYPES, Subject, front_span, front_value
from skills_nb.model.diagnostics import Severity, Span

_EXAMPLE_ACCOUNT = "spec/example-account.sql"
"""What a run of the examples begins with."""
_KEBAB = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@rule("SK107", "kebab-case", spec="Conventions > Naming")
def kebab_case(subject: Subject) -> Iterator[Finding]:
    """Directories and files are in kebab-case: lower case, digits, single hyphens.

    Fails: `primitives/Masking_Policies/skill.md`.
    Passes: `primitives/masking-policies/skill.md`.
    """
    seen: set[str] = set()
    for path in (*subject.documents.files, *subject.documents.others):
        for part in path.split("/"):
            stem = part.partition(".")[0]
            if not _KEBAB.fullmatch(stem) and part not in seen:
                seen.add(part)
                better = re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-") or "a-name"
                message = f"'{part}' is not in kebab-case"
                yield Finding(Span(path), message, f"Rename it to '{better}'.")


@rule("SK108", "known-domain", spec="Conventions > Domain Taxonomy")
def known_domain(subject: Subject) -> Iterator[Finding]:
    """Every skill's domain is one of the controlled vocabulary, or an alias of one.

    Fails: `domain: security-stuff`.
    Passes: `domain: data-security`.
    """
    vocabulary = subject.library.vocabulary
    if not vocabulary.domains:
        return
    for folder in TYPES:
        for _, document in subject.of_kind(folder):
            domain = front_value(document, "domain")
            if isinstance(domain, str) and domain:
                known = vocabulary.aliases.get(domain, domain)
                if known not in (*vocabulary.domains, *_added_domains(subject)):
                    yield _unknown(front_span(document, "domain"), domain, vocabulary.domains)


def _added_domains(subject: Subject) -> tuple[str, ...]:
    """Return the domains that an overlay's index declares."""
    declared = (front_value(index, "domains") for index in subject.documents.of_kind("index"))
    return tuple(name for table in declared if isinstance(table, dict) for name in table)


def _unknown(span: Span, domain: str, known: tuple[str, ...]) -> Finding:
    near = get_close_matches(domain, known, 1, 0.5)
    hint = f"Write '{near[0]}'." if near else f"Use one of {', '.join(known)}."
    return Finding(span, f"domain '{domain}' is not in the controlled vocabulary", hint)


@rule("SK109", "no-stray-file", spec="Conventions > File Structure", severity=Severity.WARNING)
def no_stray_file(subject: Subject) -> Iterator[Finding]:
    """Files stand where something reads them.

    Fails: `primitives/tags/notes.md`.
    Passes: `primitives/tags/examples/notes.md`, `spec/example-account.sql`.
    """
    for path in subject.documents.others:
        if path == _EXAMPLE_ACCOUNT:
            continue
        yield Finding(
            Span(path),
            f"nothing reads '{path}'",
            "Put Markdown into examples/ or steps/ beside the skill, other files elsewhere.",
        )
