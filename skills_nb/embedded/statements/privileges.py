"""Privileges by kind of object.

Room: embedded. Pure tables.

See https://docs.snowflake.com/en/user-guide/security-access-control-privileges
"""

from __future__ import annotations

from skills_nb.embedded import refusals
from skills_nb.embedded.bootstrap import GLOBAL_PRIVILEGES
from skills_nb.embedded.catalog.entities import Kind

_SCHEMA_CREATES = (
    "AGENT",
    "AGGREGATION POLICY",
    "ALERT",
    "AUTHENTICATION POLICY",
    "BACKUP POLICY",
    "BACKUP SET",
    "CONTACT",
    "CORTEX SEARCH SERVICE",
    "DATASET",
    "DBT PROJECT",
    "DYNAMIC TABLE",
    "EVENT TABLE",
    "EXTERNAL TABLE",
    "FILE FORMAT",
    "FUNCTION",
    "GIT REPOSITORY",
    "HYBRID TABLE",
    "ICEBERG TABLE",
    "IMAGE REPOSITORY",
    "MASKING POLICY",
    "MATERIALIZED VIEW",
    "MODEL",
    "MODEL MONITOR",
    "NETWORK RULE",
    "NOTEBOOK",
    "ONLINE FEATURE TABLE",
    "PACKAGES POLICY",
    "PASSWORD POLICY",
    "PIPE",
    "PROCEDURE",
    "PROJECTION POLICY",
    "ROW ACCESS POLICY",
    "SECRET",
    "SEMANTIC VIEW",
    "SEQUENCE",
    "SERVICE",
    "SESSION POLICY",
    "SNAPSHOT",
    "STAGE",
    "STORAGE LIFECYCLE POLICY",
    "STREAM",
    "STREAMLIT",
    "TABLE",
    "TAG",
    "TASK",
    "TEMPORARY TABLE",
    "TYPE",
    "VIEW",
    "DATA METRIC FUNCTION",
    "SNOWFLAKE.CORE.BUDGET",
    "SNOWFLAKE.DATA_PRIVACY.CLASSIFICATION_PROFILE",
    "SNOWFLAKE.DATA_PRIVACY.CUSTOM_CLASSIFIER",
    "SNOWFLAKE.ML.ANOMALY_DETECTION",
    "SNOWFLAKE.ML.CLASSIFICATION",
    "SNOWFLAKE.ML.FORECAST",
    "SNOWFLAKE.ML.TOP_INSIGHTS",
)
PRIVILEGES: dict[Kind, tuple[str, ...]] = {
    Kind.ACCOUNT: tuple(sorted({p for held in GLOBAL_PRIVILEGES.values() for p in held})),
    Kind.DATABASE: (
        "APPLYBUDGET",
        "CREATE DATABASE ROLE",
        "CREATE SCHEMA",
        "EXECUTE AUTO CLASSIFICATION",
        "MODIFY",
        "MONITOR",
        "USAGE",
        "IMPORTED PRIVILEGES",
        "REFERENCE_USAGE",
    ),
    Kind.SCHEMA: (
        "ADD SEARCH OPTIMIZATION",
        "APPLYBUDGET",
        *(f"CREATE {k}" for k in _SCHEMA_CREATES),
        "EXECUTE AUTO CLASSIFICATION",
        "MODIFY",
        "MONITOR",
        "USAGE",
    ),
    Kind.TABLE: (
        "APPLYBUDGET",
        "DELETE",
        "EVOLVE SCHEMA",
        "INSERT",
        "REBUILD",
        "REFERENCES",
        "SELECT",
        "TRUNCATE",
        "UPDATE",
    ),
    Kind.VIEW: ("DELETE", "INSERT", "REFERENCES", "SELECT", "TRUNCATE", "UPDATE"),
    Kind.MASKING_POLICY: ("APPLY",),
    Kind.ROW_ACCESS_POLICY: ("APPLY",),
    Kind.TAG: ("APPLY", "READ"),
    Kind.DYNAMIC_TABLE: ("MONITOR", "OPERATE", "SELECT"),
    Kind.SEQUENCE: ("USAGE",),
    Kind.STREAM: ("SELECT",),
    Kind.TASK: ("APPLYBUDGET", "MONITOR", "OPERATE"),
    Kind.ALERT: ("MONITOR", "OPERATE"),
    Kind.FUNCTION: ("USAGE",),
    Kind.PROCEDURE: ("USAGE",),
    Kind.DATA_METRIC_FUNCTION: ("USAGE",),
    Kind.ROLE: (),
    Kind.USER: ("MONITOR",),
    Kind.WAREHOUSE: ("APPLYBUDGET", "MODIFY", "MONITOR", "OPERATE", "USAGE"),
    Kind.STAGE: ("READ", "USAGE", "WRITE"),
    Kind.FILE_FORMAT: ("USAGE",),
    Kind.PIPE: ("APPLYBUDGET", "MONITOR", "OPERATE"),
    Kind.AGGREGATION_POLICY: ("APPLY",),
    Kind.PROJECTION_POLICY: ("APPLY",),
    Kind.DATABASE_ROLE: (),
    Kind.SHARE: (),
    Kind.RESOURCE_MONITOR: ("MODIFY", "MONITOR"),
    Kind.NETWORK_RULE: ("USAGE",),
    Kind.NETWORK_POLICY: ("USAGE",),
    Kind.SECRET: ("READ", "USAGE"),
    Kind.INTEGRATION: ("USAGE", "USE_ANY_ROLE"),
    Kind.PASSWORD_POLICY: ("APPLY",),
    Kind.SESSION_POLICY: ("APPLY",),
    Kind.AUTHENTICATION_POLICY: ("APPLY",),
    Kind.COMPUTE_POOL: ("APPLYBUDGET", "MODIFY", "MONITOR", "OPERATE", "USAGE"),
    Kind.IMAGE_REPOSITORY: ("READ", "SERVICE READ", "WRITE"),
    Kind.SERVICE: ("MONITOR", "OPERATE", "USAGE"),
    Kind.STREAMLIT: ("USAGE",),
    Kind.NOTEBOOK: ("USAGE",),
    Kind.MODEL: ("READ", "USAGE"),
    Kind.DBT_PROJECT: ("MONITOR", "USAGE"),
    Kind.AGENT: ("MODIFY", "MONITOR", "OPERATE", "USAGE"),
    Kind.CORTEX_SEARCH_SERVICE: ("MONITOR", "OPERATE", "USAGE"),
    Kind.GIT_REPOSITORY: ("READ", "WRITE"),
    Kind.LISTING: ("MODIFY", "USAGE"),
    Kind.APPLICATION_PACKAGE: ("ATTACH LISTING", "DEVELOP", "INSTALL", "MANAGE VERSIONS"),
    Kind.REPLICATION_GROUP: ("MODIFY", "MONITOR", "REPLICATE"),
    Kind.FAILOVER_GROUP: ("FAILOVER", "MODIFY", "MONITOR", "REPLICATE"),
    Kind.EXTERNAL_VOLUME: ("USAGE",),
    Kind.BUDGET: (),
    Kind.CLASSIFICATION_PROFILE: (),
    Kind.CUSTOM_CLASSIFIER: (),
    Kind.SEMANTIC_VIEW: ("MONITOR", "REFERENCES", "SELECT"),
}


_OF_SHARES = ("IMPORTED PRIVILEGES", "REFERENCE_USAGE")
"""Privileges that ALL leaves out."""


def all_privileges(kind: Kind) -> tuple[str, ...]:
    """Return what ALL PRIVILEGES means for a kind."""
    return tuple(p for p in PRIVILEGES[kind] if p not in _OF_SHARES)


def checked(privilege: str, kind: Kind) -> str:
    """Return the privilege if the kind has it."""
    if privilege not in PRIVILEGES[kind] and privilege != "OWNERSHIP":
        raise refusals.wrong_privilege(privilege, kind.value)
    return privilege
