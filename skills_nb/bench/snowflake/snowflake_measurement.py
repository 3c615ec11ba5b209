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
from typing import Any

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
from skills_nb.bench.snowflake.base_state import BaseState, base_state, task_key
from skills_nb.bench.snowflake.check_tally import Tally
from skills_nb.bench.snowflake.collateral import AskedFor, Change, changes
from skills_nb.bench.snowflake.conversations import (
    FixtureError,
    Ran,
    Script,
    enter,
    prepare,
    run_turns,
    scripts_of,
)
from skills_nb.bench.snowflake.local_files import scratch
from skills_nb.bench.snowflake.sandbox_checks import (
    GapError,
    difference_of,
    run_check_statement,
)
from skills_nb.bench.snowflake.sandboxes import ADMIN_ROLE, Sandbox, Sandboxes
from skills_nb.bench.tasks.expectations import one_line, same_answer, shown_answer
from skills_nb.bench.tasks.scripted_turns import one_script, scripted_turns
from skills_nb.bench.tasks.task_values import Bulk, Invariant, SnowflakeTask, SqlCheck
from skills_nb.errors import SqlError
from skills_nb.ports import QueryRows
from skills_nb.sql.statements import split

EMPTY = "the answer is empty"
_STAYS = "what was there stays as it was"
_MOST_TOLD = 8
"""Changes that a reason names; the rest are counted."""
_asked: dict[str, AskedFor] = {}
"""What was asked for, by backend and task."""


def measure(
    task: SnowflakeTask, turns: tuple[str, ...], sandboxes: Sandboxes, *, functional: bool = True
) -> Scorecard:
    """Return the components of an answer.

    Args:
        task: what was asked.
        turns: what the model said, turn by turn, fences and all.
        sandboxes: where it is run.
        functional: whether the requirements are looked at.
    """
    if not any(sql_of(turn).strip() for turn in turns):
        return Scorecard.all_of(failed(EMPTY))
    return _Measuring(task, turns, sandboxes, functional).card()


def measure_script(
    task: SnowflakeTask, script: str, sandboxes: Sandboxes, *, functional: bool = True
) -> Scorecard:
    """Return the components of an answer that is written as one script, of a turn or several."""
    return measure(task, scripted_turns(script), sandboxes, functional=functional)


def measure_until_wrong(task: SnowflakeTask, script: str, sandboxes: Sandboxes) -> Scorecard:
    """Return the components of a script, without further sandboxes once it is known to be wrong.

    What is left out then is not run.
    """
    if not sql_of(script).strip():
        return Scorecard.all_of(failed(EMPTY))
    return _Measuring(task, scripted_turns(script), sandboxes, True, is_short=True).card()


