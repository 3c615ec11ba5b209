"""A library as Agent Skills folders: texts by path.

Room: authoring.
Source: https://agentskills.io/specification
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping

from skills_nb.authoring.agent_skills.folder import (
    FRONT,
    KINDS,
    MAIN,
    MARK,
    MAX_DESCRIPTION,
    MAX_NAME,
    PARTS,
)
from skills_nb.errors import UsageError
from skills_nb.model.documents import Document, Documents
from skills_nb.model.library import IndexEntry, Library
from skills_nb.model.routers import Router

_REFERENCE = re.compile(r"\b(?:primitives|playbooks|routers)/[a-z0-9-]+")
_MOST_EXAMPLES = 4


def skill_folders(library: Library, documents: Documents) -> Mapping[str, str]:
    """Return every router, playbook and primitive as a folder: text by relative path.

    Raises:
        UsageError: a name is longer than the format allows.
    """
    names = _folder_names(library)
    texts: dict[str, str] = {}
    for entry in library.index.values():
        document = documents.skill(entry.ref)
        if document is None:
            continue
        folder = names[entry.ref]
        body = _body(document)
        texts[f"{folder}/{MAIN}"] = _main(library, entry, folder, body, documents, names)
        front = document.text.split("\n")[1 : max(document.body_line - 2, 1)]
        texts[f"{folder}/{FRONT}"] = "\n".join(front) + "\n"
        for path, part in _parts(document, documents):
            texts[f"{folder}/{path}"] = part.text
    return texts


def _folder_names(library: Library) -> Mapping[str, str]:
    """Return a folder's name for every skill: its own, with its kind where two would share it."""
    shared = Counter(entry.name for entry in library.index.values())
    names = {
        entry.ref: entry.name if shared[entry.name] == 1 else f"{entry.name}-{KINDS[entry.kind]}"
        for entry in library.index.values()
    }
    for ref, name in names.items():
        if len(name) > MAX_NAME:
            raise UsageError(
                f"'{name}' has {len(name)} characters, Agent Skills allow {MAX_NAME}",
                hint=f"Give '{ref}' a shorter name.",
            )
    return names


def _body(document: Document) -> str:
    lines = document.text.split("\n")[document.body_line - 1 :]
    return "\n".join(lines).rstrip("\n") + "\n"


def _parts(document: Document, documents: Documents) -> Iterator[tuple[str, Document]]:
    folder = document.path.rpartition("/")[0]
    for part in documents.parts_of(document):
        yield f"{PARTS}/{part.path.removeprefix(f'{folder}/')}", part


def _main(
    library: Library,
    entry: IndexEntry,
    folder: str,
    body: str,
    documents: Documents,
    names: Mapping[str, str],
) -> str:
    document = documents.skill(entry.ref)
    parts = [path for path, _ in _parts(document, documents)] if document is not None else []
    fields = [
        "---",
        f"name: {folder}",
        f"description: {_quoted(description(library, entry))}",
        "metadata:",
        f"  kind: {KINDS[entry.kind]}",
        f"  skill: {entry.name}",
        f"  domain: {_quoted(entry.domain)}",
        f"  library-version: {_quoted(library.version)}",
        "---",
    ]
    return "\n".join(fields) + "\n" + body + "\n".join(["", MARK, "", *_foot(parts, body, names)])


def _foot(parts: list[str], body: str, names: Mapping[str, str]) -> list[str]:
    lines = ["## Files of this skill", "", "| File | Holds |", "|---|---|"]
    lines.append(f"| `{FRONT}` | type, domain, inputs, probes and edges, as fields |")
    lines += [f"| `{path}` | a part of the text above |" for path in parts]
    named = [ref for ref in dict.fromkeys(_REFERENCE.findall(body)) if ref in names]
    if named:
        lines += ["", "## Skills named above", "", "| Written as | Skill |", "|---|---|"]
        lines += [f"| `{ref}` | {names[ref]} |" for ref in named]
    return [*lines, ""]


def description(library: Library, entry: IndexEntry) -> str:
    """Return what a skill does and when it is used, as far as the format has room."""
    shelf: Mapping[str, Mapping[str, object]] = {
        "routers": library.routers,
        "playbooks": library.playbooks,
        "primitives": library.primitives,
    }
    skill = shelf[entry.kind].get(entry.name)
    said = str(getattr(skill, "description", "")) or str(getattr(skill, "title", "")) or entry.name
    when = " ".join(_uses(library, entry, skill))
    plain = re.sub(r"[`*<>]", "", f"{said.rstrip('.')}. {when}".strip())
    plain = re.sub(r"\s+", " ", re.sub(r"-{3,}", "—", plain))
    if len(plain) <= MAX_DESCRIPTION:
        return plain
    return plain[: MAX_DESCRIPTION - 1].rpartition(" ")[0] + "…"


def _uses(library: Library, entry: IndexEntry, skill: object) -> Iterator[str]:
    if isinstance(skill, Router):
        domain = library.meta.domains.get(entry.domain)
        if domain is not None and domain.description:
            yield f"Use to find the right skill for: {domain.description}."
        return
    for router in library.routers.values():
        for parameter in router.parameters:
            for option in parameter.options:
                if option.target == entry.ref:
                    yield f"Use for: {option.description}."
                    if option.examples:
                        yield "Such as: " + "; ".join(option.examples[:_MOST_EXAMPLES]) + "."


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
