"""Verbs about the library: what it holds, what is wrong in it, what is added to it.

Room: commands.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from typing import TYPE_CHECKING

from skills_nb.commands.reply import Reply

if TYPE_CHECKING:
    from skills_nb.commands.app_context import AppContext, Verb


def _library(app: AppContext, words: Namespace, cell: str | None) -> Reply:
    from skills_nb.commands.verbs.authoring_verbs import library

    return library(app, words)


def _author(app: AppContext, words: Namespace, cell: str | None) -> Reply:
    from skills_nb.commands.verbs.authoring_verbs import AUTHORS

    return AUTHORS[words.command](app, words)


def _lint(app: AppContext, words: Namespace, cell: str | None) -> Reply:
    from skills_nb.commands.verbs.authoring_verbs import lint

    return lint(app, words)


LIBRARY_VERBS: Mapping[str, Verb] = {
    "library": _library,
    "lint": _lint,
    "new": _author,
    "index": _author,
    "graph": _author,
    "export": _author,
    "import": _author,
}
