"""A twin filled by SQL is what a snapshot of the account is, as far as the role may see."""

from contextlib import closing

import pytest

from skills_nb.embedded.catalog.surveying import survey
from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.tools.demo import seed
from skills_nb.embedded.tools.mirror import mirrored
from skills_nb.embedded.wire import EmbeddedWire
from skills_nb.engine.probes.drift import differences
from skills_nb.runtime import mounted_connection
from skills_nb.runtime.loopback.connection import connect
from skills_nb.runtime.loopback.server import serve
from skills_nb.runtime.snowpark import SnowparkSession

GOVERNED = """
CREATE SCHEMA PROD.GOV;
CREATE TAG PROD.GOV.PII ALLOWED_VALUES 'low', 'high' COMMENT = 'how personal';
CREATE TAG PROD.GOV.GUARDED;
CREATE MASKING POLICY PROD.GOV.M AS (V STRING) RETURNS STRING -> '***';
CREATE MASKING POLICY PROD.GOV.BY_TAG AS (V STRING) RETURNS STRING -> '***';
CREATE ROW ACCESS POLICY PROD.GOV.R AS (C STRING) RETURNS BOOLEAN -> C = 'DE';
CREATE PROJECTION POLICY PROD.GOV.P AS () RETURNS PROJECTION_CONSTRAINT ->
  PROJECTION_CONSTRAINT(ALLOW => TRUE);
CREATE AGGREGATION POLICY PROD.GOV.A AS () RETURNS AGGREGATION_CONSTRAINT ->
  NO_AGGREGATION_CONSTRAINT();
ALTER TABLE PROD.CUSTOMER_DATA.CUSTOMERS MODIFY COLUMN EMAIL SET MASKING POLICY PROD.GOV.M;
ALTER TABLE PROD.CUSTOMER_DATA.CUSTOMERS ADD ROW ACCESS POLICY PROD.GOV.R ON (COUNTRY);
ALTER TABLE PROD.CUSTOMER_DATA.CUSTOMERS MODIFY COLUMN PHONE SET PROJECTION POLICY PROD.GOV.P;
ALTER TABLE PROD.CUSTOMER_DATA.ORDERS SET AGGREGATION POLICY PROD.GOV.A;
ALTER TABLE PROD.CUSTOMER_DATA.CUSTOMERS MODIFY COLUMN EMAIL SET TAG PROD.GOV.PII = 'low';
ALTER SCHEMA PROD.CUSTOMER_DATA SET TAG PROD.GOV.PII = 'high';
ALTER DATABASE PROD SET TAG PROD.GOV.PII = 'low';
ALTER WAREHOUSE COMPUTE_WH SET TAG PROD.GOV.PII = 'low';
ALTER TAG PROD.GOV.GUARDED SET MASKING POLICY PROD.GOV.BY_TAG;
ALTER TABLE PROD.CUSTOMER_DATA.EMPLOYEES SET TAG PROD.GOV.GUARDED = 'yes';
CREATE VIEW PROD.GOV.V AS SELECT EMAIL FROM PROD.CUSTOMER_DATA.CUSTOMERS;
CREATE STREAM PROD.GOV.S ON TABLE PROD.CUSTOMER_DATA.ORDERS;
CREATE TASK PROD.GOV.T WAREHOUSE = COMPUTE_WH SCHEDULE = '5 MINUTE' AS SELECT 1;
CREATE WAREHOUSE BIG WITH WAREHOUSE_SIZE = LARGE AUTO_SUSPEND = 60;
CREATE DYNAMIC TABLE PROD.GOV.D TARGET_LAG = '1 hour' WAREHOUSE = BIG AS
  SELECT CITY, COUNT(*) AS N FROM PROD.CUSTOMER_DATA.CUSTOMERS GROUP BY CITY;
CREATE FUNCTION PROD.GOV.F(X INT, "a b" STRING) RETURNS INT AS 'X + 1';
CREATE PROCEDURE PROD.GOV.PR() RETURNS STRING LANGUAGE SQL AS 'BEGIN RETURN 1; END';
GRANT USAGE ON FUNCTION PROD.GOV.F(INT, STRING) TO ROLE ANALYST;
CREATE STAGE PROD.GOV.ST COMMENT = 'files';
CREATE DATABASE ROLE PROD.DR COMMENT = 'readers';
GRANT SELECT ON TABLE PROD.CUSTOMER_DATA.ORDERS TO DATABASE ROLE PROD.DR;
GRANT DATABASE ROLE PROD.DR TO ROLE ANALYST;
GRANT SELECT ON FUTURE TABLES IN SCHEMA PROD.GOV TO ROLE ANALYST;
GRANT SELECT ON TABLE PROD.CUSTOMER_DATA.ORDERS TO ROLE SUPPORT WITH GRANT OPTION;
GRANT APPLY MASKING POLICY ON ACCOUNT TO ROLE ANALYST;
CREATE USER BOB;
GRANT ROLE ANALYST TO USER BOB;
CREATE RESOURCE MONITOR RM WITH CREDIT_QUOTA = 10 TRIGGERS ON 80 PERCENT DO NOTIFY
"""
ROLES = ("ANALYST", "DATA_ENGINEER", "PII_READER", "SUPPORT", "SYSADMIN", "ACCOUNTADMIN", "PUBLIC")
SCOPE = ("PROD", "BIG", "COMPUTE_WH", "RM", "BOB", *(f"role {name}" for name in ROLES))


@pytest.fixture(scope="module")
def account():
    with Account.open() as account:
        seed(account)
        session = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
        for sql in GOVERNED.split(";\n"):
            session.execute(sql)
        yield account


@pytest.fixture
def server(account, tmp_path):
    with serve(EmbeddedWire(account), tmp_path) as served:
        yield served


def twin_of(server, role):
    """Return a twin that the real connector filled over HTTP."""
    with closing(connect(server.address, user="ADMIN", role=role, warehouse="COMPUTE_WH")) as way:
        reader = SnowparkSession(mounted_connection.session(way))
        reader.execute("USE SECONDARY ROLES NONE", role=None, tag="t")
        return mirrored(reader, reader.context(), ["PROD"])


def test_a_twin_filled_by_sql_is_a_snapshot_of_a_governed_account(account, server):
    twin = twin_of(server, "ACCOUNTADMIN")
    with twin.account as made:
        assert twin.left_out == []
        told = differences(survey(account.catalog, SCOPE), survey(made.catalog, SCOPE))
        assert list(told) == []


def test_a_restricted_role_fills_a_twin_with_what_it_may_see(account, server):
    twin = twin_of(server, "SUPPORT")
    with twin.account as made:
        held = survey(made.catalog, ("PROD",))
        tables = [name for name in held if name.startswith("table ")]
        assert tables == ["table PROD.CUSTOMER_DATA.CUSTOMERS", "table PROD.CUSTOMER_DATA.ORDERS"]


def test_the_account_is_only_read(account, server):
    before = account.fingerprint()
    twin_of(server, "ACCOUNTADMIN").account.close()
    assert account.fingerprint() == before
