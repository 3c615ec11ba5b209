"""The one argparse tree behind `%skill` and `skills-nb`.

Room: commands. A wrong line raises `UsageError` with the nearest right one; asking for help
raises `HelpRequested`, so that a notebook can show it without leaving the kernel.
Source: FORMATS, One grammar, three doors.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NoReturn

from skills_nb.commands.grammar.slips import complaint, unknown_words
from skills_nb.commands.grammar.terms import UNFOLDING, Verb
from skills_nb.commands.grammar.verb_terms import VERBS


class HelpRequested(Exception):  # noqa: N818 - a request, not an error
    """Somebody asked for help; `text` is what to show."""

    def __init__(self, text: str) -> None:
        """Keep the text."""
        super().__init__(text)
        self.text = text


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise complaint(self, message)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Refuse what is left over where it was met: the command's own options are near it."""
        found, extra = super().parse_known_args(args, namespace)
        if extra:
            raise unknown_words(self, extra)
        return found, extra

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
        allow_abbrev=False,
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
            # A shortened option is a slip as often as it is meant.
            allow_abbrev=False,
        )
        for argument in verb.arguments:
            sub.add_argument(*argument.flags, **argument.options)
        for what in verb.unfolds:
            sub.add_argument(*UNFOLDING[what].flags, **UNFOLDING[what].options)
        if verb.asks:
            sub.add_argument(
                "--no-input",
                action="store_true",
                help="ask nothing at the terminal, and wait for nobody",
            )
        if verb.reads:
            sub.add_argument("--json", action="store_true", help="print machine-readable output")
        if verb.verbs:
            _add(sub, verb.verbs, prog, f"{verb.name}_command", required=not verb.optional_verb)


def parsers_in(parser: argparse.ArgumentParser) -> Mapping[str, argparse.ArgumentParser]:
    """Return the parsers of a parser's commands; empty where it has none."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}
