"""What of a playbook would be sent or run and is not what it looks like.

Room: sql. Reading reports it with its place in the file, and a run refuses it, whoever made the
playbook: templates and commands as they are written, before any value is filled in.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from skills_nb.model.skills import CodeBlock, Step
from skills_nb.sql.template_problems import TemplateProblem
from skills_nb.sql.unseen_text import lookalike_in_sql, unseen_in_code

UNSEEN, LOOKALIKE = "SK018", "SK020"
"""Codes of the rules that say so of a file."""


class HiddenCode(NamedTuple):
    """One place in the code of a playbook that deceives whoever reads it."""

    code: str
    """Of the rule."""
    field: str
    """The step's field that holds it; `sql` and `shell` for its blocks."""
    block: CodeBlock | None
    """The block that it stands in, if it does in one."""
    problem: TemplateProblem
    """What it is, and where within that text."""


def hidden_in_step(step: Step) -> Iterator[HiddenCode]:
    """Yield what deceives in a step's code, each text's first."""
    for block in step.sql:
        yield from _hidden("sql", block.text, block)
    for block in step.shell:
        yield from _hidden("shell", block.text, block, is_sql=False)
    yield from _hidden("verify", step.verify or "")
    for sql in step.compensation if step.compensation != "auto" else ():
        yield from _hidden("compensation", sql)
    for created in step.creates:
        yield from _hidden("creates", created.name, is_sql=False)
    for field, text in (("when", step.when), ("role", step.role)):
        yield from _hidden(field, text or "", is_sql=False)


def hidden_in_query(query: str) -> Iterator[HiddenCode]:
    """Yield what deceives in a probe."""
    return _hidden("query", query)


def _hidden(
    field: str, text: str, block: CodeBlock | None = None, *, is_sql: bool = True
) -> Iterator[HiddenCode]:
    unseen = unseen_in_code(text)
    if unseen is not None:
        yield HiddenCode(UNSEEN, field, block, unseen)
    alike = lookalike_in_sql(text) if is_sql and unseen is None else None
    if alike is not None:
        yield HiddenCode(LOOKALIKE, field, block, alike)
