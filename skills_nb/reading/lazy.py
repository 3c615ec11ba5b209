"""Skills that are read when first asked for, and problems that are looked for then.

Room: reading.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Generic, Protocol, TypeVar, overload

from skills_nb.model.diagnostics import Diagnostic
from skills_nb.reading.source import SkillSource

_T = TypeVar("_T")
_T_co = TypeVar("_T_co", covariant=True)


class LazyProblems(Sequence[Diagnostic]):
    """Diagnostics that are found when somebody looks; most commands never do."""

    def __init__(self, find: Callable[[], tuple[Diagnostic, ...]]) -> None:
        """Remember what finds them."""
        self._find = find

    @cached_property
    def _found(self) -> tuple[Diagnostic, ...]:
        return self._find()

    @overload
    def __getitem__(self, place: int) -> Diagnostic: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Diagnostic]: ...
    def __getitem__(self, place: int | slice) -> Diagnostic | Sequence[Diagnostic]:
        return self._found[place]

    def __len__(self) -> int:
        return len(self._found)

    def __eq__(self, other: object) -> bool:
        return self._found == (other._found if isinstance(other, LazyProblems) else other)

    def __hash__(self) -> int:
        return hash(self._found)


class ReadSkill(Protocol[_T_co]):
    """Makes a skill of its files, reporting into the list."""

    def __call__(
        self,
        name: str,
        source: SkillSource,
        aliases: Mapping[str, str],
        problems: list[Diagnostic],
        /,
    ) -> _T_co:
        """Return the skill, with defaults where its text says nothing usable."""
        ...


class LazySkills(Mapping[str, _T], Generic[_T]):
    """Skills of one type by bare name, each read when first asked for, then kept."""

    def __init__(
        self,
        sources: Mapping[str, SkillSource],
        read: ReadSkill[_T],
        aliases: Mapping[str, str],
    ) -> None:
        """Keep the sources, in the order of the index."""
        self._sources = sources
        self._read = read
        self._aliases = aliases
        self._found: dict[str, tuple[_T, tuple[Diagnostic, ...]]] = {}

    def __getitem__(self, name: str) -> _T:
        return self._load(name)[0]

    def __iter__(self) -> Iterator[str]:
        return iter(self._sources)

    def __len__(self) -> int:
        return len(self._sources)

    def __contains__(self, name: object) -> bool:
        return name in self._sources

    def problems(self, name: str) -> tuple[Diagnostic, ...]:
        """Return what is wrong with one skill's fields."""
        return self._load(name)[1]

    def all_problems(self, name: str) -> tuple[Diagnostic, ...]:
        """Return what is wrong with one skill: its bytes, its front matter, its blocks, fields."""
        source = self._sources[name]
        texts = (problem for file in source.files for problem in file.text_problems)
        return tuple(dict.fromkeys((*texts, *self.problems(name))))

    def _load(self, name: str) -> tuple[_T, tuple[Diagnostic, ...]]:
        if name not in self._found:
            problems: list[Diagnostic] = []
            skill = self._read(name, self._sources[name], self._aliases, problems)
            self._found[name] = skill, tuple(problems)
        return self._found[name]
