"""What argparse complains of, in words that a person can act on.

Room: commands. Each complaint names what was typed, and the nearest right word where there is one.
"""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from skills_nb.errors import UsageError

_INVALID = re.compile(r"(?:argument (?P<name>.+?): )?invalid choice: '(?P<said>.*)' \(choose from ")
_LACKS_VALUE = re.compile(r"argument (?P<flags>\S+): expected (?P<how_many>.+) arguments?")
_NO_NUMBER = re.compile(r"argument (?P<flags>\S+): invalid int value: '(?P<said>.*)'")
_MISSING = re.compile(r"the following arguments are required: (?P<names>.+)")


def nearest(said: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """Return the known word that was probably meant; empty where none is near."""
    by_letters = {word.lower(): word for word in known}
    near = get_close_matches(said.lower(), list(by_letters), 1, cutoff)
    return by_letters[near[0]] if near else ""


def complaint(parser: argparse.ArgumentParser, message: str) -> UsageError:
    """Return what a parser's own message means."""
    help_line = f"{parser.prog} --help"
    if found := _INVALID.search(message):
        return _not_a_choice(parser, found["said"], found["name"] or "", message)
    if found := _LACKS_VALUE.search(message):
        flag = found["flags"].split("/")[0]
        needed = "two values" if found["how_many"] == "2" else "a value"
        return UsageError(f"{flag} needs {needed}", hint=help_line)
    if found := _NO_NUMBER.search(message):
        flag = found["flags"].split("/")[0]
        return UsageError(f"{flag} needs a whole number, not '{found['said']}'", hint=help_line)
    if found := _MISSING.search(message):
        verb = parser.prog.partition(" ")[2] or parser.prog
        return UsageError(f"`{verb}` needs {_one_of(found['names'])}", hint=help_line)
    return UsageError(message, hint=help_line)


def unknown_words(parser: argparse.ArgumentParser, extra: Sequence[str]) -> UsageError:
    """Return the complaint about words that a command does not take.

    Args:
        parser: the command's.
        extra: what is left of the line, options first where there are some.
    """
    verb = parser.prog.partition(" ")[2] or parser.prog
    flags = _flags(parser)
    option = next((word for word in extra if word.startswith("-") and len(word) > 1), None)
    if option is None:
        return _one_word_too_many(parser, verb, extra[0], flags)
    said = option.partition("=")[0]
    near = _begun(said, flags) or nearest(said, flags)
    known = ", ".join(flags) or "none"
    return UsageError(
        f"`{verb}` has no option '{said}'",
        hint=f"did you mean {near}?" if near else f"its options: {known}",
    )


def _one_word_too_many(
    parser: argparse.ArgumentParser, verb: str, word: str, flags: Sequence[str]
) -> UsageError:
    hint = f"{parser.prog} --help"
    if "=" in word and "--input" in flags:
        hint = f"inputs are given as: --input {shlex.quote(word)}"
    elif "=" in word and "--set" in flags:
        hint = f"values are given as: --set {shlex.quote(word)}"
    return UsageError(f"`{verb}` does not know what to do with '{word}'", hint=hint)


def _begun(said: str, flags: Sequence[str]) -> str:
    """Return the only option that begins with what was typed."""
    fitting = [flag for flag in flags if len(said) > 3 and flag.startswith(said)]
    return fitting[0] if len(fitting) == 1 else ""


def _flags(parser: argparse.ArgumentParser) -> list[str]:
    shown = (each for each in parser._actions if each.help != argparse.SUPPRESS)
    return [flag for each in shown for flag in each.option_strings if flag.startswith("--")]


def _not_a_choice(
    parser: argparse.ArgumentParser, said: str, name: str, message: str
) -> UsageError:
    names = re.findall(r"[\w-]+", message[message.index("(choose from ") + 13 :])
    near = nearest(said, names, 0.5)
    listed = "one of: " + ", ".join(names)
    if name not in ("", "COMMAND"):
        hint = f"did you mean '{near}'?" if near else listed
        return UsageError(f"{name} cannot be '{said}'", hint=hint)
    if not near and " " not in parser.prog and not said.startswith("-"):
        listed = f'to say what you want: {parser.prog} run "{said} …"'
    hint = f"did you mean '{near}'?" if near else listed
    return UsageError(f"unknown command '{said}'", hint=hint)


def _one_of(names: str) -> str:
    words = {
        "TARGET-or-INTENT": "to know what you want: a playbook, or your own words",
        "intent": "to know what you want, in your own words",
        "COMMAND": "a command",
        "choice": "the answer: the name of an option",
        "subject": "a code such as SK422, or the name of a skill",
    }
    return words.get(names, names)
