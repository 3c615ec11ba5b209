"""The verbs of the grammar, with what each takes and examples of it.

Room: commands. Source: FORMATS, One grammar, three doors.
"""

from __future__ import annotations

import argparse

from skills_nb.commands.grammar.library_terms import LIBRARY_VERBS
from skills_nb.commands.grammar.terms import (
    ACCOUNT_VERBS,
    BOTH,
    EVAL,
    LOAD,
    ON,
    STATUS,
    THREAD,
    OneThread,
    Verb,
    arg,
)

_AT = arg("--at", metavar="PAUSE", help="the pause this answers; refused at any other")
_COMMENT = arg("--comment", help="words to keep with the answer")
_PHRASE = arg("--phrase", help="the phrase that a critical checkpoint asks for")
_DRY_RUN = arg("--dry-run", action="store_true", help="show what would happen, change nothing")
_SAMPLE = arg(
    "--sample",
    action="store_true",
    help="with --dry-run: let the account look at a sample of rows to foretell what depends on "
    "them; none is shown or kept",
)
_SET = arg(
    "--set",
    dest="values",
    action="append",
    default=[],
    metavar="INPUT=VALUE",
    help="an input to change",
)
_ANSWER = (ON, _AT, _COMMENT, _PHRASE, _SET)

_MIGRATE = Verb(
    "migrate",
    "copy all threads to another store",
    (
        arg("target", metavar="STORE", help="a database URL, or `home`"),
        arg("--from", dest="origin", metavar="STORE", help="the one in use where left out"),
    ),
    ("threads migrate postgresql+psycopg:///team", "threads migrate home --from postgresql:///t"),
    reads=True,
)
_VERIFY = Verb(
    "verify",
    "read all threads and say what is damaged or missing",
    (),
    ("threads verify",),
    reads=True,
)
_ACCEPT = Verb(
    "accept",
    "go on with what is there of a thread that lost events",
    (THREAD, ON),
    ("threads accept thr_1f0c2a",),
)

