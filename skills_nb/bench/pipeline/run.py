"""A run from preflight to reports; killed anywhere, it goes on where it was.

Room: work (bench). Answers are journaled before anything is done with them, cards as soon as they
are there; only what is in neither is done (again).
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from skills_nb.bench.journal import write_whole
from skills_nb.bench.models.answers import Answer
from skills_nb.bench.pipeline import preflight
from skills_nb.bench.pipeline.cost_estimate import Estimate, Question
from skills_nb.bench.pipeline.instances import (
    SECONDS,
    SHOWN,
    TROUBLE,
    measure_instance,
    observe_instance,
)
from skills_nb.bench.pipeline.options import Attempt, Options
from skills_nb.bench.pipeline.preflight import Finding, ToldBefore
from skills_nb.bench.pipeline.questions import is_asked, messages_of, question_of
from skills_nb.bench.pipeline.run_record import MANIFEST, Record, holds_a_run
from skills_nb.bench.pipeline.stage_advice import Stage, advice
from skills_nb.bench.pipeline.workers import each
from skills_nb.bench.reports.report_files import write_reports
from skills_nb.bench.run_setting import OWN
from skills_nb.bench.scoring import Scorecard, State, card_of
from skills_nb.bench.tasks.scripted_turns import one_script
from skills_nb.bench.tasks.task_values import SnowflakeTask
from skills_nb.errors import SkillsError
from skills_nb.llm import ModelError

_FIRST = 5
"""After so many answers it is said again what a run takes."""


@dataclass(frozen=True, slots=True)
class FinishedRun:
    """A run that came to its end, whether or not everything could be measured."""

    folder: Path
    """Where all of it was written."""
    report: dict[str, Any]
    """As `report.json` holds it."""
    results: list[dict[str, Any]]
    """One graded answer each, as `results.jsonl` holds them."""
    summary: str
    """The report as text, for people."""
    left: int
    """Instances that something around them broke; they are done again on resume."""


def evaluate(options: Options) -> FinishedRun:
    """Do what is left of a run and write its reports.

    Raises:
        UsageError: preflight found that it cannot begin, or the directory is about another run.
    """
    told = None
    if not options.is_resume_required and not holds_a_run(options.output):
        # A directory is bound to a model only once that model is known to answer.
        told = preflight.told_before(options, options.items())
        preflight.require_model(options, told)
    record = Record(options)
    try:
        run = _Run(options, record)
        run.preflight(told)
        run.validate()
        run.generate()
        run.execute()
        return run.report()
    finally:
        record.close()


@dataclass(slots=True)
class _Run:
    options: Options
    record: Record
    estimate: Estimate | None = None
    """What the questions that were open when it began take."""

    @property
    def _items(self) -> tuple[Attempt, ...]:
        return self.record.items()

    # ---- 1 preflight

    def preflight(self, told: ToldBefore | None) -> None:
        """Say what is there before any money is spent, and stop where that is not enough.

        Args:
            told: what one token told before the directory was bound; None for a run that goes on.
        """
        to_measure = [item for item in self._items if item.key not in self.record.cards]
        to_answer = self._unanswered()
        told = told or preflight.told_before(self.options, to_answer)
        found = preflight.findings(self.options, told, len(to_answer), len(to_measure))
        self.estimate = told.estimate
        self.options.tell("Preflight")
        for finding in found:
            self.options.tell(finding.line)
        preflight.require_ready(found, self.options)
        self._delete_left_over()
        self._write_manifest(found)

    def _write_manifest(self, found: Sequence[Finding]) -> None:
        manifest = {
            "evaluation_id": self.record.evaluation_id,
            "began": self.record.began,
            "identity": self.options.identity(),
            "about": self.record.about(),
            "task_digests": {task.id: task.digest for task in self.options.tasks.tasks},
            "preflight": [finding.line.strip() for finding in found],
        }
        text = json.dumps(manifest, ensure_ascii=False, indent=2) + "\n"
        write_whole(self.record.folder / MANIFEST, text.encode())

    def validate(self) -> None:
        """Show on this backend that each task's own gold is right, before a model is asked.

        A task whose gold fails would measure the backend and not the model: it is listed, and
        not run.
        """
        asked = [
            Attempt(task, 0)
            for task in self.options.tasks.tasks
            if isinstance(task.body, SnowflakeTask) and task.id not in self.record.validity
        ]
        for item, found in each(asked, self._gold, self.options.workers, self.options.executor):
            self.record.validated(item.task.id, _gold_trouble(found))
        for name, trouble in sorted(self.record.validity.items()):
            if trouble:
                self.options.tell(f"  !  not valid here  {name}: {trouble}")

    def _gold(self, executor: Any, item: Attempt) -> Any:
        assert isinstance(item.task.body, SnowflakeTask), "only these are validated"
        whole = replace(self.options.setting, functional=True)
        gold = Answer.scripted(item.task.body.gold)
        return executor.submit(measure_instance, item.task, gold, 0, whole)

    def _delete_left_over(self) -> None:
        """Delete scratch orgs that a killed process of this run left behind."""
        if not self.options.setting.dev_hub:
            return
        from skills_nb.bench.salesforce.orgs import delete_left_over
        from skills_nb.bench.salesforce.readiness import usernames_by_alias

        for username in delete_left_over(self.record.folder, usernames_by_alias()):
            self.options.tell(f"  !  scratch org {username} of this run could not be deleted")

    def _unanswered(self) -> list[Attempt]:
        return [
            item
            for item in self._items
            if not self.record.is_answered(item) and item.task.type not in OWN
        ]

    # ---- 2 generation

    def generate(self) -> None:
        """Ask for what has no answer yet, turn after turn.

        A round asks for one turn of each attempt, after showing what its last one answered; what
        neither could be shown nor asked for is left, and gone on with on resume.
        """
        items = self._unanswered()
        if items:
            self.options.tell(f"Generation: {len(items)} to answer")
        first: list[tuple[Question, Answer]] = []
        while items:
            asked = self._ask(self._observed(items), first)
            items = [item for item in asked if not self.record.is_answered(item)]
            if items:
                self.options.tell(f"  {len(items)} go on with another turn")

    def _observed(self, items: Sequence[Attempt]) -> list[Attempt]:
        """Find out what last turns answered, where there were any; return what can be asked."""
        unseen = [item for item in items if self._is_unseen(item)]
        if not unseen:
            return list(items)
        lost = set()
        for item, found in each(unseen, self._look, self.options.workers, self.options.executor):
            shown = found.get(SHOWN) if isinstance(found, dict) else None
            if shown is not None:
                self.record.observed(item, shown)
                continue
            lost.add(item.key)
            reason = found[TROUBLE] if isinstance(found, dict) else f"a worker died: {found}"
            self._trouble("generation", item, reason)
        return [item for item in items if item.key not in lost]

    def _is_unseen(self, item: Attempt) -> bool:
        return item.key in self.record.answers and item.key not in self.record.shown

    def _look(self, executor: Any, item: Attempt) -> Any:
        answer = self.record.answers[item.key]
        return executor.submit(observe_instance, item.task, answer, self.options.setting)

    def _ask(self, items: Sequence[Attempt], first: list[tuple[Question, Answer]]) -> list[Attempt]:
        """Ask for a turn of each; return those that have one. The first answers show the cost."""
        done = []
        with ThreadPoolExecutor(max(1, self.options.workers)) as threads:
            waiting = {threads.submit(self._asked, item): item for item in items}
            for future in as_completed(waiting):
                item, found = waiting[future], future.result()
                if isinstance(found, ModelError):
                    self._trouble("generation", item, str(found))
                    continue
                answer, question = found
                self.record.answered(item, answer)
                self._keep_solution(item, self.record.answers[item.key])
                done.append(item)
                first.append((question, answer))
                if len(first) == _FIRST and len(items) > _FIRST:
                    self._tell_cost_again(first)
        return done

    def _tell_cost_again(self, first: Sequence[tuple[Question, Answer]]) -> None:
        """Say what all of it will take, by what the first answers took."""
        if self.estimate is not None:
            again = self.estimate.revised(first)
            if again != self.estimate:
                self.options.tell(f"  cost: {again.line}")

    def _asked(self, item: Attempt) -> tuple[Answer, Question] | ModelError:
        clock = self.options.clock
        try:
            messages = messages_of(item, self.options, self.record.earlier(item))
            began = clock.monotonic()
            answer = self.options.generator.answer(item.task, messages, item.attempt)
        except ModelError as problem:
            return problem
        except (SkillsError, OSError, subprocess.SubprocessError) as problem:
            return ModelError(f"before the model was asked: {problem}")
        if is_asked(self.options):
            answer = replace(answer, seconds=round(clock.monotonic() - began, 3))
        return answer, question_of(item, messages)

    def _keep_solution(self, item: Attempt, answer: Answer) -> None:
        folder = self.record.folder / "solutions" / item.task.id / str(item.attempt)
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / "answer.txt", one_script(answer.turns).encode())
        for number, turn in enumerate(answer.turns if item.task.turns > 1 else (), 1):
            write_whole(folder / f"turn-{number}.txt", turn.encode())

    # ---- 3 and 4 execution and validation

    def execute(self) -> None:
        """Measure what is answered and not measured yet."""
        items = [item for item in self._items if self._is_ready(item)]
        for left in range(self.options.tries, 0, -1):
            if items:
                self.options.tell(f"Execution: {len(items)} to measure")
            items = self._measure(items, is_last=left == 1)

    def _is_ready(self, item: Attempt) -> bool:
        if item.key in self.record.cards:
            return False
        return self.record.is_answered(item) or item.task.type in OWN

    def _measure(self, items: Sequence[Attempt], *, is_last: bool) -> list[Attempt]:
        """Measure items; return those that something around them broke."""
        broken: list[Attempt] = []
        done = each(items, self._submitted, self.options.workers, self.options.executor)
        for item, found in done:
            card = None if isinstance(found, BaseException) else card_of(found)
            if card is not None and not card.has_error:
                self._measured(item, card, found)
                continue
            broken.append(item)
            if is_last:
                reason = f"a worker died: {found}" if card is None else _first_error(card)
                self._trouble("validation", item, reason)
        return broken

    def _submitted(self, executor: Any, item: Attempt) -> Any:
        answer = self.record.answers.get(item.key, Answer(""))
        return executor.submit(
            measure_instance, item.task, answer, item.attempt, self.options.setting
        )

    def _measured(self, item: Attempt, card: Scorecard, document: Any) -> None:
        seconds = document.pop(SECONDS, None)
        self.record.measured(item, document, seconds)
        self._keep_solution(item, self.record.answers.get(item.key, Answer("")))
        folder = self.record.folder / "instances" / item.task.id / str(item.attempt)
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / "card.json", (json.dumps(document, indent=2) + "\n").encode())
        self.options.tell(f"  {card.verdict:<13}{float(card.lower):6.4g} %  {item.name}")
        if item.task.type in OWN:
            return
        if card.deploy.state is State.FAIL and self.record.answers.get(item.key, Answer("")).text:
            self._advise("deployment", item, card.deploy.reason)
        elif State.FAIL in (card.tests.state, card.functional.state):
            self._advise("validation", item, card.functional.reason or card.tests.reason)

    def _trouble(self, stage: Stage, item: Attempt, reason: str) -> None:
        self.record.troubled(item, stage, reason)
        self.options.tell(f"  error        {item.name}: {reason}")
        self._advise(stage, item, "")

    def _advise(self, stage: Stage, item: Attempt, reason: str) -> None:
        if reason:
            self.options.tell(f"    {stage}: {reason}")
        place = str(self.record.folder)
        task = item.task
        for line in advice(stage, task.type, run=place, task=task.id, attempt=item.attempt):
            self.options.tell(f"      {line}")

    # ---- 5 scoring and reports

    def report(self) -> FinishedRun:
        """Write everything that is derived."""
        self.record.save()
        results = self.record.results()
        identity = self.options.identity()
        invalid = [
            {"task": name, "reasons": [trouble]}
            for name, trouble in sorted(self.record.validity.items())
            if trouble
        ]
        invalid += [
            {"task": bad.task, "reasons": list(bad.reasons)} for bad in self.options.tasks.invalid
        ]
        told = {**identity, **self.record.about()}
        report, summary = write_reports(self.record.folder, told, results, invalid)
        left = sum(item.key not in self.record.cards for item in self._items)
        return FinishedRun(self.record.folder, report, results, summary, left)


def _gold_trouble(found: dict[str, Any] | BaseException) -> str:
    """Return why gold is not right, or nothing."""
    if isinstance(found, BaseException):
        return f"gold: a worker died: {found}"
    card = card_of(found)
    bad = [f"{name} is {part.state}: {part.reason}" for name, part in card.parts()
           if part.state not in (State.PASS, State.NOT_APPLICABLE)]  # fmt: skip
    return f"gold fails here: {'; '.join(bad)}" if bad else ""


def _first_error(card: Scorecard) -> str:
    return next(part.reason for _, part in card.parts() if part.state is State.ERROR)
