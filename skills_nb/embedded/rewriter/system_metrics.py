"""System metrics: the functions of SNOWFLAKE.CORE, each as the query that it stands for.

Room: embedded. Pure. `ARG_T` is the argument, `ARG_C` its column.

See https://docs.snowflake.com/en/user-guide/data-quality-system-dmfs
"""

from __future__ import annotations

BODIES = {
    "ROW_COUNT": "COUNT(*)",
    "NULL_COUNT": "COUNT_IF(ARG_C IS NULL)",
    "NULL_PERCENT": "COALESCE(COUNT_IF(ARG_C IS NULL) * 100 / NULLIF(COUNT(*), 0), 0)::FLOAT",
    "BLANK_COUNT": "COUNT_IF(TRIM(ARG_C) = '')",
    "BLANK_PERCENT": "COALESCE(COUNT_IF(TRIM(ARG_C) = '') * 100 / NULLIF(COUNT(*), 0), 0)::FLOAT",
    "UNIQUE_COUNT": "COUNT(DISTINCT ARG_C)",
    "DUPLICATE_COUNT": "COUNT(*) - COUNT(DISTINCT ARG_C) - IFF(COUNT_IF(ARG_C IS NULL) > 0, 1, 0)",
    "FRESHNESS": "DATEDIFF('second', MAX(ARG_C), CURRENT_TIMESTAMP())",
    "MIN": "MIN(ARG_C)",
    "MAX": "MAX(ARG_C)",
    "AVG": "AVG(ARG_C)",
    "STDDEV": "STDDEV(ARG_C)",
}
"""By the function's name: what is selected from the argument."""
CONDITIONAL = {
    "ACCEPTED_VALUES": "COUNT_IF(NOT ({0}))",
    "ACCEPTED_VALUES_PERCENT": (
        "COALESCE(COUNT_IF(NOT ({0})) * 100 / NULLIF(COUNT(*), 0), 0)::FLOAT"
    ),
}
"""Those that take a condition and are not called directly: what is selected from the table."""
FAULTY = {
    "NULL_COUNT": "{0} IS NULL",
    "NULL_PERCENT": "{0} IS NULL",
    "BLANK_COUNT": "TRIM({0}) = ''",
    "BLANK_PERCENT": "TRIM({0}) = ''",
    "DUPLICATE_COUNT": "COUNT(*) OVER (PARTITION BY {0}) > 1",
    "UNIQUE_COUNT": "COUNT(*) OVER (PARTITION BY {0}) = 1",
}
"""What SYSTEM$DATA_METRIC_SCAN looks for in a column, by the metric's name."""
SCHEMA = ("SNOWFLAKE", "CORE")


def is_system(path: tuple[str, ...]) -> bool:
    """Tell whether a full name is one of the system's metrics."""
    return path[:2] == SCHEMA and (path[2] in BODIES or path[2] in CONDITIONAL)
