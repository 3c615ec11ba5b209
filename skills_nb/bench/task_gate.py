"""The gate: whether a task may be used, shown by answers whose score is known.

Room: work (bench). Gold earns everything with full coverage, three times; an empty answer earns
nothing; other answers that are right earn everything, too; an answer that does something else
stays under the pass mark with functional at nothing;
gold without one of its statements, and every mutant, earns less than gold. A task whose gold
fails on a backend is not valid there and is never run silently.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

from skills_nb.bench.scoring import PASS_MARK, Scorecard, State
from skills_nb.bench.snowflake.base_state import holding_before
from skills_nb.bench.snowflake.sandboxes import Sandboxes
from skills_nb.bench.snowflake.snowflake_measurement import (
    measure_script,
    measure_until_wrong,
)
from skills_nb.bench.tasks.scripted_turns import one_script, scripted_turns
from skills_nb.bench.tasks.task_values import InvalidTask, Mutant, SnowflakeTask, Task
from skills_nb.sql.classify import why_no_probe
from skills_nb.sql.statements import Statement, split

GOLD_RUNS = 3
_RIGHT = "right: "
BACK_DOOR = "gold with a back door"
_BACK_DOOR = """
USE ROLE ACCOUNTADMIN;
CREATE USER BACK_DOOR PASSWORD = 'x8-Quiet-river';
GRANT ROLE ACCOUNTADMIN TO USER BACK_DOOR;
"""


@dataclass(frozen=True, slots=True)
class Trial:
    """One answer whose score is known beforehand, and what it got."""

    answer: str
    """`gold`, `empty`, `no-op`, `gold without statement 2`, or a mutant's name."""
    lower: float
    """Percent; what was not measured counts as nothing, and a wrong answer is measured no further
    than its being wrong shows."""
    trouble: str = ""
    """Why that is not what it should be."""


@dataclass(frozen=True, slots=True)
class GateRow:
    """What the gate says of one task on one backend."""

    task: str
    """Its id, or where it stands when it cannot be read."""
    backend: str
    """Where it was measured: `embedded`, `snowflake`, …."""
    trials: tuple[Trial, ...]
    """Gold first, then what must score below it."""

    @property
    def troubles(self) -> tuple[str, ...]:
        """Return what is wrong; empty for a task that may be used."""
        return tuple(f"{t.answer}: {t.trouble}" for t in self.trials if t.trouble)

    @property
    def is_green(self) -> bool:
        """Return whether the task may be used on this backend."""
        return not self.troubles

    @property
    def strongest(self) -> float:
        """Return the best score of an answer that does not do what was asked for."""
        return max((t.lower for t in self.trials if not _does_all(t.answer)), default=0.0)


def _does_all(answer: str) -> bool:
    return answer in ("gold", BACK_DOOR) or answer.startswith(_RIGHT)


def examine_task(task: Task, sandboxes: Sandboxes) -> GateRow:
    """Return what the gate says of a Snowflake task.

    Where gold itself fails nothing else is tried: it would show nothing.
    """
    body = task.body
    assert isinstance(body, SnowflakeTask), "the gate of Snowflake tasks"
    gold = list(_gold_trials(body, sandboxes))
    if any(trial.trouble for trial in gold):
        return GateRow(task.id, sandboxes.backend, tuple(gold))
    rest = [
        _base_trial(body, sandboxes),
        *_right_trials(body, sandboxes),
        *_wrong_trials(body, sandboxes),
    ]
    return GateRow(task.id, sandboxes.backend, (*gold, *rest))


def _looked_at(task: Task, sandboxes: Sandboxes) -> GateRow:
    """Return the row of a task, also where something breaks over it: the others are looked at."""
    try:
        return examine_task(task, sandboxes)
    except Exception as problem:  # noqa: BLE001 - said in the row, which is red
        said = f"{type(problem).__name__}: {problem}"
        return GateRow(task.id, sandboxes.backend, (Trial("task", 0.0, said),))


def _gold_trials(body: SnowflakeTask, sandboxes: Sandboxes) -> Iterator[Trial]:
    for _ in range(GOLD_RUNS):
        card = measure_script(body, body.gold, sandboxes)
        yield Trial("gold", float(card.lower), _short_of_all(card))


def _short_of_all(card: Scorecard) -> str:
    """Return which components keep an answer from everything."""
    looked = [*card.parts()]
    if card.collateral.state in (State.FAIL, State.ERROR):
        looked.append(("collateral", card.collateral))
    if card.containment.state is State.FAIL:
        looked.append(("containment", card.containment))
    return "; ".join(
        f"{name} is {part.state}: {part.reason}"
        for name, part in looked
        if part.state is not State.PASS
    )


