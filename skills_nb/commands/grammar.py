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
from typing import Any, NoReturn

from skills_nb.commands.verb_words import ACCOUNT_VERBS, EVAL
from skills_nb.commands.verb_words import Verb as _Verb
from skills_nb.commands.verb_words import arg as _arg
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


_THREAD = _arg("thread", nargs="?", help="thread id; the newest where left out")
_ON = _arg("--thread", metavar="THREAD", help="thread id; the newest where left out")
_AT = _arg("--at", metavar="PAUSE", help="the pause this answers; refused at any other")
_COMMENT = _arg("--comment", help="words to keep with the answer")
_PHRASE = _arg("--phrase", help="the phrase that a critical checkpoint asks for")
_DRY_RUN = _arg("--dry-run", action="store_true", help="show what would happen, change nothing")
_SAMPLE = _arg(
    "--sample",
    action="store_true",
    help="with --dry-run: let the account look at a sample of rows to foretell what depends on "
    "them; none is shown or kept",
)
_SET = _arg(
    "--set",
    dest="values",
    action="append",
    default=[],
    metavar="INPUT=VALUE",
    help="an input to change",
)
_ANSWER = (_ON, _AT, _COMMENT, _PHRASE, _SET)

_MIGRATE = _Verb(
    "migrate",
    "copy all threads to another store",
    (
        _arg("target", metavar="STORE", help="a database URL, or `home`"),
        _arg("--from", dest="origin", metavar="STORE", help="the one in use where left out"),
    ),
    ("threads migrate postgresql+psycopg:///team", "threads migrate home --from postgresql:///t"),
    reads=True,
)

