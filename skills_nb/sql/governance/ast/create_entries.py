"""CREATE statements of what an account keeps as entries: nothing is run for them.

Room: sql. Clauses that are no `KEY = value` stand in `properties` under their own words:
`IN COMPUTE POOL`, `FROM SPECIFICATION`, `ON`, `AS`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from skills_nb.sql.governance.ast.create_statements import Create


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateComputePool(Create):
    """`CREATE COMPUTE POOL`."""

    kind: ClassVar[str] = "COMPUTE POOL"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateImageRepository(Create):
    """`CREATE IMAGE REPOSITORY`."""

    kind: ClassVar[str] = "IMAGE REPOSITORY"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateService(Create):
    """`CREATE SERVICE`."""

    kind: ClassVar[str] = "SERVICE"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateStreamlit(Create):
    """`CREATE STREAMLIT`."""

    kind: ClassVar[str] = "STREAMLIT"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateNotebook(Create):
    """`CREATE NOTEBOOK`."""

    kind: ClassVar[str] = "NOTEBOOK"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateModel(Create):
    """`CREATE MODEL`."""

    kind: ClassVar[str] = "MODEL"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateDbtProject(Create):
    """`CREATE DBT PROJECT`."""

    kind: ClassVar[str] = "DBT PROJECT"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateAgent(Create):
    """`CREATE AGENT`."""

    kind: ClassVar[str] = "AGENT"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateCortexSearchService(Create):
    """`CREATE CORTEX SEARCH SERVICE`."""

    kind: ClassVar[str] = "CORTEX SEARCH SERVICE"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateGitRepository(Create):
    """`CREATE GIT REPOSITORY`."""

    kind: ClassVar[str] = "GIT REPOSITORY"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateListing(Create):
    """`CREATE LISTING`."""

    kind: ClassVar[str] = "LISTING"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateApplicationPackage(Create):
    """`CREATE APPLICATION PACKAGE`."""

    kind: ClassVar[str] = "APPLICATION PACKAGE"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateReplicationGroup(Create):
    """`CREATE REPLICATION GROUP`."""

    kind: ClassVar[str] = "REPLICATION GROUP"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateFailoverGroup(Create):
    """`CREATE FAILOVER GROUP`."""

    kind: ClassVar[str] = "FAILOVER GROUP"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateExternalVolume(Create):
    """`CREATE EXTERNAL VOLUME`."""

    kind: ClassVar[str] = "EXTERNAL VOLUME"