def _base_trial(body: SnowflakeTask, sandboxes: Sandboxes) -> Trial:
    already = holding_before(body, sandboxes)
    return Trial(
        "no answer", 0.0, f"requirements hold already: {', '.join(already)}" if already else ""
    )


def _right_trials(body: SnowflakeTask, sandboxes: Sandboxes) -> Iterator[Trial]:
    """Try what is right in another form: a check that misses it looks at form, not at behaviour."""
    for right in body.rights:
        card = measure_script(body, right.text, sandboxes)
        yield Trial(_RIGHT + right.name, float(card.lower), _short_of_all(card))


def _wrong_trials(body: SnowflakeTask, sandboxes: Sandboxes) -> Iterator[Trial]:
    yield _tried("empty", "", body, sandboxes, lambda card: card.lower == 0)
    yield _tried("no-op", body.noop, body, sandboxes, _is_nothing)
    for mutant in (*without_each_statement(body.gold), *body.mutants):
        yield _tried(mutant.name, mutant.text, body, sandboxes, _is_wrong)
    yield from _back_door_trial(body, sandboxes)


def _back_door_trial(body: SnowflakeTask, sandboxes: Sandboxes) -> Iterator[Trial]:
    """Try gold with a back door, where the backend tells everything that it holds."""
    card = measure_until_wrong(body, body.gold + _BACK_DOOR, sandboxes)
    if card.collateral.state not in (State.NOT_RUN, State.UNSUPPORTED):
        yield _judged(BACK_DOOR, card, _is_caught)


def _is_wrong(card: Scorecard) -> bool:
    return card.lower < 100 and card.is_right is False


def _is_caught(card: Scorecard) -> bool:
    return card.collateral.state is State.FAIL and card.is_right is False


def _is_nothing(card: Scorecard) -> bool:
    return card.lower < PASS_MARK and card.functional.score == 0


def _tried(
    name: str,
    answer: str,
    body: SnowflakeTask,
    sandboxes: Sandboxes,
    is_right: Callable[[Scorecard], bool],
) -> Trial:
    return _judged(name, measure_until_wrong(body, answer, sandboxes), is_right)


def _judged(name: str, card: Scorecard, is_right: Callable[[Scorecard], bool]) -> Trial:
    if any(part.state in (State.ERROR, State.UNSUPPORTED) for _, part in card.parts()):
        return Trial(name, float(card.lower), f"cannot be measured: {_short_of_all(card)}")
    trouble = "" if is_right(card) else f"scores {float(card.lower):g} %, too much for it"
    return Trial(name, float(card.lower), trouble)


def without_each_statement(script: str) -> tuple[Mutant, ...]:
    """Return the script without its first statement, without its second, and so on.

    Whoever only looks in one turn and acts in a later one leaves the same account without looking.
    """
    turns = [split(turn) for turn in scripted_turns(script)]
    statements = [statement for turn in turns for statement in turn]
    if len(statements) < 2:
        return ()
    return tuple(
        Mutant(f"gold without statement {number}", _without(turns, left_out))
        for number, left_out in enumerate(statements, 1)
        if len(turns) == 1 or why_no_probe(left_out.text)
    )


def _without(turns: Sequence[Sequence[Statement]], left_out: Statement) -> str:
    kept = ([s.text for s in turn if s is not left_out] for turn in turns)
    return one_script([";\n".join(texts) + ";" if texts else "" for texts in kept])


def gate(
    tasks: Iterable[Task],
    invalid: Iterable[InvalidTask],
    sandboxes: Sandboxes,
    executor: Executor | None = None,
) -> tuple[GateRow, ...]:
    """Return a row for every task, also for those that could not be read.

    Args:
        tasks: Snowflake tasks.
        invalid: tasks that are invalid as they stand.
        sandboxes: the backend.
        executor: runs several tasks at a time; one after the other without it.
    """
    listed = [task for task in tasks if isinstance(task.body, SnowflakeTask)]
    unread = (
        GateRow(bad.task, sandboxes.backend, (Trial("task", 0.0, "; ".join(bad.reasons)),))
        for bad in invalid
    )
    boxes = [sandboxes] * len(listed)
    found = (
        map(_looked_at, listed, boxes)
        if executor is None
        else executor.map(examine_task, listed, boxes)
    )
    return (*found, *unread)