VERBS: tuple[Verb, ...] = (
    Verb(
        "route",
        "say what an intent resolves to; nothing is started",
        (
            arg("intent", nargs="+", help="what you want, in your own words"),
            arg("--why", action="store_true", help="show what decided"),
        ),
        ('route "secure my data"', 'route "what\'s the syntax for masking" --why'),
        reads=True,
    ),
    Verb(
        "run",
        "start a thread and go on to the next pause",
        (
            arg("goal", nargs="+", metavar="TARGET-or-INTENT", help="a playbook, or your words"),
            _DRY_RUN,
            _SAMPLE,
            arg(
                "--input",
                dest="inputs",
                action="append",
                default=[],
                metavar="NAME=VALUE",
                help="an input of the playbook",
            ),
            arg("--answers", metavar="FILE", help="YAML of answers by pause, for unattended use"),
            arg("--until", metavar="STEP", help="stop before this step"),
            arg("--thread", metavar="THREAD", help="name the thread; goes on when it exists"),
        ),
        (
            "run playbooks/secure-sensitive-data --input target_scope=PROD.CUSTOMER_DATA",
            'run "secure my data" --dry-run',
        ),
        reads=True,
        asks=True,
        unfolds=BOTH,
    ),
    Verb(
        "next",
        "go on with the newest thread",
        (THREAD, ON),
        ("next",),
        reads=True,
        asks=True,
        unfolds=BOTH,
    ),
    Verb(
        "resume",
        "go on with a thread, here",
        (THREAD, ON),
        ("resume thr_0123456789ab",),
        reads=True,
        asks=True,
        unfolds=BOTH,
    ),
    Verb(
        "require",
        "stop with a one-line error unless the thread is completed",
        (THREAD, ON),
        ("require secure",),
    ),
    Verb(
        "respond",
        "answer the open pause",
        (arg("choice", help="the id of an option"), *_ANSWER),
        ("respond approve", "respond modify --set confidence=MEDIUM"),
        reads=True,
        asks=True,
        unfolds=BOTH,
    ),
    Verb(
        "approve",
        "take the proposal of the open pause",
        _ANSWER,
        ("approve",),
        reads=True,
        asks=True,
        unfolds=BOTH,
    ),
    Verb(
        "approve_remaining",
        "approve this and later review checkpoints",
        _ANSWER,
        ("approve_remaining --at 5",),
        reads=True,
        asks=True,
        unfolds=BOTH,
    ),
    Verb(
        "modify",
        "change inputs; every step that read them is done again",
        _ANSWER,
        ("modify --set k=v",),
        reads=True,
        asks=True,
        unfolds=BOTH,
    ),
    Verb(
        "abort",
        "stop the thread; cleanup is offered",
        _ANSWER,
        ("abort",),
        reads=True,
        asks=True,
        unfolds=BOTH,
    ),
    Verb(
        "different-approach",
        "find another way; say the goal again with --comment",
        _ANSWER,
        ('different-approach --comment "only tag the columns"',),
        reads=True,
        asks=True,
        unfolds=BOTH,
    ),
    Verb(
        "threads",
        "list the threads, newest first",
        (
            arg("--page", type=int, default=1, metavar="N", help="older ones, fifty a page"),
            arg("--all", action="store_true", help="all of them, however many"),
            arg("--import", dest="source", metavar="FILE", help="keep YAML as a new thread"),
        ),
        (
            "threads",
            "threads --page 2",
            "threads --import thread.yaml",
            "threads migrate postgresql+psycopg:///team",
        ),
        reads=True,
        verbs=(_MIGRATE, _VERIFY, _ACCEPT),
        optional_verb=True,
    ),
    STATUS,
    Verb(
        "show",
        "show a thread's events, or a skill",
        (
            arg(
                "subject",
                nargs="?",
                action=OneThread,
                default=argparse.SUPPRESS,
                help="a thread id, or primitives/NAME, playbooks/NAME",
            ),
            arg(
                "--thread",
                dest="subject",
                action=OneThread,
                metavar="THREAD",
                help="a thread id",
            ),
            arg("--yaml", action="store_true", help="print the events as YAML"),
            arg("--context", action="store_true", help="print what a model would be told"),
        ),
        ("show thr_0123456789ab --yaml", "show primitives/masking-policies"),
        reads=True,
        unfolds=BOTH,
    ),
    Verb(
        "step",
        "add a sub-step by hand where a thread waits at a step; the SQL is the cell",
        (
            arg("step", metavar="ID", help="the step's id and a letter, such as 3b"),
            arg("statement", nargs="*", help="the SQL, where there is no cell"),
            arg("--role", help="run it as this role"),
            arg("--phrase", help="confirms what it deletes, drops or overwrites"),
            ON,
        ),
        ('step 5b "GRANT SELECT ON TABLE T TO ROLE R" --role SYSADMIN',),
        unfolds=BOTH,
    ),
    Verb(
        "plan",
        "propose a guided plan; the YAML is the file or the cell; with neither, show it",
        (
            arg(
                "file",
                nargs="?",
                metavar="FILE",
                help="goal, and steps: step, action, primitive, sql",
            ),
            ON,
            _DRY_RUN,
            _SAMPLE,
        ),
        ("plan plan.yaml", "plan plan.yaml --dry-run", "plan --thread thr_0123456789ab"),
        reads=True,
        asks=True,
        unfolds=BOTH,
    ),
    Verb(
        "compact",
        "archive a thread so far and sum it up",
        (THREAD, ON),
        ("compact thr_0123456789ab",),
        unfolds=BOTH,
    ),
    Verb(
        "cleanup",
        "offer to take back what an ended thread left",
        (THREAD, ON),
        ("cleanup thr_0123456789ab",),
        reads=True,
        asks=True,
        unfolds=BOTH,
    ),
    Verb(
        "sql",
        "run one SQL statement through the session, read-only",
        (
            arg("statement", nargs="*", help="the SQL; in a notebook, the cell"),
            arg("--role", help="run it as this role"),
        ),
        ('sql "SELECT * FROM PROD.CUSTOMER_DATA.CUSTOMERS LIMIT 3" --role ANALYST',),
        reads=True,
        unfolds=("all",),
    ),
    LOAD,
    Verb(
        "connect",
        "show or choose the account",
        (
            arg("name", nargs="?", help="a connection of Snowflake's own connections.toml"),
            arg("--embedded", action="store_true", help="the account that needs no network"),
            arg("--environment", action="store_true", help="as SNOWFLAKE_ACCOUNT and so on say"),
            arg("--session", metavar="VAR", help="the notebook's own Snowpark session"),
            arg("--production", metavar="REGEX", help="mark accounts that people depend on"),
            arg("--list", action="store_true", help="list the connections"),
            arg("--password", help=argparse.SUPPRESS),
        ),
        ("connect --embedded", "connect my-account", "connect --session session"),
        reads=True,
    ),
    Verb(
        "account",
        "what can be done with the embedded account",
        (),
        ("account reset", "account serve --port 8090", "account export account.sql"),
        verbs=ACCOUNT_VERBS,
    ),
    *LIBRARY_VERBS,
    EVAL,
    Verb(
        "mcp",
        "serve agents over the Model Context Protocol, on standard input and output",
        (
            arg(
                "--delegate",
                choices=("review",),
                help="what agents may answer; plans and critical checkpoints are always yours",
            ),
        ),
        ("mcp", "mcp --delegate review"),
    ),
    Verb(
        "doctor",
        "say what is wrong here; status 4 where a thread could not be driven",
        (
            arg("--grants", metavar="PLAYBOOK", help="print the grants that a role needs for it"),
            arg(
                "--input",
                dest="inputs",
                action="append",
                default=[],
                metavar="NAME=VALUE",
                help="with --grants: an input of the playbook",
            ),
            arg("--role", help="with --grants: what the role is called"),
        ),
        (
            "doctor",
            "doctor --grants secure-sensitive-data --input target_scope=PROD.CUSTOMER_DATA",
        ),
        reads=True,
        unfolds=("all",),
    ),
    Verb(
        "completions",
        "print what makes Tab complete commands, skills and threads in a shell",
        (arg("shell", choices=("bash", "zsh", "fish"), help="the shell"),),
        ("completions bash", "completions fish"),
    ),
    Verb("debug", "show the traceback of the last error", (), ("debug",)),
    Verb("demo", "do the main job from nothing, on a fresh embedded account", (), ("demo",)),
)
"""Every verb, in the order in which help lists them."""
