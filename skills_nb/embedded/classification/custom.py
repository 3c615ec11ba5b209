"""Custom categories: a user's regular expressions for values and, optionally, column names.

Room: embedded (classification). Pure. As in Snowflake, an expression has to cover the whole
value in any case, a category is recommended when enough values match (0.8 unless said otherwise)
and the column's name matches where the category asks for that, and it then goes before every
native one.

Snowflake: Create custom categories for sensitive data > Threshold for custom categories.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from skills_nb.embedded.classification.rule import IDENTIFIER, QUASI_IDENTIFIER, SENSITIVE
from skills_nb.embedded.classification.samples import Values
from skills_nb.errors import UsageError

DEFAULT_THRESHOLD = 0.8
Matcher = Callable[[str, Sequence[str]], frozenset[str]]
"""Returns those texts that an expression matches as a whole, in any case."""


def in_python(pattern: str, texts: Sequence[str]) -> frozenset[str]:
    """Match with Python's expressions, for whom the expressions are their own."""
    matches = _compiled(pattern).fullmatch
    return frozenset(text for text in texts if matches(text))


@dataclass(frozen=True)
class CustomCategory:
    """One category of a custom classifier, as ADD_REGEX defines it."""

    classifier_name: str
    """The fully qualified name of the classifier instance."""
    semantic_category: str
    """The category's name."""
    privacy_category: str
    """IDENTIFIER, QUASI_IDENTIFIER (`QUASI-IDENTIFIER` is read too) or SENSITIVE."""
    value_regex: str
    """What a whole value has to match."""
    col_name_regex: str | None = None
    """What the whole column name has to match; None asks nothing of it."""
    description: str | None = None
    """Why it exists, in the words of who added it; None where nothing was said."""
    threshold: float = DEFAULT_THRESHOLD
    """The share of valid values that have to match, above 0 and at most 1."""
    matcher: Matcher = field(default=in_python, compare=False, repr=False)
    """Matches both expressions; an account puts there what ends soon for any of them."""

    def __post_init__(self) -> None:
        """Refuse what ADD_REGEX refuses.

        Raises:
            UsageError: an expression that does not compile, a threshold out of range or a privacy
                category that does not exist.
        """
        if self.privacy not in {IDENTIFIER, QUASI_IDENTIFIER, SENSITIVE}:
            raise UsageError(
                f"privacy category '{self.privacy_category}' does not exist",
                hint="use IDENTIFIER, QUASI_IDENTIFIER or SENSITIVE",
            )
        if not 0.0 < self.threshold <= 1.0:
            raise UsageError(
                f"threshold {self.threshold} is out of range", hint="use a share above 0, at most 1"
            )
        for pattern in filter(None, (self.value_regex, self.col_name_regex)):
            _compiled(pattern)

    @property
    def privacy(self) -> str:
        """Give the privacy category as the classification result spells it."""
        return self.privacy_category.upper().replace("-", "_")


@dataclass(frozen=True)
class CustomMatch:
    """A custom category whose conditions a column meets."""

    category: CustomCategory
    """The one that is met; a column may meet several."""
    coverage: float
    """The share of valid values that match."""


def custom_matches(
    name: str, values: Values, custom: Sequence[CustomCategory]
) -> tuple[CustomMatch, ...]:
    """Find the custom categories that a column meets; best match first, ties by name."""
    found = (_match(name, values, category) for category in custom)
    return tuple(
        sorted(
            filter(None, found),
            key=lambda match: (
                -match.coverage,
                match.category.semantic_category,
                match.category.classifier_name,
            ),
        )
    )


def _match(name: str, values: Values, category: CustomCategory) -> CustomMatch | None:
    wanted = category.col_name_regex
    if not values.distinct or (wanted and not category.matcher(wanted, [name])):
        return None
    texts = [*values.matching(lambda _: True)]
    coverage = values.share(category.matcher(category.value_regex, texts))
    return CustomMatch(category, coverage) if coverage >= category.threshold else None


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern, re.IGNORECASE)
    except re.error as error:
        raise UsageError(
            f"regular expression '{pattern}' cannot be read: {error}",
            hint="test the expression with REGEXP_LIKE",
        ) from error
