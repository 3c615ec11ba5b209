"""The rules, one function each; importing this package enters all of them into the list.

Room: lint. Codes: SK0 reading, SK1 structure, SK2 sections, SK3 content, SK4 playbooks.
"""

from __future__ import annotations

from skills_nb.lint.registry import RULES
from skills_nb.lint.rules import (
    cleanup,
    content,
    domains,
    edges,
    flow,
    index,
    inputs,
    names,
    plans,
    reading,
    references,
    sections,
    sql_text,
    steps,
    templates,
)

__all__ = [
    "RULES",
    "cleanup",
    "content",
    "domains",
    "edges",
    "flow",
    "index",
    "inputs",
    "names",
    "plans",
    "reading",
    "references",
    "sections",
    "sql_text",
    "steps",
    "templates",
]
