-- The account that every example of the library assumes: an outdoor shop some hours into its day.
-- It stands on the demo data (PROD.CUSTOMER_DATA) and is run once, in order, as ACCOUNTADMIN.
-- An example may also use what the examples above it, in its own skill, have made.

-- Who works here
CREATE ROLE app_owner;
CREATE ROLE auditor;
CREATE ROLE ci_pusher;
CREATE ROLE etl_role;
CREATE ROLE finance_admin;
CREATE ROLE ingest_role;
CREATE ROLE ml_engineer;
CREATE ROLE payroll;
CREATE ROLE policy_admin;
CREATE ROLE sales;
CREATE ROLE sales_director;
CREATE ROLE sales_eu;
CREATE ROLE sales_reader;
CREATE ROLE sales_us;
CREATE USER jane EMAIL = 'jane@example.com';
CREATE USER etl_service TYPE = SERVICE DEFAULT_ROLE = etl_role;

-- What it runs on
CREATE WAREHOUSE app_wh WAREHOUSE_SIZE = XSMALL AUTO_SUSPEND = 60 INITIALLY_SUSPENDED = TRUE;
CREATE WAREHOUSE ml_wh WAREHOUSE_SIZE = XSMALL AUTO_SUSPEND = 60 INITIALLY_SUSPENDED = TRUE;
CREATE WAREHOUSE reporting_wh WAREHOUSE_SIZE = XSMALL AUTO_SUSPEND = 60 COMMENT = 'Dashboards';
CREATE COMPUTE POOL app_pool MIN_NODES = 1 MAX_NODES = 1 INSTANCE_FAMILY = CPU_X64_XS;

-- Where things are kept
CREATE SCHEMA prod.agents;
CREATE SCHEMA prod.crm;
CREATE SCHEMA prod.docs;
CREATE SCHEMA prod.features;
CREATE SCHEMA prod.finance;
CREATE SCHEMA prod.governance;
CREATE SCHEMA prod.integrations;
CREATE SCHEMA prod.migration;
CREATE SCHEMA prod.ml;
CREATE SCHEMA prod.private;
CREATE SCHEMA prod.raw;
CREATE SCHEMA prod.sales;
CREATE SCHEMA prod.semantic;
CREATE SCHEMA prod.shared;
CREATE SCHEMA prod.staging;
CREATE SCHEMA prod.support;
CREATE DATABASE apps;
CREATE SCHEMA apps.api;
CREATE SCHEMA apps.support;
CREATE SCHEMA apps.web;
CREATE DATABASE erp;
CREATE SCHEMA erp.sales;
CREATE DATABASE lab;
CREATE SCHEMA lab.evaluation;
CREATE DATABASE legacy;
CREATE SCHEMA legacy.sales;
CREATE DATABASE reference_data;

-- What the shop sends: files first, then tables
CREATE FILE FORMAT prod.raw.csv_with_header
  TYPE = CSV SKIP_HEADER = 1 FIELD_OPTIONALLY_ENCLOSED_BY = '"' NULL_IF = ('', 'NULL');
CREATE STORAGE INTEGRATION shop_storage
  TYPE = EXTERNAL_STAGE STORAGE_PROVIDER = 'S3' ENABLED = TRUE
  STORAGE_AWS_ROLE_ARN = 'arn:aws:iam::123456789012:role/snowflake-orders'
  STORAGE_ALLOWED_LOCATIONS = ('s3://example-bucket/orders/');
CREATE STAGE prod.raw.landing DIRECTORY = (ENABLE = TRUE) FILE_FORMAT = (TYPE = CSV SKIP_HEADER = 1);
CREATE TABLE prod.raw.orders (
  order_id INTEGER NOT NULL, customer_id INTEGER, amount NUMBER(12, 2), region VARCHAR(20),
  ordered_at TIMESTAMP_NTZ, order_date DATE) CHANGE_TRACKING = TRUE;
INSERT INTO prod.raw.orders VALUES
  (1, 101, 25.90, 'EU', '2026-11-01 09:30:00', '2026-11-01'),
  (2, 102, 1480.00, 'EU', '2026-11-01 16:05:00', '2026-11-01'),
  (3, 101, 310.50, 'US', '2026-11-02 11:20:00', '2026-11-02'),
  (4, 103, NULL, 'US', '2026-11-02 18:45:00', '2026-11-02');
