"""A library of skills as one value, and the questions asked of its graph.

Room: ground. The mappings may load a skill's body when it is first asked for, so that routing
never reads the text of ninety files.
Spec: Architecture > The Skill DAG, Discovery.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from types import MappingProxyType

from skills_nb.errors import UsageError
from skills_nb.model.diagnostics import Diagnostic
from skills_nb.model.routers import MetaRouter, Router
from skills_nb.model.skills import Playbook, Primitive

FOLDERS = ("spec", "routers", "playbooks", "primitives")
"""Folders whose files belong to a library; others beside them do not."""
ROOT_FILES = ("router.md", "skill-index.yaml")
"""Files beside those folders that belong to it."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The controlled vocabulary: what domains are called, and what words mean the same."""

    domains: tuple[str, ...] = ()
    """Their names, in the order of the file."""
    aliases: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Other name of a domain to its name."""
    synonyms: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Word or phrase, lower case, to the term that the library uses."""


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """A row of the skill index."""

    kind: str
    """`routers`, `playbooks` or `primitives`."""
    name: str
    """Without the kind."""
    domain: str
    """As the index says it; the file's own may differ, which is a diagnostic."""
    links: tuple[str, ...] = ()
    """`routes_to` of a router, `depends_on` of a playbook."""

    @property
    def ref(self) -> str:
        """Return `{type}/{name}`."""
        return f"{self.kind}/{self.name}"


@dataclass(frozen=True, slots=True)
class Library:
    """Everything that reading found, usable as far as it is sound."""

    root: str
    """Where it was read from; for messages only."""
    version: str
    """`major.minor` of the skill index."""
    digest: str
    """sha256 of every file that belongs to it; the same text gives the same digest anywhere."""
    meta: MetaRouter
    """The entry point, with the settings."""
    index: Mapping[str, IndexEntry]
    """By `{type}/{name}`, in file order."""
    routers: Mapping[str, Router]
    """By bare name."""
    playbooks: Mapping[str, Playbook]
    """By bare name."""
    primitives: Mapping[str, Primitive]
    """By bare name."""
    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    """Empty where the library has none."""
    diagnostics: Sequence[Diagnostic] = ()
    """What reading itself could not make sense of; worked out when somebody looks."""
    find_secret_inputs: Callable[[], frozenset[str]] | None = None
    """Finds what `secret_inputs` tells without reading the steps of every playbook."""

    find_utterances: Callable[[], Mapping[str, Sequence[str]]] | None = None
    """Reads what `utterances` tells; only routing asks."""

    def utterances(self) -> Mapping[str, Sequence[str]]:
        """Return sentences that people say by the `{type}/{name}` of the skill they mean."""
        return self.find_utterances() if self.find_utterances is not None else {}

    def secret_inputs(self) -> frozenset[str]:
        """Return the names of inputs that are secret in one playbook or another."""
        if self.find_secret_inputs is not None:
            return self.find_secret_inputs()
        return frozenset().union(*(one.secret_inputs() for one in self.playbooks.values()))

    def playbook(self, name: str) -> Playbook:
        """Return the playbook, by bare name or `playbooks/{name}`.

        Raises:
            UsageError: there is none of that name.
        """
        bare = name.removeprefix("playbooks/")
        found = self.playbooks.get(bare)
        if found is None:
            raise UsageError(f"there is no playbook '{bare}'", hint=self._nearest(bare))
        return found

    def _nearest(self, name: str) -> str:
        near = get_close_matches(name, list(self.playbooks), 1, 0.5)
        if near:
            return f"did you mean 'playbooks/{near[0]}'?"
        return "list what there is: library"
