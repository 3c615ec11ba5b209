"""What the grammar is made of: verbs and their arguments; and the widest of the verbs.

Room: commands.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from typing import Any, Literal

from skills_nb.errors import UsageError


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a verb, as argparse takes it."""

    flags: tuple[str, ...]
    """Its name, or its options as they are typed."""
    options: dict[str, Any]
    """What else `add_argument` is told of it."""


def arg(*flags: str, **options: Any) -> Argument:
    """Return an argument."""
    return Argument(flags, options)


class OneThread(argparse.Action):
    """A thread's id, which may be given in two places and must be the same in both."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        """Keep it.

        Raises:
            UsageError: another one stands in the same line.
        """
        known = getattr(namespace, self.dest, None)
        if known not in (None, values):
            raise UsageError(
                f"two threads are named: '{known}' and '{values}'", hint="name one of them"
            )
        setattr(namespace, self.dest, values)


THREAD = arg(
    "thread",
    nargs="?",
    action=OneThread,
    default=argparse.SUPPRESS,
    help="thread id; the newest where left out",
)
ON = arg(
    "--thread", action=OneThread, metavar="THREAD", help="thread id; the newest where left out"
)


@dataclass(frozen=True, slots=True)
class Verb:
    """One command: its name, what it does, and what it takes."""

    name: str
    """As it is typed."""
    help: str
    """What it does, in one line without a capital."""
    arguments: tuple[Argument, ...] = ()
    """In the order in which they are typed."""
    examples: tuple[str, ...] = ()
    """Whole lines, without the door's own name."""
    reads: bool = False
    """Read commands print machine-readable output with `--json`."""
    verbs: tuple[Verb, ...] = field(default=())
    """Its sub-commands; empty for most."""
    optional_verb: bool = False
    """Whether it may be given without a sub-command."""
    asks: bool = False
    """Whether a terminal asks for an answer where a thread waits; `--no-input` turns that off."""
    unfolds: tuple[Literal["sql", "all"], ...] = ()
    """What it shows in the open when asked to: the SQL, or all that a terminal folds or cuts."""


BOTH: tuple[Literal["sql", "all"], ...] = ("sql", "all")
UNFOLDING = {
    "sql": arg("--sql", action="store_true", help="show the SQL that a terminal folds"),
    "all": arg("--all", action="store_true", help="show everything in full: fold and cut nothing"),
}
"""The options that unfold, by what they show."""

STATUS = Verb(
    "status",
    "show where a thread stands",
    (THREAD, ON),
    ("status", "status --sql"),
    reads=True,
    unfolds=BOTH,
)

LOAD = Verb(
    "load",
    "make a table of a file of yours, or in a notebook of a DataFrame",
    (
        arg("source", metavar="FILE-or-NAME", help="CSV, Parquet, JSON; a DataFrame by its name"),
        arg("--into", metavar="DB.SCHEMA.TABLE", help="the table; named like the file if left out"),
        arg("--append", action="store_true", help="add the rows to a table that is there"),
        arg("--no-header", action="store_true", help="the first line of a CSV file is data"),
        arg("--dry-run", action="store_true", help="show what would happen, change nothing"),
    ),
    ("load patients.csv", "load visits.parquet --into CLINIC.RAW.VISITS --dry-run", "load df"),
    reads=True,
    asks=True,
)

ACCOUNT_VERBS = (
    Verb("reset", "make a new demo account in place of the present one", (), ("account reset",)),
    Verb(
        "address",
        "say where other programs of this machine reach it",
        (),
        ("account address", "account address --json"),
        reads=True,
    ),
    Verb(
        "serve",
        "keep it open for other programs of this machine, until interrupted",
        (
            arg("--port", type=int, metavar="PORT", help="any free one where left out"),
            arg("--password-env", metavar="NAME", help="the variable that holds a fixed password"),
            arg(
                "--password-file",
                metavar="FILE",
                help="the file that holds a fixed password; - asks for it",
            ),
        ),
        (
            "account serve --port 8090",
            "account serve --port 8090 --password-env EMBEDDED_PASSWORD",
            "account serve --port 8090 --password-file -",
        ),
    ),
    Verb(
        "export",
        "write it as Snowflake SQL: objects, rights, policies and rows",
        (arg("file", metavar="FILE", help="a file that does not exist yet"),),
        ("account export account.sql",),
    ),
    Verb(
        "import",
        "make the account of a script",
        (
            arg("file", metavar="FILE", help="what export wrote"),
            arg("--replace", action="store_true", help="give up the present account"),
        ),
        ("account import account.sql --replace",),
    ),
    Verb(
        "support",
        "list what it supports; whatever is not listed so is refused as unsupported",
        (arg("about", nargs="*", metavar="WORD", help="statements and views with these words"),),
        ("account support", "account support masking policy", "account support --json"),
        reads=True,
        unfolds=("all",),
    ),
)

