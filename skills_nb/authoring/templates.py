"""What a new skill file begins with.

Room: authoring. Everything that follows from the type is there; what only its author can say is
left empty, and the linter names each of these places.
Spec: Skill Types.
"""

from __future__ import annotations

from collections.abc import Mapping

_PRIMITIVE = """\
---
type: primitive
name: «name»
domain: «domain»
sources: []
last_reviewed: «today»
---

# «title»

## Examples

## Syntax

## Parameters

| Name | Type | Default | Description |
|---|---|---|---|

## Constraints
"""

_PLAYBOOK = """\
---
type: playbook
name: «name»
domain: «domain»
depends_on: []
inputs:
  - name: target_schema
    type: schema
    description: ""
    phase: before_start
    infer_from: [intent, session.schema]
    open_ended_because: "An account holds more schemas than a list of choices can show"
prerequisites: []
probes:
  - id: schema_exists
    query: "SHOW TABLES IN SCHEMA {{ target_schema }}"
---

# «title»

## Objective

## Prerequisites

## Steps

### Step 1: Look at what exists

List the tables of the schema before changing anything.

```yaml
binds: {tables: rows, table_count: row_count}
checkpoint:
  severity: review
  present: "{target_schema} holds {table_count} tables."
```

```sql
SHOW TABLES IN SCHEMA {{ target_schema }};
```

### Step 2: «title»
"""

_ROUTER = """\
---
type: router
name: «name»
domain: «domain»
parameters:
  - name: user_goal
    description: "What should be different, known or running when this is done"
    options: []
routes_to: []
---

# «title»

## Decision Criteria

| Input | Found in |
|---|---|
| user_goal | the wording of the intent |

## Routing Logic

| Intent names | Go to |
|---|---|

## Routes To

| Target | When |
|---|---|
"""

TEMPLATES: Mapping[str, str] = {
    "routers": _ROUTER,
    "playbooks": _PLAYBOOK,
    "primitives": _PRIMITIVE,
}
"""Folder of a kind to the text of a new file; «…» stand for what `new` knows."""


def fill_template(folder: str, name: str, domain: str, today: str) -> str:
    """Return the text of a new skill file; `today` is an ISO date."""
    text = TEMPLATES[folder]
    known = {"name": name, "domain": domain, "title": title_of(name), "today": today}
    for field, value in known.items():
        text = text.replace(f"«{field}»", value)
    return text


def title_of(name: str) -> str:
    """Return the title that a kebab-case name suggests."""
    return name.replace("-", " ").capitalize()
