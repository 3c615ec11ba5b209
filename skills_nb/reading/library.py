"""Directory to library: routing parts at once, skills when first asked for.

Room: reading.
Spec: Architecture > Discovery; FORMATS, Library on disk (overlay).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from skills_nb.errors import LibraryError
from skills_nb.model.diagnostics import Diagnostic, Span
from skills_nb.model.documents import Data, Document, Documents
from skills_nb.model.library import IndexEntry, Library
from skills_nb.model.routers import MetaRouter, RouteParameter
from skills_nb.model.utterances import read_utterances
from skills_nb.reading import index as index_file
from skills_nb.reading import vocabulary as vocabulary_file
from skills_nb.reading.fields import Fields
from skills_nb.reading.files import RawFile, digest_of, read_tree
from skills_nb.reading.lazy import LazyProblems, LazySkills, ReadSkill
from skills_nb.reading.routers import read_domains, read_meta_router, read_router
from skills_nb.reading.skills import read_playbook, read_primitive, secret_inputs
from skills_nb.reading.source import SkillSource, Source, kind_of

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class _Tree:
    """One directory: the library, or what is laid over it."""

    prefix: str
    """Before the paths of its files; empty for the library."""
    files: tuple[RawFile, ...]
    sources: Mapping[str, Source]
    """Markdown files by their path inside the directory."""
    index: Fields

    def text(self, relative: str) -> str:
        """Return a file's text, `""` where there is none."""
        found = self.sources.get(relative)
        return found.file.text if found is not None else ""


class LibraryReader:
    """The files of a library and its overlay, parsed as far as somebody asks."""

    def __init__(self, path: Path, overlay: Path | None = None) -> None:
        """Read every file's bytes; parse what routing needs.

        Raises:
            LibraryError: no directory, no meta-router or no index.
        """
        self.root = str(path)
        self._problems: list[Diagnostic] = []
        self._trees = (self._tree(path, ""), *self._overlay(overlay))
        self.files = tuple(file for tree in self._trees for file in tree.files)
        texts = [tree.text(vocabulary_file.PATH) for tree in self._trees]
        self._vocabulary = vocabulary_file.read_vocabulary("\n\n".join(texts))
        self._version = index_file.read_version(self._trees[0].index)
        self._index = self._entries()
        self._skills = self._gather()
        self._meta = self._read_meta()
        self._routers = self._lazy("routers", read_router)
        self._playbooks = self._lazy("playbooks", read_playbook)
        self._primitives = self._lazy("primitives", read_primitive)

    def library(self) -> Library:
        """Return the library: routers are read, playbooks and primitives when asked for."""
        return Library(
            root=self.root,
            version=self._version,
            digest=digest_of(self.files),
            meta=self._meta,
            index=self._index,
            routers=self._routers,
            playbooks=self._playbooks,
            primitives=self._primitives,
            vocabulary=self._vocabulary,
            diagnostics=LazyProblems(lambda: in_order(self._opening_problems())),
            find_secret_inputs=self._secret_inputs,
            find_utterances=self._utterances,
        )

    def documents(self) -> Documents:
        """Return every file parsed, with all that reading could not make sense of."""
        sources = [source for tree in self._trees for source in tree.sources.values()]
        found = {source.path: source.document for source in sources}
        for tree in self._trees:
            found.update(_index_document(tree))
        problems = self._opening_problems()
        for source in sources:
            problems += source.text_problems
        for lazy in (self._playbooks, self._primitives):
            for name in lazy:
                problems += lazy.problems(name)
        others = [file.path for file in self.files if file.path not in found]
        return Documents(
            root=self.root,
            files=dict(sorted(found.items())),
            others=tuple(sorted(others)),
            diagnostics=in_order(problems),
        )

    def _tree(self, path: Path, prefix: str) -> _Tree:
        if not path.is_dir():
            raise LibraryError(f"no library at '{path}'", hint="Name a directory that holds one.")
        files = read_tree(path, prefix)
        by_path = {file.path.removeprefix(prefix): file for file in files}
        wanted = ("skill-index.yaml",) if prefix else ("router.md", "skill-index.yaml")
        for name in wanted:
            if name not in by_path:
                raise _missing(path, name)
        sources = {
            name: Source(file, kind_of(name))
            for name, file in by_path.items()
            if kind_of(name) not in ("index", "other")
        }
        index = index_file.read_index(by_path[index_file.PATH], self._problems)
        return _Tree(prefix, files, sources, index)

    def _overlay(self, path: Path | None) -> tuple[_Tree, ...]:
        return () if path is None else (self._tree(path, f"{path.resolve().name}/"),)

    def _entries(self) -> dict[str, IndexEntry]:
        entries: dict[str, IndexEntry] = {}
        for tree in self._trees:
            for entry in index_file.read_entries(tree.index, self._vocabulary.aliases):
                if entry.ref in entries:
                    self._report_twice(tree, entry)
                else:
                    entries[entry.ref] = entry
        return entries

    def _report_twice(self, tree: _Tree, entry: IndexEntry) -> None:
        place = tree.index.data.key_place(entry.kind, entry.name)
        message = f"'{entry.ref}' is defined by the library too; the library's counts"
        tree.index.note("SK015", place, message, "Give the overlay's skill another name.")

    def _gather(self) -> dict[str, SkillSource]:
        """Return the files of every skill by `{type}/{name}`; the library's come first."""
        skills: dict[str, SkillSource] = {}
        for tree in self._trees:
            parts = _parts_by_folder(tree)
            for path, source in tree.sources.items():
                if source.kind in ("router", "playbook", "primitive"):
                    folder = path.rpartition("/")[0]
                    skills.setdefault(folder, SkillSource(source, parts.get(folder, ())))
        return skills

    def _lazy(self, kind: str, read: ReadSkill[_T]) -> LazySkills[_T]:
        sources = {
            entry.name: self._skills[ref]
            for ref, entry in self._index.items()
            if entry.kind == kind and ref in self._skills
        }
        return LazySkills(sources, read, self._vocabulary.aliases)

    def _secret_inputs(self) -> frozenset[str]:
        """Return the secret inputs of all playbooks from their front matter alone."""
        sources = (self._skills[f"playbooks/{name}"] for name in self._playbooks)
        return frozenset().union(*(secret_inputs(source) for source in sources))

    def _utterances(self) -> Mapping[str, tuple[str, ...]]:
        """Return what people say of the skills; the overlay's sentences follow the library's."""
        sources = (source for tree in self._trees for source in tree.sources.values())
        return read_utterances(one.file.text for one in sources if one.kind == "utterances")

    def _read_meta(self) -> MetaRouter:
        aliases = self._vocabulary.aliases
        metas = [
            read_meta_router(SkillSource(tree.sources["router.md"]), aliases, self._problems)
            for tree in self._trees
            if "router.md" in tree.sources
        ]
        added = [read_domains(tree.index, aliases) for tree in self._trees[1:]]
        domains = [meta.domains for meta in metas]
        merged = {
            name: each for part in reversed([*domains, *added]) for name, each in part.items()
        }
        ordered = {name: merged[name] for part in [*domains, *added] for name in part}
        parameters = _merge_parameters(meta.parameters for meta in metas)
        return replace(metas[0], domains=ordered, parameters=parameters)

    def _opening_problems(self) -> list[Diagnostic]:
        problems = [*self._problems]
        for tree in self._trees:
            if "router.md" in tree.sources:
                problems += tree.sources["router.md"].front.problems
        for name in self._routers:
            problems += self._skills[f"routers/{name}"].main.front.problems
            problems += self._routers.problems(name)
        for file in self.files:
            problems += file.problems
        return problems