EVAL = Verb(
    "eval",
    "measure a model, or the library itself, on tasks whose outcome can be checked",
    (
        arg("--model", help="the model's name"),
        arg(
            "--tasks",
            metavar="SOURCE",
            help="a file, a folder, or one of verified, realistic, snowflake, playbooks, sealed; "
            "complete for snowflake and sealed",
        ),
        arg("--functional", action="store_true", help="check the outcome that was asked for"),
        arg("--output", metavar="DIR", help="the run directory; goes on where it was"),
        arg("--solutions", metavar="DIR", help="answers given before, instead of a model"),
        arg("--provider", help="who serves the model; also cortex, command, gold, empty"),
        arg("--base-url", metavar="URL", help="an endpoint that speaks OpenAI's chat form"),
        arg(
            "--command",
            dest="command_line",
            metavar="WORDS",
            help="a program: prompt on its input, answer on its output",
        ),
        arg("--temperature", type=float, metavar="T", help="0 for the likeliest words"),
        arg("--top-p", type=float, metavar="P", help="share of the likelihood, of 0 to 1"),
        arg("--max-tokens", type=int, metavar="N", help="the longest answer"),
        arg(
            "--most-tokens",
            type=int,
            metavar="N",
            help="how far that is raised for an answer that is cut (else four times)",
        ),
        arg("--reasoning-effort", metavar="WORD", help="such as low, medium or high"),
        arg(
            "--price",
            nargs=2,
            type=float,
            metavar=("IN", "OUT"),
            help="USD for a million tokens asked and answered, to foretell the cost",
        ),
        arg("--cache", metavar="DIR", help="keep answers there and ask nothing twice"),
        arg(
            "--skills",
            nargs="?",
            const="on",
            choices=("on", "both"),
            help="tell the model the library's pages; both: without and with, compared",
        ),
        arg("--workers", type=int, metavar="N", help="how many at a time"),
        arg("--attempts", type=int, default=1, metavar="N", help="answers to each task"),
        arg(
            "--backend", choices=("auto", "embedded", "snowflake", "org", "offline"), default="auto"
        ),
        arg("--connection", metavar="NAME", help="a real Snowflake account, of connections.toml"),
        arg("--scheduler", metavar="ADDRESS", help="a Dask cluster whose workers measure"),
        arg("--target-org", metavar="ALIAS", help="a Salesforce org; it is never deleted"),
        arg("--dev-hub", metavar="ALIAS", help="makes a scratch org for each instance"),
        arg(
            "--uncontained",
            action="store_true",
            help="run answers' code also where this machine cannot contain it",
        ),
        arg("--only", action="append", default=[], metavar="TASK", help="this task alone"),
        arg("--resume", action="store_true", help="refuse to begin a new run"),
        arg("--report-only", action="store_true", help="write the reports again"),
        arg("--self-check", action="store_true", help="show that the tasks measure"),
        arg(
            "--pin",
            metavar="FILE",
            help="write the tasks there, each at the commit that its branch stands at",
        ),
        arg("--compare", nargs=2, metavar=("RUN", "RUN"), help="set a run against another"),
    ),
    (
        "eval --self-check",
        "eval --model gpt-4 --tasks verified --functional",
        "eval --model gpt-4 --tasks verified --solutions solutions/gpt-4/",
        "eval --model gpt-4 --tasks snowflake --functional --skills both",
        "eval --compare results/without results/with",
        "eval --tasks tasks.json --pin pinned.json",
    ),
    reads=True,
)
