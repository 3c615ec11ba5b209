"""Decide which domain every clause of an intent speaks of.

Room: routing. A clause belongs to the domain of the whole, unless another one explains it so much
better that it must be a wish of its own. How much better, depends on how the clause is said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from skills_nb.routing.clauses import Clause

_LEAD = 14.0
"""By how much another domain must explain a clause better than the domain of the whole does."""
_AT_ALL, _ENOUGH = 0.25, 20.0
"""Which part of what it explains at all counts too, and up to which evidence."""
_WISHED, _TIMED, _LISTED, _SHORT, _NAMED = -4.0, -4.0, -2.0, -2.0, -1.0
_TOLD, _CHECKED = 3.0, 4.0
"""How this changes by the way in which the clause is said: as a wish, with its time ("and then",
"but before that"), in a list without verbs, as a wish that needs few words since a name or "it"
says of what ("share it"), fewer still with a name ("dedupe ORDERS"); as circumstances, as a check
of what was said."""
_AMONG_OTHERS = -2.0
"""How it changes where another clause is a wish of its own already."""


def find_owners(
    clauses: Sequence[Clause],
    tops: Sequence[Mapping[str, float]],
    home: str,
    *,
    in_list: bool,
) -> list[str]:
    """Return the domain of every clause.

    `tops` are the best scores per clause and domain, `home` the domain of the whole. Where the
    whole is a list without a verb ("files in, personal fields hidden, KPIs on top"), every clause
    is nearly a wish.
    """
    needed = [_needed_lead(clause, in_list=in_list) for clause in clauses]
    for at, after in enumerate(clauses[1:]):
        if after.is_timed and after.is_wish and not clauses[at].is_timed:
            needed[at] += _TIMED
    tops = [
        {} if clause.says_nothing or clause.is_limit else top
        for clause, top in zip(clauses, tops, strict=True)
    ]
    owners = _owners(tops, home, needed)
    if set(owners) == {home}:
        return owners
    return _with_continuations(
        _owners(tops, home, [lead + _AMONG_OTHERS for lead in needed]), clauses, tops, home
    )


def _with_continuations(
    owners: Sequence[str], clauses: Sequence[Clause], tops: Sequence[Mapping[str, float]], home: str
) -> list[str]:
    """Give what only goes on ("… into a table") to the domain of what it goes on with."""
    found: list[str] = []
    for owner, clause, top in zip(owners, clauses, tops, strict=True):
        begins = next((word.text for word in clause.words), "")
        goes_on = found and owner == home and begins == "into" and not clause.is_wish
        nearer = goes_on and top.get(found[-1], 0.0) >= top.get(home, 0.0)
        found.append(found[-1] if nearer else owner)
    return found


def _owners(tops: Sequence[Mapping[str, float]], home: str, needed: Sequence[float]) -> list[str]:
    return [_owner(top, home, lead) for top, lead in zip(tops, needed, strict=True)]


def _owner(tops: Mapping[str, float], home: str, needed: float) -> str:
    best = max(tops, key=lambda domain: (tops[domain], domain), default=home)
    most = tops.get(best, 0.0)
    lead = most - tops.get(home, 0.0) + _AT_ALL * min(most, _ENOUGH)
    return best if lead >= needed else home


def _needed_lead(clause: Clause, *, in_list: bool) -> float:
    ways = (
        (clause.is_wish, _WISHED),
        (clause.is_timed, _TIMED),
        (in_list, _LISTED),
        (clause.is_wish and (clause.points_back or _is_named(clause)), _SHORT),
        (clause.is_wish and _is_named(clause), _NAMED),
        (clause.is_context, _TOLD),
        (clause.checks, _CHECKED),
    )
    return _LEAD + sum(change for is_so, change in ways if is_so)


def _is_named(clause: Clause) -> bool:
    return any(word.is_name for word in clause.words)
