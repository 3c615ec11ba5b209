"""`lint --fix`: what is safe to repair without asking.

Room: authoring. A fix changes how something is said, never what; where a reader could understand
the text in two ways, it is left to its author. Each fix is a function from text to text; doing it
twice is doing it once.
Source: FORMATS, One grammar.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from skills_nb.authoring.index_file import rewrite_index
from skills_nb.authoring.index_rows import rows_of
from skills_nb.authoring.text_fixes import canonical_domain, plain_references, tidy
from skills_nb.authoring.workspace import INDEX, Workspace
from skills_nb.errors import LibraryError
from skills_nb.model.documents import Document
from skills_nb.model.library import Library
from skills_nb.reading.files import RawFile
from skills_nb.reading.source import Source, kind_of

_SKILLS = ("meta-router", "router", "playbook", "primitive", "part")


@dataclass(frozen=True, slots=True)
class Fixed:
    """A file that was repaired."""

    path: str
    """Relative to the workspace's root."""
    what: tuple[str, ...]
    """What was repaired, in the order of doing."""


def fix(place: Workspace) -> tuple[Fixed, ...]:
    """Repair what is safe under the workspace's root; return what was repaired, by path.

    Raises:
        LibraryError: the library cannot be read, or a file cannot be written.
    """
    library, _ = place.read()
    done: dict[str, list[str]] = {}
    texts: dict[str, str] = {}
    for file in place.files():
        if kind_of(file.path) in _SKILLS and not file.problems:
            before = _raw_text(place, file)
            after = _fixed_skill(before, file.path, library, done)
            if after != before:
                texts[file.path] = after
    place.write(texts)
    place.write(_fixed_index(place, library, done))
    return tuple(Fixed(path, tuple(done[path])) for path in sorted(done))


def _raw_text(place: Workspace, file: RawFile) -> str:
    """Return the text with its own line ends and byte order mark."""
    return (place.root / file.path).read_bytes().decode("utf-8")


def _fixed_skill(text: str, path: str, library: Library, done: dict[str, list[str]]) -> str:
    tidied = tidy(text)
    if tidied != text:
        done.setdefault(path, []).append("line ends and trailing spaces")
    aliased = canonical_domain(_document(path, tidied), library.vocabulary.aliases)
    if aliased != tidied:
        done.setdefault(path, []).append("domain by its own name")
    referring = plain_references(_document(path, aliased), set(library.index))
    if referring != aliased:
        done.setdefault(path, []).append("references as {type}/{name}")
    return referring


def _document(path: str, text: str) -> Document:
    return Source(RawFile(path, text, b""), kind_of(path)).document


def _fixed_index(
    place: Workspace, library: Library, done: dict[str, list[str]]
) -> Mapping[str, str]:
    path = place.root / INDEX
    before = path.read_bytes().decode("utf-8", "replace")
    aliases = library.vocabulary.aliases
    try:
        after = rewrite_index(place.index_text(), rows_of(place.files(), aliases), aliases)
    except LibraryError:
        # The linter says what is wrong with it; a doubtful index is its author's to repair.
        return {}
    if after != before:
        done.setdefault(INDEX, []).append("rows as the files have them")
    return {INDEX: after}
