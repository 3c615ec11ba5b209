"""Results in the schema's shape (v2), and SWE-bench's predictions.

Room: work (bench). Pure.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from skills_nb.bench.code_fences import sql_of
from skills_nb.bench.models.answers import Answer
from skills_nb.bench.patches import PatchError, patch_of
from skills_nb.bench.run_setting import SALESFORCE
from skills_nb.bench.schemas import Result
from skills_nb.bench.scoring import Scorecard, card_document
from skills_nb.bench.tasks.scripted_turns import one_script
from skills_nb.bench.tasks.task_values import Task, TaskType


def result_document(
    model: str,
    task: Task,
    attempt: int,
    answer: Answer | None,
    card: Scorecard,
    seconds: float | None = None,
) -> dict[str, Any]:
    """Return the result of one attempt; it fits the schema or is not made."""
    document = {
        "model_name_or_path": model,
        "instance_id": task.id,
        "model_patch": None if answer is None else one_script(answer.turns),
        "resolved": card.is_resolved,
        "scores": card.scores(),
        "verdict": card.verdict,
        "right": card.is_right,
        "partial": card.is_partial,
        "upper": float(card.upper / 100),
        "coverage": card.coverage / 100,
        "attempt": attempt,
        "components": card_document(card),
        "seconds": seconds,
        "turns": None if answer is None else len(answer.turns),
        "statements": _statements(task, card),
        "task": {
            "type": task.type.value,
            "domain": task.domain,
            "level": task.level,
            "title": task.title or task.id,
        },
        "answer": None if answer is None else _about(answer),
    }
    return Result.model_validate(document).model_dump()


def _about(answer: Answer) -> dict[str, Any]:
    """Return what is known of an answer beside its text."""
    kept = answer.document()
    if not kept["earlier"]:
        # The whole of it is in `model_patch`.
        del kept["text"], kept["earlier"]
    return kept


def _statements(task: Task, card: Scorecard) -> int | None:
    """Return how many statements an answer sent, as deploying it counted."""
    if task.type is not TaskType.SNOWFLAKE:
        return None
    return next((found.count for found in card.deploy.evidence), None)


def lines(documents: Iterable[Mapping[str, Any]]) -> str:
    """Return documents one a line."""
    return "".join(json.dumps(d, ensure_ascii=False, sort_keys=True) + "\n" for d in documents)


def predictions(results: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the answers as SWE-bench's tools read them, the patch alone; a replay reads them too.

    An answer without a patch has an empty one.
    """
    return [_prediction(result) for result in results if result["model_patch"] is not None]


def _prediction(result: Mapping[str, Any]) -> dict[str, Any]:
    """Return one answer; of several turns each is kept as it was said, for a replay."""
    kind, about = result["task"]["type"], result["answer"] or {}
    turns = [turn["text"] for turn in about.get("earlier", ())]
    turns += [about["text"]] if turns else []
    scripts = [_patch_alone(turn, kind) for turn in turns]
    return {
        "instance_id": result["instance_id"],
        "model_name_or_path": result["model_name_or_path"],
        "model_patch": one_script(scripts) if turns else _patch_alone(result["model_patch"], kind),
        "attempt": result["attempt"],
        **({"turns": turns} if turns else {}),
    }


def _patch_alone(answer: str, kind: str) -> str:
    """Return the diff or script of an answer, without what was written around it."""
    if kind in SALESFORCE:
        try:
            return patch_of(answer).text
        except PatchError:
            return ""
    return sql_of(answer) if kind == TaskType.SNOWFLAKE else answer
