"""Steps of a playbook, in the full form and in the plain one."""

from __future__ import annotations

import pytest

from skills_nb.model.diagnostics import Diagnostic, Severity, Span
from skills_nb.model.documents import Document
from skills_nb.model.skills import (
    CheckpointSpec,
    CodeBlock,
    CreatesSpec,
    ExpectedError,
    ForEach,
    InputSpec,
    OptionSpec,
    ProbeCheck,
    ProbeSpec,
    Production,
    Step,
)
from skills_nb.reading import read_both
from skills_nb.reading.markdown import parse_markdown
from skills_nb.reading.steps import read_steps


def steps_of(text: str) -> tuple[tuple[Step, ...], list[Diagnostic]]:
    """Read the steps of a body that stands under `## Steps` on line 1."""
    body = parse_markdown(f"## Steps\n\n{text}", "p.md")
    document = Document(
        "p.md",
        "playbook",
        text,
        sections=body.sections,
        fences=body.fences,
        tables=body.tables,
        prose=body.prose,
    )
    problems: list[Diagnostic] = []
    return read_steps((document,), problems), problems


FULL = """\
### Step 3b: Create policies

Build one policy per data type
found before.

Reference: `primitives/masking-policies`, `primitives/tags`

```yaml
when: "n > 0"
role: "{admin_role}"
for_each: kind in strategy.kinds
binds: {policies: created_objects.masking_policy}
expected_errors:
  - {pattern: "Insufficient privileges", recovery: "Grant it", errno: 3001}
  - {pattern: "already exists", retryable: true}
creates: [{type: Masking Policy, name: "{{ ident('a') }}"}]
compensation: ["DROP TAG a", "DROP TAG b"]
verify: "SELECT 1"
optional: true
checkpoint:
  severity: critical
  present: "Created {n}."
  phrase: "protect"
  options: [{id: more, when: "m > 0", description: "Also more", sets: {confidence: MEDIUM}}]
```

```sql
CREATE TAG a;
```

```bash
snow sql -q 'x'
```

```json
{}
```
"""


def test_the_yaml_block_says_everything():
    steps, problems = steps_of(FULL)
    assert problems == []
    assert steps == (
        Step(
            id="3b",
            title="Create policies",
            summary="Build one policy per data type found before.",
            references=("masking-policies", "tags"),
            sql=(CodeBlock("sql", "CREATE TAG a;\n", 30),),
            shell=(CodeBlock("bash", "snow sql -q 'x'\n", 34),),
            when="n > 0",
            role="{admin_role}",
            for_each=ForEach("kind", "strategy.kinds"),
            binds={"policies": "created_objects.masking_policy"},
            expected_errors=(
                ExpectedError("Insufficient privileges", "Grant it", False, True, 3001),
                ExpectedError("already exists", "", True, False),
            ),
            creates=(CreatesSpec("masking_policy", "{{ ident('a') }}"),),
            compensation=("DROP TAG a", "DROP TAG b"),
            verify="SELECT 1",
            checkpoint=CheckpointSpec(
                "critical",
                "Created {n}.",
                "protect",
                (OptionSpec("more", "Also more", "m > 0", {"confidence": "MEDIUM"}),),
            ),
            optional=True,
            line=3,
        ),
    )


PLAIN = """\
### Step 1: Create policies (optional)

Build one policy per type.

Reference: `primitives/masking-policies`

```sql
CREATE MASKING POLICY p AS (v STRING) RETURNS STRING -> '*';
```

**Creates:** masking policy `PII_EMAIL_MASK`, masking policies `PII_PHONE_MASK`

Compensation:

```sql
DROP MASKING POLICY IF EXISTS PII_EMAIL_MASK;
```

**Verify:** `SHOW MASKING POLICIES`

#### Expected errors

| Error pattern | Recovery | Retryable | Escalate |
|---|---|---|---|
| `Insufficient privileges` | Grant CREATE MASKING POLICY | No | Yes |
| `a\\|b` | Again | Yes | |

**Checkpoint (critical):** Show what was made. Type "protect prod" to go on.

- `approve`: go on
- `include-medium`: Also medium confidence
"""


