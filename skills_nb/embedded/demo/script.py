"""The statements that build the demo account, in order.

Room: embedded (demo). Pure: text out. Rows travel as JSON in one literal per block, because a
thousand rows of VALUES are forty thousand literals to parse.

Who is who: SYSADMIN owns the data and everything rolls up to it. ANALYST may read it and stands
for those from whom details will be kept; PII_READER is authorised to see them; SUPPORT sees
customers and orders only; DATA_ENGINEER writes. ADMIN holds every role, so that one person can
look at the same rows with different eyes; ANA and PAT are the two who really work there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from skills_nb.embedded.demo.tables import TABLES, Column, Table

DATABASE = "PROD"
SCHEMA = "PROD.CUSTOMER_DATA"
BLOCK = 1000
_ROLES = {
    "ANALYST": "Reads business data; sees no personal details once they are protected",
    "PII_READER": "Authorised to see personal details",
    "SUPPORT": "Answers customers; reads customers and orders",
    "DATA_ENGINEER": "Loads and reshapes data",
}
_WAREHOUSES = {
    "COMPUTE_WH": "Queries and notebooks",
    "TRANSFORM_WH": "Scheduled loads and transformations",
}
_USERS = {
    "ANA": ("ANALYST", "Works with figures"),
    "PAT": ("PII_READER", "Handles requests about personal data"),
}


def statements() -> Iterator[str]:
    """Give every statement, to be run by ACCOUNTADMIN in a fresh account."""
    yield from _roles()
    yield from _warehouses()
    yield "USE ROLE SYSADMIN"
    yield "USE WAREHOUSE COMPUTE_WH"
    yield f"CREATE DATABASE {DATABASE} COMMENT = 'Production data of an outdoor shop'"
    yield f"CREATE SCHEMA {SCHEMA} COMMENT = 'Customers, orders and staff, as the shop keeps them'"
    yield f"CREATE SCHEMA {DATABASE}.ANALYTICS COMMENT = 'Views for reports'"
    for table in TABLES:
        yield _create(table)
        yield from _fill(table)
    yield _SUMMARY
    yield from _grants()
    yield "USE ROLE ACCOUNTADMIN"
    yield from _users()


_SUMMARY = f"""CREATE VIEW {DATABASE}.ANALYTICS.CUSTOMER_SUMMARY
COMMENT = 'Customers with what they ordered'
AS SELECT c.CUSTOMER_ID, c.FIRST_NAME, c.LAST_NAME, c.EMAIL, c.COUNTRY, c.SEGMENT,
  COUNT(o.ORDER_ID) AS ORDER_COUNT, COALESCE(SUM(o.TOTAL_AMOUNT), 0) AS REVENUE
FROM {SCHEMA}.CUSTOMERS c LEFT JOIN {SCHEMA}.ORDERS o ON o.CUSTOMER_ID = c.CUSTOMER_ID
GROUP BY c.CUSTOMER_ID, c.FIRST_NAME, c.LAST_NAME, c.EMAIL, c.COUNTRY, c.SEGMENT"""


def _roles() -> Iterator[str]:
    for role, comment in _ROLES.items():
        yield f"CREATE ROLE {role} COMMENT = '{comment}'"
        yield f"GRANT ROLE {role} TO ROLE SYSADMIN"


def _warehouses() -> Iterator[str]:
    for warehouse, comment in _WAREHOUSES.items():
        yield (
            f"CREATE WAREHOUSE IF NOT EXISTS {warehouse} WAREHOUSE_SIZE = 'XSMALL' "
            f"AUTO_SUSPEND = 60 AUTO_RESUME = TRUE COMMENT = '{comment}'"
        )
        for role in ("SYSADMIN", "DATA_ENGINEER"):
            yield f"GRANT USAGE, OPERATE ON WAREHOUSE {warehouse} TO ROLE {role}"
    for role in ("ANALYST", "PII_READER", "SUPPORT"):
        yield f"GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE {role}"


def _create(table: Table) -> str:
    columns = ",\n  ".join(_column(column) for column in table.columns)
    return f"CREATE TABLE {SCHEMA}.{table.name} (\n  {columns}\n) COMMENT = '{table.comment}'"


def _column(column: Column) -> str:
    return f"{column.name} {column.type} COMMENT '{column.comment}'"


def _fill(table: Table) -> Iterator[str]:
    """Insert the rows in blocks, each one JSON array of arrays."""
    cells = ", ".join(f"value[{at}]::{column.type}" for at, column in enumerate(table.columns))
    rows = table.rows()
    for start in range(0, len(rows), BLOCK):
        block = json.dumps(rows[start : start + BLOCK], ensure_ascii=False, separators=(",", ":"))
        yield (
            f"INSERT INTO {SCHEMA}.{table.name} SELECT {cells} "
            f"FROM TABLE(FLATTEN(INPUT => PARSE_JSON($${block}$$)))"
        )


def _grants() -> Iterator[str]:
    for role in _ROLES:
        yield f"GRANT USAGE ON DATABASE {DATABASE} TO ROLE {role}"
        yield f"GRANT USAGE ON SCHEMA {SCHEMA} TO ROLE {role}"
    for role in ("ANALYST", "PII_READER", "DATA_ENGINEER"):
        yield f"GRANT USAGE ON SCHEMA {DATABASE}.ANALYTICS TO ROLE {role}"
        yield f"GRANT SELECT ON ALL TABLES IN SCHEMA {SCHEMA} TO ROLE {role}"
        yield f"GRANT SELECT ON VIEW {DATABASE}.ANALYTICS.CUSTOMER_SUMMARY TO ROLE {role}"
    for table in ("CUSTOMERS", "ORDERS"):
        yield f"GRANT SELECT ON TABLE {SCHEMA}.{table} TO ROLE SUPPORT"
    writes = "INSERT, UPDATE, DELETE, TRUNCATE"
    yield f"GRANT {writes} ON ALL TABLES IN SCHEMA {SCHEMA} TO ROLE DATA_ENGINEER"
    for created in ("TABLE", "VIEW", "DYNAMIC TABLE"):
        yield f"GRANT CREATE {created} ON SCHEMA {DATABASE}.ANALYTICS TO ROLE DATA_ENGINEER"


def _users() -> Iterator[str]:
    for role in _ROLES:
        yield f"GRANT ROLE {role} TO USER ADMIN"
    for user, (role, comment) in _USERS.items():
        yield (
            f"CREATE USER {user} LOGIN_NAME = '{user.lower()}' DEFAULT_ROLE = {role} "
            f"DEFAULT_WAREHOUSE = COMPUTE_WH DEFAULT_NAMESPACE = {SCHEMA} COMMENT = '{comment}'"
        )
        yield f"GRANT ROLE {role} TO USER {user}"