def in_order(problems: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return the diagnostics by place, each once."""
    return tuple(sorted(dict.fromkeys(problems), key=lambda each: (each.span, each.code)))


def _missing(path: Path, name: str) -> LibraryError:
    diagnostic = Diagnostic("SK001", Span(name), f"'{name}' is missing", f"Add '{name}'.")
    return LibraryError(
        f"'{path}' is not a library: '{name}' is missing",
        diagnostics=(diagnostic,),
        hint="A library has router.md and skill-index.yaml at its root.",
    )


def _parts_by_folder(tree: _Tree) -> dict[str, list[Source]]:
    parts: dict[str, list[Source]] = {}
    for path, source in tree.sources.items():
        if source.kind == "part":
            parts.setdefault(path.rsplit("/", 2)[0], []).append(source)
    return parts


def _index_document(tree: _Tree) -> dict[str, Document]:
    path = f"{tree.prefix}{index_file.PATH}"
    text = next(file.text for file in tree.files if file.path == path)
    data: Data | None = tree.index.data if tree.index.entries else None
    return {path: Document(path, "index", text, front=data)}


def _merge_parameters(parts: Iterable[tuple[RouteParameter, ...]]) -> tuple[RouteParameter, ...]:
    """Return the questions of all meta-routers; options of the same question follow each other."""
    merged: dict[str, RouteParameter] = {}
    for parameter in (parameter for part in parts for parameter in part):
        known = merged.get(parameter.name)
        options = parameter.options
        if known is not None:
            ids = {option.id for option in known.options}
            options = (*known.options, *(o for o in options if o.id not in ids))
        merged[parameter.name] = replace(known or parameter, options=options)
    return tuple(merged.values())
