"""Founding: what a new account holds before anybody has done anything.

Room: embedded.

See https://docs.snowflake.com/en/user-guide/security-access-control-overview
"""

from __future__ import annotations

from datetime import datetime

import duckdb

from skills_nb.embedded.catalog.catalog import Catalog
from skills_nb.embedded.catalog.entities import (
    ColumnDef,
    DatabaseDetail,
    Entity,
    Grant,
    Kind,
    RoleDetail,
    RoleGrant,
    SchemaDetail,
    TableDetail,
    TagDetail,
    UserDetail,
    WarehouseDetail,
)
from skills_nb.embedded.rights import ACCOUNT_ID
from skills_nb.embedded.versions.images import OWN_COLUMNS
from skills_nb.embedded.viewers import RESULT_VIEWERS, ROLES

SYSTEM_ROLES = {
    "ACCOUNTADMIN": "Account administrator can manage all aspects of the account.",
    "SECURITYADMIN": "Security administrator can manage security aspects of the account.",
    "SYSADMIN": "System administrator can create and manage databases and warehouses.",
    "USERADMIN": "User administrator can create and manage users and roles",
    "PUBLIC": "Public role is automatically available to every user in the account.",
}
_PARENTS = (
    ("SECURITYADMIN", "ACCOUNTADMIN"),
    ("SYSADMIN", "ACCOUNTADMIN"),
    ("USERADMIN", "SECURITYADMIN"),
)
GLOBAL_PRIVILEGES = {
    "ACCOUNTADMIN": (
        "APPLY AGGREGATION POLICY",
        "APPLY BACKUP RETENTION LOCK",
        "APPLY CONTACT",
        "APPLY FEATURE POLICY",
        "APPLY PACKAGES POLICY",
        "APPLY PRIVACY POLICY",
        "APPLY STORAGE LIFECYCLE POLICY",
        "APPLY MASKING POLICY",
        "APPLY PROJECTION POLICY",
        "APPLY ROW ACCESS POLICY",
        "APPLY SESSION POLICY",
        "APPLY TAG",
        "APPLY AUTHENTICATION POLICY",
        "APPLY PASSWORD POLICY",
        "ATTACH POLICY",
        "AUDIT",
        "BIND SERVICE ENDPOINT",
        "CREATE ACCOUNT",
        "CREATE APPLICATION",
        "CREATE APPLICATION PACKAGE",
        "CREATE COMPUTE POOL",
        "CREATE DATA EXCHANGE LISTING",
        "CREATE DATABASE",
        "CREATE EXTERNAL VOLUME",
        "CREATE FAILOVER GROUP",
        "CREATE INTEGRATION",
        "CREATE LISTING",
        "CREATE NETWORK POLICY",
        "CREATE ORGANIZATION LISTING",
        "CREATE ORGANIZATION PROFILE",
        "CREATE REPLICATION GROUP",
        "CREATE RESOURCE MONITOR",
        "CREATE ROLE",
        "CREATE SHARE",
        "CREATE USER",
        "CREATE WAREHOUSE",
        "EXECUTE ALERT",
        "EXECUTE AUTO CLASSIFICATION",
        "EXECUTE DATA METRIC FUNCTION",
        "EXECUTE MANAGED ALERT",
        "EXECUTE MANAGED TASK",
        "EXECUTE TASK",
        "IMPORT ORGANIZATION LISTING",
        "IMPORT SHARE",
        "MANAGE ACCOUNT SUPPORT CASES",
        "MANAGE LISTING AUTO FULFILLMENT",
        "MANAGE ORGANIZATION SUPPORT CASES",
        "MANAGE USER SUPPORT CASES",
        "MANAGE WAREHOUSES",
        "MODIFY LOG LEVEL",
        "MODIFY METRIC LEVEL",
        "MODIFY SESSION LOG LEVEL",
        "MODIFY SESSION METRIC LEVEL",
        "MODIFY SESSION TRACE LEVEL",
        "MODIFY TRACE LEVEL",
        "MODIFY METADATA",
        "MONITOR EXECUTION",
        "MONITOR SECURITY",
        "MONITOR USAGE",
        "OVERRIDE SHARE RESTRICTIONS",
        "PURCHASE DATA EXCHANGE LISTING",
        "READ SESSION",
        "RESOLVE ALL",
        "VIEW LINEAGE",
    ),
    "SECURITYADMIN": ("MANAGE GRANTS", "ATTACH POLICY", "CREATE NETWORK POLICY"),
    "SYSADMIN": ("CREATE DATABASE", "CREATE WAREHOUSE"),
    "USERADMIN": ("CREATE ROLE", "CREATE USER"),
}
SNOWFLAKE = "SNOWFLAKE"
WAREHOUSE = "COMPUTE_WH"
ADMIN = "ADMIN"


