"""Kinds of named objects.

Room: embedded.
"""

from __future__ import annotations

from enum import StrEnum

from skills_nb.embedded.catalog.account_details import UserDetail as UserDetail
from skills_nb.embedded.catalog.account_details import WarehouseDetail as WarehouseDetail
from skills_nb.embedded.catalog.table_details import ColumnDef as ColumnDef
from skills_nb.embedded.catalog.table_details import MetricUse as MetricUse
from skills_nb.embedded.catalog.table_details import SearchPath as SearchPath
from skills_nb.embedded.catalog.table_details import TableConstraint as TableConstraint
from skills_nb.embedded.catalog.table_details import TableDetail as TableDetail
from skills_nb.embedded.catalog.table_details import ViewDetail as ViewDetail


class Kind(StrEnum):
    """Kinds of named objects, in the words that GRANT … ON uses."""

    ACCOUNT = "ACCOUNT"
    DATABASE = "DATABASE"
    SCHEMA = "SCHEMA"
    TABLE = "TABLE"
    VIEW = "VIEW"
    MASKING_POLICY = "MASKING POLICY"
    ROW_ACCESS_POLICY = "ROW ACCESS POLICY"
    TAG = "TAG"
    ROLE = "ROLE"
    USER = "USER"
    WAREHOUSE = "WAREHOUSE"
    STAGE = "STAGE"
    FILE_FORMAT = "FILE FORMAT"
    PIPE = "PIPE"
    AGGREGATION_POLICY = "AGGREGATION POLICY"
    PROJECTION_POLICY = "PROJECTION POLICY"
    DATABASE_ROLE = "DATABASE ROLE"
    APPLICATION_ROLE = "APPLICATION ROLE"
    SHARE = "SHARE"
    RESOURCE_MONITOR = "RESOURCE MONITOR"
    NETWORK_RULE = "NETWORK RULE"
    NETWORK_POLICY = "NETWORK POLICY"
    SECRET = "SECRET"  # noqa: S105 - a kind of object
    INTEGRATION = "INTEGRATION"
    PASSWORD_POLICY = "PASSWORD POLICY"  # noqa: S105 - a kind of object
    SESSION_POLICY = "SESSION POLICY"
    AUTHENTICATION_POLICY = "AUTHENTICATION POLICY"
    DYNAMIC_TABLE = "DYNAMIC TABLE"
    SEQUENCE = "SEQUENCE"
    STREAM = "STREAM"
    TASK = "TASK"
    ALERT = "ALERT"
    FUNCTION = "FUNCTION"
    DATA_METRIC_FUNCTION = "DATA METRIC FUNCTION"
    PROCEDURE = "PROCEDURE"
    COMPUTE_POOL = "COMPUTE POOL"
    IMAGE_REPOSITORY = "IMAGE REPOSITORY"
    SERVICE = "SERVICE"
    STREAMLIT = "STREAMLIT"
    NOTEBOOK = "NOTEBOOK"
    MODEL = "MODEL"
    DBT_PROJECT = "DBT PROJECT"
    AGENT = "AGENT"
    CORTEX_SEARCH_SERVICE = "CORTEX SEARCH SERVICE"
    GIT_REPOSITORY = "GIT REPOSITORY"
    LISTING = "LISTING"
    APPLICATION_PACKAGE = "APPLICATION PACKAGE"
    REPLICATION_GROUP = "REPLICATION GROUP"
    FAILOVER_GROUP = "FAILOVER GROUP"
    EXTERNAL_VOLUME = "EXTERNAL VOLUME"
    SEMANTIC_VIEW = "SEMANTIC VIEW"
    BUDGET = "SNOWFLAKE.CORE.BUDGET"
    CLASSIFICATION_PROFILE = "SNOWFLAKE.DATA_PRIVACY.CLASSIFICATION_PROFILE"
    CUSTOM_CLASSIFIER = "SNOWFLAKE.DATA_PRIVACY.CUSTOM_CLASSIFIER"

    @property
    def space(self) -> str:
        """Name the namespace: tables and views share one."""
        return "RELATION" if self in RELATIONS else self.value

    @property
    def title(self) -> str:  # type: ignore[override]
        """Write the kind as messages do: `Masking policy`."""
        return self.value.rpartition(".")[2].capitalize()

    @property
    def depth(self) -> int:
        """Count the parts of a full name: 1 for account objects, 2 for schemas, 3 within one."""
        if self in (Kind.SCHEMA, Kind.DATABASE_ROLE, Kind.APPLICATION_ROLE):
            return 2
        return 1 if self in _ACCOUNT_LEVEL else 3


RELATIONS = (Kind.TABLE, Kind.VIEW, Kind.DYNAMIC_TABLE)


_ACCOUNT_LEVEL = (
    Kind.ACCOUNT,
    Kind.DATABASE,
    Kind.ROLE,
    Kind.USER,
    Kind.WAREHOUSE,
    Kind.SHARE,
    Kind.RESOURCE_MONITOR,
    Kind.NETWORK_POLICY,
    Kind.INTEGRATION,
    Kind.COMPUTE_POOL,
    Kind.LISTING,
    Kind.APPLICATION_PACKAGE,
    Kind.REPLICATION_GROUP,
    Kind.FAILOVER_GROUP,
    Kind.EXTERNAL_VOLUME,
)


POLICY_KINDS = (
    Kind.MASKING_POLICY,
    Kind.ROW_ACCESS_POLICY,
    Kind.AGGREGATION_POLICY,
    Kind.PROJECTION_POLICY,
)


LOGIN_POLICY_KINDS = (Kind.AUTHENTICATION_POLICY, Kind.PASSWORD_POLICY, Kind.SESSION_POLICY)
"""What hangs on users and the account."""
