"""The plain form: checkpoint, compensation, created objects and errors written as prose.

Room: reading. Taken as far as it is concrete; what could not be run says so, as a warning.
Source: FORMATS, A playbook step.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import get_args

from skills_nb.model.diagnostics import Diagnostic, Severity, Span
from skills_nb.model.skills import (
    CheckpointSeverity,
    CheckpointSpec,
    CreatesSpec,
    ExpectedError,
    OptionSpec,
)
from skills_nb.reading.errors_table import is_error_table, read_error_table
from skills_nb.reading.step_text import Labelled, StepText

ALWAYS_OFFERED = ("approve", "approve_remaining", "modify", "abort", "different-approach")
_REFERENCE = re.compile(r"primitives/([A-Za-z0-9_-]+)")
_CODE = re.compile(r"`([^`]+)`")
_SQL_START = re.compile(
    r"(DROP|ALTER|REVOKE|GRANT|DELETE|UPDATE|INSERT|MERGE|TRUNCATE|UNDROP|CREATE|CALL|EXECUTE)\s",
    re.IGNORECASE,
)
_READ_START = re.compile(r"(SELECT|SHOW|DESC|DESCRIBE|WITH|LIST)\s", re.IGNORECASE)
_CREATED = re.compile(r"([A-Za-z][A-Za-z _]*?)\s*[:=—–-]?\s*`([^`]+)`")
_SEVERITY = re.compile(r"(info|review|critical)\b\s*[:.—–-]?\s*", re.IGNORECASE)
_PHRASE = re.compile(r"\bphrase:?\s*[\"“`'](.+?)[\"”`']|\btype\s+[\"“`](.+?)[\"”`]", re.IGNORECASE)
_OPTION = re.compile(r"`([a-z0-9][a-z0-9_-]*)`\s*[:—–-]\s*(.+)")
_SETTING = re.compile(r"(severity|present|phrase|options)\s*:\s*(.*)", re.IGNORECASE)
_LINE_MAX = 2000
"""Longer lines are not searched for settings: no author writes one."""


def references(step: StepText) -> tuple[str, ...]:
    """Return the primitives that `Reference:` lines name, each once."""
    texts = (" ".join([*each.text, *_texts(each)]) for each in step.all_of("reference"))
    return tuple(dict.fromkeys(name for text in texts for name in _REFERENCE.findall(text)))


def plain_checkpoint(step: StepText) -> CheckpointSpec | None:
    """Return the checkpoint that the prose describes, or None."""
    found = next(step.all_of("checkpoint"), None)
    if found is None:
        return None
    settings = dict(_settings(found))
    text = settings.get("present") or found.sentence
    severity = _severity(found.note) or _severity(settings.get("severity", ""))
    if severity is None and (opening := _SEVERITY.match(text)) and opening.end() < len(text):
        severity, text = _severity(opening[1]), text[opening.end() :]
    phrase = settings.get("phrase") or _phrase(text)
    return CheckpointSpec(
        severity=severity or "review",
        present=text.strip().strip('"'),
        phrase=phrase if severity == "critical" else None,
        options=tuple(_options(found)),
    )


def plain_compensation(step: StepText, problems: list[Diagnostic]) -> tuple[str, ...] | None:
    """Return the inverse SQL that the prose shows; None where there is none or it says auto."""
    found = next(step.all_of("compensation"), None)
    if found is None:
        return None
    shown = [fence.text.strip() for fence in found.fences if fence.language in ("sql", "")]
    shown += [code for code in _code_in(found) if _SQL_START.match(code)]
    word = found.sentence.lower().strip("`.* ")
    if shown or word in ("none", "nothing", "not needed"):
        return tuple(shown)
    if word not in ("auto", "automatic", "derived"):
        _not_concrete(step, found, "compensation", "Show its SQL in a code block.", problems)
    return None


def plain_creates(step: StepText, problems: list[Diagnostic]) -> tuple[CreatesSpec, ...]:
    """Return the objects that the prose says are created."""
    created = []
    for found in step.all_of("creates"):
        texts = [found.sentence, *_texts(found)]
        pairs = [pair for text in texts for pair in _CREATED.findall(text[:_LINE_MAX])]
        if not pairs:
            hint = "Write type and name: masking_policy `NAME`."
            _not_concrete(step, found, "list of created objects", hint, problems)
        created += [CreatesSpec(_type_of(words), name) for words, name in pairs]
    return tuple(created)


def plain_verify(step: StepText) -> str | None:
    """Return the read-only query under a `Verify:` label, or None."""
    for found in step.all_of("verify"):
        fences = [fence.text.strip() for fence in found.fences if fence.language == "sql"]
        shown = fences + [code for code in _code_in(found) if _READ_START.match(code)]
        if shown:
            return shown[0]
    return None


def plain_errors(step: StepText, problems: list[Diagnostic]) -> tuple[ExpectedError, ...]:
    """Return the rows of the step's table of expected errors."""
    path = step.document.path
    rows: list[ExpectedError] = []
    for found in step.all_of("errors"):
        for table in found.tables:
            rows.extend(read_error_table(table, path, problems))
        if not found.tables and (found.sentence or found.items):
            hint = "Write a table: Pattern, Recovery, Retryable, Escalate."
            _not_concrete(step, found, "list of expected errors", hint, problems)
    for table in filter(is_error_table, step.tables):
        rows.extend(read_error_table(table, path, problems))
    return tuple(rows)


def _texts(found: Labelled) -> list[str]:
    return [text for _, text in found.items]


def _code_in(found: Labelled) -> list[str]:
    return _CODE.findall(" ".join([found.sentence, *_texts(found)]))


def _not_concrete(
    step: StepText, found: Labelled, what: str, hint: str, problems: list[Diagnostic]
) -> None:
    span = Span(step.document.path, found.line)
    message = f"the {what} of '{step.heading.title}' is prose that nothing can run"
    problems.append(Diagnostic("SK016", span, message, hint, Severity.WARNING))


def _settings(found: Labelled) -> Iterator[tuple[str, str]]:
    """Yield `severity: review` and the like, from lines or list items."""
    for text in [*found.text, *_texts(found)]:
        setting = _SETTING.match(text[:_LINE_MAX].strip().replace("**", ""))
        if setting is not None:
            yield setting[1].lower(), setting[2].strip().strip("\"'`")


def _severity(word: str) -> CheckpointSeverity | None:
    return next((known for known in get_args(CheckpointSeverity) if known == word.lower()), None)


def _phrase(text: str) -> str | None:
    found = _PHRASE.search(text[:_LINE_MAX])
    return (found[1] or found[2]) if found is not None else None


def _options(found: Labelled) -> Iterator[OptionSpec]:
    for text in _texts(found):
        option = _OPTION.match(text.replace("**", ""))
        if option is not None and option[1] not in ALWAYS_OFFERED:
            yield OptionSpec(option[1], option[2].strip())


def _type_of(words: str) -> str:
    kind = "_".join(words.lower().split()[-3:]).strip("_")
    for suffix, singular in (("ies", "y"), ("sses", "ss"), ("s", "")):
        if kind.endswith(suffix) and not kind.endswith("ss"):
            return kind.removesuffix(suffix) + singular
    return kind
