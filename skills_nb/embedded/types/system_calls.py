"""System calls: which functions of the account do something, and what each answers.

Room: embedded. Pure. A function that is not named here only tells.

See https://docs.snowflake.com/en/sql-reference/functions-system
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded.types.data_types import (
    INTEGER,
    TEXT,
    VARIANT,
    SfType,
)

CHANGING = frozenset(
    {
        "ASSOCIATE_SEMANTIC_CATEGORY_TAGS",
        "SYSTEM$CLASSIFY",
        "SYSTEM$CLASSIFY_SCHEMA",
        "SYSTEM$TASK_DEPENDENTS_ENABLE",
    }
)
"""Functions that change the catalog, as DDL does."""
DOING = CHANGING | {
    "EXTRACT_SEMANTIC_CATEGORIES",
    "SYSTEM$CANCEL_ALL_QUERIES",
    "SYSTEM$CANCEL_QUERY",
    "SYSTEM$SET_RETURN_VALUE",
    "SYSTEM$WAIT",
}
"""Functions that a query must ask for: they change something, read rows, end statements or wait."""
VARIANTS = frozenset(
    {
        "EXTRACT_SEMANTIC_CATEGORIES",
        "SYSTEM$CLASSIFY",
        "SYSTEM$CLASSIFY_SCHEMA",
        "SYSTEM$GET_CLASSIFICATION_RESULT",
    }
)
NUMBERS = frozenset({"SYSTEM$LAST_CHANGE_COMMIT_TIME"})


def doing_in(node: exp.Anonymous) -> exp.Anonymous | None:
    """Return the call, or one in its arguments, that does something."""
    return next((n for n in node.find_all(exp.Anonymous) if str(n.this).upper() in DOING), None)


def type_of(name: str) -> SfType:
    """Return the type of what a function answers."""
    if name in VARIANTS:
        return VARIANT
    return INTEGER if name in NUMBERS else TEXT