_VERBS: tuple[_Verb, ...] = (
    _Verb(
        "route",
        "say what an intent resolves to; nothing is started",
        (
            _arg("intent", nargs="+", help="what you want, in your own words"),
            _arg("--why", action="store_true", help="show what decided"),
        ),
        ('route "secure my data"', 'route "what\'s the syntax for masking" --why'),
        reads=True,
    ),
    _Verb(
        "run",
        "start a thread and go on to the next pause",
        (
            _arg("goal", nargs="+", metavar="TARGET-or-INTENT", help="a playbook, or your words"),
            _DRY_RUN,
            _SAMPLE,
            _arg(
                "--input",
                dest="inputs",
                action="append",
                default=[],
                metavar="NAME=VALUE",
                help="an input of the playbook",
            ),
            _arg("--answers", metavar="FILE", help="YAML of answers by pause, for unattended use"),
            _arg("--until", metavar="STEP", help="stop before this step"),
            _arg("--thread", metavar="THREAD", help="name the thread; goes on when it exists"),
        ),
        (
            "run playbooks/secure-sensitive-data --input target_scope=PROD.CUSTOMER_DATA",
            'run "secure my data" --dry-run',
        ),
    ),
    _Verb("next", "go on with the newest thread", (_ON,), ("next",)),
    _Verb("resume", "go on with a thread, here", (_THREAD,), ("resume thr_0123456789ab",)),
    _Verb(
        "require",
        "stop with a one-line error unless the thread is completed",
        (_THREAD,),
        ("require secure",),
    ),
    _Verb(
        "respond",
        "answer the open pause",
        (_arg("choice", help="the id of an option"), *_ANSWER),
        ("respond approve", "respond modify --set confidence=MEDIUM"),
    ),
    _Verb("approve", "take the proposal of the open pause", _ANSWER, ("approve",)),
    _Verb(
        "approve_remaining",
        "approve this and later review checkpoints",
        _ANSWER,
        ("approve_remaining --at 5",),
    ),
    _Verb("modify", "change inputs and do the step again", _ANSWER, ("modify --set k=v",)),
    _Verb("abort", "stop the thread; cleanup is offered", _ANSWER, ("abort",)),
    _Verb(
        "different-approach",
        "find another way; say the goal again with --comment",
        _ANSWER,
        ('different-approach --comment "only tag the columns"',),
    ),
    _Verb(
        "threads",
        "list the threads, newest first",
        (_arg("--import", dest="source", metavar="FILE", help="keep YAML as a new thread"),),
        ("threads", "threads --import thread.yaml", "threads migrate postgresql+psycopg:///team"),
        reads=True,
        verbs=(_MIGRATE,),
        optional_verb=True,
    ),
    _Verb("status", "show where a thread stands", (_THREAD,), ("status",), reads=True),
    _Verb(
        "show",
        "show a thread's events, or a skill",
        (
            _arg("subject", nargs="?", help="a thread id, or primitives/NAME, playbooks/NAME"),
            _arg("--yaml", action="store_true", help="print the events as YAML"),
            _arg("--context", action="store_true", help="print what a model would be told"),
        ),
        ("show thr_0123456789ab --yaml", "show primitives/masking-policies"),
        reads=True,
    ),
    _Verb(
        "step",
        "add a sub-step by hand where a thread waits at a step; the SQL is the cell",
        (
            _arg("step", metavar="ID", help="the step's id and a letter, such as 3b"),
            _arg("statement", nargs="*", help="the SQL, where there is no cell"),
            _arg("--role", help="run it as this role"),
            _ON,
        ),
        ('step 5b "GRANT SELECT ON TABLE T TO ROLE R" --role SYSADMIN',),
    ),
    _Verb(
        "plan",
        "propose a guided plan; the YAML is the file or the cell; with neither, show it",
        (
            _arg(
                "file",
                nargs="?",
                metavar="FILE",
                help="goal, and steps: step, action, primitive, sql",
            ),
            _ON,
            _DRY_RUN,
            _SAMPLE,
        ),
        ("plan plan.yaml", "plan plan.yaml --dry-run", "plan --thread thr_0123456789ab"),
        reads=True,
    ),
    _Verb(
        "compact",
        "archive a thread so far and sum it up",
        (_THREAD,),
        ("compact thr_0123456789ab",),
    ),
    _Verb(
        "cleanup",
        "offer to take back what an ended thread left",
        (_THREAD,),
        ("cleanup thr_0123456789ab",),
    ),
    _Verb(
        "sql",
        "run one SQL statement through the session, read-only",
        (
            _arg("statement", nargs="*", help="the SQL; in a notebook, the cell"),
            _arg("--role", help="run it as this role"),
        ),
        ('sql "SELECT * FROM PROD.CUSTOMER_DATA.CUSTOMERS LIMIT 3" --role ANALYST',),
        reads=True,
    ),
    _Verb(
        "connect",
        "show or choose the account",
        (
            _arg("name", nargs="?", help="a connection of Snowflake's own connections.toml"),
            _arg("--embedded", action="store_true", help="the account that needs no network"),
            _arg("--environment", action="store_true", help="as SNOWFLAKE_ACCOUNT and so on say"),
            _arg("--session", metavar="VAR", help="the notebook's own Snowpark session"),
            _arg("--production", metavar="REGEX", help="mark accounts that people depend on"),
            _arg("--list", action="store_true", help="list the connections"),
            _arg("--password", help=argparse.SUPPRESS),
        ),
        ("connect --embedded", "connect my-account", "connect --session session"),
        reads=True,
    ),
    _Verb(
        "account",
        "what can be done with the embedded account",
        (),
        ("account reset", "account serve --port 8090", "account export account.sql"),
        verbs=ACCOUNT_VERBS,
    ),
    _Verb(
        "library",
        "show what the library holds, or choose another for this home",
        (
            _arg("path", nargs="?", help="a library to work with from now on"),
            _arg("--overlay", metavar="PATH", help="skills of your own, laid over it"),
            _arg("--shipped", action="store_true", help="back to the one that came with this"),
        ),
        ("library", "library --overlay my-skills"),
        reads=True,
    ),
    _Verb(
        "lint",
        "say what is wrong in a library, where, and how to repair it",
        (
            _arg("path", nargs="?", help="a library; the one in use where left out"),
            _arg(
                "--select",
                action="append",
                default=[],
                metavar="CODE",
                help="a rule, or the beginning of codes, such as SK4",
            ),
            _arg("--format", choices=("text", "json", "sarif"), default="text"),
            _arg("--fix", action="store_true", help="repair what is safe, then say what is left"),
            _arg(
                "--run-examples",
                action="store_true",
                help="also run the examples of primitives, on embedded accounts (takes a minute)",
            ),
        ),
        ("lint my-library", "lint --select SK4 --format sarif", "lint my-skills --fix"),
        reads=True,
    ),
    _Verb(
        "new",
        "begin a skill that lacks only what you must say",
        (
            _arg("kind", choices=("primitive", "playbook", "router")),
            _arg("name", help="lower-case words with hyphens between them"),
            _arg("--domain", help="its domain; a router's is its name where left out"),
        ),
        ("new playbook rotate-keys --domain data-security", "new router my-domain"),
    ),
    _Verb(
        "index",
        "say how the skill index differs from the files; status 1 where it does",
        (_arg("--write", action="store_true", help="rewrite it from the files"),),
        ("index", "index --write"),
        reads=True,
    ),
    _Verb(
        "graph",
        "draw what leads to what in the library",
        (
            _arg(
                "--format",
                choices=("text", "mermaid", "svg"),
                help="print this form; a notebook shows the picture where it is left out",
            ),
            _arg("--output", metavar="FILE", help="write it there"),
        ),
        ("graph", "graph --format svg --output library.svg"),
        reads=True,
    ),
    _Verb(
        "export",
        "write every skill as a folder that other agents read",
        (
            _arg("directory", metavar="DIR"),
            _arg("--format", choices=("agent-skills",), default="agent-skills"),
        ),
        ("export --format agent-skills out",),
    ),
    _Verb(
        "import",
        "take Agent Skills folders in as primitives and playbooks",
        (
            _arg("directory", metavar="DIR", help="a folder with SKILL.md, or one of such folders"),
            _arg("--domain", help="of skills that name none"),
        ),
        ("import their-skills --domain data-security",),
    ),
    _Verb(
        "explain",
        "show the page of a lint rule, or a skill",
        (_arg("subject", help="a code such as SK422, or primitives/NAME"),),
        ("explain SK422", "explain primitives/streams"),
        reads=True,
    ),
    EVAL,
    _Verb(
        "mcp",
        "serve agents over the Model Context Protocol, on standard input and output",
        (
            _arg(
                "--delegate",
                choices=("review",),
                help="what agents may answer; plans and critical checkpoints are always yours",
            ),
        ),
        ("mcp", "mcp --delegate review"),
    ),
    _Verb(
        "doctor",
        "say what is wrong here; status 4 where a thread could not be driven",
        (),
        ("doctor",),
        reads=True,
    ),
    _Verb("debug", "show the traceback of the last error", (), ("debug",)),
    _Verb("demo", "do the main job from nothing, on a fresh embedded account", (), ("demo",)),
)

COMMANDS: tuple[str, ...] = tuple(verb.name for verb in _VERBS)
ANSWERS: frozenset[str] = frozenset(
    {"respond", "approve", "approve_remaining", "modify", "abort", "different-approach"}
)
FREE_TEXT: frozenset[str] = frozenset({"route", "run"})
"""Commands whose first argument is a person's words, not shell words."""


def build_parser(prog: str) -> argparse.ArgumentParser:
    """Return the tree for a door, named as that door calls it: `%skill` or `skills-nb`."""
    parser = _Parser(
        prog=prog,
        description="Say what you want from Snowflake, see what would happen, approve it.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=f"{prog} COMMAND --help shows a command's arguments and examples.",
    )
    _add(parser, _VERBS, prog, "command", required=True)
    return parser


def _add(
    parser: argparse.ArgumentParser,
    verbs: Sequence[_Verb],
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
