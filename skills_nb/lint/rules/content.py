"""SK301 to SK305, SK308, SK310 and SK313: what the text of skills says.

Room: lint.
Spec: Principles; Primitives > Content rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from skills_nb.lint.registry import RULES, Finding, rule
from skills_nb.lint.rules.repeated import repeated_knowledge
from skills_nb.lint.subject import INLINE_CODE, Subject, front_span, front_value
from skills_nb.model.diagnostics import Severity
from skills_nb.model.documents import Document, Section

OPINIONS: dict[str, str] = {
    r"we (?:strongly )?(?:recommend|suggest|advise)": "it advises",
    r"(?:is|are|it's) (?:strongly |highly )?(?:recommended|advisable|preferable)": "it advises",
    r"recommended (?:to|that|practice|approach|way)": "it advises",
    r"best[- ]practices?": "a practice is an opinion about use",
    r"you should(?:n't| not)?": "it tells what to do, not what happens",
    r"should (?:always|never|generally|usually|only be used)": "it tells what to do",
    r"(?:always|never) use": "it tells what to do",
    r"consider (?:using|whether|a|an|the)": "it weighs a choice",
    r"prefer(?:ably|red)?\b(?! (?:region|language))": "it prefers",
    r"(?:ideal|perfect|great|excellent|well[- ]suited|a good choice) for": "it praises",
    r"(?:best|better) (?:suited|choice|option|to use)": "it compares by taste",
    r"(?:use (?:this|it|them) when|when to use)": "when to use something is a router's decision",
    r"(?:simply|obviously|easily|unfortunately|of course|just (?:use|run|call))": "it judges",
    r"(?:powerful|elegant|convenient|robust|seamless|best-in-class|state-of-the-art)": "it praises",
    r"rule of thumb": "it is an opinion about use",
    r"(?:in our|in my) (?:experience|opinion|view)": "it is an opinion",
}
"""Words by which a text stops stating what is and starts advising; the reason is shown."""
_OPINION = re.compile(
    "|".join(rf"(?P<w{n}>\b{words})" for n, words in enumerate(OPINIONS)), re.IGNORECASE
)
_REASONS = tuple(OPINIONS.values())
_QUOTED = re.compile(r"\"[^\"\n]{0,200}\"|“[^”\n]{0,200}”")
_HEDGE = re.compile(
    r"\b(?:usually|typically|often|might|perhaps|maybe|probably|generally|depending on|"
    r"use (?:your )?judg(?:e)?ment|as appropriate|it depends|somewhat|likely)\b",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"https://[^\s/]+\.[^\s/]+(?:/\S*)?")
MAX_PROSE_WORDS = 40
"""A paragraph of routing logic may introduce its table; beyond that it is narrative."""


@rule("SK301", "factual-primitive", spec="Constraints > Skill constraints 4")
def factual_primitive(subject: Subject) -> Iterator[Finding]:
    """A primitive states what is and how it behaves; it does not advise, praise or compare.

    Told by a list of words, each with its reason. Code and quotations are left out. Where a word
    is used in another sense, say so: `<!-- lint: allow SK301 because … -->` in that section.

    Fails: "We recommend one policy per data type."
    Passes: "A policy applies to columns of the data type of its first argument."
    """
    for document in subject.documents.of_kind("primitive", "part"):
        if document.kind == "part" and document.path.split("/")[-4] != "primitives":
            continue
        for number, text in _plain_lines(document):
            for found in _OPINION.finditer(text):
                reason = _REASONS[int((found.lastgroup or "w0")[1:])]
                span = document.span((number, found.start() + 1))
                hint = "State the fact; advice belongs into a router or a playbook."
                yield Finding(span, f"'{found[0]}': {reason}", hint)


def _plain_lines(document: Document) -> Iterator[tuple[int, str]]:
    """Yield lines outside code, with inline code and quotations blanked."""
    code = {n for fence in document.fences for n in range(fence.line, fence.end + 1)}
    lines = document.text.split("\n")
    for number in range(document.body_line, len(lines) + 1):
        if number not in code:
            text = INLINE_CODE.sub(_blank, lines[number - 1])
            yield number, _QUOTED.sub(_blank, text)


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


@rule("SK302", "deterministic-routing", spec="Routers > Routing logic rules")
def deterministic_routing(subject: Subject) -> Iterator[Finding]:
    """Routing logic is a table, a tree or a list of conditions, not a story.

    A paragraph may introduce it; one of more than 40 words, or with words that leave the decision
    open, is narrative.

    Fails: "Users typically want a playbook here, but it depends on their data."
    Passes: a table with the columns `Intent says` and `Go to`.
    """
    for document in subject.documents.of_kind("meta-router", "router"):
        section = document.section("Routing Logic")
        if section is None or not section.text.strip():
            continue
        yield from _narrative(document, section)
        if not _has_structure(document, section):
            span = document.span((section.line, 1))
            message = "the routing logic has no table, list or diagram"
            yield Finding(span, message, "Write the decisions as a table.")


def _narrative(document: Document, section: Section) -> Iterator[Finding]:
    for prose in document.prose:
        if not section.line < prose.line <= section.end:
            continue
        words = len(prose.text.split())
        if words > MAX_PROSE_WORDS and not prose.in_list:
            message = f"a paragraph of {words} words in the routing logic"
            hint = "Write it as rows of the table."
            yield Finding(document.span((prose.line, 1)), message, hint)
        for number, line in prose.lines():
            found = _HEDGE.search(INLINE_CODE.sub(_blank, line))
            if found is not None:
                message = f"'{found[0]}' leaves the decision open"
                yield Finding(document.span((number, 1)), message, "State the condition.")


def _has_structure(document: Document, section: Section) -> bool:
    inside = range(section.line, section.end + 1)
    lists = any(prose.in_list and prose.line in inside for prose in document.prose)
    lines = [table.line for table in document.tables] + [fence.line for fence in document.fences]
    return lists or any(line in inside for line in lines)


@rule("SK303", "stated-once", spec="Constraints > Skill constraints 5")
def stated_once(subject: Subject) -> Iterator[Finding]:
    """What a primitive states, a playbook refers to instead of stating it again.

    Sentences of eight words or more, and SQL without templates, that stand word for word in both.

    Fails: the same sentence on privileges in `primitives/tags` and in a playbook's step.
    Passes: the sentence in the primitive, "Reference: `primitives/tags`" in the step.
    """
    for span, shown, source in repeated_knowledge(subject):
        hint = f"Refer to 'primitives/{source.skill_name}' instead."
        yield Finding(span, f"'{shown}' stands in {source.path} too", hint)


@rule("SK304", "reviewed-recently", spec="Events > Validation events", severity=Severity.WARNING)
def reviewed_recently(subject: Subject) -> Iterator[Finding]:
    """A primitive was reviewed within the threshold that the meta-router sets (180 days).

    Fails: `last_reviewed: 2023-01-31`, read in 2026.
    Passes: the date of a review half a year ago or less.
    """
    if subject.today is None:
        return
    threshold = subject.library.meta.staleness_threshold_days
    for _, document in subject.of_kind("primitives"):
        reviewed = _date(front_value(document, "last_reviewed"))
        if reviewed is None:
            continue
        days = (date.fromisoformat(subject.today) - reviewed).days
        if days > threshold:
            message = f"last reviewed {days} days ago, on '{reviewed}'"
            hint = "Check it against the manual, then set the date."
            yield Finding(front_span(document, "last_reviewed"), message, hint)


@rule("SK305", "review-date", spec="Events > Validation events", severity=Severity.WARNING)
def review_date(subject: Subject) -> Iterator[Finding]:
    """A primitive says when it was last reviewed, as an ISO date that is not in the future.

    Fails: `last_reviewed: January 2026`.
    Passes: `last_reviewed: 2026-01-31`.
    """
    for _, document in subject.of_kind("primitives"):
        value = front_value(document, "last_reviewed")
        reviewed = _date(value)
        span = front_span(document, "last_reviewed")
        hint = "Write 'last_reviewed: YYYY-MM-DD'."
        if value is None:
            yield Finding(span, "field 'last_reviewed' is missing", hint)
        elif reviewed is None:
            yield Finding(span, f"last_reviewed is '{value}', not a date", hint)
        elif subject.today is not None and reviewed > date.fromisoformat(subject.today):
            yield Finding(span, f"last_reviewed '{value}' is in the future", hint)


@rule("SK313", "cited-sources", spec="Primitives > Content rules")
def cited_sources(subject: Subject) -> Iterator[Finding]:
    """A primitive cites the pages that its claims were checked against.

    Fails: `sources: []`, and a primitive without the field.
    Passes: `sources: [https://docs.snowflake.com/en/sql-reference/sql/create-stage]`.
    """
    for name, document in subject.of_kind("primitives"):
        primitive = subject.library.primitives.get(name)
        if primitive is None:
            continue
        cited = primitive.sources
        if not cited:
            hint = "List under 'sources' the pages of the manual that its claims rest on."
            yield Finding(front_span(document, "sources"), "it cites no page", hint)
        for address in cited:
            if not _ADDRESS.fullmatch(address):
                message = f"source '{address}' is not the address of a page"
                hint = "Write the whole address, such as 'https://docs.snowflake.com/en/…'."
                yield Finding(front_span(document, "sources"), message, hint)


def _date(value: object) -> date | None:
    try:
        return date.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None


@rule("SK308", "named-language", spec="Primitives > Content rules", severity=Severity.WARNING)
def named_language(subject: Subject) -> Iterator[Finding]:
    """A code block says its language; `text` is one.

    Fails: three backticks, a statement, three backticks.
    Passes: three backticks and `sql`, a statement, three backticks.
    """
    for document in subject.documents.of_kind("primitive", "playbook", "router", "part"):
        for fence in document.fences:
            if not fence.language:
                span = document.span((fence.line, fence.column))
                yield Finding(span, "the code block names no language", "Write 'sql' or 'text'.")


@rule("SK310", "reasoned-allowance", spec="FORMATS > Library on disk", severity=Severity.WARNING)
def reasoned_allowance(subject: Subject) -> Iterator[Finding]:
    """An allowance names a rule and a reason, and something is there to allow.

    It holds for the section that it stands in; above the first section, for the whole file.

    Fails: `<!-- lint: allow SK301 -->`.
    Passes: `<!-- lint: allow SK301 because the manual's own heading says so -->`.
    """
    for document in subject.documents.files.values():
        for allowance in document.allowances:
            span = document.span((allowance.line, 1))
            if allowance.code not in RULES:
                message = f"'{allowance.code}' is no rule"
                yield Finding(span, message, "Name a code that 'lint' has reported.")
            elif not allowance.reason:
                message = f"the allowance of '{allowance.code}' has no reason"
                yield Finding(span, message, "Write '… because REASON'.")