COPY INTO @prod.raw.landing/orders/day_ FROM (SELECT order_id + 10, * EXCLUDE order_id FROM prod.raw.orders)
  FILE_FORMAT = (TYPE = CSV FIELD_OPTIONALLY_ENCLOSED_BY = '"' NULL_IF = ('NULL')) HEADER = TRUE;
CREATE TABLE prod.raw.events (event_id STRING, amount NUMBER(12, 2), source_file STRING);
INSERT INTO prod.raw.events (event_id, amount) VALUES ('e-1', 12.00), ('e-2', 0.50);
COPY INTO @prod.raw.landing/events/part_ FROM (SELECT event_id, amount FROM prod.raw.events)
  FILE_FORMAT = (TYPE = PARQUET) HEADER = TRUE;
CREATE TABLE prod.raw.employees (employee_id INTEGER, manager_id INTEGER);
INSERT INTO prod.raw.employees VALUES (1, NULL), (2, 1), (3, 1), (4, 2);
CREATE TABLE prod.raw.customers (customer_id INTEGER, name STRING);
DROP TABLE prod.raw.customers;

-- What reports read
CREATE TABLE prod.analytics.alert_log (noticed_at TIMESTAMP_LTZ, message STRING);
CREATE TABLE prod.analytics.daily_totals (day DATE, total NUMBER(14, 2));
CREATE TABLE prod.analytics.load_audit (loaded_at TIMESTAMP_LTZ);
CREATE TABLE prod.analytics.orders_copy (order_id INTEGER, amount NUMBER(12, 2));
CREATE TABLE prod.analytics.orders_log (
  order_id INTEGER, amount NUMBER(12, 2), action STRING, changed_at TIMESTAMP_LTZ);

-- Sales, as the departments know them
CREATE TABLE prod.sales.customers (customer_id INTEGER, name STRING, country STRING, region STRING);
INSERT INTO prod.sales.customers VALUES (101, 'Amber Ltd', 'Germany', 'EU'), (102, 'Birch Inc', 'Canada', 'US');
CREATE TABLE prod.sales.orders (
  order_id INTEGER, customer_id INTEGER, supplier_id INTEGER, region STRING, amount NUMBER(12, 2),
  discount NUMBER(12, 2), currency STRING, ordered_at TIMESTAMP_NTZ);
INSERT INTO prod.sales.orders VALUES
  (1, 101, 7, 'EU', 25.90, 0, 'USD', '2025-11-01 09:30:00'),
  (2, 102, 7, 'US', 1480.00, 80, 'USD', '2026-11-01 16:05:00'),
  (3, 101, 8, 'EU', 310.50, 10.50, 'EUR', '2026-11-02 11:20:00');
CREATE TABLE prod.sales.order_documents (order_id INTEGER, document VARIANT);
INSERT INTO prod.sales.order_documents
  SELECT 3, PARSE_JSON('{"items": [{"sku": "TENT-2"}, {"sku": "ROPE-30"}]}');
CREATE TABLE prod.sales.order_fixes (order_id INTEGER, amount NUMBER(12, 2));
INSERT INTO prod.sales.order_fixes VALUES (1, 29.90);
CREATE TABLE prod.customer_data.patients (record STRING, name STRING);
INSERT INTO prod.customer_data.patients VALUES ('MRN00000017', 'Ada Quist'), ('MRN00000018', 'Ben Roe');

-- Shared with partners
CREATE SECURE VIEW prod.shared.orders AS SELECT order_id, ordered_at, amount FROM prod.sales.orders;
CREATE SHARE supplier_share COMMENT = 'Orders for suppliers';
GRANT USAGE ON DATABASE prod TO SHARE supplier_share;
GRANT USAGE ON SCHEMA prod.shared TO SHARE supplier_share;
GRANT SELECT ON VIEW prod.shared.orders TO SHARE supplier_share;
CREATE SHARE supplier_share_abroad COMMENT = 'Orders for suppliers abroad';
GRANT USAGE ON DATABASE prod TO SHARE supplier_share_abroad;
GRANT USAGE ON SCHEMA prod.shared TO SHARE supplier_share_abroad;
GRANT SELECT ON VIEW prod.shared.orders TO SHARE supplier_share_abroad;
CREATE SCHEMA reference_data.public_rates;
CREATE TABLE reference_data.public_rates.rates (currency STRING, rate FLOAT);