@dataclass(slots=True)
class _Measuring:
    """One answer on its way through the sandboxes."""

    task: SnowflakeTask
    turns: tuple[str, ...]
    sandboxes: Sandboxes
    is_functional: bool
    is_short: bool = False
    """Whether a wrong answer is measured no further than that shows."""
    scripts: tuple[Script, ...] = field(init=False)
    """The statements of each turn."""
    after: str = field(default="", init=False)
    """Fingerprint of the first sandbox after the answer."""
    changed: tuple[Change, ...] | None = field(default=None, init=False)
    """What the answer changed in the first sandbox; None where the backend cannot tell."""
    tried: list[str] = field(default_factory=list, init=False)
    """What the answer reached for on the machine that measures it."""
    gaps: tuple[str, ...] = field(default=(), init=False)
    """What the backend lacked in turns of the answer, in the first sandbox, where that explains
    what is not right."""

    def __post_init__(self) -> None:
        self.scripts = scripts_of(self.turns)

    @property
    def script(self) -> str:
        """Return the SQL of all turns."""
        return one_script([sql_of(turn) for turn in self.turns])

    def card(self) -> Scorecard:
        """Return the card, with what the answer tried that no answer needs."""
        card = self._excused(self._card())
        return card.with_tampering([*self.tried, *tampering_of_script(self.script)])

    def _card(self) -> Scorecard:
        """Return the card: deploy decides whether there is anything to look at."""
        if not any(self.scripts):
            return Scorecard.all_of(failed("the answer has no statement"))
        # One sandbox at a time: a real account has room for no second one.
        try:
            base = base_state(self.task, self.sandboxes, is_functional=self.is_functional)
        except GapError as gap:
            return self._undeployed(unmeasured(State.UNSUPPORTED, str(gap)))
        except FixtureError as problem:
            return self._undeployed(unmeasured(State.ERROR, str(problem)))
        with self.sandboxes.open(self.task) as sandbox:
            deploy = self._guarded(lambda: self._deploy(sandbox))
            if deploy.state is not State.PASS:
                return self._undeployed(deploy)
            card = Scorecard(
                deploy=deploy,
                tests=self._guarded(lambda: self._tests(sandbox, base)),
                functional=self._functional(sandbox, base),
            )
        card = self._with_collateral(card)
        if self.is_short and card.is_right is False:
            return card
        return replace(
            card,
            bulk=self._guarded(self._bulk),
            no_tweaks=self._guarded(self._no_tweaks),
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

    def _excused(self, card: Scorecard) -> Scorecard:
        """Return the card without failures of an answer that met what the backend lacks.

        What comes of a turn that the backend could not answer says nothing of the model; where it
        found another way, or failed by itself, it did.
        """
        if not self.gaps or card.is_right:
            return card
        lacking = unmeasured(State.UNSUPPORTED, "; ".join(self.gaps))
        bad = (name for name, part in card.parts() if part.state in (State.FAIL, State.PARTIAL))
        excused: dict[str, Any] = dict.fromkeys(bad, lacking)
        return replace(card, **excused)

    def _guarded(self, measures: Callable[[], Component]) -> Component:
        try:
            return measures()
        except GapError as gap:
            return unmeasured(State.UNSUPPORTED, str(gap))
        except FixtureError as problem:
            return unmeasured(State.ERROR, str(problem))

    # ---- the sandbox

    def _prepare(self, sandbox: Sandbox, script: str) -> None:
        prepare(sandbox, self.sandboxes, script)

    def _run(self, sandbox: Sandbox) -> Ran:
        """Run the answer."""
        with scratch() as files:
            try:
                return run_turns(sandbox, self.sandboxes, self.scripts, files)
            finally:
                self.tried += files.tried

    def _ask(self, sandbox: Sandbox, sql: str, role: str) -> QueryRows | SqlError:
        return run_check_statement(sandbox, self.sandboxes, sql, role)

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
        except FixtureError as problem:
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
        key = task_key(self.task, self.sandboxes)
        if key not in _asked:
            gold = _Measuring(self.task, scripted_turns(self.task.gold), self.sandboxes, False)
            _asked[key] = AskedFor(gold.own_changes(), frozenset(self.task.allows))
        return _asked[key]

    def own_changes(self) -> tuple[Change, ...]:
        """Return what the script changes in a sandbox of its own."""
        with self.sandboxes.open(self.task) as sandbox:
            deploy = self._deploy(sandbox)
        if deploy.state is not State.PASS or self.changed is None:
            reason = deploy.reason or "the backend tells nothing of it"
            raise FixtureError(f"the task's own answer: {reason}")
        return self.changed

    # ---- components

    def _deploy(self, sandbox: Sandbox) -> Component:
        self._prepare(sandbox, self.task.setup)
        before, held = enter(sandbox, self.task)
        ran = self._run(sandbox)
        self.gaps = ran.gaps if ran.is_excused else ()
        trouble = ran.trouble()
        proof = self._proof(1 if trouble else 0, ran.sent)
        if trouble:
            return failed(trouble, proof)
        sandbox.renew()
        self.after = sandbox.fingerprint()
        holds = sandbox.inventory()
        self.changed = None if held is None or holds is None else changes(held, holds)
        if self.after == before and not self.changed:
            return failed("every statement ran and nothing changed", proof)
        return passed(proof)

    def _proof(self, status: int, count: int) -> Evidence:
        first = next(statement for script in self.scripts for statement in script)
        return Evidence(
            "statements run in a fresh sandbox",
            command=one_line(first.text, 80),
            exit_status=status,
            sha256=_sha256(self.script),
            count=count,
        )

    def _tests(self, sandbox: Sandbox, base: BaseState) -> Component:
        found = [(i, self._changed(sandbox, i, base)) for i in self.task.invariants]
        held = Tally.of(found)
        return held.plus(self._held(sandbox, self.task.checks)).component("assertions")

    def _changed(
        self, sandbox: Sandbox, invariant: Invariant, base: BaseState
    ) -> Difference | None:
        found = self._ask(sandbox, invariant.sql, invariant.role)
        before = base.answers[invariant.id]
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

    def _functional(self, sandbox: Sandbox, base: BaseState) -> Component:
        if not self.is_functional:
            return unmeasured(State.NOT_RUN, "asked for with --functional")
        if base.lacking:
            return unmeasured(State.UNSUPPORTED, base.lacking)
        if base.holding:
            said = f"true before anything was done, so it proves nothing: {', '.join(base.holding)}"
            return unmeasured(State.ERROR, said)
        return self._guarded(
            lambda: self._held(sandbox, self.task.requirements).component("requirements")
        )

    def _bulk(self) -> Component:
        bulk = self.task.bulk
        if bulk is None:
            return unmeasured(State.NOT_APPLICABLE, "the task has no scaled fixture")
        with self.sandboxes.open(self.task) as sandbox:
            self._prepare(sandbox, self.task.setup)
            if bulk.is_before:
                self._fill(sandbox, bulk)
            enter(sandbox, self.task)
            ran = self._run(sandbox)
            if trouble := ran.trouble():
                return failed(trouble, self._proof(1, ran.sent))
            sandbox.renew()
            late = "" if bulk.is_before else self._arrive(sandbox, bulk)
            if late:
                return failed(f"rows that arrive later: {late}", self._proof(1, ran.sent))
            rows = self._count(sandbox, bulk)
            return self._held(sandbox, bulk.checks).component("checks on the scaled fixture", rows)

    def _fill(self, sandbox: Sandbox, bulk: Bulk) -> None:
        self._prepare(sandbox, bulk.setup)
        rows = self._count(sandbox, bulk)
        if rows < bulk.rows:
            raise FixtureError(f"the scaled fixture has {rows} rows and promises {bulk.rows}")

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

    def _no_tweaks(self) -> Component:
        """Replay what was submitted in a second sandbox and compare what it leaves."""
        with self.sandboxes.open(self.task) as second:
            self._prepare(second, self.task.setup)
            enter(second, self.task)
            ran = self._run(second)
            if trouble := ran.trouble():
                return failed(f"the second run failed: {trouble}", self._proof(1, ran.sent))
            second.renew()
            again = second.fingerprint()
        proof = Evidence(
            "what was submitted is what was run, twice",
            command="replay",
            exit_status=0 if again == self.after else 1,
            sha256=_sha256(self.script),
            count=ran.sent,
        )
        return passed(proof) if again == self.after else failed("two runs differ", proof)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
