"""A small library of an author's own, with one playbook, on a demo account."""

import re
import shutil
from pathlib import Path

from skills_nb.commands import App
from skills_nb.reading import open_library

BASE = Path(__file__).parent.parent / "lint" / "base"
NAME = "protect-columns"
TARGET = f"playbooks/{NAME}"
HEAD = """---
type: playbook
name: protect-columns
domain: data-security
depends_on: [tags, masking-policies]
{front}
---

# Protect columns

Does what the test wants.

## Steps

{steps}
"""
STEP = """### Step {id}: Step {id}

Do it.

{block}

```sql
{sql}
```
"""


def step(step_id, sql, block=""):
    """A step with this SQL and, in YAML, what else it says."""
    fence = f"```yaml\n{block}\n```" if block else ""
    return STEP.format(id=step_id, sql=sql, block=fence)


def opened(home, folder, *steps, front=""):
    """Open a home folder with a library whose one playbook has these steps."""
    shutil.copytree(BASE, folder)
    for page in folder.glob("primitives/*/skill.md"):
        # Whether a review is old depends on the day.
        page.write_text(re.sub(r"(?m)^last_reviewed:.*\n", "", page.read_text()))
    text = HEAD.format(front=front, steps="\n".join(steps))
    (folder / "playbooks" / NAME / "playbook.md").write_text(text)
    assert open_library(folder).playbook(NAME).steps
    return App(home, library=folder)


def probing(query, required=True):
    """Front matter with one probe."""
    text = query.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'probes:\n  - id: look\n    query: "{text}"\n    required: {str(required).lower()}'


def asked(app, sql):
    """Return the rows of a query that the person asks beside the thread."""
    return app.wiring.session.query(sql).rows
