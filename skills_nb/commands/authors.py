"""What authors of skills ask for: what is wrong in a library, and why it matters.

Room: commands. An unchanged library is not parsed again: its answer is kept.
"""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skills_nb.commands.reply import DONE, Reply

if TYPE_CHECKING:
    from skills_nb.commands.app import App
    from skills_nb.model.diagnostics import Diagnostic
    from skills_nb.model.documents import Documents

FOUND = 1
"""Exit status of `lint` when there are errors. Source: FORMATS, One grammar."""


def lint(app: App, words: Namespace) -> Reply:
    """Say what the rules find in a library.

    Raises:
        LibraryError: there is no library there.
        UsageError: a selection that names no rule.
    """
    from skills_nb.lint import to_json, to_sarif, to_text
    from skills_nb.model.diagnostics import Severity
    from skills_nb.views import message

    root = Path(words.path) if words.path else app.wiring.library_folder
    found, documents = _found(app, root, tuple(words.select))
    text = to_text(found, documents)
    document: Any = to_json(found)
    if words.format == "sarif":
        from skills_nb import __version__

        document = to_sarif(found, version=__version__)
    has_errors = any(each.severity is Severity.ERROR for each in found)
    view = message(text if words.format == "text" else values_as_json(document))
    return Reply(view, document, status=FOUND if has_errors else DONE)


def values_as_json(document: Any) -> str:
    """Return a document as people read it and scripts parse it."""
    import json

    return json.dumps(document, ensure_ascii=False, indent=2)


def _found(
    app: App, root: Path, select: tuple[str, ...]
) -> tuple[tuple[Diagnostic, ...], Documents]:
    from skills_nb.lint import LintCache, cache_key
    from skills_nb.lint import lint as run
    from skills_nb.reading import read_both, read_texts

    today = app.wiring.clock.now()[:10]
    digest, texts = read_texts(root)
    key = cache_key(digest, select=select, today=today)
    cache = LintCache(app.wiring.home / "cache" / "lint")
    known = cache.load(key)
    if known is not None:
        return known, texts
    library, documents = read_both(root)
    found = run(documents, library, select=select, today=today)
    cache.store(key, found)
    return found, documents


def explain(app: App, words: Namespace) -> Reply | None:
    """Show the page of a lint rule; None where the subject is no rule but a skill."""
    from skills_nb.lint import explain_rule
    from skills_nb.views import message

    if "/" in words.subject:
        return None
    page = explain_rule(words.subject)
    return Reply(message(page), {"code": words.subject.upper(), "page": page})
