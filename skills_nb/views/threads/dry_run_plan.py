"""The impact of a dry run: what would be created, changed and dropped, and by which statements.

Room: laws (views).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from skills_nb.views.sheets import blocks as b
from skills_nb.views.sheets.phrasing import cell, in_words, plural, sentence
from skills_nb.views.threads.object_diff import diff_blocks
from skills_nb.views.threads.row_changes import changed_line, rows_of_entry

if TYPE_CHECKING:
    from skills_nb.model.events import DryRunSummary, StepPlanned

_RENAMED = "renamed to"
"""How a rehearsal tells of an object's new name."""
_GRANTED = "granted"
"""How a rehearsal tells of a right that stands."""


@dataclass(frozen=True, slots=True)
class PlannedStepRow:
    """What one step would do."""

    step: str
    """Its id, behind its phase's number in a chain."""
    title: str
    """What the step does."""
    remarks: tuple[str, ...]
    """`skipped: …`, `WOULD FAIL: …`, `assumes x = y`, `then pauses for a … checkpoint`."""
    statements: tuple[str, ...]
    """The SQL that it would send, in order."""
    creates: tuple[str, ...]
    """`masking policy X`, one per object."""
    changes: tuple[str, ...] = ()
    """`DB.S.ORDERS: 2,800 of 2,801 rows deleted`, one per table whose rows change."""

    @property
    def would_fail(self) -> bool:
        """Return whether the real run would meet an error here."""
        return any(remark.startswith("WOULD FAIL") for remark in self.remarks)

    @property
    def is_skipped(self) -> bool:
        """Return whether nothing would be done."""
        return any(remark.startswith("skipped") for remark in self.remarks)


@dataclass(frozen=True, slots=True)
class DryRunPlan:
    """The whole impact."""

    creates: tuple[tuple[str, int], ...]
    """(type, count)."""
    modifies: tuple[tuple[str, int], ...]
    """(type, count)."""
    drops: tuple[tuple[str, int], ...]
    """(type, count)."""
    objects: tuple[tuple[str, str, str, str], ...]
    """(what happens, type, name, change), created first."""
    steps: tuple[PlannedStepRow, ...]
    """In the order in which they run."""
    duration: str = ""
    """How long it takes, with the basis of that; empty where nobody can tell."""
    compute: str = ""
    """What it costs, with the basis of that; empty where nobody can tell."""
    stopped_at: str = ""
    """The step whose error ends the real run; empty where none does."""


def dry_run_plan(planned: Iterable[StepPlanned], summary: DryRunSummary | None) -> DryRunPlan:
    """Return the plan of a dry run; without its summary, as far as it got."""
    steps = tuple(planned_step(event) for event in planned)
    if summary is None:
        return DryRunPlan((), (), (), (), steps)
    return DryRunPlan(
        creates=_counts(summary.would_create),
        modifies=_counts(summary.would_modify),
        drops=_counts(summary.would_drop),
        objects=(
            *_objects("create", summary.would_create),
            *_objects("change", summary.would_modify),
            *_objects("drop", summary.would_drop),
        ),
        steps=steps,
        duration=summary.estimated_duration,
        compute=summary.estimated_compute,
        stopped_at=_stopped_at(summary),
    )


def planned_step(event: StepPlanned) -> PlannedStepRow:
    """Return what a step would do, its remarks apart from its title."""
    title, *remarks = event.action.split("; ")
    creates = tuple(f"{in_words(o.type)} {o.fqn or o.name}" for o in event.would_create)
    return PlannedStepRow(
        event.step,
        title,
        tuple(remarks),
        tuple(event.would_execute),
        creates,
        tuple(map(changed_line, event.would_modify)),
    )


def _counts(impact: Mapping[str, Any]) -> tuple[tuple[str, int], ...]:
    """Return the counts by type; of a summary that lists no objects, as it names them."""
    listed = impact.get("objects")
    if listed:
        reached = (o for o in listed if "beyond" not in o)
        return tuple(Counter(in_words(str(o.get("type", "object"))) for o in reached).items())
    return tuple((in_words(name), n) for name, n in impact.items() if isinstance(n, int))


def _objects(verb: str, impact: Mapping[str, Any]) -> list[tuple[str, str, str, str]]:
    found = impact.get("objects") or []
    return [
        (verb, in_words(str(o.get("type", ""))), str(o.get("fqn") or o.get("name")), _change(o))
        for o in found
    ]


