"""What a task is, by what its answer changes: an account, a repository, or nothing but a choice.

Room: work (bench). Pure.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, TypeAlias

from skills_nb.bench.tasks.expectations import Expectation


class TaskType(StrEnum):
    """Kinds of tasks. Spec: Task Types."""

    APEX = "apex"
    LWC = "lwc"
    FLOW = "flow"
    ARCHITECTURE = "architecture"
    SNOWFLAKE = "snowflake"
    ROUTING = "routing"
    """Where the library sends an intent."""
    PLAYBOOK = "playbook"
    """What a playbook of the library does."""


# ---- Snowflake

NOOP = "CREATE DATABASE UNRELATED_CHANGE;"


@dataclass(frozen=True, slots=True)
class Step:
    """A statement, or several, that happen before something is looked at."""

    sql: str
    """One statement or several, which must succeed."""
    role: str
    """Stored name of the role that does it."""


@dataclass(frozen=True, slots=True)
class SqlCheck:
    """One thing that must hold: do something, look as somebody, compare."""

    id: str
    """Unique in its task."""
    says: str
    """What must hold, as a sentence."""
    sql: str
    """One statement: a query, or a change that must be refused."""
    expect: Expectation
    """What it must answer."""
    role: str = "ACCOUNTADMIN"
    """Stored name of the role that looks."""
    do: tuple[Step, ...] = ()
    """What happens first, such as an insert or the run of a task."""
    points: int = 1
    """Its weight among the checks of its component."""


@dataclass(frozen=True, slots=True)
class Invariant:
    """A query whose answer is the same before and after the change."""

    id: str
    """Unique in its task."""
    sql: str
    """One query, run before and after the answer."""
    role: str = "ACCOUNTADMIN"
    """Stored name of the role that looks."""
    points: int = 1
    """Its weight among the checks of its component."""


@dataclass(frozen=True, slots=True)
class Bulk:
    """The scaled fixture and what must hold on it."""

    rows: int
    """How many rows the fixture brings; at least 200."""
    setup: str
    """The script that brings them."""
    count: str
    """A query of one number: the rows that are there, at least `rows`."""
    checks: tuple[SqlCheck, ...]
    """What must hold on all of the rows."""
    is_before: bool = True
    """Whether the rows are there before the answer is run, or arrive after it."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """An answer that looks right and is not: it must score below gold."""

    name: str
    """Says in which way it is wrong."""
    text: str
    """The answer, in the form that a model would give."""


@dataclass(frozen=True, slots=True)
class RightAnswer:
    """Another answer that is right: what counts is what it does, not how it is written."""

    name: str
    """Says in which way it differs from gold."""
    text: str
    """The answer, in the form that a model would give."""


@dataclass(frozen=True, slots=True)
class SnowflakeTask:
    """A change of an account: the answer is a SQL script."""

    setup: str
    """The script that makes the state the answer starts from."""
    gold: str
    """A script that does all that was asked for, and nothing else."""
    requirements: tuple[SqlCheck, ...]
    """The outcome that was asked for; each fails before the answer is run."""
    checks: tuple[SqlCheck, ...] = ()
    """Assertions about how it was done, weighted by points."""
    invariants: tuple[Invariant, ...] = ()
    """What the answer must leave as it was."""
    bulk: Bulk | None = None
    """None where the task is not measured on many rows."""
    noop: str = NOOP
    """An answer that changes something, and nothing that was asked for."""
    mutants: tuple[Mutant, ...] = ()
    """Answers that the checks must tell from gold."""
    rights: tuple[RightAnswer, ...] = ()
    """Answers in another form that must earn what gold does."""
    allows: tuple[str, ...] = ()
    """Objects that an answer may change although gold does not, each as `kind NAME`."""
    role: str = "ACCOUNTADMIN"
    """Who runs the answer."""
    database: str | None = None
    """Where the answer starts; None: in no database."""
    schema: str | None = None
    """Schema of `database`; None: in no schema."""
    warehouse: str = "COMPUTE_WH"
    """Stored name of what the answer runs on."""
    turns: int = 1
    """How many turns an answer may have. Whoever has more than one sees what the statements of
    each answered, and is not told how the account was made."""
    owns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Names of what the task makes outside of databases and of its databases, by kind
    (`databases`, `roles`, `warehouses`, `users`): a real account must hold none of them before,
    and is rid of them afterwards."""


# ---- repositories


@dataclass(frozen=True, slots=True)
class Outcome:
    """Something to bring about in an org, and what must be found afterwards."""

    name: str
    """What is brought about, in a few words."""
    script: str = ""
    """Anonymous Apex that is run first; empty where nothing is."""
    query: str = ""
    """SOQL; empty where only the script's success counts."""
    count: str = ""
    """What the number of records must be: `1`, `>= 1`, `!= 0`; empty: at least one."""
    fields: Mapping[str, Any] = field(default_factory=dict)
    """Field to value (or comparison) in every record found."""
    is_negative: bool = False
    """Says what must stay as it was."""

    @property
    def is_guard(self) -> bool:
        """Return whether it holds before the answer too: nothing is earned by keeping it so."""
        return self.is_negative or self.count.strip() in ("0", "= 0", "== 0")


