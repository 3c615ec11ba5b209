"""A small library on disk that tests change one file of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

ROUTER = """\
---
type: meta-router
name: entry
domains:
  data-security:
    router: routers/data-security
    description: "Protect data"
    produces: [policies]
---

# Entry

One line.
"""
INDEX = """\
version: "1.2"
entry: router.md
routers:
  data-security:
    domain: data-security
    routes_to: [playbooks/protect, primitives/tags]
playbooks:
  protect:
    domain: data-security
    depends_on: [tags]
primitives:
  tags:
    domain: data-security
"""
DOMAIN_ROUTER = """\
---
type: router
name: data-security
domain: data-security
routes_to:
  - playbooks/protect
  - primitives/tags
---

# Data security

Decides.

## Routes To

| Target | When |
|---|---|
| `playbooks/protect` | asked |
"""
PLAYBOOK = """\
---
type: playbook
name: protect
domain: data-security
depends_on: [tags]
---

# Protect

Data is protected.

## Steps

### Step 1: Look

Look first.

```sql
SHOW TAGS;
```
"""
PRIMITIVE = """\
---
type: primitive
name: tags
domain: data-security
last_reviewed: 2026-01-31
---

# Tags

Labels on objects.

## Syntax

```sql
CREATE TAG t;
```
"""
FILES = {
    "router.md": ROUTER,
    "skill-index.yaml": INDEX,
    "routers/data-security/router.md": DOMAIN_ROUTER,
    "playbooks/protect/playbook.md": PLAYBOOK,
    "primitives/tags/skill.md": PRIMITIVE,
}
WriteLibrary = Callable[..., Path]


def write_files(root: Path, files: Mapping[str, str | bytes | None]) -> Path:
    """Write files below a directory; None leaves one out."""
    for path, content in files.items():
        if content is None:
            continue
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


@pytest.fixture
def library(tmp_path: Path) -> WriteLibrary:
    """Return a function that writes the small library with some files replaced."""

    def write(changes: Mapping[str, str | bytes | None] | None = None, name: str = "lib") -> Path:
        return write_files(tmp_path / name, {**FILES, **(changes or {})})

    return write
