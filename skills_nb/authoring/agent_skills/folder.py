"""What export and import agree on about a folder.

Room: authoring.
"""

from __future__ import annotations

MAIN = "SKILL.md"
FRONT = "references/front-matter.yaml"
"""The skill's own front matter, letter by letter."""
PARTS = "references"
"""Holds `examples/` and `steps/` of a split skill."""
MARK = "<!-- what follows is written by the export -->"
MAX_NAME, MAX_DESCRIPTION = 64, 1024
"""Longest values that the specification accepts, in characters."""
KINDS = {"routers": "router", "playbooks": "playbook", "primitives": "primitive"}
