"""The meta-router, domain routers and primitives: fields to values."""

from __future__ import annotations

from skills_nb.model.routers import (
    ContextMapping,
    Domain,
    DomainOutput,
    RouteOption,
    RouteParameter,
)
from skills_nb.model.skills import ExpectedError
from skills_nb.reading import open_library, read_both

META = """\
---
type: meta-router
name: entry
parameters:
  - name: goal
    description: "What is wanted"
    options:
      - id: secure
        description: "Protect"
        examples: ["hide the emails"]
        keywords: [pii, 2]
        target: data-security
        mode: playbook
domains:
  data-security:
    router: routers/data-security
    description: "Protect data"
    requires: [tables]
    uses: [raw]
    produces: [policies]
    context_mapping: [{from: tables, to: scope}]
    outputs: [{name: made, type: policies, description: "What was made"}]
routing: {confidence_threshold: 0.6, ambiguity_threshold: 1}
guided_mode: {max_steps: 5, prohibited_actions: ["drop  database"]}
dry_run: {enabled: false}
validation: {staleness_threshold_days: 90}
---

# Entry

Where all begins.

## Domains

Text.
"""


def test_every_setting_of_the_meta_router_is_read(library):
    meta = open_library(library({"router.md": META})).meta
    assert meta.parameters == (
        RouteParameter(
            "goal",
            "What is wanted",
            (
                RouteOption(
                    "secure",
                    "Protect",
                    ("hide the emails",),
                    ("pii", "2"),
                    "data-security",
                    "playbook",
                ),
            ),
        ),
    )
    assert dict(meta.domains) == {
        "data-security": Domain(
            "data-security",
            "routers/data-security",
            "Protect data",
            ("policies",),
            ("tables",),
            ("raw",),
            (ContextMapping("tables", "scope"),),
            (DomainOutput("made", "policies", "What was made"),),
        )
    }
    assert (meta.confidence_threshold, meta.ambiguity_threshold) == (0.6, 1.0)
    assert (meta.guided_max_steps, meta.guided_prohibited_actions) == (5, ("DROP DATABASE",))
    assert (meta.dry_run_enabled, meta.staleness_threshold_days) == (False, 90)
    assert (meta.title, meta.description) == ("Entry", "Where all begins.")
    assert dict(meta.sections) == {"Domains": "Text."}
    assert len(meta.sections) == 1


def test_wrong_settings_are_quoted_and_the_defaults_hold(library):
    wrong = (
        META.replace("0.6", "high")
        .replace("max_steps: 5", "max_steps: 5.5")
        .replace("enabled: false", "enabled: perhaps")
        .replace("{staleness_threshold_days: 90}", "soon")
        .replace("mode: playbook", "mode: book")
        .replace("keywords: [pii, 2]", "keywords: [[pii]]")
    )
    opened = open_library(library({"router.md": wrong}))
    assert [each.message for each in opened.diagnostics] == [
        "keywords contains '['pii']', which is not text",
        "mode is 'book'",
        "confidence_threshold is 'high', not a number",
        "max_steps is '5.5', not a whole number",
        "enabled is 'perhaps', not true or false",
        "validation is 'soon', not a list of fields",
    ]
    assert opened.meta.confidence_threshold == 0.5
    assert opened.meta.guided_max_steps == 8
    assert opened.meta.dry_run_enabled is True
    assert opened.meta.parameters[0].options[0].mode is None


def test_a_meta_router_that_cannot_be_read_leaves_defaults_and_one_diagnostic(library):
    opened = open_library(library({"router.md": "no front matter"}))
    assert [each.code for each in opened.diagnostics] == ["SK005"]
    assert (opened.meta.name, dict(opened.meta.domains)) == ("entry", {})


def test_a_router_and_its_sections(library):
    router = open_library(library()).routers["data-security"]
    assert (router.ref, router.routes_to) == (
        "routers/data-security",
        ("playbooks/protect", "primitives/tags"),
    )
    assert list(router.sections) == ["Routes To"]


PRIMITIVE = """\
---
type: primitive
name: tags
domain: data-security
snowflake_docs: https://docs.snowflake.com/en/user-guide/object-tagging
tested_on: 9.1
expected_errors:
  - {pattern: "denied", recovery: "Grant it"}
---

# Tags

## Expected errors

| Pattern | Recovery | Retryable | Number |
|---|---|---|---|
| `already exists` | Use another name | yes | 002002 |
| `[` | none | no | |
"""


def test_a_primitives_errors_come_from_front_matter_and_table(library):
    opened, documents = read_both(library({"primitives/tags/skill.md": PRIMITIVE}))
    primitive = opened.primitives["tags"]
    assert primitive.expected_errors == (
        ExpectedError("denied", "Grant it"),
        ExpectedError("already exists", "Use another name", True, False, 2002),
    )
    assert primitive.sources == ("https://docs.snowflake.com/en/user-guide/object-tagging",)
    assert (primitive.tested_on, primitive.last_reviewed, primitive.description) == (
        "9.1",
        None,
        "",
    )
    assert [(each.code, each.span.line) for each in documents.diagnostics] == [("SK008", 18)]
