"""Monitor times: when a resource monitor begins and ends, as a statement says it.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/sql/create-resource-monitor
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, time, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

from skills_nb.embedded import errors

IMMEDIATELY = "IMMEDIATELY"
_WRITTEN = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d)(?:[T ]+(?P<time>\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?)?)?"
    r"\s*(?P<zone>\S+)?"
)
_HOURS = {"PST": -8, "PDT": -7, "MST": -7, "MDT": -6, "CST": -6, "CDT": -5, "EST": -5, "EDT": -4}
"""Short names of zones, as the manual's examples write them."""
_OFFSET = re.compile(r"([+-])(\d\d):?(\d\d)?")


def moment(text: str, key: str, now: datetime) -> datetime:
    """Return the instant that a property says: IMMEDIATELY is now, a zone that is not said UTC.

    Raises:
        SqlError: it is no timestamp (1008).
    """
    if text.upper() == IMMEDIATELY and key == "START_TIMESTAMP":
        return now
    found = _WRITTEN.fullmatch(text.strip())
    if found is None:
        raise errors.invalid_value(text, key)
    try:
        zone = _zone(found["zone"] or "UTC")
        day = datetime.fromisoformat(found["day"]).date()
        # A day alone means the time of now on it.
        at = time.fromisoformat(found["time"]) if found["time"] else now.astimezone(zone).time()
        return datetime.combine(day, at, zone).astimezone(UTC)
    except (ValueError, OSError, OverflowError, LookupError) as error:
        raise errors.invalid_value(text, key) from error


def _zone(name: str) -> tzinfo:
    offset = _OFFSET.fullmatch(name)
    if offset is not None:
        length = timedelta(hours=int(offset[2]), minutes=int(offset[3] or 0))
        return timezone(-length if offset[1] == "-" else length)
    if name.upper() in ("Z", "UTC", "GMT"):
        return UTC
    hours = _HOURS.get(name.upper())
    return timezone(timedelta(hours=hours)) if hours is not None else ZoneInfo(name)
