"""A run of every shipped playbook on the demo account: what it is told, and what must be there."""

from __future__ import annotations

from dataclasses import dataclass, field

SHOP = "PROD.CUSTOMER_DATA"


@dataclass(frozen=True)
class Case:
    """One run."""

    playbook: str
    inputs: dict[str, str]
    setup: tuple[str, ...] = ()
    files: dict[str, str] = field(default_factory=dict)
    """Text by place on a stage, put there before the run."""


CASES = {
    "recovered": Case(
        "recover-lost-data",
        {"target": f"{SHOP}.LOST", "what_happened": "dropped"},
        (f"CREATE TABLE {SHOP}.LOST AS SELECT 1 AS ID", f"DROP TABLE {SHOP}.LOST"),
    ),
    "merged": Case(
        "merge-changes-with-history",
        {
            "target_table": "PROD.ANALYTICS.TARIFFS",
            "changes": "PROD.ANALYTICS.TARIFF_NEWS",
            "key_columns": "ID",
            "version_column": "AT",
        },
        (
            "CREATE TABLE PROD.ANALYTICS.TARIFFS (ID INT, PRICE INT, AT DATE)",
            "INSERT INTO PROD.ANALYTICS.TARIFFS VALUES (1, 10, '2026-01-01')",
            "CREATE TABLE PROD.ANALYTICS.TARIFF_NEWS (ID INT, PRICE INT, AT DATE)",
            "INSERT INTO PROD.ANALYTICS.TARIFF_NEWS VALUES (2, 20, '2026-02-01')",
        ),
    ),
    "copied": Case(
        "clone-environment",
        {"source": "PROD", "copy_name": "PROD_DEV", "developer_role": "ANALYST"},
    ),
    "cleaned": Case(
        "clean-up-unused",
        {"scope": SHOP, "to_park": "all", "to_drop": "all"},
        (
            f"CREATE TABLE {SHOP}.NOTES_UNUSED_20260105 AS SELECT 1 AS ID",
            f"COMMENT ON TABLE {SHOP}.NOTES_UNUSED_20260105 IS"
            " 'Parked as unused on 2026-01-05. Former name: NOTES. Former comment: '",
        ),
    ),
    "given-access": Case(
        "diagnose-missing-access",
        {"role": "CLERK", "want": "insert", "object": f"{SHOP}.ORDERS"},
        ("CREATE ROLE CLERK",),
    ),
    "audit": Case(
        "audit-data-access",
        {"target_scope": SHOP, "report_schema": "ANALYTICS"},
    ),
    "costs-investigated": Case("investigate-cost-spike", {}),
    "warehouses-fitted": Case("optimize-warehouses", {}),
    "tuned": Case(
        "tune-slow-query",
        {
            "statement": f"SELECT STATUS, COUNT(*) AS N FROM {SHOP}.ORDERS GROUP BY STATUS",
            "remedy": "cluster",
            "trial_schema": "PROD.ANALYTICS",
            "trial_table": f"{SHOP}.ORDERS",
            "key_columns": "STATUS",
        },
    ),
    "costs-controlled": Case("set-up-cost-controls", {"monthly_quota": "100"}),
    "roles": Case(
        "set-up-role-hierarchy",
        {"target_scope": SHOP, "role_prefix": "SHOP", "analyst_user": "ANA"},
    ),
    "erased": Case(
        "erase-a-person",
        {
            "scope": SHOP,
            "identifier_kind": "key",
            "key_column": "CUSTOMER_ID",
            "identifier": "7",
        },
    ),
    "authenticated": Case(
        "modernize-authentication",
        {
            "policy_schema": "PROD.LOGINS",
            "break_glass": "ADMIN",
            "public_keys": f'{{"ROBOT": "MIIB{"A" * 388}"}}',
            "switch_services": "all-with-key",
            "account_level": "yes",
        },
        (
            "CREATE USER ROBOT TYPE = LEGACY_SERVICE",
            "CREATE USER KIM TYPE = PERSON PASSWORD = 'A1-long-one'",
        ),
    ),
    "secure": Case("secure-sensitive-data", {"target_scope": SHOP}),
    "secure-rows": Case(
        "secure-sensitive-data",
        {
            "target_scope": SHOP,
            "row_filter_column": "COUNTRY",
            "row_filter_value": "DE",
            "confidence": "MEDIUM",
        },
    ),
    "semantic": Case(
        "build-semantic-view",
        {
            "target_scope": SHOP,
            "semantic_view": "PROD.SEMANTIC.SALES",
            "primary_keys": '{"ORDERS": "ORDER_ID", "CUSTOMERS": "CUSTOMER_ID"}',
            "relationships": '{"ORDERS": {"CUSTOMER_ID": "CUSTOMERS"}}',
            "metrics": '{"REVENUE": {"table": "ORDERS", "aggregate": "SUM", '
            '"column": "TOTAL_AMOUNT", "meaning": "Gross order value"}}',
            "reader_role": "ANALYST",
        },
    ),
    "pipeline": Case(
        "build-streaming-pipeline",
        {"target_scope": f"{SHOP}.ORDERS", "output_schema": "ANALYTICS"},
    ),
    "pipeline-tasks": Case(
        "build-streaming-pipeline",
        {
            "target_scope": f"{SHOP}.ORDERS",
            "output_schema": "ANALYTICS",
            "style": "streams-and-tasks",
            "keys": '{"ORDERS": "ORDER_ID"}',
        },
    ),
    "quality": Case(
        "monitor-data-quality",
        {
            "target_scope": SHOP,
            "owner_role": "SYSADMIN",
            "check_schedule": "TRIGGER_ON_CHANGES",
            "alert_email": "ann@example.com",
        },
        (
            "GRANT EXECUTE DATA METRIC FUNCTION, EXECUTE ALERT, CREATE INTEGRATION"
            " ON ACCOUNT TO ROLE SYSADMIN",
            "GRANT DATABASE ROLE SNOWFLAKE.DATA_METRIC_USER TO ROLE SYSADMIN",
            "GRANT APPLICATION ROLE SNOWFLAKE.DATA_QUALITY_MONITORING_VIEWER TO ROLE SYSADMIN",
        ),
    ),
    "sharing": Case(
        "share-data-with-consumers",
        {
            "target_scope": f"{SHOP}.ORDERS",
            "share_name": "SUPPLIER_SHARE",
            "consumer_account": "OTHER.ACCOUNT",
        },
    ),
    "enrichment": Case(
        "enrich-text-with-ai",
        {
            "source_table": f"{SHOP}.CUSTOMERS",
            "key_column": "CUSTOMER_ID",
            "text_column": "LAST_NAME",
            "output_table": "PROD.ANALYTICS.ENRICHED",
            "sentiment": "true",
        },
    ),
    "loading": Case(
        "load-files-from-stage",
        {"target_table": f"{SHOP}.LOADED", "stage": f"{SHOP}.ARRIVALS"},
        (f"CREATE STAGE {SHOP}.ARRIVALS",),
        {f"{SHOP}.ARRIVALS/one.csv": "id,name\n1,Ann\n2,Ben\n"},
    ),
    "migration": Case(
        "migrate-database",
        {"target_database": "SHOP_COPY", "stage": f"{SHOP}.ARRIVALS", "file_type": "CSV"},
        (f"CREATE STAGE {SHOP}.ARRIVALS",),
        {f"{SHOP}.ARRIVALS/orders/one.csv": "id,name\n1,Ann\n2,Ben\n"},
    ),
    "validation": Case(
        "validate-migrated-data",
        {"target_scope": "PROD.COPY", "source_scope": SHOP},
        (
            "CREATE SCHEMA PROD.COPY",
            f"CREATE TABLE PROD.COPY.ORDERS AS SELECT * FROM {SHOP}.ORDERS",
        ),
    ),
    "evaluation": Case(
        "run-benchmark-evaluation",
        {"model": "m", "publish": "table", "publish_database": "PROD"},
        (
            "CREATE SCHEMA PROD.EVALUATION",
            "CREATE STAGE PROD.EVALUATION.EVALUATION_RUNS FILE_FORMAT = (TYPE = JSON)",
        ),
        {
            "PROD.EVALUATION.EVALUATION_RUNS/run-1/results.jsonl": '{"model_name_or_path": "m",'
            ' "instance_id": "a", "resolved": true, "scores": {"total": 0.6, "functional": 1}}\n'
        },
    ),
    "model": Case(
        "deploy-registered-model",
        {
            "model": "PROD.ANALYTICS.LATE",
            "model_version": "V2",
            "engineer_role": "SYSADMIN",
            "input_table": f"{SHOP}.ORDERS",
            "key_column": "ORDER_ID",
            "feature_columns": "QUANTITY,TOTAL_AMOUNT",
            "prediction_table": "PROD.ANALYTICS.LATE_PREDICTIONS",
            "reader_role": "ANALYST",
        },
        (
            "CREATE STAGE PROD.ANALYTICS.MODELS",
            "CREATE MODEL PROD.ANALYTICS.LATE WITH VERSION V1 FROM @PROD.ANALYTICS.MODELS/one",
            "ALTER MODEL PROD.ANALYTICS.LATE ADD VERSION V2 FROM @PROD.ANALYTICS.MODELS/two",
            "GRANT OWNERSHIP ON MODEL PROD.ANALYTICS.LATE TO ROLE SYSADMIN",
            "GRANT EXECUTE TASK ON ACCOUNT TO ROLE SYSADMIN",
        ),
    ),
    "page": Case("build-streamlit-app", {"target_scope": f"{SHOP}.ORDERS"}),
    "app": Case(
        "build-react-app",
        {"target_scope": f"{SHOP}.ORDERS", "app_role": "APP_OWNER"},
        (
            "CREATE ROLE APP_OWNER",
            "GRANT ROLE APP_OWNER TO ROLE SYSADMIN",
            "GRANT CREATE COMPUTE POOL, BIND SERVICE ENDPOINT ON ACCOUNT TO ROLE APP_OWNER",
            "GRANT USAGE, CREATE SCHEMA ON DATABASE PROD TO ROLE APP_OWNER",
        ),
    ),
}
