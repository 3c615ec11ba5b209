"""`new KIND NAME`: a skill file in its place, entered into the index.

Room: authoring.
Spec: Conventions; Constraints > Skill constraint 8.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from skills_nb.authoring.domains import with_domain
from skills_nb.authoring.index_file import rewrite_index
from skills_nb.authoring.index_rows import IndexRow, Rows, rows_of
from skills_nb.authoring.templates import fill_template, title_of
from skills_nb.authoring.workspace import FILES, INDEX, META, Workspace, decode_file
from skills_nb.errors import UsageError
from skills_nb.model.library import Library

KINDS: Mapping[str, str] = {
    "primitive": "primitives",
    "playbook": "playbooks",
    "router": "routers",
}
"""Word for a kind of skill to its folder."""
_KEBAB = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\Z")


@dataclass(frozen=True, slots=True)
class Created:
    """A new skill, and what was written for it."""

    ref: str
    """`{type}/{name}`."""
    path: str
    """Of the skill file, relative to the workspace's root."""
    domain: str
    """The one that was given, or that its router has."""
    written: tuple[str, ...]
    """Every file that is new or changed."""


def new_skill(
    place: Workspace, kind: str, name: str, *, today: str, domain: str | None = None
) -> Created:
    """Write a new skill that lacks only what its author must say, and enter it into the index.

    Args:
        place: where it is written.
        kind: `primitive`, `playbook` or `router`.
        name: kebab-case.
        today: ISO date, the day of the first review.
        domain: left out: the router's own name, or the only domain of the overlay.

    Raises:
        UsageError: a name that is taken or malformed, or a domain that nothing declares.
        LibraryError: the library cannot be read, or a file cannot be written.
    """
    folder = KINDS[kind]
    _refuse_bad_name(name)
    library, _ = place.read()
    ref = f"{folder}/{name}"
    path = f"{ref}/{FILES[folder]}"
    if ref in library.index or (place.root / path).exists():
        raise UsageError(f"'{ref}' exists already", hint=f"read it with: show {ref}")
    aliases = library.vocabulary.aliases
    rows = rows_of(place.files(), aliases)
    own = tuple(dict.fromkeys(row.domain for table in rows.values() for row in table.values()))
    chosen = _domain(library, folder, name, domain, own, is_overlay=place.overlay is not None)
    index = rewrite_index(place.index_text(), _with_row(rows, folder, name, chosen), aliases)
    texts = {path: fill_template(folder, name, chosen, today), INDEX: index}
    if folder == "routers" and chosen not in library.meta.domains:
        texts |= _declared(place, texts[INDEX], chosen, name)
    return Created(ref, path, chosen, place.write(texts))


def _refuse_bad_name(name: str) -> None:
    if _KEBAB.match(name):
        return
    better = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    hint = f"try '{better}'" if better else "use lower-case words with hyphens between them"
    raise UsageError(f"'{name}' is not in kebab-case", hint=hint)


def _domain(
    library: Library,
    folder: str,
    name: str,
    given: str | None,
    own: Sequence[str],
    *,
    is_overlay: bool,
) -> str:
    aliases, known = library.vocabulary.aliases, library.meta.domains
    if given is None:
        given = name if folder == "routers" else own[0] if len(own) == 1 else None
    if given is None:
        raise UsageError("a domain is needed", hint="--domain with one of: " + ", ".join(known))
    domain = aliases.get(given, given)
    if domain in known:
        return domain
    _refuse_bad_name(domain)
    if folder != "routers":
        near = get_close_matches(domain, known, 1, 0.5)
        hint = f"did you mean '{near[0]}'? " if near else ""
        hint += f"A domain begins with its router: new router {domain}"
        raise UsageError(f"no domain '{domain}'", hint=hint)
    if not is_overlay and library.vocabulary.domains and domain not in library.vocabulary.domains:
        raise UsageError(
            f"domain '{domain}' is not in the controlled vocabulary",
            hint="add a row for it to spec/controlled-vocabulary.md first",
        )
    return domain


def _with_row(rows: Rows, folder: str, name: str, domain: str) -> Rows:
    return {**rows, folder: {**rows[folder], name: IndexRow(domain)}}


def _declared(place: Workspace, index: str, domain: str, router: str) -> dict[str, str]:
    """Return the file that declares domains, with one more: an overlay's is its index."""
    if place.overlay is not None:
        return {INDEX: with_domain(index, INDEX, domain, router, title_of(domain))}
    text = decode_file(place.root / META)
    return {META: with_domain(text, META, domain, router, title_of(domain))}
