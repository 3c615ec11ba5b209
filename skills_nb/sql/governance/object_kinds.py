"""Kinds of objects, as SQL writes them.

Room: sql. One table: singular, plural. Readers try longer phrases first.
"""

from __future__ import annotations

from skills_nb.sql.plurals import plural_of

_REGULAR = (
    "ACCOUNT",
    "ALERT",
    "APPLICATION",
    "APPLICATION PACKAGE",
    "APPLICATION ROLE",
    "CLASS",
    "COLUMN",
    "COMPUTE POOL",
    "CONNECTION",
    "CORTEX SEARCH SERVICE",
    "DATA METRIC FUNCTION",
    "AGENT",
    "CONTACT",
    "DBT PROJECT",
    "DATABASE",
    "DATABASE ROLE",
    "DATASET",
    "DYNAMIC TABLE",
    "EVENT TABLE",
    "EXTERNAL FUNCTION",
    "EXTERNAL TABLE",
    "EXTERNAL VOLUME",
    "FAILOVER GROUP",
    "FILE FORMAT",
    "FUNCTION",
    "HYBRID TABLE",
    "ICEBERG TABLE",
    "IMAGE REPOSITORY",
    "INTEGRATION",
    "API INTEGRATION",
    "CATALOG INTEGRATION",
    "EXTERNAL ACCESS INTEGRATION",
    "NOTIFICATION INTEGRATION",
    "SECURITY INTEGRATION",
    "STORAGE INTEGRATION",
    "LISTING",
    "MATERIALIZED VIEW",
    "MODEL",
    "MODEL MONITOR",
    "NETWORK RULE",
    "NOTEBOOK",
    "OPENFLOW CONNECTOR",
    "OPENFLOW DEPLOYMENT",
    "OPENFLOW RUNTIME",
    "ORGANIZATION PROFILE",
    "PIPE",
    "PROCEDURE",
    "REPLICATION GROUP",
    "RESOURCE MONITOR",
    "ROLE",
    "SCHEMA",
    "SECRET",
    "SEMANTIC VIEW",
    "SEQUENCE",
    "SERVICE",
    "SHARE",
    "SNAPSHOT",
    "STAGE",
    "STREAM",
    "STREAMLIT",
    "TABLE",
    "TAG",
    "TASK",
    "USER",
    "VIEW",
    "WAREHOUSE",
    "GIT REPOSITORY",
)
_POLICIES = (
    "AGGREGATION POLICY",
    "AUTHENTICATION POLICY",
    "BACKUP POLICY",
    "FEATURE POLICY",
    "JOIN POLICY",
    "MASKING POLICY",
    "NETWORK POLICY",
    "PACKAGES POLICY",
    "PASSWORD POLICY",
    "PRIVACY POLICY",
    "PROJECTION POLICY",
    "ROW ACCESS POLICY",
    "SESSION POLICY",
    "STORAGE LIFECYCLE POLICY",
)


PLURALS = {kind: plural_of(kind) for kind in (*_REGULAR, *_POLICIES)}
"""Plural by singular."""

SINGULARS = {plural: kind for kind, plural in PLURALS.items()}
"""Singular by plural."""

KINDS = tuple(sorted(PLURALS, key=len, reverse=True))
"""Every kind, longest first."""

TABLE_LIKE = frozenset(
    {
        "TABLE",
        "VIEW",
        "MATERIALIZED VIEW",
        "DYNAMIC TABLE",
        "EXTERNAL TABLE",
        "EVENT TABLE",
        "HYBRID TABLE",
        "ICEBERG TABLE",
        "SEMANTIC VIEW",
    }
)
"""Kinds that have columns."""

WITH_ARGUMENTS = frozenset({"FUNCTION", "PROCEDURE", "DATA METRIC FUNCTION", "EXTERNAL FUNCTION"})
"""Kinds that are named with their argument types."""

ROLE_KINDS = ("DATABASE ROLE", "APPLICATION ROLE", "ROLE")
"""What can be granted as a role, longest first."""


def snake(kind: str) -> str:
    """Return the kind as our own tables write it: `MASKING POLICY` is `masking_policy`."""
    return kind.lower().replace(" ", "_")
