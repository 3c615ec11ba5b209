"""Errors: what category they are, whether trying again makes sense, and what repairs them.

Room: laws. Priority: the step's expected errors, then the primitive's, then the categories, then
unknown, which a person decides at once. Snowflake's numbers count before its words.
Spec: Error Handling.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from skills_nb.errors import UsageError
from skills_nb.model.events import StatementError
from skills_nb.model.skills import ExpectedError
from skills_nb.sql.templates import message


@dataclass(frozen=True, slots=True)
class Category:
    """A row of the error category table."""

    name: str
    """As the specification's table has it: `permission`, `transient`, …"""
    patterns: tuple[str, ...]
    """Lower-case words of a message, any of which means this category."""
    errnos: frozenset[int]
    """Snowflake error numbers that mean this category whatever the words."""
    retries: int
    """How many times a statement is tried again; 0: not retryable."""
    backoff: tuple[float, ...]
    """Seconds before each retry; the last one repeats."""
    hint: str
    """What to do about it."""


CATEGORIES: tuple[Category, ...] = (
    Category(
        "permission",
        ("insufficient privileges", "access denied", "access control error"),
        frozenset({3001, 3007, 3041, 3650, 3651, 3652}),
        0,
        (),
        "Grant the missing privilege to the role that runs the step, then retry",
    ),
    Category(
        "object_exists",
        ("already exists", "duplicate"),
        frozenset({2002}),
        0,  # trying again meets the same object, and nothing is ever replaced unasked
        (),
        "Compare it with what was wanted: keep it, give the new one another name, or remove it",
    ),
    Category(
        "object_not_found",
        ("does not exist", "not found"),
        frozenset({2003, 2043}),
        0,
        (),
        "Check the object's name, and that the role may see it",
    ),
    Category(
        "transient",
        ("timeout", "timed out", "connection", "temporarily unavailable"),
        frozenset({630, 250001, 250003}),  # not 604: somebody ended it, who decides what follows
        3,
        (1.0, 2.0, 4.0),
        "Wait and try again",
    ),
    Category(
        "resource",
        ("warehouse.*suspended", "quota exceeded", "no active warehouse"),
        frozenset({606, 609}),
        2,
        (0.0, 5.0),
        "Resume the warehouse, or choose one",
    ),
    Category("syntax", ("syntax error", "invalid"), frozenset({1003}), 0, (), "Review the SQL"),
    Category(
        "conflict",
        ("concurrent", "modified by", "locked"),
        frozenset({625}),
        2,
        (1.0, 2.0),
        "Another session changes the same object; try again in a moment",
    ),
)

UNKNOWN = Category(
    "unknown", (), frozenset(), 0, (), "This error is not known here: decide what to do"
)
_UNSEEN = re.compile(r"'(?P<name>[^']+)' does not exist or not authorized")
_LACKING = re.compile(r"Insufficient privileges to operate on (?P<kind>[\w ]+) '(?P<name>[^']+)'")
_BY_NAME = {category.name: category for category in CATEGORIES}
_BY_POLICY = (
    "{kind} policy keeps the role that runs the step from reading this: leave the table or column "
    "out, or choose a role that the policy lets through"
)
_NARROWER = {
    3650: _BY_POLICY.format(kind="A projection"),
    3651: _BY_POLICY.format(kind="An aggregation"),
    3652: _BY_POLICY.format(kind="An aggregation"),
}
"""What repairs an error of a number, where its category would say too little: no grant helps."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What an error is and what may be done about it."""

    category: str
    """The name of its category."""
    hint: str
    """What to do about it: an author's words where there are any."""
    retries: int
    """How many further attempts are allowed in all."""
    backoff: tuple[float, ...] = ()
    """Seconds before each further attempt; the last one repeats."""
    is_declared: bool = False
    """Whether an author's table says so."""

    def delay_before(self, attempt: int) -> float:
        """Return the seconds to wait before an attempt; the first is attempt 1."""
        if attempt <= 1 or not self.backoff:
            return 0.0
        return self.backoff[min(attempt - 2, len(self.backoff) - 1)]


def diagnose(
    error: StatementError,
    step_errors: Sequence[ExpectedError],
    primitive_errors: Sequence[ExpectedError],
    names: Mapping[str, Any],
) -> Diagnosis:
    """Return what the error is, by the priority that the specification gives.

    Spec: Error Handling > Error matching priority.
    """
    category = category_of(error)
    for expected in (*step_errors, *primitive_errors):
        if _matches(expected, error):
            return _as_expected(expected, category, names)
    hint = _NARROWER.get(error.errno or 0, category.hint)
    return Diagnosis(category.name, hint, category.retries, category.backoff)


def category_of(error: StatementError) -> Category:
    """Return the category: by Snowflake's number first, then by the words in table order."""
    for category in CATEGORIES:
        if error.errno in category.errnos:
            return category
    for category in CATEGORIES:
        if any(re.search(pattern, error.text, re.IGNORECASE) for pattern in category.patterns):
            return category
    return UNKNOWN


def _matches(expected: ExpectedError, error: StatementError) -> bool:
    if expected.errno is not None and expected.errno == error.errno:
        return True
    try:
        return re.search(expected.pattern, error.text, re.IGNORECASE) is not None
    except re.error:
        return expected.pattern.lower() in error.text.lower()


def _as_expected(
    expected: ExpectedError, category: Category, names: Mapping[str, Any]
) -> Diagnosis:
    retries = max(category.retries, 1) if expected.retryable else 0
    hint = expected.recovery or category.hint
    try:
        hint = message(hint, names)
    except UsageError:
        # A hint that names something not known yet still helps as it is written.
        hint = expected.recovery
    return Diagnosis(category.name, hint, retries, category.backoff, is_declared=True)


def error_in_one_line(error: StatementError) -> str:
    """Return the error in one line, with Snowflake's number and state where there are any."""
    text = " ".join(error.text.split())
    if error.errno is None or f"{error.errno:06d}" in text:
        return text
    state = f" ({error.sqlstate})" if error.sqlstate else ""
    return f"{error.errno:06d}{state}: {text}"


def said_of_access(error: str, role: str | None) -> str | None:
    """Return in a sentence that an object is hidden, or may not be used; None for other errors.

    Args:
        error: the error in one line.
        role: the role that the statement ran as; None where that was the session's.
    """
    whose = f"role {role}" if role else "your role"
    if (unseen := _UNSEEN.search(error)) is not None:
        return f"{unseen['name']} does not exist, or {whose} may not see it."
    if (lacking := _LACKING.search(error)) is not None:
        kind = lacking["kind"].lower()
        return f"{whose[0].upper()}{whose[1:]} lacks a privilege on {kind} {lacking['name']}."
    return None
