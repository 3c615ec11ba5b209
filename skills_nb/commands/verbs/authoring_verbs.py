"""What authors of skills ask for: begin one, say what is wrong, repair, register, show, exchange.

Room: commands. An unchanged library is not parsed again: its answer is kept. The shipped library
is nobody's to edit: what writes needs a library that was chosen, or an overlay.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Mapping
from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skills_nb.commands.home.library_choice import (
    LibraryChoice,
    remember_library,
    remembered_library,
)
from skills_nb.commands.reply import DONE, Reply
from skills_nb.commands.wiring import shipped_library
from skills_nb.errors import UsageError
from skills_nb.model.diagnostics import Severity
from skills_nb.version import __version__
from skills_nb.views import graph as views
from skills_nb.views import library_list, message
from skills_nb.visible import visible_json

if TYPE_CHECKING:
    from skills_nb.authoring.fixing import Fixed
    from skills_nb.authoring.workspace import Workspace
    from skills_nb.commands.app_context import AppContext
    from skills_nb.model.diagnostics import Diagnostic
    from skills_nb.model.documents import Documents
    from skills_nb.views import Message

FOUND = 1
"""Exit status of `lint` when there are errors, and of `index` when it differs from the files.
Source: FORMATS, One grammar."""


# ---- which library


def library(app: AppContext, words: Namespace) -> Reply:
    """Show what the library holds, after choosing another where one is named.

    Raises:
        LibraryError: there is no library there; nothing is chosen then.
        UsageError: an overlay that cannot begin there.
    """
    is_chosen = bool(words.path or words.overlay or words.shipped)
    if is_chosen:
        _choose(app, words)
    place = _in_use(app)
    held = app.wiring.library
    document = {
        "version": held.version,
        "root": str(place.library),
        "overlay": str(place.overlay) if place.overlay else None,
        "domains": {
            name: {
                "router": domain.router,
                "description": domain.description,
                "skills": [e.ref for e in held.index.values() if e.domain == name],
            }
            for name, domain in held.meta.domains.items()
        },
    }
    return Reply(_chosen_now(place) if is_chosen else library_list(held), document)


def _chosen_now(place: Workspace) -> Message:
    is_shipped = place.library == shipped_library()
    where = "that came with this" if is_shipped else f"in {_seen_from_here(place.library)}"
    lines = [f"In use from now on: the library {where}"]
    if place.overlay is not None:
        lines.append(f"with your own over it: {_seen_from_here(place.overlay)}")
        lines.append("Begin a skill there with: new playbook NAME --domain DOMAIN")
    return message("\n".join([*lines, "Back to the one that came with this: library --shipped"]))


def _seen_from_here(path: Path) -> Path:
    """Return a path as it is typed in the working directory; elsewhere it stays whole."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _choose(app: AppContext, words: Namespace) -> None:
    from skills_nb.authoring.workspace import begin_overlay
    from skills_nb.reading import open_library

    if words.shipped and (words.path or words.overlay):
        raise UsageError("--shipped chooses the library and no overlay", hint="library --shipped")
    home = app.wiring.home
    path = Path(words.path) if words.path else None
    if path is None and words.overlay:
        path = remembered_library(home).library
    overlay = Path(words.overlay) if words.overlay else None
    if overlay is not None:
        begin_overlay(overlay)
    open_library(path or shipped_library(), overlay)
    remember_library(home, LibraryChoice(path, overlay))
    app.close()


def _in_use(app: AppContext) -> Workspace:
    from skills_nb.authoring.workspace import Workspace

    return Workspace(app.wiring.library_folder, app.wiring.chosen.overlay)


def _to_write(app: AppContext) -> Workspace:
    chosen = app.wiring.chosen
    if chosen.library is None and chosen.overlay is None:
        raise UsageError(
            "the shipped library is not yours to edit",
            hint="lay your own over it: library --overlay my-skills",
        )
    return _in_use(app)


def _named(app: AppContext, path: str | None) -> Workspace:
    """Return the library, or the overlay on the one in use, that a path names."""
    from skills_nb.authoring.workspace import INDEX, META, Workspace

    if path is None:
        return _in_use(app)
    root = Path(path)
    if (root / INDEX).is_file() and not (root / META).exists():
        return Workspace(app.wiring.library_folder, root)
    return Workspace(root)


