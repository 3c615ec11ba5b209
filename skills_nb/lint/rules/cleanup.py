"""SK428 and SK435: what a step takes back, and what it asks a person to run.

Room: lint.
Spec: Compensation and Rollback; FORMATS, A playbook step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from skills_nb.errors import SkillsError
from skills_nb.lint.registry import Finding, rule
from skills_nb.lint.rules.steps import every_step
from skills_nb.lint.subject import Subject
from skills_nb.model.skills import Playbook, Step
from skills_nb.sql.objects import ObjectRef, changes_of
from skills_nb.sql.shell_marks import shell_marks
from skills_nb.sql.templates.sample_fills import fill_samples
from skills_nb.sql.tokens import TokenKind, tokenize

_PLACE = ("DATABASE_1", "SCHEMA_1")
"""Where unqualified names are sought: where the samples are, too."""


@rule("SK428", "own-cleanup", spec="Compensation and Rollback", requires=("SK431",))
def own_cleanup(subject: Subject) -> Iterator[Finding]:
    """A declared cleanup takes back what the playbook made or changed, and nothing else.

    Told by names, with values of the right types filled in: what a cleanup drops, changes or
    writes to is named by the SQL of its step or of one before it. A run never sends another.

    Fails: `compensation: ["DROP TABLE SALES.PUBLIC.ORDERS"]` of a step that creates a tag.
    Passes: `compensation: ["DROP TAG IF EXISTS {{ ident(scope, 'PII') }}"]` of that step.
    """
    for playbook, placed in every_step(subject):
        step = placed.step
        if step.compensation == "auto" or not step.compensation:
            continue
        for ref in _foreign(playbook, step.compensation, placed.steps_until(playbook)):
            message = (
                f"the cleanup of step {step.id} changes '{ref.fqn}', which the SQL of no step names"
            )
            hint = "Take back what the step made or changed, and leave the rest alone."
            yield Finding(placed.field_span("compensation"), message, hint)


def _foreign(
    playbook: Playbook, compensation: Sequence[str], until: Sequence[Step]
) -> Iterator[ObjectRef]:
    """Yield what a cleanup changes and the SQL of no step names, as written or filled in."""
    texts = [text for step in until for text in _texts_of(step)]
    named = {word for text in texts for word in _words(text)}
    changed = [ref for sql in compensation for ref in _changed_by(sql, playbook, until)]
    doubtful = [ref for ref in changed if ref.name[-1].upper() not in named]
    if doubtful:
        filled = (each for text in texts for each in _filled(text, playbook, until))
        named.update(word for text in filled for word in _words(text))
    return (ref for ref in doubtful if ref.name[-1].upper() not in named)


def _texts_of(step: Step) -> list[str]:
    return [block.text for block in step.sql] + [each.name for each in step.creates]


def _words(text: str) -> Iterator[str]:
    named = (TokenKind.WORD, TokenKind.QUOTED, TokenKind.STRING)
    for token in tokenize(text):
        if token.kind in named:
            yield token.text.strip("\"'").upper()


def _filled(text: str, playbook: Playbook, until: Sequence[Step]) -> Iterator[str]:
    """Yield a text with samples, for each of its branches."""
    if "{" not in text:
        yield text
        return
    for fillings in fill_samples(text, playbook.inputs, until):
        yield from (one.text for one in islice(fillings, 1))


def _changed_by(sql: str, playbook: Playbook, until: Sequence[Step]) -> Iterator[ObjectRef]:
    """Yield what a declared statement changes, each once."""
    found: dict[ObjectRef, None] = {}
    for text in _filled(sql, playbook, until):
        try:
            changes = changes_of(text, *_PLACE)
        except SkillsError:
            continue
        found.update(dict.fromkeys(change.target for change in changes))
    return iter(found)


@rule("SK435", "plain-command", spec="FORMATS > A playbook step")
def plain_command(subject: Subject) -> Iterator[Finding]:
    """A command is a program and its arguments: nothing in it is for a shell to act on.

    No `;`, `&&`, pipe, redirection, substitution, variable or pattern outside of single quotes: a
    person who copies the line runs what it shows. Comments and continued lines are fine.

    Fails: `snow sql -f load.sql; rm -r build`; `snow sql -q "$(cat load.sql)"`.
    Passes: `snow sql -f load.sql`, and on the next line `snow stage copy out.csv @s`.
    """
    for _, placed in every_step(subject):
        for block in placed.step.shell:
            for problem in shell_marks(block.text):
                span = placed.code_span(block, problem.line, problem.column)
                yield Finding(span, problem.message, problem.hint or "")
