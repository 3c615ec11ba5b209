"""What a session's parameters say about how moments and bytes are written and read.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/date-time-input-output
"""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class Customs:
    """What the session's parameters say; the defaults are Snowflake's."""

    date_output: str = "YYYY-MM-DD"
    """DATE_OUTPUT_FORMAT."""
    time_output: str = "HH24:MI:SS"
    """TIME_OUTPUT_FORMAT."""
    ntz_output: str = "YYYY-MM-DD HH24:MI:SS.FF3"
    """TIMESTAMP_NTZ_OUTPUT_FORMAT, or TIMESTAMP_OUTPUT_FORMAT where that one is empty."""
    ltz_output: str = "YYYY-MM-DD HH24:MI:SS.FF3 TZHTZM"
    """TIMESTAMP_LTZ_OUTPUT_FORMAT, or TIMESTAMP_OUTPUT_FORMAT where that one is empty."""
    tz_output: str = "YYYY-MM-DD HH24:MI:SS.FF3 TZHTZM"
    """TIMESTAMP_TZ_OUTPUT_FORMAT, or TIMESTAMP_OUTPUT_FORMAT where that one is empty."""
    date_input: str = "AUTO"
    """DATE_INPUT_FORMAT; `AUTO` tries every form that Snowflake knows."""
    time_input: str = "AUTO"
    """TIME_INPUT_FORMAT; `AUTO` tries every form that Snowflake knows."""
    timestamp_input: str = "AUTO"
    """TIMESTAMP_INPUT_FORMAT; `AUTO` tries every form that Snowflake knows."""
    binary_output: str = "HEX"
    """BINARY_OUTPUT_FORMAT: `HEX` or `BASE64`."""
    binary_input: str = "HEX"
    """BINARY_INPUT_FORMAT: `HEX`, `BASE64` or `UTF8`."""
    century: int = 1970
    """First of the hundred years that two digits mean."""
    week_start: int = 0
    """First day of the week: 1 is Monday; 0 is Monday, too, but counts days from Sunday."""
    week_policy: int = 0
    """1 where the week of January 1 is always the first."""
    timestamp: str = "TIMESTAMP_NTZ"
    """What the word TIMESTAMP means."""
    whole_days: bool = False
    """True where a day has 24 hours even when the clocks change."""

    def output(self, kind: str) -> str | None:
        """Return the format in which a type is written; None where nobody has chosen one."""
        name = OUTPUTS.get(kind)
        form = getattr(self, name) if name is not None else None
        return form if form is not None and form != _DEFAULTS[name or ""] else None

    def input(self, kind: str) -> str:
        """Return the format in which DATE, TIME or TIMESTAMP… is read."""
        name = "timestamp_input" if kind.startswith("TIMESTAMP") else f"{kind.lower()}_input"
        return str(getattr(self, name))

    @property
    def reads_otherwise(self) -> bool:
        """Tell whether texts are read in other forms than AUTO knows."""
        inputs = (self.date_input, self.time_input, self.timestamp_input)
        return self.century != STANDARD.century or set(inputs) != {"AUTO"}


OUTPUTS = {
    "DATE": "date_output",
    "TIME": "time_output",
    "TIMESTAMP_NTZ": "ntz_output",
    "TIMESTAMP_LTZ": "ltz_output",
    "TIMESTAMP_TZ": "tz_output",
    "BINARY": "binary_output",
}
STANDARD = Customs()
_DEFAULTS = {field.name: getattr(STANDARD, field.name) for field in fields(Customs)}
