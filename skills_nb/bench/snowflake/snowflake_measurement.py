"""Measuring an answer to a Snowflake task: run it in a fresh sandbox, then look at what it did.

Room: work (bench).

| Component | Means |
|---|---|
| deploy | every statement ran in a fresh sandbox and the state changed |
| tests | assertions, weighted by points, with the invariants taken before the change |
| functional | requirements, each of which fails on the state before |
| bulk | the scaled fixture behaves |
| no_tweaks | what was submitted is what was run, and a second sandbox ends in the same state |
| collateral | nothing was changed that the task's own answer, or one like it, leaves alone |

What this backend lacks is `unsupported` and what breaks around the answer is `error`; neither is
the answer's failure.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from skills_nb.bench.code_fences import sql_of
from skills_nb.bench.contained.tampering import tampering_of_script
from skills_nb.bench.scoring import (
    Component,
    Difference,
    Evidence,
    Scorecard,
    State,
    failed,
    passed,
    unmeasured,
)
from skills_nb.bench.snowflake.check_tally import Tally
from skills_nb.bench.snowflake.collateral import AskedFor, Change, changes
from skills_nb.bench.snowflake.local_files import LocalFiles, scratch
from skills_nb.bench.snowflake.sandbox_checks import (
    GapError,
    difference_of,
    problem_of,
    run_check_statement,
)
from skills_nb.bench.snowflake.sandboxes import ADMIN_ROLE, Sandbox, Sandboxes, run_script
from skills_nb.bench.tasks.expectations import one_line, same_answer, shown_answer
from skills_nb.bench.tasks.task_values import Bulk, Invariant, SnowflakeTask, SqlCheck
from skills_nb.errors import SqlError
from skills_nb.ports import QueryRows
from skills_nb.sql.statements import Statement, split

EMPTY = "the answer is empty"
_STAYS = "what was there stays as it was"
_MOST_TOLD = 8
"""Changes that a reason names; the rest are counted."""
_asked: dict[str, AskedFor] = {}
"""What was asked for, by backend and task."""
_sound: set[str] = set()
"""Tasks whose requirements were seen to prove something, by backend and task."""


class _FixtureError(Exception):
    """The task's own script failed: not the answer's fault."""


def measure(
    task: SnowflakeTask, answer: str, sandboxes: Sandboxes, *, functional: bool = True
) -> Scorecard:
    """Return the components of an answer.

    Args:
        task: what was asked.
        answer: what the model said, fences and all.
        sandboxes: where it is run.
        functional: whether the requirements are looked at.
    """
    script = sql_of(answer)
    if not script.strip():
        return Scorecard.all_of(failed(EMPTY))
    return _Measuring(task, script, sandboxes, functional).card()


@dataclass(slots=True)
class _Measuring:
    """One answer on its way through the sandboxes."""

    task: SnowflakeTask
    script: str
    sandboxes: Sandboxes
    is_functional: bool
    after: str = field(default="", init=False)
    """Fingerprint of the first sandbox after the answer."""
    before_answers: dict[str, QueryRows] = field(default_factory=dict, init=False)
    changed: tuple[Change, ...] | None = field(default=None, init=False)
    """What the answer changed in the first sandbox; None where the backend cannot tell."""
    tried: list[str] = field(default_factory=list, init=False)
    """What the answer reached for on the machine that measures it."""

    def card(self) -> Scorecard:
        """Return the card, with what the answer tried that no answer needs."""
        card = self._card()
        return card.with_tampering([*self.tried, *tampering_of_script(self.script)])

    def _card(self) -> Scorecard:
        """Return the card: deploy decides whether there is anything to look at."""
        statements = split(self.script)
        if not statements:
            return Scorecard.all_of(failed("the answer has no statement"))
        # One sandbox at a time: a real account has room for no second one.
        base = self._base() if self.is_functional else None
        with self.sandboxes.open(self.task) as sandbox:
            deploy = self._guarded(lambda: self._deploy(sandbox, statements))
            if deploy.state is not State.PASS:
                return self._undeployed(deploy)
            card = Scorecard(
                deploy=deploy,
                tests=self._guarded(lambda: self._tests(sandbox)),
                functional=base or self._functional(sandbox),
            )
        return replace(
            self._with_collateral(card),
            bulk=self._guarded(lambda: self._bulk(statements)),
            no_tweaks=self._guarded(lambda: self._no_tweaks(statements)),
        )

    def _undeployed(self, deploy: Component) -> Scorecard:
        """Return the card of an answer that is not in place."""
        if deploy.state is State.FAIL:
            return replace(
                Scorecard.all_of(failed(f"not deployed: {deploy.reason}")), deploy=deploy
            )
        rest = unmeasured(State.NOT_RUN, f"nothing is deployed: {deploy.reason}")
        if deploy.state is State.ERROR:
            rest = unmeasured(State.ERROR, deploy.reason)
        return replace(Scorecard.all_of(rest), deploy=deploy)

    def _guarded(self, measures: Callable[[], Component]) -> Component:
        try:
            return measures()
        except GapError as gap:
            return unmeasured(State.UNSUPPORTED, str(gap))
        except _FixtureError as problem:
            return unmeasured(State.ERROR, str(problem))

    # ---- the sandbox

    def _prepare(self, sandbox: Sandbox, script: str) -> None:
        try:
            run_script(sandbox, script)
        except SqlError as problem:
            if self.sandboxes.is_gap(problem):
                raise GapError(f"the task's setup: {one_line(problem.message)}") from problem
            raise _FixtureError(f"the task's setup: {one_line(problem.message)}") from problem

    def _enter(self, sandbox: Sandbox) -> None:
        """Stand where the answer starts, in a session of its own."""
        task = self.task
        places = [("DATABASE", task.database), ("SCHEMA", task.schema)]
        uses = [f"USE {kind} {name}" for kind, name in places if name]
        sandbox.renew()
        try:
            sandbox.become(task.role)
            for use in (*uses, f"USE WAREHOUSE {task.warehouse}"):
                sandbox.run(use)
        except SqlError as problem:
            raise _FixtureError(f"where it starts: {one_line(problem.message)}") from problem

    def _run(self, sandbox: Sandbox, statements: Sequence[Statement]) -> str:
        """Run the answer's statements; return why one failed, or nothing."""
        with scratch() as files:
            try:
                return self._run_with(sandbox, statements, files)
            finally:
                self.tried += files.tried

    def _run_with(
        self, sandbox: Sandbox, statements: Sequence[Statement], files: LocalFiles
    ) -> str:
        for statement in statements:
            try:
                sandbox.run(files.contained(statement.text, statement.line))
            except SqlError as problem:
                said = f"line {statement.line}: {one_line(files.told(problem.message))}"
                if self.sandboxes.is_gap(problem):
                    raise GapError(said) from problem
                return said
        return ""

    def _ask(self, sandbox: Sandbox, sql: str, role: str) -> QueryRows | SqlError:
        return run_check_statement(sandbox, self.sandboxes, sql, role)

    def _problem(self, sandbox: Sandbox, check: SqlCheck) -> str:
        return problem_of(sandbox, self.sandboxes, check)

    # ---- what nobody asked for

    def _with_collateral(self, card: Scorecard) -> Scorecard:
        """Return the card with what the answer changed beside what was asked for."""
        if self.changed is None:
            said = f"the backend {self.sandboxes.backend} does not tell everything that it holds"
            return replace(card, collateral=unmeasured(State.NOT_RUN, said))
        try:
            undue = self._asked_for().undue(self.changed)
        except GapError as gap:
            return replace(card, collateral=unmeasured(State.UNSUPPORTED, str(gap)))
        except _FixtureError as problem:
            return replace(card, collateral=unmeasured(State.ERROR, str(problem)))
        proof = Evidence(
            f"{len(self.changed)} changes compared with those of the task's own answer",
            command="inventory before and after",
            exit_status=1 if undue else 0,
            count=len(self.changed),
        )
        if not undue:
            return replace(card, collateral=passed(proof))
        told = [change.told() for change in undue]
        more = f"; and {len(told) - _MOST_TOLD} more" if len(told) > _MOST_TOLD else ""
        return replace(
            card,
            collateral=failed("; ".join(told[:_MOST_TOLD]) + more, proof),
            is_destructive=any(change.is_loss for change in undue),
        )

    def _asked_for(self) -> AskedFor:
        """Return what the task's own answer changes, looked at once for a task."""
        key = self._task_key()
        if key not in _asked:
            gold = _Measuring(self.task, sql_of(self.task.gold), self.sandboxes, False)
            _asked[key] = AskedFor(gold.own_changes(), frozenset(self.task.allows))
        return _asked[key]

    def own_changes(self) -> tuple[Change, ...]:
        """Return what the script changes in a sandbox of its own."""
        with self.sandboxes.open(self.task) as sandbox:
            deploy = self._deploy(sandbox, split(self.script))
        if deploy.state is not State.PASS or self.changed is None:
            reason = deploy.reason or "the backend tells nothing of it"
            raise _FixtureError(f"the task's own answer: {reason}")
        return self.changed

    # ---- components

    def _deploy(self, sandbox: Sandbox, statements: Sequence[Statement]) -> Component:
        self._prepare(sandbox, self.task.setup)
        self._take_invariants(sandbox)
        self._enter(sandbox)
        before, held = sandbox.fingerprint(), sandbox.inventory()
        trouble = self._run(sandbox, statements)
        proof = self._proof(statements, 1 if trouble else 0)
        if trouble:
            return failed(trouble, proof)
        sandbox.renew()
        self.after = sandbox.fingerprint()
        holds = sandbox.inventory()
        self.changed = None if held is None or holds is None else changes(held, holds)
        if self.after == before:
            return failed("every statement ran and nothing changed", proof)
        return passed(proof)

    def _proof(self, statements: Sequence[Statement], status: int) -> Evidence:
        return Evidence(
            "statements run in a fresh sandbox",
            command=one_line(statements[0].text, 80),
            exit_status=status,
            sha256=_sha256(self.script),
            count=len(statements),
        )

    def _take_invariants(self, sandbox: Sandbox) -> None:
        for invariant in self.task.invariants:
            found = self._ask(sandbox, invariant.sql, invariant.role)
            if isinstance(found, SqlError):
                reason = one_line(found.message)
                raise _FixtureError(f"invariant '{invariant.id}': {reason}")
            self.before_answers[invariant.id] = found

    def _tests(self, sandbox: Sandbox) -> Component:
        found = [(i, self._changed(sandbox, i)) for i in self.task.invariants]
        held = Tally.of(found)
        return held.plus(self._held(sandbox, self.task.checks)).component("assertions")

    def _changed(self, sandbox: Sandbox, invariant: Invariant) -> Difference | None:
        found = self._ask(sandbox, invariant.sql, invariant.role)
        before = self.before_answers[invariant.id]
        shown = shown_answer(before), shown_answer(found)
        if isinstance(found, SqlError):
            return Difference(invariant.id, _STAYS, f"refused: {one_line(found.message)}", *shown)
        if same_answer(before, found):
            return None
        return Difference(invariant.id, _STAYS, "changed", *shown)

    def _held(self, sandbox: Sandbox, checks: Sequence[SqlCheck]) -> Tally:
        return Tally.of(
            [(check, difference_of(sandbox, self.sandboxes, check)) for check in checks]
        )

    def _base(self) -> Component | None:
        """Return why the requirements prove nothing, or None; looked at until they are sound."""
        if self._task_key() in _sound:
            return None
        try:
            already = self.holding_before()
        except GapError as gap:
            return unmeasured(State.UNSUPPORTED, str(gap))
        except _FixtureError as problem:
            return unmeasured(State.ERROR, str(problem))
        if not already:
            _sound.add(self._task_key())
            return None
        said = f"true before anything was done, so it proves nothing: {', '.join(already)}"
        return unmeasured(State.ERROR, said)

    def _task_key(self) -> str:
        return f"{self.sandboxes.backend} {_sha256(repr(self.task))}"

    def _functional(self, sandbox: Sandbox) -> Component:
        if not self.is_functional:
            return unmeasured(State.NOT_RUN, "asked for with --functional")
        return self._guarded(
            lambda: self._held(sandbox, self.task.requirements).component("requirements")
        )

    def holding_before(self) -> tuple[str, ...]:
        """Return the ids of requirements that hold on the state before."""
        with self.sandboxes.open(self.task) as base:
            self._prepare(base, self.task.setup)
            return tuple(
                check.id for check in self.task.requirements if not self._problem(base, check)
            )

    def _bulk(self, statements: Sequence[Statement]) -> Component:
        bulk = self.task.bulk
        if bulk is None:
            return unmeasured(State.NOT_APPLICABLE, "the task has no scaled fixture")
        with self.sandboxes.open(self.task) as sandbox:
            self._prepare(sandbox, self.task.setup)
            if bulk.is_before:
                self._fill(sandbox, bulk)
            self._enter(sandbox)
            trouble = self._run(sandbox, statements)
            if trouble:
                return failed(trouble, self._proof(statements, 1))
            sandbox.renew()
            late = "" if bulk.is_before else self._arrive(sandbox, bulk)
            if late:
                return failed(f"rows that arrive later: {late}", self._proof(statements, 1))
            rows = self._count(sandbox, bulk)
            return self._held(sandbox, bulk.checks).component("checks on the scaled fixture", rows)

    def _fill(self, sandbox: Sandbox, bulk: Bulk) -> None:
        self._prepare(sandbox, bulk.setup)
        rows = self._count(sandbox, bulk)
        if rows < bulk.rows:
            raise _FixtureError(f"the scaled fixture has {rows} rows and promises {bulk.rows}")

    def _arrive(self, sandbox: Sandbox, bulk: Bulk) -> str:
        """Bring the rows after the answer; return why that was refused, or nothing."""
        for statement in split(bulk.setup):
            found = self._ask(sandbox, statement.text, ADMIN_ROLE)
            if isinstance(found, SqlError):
                return one_line(found.message)
        return ""

    def _count(self, sandbox: Sandbox, bulk: Bulk) -> int:
        """Return how many rows are there; 0 where the answer took them away."""
        found = self._ask(sandbox, bulk.count, ADMIN_ROLE)
        if isinstance(found, SqlError) or len(found.rows) != 1 or found.rows[0][0] is None:
            return 0
        return int(found.rows[0][0])

    def _no_tweaks(self, statements: Sequence[Statement]) -> Component:
        """Replay what was submitted in a second sandbox and compare what it leaves."""
        with self.sandboxes.open(self.task) as second:
            self._prepare(second, self.task.setup)
            for invariant in self.task.invariants:
                self._ask(second, invariant.sql, invariant.role)
            self._enter(second)
            second.fingerprint()
            trouble = self._run(second, statements)
            if trouble:
                return failed(f"the second run failed: {trouble}", self._proof(statements, 1))
            second.renew()
            again = second.fingerprint()
        proof = Evidence(
            "what was submitted is what was run, twice",
            command="replay",
            exit_status=0 if again == self.after else 1,
            sha256=_sha256(self.script),
            count=len(statements),
        )
        return passed(proof) if again == self.after else failed("two runs differ", proof)


def holding_before(task: SnowflakeTask, sandboxes: Sandboxes) -> tuple[str, ...]:
    """Return the ids of requirements that hold before anything is done: they prove nothing."""
    return _Measuring(task, "", sandboxes, True).holding_before()


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
