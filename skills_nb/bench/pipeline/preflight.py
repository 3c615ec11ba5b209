"""Preflight: what is there, said before any money is spent.

Room: work (bench). A model that cannot be asked stops the run; a backend that is missing does
not, but what it leaves unmeasured is said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from skills_nb.bench.models.answers import Generator
from skills_nb.bench.models.generators import FREE
from skills_nb.bench.pipeline.options import Options
from skills_nb.bench.pipeline.stage_advice import advice
from skills_nb.bench.run_setting import OWN, SALESFORCE, RunSetting
from skills_nb.bench.tasks.loading import TaskSet
from skills_nb.errors import UsageError

_CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of preflight."""

    what: str
    """What was looked at, in a word."""
    found: str
    """What it is like, for people."""
    trouble: str = ""
    """Why it is not as it should be; empty where it is."""
    is_fatal: bool = False
    """Whether trouble with it forbids the run."""

    @property
    def line(self) -> str:
        """Return it for a terminal."""
        sign = "x" if self.is_fatal and self.trouble else "!" if self.trouble else "ok"
        return f"  {sign:<3}{self.what:<18}{self.found}" + (
            f": {self.trouble}" if self.trouble else ""
        )


def findings(options: Options, to_answer: int, to_measure: int) -> tuple[Finding, ...]:
    """Return what preflight finds; asking costs nothing."""
    return (
        *_of_tasks(options.tasks),
        *_of_model(options, to_answer),
        *_of_salesforce(options),
        *_of_backends(options.setting, options.tasks),
        Finding(
            "to do", f"{to_answer} to answer, {to_measure} to measure, {options.workers} at a time"
        ),
    )


def _of_tasks(tasks: TaskSet) -> Iterator[Finding]:
    kinds = Counter(task.type.value for task in tasks.tasks)
    shown = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    trouble = "" if tasks.tasks else "no task can be used"
    yield Finding("tasks", f"{len(tasks.tasks)} valid in {tasks.name} ({shown})", trouble, True)
    for bad in tasks.invalid:
        yield Finding("invalid task", bad.task, "; ".join(bad.reasons))


def _of_model(options: Options, to_answer: int) -> Iterator[Finding]:
    if all(task.type in OWN for task in options.tasks.tasks):
        return
    found, trouble = options.generator.check()
    is_needed = to_answer > 0
    yield Finding(
        "model", f"{options.model} ({options.generator.provider}), {found}", trouble, is_needed
    )
    if to_answer and is_asked(options.generator):
        yield Finding("cost", _cost(options, to_answer))


def _cost(options: Options, to_answer: int) -> str:
    told = sum(len(task.prompt) for task in options.tasks.tasks) * options.attempts
    least = told // _CHARACTERS_PER_TOKEN
    return f"{to_answer} calls; prompts of at least {least} tokens; price unknown before the bill"


def _of_salesforce(options: Options) -> Iterator[Finding]:
    if not any(task.type in SALESFORCE for task in options.tasks.tasks):
        return
    from skills_nb.bench.salesforce.readiness import readiness

    for what, found, trouble in readiness(options.setting):
        yield Finding(what, found, trouble, is_fatal=options.setting.salesforce != "offline")


def _of_backends(setting: RunSetting, tasks: TaskSet) -> Iterator[Finding]:
    said = setting.backend(tasks)
    trouble = ""
    if "offline" in said:
        trouble = "offline, deploys and Apex are not run: such verdicts stay undetermined"
    yield Finding("backend", said, trouble)
    if "simulated" in said:
        yield Finding("simulated", "the org is on this machine", "nothing of this is a result")
    if not setting.functional and any(task.type not in OWN for task in tasks.tasks):
        yield Finding("functional", "off", "the ceiling is 50 %, so nothing can pass: --functional")


def require_ready(found: Sequence[Finding]) -> None:
    """Stop where a run cannot begin.

    Raises:
        UsageError: something that is needed is missing.
    """
    fatal = [finding for finding in found if finding.is_fatal and finding.trouble]
    if fatal:
        said = "; ".join(f"{finding.what}: {finding.trouble}" for finding in fatal)
        raise UsageError(f"preflight failed: {said}", hint="; ".join(advice("preflight")))


def is_asked(generator: Generator) -> bool:
    """Return whether a generator costs something."""
    return generator.provider not in FREE
