"""The one argparse tree behind `%skill` and `skills-nb`.

Room: commands. A wrong line raises `UsageError` with the nearest right one; asking for help
raises `HelpRequested`, so that a notebook can show it without leaving the kernel.
Source: FORMATS, One grammar, three doors.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, NoReturn

from skills_nb.commands.grammar.terms import Verb
from skills_nb.commands.grammar.verb_terms import VERBS
from skills_nb.errors import UsageError


class HelpRequested(Exception):  # noqa: N818 - a request, not an error
    """Somebody asked for help; `text` is what to show."""

    def __init__(self, text: str) -> None:
        """Keep the text."""
        super().__init__(text)
        self.text = text


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        found = re.search(r"invalid choice: '([^']*)' \(choose from (.+)\)", message)
        if found is None:
            raise UsageError(message, hint=f"{self.prog} --help")
        names = re.findall(r"[\w-]+", found[2])
        near = get_close_matches(found[1], names, 1, 0.5)
        hint = f"did you mean '{near[0]}'?" if near else "one of: " + ", ".join(names)
        raise UsageError(f"unknown command '{found[1]}'", hint=hint)

    def print_help(self, file: Any = None) -> None:
        raise HelpRequested(self.format_help())

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        raise HelpRequested(message or self.format_help())


COMMANDS: tuple[str, ...] = tuple(verb.name for verb in VERBS)
ANSWERS: frozenset[str] = frozenset(
    {"respond", "approve", "approve_remaining", "modify", "abort", "different-approach"}
)
FREE_TEXT: frozenset[str] = frozenset({"route", "run"})
"""Commands whose first argument is a person's words, not shell words."""


@lru_cache(maxsize=8)
def build_parser(prog: str) -> argparse.ArgumentParser:
    """Return the tree for a door, named as that door calls it: `%skill` or `skills-nb`.

    It is built once for each: hundreds of arguments take longer to declare than a line to read.
    """
    parser = _Parser(
        prog=prog,
        description="Say what you want from Snowflake, see what would happen, approve it.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=f"{prog} COMMAND --help shows a command's arguments and examples.",
    )
    _add(parser, VERBS, prog, "command", required=True)
    return parser


def _add(
    parser: argparse.ArgumentParser,
    verbs: Sequence[Verb],
    prog: str,
    dest: str,
    *,
    required: bool,
) -> None:
    group = parser.add_subparsers(
        dest=dest, required=required, parser_class=_Parser, metavar="COMMAND"
    )
    for verb in verbs:
        examples = "\n".join(f"  {prog} {example}" for example in verb.examples)
        sub = group.add_parser(
            verb.name,
            help=verb.help,
            description=verb.help[:1].upper() + verb.help[1:] + ".",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            epilog=f"examples:\n{examples}" if examples else None,
        )
        for argument in verb.arguments:
            sub.add_argument(*argument.flags, **argument.options)
        if verb.reads:
            sub.add_argument("--json", action="store_true", help="print machine-readable output")
        if verb.verbs:
            _add(sub, verb.verbs, prog, f"{verb.name}_command", required=not verb.optional_verb)
