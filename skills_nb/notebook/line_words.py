"""A line after `%skill` becomes the words of a command.

Room: doors (notebook). People's own words and SQL are kept as they were typed, apostrophes and
all; only what stands behind them as whole-word options is split like a shell does.
"""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Mapping, Sequence

from skills_nb.commands.grammar.parser import FREE_TEXT, build_parser, parsers_in
from skills_nb.errors import UsageError

_RAW = FREE_TEXT | {"sql"}
_FLAG = re.compile(r"(?:(?<=\s)|^)--?[a-z]")
_WORD = re.compile(r"""(?:"[^"]*"|'[^']*'|[^\s"'])+""")
_WHOLE = re.compile(r"""'[^']*'|"[^"]*[./ ][^"]*"|"[^"]*"(?!\.)""")
_QUOTES = {'"': '"', "'": "'", "“": "”", "„": "“", "«": "»"}
Flags = Mapping[str, bool]
"""Option string to whether a value follows it."""


def split_line(line: str) -> list[str]:
    """Return the words of a line, as `App.invoke` takes them.

    Raises:
        UsageError: a quote is not closed.
    """
    text = line.strip()
    command, _, rest = text.partition(" ")
    if command in _RAW:
        return [command, *_free_text(rest.strip(), command)]
    if command == "load" and (words := _with_names(rest)) is not None:
        return [command, *words]
    try:
        return shlex.split(text)
    except ValueError as problem:
        raise UsageError(
            f"cannot read the line: {str(problem).lower()}",
            hint='put words with spaces or apostrophes in double quotes: --comment "it\'s fine"',
        ) from None


def _with_names(rest: str) -> list[str] | None:
    """Split a line in which names of SQL keep their double quotes; None where one stays open.

    `--into DB."My schema"."t"` needs them; a file's name, which is quoted as a whole, does not.
    """
    if _WORD.sub("", rest).strip():
        return None
    words = _WORD.findall(rest)
    return [word[1:-1] if _WHOLE.fullmatch(word) else word for word in words]


def _free_text(rest: str, command: str) -> list[str]:
    flags = flags_of(command)
    words, options = _without_trailing(rest, flags)
    leading, words = _leading(words, flags)
    said = _unquoted(words, is_sql=command == "sql")
    # Behind `--` nothing is an option, whatever it begins with.
    return [*leading, *options, *(["--", said] if said else [])]


def _without_trailing(rest: str, flags: Flags) -> tuple[str, list[str]]:
    """Split off the longest tail that is nothing but options and their values."""
    for found in _FLAG.finditer(rest):
        tail = rest[found.start() :]
        options = _options(tail, flags)
        if options is not None:
            return rest[: found.start()].rstrip(), options
    return rest, []


def _options(tail: str, flags: Flags) -> list[str] | None:
    """Return the words of a tail, or None where it holds anything but options."""
    try:
        words = shlex.split(tail)
    except ValueError:
        return None
    left = list(words)
    while left:
        flag, sign, _ = left.pop(0).partition("=")
        if flag not in flags:
            return None
        if flags[flag] and not sign:
            if not left:
                return None
            left.pop(0)
    return words


def _leading(text: str, flags: Flags) -> tuple[list[str], str]:
    """Split off options that take no value and stand before the words."""
    taken: list[str] = []
    while text:
        word, _, rest = text.partition(" ")
        if flags.get(word, True):
            break
        taken.append(word)
        text = rest.lstrip()
    return taken, text


def _unquoted(text: str, *, is_sql: bool) -> str:
    """Take off one pair of quotes around the whole; in SQL only the double ones can be ours."""
    closing = _QUOTES.get(text[:1])
    if closing is None or len(text) < 2 or not text.endswith(closing):
        return text
    if is_sql and closing != '"':
        return text
    inner = text[1:-1].replace(f"\\{closing}", "\0")
    if closing in inner and not _is_apostrophe(inner, closing):
        return text
    return inner.replace("\0", closing)


def _is_apostrophe(inner: str, quote: str) -> bool:
    """Return whether every such sign stands inside a word, as in `what's`."""
    return quote == "'" and len(re.findall(r"\w'\w", inner)) == inner.count("'")


def flags_of(command: str) -> Flags:
    """Return the options of a command, with whether each takes a value."""
    sub = parsers_in(build_parser("%skill")).get(command)
    actions: Sequence[argparse.Action] = sub._actions if sub is not None else ()
    return {flag: action.nargs != 0 for action in actions for flag in action.option_strings}
