"""The statements that build the demo account, in order.

Room: embedded (demo). Pure: text and bindings out. Rows travel as array bindings, a table in one
statement, as a connector's `executemany` sends them: written out as VALUES they would be sixty
thousand literals to parse, and would stand in the query history.

Who is who: SYSADMIN owns the data and everything rolls up to it. ANALYST may read it and stands
for those from whom details will be kept; PII_READER is authorised to see them; SUPPORT sees
customers and orders only; DATA_ENGINEER writes. ADMIN holds every role, so that one person can
look at the same rows with different eyes; ANA and PAT are the two who really work there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from skills_nb.embedded.tools.demo.tables import (
    TABLES,
    Cell,
    Column,
    Table,
)

Bindings = Mapping[str, Mapping[str, Any]]
"""Array bindings by position, as the connector sends them."""

DATABASE = "PROD"
SCHEMA = "PROD.CUSTOMER_DATA"
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


def statements() -> Iterator[tuple[str, Bindings]]:
    """Give every statement with its bindings, to be run by ACCOUNTADMIN in a fresh account."""
    for text in _before_rows():
        yield text, {}
    for table in TABLES:
        yield insert(table)
    for text in _after_rows():
        yield text, {}


def _before_rows() -> Iterator[str]:
    yield from _roles()
    yield from _warehouses()
    yield "USE ROLE SYSADMIN"
    yield "USE WAREHOUSE COMPUTE_WH"
    yield f"CREATE DATABASE {DATABASE} COMMENT = 'Production data of an outdoor shop'"
    yield f"CREATE SCHEMA {SCHEMA} COMMENT = 'Customers, orders and staff, as the shop keeps them'"
    yield f"CREATE SCHEMA {DATABASE}.ANALYTICS COMMENT = 'Views for reports'"
    for table in TABLES:
        yield _create(table)


def _after_rows() -> Iterator[str]:
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


def insert(table: Table) -> tuple[str, Bindings]:
    """Give the INSERT of all rows of a table and its bindings, a list of texts per column."""
    marks = ", ".join("?" for _ in table.columns)
    columns = zip(*table.rows(), strict=True)
    bindings = {
        str(place): {"type": "TEXT", "value": [_bound(cell) for cell in cells]}
        for place, cells in enumerate(columns, start=1)
    }
    return f"INSERT INTO {SCHEMA}.{table.name} VALUES ({marks})", bindings


def _bound(cell: Cell) -> str | None:
    """Write a value as text; the account casts it to the column's type."""
    if cell is None or isinstance(cell, str):
        return cell
    return str(cell).lower() if isinstance(cell, bool) else str(cell)


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
