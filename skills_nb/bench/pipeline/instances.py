"""Measuring one instance, wherever that happens: this process, another, a cluster's worker.

Room: work (bench). Takes and returns plain values that can travel. Whatever breaks here is
nobody's answer: it comes back as components in error.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, assert_never

from skills_nb.bench.models.answers import Answer
from skills_nb.bench.run_setting import RunSetting
from skills_nb.bench.scoring import (
    Scorecard,
    State,
    card_document,
    failed,
    unmeasured,
)
from skills_nb.bench.tasks.expectations import one_line
from skills_nb.bench.tasks.task_values import (
    PlaybookTask,
    RepositoryTask,
    RoutingTask,
    SnowflakeTask,
    Task,
)
from skills_nb.bench.time_limits import TimeLimitError, time_limit

if TYPE_CHECKING:
    from skills_nb.bench.snowflake.sandboxes import Sandboxes

SECONDS, SHOWN, TROUBLE = "seconds", "shown", "trouble"
_LIMITS = 8
"""How many times a statement's limit the whole of an instance may take."""


def measure_instance(
    task: Task, answer: Answer, attempt: int, setting: RunSetting
) -> dict[str, Any]:
    """Return the card of an answer as a document; never raises an `Exception`.

    Beside the components it says how long this took.
    """
    began = time.monotonic()
    try:
        with time_limit(task.time_limit_s * _LIMITS):
            card = _card(task, answer, attempt, setting)
    except TimeLimitError as problem:
        card = broken_instance_card(str(problem))
    except Exception as problem:  # noqa: BLE001 - said in the card, and measured again on resume
        card = broken_instance_card(f"{type(problem).__name__}: {one_line(str(problem))}")
    return {**card_document(card), SECONDS: round(time.monotonic() - began, 3)}


def observe_instance(task: Task, answer: Answer, setting: RunSetting) -> dict[str, Any]:
    """Return what the last turn of an answer brought about, as the model is `shown` it.

    Never raises an `Exception`: where nothing can be shown, there is the `trouble` instead.
    """
    assert isinstance(task.body, SnowflakeTask), "only these have several turns"
    from skills_nb.bench.snowflake.conversations import observe

    try:
        with time_limit(task.time_limit_s * _LIMITS):
            boxes = _sandboxes(setting, task.time_limit_s)
            return {SHOWN: observe(task.body, answer.turns, boxes)}
    except TimeLimitError as problem:
        return {TROUBLE: str(problem)}
    except Exception as problem:  # noqa: BLE001 - said of the attempt, which goes on on resume
        return {TROUBLE: f"{type(problem).__name__}: {one_line(str(problem))}"}


def broken_instance_card(reason: str) -> Scorecard:
    """Return the card of an instance that something around it broke."""
    return Scorecard.all_of(unmeasured(State.ERROR, reason))


def _card(task: Task, answer: Answer, attempt: int, setting: RunSetting) -> Scorecard:
    if answer.ending != "complete":
        return Scorecard.all_of(unmeasured(State.NOT_RUN, f"the answer was {answer.ending}"))
    match task.body:
        case SnowflakeTask() | RepositoryTask():
            if not any(turn.strip() for turn in answer.turns):
                return Scorecard.all_of(failed("the answer is empty"))
            return _answered(task, answer, attempt, setting)
        case RoutingTask() | PlaybookTask():
            from skills_nb.bench.skills.library_measurement import measure_library

            return measure_library(task, setting)
        case _:
            assert_never(task.body)


def _answered(task: Task, answer: Answer, attempt: int, setting: RunSetting) -> Scorecard:
    if isinstance(task.body, SnowflakeTask):
        from skills_nb.bench.snowflake.snowflake_measurement import measure

        boxes = _sandboxes(setting, task.time_limit_s)
        return measure(task.body, answer.turns, boxes, functional=setting.functional)
    from skills_nb.bench.salesforce.repository_measurement import measure_repository

    return measure_repository(task, answer.text, attempt, setting)


def _sandboxes(setting: RunSetting, limit_s: int) -> Sandboxes:
    if setting.snowflake == "embedded":
        from skills_nb.bench.snowflake.embedded_sandboxes import EmbeddedSandboxes

        return EmbeddedSandboxes(limit_s)
    from skills_nb.bench.cleanup import note
    from skills_nb.bench.snowflake.account_sandboxes import AccountSandboxes
    from skills_nb.runtime.snowpark import SnowparkSession
    from skills_nb.runtime.snowpark.connections import by_name

    return AccountSandboxes(
        lambda: SnowparkSession(by_name(setting.connection)),
        lambda kind, what: note(Path(setting.folder), kind, object=what),
        limit_s,
    )
