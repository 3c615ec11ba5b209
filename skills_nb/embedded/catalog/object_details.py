"""Details of stages, file formats, pipes, shares, monitors and plain catalog entries.

Room: embedded. Pure. Options are kept as JSON text, since every kind has its own.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class StageDetail:
    """A stage; an internal one's files are in a folder named after the stage's number."""

    file_format: str = "{}"
    """JSON of the format options, as CREATE STAGE gave them."""
    copy_options: str = "{}"
    """JSON of the copy options."""
    encryption: str = "SNOWFLAKE_FULL"
    """TYPE of ENCRYPTION; shown only."""
    directory: bool = False
    """Whether it has a directory table."""
    refreshed: str = "[]"
    """JSON of the directory table: path, size, time and digest of each file at the last refresh."""
    temporary: int = 0
    """Number of the session that alone sees a temporary stage; 0 for all others."""
    url: str = ""
    """Where the files of an external stage are, which nothing here reaches; empty for the rest."""
    integration: str = ""
    """Storage integration of an external stage."""
    credentials: bool = False
    """Whether credentials were given; they are not kept."""


@dataclass(frozen=True, slots=True)
class FileFormatDetail:
    """A file format."""

    type: str
    """CSV, JSON or PARQUET."""
    options: str = "{}"
    """JSON of the options that were given."""
    temporary: int = 0
    """Number of the session that alone sees a temporary format; 0 for all others."""


@dataclass(frozen=True, slots=True)
class PipeDetail:
    """A pipe: a COPY that runs when somebody refreshes it."""

    body: str
    """The COPY statement, as written."""
    paused: bool = False
    """PIPE_EXECUTION_PAUSED: a refresh is refused while it holds."""


@dataclass(frozen=True, slots=True)
class EntryDetail:
    """An object that the account only keeps: integrations, secrets, network and login policies."""

    subtype: str = ""
    """`STORAGE`, `SECURITY`, … of an integration; the type of a secret or network rule."""
    properties: str = "{}"
    """JSON of the properties that are no secrets."""

    @property
    def kept(self) -> dict[str, Any]:
        """Return the properties that are no secrets."""
        found: dict[str, Any] = json.loads(self.properties)
        return found


@dataclass(frozen=True, slots=True)
class ShareDetail:
    """A share: which accounts may make a database of what is granted to it."""

    accounts: tuple[str, ...] = ()
    """Names of the accounts that consume it, dotted."""
    secure_objects_only: bool = True
    """Whether a view must be secure to be granted to it."""


@dataclass(frozen=True, slots=True)
class MonitorTrigger:
    """`ON percent PERCENT DO action`."""

    percent: int
    """Of the quota; may be more than 100."""
    action: str
    """`NOTIFY`, `SUSPEND` or `SUSPEND_IMMEDIATE`."""


@dataclass(frozen=True, slots=True)
class MonitorDetail:
    """A resource monitor."""

    quota: int | None = None
    """Credits per interval; None without a limit."""
    frequency: str = "MONTHLY"
    """When counting begins anew: `DAILY`, `MONTHLY`, …, `NEVER`."""
    start: str = ""
    """When counting begins, in UTC as ISO has it; empty for the creation."""
    end: str = ""
    """When it suspends its warehouses, in UTC as ISO has it; empty for never."""
    triggers: tuple[MonitorTrigger, ...] = ()
    """In written order."""
    notify_users: tuple[str, ...] = ()
    """Stored names; shown only, since nobody is written to from here."""


@dataclass(frozen=True, slots=True)
class InstanceDetail:
    """An instance of a class: what its methods have set."""

    state: str = "{}"
    """JSON of it; every class has its own."""


ObjectDetail = (
    StageDetail
    | FileFormatDetail
    | PipeDetail
    | EntryDetail
    | ShareDetail
    | MonitorDetail
    | InstanceDetail
)