# ---- what is wrong


def lint(app: AppContext, words: Namespace) -> Reply:
    """Say what the rules find in a library, after repairing what is safe where that is asked for.

    Raises:
        LibraryError: there is no library there.
        UsageError: a selection that names no rule, or a repair of the shipped library.
    """
    from skills_nb.lint import to_json, to_sarif, to_text

    place = _named(app, words.path)
    repaired = _repaired(app, place, words) if words.fix else ()
    found, documents = _own_findings(app, place, tuple(words.select))
    if words.run_examples:
        found = (*found, *_of_examples(place))
    text = "\n".join([*(_told(each) for each in repaired), to_text(found, documents)])
    document: Any = to_json(found)
    if words.fix:
        document["fixed"] = [{"path": each.path, "what": list(each.what)} for each in repaired]
    if words.format == "sarif":
        document = to_sarif(found, version=__version__)
    has_errors = any(each.severity is Severity.ERROR for each in found)
    view = message(text if words.format == "text" else values_as_json(document))
    return Reply(view, document, status=FOUND if has_errors else DONE)


def _own_findings(
    app: AppContext, place: Workspace, select: tuple[str, ...]
) -> tuple[tuple[Diagnostic, ...], Documents]:
    """Return what is found, but for what the library under an overlay has without it too."""
    from skills_nb.authoring.workspace import Workspace

    found, documents = _found(app, place, select)
    if place.overlay is None:
        return found, documents
    beneath = set(_found(app, Workspace(place.library), select)[0])
    return tuple(each for each in found if each not in beneath), documents


def _of_examples(place: Workspace) -> tuple[Diagnostic, ...]:
    """Return which examples do not run on an account as the library describes it."""
    from skills_nb.embedded.tools.examples import EmbeddedExamples
    from skills_nb.lint import lint as run

    held, documents = place.read()
    setup = place.library / "spec" / "example-account.sql"
    text = setup.read_text(encoding="utf-8") if setup.is_file() else ""
    return run(documents, held, select=("SK307",), examples=EmbeddedExamples(text))


def _repaired(app: AppContext, place: Workspace, words: Namespace) -> tuple[Fixed, ...]:
    from skills_nb.authoring.fixing import fix

    return fix(place if words.path else _to_write(app))


def _told(fixed: Fixed) -> str:
    return f"Fixed {fixed.path}: {', '.join(fixed.what)}."


def values_as_json(document: Any) -> str:
    """Return a document as people read it and scripts parse it."""
    return visible_json(document)


def _found(
    app: AppContext, place: Workspace, select: tuple[str, ...]
) -> tuple[tuple[Diagnostic, ...], Documents]:
    from skills_nb.lint import LintCache, cache_key
    from skills_nb.lint import lint as run
    from skills_nb.reading import read_texts

    today = app.wiring.clock.now()[:10]
    digest, texts = read_texts(place.library, place.overlay)
    key = cache_key(digest, select=select, today=today)
    cache = LintCache(app.wiring.home / "cache" / "lint")
    known = cache.load(key)
    if known is not None:
        return known, texts
    held, documents = place.read()
    found = run(documents, held, select=select, today=today)
    cache.store(key, found)
    return found, documents


def explain(app: AppContext, words: Namespace) -> Reply | None:
    """Show the page of a lint rule; None where the subject is no rule but a skill."""
    from skills_nb.lint import explain_rule

    if "/" in words.subject:
        return None
    page = explain_rule(words.subject)
    return Reply(message(page), {"code": words.subject.upper(), "page": page})


# ---- writing


def _new(app: AppContext, words: Namespace) -> Reply:
    from skills_nb.authoring.create import new_skill

    place = _to_write(app)
    today = app.wiring.clock.now()[:10]
    made = new_skill(place, words.kind, words.name, today=today, domain=words.domain)
    app.forget_library()
    lines = [
        f"Began {made.ref} in domain {made.domain}:",
        *(f"  {_seen_from_here(place.root / path)}" for path in made.written),
        "What only you can say is left open; `lint` names each place.",
    ]
    document = {"ref": made.ref, "domain": made.domain, "written": list(made.written)}
    return Reply(message("\n".join(lines)), document)


