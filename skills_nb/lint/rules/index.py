"""SK101 to SK106: index, files and front matter agree.

Room: lint.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from skills_nb.lint.registry import Finding, rule
from skills_nb.lint.subject import (
    FILES,
    INDEX,
    META,
    TYPES,
    Subject,
    front_span,
    front_texts,
    front_value,
    key_span,
)
from skills_nb.model.documents import Document
from skills_nb.model.library import IndexEntry

_VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)")
_LINKS = {"routers": "routes_to", "playbooks": "depends_on"}


@rule("SK101", "registered-skill", spec="Constraints > Skill constraints 8")
def registered_skill(subject: Subject) -> Iterator[Finding]:
    """Every skill is in the index; one that is not does not exist to anybody.

    Fails: `primitives/tags/skill.md` without a row `tags` under `primitives`.
    Passes: the file and its row.
    """
    if subject.index is None:
        return
    for ref, document in subject.skills.items():
        if ref not in subject.library.index:
            kind, _, name = ref.partition("/")
            message = f"'{ref}' is not in {INDEX}"
            hint = f"Add '{name}:' under '{kind}', or run 'index --write'."
            yield Finding(document.span((1, 1)), message, hint)


@rule("SK102", "indexed-file", spec="Architecture > Discovery")
def indexed_file(subject: Subject) -> Iterator[Finding]:
    """Every row of the index has its file.

    Fails: a row `tags` under `primitives`, and no `primitives/tags/skill.md`.
    Passes: the row and its file.
    """
    for entry, index in _rows(subject):
        if entry.ref not in subject.skills:
            path = f"{entry.ref}/{FILES[entry.kind]}"
            message = f"'{entry.ref}' has no file '{path}'"
            yield Finding(
                key_span(index, entry.kind, entry.name),
                message,
                f"Write it, or drop '{entry.name}'.",
            )


@rule("SK103", "index-agrees", spec="Architecture > Discovery", requires=("SK101", "SK102"))
def index_agrees(subject: Subject) -> Iterator[Finding]:
    """The index says the same as the front matter: domain, `routes_to`, `depends_on`.

    Fails: the index puts `tags` into `data-security`, its file into `governance-rest`.
    Passes: both say `data-security`.
    """
    for entry, index in _rows(subject):
        document = subject.skills.get(entry.ref)
        if document is None or document.front is None:
            continue
        yield from _domain_differs(subject, entry, index, document)
        link = _LINKS.get(entry.kind)
        if link is not None:
            yield from _links_differ(entry, index, document, link)


def _domain_differs(
    subject: Subject, entry: IndexEntry, index: Document, document: Document
) -> Iterator[Finding]:
    written = front_value(document, "domain")
    domain = subject.library.vocabulary.aliases.get(str(written), str(written))
    if written is not None and entry.domain and domain != entry.domain:
        span = front_span(index, entry.kind, entry.name, "domain")
        message = f"the index says domain '{entry.domain}', {document.path} says '{written}'"
        yield Finding(span, message, "Make both the same.")


def _links_differ(
    entry: IndexEntry, index: Document, document: Document, link: str
) -> Iterator[Finding]:
    written = set(front_texts(document, link))
    listed = set(entry.links)
    span = key_span(index, entry.kind, entry.name, link)
    for name in sorted(written - listed):
        message = f"'{entry.ref}' has '{name}' in {link}, the index has not"
        yield Finding(span, message, f"Add '{name}' here, or run 'index --write'.")
    for name in sorted(listed - written):
        message = f"the index has '{name}' in {link} of '{entry.ref}', {document.path} has not"
        yield Finding(span, message, f"Drop '{name}' here, or run 'index --write'.")


@rule("SK104", "matching-name", spec="Conventions > Naming")
def matching_name(subject: Subject) -> Iterator[Finding]:
    """The `name` of a skill is that of its directory, and its `type` that of its place.

    Fails: `primitives/tags/skill.md` with `name: tag` or `type: playbook`.
    Passes: `primitives/tags/skill.md` with `name: tags` and `type: primitive`.
    """
    for folder, kind in TYPES.items():
        for name, document in subject.of_kind(folder):
            yield from _field_is(document, "name", name)
            if front_value(document, "type") != "meta-router":
                yield from _field_is(document, "type", kind)
    if subject.meta is not None:
        yield from _field_is(subject.meta, "type", "meta-router")


def _field_is(document: Document, field: str, wanted: str) -> Iterator[Finding]:
    value = front_value(document, field)
    if value != wanted:
        what = f"{field} is '{value}'" if value is not None else f"field '{field}' is missing"
        yield Finding(front_span(document, field), what, f"Write '{field}: {wanted}'.")


@rule("SK105", "one-meta-router", spec="Constraints > Skill constraints 11")
def one_meta_router(subject: Subject) -> Iterator[Finding]:
    """There is one meta-router, `router.md` at the root, and the index enters there.

    Fails: `routers/all/router.md` with `type: meta-router`; `entry: start.md` in the index.
    Passes: `router.md` with `type: meta-router`; `entry: router.md`.
    """
    for document in subject.documents.of_kind("router", "playbook", "primitive", "part", "spec"):
        if front_value(document, "type") == "meta-router":
            message = f"'{document.path}' is a second meta-router"
            yield Finding(front_span(document, "type"), message, f"Keep the one in {META}.")
    if subject.index is not None and front_value(subject.index, "entry") != META:
        message = f"entry is '{front_value(subject.index, 'entry')}'"
        yield Finding(front_span(subject.index, "entry"), message, f"Write 'entry: {META}'.")


@rule("SK106", "library-version", spec="Conventions > Versioning")
def library_version(subject: Subject) -> Iterator[Finding]:
    """The library's version is `"major.minor"`, in quotes; skills have none of their own.

    Fails: `version: "1.0.3"`.
    Passes: `version: "1.0"`.
    """
    version = front_value(subject.index, "version") if subject.index is not None else None
    if subject.index is not None and isinstance(version, str) and not _VERSION.fullmatch(version):
        span = front_span(subject.index, "version")
        yield Finding(span, f"version is '{version}'", 'Write it as "major.minor".')


def _rows(subject: Subject) -> Iterator[tuple[IndexEntry, Document]]:
    """Yield the rows of the indexes, each with the index that it stands in."""
    for index in subject.documents.of_kind("index"):
        for entry in subject.library.index.values():
            if entry.name in _names(index, entry.kind):
                yield entry, index


def _names(index: Document, kind: str) -> dict[str, object]:
    names = front_value(index, kind)
    return names if isinstance(names, dict) else {}