def test_the_plain_form_reads_as_far_as_it_is_concrete():
    steps, problems = steps_of(PLAIN)
    assert problems == []
    assert steps == (
        Step(
            id="1",
            title="Create policies (optional)",
            summary="Build one policy per type.",
            references=("masking-policies",),
            sql=(
                CodeBlock(
                    "sql", "CREATE MASKING POLICY p AS (v STRING) RETURNS STRING -> '*';\n", 10
                ),
            ),
            expected_errors=(
                ExpectedError("Insufficient privileges", "Grant CREATE MASKING POLICY"),
                ExpectedError("a|b", "Again", True, False),
            ),
            creates=(
                CreatesSpec("masking_policy", "PII_EMAIL_MASK"),
                CreatesSpec("masking_policy", "PII_PHONE_MASK"),
            ),
            compensation=("DROP MASKING POLICY IF EXISTS PII_EMAIL_MASK;",),
            verify="SHOW MASKING POLICIES",
            checkpoint=CheckpointSpec(
                "critical",
                'Show what was made. Type "protect prod" to go on.',
                "protect prod",
                (OptionSpec("include-medium", "Also medium confidence"),),
            ),
            optional=True,
            line=3,
        ),
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**Checkpoint:** Show it.", CheckpointSpec("review", "Show it.")),
        ("Checkpoint: info — Show it.", CheckpointSpec("info", "Show it.")),
        ("**Checkpoint** Look", CheckpointSpec("review", "Look")),
        (
            '**Checkpoint:**\n\n- severity: critical\n- present: "All {n}."\n- phrase: `go {n}`',
            CheckpointSpec("critical", "All {n}.", "go {n}"),
        ),
        ("Checkpoints are good.", None),
    ],
)
def test_a_checkpoint_is_told_in_several_ways(text, expected):
    steps, problems = steps_of(f"### Step 1: A\n\nDo.\n\n{text}\n")
    assert (steps[0].checkpoint, problems) == (expected, [])


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        (
            "Compensation: undo it by hand.",
            "the compensation of 'Step 1: A' is prose that nothing can run",
            "Show its SQL in a code block.",
        ),
        (
            "**Creates:** several policies",
            "the list of created objects of 'Step 1: A' is prose that nothing can run",
            "Write type and name: masking_policy `NAME`.",
        ),
        (
            "**Expected errors:** it may fail",
            "the list of expected errors of 'Step 1: A' is prose that nothing can run",
            "Write a table: Pattern, Recovery, Retryable, Escalate.",
        ),
    ],
)
def test_prose_that_nothing_can_run_says_so(text, message, hint):
    _, problems = steps_of(f"### Step 1: A\n\nDo.\n\n{text}\n")
    assert problems == [Diagnostic("SK016", Span("p.md", 7), message, hint, Severity.WARNING)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("none", ()), ("auto", "auto"), ("`DROP TAG a`", ("DROP TAG a",))],
)
def test_compensation_in_a_word_or_in_code(text, expected):
    steps, problems = steps_of(f"### Step 1: A\n\nDo.\n\nCompensation: {text}\n")
    assert (steps[0].compensation, problems) == (expected, [])


def test_saying_it_twice_is_reported_and_yaml_counts():
    text = "### Step 1: A\n\n```yaml\ncompensation: auto\n```\n\nCompensation: `DROP TAG a`\n"
    steps, problems = steps_of(text)
    assert steps[0].compensation == "auto"
    assert [(each.code, each.span.line) for each in problems] == [("SK017", 9)]


def test_a_yaml_example_is_not_the_steps_own_block():
    text = "### Step 1: A\n\n```yaml\nservices:\n  web: 1\n```\n\n```yaml\nwhen: a\n```\n"
    steps, problems = steps_of(text)
    assert (steps[0].when, problems) == ("a", [])


def test_a_misspelt_key_is_reported_even_when_it_is_the_only_one():
    _, problems = steps_of("### Step 1: A\n\n```yaml\nchekpoint: review\n```\n")
    assert problems == [
        Diagnostic(
            "SK009",
            Span("p.md", 6, 1),
            "unknown field 'chekpoint'",
            "Write 'checkpoint'.",
            Severity.WARNING,
        )
    ]


def test_broken_yaml_in_a_step_leaves_the_step():
    steps, problems = steps_of("### Step 1: A\n\n```yaml\nwhen: [\n```\n\n```sql\nSELECT 1;\n```\n")
    assert [(each.code, each.span.line) for each in problems] == [("SK007", 7)]
    assert steps[0].sql == (CodeBlock("sql", "SELECT 1;\n", 10),)


