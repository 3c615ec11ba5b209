"""What a playbook does: rehearsed, done, done on a wide scope, and done again.

Room: work (bench).

| Component | Means |
|---|---|
| deploy | the playbook is there and its references resolve |
| tests | the dry run plans its steps and none of its statements would fail |
| functional | done for real, the end state is the one asked for, and it was not so before |
| bulk | on a scope of 200 tables too |
| no_tweaks | done a second time it changes nothing |
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from skills_nb.bench.scoring import (
    Component,
    Evidence,
    Scorecard,
    State,
    failed,
    graded,
    passed,
    unmeasured,
)
from skills_nb.bench.snowflake.check_tally import Tally
from skills_nb.bench.snowflake.embedded_sandboxes import EmbeddedSandbox, EmbeddedSandboxes
from skills_nb.bench.snowflake.sandbox_checks import GapError, difference_of, problem_of
from skills_nb.bench.snowflake.sandboxes import run_script
from skills_nb.bench.tasks.task_values import Bulk, PlaybookTask, SnowflakeTask, SqlCheck
from skills_nb.errors import SkillsError

if TYPE_CHECKING:
    from skills_nb.model.library import Library

_REFERENCE = re.compile(r"(primitives|playbooks)/([a-z0-9-]+)")
_BOXES = EmbeddedSandboxes()


def measure_playbook(task: PlaybookTask, library: Library, *, functional: bool) -> Scorecard:
    """Return the components of a playbook."""
    measuring = _Measuring(task, library)
    deploy = measuring.references()
    if deploy.state is not State.PASS:
        return Scorecard.all_of(deploy)
    off = unmeasured(State.NOT_RUN, "asked for with --functional")
    return Scorecard(
        deploy=deploy,
        tests=_guarded(measuring.rehearsed),
        functional=_guarded(measuring.done) if functional else off,
        bulk=_guarded(measuring.wide),
        no_tweaks=_guarded(measuring.again),
    )


def _guarded(measures: Any) -> Component:
    try:
        found: Component = measures()
    except GapError as gap:
        return unmeasured(State.UNSUPPORTED, str(gap))
    except SkillsError as problem:
        return failed(problem.message)
    return found


@dataclass(frozen=True, slots=True)
class _Measuring:
    task: PlaybookTask
    library: Library

    def references(self) -> Component:
        """Return whether the playbook is there with everything that it refers to."""
        playbook = self.library.playbooks.get(self.task.playbook)
        if playbook is None:
            return failed(f"there is no playbook '{self.task.playbook}'")
        text = "\n".join(playbook.sections.values())
        named = sorted({(kind, name) for kind, name in _REFERENCE.findall(text)})
        shelves: dict[str, Any] = {
            "primitives": self.library.primitives,
            "playbooks": self.library.playbooks,
        }
        missing = [f"{kind}/{name}" for kind, name in named if name not in shelves[kind]]
        proof = Evidence(f"{len(named)} references", "library", 0, count=len(named) + 1)
        said = f"not in the library: {', '.join(missing)}"
        return failed(said, proof) if missing else passed(proof)

    def rehearsed(self) -> Component:
        """Return whether the dry run plans steps whose statements would all run."""
        from skills_nb.bench.skills.playbook_driver import dry_run_steps

        with self._account(self.task.setup) as sandbox:
            steps = dry_run_steps(self.task, self.library, sandbox.account)
        bad = [step for step in steps if "WOULD FAIL" in step]
        proof = Evidence("steps planned", "run --dry-run", 1 if bad else 0, count=len(steps))
        return graded(len(steps) - len(bad), len(steps), "; ".join(bad) or "no step", proof)

    def done(self) -> Component:
        """Return whether it leaves the end state that was asked for."""
        with self._account(self.task.setup) as before:
            held = [c.id for c in self.task.requirements if not problem_of(before, _BOXES, c)]
        if held:
            return unmeasured(State.ERROR, f"true before anything was done: {', '.join(held)}")
        with self._account(self.task.setup) as sandbox:
            self._run(sandbox)
            return _held(sandbox, self.task.requirements, len(self.task.requirements))

    def wide(self) -> Component:
        """Return whether it works on many tables too."""
        bulk = self.task.bulk
        if bulk is None:
            return unmeasured(State.NOT_APPLICABLE, "the task has no scaled fixture")
        with self._account(self.task.setup) as sandbox:
            run_script(sandbox, bulk.setup)
            rows = _count(sandbox, bulk)
            if rows < bulk.rows:
                return unmeasured(State.ERROR, f"the fixture has {rows}, promises {bulk.rows}")
            self._run(sandbox)
            return _held(sandbox, bulk.checks, rows)

    def again(self) -> Component:
        """Return whether a second run leaves everything as the first did."""
        from skills_nb.embedded.catalog.difference import difference_of

        with self._account(self.task.setup) as sandbox:
            self._run(sandbox)
            with sandbox.account.snapshot_without_rows() as first:
                self._run(sandbox)
                found = difference_of(first.catalog, sandbox.account.catalog)
        changed = [str(o["fqn"]) for o in (*found.created, *found.modified, *found.dropped)]
        proof = Evidence("done twice", "run", 1 if changed else 0, count=2)
        said = f"the second run changed {', '.join(changed[:5])}"
        return failed(said, proof) if changed else passed(proof)

    @contextmanager
    def _account(self, setup: str) -> Iterator[EmbeddedSandbox]:
        with _BOXES.open(SnowflakeTask(setup, "", ())) as sandbox:
            run_script(sandbox, setup)
            yield sandbox

    def _run(self, sandbox: EmbeddedSandbox) -> None:
        from skills_nb.bench.skills.playbook_driver import drive_playbook

        drive_playbook(self.task, self.library, sandbox.account)
        sandbox.renew()


def _held(sandbox: EmbeddedSandbox, checks: Sequence[SqlCheck], count: int) -> Component:
    held = Tally.of([(check, difference_of(sandbox, _BOXES, check)) for check in checks])
    status = 1 if held.troubles else 0
    proof = Evidence("end state looked at", "requirements", status, count=count)
    made = graded(held.earned, held.possible, "; ".join(held.troubles), proof)
    return replace(made, differences=held.differences)


def _count(sandbox: EmbeddedSandbox, bulk: Bulk) -> int:
    sandbox.become("ACCOUNTADMIN")
    return int(sandbox.run(bulk.count).rows[0][0])
