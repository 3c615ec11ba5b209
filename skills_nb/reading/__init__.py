"""Directory to `Library`, documents and diagnostics.

Room: reading. A defect of the text is a diagnostic with its place; only a directory that is no
library at all raises.
"""

from __future__ import annotations

from pathlib import Path

from skills_nb.errors import LibraryError
from skills_nb.model.diagnostics import Diagnostic
from skills_nb.model.documents import Document, Documents
from skills_nb.model.library import Library
from skills_nb.reading.files import RawFile, digest_of, read_tree
from skills_nb.reading.lazy import LazySkills
from skills_nb.reading.library import LibraryReader

__all__ = [
    "is_from_files",
    "open_library",
    "read_both",
    "read_digest",
    "read_documents",
    "read_texts",
    "skill_problems",
]


def open_library(path: Path, overlay: Path | None = None) -> Library:
    """Open a library, and what is laid over it, ready for routing.

    Playbooks and primitives are read when first asked for; the text is the one of this moment.

    Raises:
        LibraryError: no directory, no meta-router or no index.
    """
    return LibraryReader(path, overlay).library()


def read_documents(path: Path, overlay: Path | None = None) -> Documents:
    """Read every file of a library, for the rules.

    Raises:
        LibraryError: no directory, no meta-router or no index.
    """
    return LibraryReader(path, overlay).documents()


def read_both(path: Path, overlay: Path | None = None) -> tuple[Library, Documents]:
    """Read library and documents, parsing each file once.

    Raises:
        LibraryError: no directory, no meta-router or no index.
    """
    reader = LibraryReader(path, overlay)
    return reader.library(), reader.documents()


def read_texts(path: Path, overlay: Path | None = None) -> tuple[str, Documents]:
    """Read the digest that `open_library` would give and every text, parsing nothing.

    For what a cache needs: the digest to look an answer up, the texts to show places in it.

    Raises:
        LibraryError: no directory.
    """
    trees = [_read(path, "")]
    if overlay is not None:
        trees.append(_read(overlay, f"{overlay.resolve().name}/"))
    files = tuple(file for tree in trees for file in tree)
    documents = {file.path: Document(file.path, "other", file.text) for file in files}
    return digest_of(files), Documents(str(path), documents)


def read_digest(path: Path, overlay: Path | None = None) -> str:
    """Return the digest that `open_library` would give, without parsing anything.

    Raises:
        LibraryError: no directory.
    """
    return read_texts(path, overlay)[0]


def _read(path: Path, prefix: str) -> tuple[RawFile, ...]:
    if not path.is_dir():
        raise LibraryError(f"no library at '{path}'", hint="Name a directory that holds one.")
    return read_tree(path, prefix)


def is_from_files(library: Library) -> bool:
    """Return whether authors' files are behind a library, and not values that a program made."""
    return isinstance(library.playbooks, LazySkills)


def skill_problems(library: Library, ref: str) -> tuple[Diagnostic, ...]:
    """Return what reading could not make sense of in one skill, `{type}/{name}`.

    For a thread that starts on it: `Library.diagnostics` holds only what opening met.
    """
    kind, _, name = ref.partition("/")
    skills = {"playbooks": library.playbooks, "primitives": library.primitives}.get(kind)
    if not isinstance(skills, LazySkills) or name not in skills:
        return ()
    return skills.all_problems(name)
