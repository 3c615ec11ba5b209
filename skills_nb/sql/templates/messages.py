"""Messages: plain text with `{name}` in it, or with `{count:table is|tables are}`.

Room: sql. For people only; nothing that goes to an account is written with these, but for the name
of a role. A value in a message stays in its place: a line break in a name is shown as a mark, so
that no name can add a line of its own to what a person is asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from skills_nb.sql.template_problems import TemplateProblem, at_offset
from skills_nb.sql.templates.identifier_values import Name
from skills_nb.sql.templates.template_error import TemplateError
from skills_nb.visible import visible

_HOLE = re.compile(r"\{([A-Za-z]\w*(?:\.\w+)*)(?::([^{}|]+)\|([^{}|]+))?\}")
"""A path, and where the value is counted: what follows one, what follows any other number."""
_NAME_FIELDS = frozenset({"container", "database", "schema", "table", "name", "fqn", "parts"})


class _Missing(Exception):  # noqa: N818 - it never leaves this module
    """A part of a path leads nowhere."""


def message(text: str, values: Mapping[str, Any]) -> str:
    """Fill `{name}` and `{name.part}` with plain text; other braces stand as they are.

    `{name:one|many}` is the value with the words that go with it: `1 table`, `3 tables`.

    Raises:
        TemplateError: a name is unknown.
    """
    return _filled(text, values, lambda value: visible(plain(value)))


def fill_role(text: str, values: Mapping[str, Any]) -> str:
    """Fill the holes of a role's name, every character of it as it is.

    Raises:
        TemplateError: a name is unknown.
    """
    return _filled(text, values, plain)


def _filled(text: str, values: Mapping[str, Any], written: Callable[[Any], str]) -> str:
    def fill(found: re.Match[str]) -> str:
        try:
            return _counted(written(_look_up(found[1], values)), found[2], found[3])
        except _Missing:
            raise TemplateError(_unknown(text, found, values)) from None

    return _HOLE.sub(fill, text)


def _counted(text: str, one: str | None, many: str | None) -> str:
    return text if one is None else f"{text} {one if text == '1' else many}"


def names_in_message(text: str) -> frozenset[str]:
    """Return the names that a message fills in, without what follows their first dot."""
    return frozenset(found[1].split(".")[0] for found in _HOLE.finditer(text))


def check_message(text: str, known: Iterable[str]) -> tuple[TemplateProblem, ...]:
    """Find names in a message that nothing binds, in the order of the text."""
    names = frozenset(known)
    return tuple(
        _unknown(text, found, names)
        for found in _HOLE.finditer(text)
        if found.group(1).split(".")[0] not in names
    )


def _unknown(text: str, found: re.Match[str], known: Iterable[str]) -> TemplateProblem:
    names = ", ".join(sorted(known)[:20])
    hint = f"Use one of: {names}." if names else "Nothing is bound here."
    return at_offset(text, found.start(), f"nothing is called {found.group(1)!r}", hint)


def _look_up(path: str, values: Mapping[str, Any]) -> Any:
    value: Any = values
    for part in path.split("."):
        value = _step(value, part)
    return value


def _step(value: Any, part: str) -> Any:
    if isinstance(value, Mapping) and part in value:
        return value[part]
    if isinstance(value, Name) and part in _NAME_FIELDS:
        return getattr(value, part)
    if isinstance(value, list | tuple) and part.isdecimal() and int(part) < len(value):
        return value[int(part)]
    raise _Missing


def plain(value: Any) -> str:
    """Write a value as a person would read it."""
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case Mapping():
            return ", ".join(f"{key}: {plain(item)}" for key, item in value.items())
        case list() | tuple() | set() | frozenset():
            return ", ".join(plain(item) for item in value)
        case _:
            return str(value)
