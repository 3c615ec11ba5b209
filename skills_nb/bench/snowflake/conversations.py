"""Answers of one turn or of several, run in a sandbox: from one state, in one session.

Room: work (bench). Nothing is kept open while a model thinks: what its next turn answers is found
by running all of its turns again in a fresh sandbox, so a run that was killed goes on where it was.
A turn's script stops at its first error, and what ran before stays, as on the account.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from skills_nb.bench.code_fences import sql_of
from skills_nb.bench.snowflake.collateral import Inventory
from skills_nb.bench.snowflake.local_files import LocalFiles, scratch
from skills_nb.bench.snowflake.sandbox_checks import GapError
from skills_nb.bench.snowflake.sandboxes import Sandbox, Sandboxes, run_script
from skills_nb.bench.snowflake.shown_results import Outcome, shown_turn
from skills_nb.bench.tasks.expectations import one_line
from skills_nb.bench.tasks.task_values import SnowflakeTask
from skills_nb.errors import SqlError
from skills_nb.sql.classify import why_no_probe
from skills_nb.sql.statements import Statement, split

Script = tuple[Statement, ...]


class FixtureError(Exception):
    """The task's own script failed: not the answer's fault."""


@dataclass(frozen=True, slots=True)
class RanTurn:
    """What became of one turn."""

    script: Script
    """Its statements."""
    outcomes: tuple[Outcome, ...]
    """What they answered, as far as it went; a refusal is the last one."""
    trouble: str = ""
    """Why it stopped, with the line; empty where it came to its end."""
    is_gap: bool = False
    """Whether it stopped at what the backend lacks."""

    @property
    def stopped_at_change(self) -> bool:
        """Return whether it stopped at a statement that is more than a look."""
        if not self.trouble:
            return False
        return why_no_probe(self.script[len(self.outcomes) - 1].text) is not None


@dataclass(frozen=True, slots=True)
class Ran:
    """What became of an answer."""

    turns: tuple[RanTurn, ...]
    """First to last."""

    @property
    def sent(self) -> int:
        """Return how many statements the account was sent."""
        return sum(len(turn.outcomes) for turn in self.turns)

    @property
    def gaps(self) -> tuple[str, ...]:
        """Return where the backend lacked something, a sentence each."""
        return tuple(
            f"turn {number}, {turn.trouble}" if len(self.turns) > 1 else turn.trouble
            for number, turn in enumerate(self.turns, 1)
            if turn.is_gap
        )

    @property
    def is_excused(self) -> bool:
        """Return whether what the backend lacked explains that the answer is not right.

        It does where it was the first change that was refused, and the answer did not go on to
        end in an error of its own. A look that was refused is how one finds one's way.
        """
        refused = [turn.is_gap for turn in self.turns if turn.is_gap or turn.stopped_at_change]
        last = self.turns[-1]
        return bool(refused) and refused[0] and (last.is_gap or not last.trouble)

    def trouble(self) -> str:
        """Return why the last turn stopped, or nothing: of earlier errors the model was told.

        Raises:
            GapError: it stopped at what the backend lacks.
        """
        last = self.turns[-1]
        if last.is_gap:
            raise GapError(last.trouble)
        return last.trouble


def scripts_of(turns: Sequence[str]) -> tuple[Script, ...]:
    """Return the statements of each turn of an answer."""
    return tuple(split(sql_of(turn)) for turn in turns)


def prepare(sandbox: Sandbox, sandboxes: Sandboxes, script: str) -> None:
    """Run a script of the task.

    Raises:
        GapError: the backend lacks what it needs.
        FixtureError: it failed.
    """
    try:
        run_script(sandbox, script)
    except SqlError as problem:
        said = f"the task's setup: {one_line(problem.message)}"
        if sandboxes.is_gap(problem):
            raise GapError(said) from problem
        raise FixtureError(said) from problem


def enter(sandbox: Sandbox, task: SnowflakeTask) -> tuple[str, Inventory | None]:
    """Stand where the answer starts, in a session of its own; return what is there.

    Every run of an answer begins with exactly this: on an account that counts ids and instants,
    what a model was shown of an earlier turn holds when its turns are run again.

    Raises:
        FixtureError: the task names a place or a role that is not there.
    """
    places = [("DATABASE", task.database), ("SCHEMA", task.schema)]
    uses = [f"USE {kind} {name}" for kind, name in places if name]
    sandbox.renew()
    try:
        sandbox.become(task.role)
        for use in (*uses, f"USE WAREHOUSE {task.warehouse}"):
            sandbox.run(use)
    except SqlError as problem:
        raise FixtureError(f"where it starts: {one_line(problem.message)}") from problem
    return sandbox.fingerprint(), sandbox.inventory()


def run_turns(
    sandbox: Sandbox, sandboxes: Sandboxes, scripts: Sequence[Script], files: LocalFiles
) -> Ran:
    """Run the turns of an answer one after the other, in the session as it stands.

    Args:
        sandbox: as `enter` leaves it.
        sandboxes: what it was made by.
        scripts: the statements of each turn.
        files: all that the answer sees of the machine.
    """
    return Ran(tuple(_run_turn(sandbox, sandboxes, script, files) for script in scripts))


def _run_turn(sandbox: Sandbox, sandboxes: Sandboxes, script: Script, files: LocalFiles) -> RanTurn:
    outcomes: list[Outcome] = []
    for statement in script:
        try:
            outcomes.append(sandbox.run(files.contained(statement.text, statement.line)))
        except SqlError as problem:
            outcomes.append(problem)
            said = f"line {statement.line}: {one_line(files.told(problem.message))}"
            return RanTurn(script, tuple(outcomes), said, sandboxes.is_gap(problem))
    return RanTurn(script, tuple(outcomes))


def observe(task: SnowflakeTask, turns: Sequence[str], sandboxes: Sandboxes) -> str:
    """Return what the last turn's statements answered, as a model is shown it.

    Raises:
        GapError: the backend lacks what the task's own setup needs.
        FixtureError: the task's own setup failed.
    """
    with sandboxes.open(task) as sandbox:
        prepare(sandbox, sandboxes, task.setup)
        enter(sandbox, task)
        with scratch() as files:
            last = run_turns(sandbox, sandboxes, scripts_of(turns), files).turns[-1]
            # Names of the scratch folder are no business of the model's.
            return files.told(shown_turn(last.script, last.outcomes))
