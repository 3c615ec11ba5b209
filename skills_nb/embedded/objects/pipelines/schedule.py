"""Schedules, as tasks, alerts and metrics have them: kept and shown, never followed.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/sql/create-task
"""

from __future__ import annotations

import re
from typing import Any

from skills_nb.embedded import errors

_EVERY = re.compile(r"\s*(\d+)\s*(?:(SECOND|MINUTE|HOUR)S?|M|S|H)\s*", re.I)
_CRON = re.compile(r"\s*USING\s+CRON\s+(\S+\s+){5}\S+\s*", re.I)


def checked_schedule(value: Any) -> str:
    """Return a schedule that can be read: an interval or a cron expression.

    Raises:
        SqlError: it is neither (1008).
    """
    text = str(value)
    if not isinstance(value, str) or not (_EVERY.fullmatch(text) or _CRON.fullmatch(text)):
        raise errors.invalid_value(text, "SCHEDULE")
    return text
