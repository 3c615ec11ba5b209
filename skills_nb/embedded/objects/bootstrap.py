"""Founding: what a new account holds before anybody has done anything.

Room: embedded.

See https://docs.snowflake.com/en/user-guide/security-access-control-overview
"""

from __future__ import annotations

from datetime import datetime

from skills_nb.embedded.catalog.catalog import Catalog
from skills_nb.embedded.catalog.entities import (
    ACCOUNT_ID,
    DatabaseDetail,
    Entity,
    Grant,
    Kind,
    RoleDetail,
    RoleGrant,
    SchemaDetail,
    TagDetail,
    UserDetail,
    WarehouseDetail,
)
from skills_nb.embedded.catalog.privileges import GLOBAL_PRIVILEGES, USE_AI_FUNCTIONS
from skills_nb.embedded.types.snowflake_database_roles import RESULT_VIEWERS, ROLES

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
SNOWFLAKE = "SNOWFLAKE"
WAREHOUSE = "COMPUTE_WH"
ADMIN = "ADMIN"


def is_of_system(entity: Entity) -> bool:
    """Tell whether the object is Snowflake's own, which nobody drops or hands over."""
    system_role = entity.kind is Kind.ROLE and entity.name in SYSTEM_ROLES
    return system_role or entity.path[0] == SNOWFLAKE


def found(catalog: Catalog, now: datetime) -> None:
    """Fill an empty catalog with system roles, the first user and the first warehouse."""
    for role, comment in SYSTEM_ROLES.items():
        catalog.create(Kind.ROLE, (role,), RoleDetail(), owner="", now=now, comment=comment)
    for role, parent in _PARENTS:
        catalog.put(RoleGrant(role, "ROLE", parent, "", now))
    for role, privileges in GLOBAL_PRIVILEGES.items():
        for privilege in privileges:
            catalog.put(Grant(privilege, ACCOUNT_ID, "ROLE", role, True, "", now))
    catalog.put(Grant(USE_AI_FUNCTIONS, ACCOUNT_ID, "ROLE", "PUBLIC", False, "", now))
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
    """Make what older accounts lack: roles of the database SNOWFLAKE, the right to AI functions."""
    if not any(grant.privilege == USE_AI_FUNCTIONS for grant in catalog.grants_on(ACCOUNT_ID)):
        catalog.put(Grant(USE_AI_FUNCTIONS, ACCOUNT_ID, "ROLE", "ACCOUNTADMIN", True, "", now))
        catalog.put(Grant(USE_AI_FUNCTIONS, ACCOUNT_ID, "ROLE", "PUBLIC", False, "", now))
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
