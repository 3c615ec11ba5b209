"""When a dynamic table is refreshed: its target lag, or only on demand.

Room: embedded. Nothing refreshes on its own here; the lag is kept and shown, and a table without a
scheduler is refreshed alone, neither with those that it reads nor with those that read it.

See https://docs.snowflake.com/en/user-guide/dynamic-tables-target-lag
"""

from __future__ import annotations

import re
from typing import Any

from skills_nb.embedded import errors
from skills_nb.embedded.catalog.pipeline_details import DynamicPart
from skills_nb.sql.governance import ast
from skills_nb.sql.tokens import literal

ENABLED, DISABLED = "ENABLE", "DISABLE"
PROPERTIES = ("TARGET_LAG", "SCHEDULER")
_LAG = re.compile(r"\s*(\d+)\s*(second|minute|hour|day)s?\s*", re.I)
_SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}
_LEAST_LAG_S = 60


def taken(given: dict[str, Any], standing: DynamicPart | None = None) -> tuple[str, str]:
    """Take lag and scheduler out of what a statement gives; return both as they are kept.

    Args:
        given: the statement's properties; what is read here is taken out.
        standing: the table that is altered; None for one that is made.

    Raises:
        SqlError: a value is none of its property, a scheduler has no lag to go by, or there is a
            lag without a scheduler (1420).
    """
    said = given.pop("SCHEDULER", None)
    lag = _lag(given.pop("TARGET_LAG")) if "TARGET_LAG" in given else ""
    scheduler = (
        _scheduler(said) if said is not None else (standing.scheduler if standing else ENABLED)
    )
    if scheduler == DISABLED:
        if lag:
            raise errors.invalid_property("TARGET_LAG cannot be set while SCHEDULER = DISABLE")
        return "", scheduler
    lag = lag or (standing.target_lag if standing is not None else "")
    if not lag:
        raise errors.invalid_property("Missing option(s): [TARGET_LAG]")
    return lag, scheduler


def _scheduler(value: Any) -> str:
    word = ast.text_of(value).upper()
    if word not in (ENABLED, DISABLED):
        raise errors.invalid_value(word, "SCHEDULER")
    return word


def _lag(value: Any) -> str:
    text = ast.text_of(value)
    if text.upper() == "DOWNSTREAM":
        return "DOWNSTREAM"
    found = _LAG.fullmatch(text)
    if not found or lag_s(text) < _LEAST_LAG_S:
        raise errors.invalid_value(text, "TARGET_LAG")
    unit = found[2].lower()
    return f"{found[1]} {unit}" + ("" if found[1] == "1" else "s")


def lag_s(text: str) -> int:
    """Return a target lag in seconds; 0 for DOWNSTREAM and for none."""
    found = _LAG.fullmatch(text)
    return int(found[1]) * _SECONDS[found[2].lower()] if found else 0


def written(part: DynamicPart) -> str:
    """Write when a table is refreshed as CREATE says it."""
    if part.scheduler == DISABLED:
        return f"scheduler = {DISABLED}"
    return f"target_lag = {literal(part.target_lag)}"
