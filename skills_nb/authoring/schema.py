"""`spec/skill-schema.md`, written from the models and the rules that hold it.

Room: authoring. What a field means is said once, beneath it in `model.skills`; a field that says
nothing there says it here. Tests keep the shipped page the same as what this module writes.
Spec: Skill Types.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from itertools import pairwise
from typing import Any

from skills_nb.lint.rules.sections import OPTIONAL, REQUIRED
from skills_nb.model import routers, skills

PATH = "spec/skill-schema.md"

_TYPES: Mapping[str, tuple[str, type]] = {
    "meta-router": ("`router.md`, one per library", routers.MetaRouter),
    "router": ("`routers/NAME/router.md`", routers.Router),
    "playbook": ("`playbooks/NAME/playbook.md`", skills.Playbook),
    "primitive": ("`primitives/NAME/skill.md`", skills.Primitive),
}
_PARTS: tuple[tuple[type, str], ...] = (
    (routers.Domain, "A value of `domains` in the meta-router"),
    (routers.ContextMapping, "An item of `context_mapping`"),
    (routers.DomainOutput, "An item of `outputs` of a domain"),
    (routers.RouteParameter, "An item of `parameters`"),
    (routers.RouteOption, "An item of a parameter's `options`"),
    (skills.InputSpec, "An item of `inputs`"),
    (skills.ProbeSpec, "An item of `probes`"),
    (skills.ProbeCheck, "An item of a probe's `validate`"),
    (skills.Production, "An item of `produces` of a playbook"),
    (skills.ExpectedError, "An item of `expected_errors`"),
    (skills.Step, "A step: heading, text, and its `yaml` block"),
    (skills.CheckpointSpec, "The `checkpoint` of a step"),
    (skills.OptionSpec, "An item of a checkpoint's `options`"),
    (skills.CreatesSpec, "An item of `creates`"),
    (skills.PlanTemplate, "A plan of a primitive: heading, and its `yaml` block"),
    (skills.PlannedWork, "A step of a plan: a paragraph, and the `sql` block under it"),
)
_WRITTEN: Mapping[tuple[type, str], str] = {
    (routers.MetaRouter, "confidence_threshold"): "routing.confidence_threshold",
    (routers.MetaRouter, "ambiguity_threshold"): "routing.ambiguity_threshold",
    (routers.MetaRouter, "guided_max_steps"): "guided_mode.max_steps",
    (routers.MetaRouter, "guided_prohibited_actions"): "guided_mode.prohibited_actions",
    (routers.MetaRouter, "dry_run_enabled"): "dry_run.enabled",
    (routers.MetaRouter, "staleness_threshold_days"): "validation.staleness_threshold_days",
    (routers.ContextMapping, "source"): "from",
    (routers.ContextMapping, "target"): "to",
    (skills.Production, "source"): "from",
}
"""Fields that files call otherwise."""
_FROM_TEXT: Mapping[tuple[type, str], str] = {
    (skills.Playbook, "steps"): "section `## Steps`",
    (skills.Step, "id"): "heading: `### Step 3: …`",
    (skills.Step, "title"): "heading",
    (skills.Step, "summary"): "first line under the heading",
    (skills.Step, "references"): "line `Reference: primitives/NAME`",
    (skills.Step, "sql"): "`sql` blocks",
    (skills.Step, "shell"): "`bash` blocks",
    (skills.Primitive, "plans"): "section `## Plans`",
    (skills.PlanTemplate, "title"): "heading: `### Clone a table`",
    (skills.PlanTemplate, "steps"): "`sql` blocks, each with the paragraph before it",
    (skills.PlannedWork, "action"): "paragraph",
    (skills.PlannedWork, "sql"): "`sql` block",
    (routers.Domain, "name"): "key",
}
"""Fields that are no keys, and where they stand."""
_INNER = ("span", "title", "description", "sections", "line", "has_default", "is_plan")
"""Fields that reading fills by itself or from headings."""
_SAID: Mapping[str, str] = {
    "name": "Name; a skill is named after its directory.",
    "keywords": "Words and phrases that suggest it.",
    "creates": "Objects that it creates and its SQL does not show.",
    "domain": "A domain of the controlled vocabulary, or an alias.",
    "parameters": "Questions that routing asks, each with its options.",
    "domains": "Every domain by name: its router, what it needs and what it produces.",
    "depends_on": "Primitives that its steps refer to, without `primitives/`.",
    "inputs": "What it needs to know.",
    "prerequisites": "What has to be in place before it starts, a sentence each.",
    "probes": "Read-only queries before step 1.",
    "produces": "Outputs for a later domain of a chain.",
    "steps": "Its steps, from the text under `## Steps`.",
    "expected_errors": "Errors to expect; the first that matches applies.",
    "sources": "URLs of the manual pages against which its claims were checked.",
    "tested_on": "Where its examples were run.",
    "guided_max_steps": "Number of steps in the longest plan that guided mode accepts.",
    "guided_prohibited_actions": "Statements that guided mode refuses.",
    "dry_run_enabled": "Whether a dry run is offered.",
    "staleness_threshold_days": "Days without a review after which a thread asks first.",
    "description": "What it is, in one line.",
    "options": "The options to choose from.",
    "requires": "Resources that another domain has to produce first.",
    "context_mapping": "Which output of an earlier domain fills which input.",
    "outputs": "Its outputs, by name.",
    "id": "Identifier, unique among its kind.",
    "type": "What kind of thing it is.",
    "required": "Whether a value is required.",
    "default": "Value to use without asking, if no other is known.",
    "condition": "An SQL boolean expression over the probe's result and the inputs.",
    "action": "What to do if the condition is true.",
    "message": "Message for the person.",
    "validate": "Conditions on the result.",
    "mode": "How the target is used.",
    "title": "Title.",
    "when": "Condition; if it is false, the step is skipped.",
    "for_each": "`NAME in PATH`: run the SQL once for each item.",
    "checkpoint": "The pause after the step.",
    "severity": "How it waits for a person.",
    "shell": "Shell commands, which are shown.",
}
"""What fields mean that have no docstring of their own."""


def skill_schema() -> str:
    """Return the page: every type, its fields and sections, then what the fields are made of."""
    parts = ["# Skill schema", "", *_lead()]
    for kind, (where, cls) in _TYPES.items():
        parts += ["", f"## {kind.capitalize()}", "", f"{_doc(cls)} Its file is {where}.", ""]
        parts += _table(cls, top=kind)
        parts += ["", _sections(kind)]
    parts += ["", "## Parts of fields", ""]
    for cls, where in _PARTS:
        parts += [f"### {where}", "", _doc(cls), "", *_table(cls), ""]
    return "\n".join(parts).rstrip("\n") + "\n"


def _lead() -> list[str]:
    return textwrap.dedent("""\
        A skill is a Markdown file: front matter between two `---` lines, a title, one line that
        says what it is, and sections. This page is generated from the code that reads skills, so
        it lists every field; any other field is reported as unknown.""").split("\n")


def _sections(kind: str) -> str:
    required = ", ".join(f"`## {title}`" for title in REQUIRED[kind])
    optional = ", ".join(f"`## {title}`" for title in OPTIONAL[kind])
    return f"Required sections: {required}. Optional: {optional}."


def _doc(cls: type) -> str:
    text = inspect.cleandoc(cls.__doc__ or "")
    return " ".join(text.partition(" Spec:")[0].split())


def _table(cls: type, top: str = "") -> list[str]:
    rows = ["| Field | Values | Default | Meaning |", "|---|---|---|---|"]
    if top:
        rows.append(f"| `type` | `{top}` | required | What kind of skill it is. |")
    said = _docstrings(cls)
    for field in fields(cls) if is_dataclass(cls) else ():
        if _is_shown(cls, field.name, is_skill=bool(top)):
            rows.append(_row(cls, field, said.get(field.name) or _SAID.get(field.name, "")))
    return rows


def _is_shown(cls: type, name: str, *, is_skill: bool) -> bool:
    if cls is routers.MetaRouter and name == "domain":
        return False
    is_text = (cls, name) in _FROM_TEXT
    return is_text or name not in _INNER or (not is_skill and name == "description")


def _row(cls: type, field: Field[Any], meaning: str) -> str:
    place = _FROM_TEXT.get((cls, field.name))
    written = f"`{_WRITTEN.get((cls, field.name), field.name)}`" if place is None else place
    cells = (written, _values(str(field.type)), _default(field), " ".join(meaning.split()))
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _values(annotation: str) -> str:
    named = {name: getattr(skills, name) for name in ("Mode", "CheckpointSeverity", "ProbeAction")}
    named["InputType"] = skills.InputType
    bare = annotation.removesuffix(" | None")
    if bare in named:
        return ", ".join(f"`{value}`" for value in named[bare].__args__)
    words = {
        "str": "text",
        "int": "number",
        "float": "number",
        "bool": "`true`, `false`",
        "Any": "any value",
        "tuple[str, ...]": "list of texts",
        "tuple[Any, ...]": "list of values",
        "Mapping[str, str]": "names to texts",
        "Mapping[str, Any]": "names to values",
        "Mapping[str, Domain]": "names to domains",
        "ForEach": "text",
        "CheckpointSpec": "fields",
        "Literal['auto'] | tuple[str, ...]": "`auto`, or list of SQL templates",
    }
    return words.get(bare.replace('"', "'"), "list of fields")


def _default(field: Field[Any]) -> str:
    if field.default is MISSING:
        return "required" if field.default_factory is MISSING else "none"
    value = field.default
    if value is None or value in ("", ()):
        return "none"
    shown = {True: "true", False: "false"}.get(value, value) if isinstance(value, bool) else value
    text = ", ".join(map(str, shown)) if isinstance(shown, tuple) else str(shown)
    return f"`{text}`"


def _docstrings(cls: type) -> Mapping[str, str]:
    """Return what stands beneath each field in the class and the classes above it."""
    found: dict[str, str] = {}
    for each in reversed(cls.__mro__[:-1]):
        tree = ast.parse(textwrap.dedent(inspect.getsource(each))).body[0]
        found.update(_beneath(tree.body if isinstance(tree, ast.ClassDef) else []))
    return found


def _beneath(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    for before, after in pairwise(body):
        is_field = isinstance(before, ast.AnnAssign) and isinstance(before.target, ast.Name)
        if is_field and isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            yield before.target.id, str(after.value.value)  # type: ignore[attr-defined]
