"""Preflight: what is there, said before any money is spent.

Room: work (bench). A model that cannot be asked stops the run; a backend that is missing does
not, but what it leaves unmeasured is said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from skills_nb.bench.models.answers import FirstContact
from skills_nb.bench.pipeline.cost_estimate import Estimate
from skills_nb.bench.pipeline.options import Attempt, Options
from skills_nb.bench.pipeline.questions import foretold, is_asked
from skills_nb.bench.pipeline.stage_advice import advice
from skills_nb.bench.run_setting import OWN, SALESFORCE, RunSetting
from skills_nb.bench.tasks.loading import TaskSet
from skills_nb.errors import UsageError


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


@dataclass(frozen=True, slots=True)
class ToldBefore:
    """What asking for one token showed; None where nobody was asked."""

    contact: FirstContact | None = None
    """Whether the model answers."""
    estimate: Estimate | None = None
    """What the run will take."""


def findings(
    options: Options, told: ToldBefore, to_answer: int, to_measure: int
) -> tuple[Finding, ...]:
    """Return what preflight finds.

    Args:
        options: the run as it was asked for.
        told: what asking for one token showed.
        to_answer: answers that are not there yet.
        to_measure: answers that are not measured yet.
    """
    return (
        *_of_tasks(options.tasks),
        *_of_model(options, told, to_answer),
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


def _of_model(options: Options, told: ToldBefore, to_answer: int) -> Iterator[Finding]:
    if all(task.type in OWN for task in options.tasks.tasks):
        return
    found, trouble = options.generator.check()
    if not trouble and told.contact is not None:
        trouble = ": ".join(filter(None, (told.contact.trouble, told.contact.hint)))
    is_needed = to_answer > 0
    yield Finding(
        "model", f"{options.model} ({options.generator.provider}), {found}", trouble, is_needed
    )
    if told.estimate is not None and not trouble:
        yield Finding("cost", told.estimate.line)


def told_before(options: Options, items: Sequence[Attempt]) -> ToldBefore:
    """Return what one token tells of the model, where there is something to ask it.

    Nothing is asked where the generator says by itself that it cannot be.
    """
    is_own = all(task.type in OWN for task in options.tasks.tasks)
    if is_own or not items or options.generator.check()[1]:
        return ToldBefore()
    return ToldBefore(*foretold(items, options))


def require_model(options: Options, told: ToldBefore) -> None:
    """Stop a run before anything of it is on disk where its model cannot be asked.

    Raises:
        UsageError: it cannot.
    """
    found = [f for f in _of_model(options, told, 1) if f.is_fatal and f.trouble]
    if found:
        options.tell("Preflight")
        for finding in found:
            options.tell(finding.line)
        require_ready(found, options)


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


def require_ready(found: Sequence[Finding], options: Options) -> None:
    """Stop where a run cannot begin.

    Raises:
        UsageError: something that is needed is missing.
    """
    fatal = [finding for finding in found if finding.is_fatal and finding.trouble]
    if fatal:
        said = "; ".join(f"{finding.what}: {finding.trouble}" for finding in fatal)
        raise UsageError(f"preflight failed: {said}", hint="; ".join(_hints(fatal, options)))


def _hints(fatal: Sequence[Finding], options: Options) -> Iterator[str]:
    """Yield what to check, of what this very run needs."""
    whats = {finding.what for finding in fatal}
    if "model" in whats and is_asked(options):
        yield from advice("generation")[:2]
    if any(task.type in SALESFORCE for task in options.tasks.tasks):
        yield from advice("preflight")[1:]
    if "model" in whats and not is_asked(options):
        yield "check --solutions: a folder with a file for each task, or a predictions.jsonl"
