"""The impact of a dry run looked at in other ways: by words, as a tree, as one script.

Room: laws (views).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from skills_nb.views.sheets import blocks as b
from skills_nb.views.sheets.phrasing import plural
from skills_nb.views.threads.dry_run_plan import DryRunPlan, PlannedStepRow
from skills_nb.visible import visible

_ACCOUNT = "The account itself"
_MOST_OPEN = 40
"""How many objects the tree shows unfolded."""
_PART = re.compile(r'"(?:[^"]|"")*"|[^.]+')
"""A part of a dotted name; a quoted one may hold dots."""
_Object = tuple[str, str, str, str]


def narrow_plan(plan: DryRunPlan, words: str) -> DryRunPlan:
    """Return the plan with the objects and steps that hold every one of the words.

    The counts stay those of the whole plan: a filter must not make an impact look small.
    """
    asked = words.casefold().split()
    if not asked:
        return plan
    objects = tuple(found for found in plan.objects if _holds(" ".join(found), asked))
    # What would fail is never filtered away.
    steps = tuple(s for s in plan.steps if s.would_fail or _holds(_text_of(s), asked))
    return replace(plan, objects=objects, steps=steps)


def _text_of(step: PlannedStepRow) -> str:
    return " ".join(
        (step.step, step.title, *step.remarks, *step.statements, *step.creates, *step.changes)
    )


def _holds(text: str, words: Iterable[str]) -> bool:
    folded = text.casefold()
    return all(word in folded for word in words)


def without_measures(plan: DryRunPlan) -> DryRunPlan:
    """Return the plan without seconds that were measured: they differ from run to run."""
    _, sign, basis = plan.duration.partition(": ")
    is_measured = bool(sign) and "history" in basis
    return replace(plan, duration=basis) if is_measured else plan


def script_of(plan: DryRunPlan) -> str:
    """Return every statement as one script, each step under a comment that names it."""
    parts: list[str] = []
    for step in plan.steps:
        if step.statements:
            title = visible(" ".join(step.title.split("\n")))
            sql = "\n\n".join(f"{text.strip().rstrip(';')};" for text in step.statements)
            parts.append(f"-- Step {step.step}: {title}\n\n{sql}")
    return "\n\n".join(parts) + "\n" if parts else ""


def tree_blocks(plan: DryRunPlan) -> list[b.Block]:
    """Return the objects by database and schema, each with what would happen to it."""
    places: dict[str, dict[str, list[_Object]]] = {}
    for found in plan.objects:
        database, schema = _place(found)
        places.setdefault(database, {}).setdefault(schema, []).append(found)
    is_open = len(plan.objects) <= _MOST_OPEN
    return [_database(name, schemas, is_open=is_open) for name, schemas in places.items()]


def _place(found: _Object) -> tuple[str, str]:
    _, kind, name, _ = found
    parts = _PART.findall(name)
    if len(parts) < 2:
        return (name, "") if kind == "database" else (_ACCOUNT, "")
    return parts[0], parts[1]


def _database(name: str, schemas: Mapping[str, list[_Object]], *, is_open: bool) -> b.Fold:
    inner: list[b.Block] = []
    for schema, objects in schemas.items():
        lines = b.Bullets(tuple(_line(found) for found in objects))
        title = f"{schema}: {plural(len(objects), 'object')}"
        fold = b.Fold(title, (lines,), is_open=is_open, in_text=True)
        inner.append(fold if schema else lines)
    count = sum(map(len, schemas.values()))
    title = f"{name}: {plural(count, 'object')}"
    return b.Fold(title, tuple(inner), is_open=True, in_text=True)


def with_tree(blocks: list[b.Block], plan: DryRunPlan) -> list[b.Block]:
    """Return a plan's blocks with the tree of its objects before its folded statements."""
    at = next((n for n, block in enumerate(blocks) if isinstance(block, b.Fold)), len(blocks))
    return [*blocks[:at], *tree_blocks(plan), *blocks[at:]]


def _line(found: _Object) -> str:
    verb, kind, name, change = found
    short = ".".join(_PART.findall(name)[2:]) or name
    return f"**{verb}** {kind} `{short}`" + (f": {change}" if change else "")
