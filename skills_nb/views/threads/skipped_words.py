"""Why a step was left out, in words: its condition is a rule for programs.

Room: laws (views). A condition of one comparison is put into a sentence; of several, nothing tells
here which one was decisive, so they are said as what the step is for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from skills_nb.views.sheets.phrasing import in_words

_LEAD = "its condition is not met: "
_NAME = r"(?P<name>[a-z_]\w*)"
_VALUE = r"(?P<value>'[^']*'|-?[\d.]+)"
_FORMS: tuple[tuple[re.Pattern[str], str, str], ...] = (
    (
        re.compile(rf"to_{_NAME} (?:<>|!=) 'nothing'"),
        "there is nothing to {name}",
        "there is something to {name}",
    ),
    (re.compile(rf"{_NAME} IS NOT NULL"), "no {name} was {got}", "there is {a_name}"),
    (re.compile(rf"{_NAME} IS NULL"), "{a_name} was {got}", "there is no {name}"),
    (re.compile(rf"{_NAME} > 0"), "{name} is not above 0", "{name} is above 0"),
    (re.compile(rf"{_NAME} = 0"), "{name} is not 0", "{name} is 0"),
    (re.compile(rf"{_NAME} ==? true"), "{name}: no", "{name} is yes"),
    (re.compile(rf"{_NAME} ==? false"), "{name}: yes", "{name} is no"),
    (re.compile(rf"{_NAME} ==? {_VALUE}"), "{name} is not {value}", "{name} is {value}"),
    (re.compile(rf"{_NAME} (?:<>|!=) {_VALUE}"), "{name} is {value}", "{name} is not {value}"),
    (re.compile(_NAME), "{name}: no", "{name} is yes"),
)
"""(condition, why a step that has it was left out, what it is for)."""
_AFTER_AN = ("a", "e", "i", "o", "un", "up")


def why_skipped(reason: str, inputs: Collection[str]) -> str:
    """Return why a step was left out, as a person would say it.

    Args:
        reason: as the thread has it.
        inputs: the names of what a person gives; all else was found.
    """
    condition = reason.removeprefix(_LEAD).strip()
    if condition == reason:
        return f"skipped: {reason}"
    if (told := _told(condition, inputs, lambda form: form[1])) is not None:
        return f"not needed: {told}"
    parts = re.split(r" (AND|OR) ", condition)
    purposes = [_told(part, inputs, lambda form: form[2]) for part in parts[::2]]
    if None in purposes or "(" in condition or len(set(parts[1::2])) > 1:
        return "not needed here"
    word = f" {parts[1].lower()} " if len(parts) > 1 else ""
    return f"needed only if {word.join(map(str, purposes))}"


def _told(
    condition: str,
    inputs: Collection[str],
    chosen: Callable[[tuple[re.Pattern[str], str, str]], str],
) -> str | None:
    for form in _FORMS:
        found = form[0].fullmatch(condition)
        if found is not None:
            name, value = found["name"], found.groupdict().get("value") or ""
            got = "given" if name in inputs else "found"
            words = {"name": in_words(name), "a_name": _with_article(in_words(name))}
            return chosen(form).format(**words, value=value.strip("'"), got=got)
    return None


def _with_article(words: str) -> str:
    return f"an {words}" if words.startswith(_AFTER_AN) else f"a {words}"
