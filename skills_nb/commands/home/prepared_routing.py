"""Routing that prepares a library once for a machine, and not once for a command.

Room: commands. What a person sees of a library's words depends on its text and on this program
alone, so it is kept in the user's folder of caches, where every home finds it.
"""

from __future__ import annotations

from pathlib import Path

from skills_nb.kept_texts import KeptTexts, key_of
from skills_nb.model.library import Library
from skills_nb.model.routes import Route
from skills_nb.routing import evidence_file
from skills_nb.routing import resolve as resolve_prepared
from skills_nb.routing.evidence import evidence_of, is_known, remember

_ROOMS = ("routing", "reading", "model")


def resolve(intent: str, library: Library) -> Route:
    """Return where an intent leads in a library, prepared by whoever asked it first."""
    _prepare(library)
    return resolve_prepared(intent, library)


def _prepare(library: Library) -> None:
    if is_known(library.digest):
        return
    kept = KeptTexts(_folder(), "routing")
    key = key_of([library.digest], _ROOMS)
    text = kept.load(key)
    if text is not None:
        try:
            remember(library.digest, evidence_file.read(text))
            return
        except ValueError:
            pass  # a damaged text is as good as none, and is written anew
    kept.store(key, evidence_file.write(evidence_of(library)))


def _folder() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("skills-nb", appauthor=False)
