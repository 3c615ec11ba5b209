"""Small libraries, playbooks and accounts for tests, with everything but the point left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skills_nb.model.diagnostics import Span
from skills_nb.model.events import AccountContext
from skills_nb.model.library import IndexEntry, Library
from skills_nb.model.routers import Domain, MetaRouter, Router
from skills_nb.model.skills import (
    CheckpointSpec,
    CodeBlock,
    InputSpec,
    PlannedWork,
    PlanTemplate,
    Playbook,
    Primitive,
    Step,
)

CONTEXT = AccountContext(
    account_locator="XY12345",
    account_name="TEST",
    region="LOCAL",
    current_role="SECURITYADMIN",
    current_warehouse="WH",
    current_database="DB",
    current_schema="S",
    current_user="ADMIN",
    available_roles=("ANALYST", "SECURITYADMIN"),
    edition="ENTERPRISE",
)


def step(step_id: str, *sql: str, **fields: Any) -> Step:
    """A step that sends these statements."""
    blocks = tuple(CodeBlock("sql", text, 1) for text in sql)
    return Step(id=step_id, title=f"Step {step_id}", sql=blocks, **fields)


def checkpoint(severity: str = "review", present: str = "look", **fields: Any) -> CheckpointSpec:
    return CheckpointSpec(severity=severity, present=present, **fields)  # type: ignore[arg-type]


def playbook(*steps: Step, name: str = "toy", **fields: Any) -> Playbook:
    """A playbook of these steps."""
    return Playbook(
        name=name,
        domain="data-security",
        title=name,
        description="",
        span=Span(f"playbooks/{name}/playbook.md"),
        steps=steps,
        **fields,
    )


def primitive(name: str, **sections: str) -> Primitive:
    """A primitive with these sections; `Discovery_queries` is written with a space."""
    return Primitive(
        name=name,
        domain="data-security",
        title=name,
        description="",
        span=Span(f"primitives/{name}/skill.md"),
        sections={title.replace("_", " "): text for title, text in sections.items()},
    )


def offered(said: str, *sqls: str, inputs: tuple[InputSpec, ...] = ()) -> PlanTemplate:
    """A plan that a primitive offers to who says these words, a statement or more each step."""
    steps = tuple(PlannedWork(f"Do {n}", CodeBlock("sql", sql, n)) for n, sql in enumerate(sqls, 1))
    return PlanTemplate(said, (said,), inputs, steps)


def text_input(name: str, **fields: Any) -> InputSpec:
    return InputSpec(name=name, **fields)


def library(*playbooks: Playbook, primitives: Mapping[str, Primitive] | None = None) -> Library:
    """A library of one domain with these playbooks."""
    entries = {p.ref: IndexEntry("playbooks", p.name, p.domain) for p in playbooks}
    entries |= {
        p.ref: IndexEntry("primitives", p.name, p.domain) for p in (primitives or {}).values()
    }
    router = Router(
        name="data-security",
        domain="data-security",
        title="Data security",
        description="",
        span=Span("routers/data-security/router.md"),
        routes_to=tuple(entries),
    )
    meta = MetaRouter(
        name="entry",
        domain="",
        title="Entry",
        description="",
        span=Span("router.md"),
        domains={"data-security": Domain("data-security", "routers/data-security")},
    )
    return Library(
        root="memory",
        version="1.0",
        digest="0" * 64,
        meta=meta,
        index=entries,
        routers={"data-security": router},
        playbooks={p.name: p for p in playbooks},
        primitives=primitives or {},
    )
