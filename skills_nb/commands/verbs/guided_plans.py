"""Guided plans as people write them: YAML in, YAML out, and a playbook to make of one.

Room: commands. Source: FORMATS, One grammar (`plan FILE`, `%%skill plan`).
"""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skills_nb.commands.exports.readable_yaml import readable_yaml
from skills_nb.commands.reply import Reply
from skills_nb.commands.verbs.yaml_answers import read_yaml
from skills_nb.engine.guided.plan_documents import document_of, draft_book, plan_from
from skills_nb.errors import UsageError
from skills_nb.views import message
from skills_nb.visible import visible

if TYPE_CHECKING:
    from skills_nb.commands.app_context import AppContext
    from skills_nb.model.library import Library
    from skills_nb.model.state import PlanState, ThreadState

_PLAN_KEYS = ("goal", "steps")
_STEP_KEYS = ("step", "action", "primitive", "sql")
_STEP_ID = re.compile(r"[1-9]\d{0,3}[a-z]{0,3}")
_EXAMPLE = "goal: …, steps: [{step: 1, action: …, primitive: streams, sql: …}]"
_FIXED = {
    "checkpoint": "a checkpoint follows every step of a plan; that cannot be changed",
    "checkpoints": "a checkpoint follows every step of a plan; that cannot be changed",
    "compensation": "what takes a step back is derived from its SQL",
    "inputs": "a plan's SQL stands as it will be sent",
    "role": "say USE ROLE in the step's SQL, so that everybody sees it",
}
"""What people may want to say in a plan, and why they cannot."""


def read_plan(text: str, source: str) -> PlanState:
    """Return the plan that YAML tells; whether it may be done is decided later.

    Raises:
        UsageError: it cannot be read, or is not a plan.
    """
    told = read_yaml(text, source)
    if not isinstance(told, Mapping):
        raise UsageError(f"{source} is not a plan", hint=_EXAMPLE)
    _refuse_unknown(told, _PLAN_KEYS, source)
    goal, steps = told.get("goal"), told.get("steps")
    if not isinstance(goal, str) or not goal.strip():
        raise UsageError(f"{source}: a plan needs a goal", hint=_EXAMPLE)
    if not isinstance(steps, list) or not steps:
        raise UsageError(f"{source}: a plan needs steps", hint=_EXAMPLE)
    read = [_step(step, number, source) for number, step in enumerate(steps, 1)]
    _refuse_repeated([step["step"] for step in read], source)
    plan = plan_from({"goal": " ".join(goal.split()), "steps": read})
    assert plan is not None, "the document was made for it"
    return plan


def _step(step: Any, number: int, source: str) -> dict[str, Any]:
    where = f"{source}: step {number}"
    if not isinstance(step, Mapping):
        raise UsageError(f"{where} is not a mapping", hint=_EXAMPLE)
    _refuse_unknown(step, _STEP_KEYS, where)
    step_id = str(step.get("step", number))
    if not _STEP_ID.fullmatch(step_id):
        raise UsageError(f"{where} is called '{step_id}'", hint="number it: 1, 2, 2b, 3")
    primitive = step.get("primitive")
    return {
        "step": step_id,
        "action": _said(step.get("action"), f"{where}: action") or f"Step {step_id}",
        "primitive": None if primitive is None else _said(primitive, f"{where}: primitive"),
        "sql": _sql(step.get("sql"), where),
    }


def _said(value: Any, where: str) -> str:
    if value is None:
        return ""
    if not isinstance(value, str | int | float):
        raise UsageError(f"{where} is not text", hint=_EXAMPLE)
    return " ".join(str(value).split())


def _sql(value: Any, where: str) -> str:
    """Return the SQL of a step, given as one text or as a list of statements."""
    parts = value if isinstance(value, list) else [value or ""]
    if not all(isinstance(part, str) for part in parts):
        raise UsageError(f"{where}: sql is not text", hint="sql: |\n  CREATE …")
    return ";\n".join(part.strip() for part in parts)


def _refuse_unknown(told: Mapping[Any, Any], known: tuple[str, ...], where: str) -> None:
    for key in told:
        if key not in known:
            why = _FIXED.get(str(key))
            raise UsageError(
                f"{where} has unknown field '{key}'", hint=why or "fields: " + ", ".join(known)
            )