@dataclass(frozen=True, slots=True)
class RepositoryTask:
    """A change of a Salesforce project: the answer is a unified diff."""

    repo_url: str
    """Where the project is cloned from; a relative path is one below the tasks' root."""
    base_commit: str
    """A full SHA."""
    source_dirs: tuple[str, ...] = ("force-app",)
    """What is deployed."""
    apex_tests: tuple[str, ...] = ()
    """Test classes, or `Class.method`; empty where the task has no Apex tests."""
    jest_paths: tuple[str, ...] = ()
    """Patterns of Jest test files."""
    jest_tests: tuple[str, ...] = ()
    """Names of Jest tests that must have run and passed."""
    outcomes: tuple[Outcome, ...] = ()
    """The functional check."""
    bulk_script: str = ""
    """Anonymous Apex over at least 200 records."""
    hidden_files: Mapping[str, str] = field(default_factory=dict)
    """Files written over whatever the answer left at their paths."""
    protected: tuple[str, ...] = ()
    """Paths brought back to the base commit after the patch: tests and configuration."""
    gold: str = ""
    """A diff that does all that was asked for; empty where the task brings none."""
    mutants: tuple[Mutant, ...] = ()
    """Answers that the checks must tell from gold."""
    setup_timeout_s: int = 600
    """Seconds for cloning and installing."""
    run_timeout_s: int = 300
    """Seconds for deploying and for each run of tests."""
    functional_timeout_s: int = 300
    """Seconds for each script and query of the functional check."""


# ---- the library itself


@dataclass(frozen=True, slots=True)
class RoutingTask:
    """An intent and where an expert would send it."""

    intent: str
    """A person's words."""
    mode: str
    """As `route` names it: `playbook`, `chain`, `clarify`, …."""
    targets: tuple[str | None, ...]
    """Best first; for a chain one per domain, None where it is left open."""
    domains: tuple[str, ...] = ()
    """In the order of execution; empty for `clarify`."""
    accept_modes: tuple[str, ...] = ()
    """Modes that are right as well; empty for `mode` alone."""
    accept_domains: tuple[tuple[str, ...], ...] = ()
    """Other lists of domains that are right as well."""
    paraphrases: tuple[str, ...] = ()
    """The same wish in other words; empty where they are made by rule."""


@dataclass(frozen=True, slots=True)
class PlaybookTask:
    """A playbook, its inputs, and the state that it leaves."""

    playbook: str
    """Its name, without `playbooks/`."""
    inputs: Mapping[str, str]
    """Values by input name, as somebody would type them."""
    setup: str
    """The script that makes the account it works on."""
    requirements: tuple[SqlCheck, ...]
    """What must hold when it is done."""
    bulk: Bulk | None = None
    """None where the task is not measured on many rows."""


Body: TypeAlias = SnowflakeTask | RepositoryTask | RoutingTask | PlaybookTask


@dataclass(frozen=True, slots=True)
class Task:
    """A task of any type."""

    id: str
    """Unique in its source."""
    type: TaskType
    """What the answer is; decides about `body`."""
    prompt: str
    """What the model is told, without how it is measured."""
    body: Body
    """What only tasks of its type have: how it is measured."""
    title: str = ""
    """In a few words, for reports; empty where it has none."""
    domain: str = ""
    """What reports group it by; empty where it has none."""
    level: int = 1
    """1 easy, 2 several steps, 3 traps on the way, 4 to be found out, changed and proved."""
    traps: tuple[str, ...] = ()
    """What a quick answer gets wrong."""
    time_limit_s: int = 600
    """For one attempt at measuring."""
    is_sealed: bool = False
    """Used only where it is asked for by name; a report says so."""

    @property
    def turns(self) -> int:
        """Return how many turns an answer may have."""
        return self.body.turns if isinstance(self.body, SnowflakeTask) else 1

    @property
    def digest(self) -> str:
        """Return the task's identity: a hash over all that decides a score."""
        told = asdict(self)
        # Both show that the task measures; no score rests on them.
        for shown in ("rights", "mutants"):
            told["body"].pop(shown, None)
        # Nor does a score rest on who sees the task.
        told.pop("is_sealed")
        if self.turns == 1:
            # As it was before there were turns: older runs go on, and can be compared.
            told["body"].pop("turns", None)
        text = json.dumps(told, sort_keys=True, ensure_ascii=False, default=str)
        return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class InvalidTask:
    """A task that cannot be used, and why."""

    task: str
    """Its id, or where it stands when it has none."""
    reasons: tuple[str, ...]
    """One sentence each."""
