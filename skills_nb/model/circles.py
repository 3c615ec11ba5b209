"""Domains that wait for each other, so that no chain could put them in an order.

Room: ground.
Spec: Cross-domain execution > How chaining works; Events > Validation events.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from skills_nb.model.graphs import find_cycles
from skills_nb.model.routers import Domain


@dataclass(frozen=True, slots=True)
class Circle:
    """Domains each of which needs what the next alone produces, and the last of the first."""

    names: tuple[str, ...]
    """Domains in the order in which each needs the next."""
    message: str
    """What is wrong, for people; it names the domains."""
    resolution: str = "Drop one requirement, or let a domain outside the circle produce it."
    """How to repair it."""


def circles_of(domains: Mapping[str, Domain]) -> tuple[Circle, ...]:
    """Return the circles that `requires` and `uses` make, by their first domain.

    A resource that several domains produce is met by any of them, so there is a circle only when
    no producer outside it is left.
    """
    edges = {name: tuple(_only_sources(domain, domains)) for name, domain in domains.items()}
    return tuple(_circle(cycle, domains) for cycle in find_cycles(edges))


def _circle(names: tuple[str, ...], domains: Mapping[str, Domain]) -> Circle:
    needs = [
        f"'{name}' needs '{_shared(domains[name], domains[after])}' of '{after}'"
        for name, after in zip(names, (*names[1:], names[0]), strict=True)
    ]
    return Circle(names, f"the domains {', '.join(names)} wait for each other: {'; '.join(needs)}")


def _only_sources(domain: Domain, domains: Mapping[str, Domain]) -> Iterator[str]:
    """Yield the domains that alone produce something that a domain needs."""
    for resource in (*domain.requires, *domain.uses):
        sources = [other.name for other in domains.values() if resource in other.produces]
        if len(sources) == 1 and (sources[0] != domain.name or resource in domain.requires):
            yield sources[0]


def _shared(domain: Domain, source: Domain) -> str:
    needed = (*domain.requires, *domain.uses)
    return next(resource for resource in needed if resource in source.produces)