def _refuse_repeated(ids: list[str], source: str) -> None:
    for step_id in ids:
        if ids.count(step_id) > 1:
            raise UsageError(f"{source}: two steps are called '{step_id}'", hint="number them anew")


def to_yaml(plan: PlanState, steps: tuple[Any, ...]) -> str:
    """Return a plan as YAML that `read_plan` reads."""
    told = {
        "goal": plan.goal,
        "steps": [
            {
                "step": int(step.step) if step.step.isdigit() else step.step,
                "action": step.action,
                "primitive": step.primitive,
                **({"sql": step.sql} if step.sql.strip() else {}),
            }
            for step in steps
        ],
    }
    return readable_yaml(told)


# ---- the verb


def propose(app: AppContext, words: Namespace, cell: str | None) -> str | None:
    """Take a plan in and return its thread; None where neither a file nor a cell gives one.

    Raises:
        UsageError: the file cannot be read, both are given, or it is no plan.
        ThreadError: the thread does not wait for a plan.
    """
    if words.file is not None and cell:
        raise UsageError("a plan is given in a file or in the cell, not in both")
    text = cell or "" if words.file is None else _text_of(words.file)
    if words.file is None and not text.strip():
        return None
    plan = read_plan(text, words.file or "the cell")
    conductor = app.wiring.conductor
    return conductor.propose(
        plan, thread_id=words.thread, dry_run=words.dry_run, samples=words.sample
    )


def _text_of(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise UsageError(f"cannot read {path}: {problem}") from problem


def show_plan(state: ThreadState) -> Reply:
    """Return a thread's plan as YAML, to be changed and proposed again.

    Raises:
        UsageError: the thread has no plan.
    """
    plan = state.guided_plan
    if plan is None:
        raise UsageError(f"thread '{state.thread_id}' has no plan", hint="plan FILE")
    steps = plan.proposed or plan.approved or plan.steps
    document = {
        "thread_id": state.thread_id,
        "goal": plan.goal,
        "steps": [step.model_dump(mode="json") for step in steps],
        "rejected": plan.refusal or None,
    }
    return Reply(message(to_yaml(plan, steps)), document, thread_id=state.thread_id)


def reply_to_plan(reply: Reply, state: ThreadState) -> Reply:
    """Return the reply to a plan with the guardrail that rejected it, if one did."""
    plan = state.guided_plan
    rejected = plan.refusal if plan is not None else ""
    return replace(reply, document={**reply.document, "rejected": rejected or None})


# ---- a playbook to make of it


def write_playbook(state: ThreadState, library: Library, home: Path) -> Path:
    """Write a plan down as a playbook for somebody to review, and return its file."""
    plan = state.guided_plan
    assert plan is not None, "asked for at a plan"
    name = "-".join(re.findall(r"[a-z0-9]+", plan.goal.lower())[:6]) or "guided-plan"
    folder = home / "plans" / state.thread_id / name
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder / "playbook.md"
    path.write_text(_playbook_text(plan, name, library), encoding="utf-8")
    return path


def _playbook_text(plan: PlanState, name: str, library: Library) -> str:
    book = draft_book(name, plan, library)
    front: dict[str, Any] = {"type": "playbook", "name": name, "domain": book.domain}
    front["depends_on"] = list(book.depends_on)
    front["inputs"] = [{**spec, "phase": "before_start"} for spec in document_of(plan)["inputs"]]
    head, goal = readable_yaml(front), visible(plan.goal)
    steps = "\n".join(_step_text(number, step) for number, step in enumerate(plan.steps, 1))
    return (
        f"---\n{head}---\n\n# {goal}\n\n{goal}\n\n"
        f"## Objective\n\n- {goal}\n\n"
        "## Prerequisites\n\n- The rights that the steps need\n\n"
        f"## Steps\n\n{steps}"
    )


def _step_text(number: int, step: Any) -> str:
    primitive = (step.primitive or "").removeprefix("primitives/")
    reference = f"Reference: `primitives/{primitive}`\n\n" if primitive else ""
    sql = f"```sql\n{step.sql.strip()}\n```\n\n" if step.sql.strip() else ""
    asked = "**Checkpoint:** Look at what this step did before going on.\n"
    title = visible(step.action.rstrip("."))
    return f"### Step {number}: {title}\n\n{title}.\n\n{reference}{sql}{asked}"
