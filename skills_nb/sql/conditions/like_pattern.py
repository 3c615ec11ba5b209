"""LIKE, in time linear in text times pattern whatever the pattern.

Room: sql.
"""

from __future__ import annotations

from skills_nb.sql.conditions.condition_error import ConditionError

_ANY = None
_Step = str | bool | None
"""A character, True for `_`, None for `%`."""


def matches(text: str, pattern: str, escape: str | None = None) -> bool:
    """Tell whether the whole text matches a pattern of `%` and `_`.

    Raises:
        ConditionError: the pattern ends in its escape character.
    """
    steps = _steps(pattern, escape)
    at = step = 0
    star, resume = -1, 0
    while at < len(text):
        if step < len(steps) and steps[step] is _ANY:
            star, resume = step, at
            step += 1
        elif step < len(steps) and steps[step] in (True, text[at]):
            at, step = at + 1, step + 1
        elif star >= 0:
            resume += 1
            at, step = resume, star + 1
        else:
            return False
    return all(rest is _ANY for rest in steps[step:])


def _steps(pattern: str, escape: str | None) -> list[_Step]:
    found: list[_Step] = []
    characters = iter(pattern)
    for character in characters:
        if character == escape:
            following = next(characters, None)
            if following is None:
                raise ConditionError(f"the pattern {pattern[:60]!r} ends in its escape character")
            found.append(following)
        else:
            found.append({"%": _ANY, "_": True}.get(character, character))
    return found
