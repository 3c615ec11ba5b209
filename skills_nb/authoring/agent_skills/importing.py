"""Agent Skills folders as skills of a library: texts by path, and what they lack.

Room: authoring. A folder that an export wrote comes back letter by letter; any other becomes a
primitive, or a playbook where its text has steps, and says what nothing here has a place for.
Source: https://agentskills.io/specification
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from skills_nb.authoring.agent_skills.folder import FRONT, KINDS, MAIN, MARK, PARTS
from skills_nb.authoring.index_file import scalar
from skills_nb.authoring.templates import title_of
from skills_nb.authoring.workspace import FILES
from skills_nb.errors import UsageError
from skills_nb.model.documents import Document
from skills_nb.reading.files import RawFile
from skills_nb.reading.front_matter import split_front_matter
from skills_nb.reading.source import Source

_KEBAB = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\Z")
_STEP = re.compile(r"Step \d+[a-z]?\b", re.IGNORECASE)
_REFERENCE = re.compile(r"\bprimitives/([a-z0-9]+(?:-[a-z0-9]+)*)")
_FOREIGN = ("license", "compatibility", "allowed-tools")


@dataclass(frozen=True, slots=True, order=True)
class Note:
    """Something about a folder that its author should know."""

    path: str
    """Relative to the directory that is imported."""
    message: str
    """What is remarkable, for the author."""
    hint: str = ""
    """What to do about it; empty where nothing has to be done."""


@dataclass(frozen=True, slots=True)
class ImportedSkills:
    """What a directory of folders becomes."""

    texts: Mapping[str, str]
    """By path relative to the library's root."""
    refs: tuple[str, ...]
    """`{type}/{name}` of the skills, sorted."""
    notes: tuple[Note, ...]
    """In the order of the folders."""


def import_folders(
    source: Path, *, domain: str | None = None, known: frozenset[str]
) -> ImportedSkills:
    """Return the skills that a directory's folders amount to.

    Args:
        source: a folder with `SKILL.md`, or a directory of such folders.
        domain: of skills that name none themselves.
        known: references that are taken; a folder that would be one of them is left out.

    Raises:
        UsageError: there is no such folder.
    """
    folders = [source] if (source / MAIN).is_file() else sorted(p.parent for p in _mains(source))
    if not folders:
        raise UsageError(f"no {MAIN} in '{source}' or its folders", hint="Name their directory.")
    texts: dict[str, str] = {}
    refs: list[str] = []
    notes: list[Note] = []
    for folder in folders:
        where = "" if folder == source else f"{folder.name}/"
        found = _skill(folder, where, domain, notes)
        if found is None:
            continue
        ref, files = found
        if ref in known or ref in refs:
            notes.append(Note(f"{where}{MAIN}", f"'{ref}' exists already", "Rename one of them."))
            continue
        refs.append(ref)
        texts |= files
    return ImportedSkills(texts, tuple(sorted(refs)), tuple(sorted(notes)))


def _mains(source: Path) -> Iterator[Path]:
    return source.glob(f"*/{MAIN}")


def _skill(
    folder: Path, where: str, domain: str | None, notes: list[Note]
) -> tuple[str, dict[str, str]] | None:
    text = _text(folder / MAIN, f"{where}{MAIN}", notes)
    if text is None:
        return None
    front = split_front_matter(text, f"{where}{MAIN}")
    notes += [Note(f"{where}{MAIN}", each.message, each.hint) for each in front.problems]
    if front.data is None:
        return None
    fields = front.data.value
    metadata = fields.get("metadata")
    extra = metadata if isinstance(metadata, dict) else {}
    own = _own(folder, front.body, extra)
    if own is not None:
        return own
    name = str(fields.get("name") or folder.name)
    if not _KEBAB.match(name):
        message = f"name '{name}' is not in kebab-case"
        notes.append(Note(f"{where}{MAIN}", message, "Rename folder and name."))
        return None
    notes += _left_behind(folder, where, fields)
    return _foreign(name, fields, front.body, extra.get("domain") or domain)


def _text(path: Path, shown: str, notes: list[Note]) -> str | None:
    try:
        return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except (OSError, UnicodeDecodeError) as problem:
        notes.append(Note(shown, f"it cannot be read: {problem}", "Save it as UTF-8."))
        return None


def _own(folder: Path, body: str, extra: Mapping[str, object]) -> tuple[str, dict[str, str]] | None:
    """Return the skill that an export wrote into this folder, or None for any other folder."""
    kind = next((each for each, word in KINDS.items() if word == extra.get("kind")), None)
    front = folder / FRONT
    name = str(extra.get("skill") or "")
    if kind is None or not _KEBAB.match(name) or not front.is_file():
        return None
    kept = body.partition(f"\n{MARK}\n")[0].rstrip("\n") + "\n"
    base = f"{kind}/{name}"
    texts = {f"{base}/{FILES[kind]}": f"---\n{front.read_text(encoding='utf-8')}---\n{kept}"}
    for part in sorted((folder / PARTS).glob("*/*.md")):
        if part.parent.name in ("examples", "steps"):
            texts[f"{base}/{part.parent.name}/{part.name}"] = part.read_text(encoding="utf-8")
    return base, texts


def _left_behind(folder: Path, where: str, fields: Mapping[str, object]) -> Iterator[Note]:
    for name in _FOREIGN:
        if name in fields:
            message = f"field '{name}' has no place in a skill"
            yield Note(f"{where}{MAIN}", message, "Say it in the text, if it matters there.")
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path != folder / MAIN:
            shown = f"{where}{path.relative_to(folder).as_posix()}"
            hint = "Put Markdown that belongs to the skill into its examples/ or steps/."
            yield Note(shown, "the file is not taken over", hint)


def _foreign(
    name: str, fields: Mapping[str, object], body: str, domain: object
) -> tuple[str, dict[str, str]]:
    document = Source(RawFile(MAIN, body, b""), "primitive").document
    kind = "playbooks" if _has_steps(document) else "primitives"
    front = [f"type: {KINDS[kind]}", f"name: {name}"]
    if domain:
        front.append(f"domain: {scalar(str(domain))}")
    if kind == "playbooks":
        uses = dict.fromkeys(_REFERENCE.findall(body))
        front.append(f"depends_on: [{', '.join(uses)}]")
    said = re.sub(r"\s+", " ", str(fields.get("description") or "")).strip()
    text = "\n".join(["---", *front, "---", "", _described(document, name, said)])
    ref = f"{kind}/{name}"
    return ref, {f"{ref}/{FILES[kind]}": text.rstrip("\n") + "\n"}


def _has_steps(document: Document) -> bool:
    titles = [section.title for section in document.sections if section.level > 1]
    return any(title == "Steps" or _STEP.match(title) for title in titles)


def _described(document: Document, name: str, said: str) -> str:
    """Return the body with a title, and the description under it where nothing stands there."""
    lines = document.text.strip("\n").split("\n")
    document = Source(RawFile(MAIN, "\n".join(lines), b""), "primitive").document
    title = next((s for s in document.sections if s.level == 1), None)
    if title is None:
        return "\n".join([f"# {title_of(name)}", "", *([said, ""] if said else []), *lines])
    after = min((s.line for s in document.sections if s.line > title.line), default=len(lines) + 1)
    is_described = any(title.line < prose.line < after for prose in document.prose)
    if is_described or not said:
        return "\n".join(lines)
    return "\n".join([*lines[: title.line], "", said, *lines[title.line :]])