-- Text to read
CREATE TABLE prod.docs.documents (doc_id STRING, title STRING, content STRING);
INSERT INTO prod.docs.documents VALUES ('d-1', 'Returns', 'A tent may be sent back within thirty days.');
CREATE TABLE prod.docs.reviews (
  review_id INTEGER, product STRING, language STRING, rating INTEGER, review_text STRING);
INSERT INTO prod.docs.reviews VALUES
  (1, 'Lamp', 'en', 2, 'The box arrived broken but the lamp works'),
  (2, 'Tent', 'de', 5, 'Ein sehr gutes Zelt');
CREATE STAGE prod.docs.manuals ENCRYPTION = (TYPE = 'SNOWFLAKE_SSE') DIRECTORY = (ENABLE = TRUE);
CREATE STAGE prod.finance.invoices ENCRYPTION = (TYPE = 'SNOWFLAKE_SSE') DIRECTORY = (ENABLE = TRUE);
CREATE TABLE prod.support.tickets (ticket_id INTEGER, body STRING);
INSERT INTO prod.support.tickets VALUES (1, 'My parcel is late'), (2, 'The invoice is wrong');
CREATE TABLE prod.support.labelled_tickets (body STRING, human_label STRING);
INSERT INTO prod.support.labelled_tickets VALUES ('My parcel is late', 'delivery');
CREATE TABLE prod.support.messages (message_id INTEGER, body STRING);
INSERT INTO prod.support.messages VALUES (1, 'Order 4711, the lamp, is missing');

-- Models
CREATE TABLE prod.crm.customers (customer_id INTEGER, tenure_months INTEGER, monthly_fee FLOAT);
INSERT INTO prod.crm.customers VALUES (101, 12, 9.90), (102, 40, 19.90);
CREATE TABLE prod.ml.churn_baseline (
  customer_id INTEGER, tenure_months INTEGER, churn FLOAT, has_left INTEGER, predicted_at TIMESTAMP_NTZ);
CREATE TABLE prod.ml.churn_predictions LIKE prod.ml.churn_baseline;
CREATE STAGE prod.ml.models;
CREATE MODEL prod.ml.churn WITH VERSION v1 FROM @prod.ml.models/churn;
ALTER MODEL prod.ml.churn ADD VERSION v2 FROM @prod.ml.models/churn;

-- Moving from the old system, and evaluating models
CREATE STAGE prod.migration.landing;
CREATE STAGE prod.migration.lake;
CREATE FILE FORMAT prod.migration.csv_export TYPE = CSV FIELD_DELIMITER = '\t' COMPRESSION = GZIP;
CREATE TABLE legacy.sales.orders (order_id INTEGER, amount NUMBER(12, 2), rate FLOAT, ordered_at TIMESTAMP_NTZ);
INSERT INTO legacy.sales.orders VALUES (1, 25.90, 1.1, '2023-05-01'), (2, 1480.00, 1.1, '2024-06-01');
CREATE TABLE erp.sales.orders LIKE legacy.sales.orders;
COPY INTO @prod.migration.lake/orders/year=2023/part_ FROM (SELECT * FROM legacy.sales.orders WHERE order_id = 1)
  FILE_FORMAT = (TYPE = PARQUET) HEADER = TRUE;
COPY INTO @prod.migration.lake/orders/year=2024/part_ FROM (SELECT * FROM legacy.sales.orders WHERE order_id = 2)
  FILE_FORMAT = (TYPE = PARQUET) HEADER = TRUE;
CREATE STAGE lab.evaluation.runs;
COPY INTO @lab.evaluation.runs/run-1/results.jsonl
  FROM (SELECT OBJECT_CONSTRUCT('model_name_or_path', 'small', 'instance_id', 'task-1', 'resolved', TRUE,
    'scores', OBJECT_CONSTRUCT('total', 0.9)))
  FILE_FORMAT = (TYPE = JSON COMPRESSION = NONE) SINGLE = TRUE;