def _index(app: AppContext, words: Namespace) -> Reply:
    from skills_nb.authoring.index_file import rewrite_index
    from skills_nb.authoring.index_rows import rows_of
    from skills_nb.authoring.workspace import INDEX

    place = _to_write(app) if words.write else _in_use(app)
    aliases = place.read()[0].vocabulary.aliases
    before = place.index_text()
    after = rewrite_index(before, rows_of(place.files(), aliases), aliases)
    diff = "".join(unified_diff(before.splitlines(True), after.splitlines(True), INDEX, INDEX))
    document = {"path": str(place.root / INDEX), "differs": before != after, "diff": diff}
    if before == after:
        return Reply(message(f"{INDEX} says what the files say."), document)
    if words.write:
        place.write({INDEX: after})
        app.forget_library()
        return Reply(message(f"Wrote {_seen_from_here(place.root / INDEX)}:\n{diff}"), document)
    return Reply(message(f"{diff}Rewrite it with: index --write"), document, status=FOUND)


def _graph(app: AppContext, words: Namespace) -> Reply:
    graph = views.library_graph(app.wiring.library)
    document = {
        "nodes": [{"ref": n.ref, "kind": n.kind, "domain": n.domain} for n in graph.nodes],
        "edges": [{"from": source, "to": target} for source, target in graph.edges],
    }
    if words.format is None and words.output is None:
        return Reply(views.graph_picture(graph), document)
    forms = {"text": views.to_outline, "mermaid": views.to_mermaid, "svg": views.to_svg}
    text = forms[words.format or _form_of(words.output)](graph)
    if words.output is None:
        return Reply(message(text), document)
    _write_file(Path(words.output), text)
    return Reply(message(f"Wrote {words.output}."), document)


def _form_of(output: str) -> str:
    """Return the form that a file's name asks for."""
    return {".svg": "svg", ".mmd": "mermaid", ".mermaid": "mermaid"}.get(
        Path(output).suffix, "text"
    )


def _write_file(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise UsageError(f"'{path}' cannot be written: {problem.strerror}") from problem


# ---- other agents' skills


def _export(app: AppContext, words: Namespace) -> Reply:
    from skills_nb.authoring.agent_skills import skill_folders
    from skills_nb.authoring.workspace import Workspace

    target = Path(words.directory)
    if target.exists() and not target.is_dir():
        raise UsageError(f"'{target}' is a file", hint="Name a directory.")
    texts = skill_folders(*_in_use(app).read())
    written = Workspace(target).write(texts)
    folders = sorted({path.partition("/")[0] for path in texts})
    said = f"{len(folders)} skills in {target}; {len(written)} files are new or changed."
    return Reply(message(said), {"directory": str(target), "skills": folders})


def _import(app: AppContext, words: Namespace) -> Reply:
    from skills_nb.authoring.agent_skills import import_folders
    from skills_nb.authoring.index_file import rewrite_index
    from skills_nb.authoring.index_rows import rows_of
    from skills_nb.authoring.workspace import INDEX
    from skills_nb.lint import to_json, to_text

    place = _to_write(app)
    held, _ = place.read()
    got = import_folders(Path(words.directory), domain=words.domain, known=frozenset(held.index))
    place.write(got.texts)
    aliases = held.vocabulary.aliases
    place.write(
        {INDEX: rewrite_index(place.index_text(), rows_of(place.files(), aliases), aliases)}
    )
    app.forget_library()
    found, documents = _found(app, place, ())
    paths = {place.prefix + path for path in got.texts}
    lacks = tuple(each for each in found if each.span.path in paths)
    notes = [f"{n.path}: {n.message}\n  hint: {n.hint}" for n in got.notes]
    lines = [f"Took in {', '.join(got.refs) or 'nothing'}.", *notes, to_text(lacks, documents)]
    document = {
        "skills": list(got.refs),
        "notes": [{"path": n.path, "message": n.message, "hint": n.hint} for n in got.notes],
        "diagnostics": to_json(lacks)["diagnostics"],
    }
    return Reply(message("\n".join(lines)), document)


AUTHORS: Mapping[str, Callable[[AppContext, Namespace], Reply]] = {
    "new": _new,
    "index": _index,
    "graph": _graph,
    "export": _export,
    "import": _import,
}
