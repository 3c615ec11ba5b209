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
    "audit": Case(
        "audit-data-access",
        {"target_scope": SHOP, "report_schema": "GOVERNANCE"},
    ),
    "costs-investigated": Case("investigate-cost-spike", {}),
    "costs-controlled": Case("set-up-cost-controls", {"monthly_quota": "100"}),
    "roles": Case(
        "set-up-role-hierarchy",
        {"target_scope": SHOP, "role_prefix": "SHOP", "analyst_user": "ANA"},
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
            "time_column": "ORDERED_AT",
        },
    ),
    "quality": Case("monitor-data-quality", {"target_scope": SHOP}),
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
    ),
    "model": Case(
        "deploy-registered-model",
        {
            "model": "PROD.ML.CHURN",
            "model_version": "V1",
            "input_table": f"{SHOP}.CUSTOMERS",
            "key_column": "CUSTOMER_ID",
            "prediction_table": "PROD.ML.PREDICTIONS",
            "feature_columns": "LOYALTY_POINTS",
        },
    ),
    "app": Case("build-react-app", {"target_scope": "PROD.ANALYTICS"}),
}