def test_a_heading_that_names_no_step_is_reported():
    steps, problems = steps_of("### Preparation\n\nx\n\n### 2. Go\n")
    assert [step.id for step in steps] == ["2"]
    assert problems == [
        Diagnostic(
            "SK014",
            Span("p.md", 3),
            "heading 'Preparation' under Steps names no step",
            "Write '### Step 3: Title'.",
        )
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("for_each: things", "for_each is 'things'"),
        ("when: [a]", "when is '['a']', not text"),
        ("optional: maybe", "optional is 'maybe', not true or false"),
        ("binds: x", "binds is 'x', not a list of fields"),
        ("checkpoint: soon", "checkpoint is 'soon'"),
        ("checkpoint: {severity: high}", "severity is 'high'"),
        ("creates: [view]", "creates contains 'view', which is not a list of fields"),
        ("compensation: 3", "compensation is '3', not a list"),
        (
            "expected_errors: [{pattern: '('}]",
            "pattern '(' is not a regular expression: missing ), unterminated subpattern at "
            "position 0",
        ),
    ],
)
def test_a_wrong_value_is_quoted(line, message):
    _, problems = steps_of(f"### Step 1: A\n\n```yaml\n{line}\nrole: x\n```\n")
    assert [each.message for each in problems] == [message]
    assert problems[0].code == "SK008"


FRONT = """\
---
type: playbook
name: protect
domain: data-security
depends_on: [tags]
inputs:
  - {name: a, description: "Which", choices: [x, 2], default: null, infer_from: [intent]}
  - {name: b, type: role, required: false, phase: step_2, default: R, secret: true}
  - {name: c, phase: later, open_ended_because: "names differ"}
prerequisites: ["A role"]
probes:
  - id: there
    query: "SELECT 1"
    required: false
    validate:
      - {condition: "count = 0", action: block, message: "none"}
      - {condition: "count = 1"}
produces: [{name: tables, from: step_1.created_objects.table}]
---

# Protect
"""


def test_front_matter_of_a_playbook(library):
    path = "playbooks/protect/playbook.md"
    opened, documents = read_both(library({path: FRONT}))
    playbook = opened.playbooks["protect"]
    assert playbook.inputs == (
        InputSpec(
            "a", "Which", "choice", has_default=True, choices=("x", 2), infer_from=("intent",)
        ),
        InputSpec("b", "", "role", False, "step_2", "R", True, secret=True),
        InputSpec("c", open_ended_because="names differ"),
    )
    assert playbook.probes == (
        ProbeSpec(
            "there",
            "SELECT 1",
            False,
            (ProbeCheck("count = 0", "block", "none"), ProbeCheck("count = 1", "block")),
        ),
    )
    assert playbook.produces == (Production("tables", "step_1.created_objects.table"),)
    assert playbook.prerequisites == ("A role",)
    assert [(str(d.span), d.message) for d in documents.diagnostics] == [
        (f"{path}:9:22", "phase is 'later'"),
        (f"{path}:17:9", "field 'action' is missing"),
    ]


def test_the_listed_form_of_a_steps_errors_is_read_for_its_step():
    text = (
        "### Step 3: A\n\nDo.\n\n```yaml\n- step: 3\n  primitive: tags\n  expected_errors:\n"
        "    - pattern: already exists\n      retryable: true\n```\n"
    )
    steps, problems = steps_of(text)
    assert problems == []
    assert steps[0].expected_errors == (ExpectedError("already exists", "", True, False),)
    other, problems = steps_of(text.replace("Step 3", "Step 4"))
    assert (other[0].expected_errors, problems) == ((), [])


def test_a_pattern_that_later_versions_may_read_differently_is_no_trouble():
    _, problems = steps_of("### Step 1: A\n\n```yaml\nexpected_errors: [{pattern: '[[a]'}]\n```\n")
    assert problems == []


def test_a_loop_over_named_values_is_read():
    steps, problems = steps_of("### Step 1: A\n\n```yaml\nfor_each: x in [a, b.c]\n```\n")
    assert (steps[0].for_each, problems) == (ForEach("x", "[a, b.c]"), [])


def test_a_table_of_errors_without_a_pattern_column_says_so():
    text = "### Step 1: A\n\nDo.\n\n**Expected errors:**\n\n| A | B |\n|---|---|\n| x | y |\n"
    _, problems = steps_of(text)
    assert [(each.code, each.span.line, each.hint) for each in problems] == [
        ("SK016", 9, "Name the columns Pattern, Recovery, Retryable and Escalate.")
    ]


@pytest.mark.parametrize("title", ["Step " + "9" * 5000 + ": A", "Step 3ſ: A", "Step ٣: A", "3"])
def test_numbers_that_no_step_has_are_refused(title):
    steps, problems = steps_of(f"### {title}\n")
    assert (steps, [each.code for each in problems]) == ((), ["SK014"])


@pytest.mark.parametrize(
    ("title", "step_id"),
    [("Step 3: A", "3"), ("STEP 3B. A", "3b"), ("3) A", "3"), ("Step 3 — A", "3"), ("3c: A", "3c")],
)
def test_numbers_of_steps_are_written_in_several_ways(title, step_id):
    steps, problems = steps_of(f"### {title}\n")
    assert ([(step.id, step.title) for step in steps], problems) == ([(step_id, "A")], [])