def found(catalog: Catalog, now: datetime) -> None:
    """Fill an empty catalog with system roles, the first user and the first warehouse."""
    for role, comment in SYSTEM_ROLES.items():
        catalog.create(Kind.ROLE, (role,), RoleDetail(), owner="", now=now, comment=comment)
    for role, parent in _PARENTS:
        catalog.put(RoleGrant(role, "ROLE", parent, "", now))
    for role, privileges in GLOBAL_PRIVILEGES.items():
        for privilege in privileges:
            catalog.put(Grant(privilege, ACCOUNT_ID, "ROLE", role, True, "", now))
    _first_user(catalog, now)
    warehouse = catalog.create(
        Kind.WAREHOUSE, (WAREHOUSE,), WarehouseDetail(), owner="ACCOUNTADMIN", now=now
    )
    catalog.put(Grant("USAGE", warehouse.id, "ROLE", "PUBLIC", False, "ACCOUNTADMIN", now))
    catalog.create(
        Kind.DATABASE,
        (SNOWFLAKE,),
        DatabaseDetail(origin="SNOWFLAKE.ACCOUNT_USAGE"),
        owner="",
        now=now,
    )
    catalog.put(
        Grant("IMPORTED PRIVILEGES", _snowflake(catalog).id, "ROLE", "ACCOUNTADMIN", True, "", now)
    )
    core = (SNOWFLAKE, "CORE")
    schema = catalog.create(Kind.SCHEMA, core, SchemaDetail(), owner="", now=now)
    catalog.put(Grant("USAGE", schema.id, "ROLE", "PUBLIC", False, "", now))
    for tag in ("SEMANTIC_CATEGORY", "PRIVACY_CATEGORY"):
        catalog.create(Kind.TAG, (*core, tag), TagDetail(), owner="", now=now)
    found_viewers(catalog, now)


def found_viewers(catalog: Catalog, now: datetime) -> None:
    """Make the roles of the database SNOWFLAKE that are not there: older accounts have none."""
    kinds = ((Kind.DATABASE_ROLE, ROLES), (Kind.APPLICATION_ROLE, RESULT_VIEWERS))
    for kind, names in kinds:
        for name in names:
            if catalog.find(kind, (SNOWFLAKE, name)) is None:
                catalog.create(kind, (SNOWFLAKE, name), RoleDetail(), owner="", now=now)


def _snowflake(catalog: Catalog) -> Entity:
    found_entity = catalog.find(Kind.DATABASE, (SNOWFLAKE,))
    assert found_entity is not None
    return found_entity


def _first_user(catalog: Catalog, now: datetime) -> None:
    detail = UserDetail(
        ADMIN,
        display_name=ADMIN,
        default_role="ACCOUNTADMIN",
        default_warehouse=WAREHOUSE,
        default_secondary_roles=False,
    )
    catalog.create(Kind.USER, (ADMIN,), detail, owner="ACCOUNTADMIN", now=now)
    for role in ("ACCOUNTADMIN", "SECURITYADMIN", "SYSADMIN", "USERADMIN"):
        catalog.put(RoleGrant(role, "USER", ADMIN, "", now))


def make_place(connection: duckdb.DuckDBPyConnection, detail: TableDetail) -> None:
    """Make the empty DuckDB table for a catalog table."""
    for statement in place_sql(detail):
        connection.execute(statement)


def place_sql(detail: TableDetail) -> tuple[str, str]:
    """Return the statements that make the empty DuckDB table for a catalog table."""
    schema, table = (part.replace('"', '""') for part in detail.place)
    columns = ", ".join([*(_column_sql(c) for c in detail.columns), *OWN_COLUMNS])
    return (
        f'CREATE SCHEMA IF NOT EXISTS "{schema}"',
        f'CREATE TABLE "{schema}"."{table}" ({columns})',
    )


def _column_sql(column: ColumnDef) -> str:
    name = column.name.replace('"', '""')
    return f'"{name}" {column.type.physical}' + ("" if column.nullable else " NOT NULL")