def _stopped_at(summary: DryRunSummary) -> str:
    impacts = (summary.would_create, summary.would_modify, summary.would_drop)
    listed = (found for impact in impacts for found in impact.get("objects") or [])
    return next((str(found["beyond"]) for found in listed if "beyond" in found), "")


def _change(found: Mapping[str, Any]) -> str:
    changes = found.get("changes") or {}
    told = [rows] if (rows := rows_of_entry(found)) else []
    told += [_changed(str(name), value) for name, value in changes.items()]
    if "beyond" in found:
        told.append(f"once step {found['beyond']} is mended")
    return "; ".join([*told, *(["predicted"] if found.get("predicted") else [])])


def _changed(name: str, value: Any) -> str:
    sign = "" if name == _RENAMED else ":"
    return f"{_named(name)}{sign} {_turn(value)}"


def _named(change: str) -> str:
    """Return what changes in words; a right and the role that gets it stay as they are written."""
    return in_words(change) if change == change.lower() else change


def _turn(value: Any) -> str:
    if isinstance(value, list | tuple) and len(value) == 2:
        before, after = map(_with_parts, value)
        if (before, after) == (_GRANTED, None):
            return "revoked"
        if isinstance(before, Mapping) and isinstance(after, Mapping):
            return ", ".join(_parts(before, after))
        if before in (None, "", [], {}):
            return _fact(after)
        return f"{_fact(before)} → {_fact(after)}"
    return cell(value)


def _with_parts(value: Any) -> Any:
    """Return a value whose parts stand in a JSON text as a mapping, any other as it is."""
    if not isinstance(value, str) or not value.startswith("{"):
        return value
    try:
        return json.loads(value)
    except json.JSONDecodeError:
        return value


def _parts(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """Yield what turns of a value with parts; the others stay as they are."""
    for name in {**before, **after}:
        if before.get(name) != after.get(name):
            yield f"{name} {_turn([before.get(name), after.get(name)])}"


def _fact(value: Any) -> str:
    """Return what a thing is now; a list of words as words, other lists as JSON."""
    words = isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)
    return cell(", ".join(value) if words and value else value)


def plan_blocks(plan: DryRunPlan) -> list[b.Block]:
    """Return the blocks of a plan: the impact, the objects, the statements."""
    impact = (
        ("Would create", _listed(plan.creates)),
        ("Would change", _listed(plan.modifies)),
        ("Would drop", _listed(plan.drops)),
        ("Takes" if plan.duration.startswith("less") else "Takes about", plan.duration),
        ("Compute", plan.compute),
    )
    blocks: list[b.Block] = [_failure(step) for step in plan.steps if step.would_fail]
    blocks.append(b.Facts(tuple((name, text) for name, text in impact if text)))
    if plan.stopped_at:
        text = f"What comes after the error of step {plan.stopped_at} is listed and not counted."
        blocks.append(b.Paragraph(text))
    more = "export the plan, or filter"
    touched = diff_blocks(plan.objects, "Objects it touches", "Would", more)
    return [*blocks, *touched, *_all_statements(plan)]


def _all_statements(plan: DryRunPlan) -> list[b.Block]:
    steps = [step for step in plan.steps if step.statements]
    if not steps:
        return []
    count = sum(len(step.statements) for step in steps)
    summary = f"Every statement: {count} in {plural(len(steps), 'step')}"
    told = tuple(_statements(step) for step in steps)
    return [b.Fold(summary, told, command="status --sql")]


def _failure(step: PlannedStepRow) -> b.Notice:
    reasons = [remark.removeprefix("WOULD FAIL: ") for remark in step.remarks]
    return b.Notice("critical", "WOULD FAIL", f"Step {step.step}: {'; '.join(reasons)}")


def _listed(counts: tuple[tuple[str, int], ...]) -> str:
    return ", ".join(plural(count, kind) for kind, count in counts) or "nothing"


def _statements(step: PlannedStepRow) -> b.Fold:
    count = plural(len(step.statements), "statement")
    sql = "\n\n".join(_closed(text) for text in step.statements)
    code = b.Code(sql, is_sql=True)
    return b.Fold(f"Step {step.step}, {sentence(step.title)}: {count}", (code,))


def _closed(sql: str) -> str:
    text = sql.strip()
    return text if text.endswith(";") else f"{text};"
